"""No input, however hostile, gives a traceback, a hang, or somebody else's blame.

python tests/test_hostile_input.py > docs/hostile-input.md
"""

import json
import math
import sys
import unicodedata
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hostile import as_json, mutated_bytes, mutated_values, values
from hostile_rows import ROOT, ROWS, SCENE, Place, Row
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric.engine import Report, case, cli, load
from rubric.engine.expressions.runtime import Frame
from rubric.engine.json_text import encode
from rubric.engine.loading import LoadedRubric, load_text
from rubric.primitives._normal_forms import in_form

PAGE = ROOT / "docs" / "hostile-input.md"
SURVEY = ROOT / "tests" / "hostile_files" / "survey-1.yaml"

# ---------------------------------------------------------------- every row of the table


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=f"{area}: {row.what}") for area, rows in ROWS.items() for row in rows]
)
def test_row(row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["rubric", *row.make(Place(tmp_path))])
    with pytest.raises(SystemExit) as left:
        cli.main()
    told = capsys.readouterr()
    assert left.value.code == row.code, told
    assert row.says in told.out + told.err
    assert "Traceback" not in told.err
    reports = [json.loads(line) for line in told.out.splitlines()]
    if row.outcome is None:
        assert reports == []
        return
    assert {report["outcome"] for report in reports if report["case"] == row.case} == {row.outcome}
    assert all(report["outcome"] == "pass" for report in reports if report["case"] != row.case)
    assert (row.outcome == "error") == all("error" in report for report in reports if report["case"] == row.case)
    if row.case is not None:
        assert [report["case"] for report in reports[:: len(reports) - 1]] == ["first", "last"]


# ---------------------------------------------------------------- the page

INTRODUCTION = """# Hostile input

What comes from outside is material to judge, never something to trust: a candidate's file can cost its own score, and
nothing else. Each row below is a test, and this page is made of those tests.

* **outcome** is that of the report. There is none where no case was scored.
* **exit** is the exit code: 0 passed, 1 did not, 2 the call or the rubric is wrong, 3 infrastructure.
* **says** is a part of the message: for a report its `diagnostics` or its `error`, else on stderr.

Whose fault it is decides. A fault of reference material or an operator's input is an infrastructure error, and no score
comes of it. A fault of a candidate's file is scored as the rubric says. Here that is `witness-1.6`, in which an entry
that breaks its record is malformed, and a file that cannot be read makes every metric 0. That no byte of a candidate's
file can raise an infrastructure error is tested with files that were mutated at random.
"""
INTERRUPTIONS = """
## Interruptions

| what | exit | what is left |
| --- | --- | --- |
| `kill -9` while cases are scored | | complete results, and perhaps a part of one; `--resume` goes on there |
| Ctrl-C | 130 | complete results; `--resume` goes on there. No traceback, and no process is left |
| a full disk while cases are scored | 2 | the results so far; `--resume` goes on when there is room |
| a full disk while one report is written | 2 | nothing: a file has its name once it is complete |
| stdout on a full disk, or closed | 2 | what was written |
| a reader that leaves: `\\| head` | 141 | what was read |
| a worker that dies of a case | 3 | that case is an `error`, all others are scored |
| a worker that dies for another reason | | every case, as if nothing had happened |
| two runs with the same `--out` | 2 | the results of the first |
| results of other cases, another rubric or another engine, with `--resume` | 2 | the file as it was |

## Bounds

A case has a bounded amount of work, counted and not timed, so that it is the same everywhere. Files, levels, numbers
and lists have bounds too: [limits of the language](language.md#limits).
"""


def tables() -> Iterator[str]:
    for area, rows in ROWS.items():
        yield f"\n## {area}\n\n| what | outcome | exit | says |\n| --- | --- | --- | --- |\n"
        for row in rows:
            yield f"| {row.what} | {row.outcome or ''} | {row.code} | {code(row.says)} |\n"


def code(text: str) -> str:
    """A text as code in Markdown, also with backticks in it."""
    return f"`` {text} ``" if "`" in text else f"`{text}`" if text else ""


def page() -> str:
    return "".join(chain([INTRODUCTION], tables(), [INTERRUPTIONS]))


def test_the_page_shows_these_rows() -> None:
    fresh = PAGE.read_text(encoding="utf-8") == page()
    assert fresh, "run: python tests/test_hostile_input.py > docs/hostile-input.md"


