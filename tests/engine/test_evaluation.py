"""What a rubric makes of a case: metrics, scores, caps, gates, stages, values, warnings, preconditions; by hand."""

from pathlib import Path
from typing import Any

import pytest

from rubric.engine.evaluation import Options
from rubric.engine.exporting import listed
from rubric.engine.faults import CallFault
from rubric.engine.findings import RubricError
from rubric.engine.loading import LoadedRubric, load_text
from rubric.engine.report import Report

HEAD = """
rubric: trial
version: "1"
language: 1
inputs:
  entry: {from: candidate, record: entry}
records:
  entry:
    fields:
      x: number or nothing
      y: number or nothing
      rows: list of row or nothing
  row:
    fields:
      name: text
      size: number
"""


def rubric(rest: str, head: str = HEAD) -> LoadedRubric:
    return load_text(head + rest)


def run(rest: str, entry: Any, **options: bool) -> Report:
    return rubric(rest).run_case({"entry": entry}, options=Options(**options))


def gates(report: Report) -> dict[str, bool | None]:
    return {gate.id: gate.held for gate in report.gates}


ROWS = {"x": 1, "y": 2, "rows": [{"name": "a", "size": 3}, {"name": "b", "size": 12}, {"name": "c", "size": 6}]}
USES = "malformed_rows: malformed(entry.rows) + (entry.x ?? 0) * 0 + (entry.y ?? 0) * 0"


# ---------------------------------------------------------------- metrics


@pytest.mark.parametrize(
    ("size", "earned"), [(3, 1.0), (2, 1.0), (12, 0.0), (99, 0.0), (7.5, 0.5), (4.8, 0.8), (3.9, 0.9)]
)
def test_a_credit_curve_is_exact_at_both_points_and_straight_between(size: float, earned: float) -> None:
    report = run(
        f"metrics:\n  near: {{value: entry.x, credit: {{full: 3, zero: 12}}}}\nlet:\n  {USES}\n"
        "score:\n  total: near + 0 * malformed_rows\n",
        {"x": size},
    )
    assert report.metrics["near"].value == pytest.approx(earned, abs=1e-15)
    assert report.metrics["near"].measured == size


def test_a_metric_over_rows_is_filtered_credited_and_averaged() -> None:
    report = run(
        "metrics:\n"
        "  sizes: {value: entry.rows.size, where: entry.rows.size < 10, credit: {full: 3, zero: 12}}\n"
        f"let:\n  {USES}\n"
        "score:\n  total: sizes + 0 * malformed_rows\n",
        ROWS,
    )
    assert report.metrics["sizes"].measured == 4.5
    assert report.metrics["sizes"].value == pytest.approx((1 + 6 / 9) / 2)


def test_an_unmeasured_record_earns_by_its_value_and_has_no_bounds() -> None:
    big = "{use: statistics.proportion, with: {successes: entry.rows.size > 5, confidence: 0.95}}"
    rest = (
        f"metrics:\n  big: {big}\nscore:\n  total: {{weighted: {{big: 1}}}}\nlet:\n  {USES}\nvalues: [malformed_rows]\n"
    )
    assert run(rest, {"rows": []}).score is None
    report = run(rest + "unmeasured: 0.25\n", {"rows": []})
    assert (report.score, report.metrics["big"].fields["lower"]) == (0.25, None)
    assert run(rest + "unmeasured: 0.25\n", ROWS).score == 2 / 3


def test_an_unmeasured_metric_is_null_and_the_outcome_inconclusive() -> None:
    rest = f"metrics:\n  m: entry.x\nlet:\n  {USES}\nscore:\n  total: m + 0 * malformed_rows\n"
    report = run(rest, {})
    assert (report.metrics["m"].value, report.score, report.outcome) == (None, None, "inconclusive")
    assert run(rest + "unmeasured: 0\n", {}).score == 0
    assert run(rest.replace("m: entry.x", "m: {value: entry.x, if_null: 0.25}"), {}).score == 0.25


