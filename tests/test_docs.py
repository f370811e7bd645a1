"""The documentation is true: its snippets are read by the engine, its tables are evaluated, its commands run."""

import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from rubric.engine import (
    RubricError,
    cli,
    document,
    evaluation,
    exporting,
    input_files,
    inputs,
    json_text,
    links,
    records,
    table_files,
    verdict,
)
from rubric.engine import case as engine_case
from rubric.engine.analysis import analyse
from rubric.engine.building import build
from rubric.engine.checks import size
from rubric.engine.document import plain, read_document
from rubric.engine.evaluation import evaluate_case
from rubric.engine.expressions import inference, levels, parser, runtime, values
from rubric.engine.expressions.builtins import BUILTINS
from rubric.engine.json_schemas import schema_text
from rubric.engine.loading import load, load_text
from rubric.engine.plan import make_plan
from rubric.engine.report import RubricId
from rubric.engine.selftest import test_rubric as self_test

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TUTORIAL = ROOT / "tests" / "rubrics" / "tutorial"
PAGES = ("language.md", "authoring.md")
HEAD = 'rubric: r\nversion: "1"\nlanguage: 1\n'


@dataclass(frozen=True)
class Snippet:
    """A fenced block: the words after its fence, its text, and where it stands."""

    words: tuple[str, ...]
    text: str
    place: str


def snippets(page: str) -> Iterator[Snippet]:
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if start is None:
                start = number
                continue
            words = tuple(lines[start - 1].removeprefix("```").split())
            yield Snippet(words, "\n".join(lines[start : number - 1]) + "\n", f"{page}:{start}")
            start = None


def marked(*words: str) -> list[Any]:
    found = [snippet for page in PAGES for snippet in snippets(page) if snippet.words[: len(words)] == words]
    return [pytest.param(snippet, id=snippet.place) for snippet in found]


# ---------------------------------------------------------------- snippets


def test_every_block_says_what_it_is():
    kinds = {"rubric", "refused", "comment", "workflow", "pre-commit", "context", "file", "control"}
    for page in PAGES:
        for snippet in snippets(page):
            assert snippet.words[0] in ("yaml", "json", "sh", "text", "python"), snippet.place
            assert set(snippet.words[1:2]) <= kinds, snippet.place


@pytest.mark.parametrize("snippet", marked("yaml", "rubric"))
def test_a_whole_rubric_validates_and_gives_what_its_examples_say(snippet: Snippet):
    loaded = load_text(snippet.text, snippet.place)
    assert loaded.findings == ()
    result = self_test(loaded)
    assert result.examples
    assert [example.differences for example in result.examples] == [()] * len(result.examples)


@pytest.mark.parametrize("snippet", [p for p in marked("yaml") if len(p.values[0].words) == 1])
def test_a_part_of_a_rubric_has_the_right_shape(snippet: Snippet):
    _, findings = build(read_document(HEAD + snippet.text, snippet.place))
    assert [finding.render() for finding in findings] == []


@pytest.mark.parametrize("snippet", marked("yaml", "refused"))
def test_what_is_refused_is_refused(snippet: Snippet):
    with pytest.raises(RubricError, match="comma"):
        load_text(HEAD + snippet.text, snippet.place)


@pytest.mark.parametrize("snippet", [*marked("yaml", "workflow"), *marked("yaml", "pre-commit")])
def test_configurations_are_yaml(snippet: Snippet):
    assert yaml.safe_load(snippet.text)


# ---------------------------------------------------------------- tables