# ---------------------------------------------------------------- blame is a theorem

FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
OUTCOMES = {"pass", "fail", "inconclusive"}
GUESS = (SCENE / "tier_2.prediction.json").read_bytes()
SMALL = as_json({name: entries[:2] for name, entries in json.loads(GUESS).items() if isinstance(entries, list)})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module", params=["witness-1.5", "witness-1.6"])
def rubric(request: pytest.FixtureRequest) -> LoadedRubric:
    return load(request.param)


def assert_scored(report: Report) -> None:
    assert report.outcome in OUTCOMES, report.error
    assert report.score is None or 0 <= report.score <= 1
    assert all(diagnostic.reason for diagnostic in report.diagnostics)
    encode(report.to_dict())


@FUZZ
@given(
    data=st.one_of(
        mutated_bytes(GUESS),
        mutated_bytes(SMALL),
        mutated_values(json.loads(GUESS)).map(as_json),
        mutated_values(json.loads(SMALL)).map(as_json),
        values.map(as_json),
        st.binary(max_size=40),
    )
)
def test_no_byte_of_a_candidates_file_is_anybody_elses_fault(data: bytes, rubric: LoadedRubric, folder: Path) -> None:
    (folder / "guess.json").write_bytes(data)
    assert_scored(rubric.run(truth=SCENE / "tier_2.truth.json", prediction=folder / "guess.json"))


@FUZZ
@given(guess=st.one_of(mutated_values(json.loads(SMALL)), values))
def test_no_value_of_a_candidates_is_anybody_elses_fault(guess: Any, rubric: LoadedRubric) -> None:
    guess = {} if isinstance(guess, str) else guess  # a text is a path
    assert_scored(rubric.run(truth=SCENE / "tier_2.truth.json", prediction=guess))


TRUTH = json.loads((SCENE / "tier_2.truth.json").read_bytes())


@FUZZ
@given(data=st.one_of(mutated_bytes(as_json(TRUTH)), mutated_values(TRUTH).map(as_json), values.map(as_json)))
def test_reference_material_is_good_or_gives_no_score(data: bytes, rubric: LoadedRubric, folder: Path) -> None:
    (folder / "truth.json").write_bytes(data)
    report = rubric.run(truth=folder / "truth.json", prediction=SCENE / "tier_2.prediction.json")
    if report.outcome == "error":
        assert (report.score, report.metrics, report.error and report.error.kind) == (None, {}, "reference")
    encode(report.to_dict())


@FUZZ
@given(number=values)
def test_an_operators_number_is_good_or_gives_no_score(number: Any, rubric: LoadedRubric) -> None:
    good = type(number) in (int, float) and 0 <= number < math.inf and number <= sys.float_info.max
    inputs = {"truth": TRUTH, "prediction": json.loads(GUESS), "usage": {"visual_tokens": number}}
    report = rubric.run_case(inputs)
    assert (report.outcome == "error") == (not good)
    assert report.error is None or (report.error.kind, report.score) == ("operator", None)


# ---------------------------------------------------------------- the same for every kind of input

ROWS_OF_SURVEY: list[Any] = [
    {"id": "a", "label": 1, "score": 0.75, "group": "g", "start": 0, "end": 2, "more": {"b": 1}, "tags": ["u", "v"]},
    {"id": "b", "label": 0, "percent": 25, "group": "g", "start": 3, "end": 4},
    {"id": "c", "label": 1, "score": 0.5, "group": "h", "start": 1, "end": 1.5},
]
ENTRY = {"x": 2, "y": "one", "many": [1, 2, 3], "names": {"a": "one", "b": 2}, "rows": ROWS_OF_SURVEY[:2], "flag": True}
KEY = {
    "answers": [{"id": "a", "text": "one", "start": 0, "end": 2}, {"id": "b", "text": "two", "start": 3, "end": 4}],
    "scale": 1,
}
JSON_FILES: dict[str, Any] = {
    "entry": ENTRY,
    "free": {"a": {"b": {"c": [1]}}, "x": [3]},
    "shaped": {"x": 1, "y": 2},
    "parts": ROWS_OF_SURVEY[0],
    "album": {"pages": [{"text": "bundle/page.json", "film": "bundle/film.bin"}, {"text": "bundle/page.json"}]},
    "bundle/page.json": {"film": "film.bin", "n": [1]},
    "bundle/data.json": {"ok": True},
}
ROW_FILES: dict[str, list[Any]] = {
    "rows": ROWS_OF_SURVEY,
    "loose": [{"a": 1, "n": 2}, {"a": 2, "n": 3}],
    "bundle/lines.jsonl": [{"a": 1}, [2]],
}
OTHER_FILES = {
    "notes": b"The one of them",
    "layout": b"a: {b: 1}\nc: [1, x]\n",
    "bundle/readme.txt": b"hi",
    "bundle/film.bin": b"\0",
}