def test_weights_are_added_exactly_and_caps_bind_where_they_apply() -> None:
    rest = (
        "metrics:\n  a: entry.x\n  b: entry.y\n"
        f"let:\n  {USES}\n"
        "score:\n"
        "  total:\n"
        "    weighted: {a: 0.1, b: 0.9}\n"
        "    caps:\n"
        "      low_a: {when: a < 0.5, at_most: 0.25, because: a matters}\n"
        "      bad_rows: {when: malformed_rows > 0, at_most: 0.4}\n"
    )
    free = run(rest, {"x": 0.5, "y": 0.7})
    assert free.score == 0.68
    assert [cap.applied for cap in free.caps] == [False, False]
    capped = run(rest, {"x": 0.4, "y": 0.7, "rows": [5]})
    assert capped.score == 0.25
    assert [(cap.id, cap.applied, cap.at_most) for cap in capped.caps] == [
        ("low_a", True, 0.25),
        ("bad_rows", True, 0.4),
    ]


# ---------------------------------------------------------------- gates


@pytest.mark.parametrize(
    ("word", "value", "held"),
    [
        ("at_least", 0.65, True),
        ("at_least", 0.6499999999999999, True),
        ("at_least", 0.649999999, False),
        ("at_most", 0.6500000000000001, True),
        ("at_most", 0.65000001, False),
        ("above", 0.6500000000000001, False),
        ("above", 0.66, True),
        ("below", 0.6499999999999999, False),
        ("below", 0.64, True),
        ("at_least", None, False),
        ("below", None, False),
    ],
)
def test_the_words_of_gates_are_tolerant_and_null_holds_nothing(word: str, value: float | None, held: bool) -> None:
    report = run(f"let:\n  {USES}\ngates:\n  g: {{value: entry.x + 0 * malformed_rows, {word}: 0.65}}\n", {"x": value})
    assert gates(report) == {"g": held}
    assert report.outcome == ("pass" if held else "fail")


def test_operators_are_exact_where_words_are_tolerant() -> None:
    rest = f"let:\n  {USES}\ngates:\n  g: entry.x >= 0.65 and malformed_rows >= 0\n"
    assert gates(run(rest, {"x": 0.65})) == {"g": True}
    assert gates(run(rest, {"x": 0.6499999999999999})) == {"g": False}


def test_a_gate_that_fails_puts_otherwise_in_place_of_the_score() -> None:
    rest = (
        f"metrics:\n  m: entry.x\nlet:\n  {USES}\nscore:\n  total: m + 0 * malformed_rows\n"
        "gates:\n  floor: {value: m, at_least: 0.5, otherwise: 0.125}\n"
    )
    assert run(rest, {"x": 0.75}).score == 0.75
    failed = run(rest, {"x": 0.25})
    assert (failed.score, failed.values["total"], failed.outcome) == (0.125, 0.25, "fail")
    assert failed.gates[0].margin == -0.25


STAGES = f"""
let:
  {USES}
metrics:
  m: {{value: entry.x, if_null: 0}}
score:
  total: m
gates:
  first:
    has_x: {{require: entry.x != null, otherwise: 0}}
    has_y: {{require: entry.y != null and malformed_rows >= 0, otherwise: 0}}
  second:
    x_small: {{value: entry.x, below: 10}}
"""


def test_a_stage_is_entered_once_every_gate_before_it_held() -> None:
    assert gates(run(STAGES, {"x": 1, "y": 1})) == {"has_x": True, "has_y": True, "x_small": True}
    stopped = run(STAGES, {"x": 1})
    assert gates(stopped) == {"has_x": True, "has_y": False, "x_small": None}
    assert (stopped.outcome, stopped.score) == ("fail", 0)
    assert gates(run(STAGES, {"x": 1}, every_stage=True)) == {"has_x": True, "has_y": False, "x_small": True}