def tables(page: str) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Each table: where it stands, its head, its rows."""
    rows: list[list[str]] = []
    lines = [*(DOCS / page).read_text(encoding="utf-8").splitlines(), ""]
    for number, line in enumerate(lines, 1):
        if line.startswith("|"):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            yield f"{page}:{number - len(rows)}", rows[0], rows[2:]
            rows = []


def test_the_rows_of_tables_have_the_cells_of_their_heads():
    for page in PAGES:
        for place, head, rows in tables(page):
            assert {len(row) for row in rows} == {len(head)}, place


def table_examples() -> Iterator[Any]:
    """Each expression of a table, with the value that stands beside it."""
    for place, head, rows in tables("language.md"):
        if "value" not in head or not {"expression", "example"} & set(head):
            continue
        left = next(head.index(name) for name in ("expression", "example") if name in head)
        for row in rows:
            expressions, values = (re.findall(r"`([^`]+)`", row[at]) for at in (left, head.index("value")))
            assert len(expressions) == len(values) > 0, f"{place}: {row}"
            for expression, value in zip(expressions, values, strict=True):
                yield pytest.param(expression, value, id=f"{place} {expression}")


CONTEXT = json.loads(next(snippet.text for snippet in snippets("language.md") if "context" in snippet.words))


def evaluated(expression: str) -> tuple[Any, list[str]]:
    """The value of an expression over the names of the page, and what is wrong with it before it runs."""
    data = {
        "rubric": "r",
        "version": "1",
        "language": 1,
        "values": {"it": expression},
        "inputs": {name: {"from": "candidate", "default": value} for name, value in CONTEXT.items()},
    }
    rubric, findings = build(read_document(json.dumps(data), "table.yaml"))
    analysis = analyse(rubric)
    wrong = [*(finding.message for finding in findings), *(problem.message for problem in analysis.problems)]
    report, _ = evaluate_case(make_plan(analysis), RubricId("r", "1", ""), {}, engine="")
    assert report.error is None
    return report.values["it"], wrong


@pytest.mark.parametrize(("expression", "value"), list(table_examples()))
def test_the_value_beside_an_expression_is_its_value(expression: str, value: str):
    found, wrong = evaluated(expression)
    if value == "refused":
        assert wrong
        return
    assert wrong == []
    assert (found, type(found)) == (json.loads(value), type(json.loads(value)))


def test_every_function_of_the_language_has_a_row_with_its_arguments():
    rows = [row[0] for _, head, rows in tables("language.md") if head[0] == "function" for row in rows]
    calls = [call for row in rows for call in re.findall(r"`([^`]+)`", row)]
    assert set(BUILTINS) == {call.partition("(")[0] for call in calls}


def test_every_key_of_the_language_is_in_the_reference():
    text = (DOCS / "language.md").read_text(encoding="utf-8")
    waiting, keys = [json.loads(schema_text(None, None))], set()
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            keys |= current.get("properties", {}).keys()
            waiting += [member for name, member in current.items() if name != "enum"]
        elif isinstance(current, list):
            waiting += current
    missing = [key for key in sorted(keys - {"in_step"}) if not re.search(rf"`{key}[`:, ]|^ *{key}:", text, re.M)]
    assert missing == []


def test_the_table_of_yaml():
    kinds = {"text": str, "truth values": bool, "null": type(None), "numbers": (int, float)}
    for written, meaning in next(rows for _, head, rows in tables("language.md") if head == ["written", "is"]):
        for code in re.findall(r"`([^`]+)`", written):
            value = plain(read_document(f"key: {code}", "table.yaml").root)["key"]
            assert isinstance(value, kinds[re.split(r"[;:]", meaning)[0]]), code


def test_the_table_of_tolerant_words():
    rows = next(rows for _, head, rows in tables("language.md") if head[1].startswith("value 0.65"))
    for gate, answer in rows:
        word = gate.strip("`").partition(":")[0]
        assert verdict.holds(0.6499999999999999, word, 0.65) == (answer == "holds"), gate


def test_the_table_of_limits():
    """Each number of the table, in its order, is the constant that the engine keeps to."""
    rows = next(rows for _, head, rows in tables("language.md") if head == ["what", "limit"])
    found = [[int(number.replace(",", "")) for number in re.findall(r"\b[0-9][0-9,]*\b", row[1])] for row in rows]
    mebibyte = 2**20
    assert found == [
        [document.MAX_BYTES // mebibyte, document.MAX_DEPTH, document.MAX_FINDINGS],
        [document.MAX_NUMBER, 64],
        [parser.MAX_CHARACTERS, parser.MAX_DEPTH, levels.MAX_LEVELS],
        [size.MAX_EXPANDED],
        [size.MAX_CHAIN],
        [inference.MAX_LISTS],
        [evaluation.MAX_COMBINATIONS],
        [inputs.MAX_BYTES // mebibyte, json_text.MAX_DEPTH],
        [input_files.MAX_TABLE_BYTES // mebibyte, table_files.MAX_ROWS],
        [links.MAX_LINKED_BYTES // mebibyte],
        [records.MAX_PATTERN_TEXT],
        [values.MAX_RANGE],
        [values.MAX_ITEMS],
        [runtime.MAX_STEPS, runtime.STEPS_A_ROW],
        [engine_case.MAX_DIAGNOSTICS],
        [exporting.MAX_MEMBERS, exporting.MAX_VALUES],
        [exporting.MAX_INNER],
    ]


def test_links_lead_somewhere():
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)]+)\)", text):
            path, _, anchor = target.partition("#")
            if "://" in target:
                continue
            linked = (DOCS / path) if path else DOCS / page
            assert linked.exists(), f"{page}: {target}"
            if anchor:
                headings = re.findall(r"(?m)^#+ (.*)$", linked.read_text(encoding="utf-8"))
                anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
                assert anchor in anchors, f"{page}: {target}"


# ---------------------------------------------------------------- the tutorial


def files_of_the_tutorial() -> dict[str, str]:
    return {snippet.words[2]: snippet.text for snippet in snippets("authoring.md") if "file" in snippet.words[1:2]}


def test_the_tutorial_shows_its_files():
    assert files_of_the_tutorial() == {path.name: path.read_text(encoding="utf-8") for path in TUTORIAL.iterdir()}


@pytest.mark.parametrize("version", ["1", "2"])
def test_the_rubrics_of_the_tutorial_run(version: str):
    loaded = load(TUTORIAL / f"birdsong-{version}.yaml")
    assert loaded.findings == ()
    assert self_test(loaded).passed
    noon = json.loads((TUTORIAL / "cases.jsonl").read_text(encoding="utf-8").splitlines()[1])
    report = loaded.run_case(noon["inputs"])
    assert (report.outcome, report.score) == ("fail", 0)
    assert report.metrics["found"].value == pytest.approx(1 / 3)


def commands() -> Iterator[tuple[str, str | None]]:
    """Each command of the tutorial with the output that is shown right after its block, if it stands there alone."""
    blocks = list(snippets("authoring.md"))
    for block, following in zip(blocks, [*blocks[1:], Snippet((), "", "")], strict=True):
        lines = block.text.splitlines() if block.words == ("sh",) else []
        for line in lines:
            yield line, following.text if following.words == ("text",) and len(lines) == 1 else None


Run = Callable[[str], tuple[int, str]]


@pytest.fixture
def run_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[Path], Run]:
    """Runs `rubric ...` in a folder: exit code and standard output; `> file` writes that file."""

    def in_folder(folder: Path) -> Run:
        monkeypatch.chdir(folder)

        def run(line: str) -> tuple[int, str]:
            words, target = shlex.split(line, comments=True), None
            if ">" in words:
                words, target = words[: words.index(">")], words[words.index(">") + 1]
            monkeypatch.setattr("sys.argv", words)
            with pytest.raises(SystemExit) as stopped:
                cli.main()
            output = capsys.readouterr().out
            if target:
                (folder / target).write_text(output, encoding="utf-8")
            return int(stopped.value.code or 0), output

        return run

    return in_folder


def test_every_command_of_the_tutorial_does_what_is_said(tmp_path: Path, run_in: Callable[[Path], Run]):
    folder = shutil.copytree(TUTORIAL, tmp_path / "tutorial")
    run = run_in(folder)
    for line, expected in commands():
        code = re.search(r"# exit code (\d)$", line)
        returned, output = run(line)
        assert returned == int(code[1] if code else 0), line
        assert expected in (None, output), line
    assert json.loads((folder / "rubric.schema.json").read_text(encoding="utf-8"))["title"] == "Rubric, language 1"
    assert len((folder / "results.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_the_flood_pays_in_version_1_and_the_output_is_as_shown(tmp_path: Path, run_in: Callable[[Path], Run]):
    folder = shutil.copytree(TUTORIAL, tmp_path / "tutorial")
    rubric = folder / "birdsong-1.yaml"
    controls = next(block.text for block in snippets("authoring.md") if block.text.startswith("controls:"))
    text = rubric.read_text(encoding="utf-8")
    rubric.write_text(text[: text.index("controls:")] + controls, encoding="utf-8")
    shown = next(block.text for block in snippets("authoring.md") if block.words == ("text", "control"))
    assert run_in(folder)("rubric test birdsong-1.yaml") == (1, shown)


def test_the_hook_looks_at_rubrics_and_calls_validate():
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[0]
    assert (hook["id"], hook["language"], hook["entry"]) == ("rubric-validate", "python", "rubric validate")
    assert re.search(hook["files"], "rubrics/witness-1.5.yaml")
    assert re.search(hook["files"], "rubrics/sub/x.yml")
    assert not re.search(hook["files"], "docs/rubrics/witness.md")