def as_rows(rows: Any) -> bytes:
    return b"\n".join(map(as_json, rows if isinstance(rows, list) else [rows]))


FILES: dict[str, bytes] = {
    **{name: as_json(value) for name, value in JSON_FILES.items()},
    **{name: as_rows(rows) for name, rows in ROW_FILES.items()},
    **OTHER_FILES,
}


@st.composite
def spoilt_files(draw: Any) -> dict[str, bytes]:
    """The files of a survey, one of them spoilt."""
    name = draw(st.sampled_from(list(FILES)))
    kinds = [mutated_bytes(FILES[name]), st.binary(max_size=30), values.map(as_json)]
    if name in JSON_FILES:
        kinds.append(mutated_values(JSON_FILES[name]).map(as_json))
    if name in ROW_FILES:
        kinds.append(mutated_values(ROW_FILES[name]).map(as_rows))
    return {**FILES, name: draw(st.one_of(kinds))}


@pytest.fixture(scope="module")
def survey() -> LoadedRubric:
    return load(SURVEY)


def run_survey(survey: LoadedRubric, folder: Path, files: dict[str, bytes]) -> Report:
    (folder / "bundle").mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    names = {name: name for name in files if "/" not in name}
    return survey.run_case({**names, "key": KEY, "bundle": "bundle", "parts": ["parts"]}, folder=folder)


def test_the_survey_uses_all_of_it(survey: LoadedRubric, folder: Path) -> None:
    report = run_survey(survey, folder, FILES)
    assert (report.outcome, [gate.id for gate in report.gates if gate.held is not True]) == ("pass", [])
    assert [name for name, metric in report.metrics.items() if metric.value is None] == ["safe"]  # it has two bounds


@settings(FUZZ, max_examples=200)
@given(files=spoilt_files())
def test_no_byte_of_any_kind_of_file_is_anybody_elses_fault(
    files: dict[str, bytes], survey: LoadedRubric, folder: Path
) -> None:
    assert_scored(run_survey(survey, folder, files))


# ---------------------------------------------------------------- nothing takes for ever

COSTLY = """
rubric: costly
version: "1"
language: 1
inputs:
  truth: {from: reference, record: numbers}
  entry: {from: candidate, record: numbers}
records:
  numbers: {fields: {n: list of number}}
preconditions:
  some: sum(map(truth.n, a -> count(truth.n))) > 0
let:
  squared: sum(map(entry.n, a -> count(filter(entry.n, b -> b <= a))))
  right: sum(map(truth.n, a -> count(filter(truth.n, b -> b <= a))))
values: [squared, right]
gates: {g: {require: squared == right}}
"""


def test_work_that_a_candidates_file_makes_long_stops_that_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case, "Frame", partial(Frame, steps=5000))
    costly = load_text(COSTLY)
    short, long = {"n": [1, 2, 3]}, {"n": list(range(200))}
    report = costly.run(truth=short, entry=long)
    assert (report.outcome, report.values) == ("fail", {"squared": None, "right": 6})
    assert [diagnostic.reason for diagnostic in report.diagnostics] == [f"squared: {case.STEP_LIMIT}"]
    assert costly.run(truth=short, entry=short).outcome == "pass"
    stopped = costly.run(truth=long, entry=short)
    assert (stopped.outcome, stopped.error and stopped.error.kind) == ("error", "reference")


@FUZZ
@given(
    text=st.text(
        st.sampled_from("aZé\u0301\u0316\u0327\u0344\u0f71\u0f73\u0f75\u0f80\u0f81ﬁ가\u1100\u1161\uff9e"), max_size=300
    ),
    form=st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]),
)
def test_normal_forms_are_those_of_unicode(text: str, form: Any) -> None:
    text = text + "é" * 130  # long enough to be put in order first
    assert in_form(form, text) == unicodedata.normalize(form, text)


if __name__ == "__main__":
    sys.stdout.write(page())