def test_a_gate_for_each_member_and_a_gate_that_names_what_it_finds() -> None:
    rest = (
        f"let:\n  {USES}\n"
        "  by_name:\n    for_each: {row: entry.rows}\n    key: row.name\n    value: row.size\n"
        "gates:\n"
        "  small: {for: by_name, value: each, at_most: 6}\n"
        "  none_big: {none: 'filter(entry.rows, r -> r.size > 6)'}\n"
        "  all_read: malformed_rows == 0\n"
    )
    report = run(rest, ROWS)
    assert gates(report) == {"small[a]": True, "small[b]": False, "small[c]": True, "none_big": False, "all_read": True}
    assert report.gates[3].members == ({"name": "b", "size": 12},)


INTERVAL = """
let:
  right: filter(map(entry.rows, r -> r.size > 4), yes -> yes != null)
  recall: statistics.proportion(right, confidence=0.95)
  unused: malformed(entry.rows) + (entry.x ?? 0) + (entry.y ?? 0)
gates:
  point:    {value: recall, at_least: 0.5}
  lower:    {value: recall, decide_on: lower, at_least: 0.5}
  upper:    {value: recall, decide_on: upper, at_least: 0.5}
  straddle: {value: recall, decide_on: [lower, upper], at_least: 0.5}
values: [unused]
"""


def test_a_gate_decides_on_the_bound_it_names_and_can_be_inconclusive() -> None:
    rows = [{"name": "n", "size": size} for size in (1, 9, 9, 9)]
    report = run(INTERVAL, {"rows": rows})
    assert gates(report) == {"point": True, "lower": False, "upper": True, "straddle": None}
    assert report.outcome == "fail"
    only = INTERVAL.replace("  lower:    {value: recall, decide_on: lower, at_least: 0.5}\n", "")
    assert run(only, {"rows": rows}).outcome == "inconclusive"


BOUNDS = """
functions:
  bounds(low, high): {value: (low + high) / 2, lower: low, upper: high}
let:
  good: bounds(entry.x, entry.y)
gates:
  rate: {value: good, decide_on: [lower, upper], at_least: 0.5}
  few:  {value: good, decide_on: [upper, lower], at_most: 0.5}
  read: malformed(entry.rows) == 0
"""


@pytest.mark.parametrize(
    ("bounds", "held", "value", "margin", "few"),
    [
        ((0.75, 1), True, 0.75, 0.25, False),
        ((0.375, 0.875), None, 0.375, -0.125, None),
        ((0.125, 0.25), False, 0.25, -0.25, True),
    ],
)
def test_of_two_bounds_the_nearer_one_decides(bounds, held, value, margin, few) -> None:
    rate, at_most, _ = run(BOUNDS, {"x": bounds[0], "y": bounds[1], "rows": []}).gates
    assert (rate.held, rate.value, rate.margin) == (held, value, margin)
    assert (at_most.held, at_most.value, at_most.margin) == (few, value, -margin)


def test_a_report_lists_as_many_members_of_a_gate_as_a_reader_wants() -> None:
    loaded = load_text(
        'rubric: same\nversion: "1"\nlanguage: 1\n'
        "inputs: {rows: {from: candidate, format: jsonl, record: row}}\n"
        "records: {row: {fields: {n: number}}}\n"
        "gates:\n  differ: {none: repeated(rows.n)}\n  few: {none: rows}\n  read: malformed(rows) == 0\n"
    )
    differ, few, _ = loaded.run(rows=[{"n": 1}] * 1500).to_dict()["gates"]
    assert differ["members"] == [{"value": 1, "rows": [*range(1, 101), "and 1400 more"]}]
    assert "more" not in differ
    assert (len(few["members"]), few["more"], few["because"]) == (1000, 500, "there are 1500")


def test_what_a_report_lists_is_bounded_as_a_whole() -> None:
    """100 rows of 101 values each are 10,100; a member that is too large by itself is told by its size."""
    members, more = listed([[0.5] * 100] * 250)
    assert (len(members), more) == (100, 150)
    assert listed([{"a": [[[1] * 100] * 100] * 2, "b": -0.0}]) == (({"a": "a list of 2", "b": 0},), 0)
    assert listed([]) == ((), 0)


# ---------------------------------------------------------------- values, warnings, artifacts, preconditions


def test_values_and_warnings_are_reported_and_never_change_the_outcome() -> None:
    rest = (
        f"let:\n  {USES}\n  biggest: max(entry.rows.size)\n"
        "gates:\n  fine: malformed_rows == 0\n"
        "warnings:\n"
        "  big: {for_each: {row: entry.rows}, when: row.size > 10, say: '{row.name} is {row.size}'}\n"
        "  none: {when: entry.x == null, say: there is no x}\n"
        "values:\n  largest: biggest\n  names: entry.rows.name\n"
    )
    report = run(rest, ROWS)
    assert report.values == {"largest": 12, "names": ["a", "b", "c"]}
    assert report.warnings == ({"id": "big", "message": "b is 12"},)
    assert report.outcome == "pass"


OPERATED = """
rubric: operated
version: "1"
language: 1
inputs:
  entry: {from: candidate, record: entry}
  answer: {from: reference, record: entry}
  setting: {from: operator, record: setting, default: {scale: 2}}
records:
  entry: {fields: {x: number}}
  setting: {fields: {scale: number > 0}}
preconditions:
  answer_positive: answer.x > 0
score:
  total: entry.x / answer.x * setting.scale
"""


def test_reference_and_operator_faults_are_infrastructure_errors_and_candidates_are_not() -> None:
    loaded = load_text(OPERATED)
    assert loaded.run(entry={"x": 1}, answer={"x": 4}).score == 0.5
    assert loaded.run(entry={"x": 1}, answer={"x": 4}, setting={"scale": 1}).score == 0.25
    for given, kind in [
        ({"answer": {"x": "4"}}, "reference"),
        ({"answer": []}, "reference"),
        ({"answer": {"x": 4}, "setting": {"scale": 0}}, "operator"),
        ({"answer": {"x": -1}}, "precondition"),
    ]:
        report = loaded.run(entry={"x": 1}, **given)
        assert (report.outcome, report.score, report.error and report.error.kind) == ("error", None, kind)
    for entry in ({"x": "1"}, {}, [], None, 5, {"x": float("nan")}):
        report = loaded.run(entry=entry, answer={"x": 4})
        assert (report.outcome, report.score) == ("inconclusive", None)
        assert len(report.diagnostics) == 1


def test_a_call_with_unknown_or_missing_inputs_is_refused() -> None:
    loaded = load_text(OPERATED)
    with pytest.raises(CallFault, match="needs answer="):
        loaded.run(entry={"x": 1})
    with pytest.raises(CallFault, match="no input 'entri'"):
        loaded.run(entri={"x": 1}, answer={"x": 1})


def test_an_artifact_holds_its_content() -> None:
    rest = (
        f"let:\n  {USES}\ngates:\n  fine: malformed_rows == 0\n"
        "artifacts:\n  summary: {content: {x: entry.x, names: entry.rows.name}}\n"
    )
    _, contents = rubric(rest).run_with_artifacts({"entry": ROWS}, options=Options(artifacts=("summary",)))
    assert contents == {"summary": {"x": 1, "names": ["a", "b", "c"]}}


FOLDER = """
rubric: folders
version: "1"
language: 1
inputs:
  delivery:
    from: candidate
    folder:
      numbers: {json: numbers.json}
      note: {text: notes/note.txt}
      pictures: {files: "pictures/*.png"}
gates:
  has_numbers: delivery.numbers != null
  has_note: delivery.note == "hello"
  has_pictures: {value: count(keys(delivery.pictures)), at_least: 1}
"""


def test_a_folder_gives_its_files_and_null_where_one_is_missing_or_leads_out(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    (inside / "notes").mkdir(parents=True)
    (inside / "pictures").mkdir()
    (inside / "numbers.json").write_text("[1]")
    (inside / "notes" / "note.txt").write_text("hello")
    (inside / "pictures" / "a.png").write_bytes(b"")
    loaded = load_text(FOLDER)
    assert gates(loaded.run(delivery=inside)) == {"has_numbers": True, "has_note": True, "has_pictures": True}
    (tmp_path / "outside.json").write_text("[1]")
    (inside / "numbers.json").unlink()
    (inside / "numbers.json").symlink_to(tmp_path / "outside.json")
    (inside / "notes" / "note.txt").unlink()
    assert gates(loaded.run(delivery=inside)) == {"has_numbers": False, "has_note": False, "has_pictures": True}


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.yaml"])
def test_other_formats_of_a_table(name: str, tmp_path: Path) -> None:
    format = name.rpartition(".")[2]
    text = '{"name": "a", "size": 1}\n\nno json\n{"name": "b", "size": 2}\n'
    (tmp_path / name).write_text(text if format == "jsonl" else "rows: [{name: a, size: 1}, {name: b, size: 2}]\n")
    record = "row" if format == "jsonl" else "table"
    head = f"""
rubric: tables
version: "1"
language: 1
inputs:
  table: {{from: candidate, format: {format}, record: {record}}}
records:
  table: {{fields: {{rows: list of row}}}}
  row: {{fields: {{name: text, size: number}}}}
let:
  rows: {"table" if format == "jsonl" else "table.rows"}
  bad: {"malformed(table)" if format == "jsonl" else "malformed(table.rows)"}
values: [bad]
score:
  total: sum(rows.size)
"""
    if format == "jsonl":
        head = head.replace("  table: {fields: {rows: list of row}}\n", "")
    report = load_text(head).run(table=tmp_path / name)
    assert (report.score, report.values["bad"]) == (3, 1 if format == "jsonl" else 0)


# ---------------------------------------------------------------- faults found by authors

TABLE = """
rubric: table
version: "1"
language: 1
inputs:
  rows: {from: candidate, format: jsonl, record: row, when_invalid: zero}
records:
  row: {fields: {label: 0 | 1, p: number, n: integer or nothing}}
gates:
  readable: {value: malformed(rows), at_most: 0}
"""


def rows_of(tmp_path: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(lines), encoding=encoding)
    return path


def test_what_a_primitive_refuses_of_a_candidate_is_null_with_a_reason(tmp_path: Path) -> None:
    loaded = load_text(
        TABLE + "score:\n  total: statistics.brier(rows.label, rows.p) + 0 * count(rows, r -> r.n == 1)\n"
    )
    report = loaded.run(rows=rows_of(tmp_path, '{"label": 1, "p": 2}'))
    assert (report.outcome, report.score) == ("inconclusive", None)
    assert "statistics.brier" in report.diagnostics[0].reason


def test_a_metric_that_is_a_record_is_zero_where_its_input_is_invalid(tmp_path: Path) -> None:
    rest = (
        "metrics:\n  right: {value: 'statistics.proportion(map(rows, r -> r.p == r.label), confidence=0.95)'}\n"
        "score:\n  total: right.value + 0 * count(rows, r -> r.n == 1)\n"
        "values:\n  lower: right.lower\n"
    )
    report = load_text(TABLE + rest).run(rows=rows_of(tmp_path, '{"label": 1, "p": 1}', encoding="utf-16"))
    assert report.metrics["right"].value == 0
    assert report.values["lower"] is None
    assert report.outcome == "fail"


def test_what_follows_from_used_up_work_is_null_too(tmp_path: Path) -> None:
    rest = (
        "let:\n  lonely: share(rows, r -> count(rows, q -> q.n == r.n and q.p == r.p and q.label == 1) == 1) ?? 1\n"
        "score:\n  total: lonely * 0.5\n"
    )
    lines = [f'{{"label": 1, "p": {number}, "n": {number}}}' for number in range(3000)]
    report = load_text(TABLE + rest).run(rows=rows_of(tmp_path, *lines))
    assert report.outcome in ("inconclusive", "pass", "fail")
    if report.score is None:
        assert any("work" in diagnostic.reason for diagnostic in report.diagnostics)


@pytest.mark.parametrize("word", ["str", "int", "bool", "list", "object"])
def test_types_of_other_languages_are_refused_with_the_word_for_them(word: str) -> None:
    with pytest.raises(RubricError, match="did you mean"):
        load_text(
            HEAD.replace("x: number or nothing", f"x: {word}") + f"let:\n  {USES}\nscore:\n  total: malformed_rows\n"
        )
