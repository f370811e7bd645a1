"""Explanations of reports: formulas as written, then with values, down to the inputs, each part once."""

import json
import os
from pathlib import Path

import pytest

from rubric.engine.evaluation import Options
from rubric.engine.explanation import explain_file, explain_report
from rubric.engine.faults import CallFault
from rubric.engine.loading import load, load_text

DATA = Path(__file__).parent / "data_explain"
INPUTS = {
    "clock": {
        "class": 1,
        "length": 400,
        "laps": [{"name": "a", "time": 12}, {"name": "b", "clock_time": 9.5}],
    },
    "log": {"laps": [{"name": "a", "time": 12.25}, {"time": 3}, {"name": "x", "time": 0}]},
    "rows": [
        {"id": "a", "kind": "train", "score": 0.9},
        {"id": "b", "kind": "test", "score": 0.4},
        {"id": "b", "kind": "tst", "score": 2},
    ],
}


@pytest.fixture(scope="module")
def race():
    return load(DATA / "race.yaml")


@pytest.fixture(scope="module")
def report(race):
    """A report with formulas."""
    return race.run(**INPUTS).to_dict()


@pytest.fixture(scope="module")
def one_of_many(race):
    """A report as a run of many cases leaves it."""
    return race.run_case(INPUTS, case="c1", options=Options(keep_nodes=False)).to_dict()


# ---------------------------------------------------------------- the whole


def test_the_whole(report):
    assert explain_report(report) == (DATA / "race.txt").read_text(encoding="utf-8")


def test_a_report_explains_itself(race):
    assert race.run(**INPUTS).explain("told").startswith("told = 0.5    metric, race.yaml:")


def test_places_do_not_depend_on_where_the_rubric_lies(report):
    assert {node["at"].partition(":")[0] for node in report["nodes"]} == {"race.yaml"}


def test_a_gate_that_puts_another_score_in_place_is_said_first():
    rubric = load_text(
        "rubric: r\nversion: '1'\nlanguage: 1\ninputs: {x: {from: candidate, record: e}}\n"
        "records: {e: {fields: {n: number}}}\nscore: {total: x.n}\n"
        "gates: {floor: {value: total, at_least: 0.5, otherwise: 0}}\n"
    )
    assert explain_report(rubric.run(x={"n": 0.25}).to_dict()) == (
        "r 1: fail, score 0\n"
        "gate floor puts 0 in the place of 0.25.\n"
        "\n"
        "total = 0.25    score, rubric.yaml:6\n"
        "    x.n\n"
        "  = 0.25\n"
        "  x.n = 0.25    input, rubric.yaml:5: number\n"
        "\n"
        "gate floor does not hold: 0.25 is not at least 0.5 (margin -0.25)    gate, rubric.yaml:7\n"
        "    value: total\n"
        "         = 0.25\n"
        "    at least: 0.5\n"
        "    otherwise: 0\n"
        "  total = 0.25    score, rubric.yaml:6, see above\n"
    )


def test_a_cap_that_applies_is_said_first(race):
    silent = {**INPUTS, "log": {"laps": []}}
    text = explain_report(race.run_case(silent, options=Options(every_stage=True)).to_dict())
    assert "cap few_laps applies: total at most 0.25 (one lap proves nothing).\n" in text
    assert "  cap few_laps applies: total at most 0.25 (one lap proves nothing)    cap, race.yaml:" in text


def test_a_weighted_sum_that_is_capped_says_so():
    rubric = load_text(
        "rubric: r\nversion: '1'\nlanguage: 1\ninputs: {x: {from: candidate, record: e}}\n"
        "records: {e: {fields: {n: number from 0 to 1, m: number from 0 to 1}}}\n"
        "metrics: {a: x.n, b: x.m}\n"
        "score: {total: {weighted: {a: 0.25, b: 0.75}, caps: {low: {when: a < 0.5, at_most: 0.5}}}}\n"
    )
    assert explain_report(rubric.run(x={"n": 0.2, "m": 1}).to_dict(), "total").startswith(
        "total = 0.5    score, rubric.yaml:7\n"
        "    0.25 * a + 0.75 * b\n"
        "    at most 0.5 when a < 0.5 (cap low)\n"
        "    a  0.2  × 0.25 = 0.05\n"
        "    b  1    × 0.75 = 0.75\n"
        "    the sum is 0.8 before the caps\n"
    )


def test_a_metric_that_is_null_has_no_contribution():
    rubric = load_text(
        "rubric: r\nversion: '1'\nlanguage: 1\ninputs: {x: {from: candidate, record: e}}\n"
        "records: {e: {fields: {n: number or nothing}}}\nmetrics: {a: x.n}\nscore: {total: {weighted: {a: 1}}}\n"
    )
    text = explain_report(rubric.run(x={}).to_dict())
    assert "    a  null  × 1 = null\n" in text
    assert "  a = null    metric, rubric.yaml:6\n" in text


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize("name", ["told", "metrics.told"])
def test_metrics_by_their_names(report, name):
    assert explain_report(report, name) == (
        "told = 0.5    metric, race.yaml:92\n"
        "    laps_told / 4\n"
        "  = 2 / 4\n"
        "\n"
        "  laps_told = 2    value, race.yaml:72\n"
        "      total_of(log.laps, 3)\n"
        "\n"
        "    total_of(laps, most)    function, race.yaml:58\n"
        "        counted: min(count(laps), most)\n"
        "        result: counted + 1\n"
        "      total_of(log.laps, 3)\n"
        "        counted: min(count(log.laps), 3)\n"
        "    log.laps = a list of 1    input, race.yaml:46: list of lap or nothing\n"
        "        laps[1]: 'name' is missing\n"
        "        laps[2]: breaks the rule 'not_empty'\n"
        "      record lap    record, race.yaml:26\n"
    )


def test_scores_show_value_times_weight(report):
    assert explain_report(report, "score.quality").startswith(
        "quality = 0.6    score, race.yaml:95\n"
        "    0.70 * hits + 0.30 * size\n"
        "    hits  0.5       × 0.70 = 0.35\n"
        "    size  0.833333  × 0.30 = 0.25\n"
    )


def test_score_is_the_last_score_group(report):
    assert explain_report(report, "score") == explain_report(report, "total")


@pytest.mark.parametrize("name", ["floor", "gates.floor"])
def test_gates_have_value_limit_and_margin(report, name):
    assert explain_report(report, name).startswith(
        "gate floor holds: 0.6 is at least 0.6 (margin 0)    gate, race.yaml:103\n"
        "    value: quality\n"
        "         = 0.6\n"
        "    at least: least\n"
        "            = 0.6\n"
        "    otherwise: 0\n"
        "\n"
        "  quality = 0.6    score, race.yaml:95\n"
    )


def test_members_of_gates(report):
    assert [line for line in explain_report(report, "best").splitlines() if line.startswith("gate")] == [
        "gate best[0] holds: 0.9 is above 0.5 (margin 0.4)    gate, race.yaml:107",
        "gate best[1] does not hold: 0.4 is not above 0.5 (margin -0.1)    gate, race.yaml:107",
        "gate best[2] does not hold: the value is null, and null holds nothing    gate, race.yaml:107",
    ]
    assert explain_report(report, "best[1]").startswith("gate best[1] does not hold")
    assert "best[0]" not in explain_report(report, "gates.best[1]")


def test_a_gate_of_a_metrics_name_is_shown_with_it():
    rubric = load_text(
        "rubric: r\nversion: '1'\nlanguage: 1\ninputs: {x: {from: candidate, record: e}}\n"
        "records: {e: {fields: {n: number}}}\nmetrics: {a: x.n}\ngates: {a: {value: a, at_least: 1}}\n"
    )
    report = rubric.run(x={"n": 2}).to_dict()
    assert [line for line in explain_report(report, "a").splitlines() if line[:1].strip()] == [
        "a = 2    metric, rubric.yaml:6",
        "gate a holds: 2 is at least 1 (margin 1)    gate, rubric.yaml:7",
    ]
    assert explain_report(report, "gates.a").startswith("gate a holds")
    assert "gate" not in explain_report(report, "metrics.a")


def test_gates_that_were_not_reached_say_so(race):
    text = explain_report(race.run(**{**INPUTS, "log": {"laps": []}}).to_dict())
    assert "gate words was not reached: an earlier gate did not hold" in text


def test_caps(report):
    assert explain_report(report, "few_laps").startswith(
        "cap few_laps does not apply: total at most 0.25    cap, race.yaml:100\n"
        "    when: laps_told < 2\n"
        "        = 2 < 2\n"
        "    at most: 0.25\n"
    )


def test_constants_show_their_text_and_tables_the_value_chosen(report):
    assert explain_report(report, "least") == "least = 0.60    constant, race.yaml:20\n"
    assert explain_report(report, "allowed").startswith(
        "allowed = 0.5    constant, race.yaml:19: by class: {1: 0.50, 2: 0.250}\n"
    )


def test_inputs(report):
    assert explain_report(report, "clock.length") == "clock.length = 400    input, race.yaml:39: number > 0\n"
    assert explain_report(report, "clock.half") == (
        "clock.half = 200    input, race.yaml:41\n"
        "    length / 2\n"
        "  = 400 / 2\n"
        "  clock.class = 1    input, race.yaml:37: 1 | 2\n"
        "  clock.laps = a list of 2    input, race.yaml:38: list of lap\n"
        "    record lap    record, race.yaml:26\n"
        "  clock.length = 400    input, race.yaml:39: number > 0\n"
    )


def test_a_whole_input_is_its_fields(report):
    text = explain_report(report, "clock")
    assert [line.split(" ")[0] for line in text.splitlines() if line[:1].strip()] == [
        *("record", "clock.class", "clock.laps", "clock.length", "clock.half")
    ]


def test_records_and_functions(report):
    assert explain_report(report, "records.lap") == (
        "record lap    record, race.yaml:26\n"
        "    fields:\n"
        "      name: text\n"
        "      time | clock_time: number >= 0\n"
        "      lane: integer from 1 to 8 or nothing\n"
        "    derived:\n"
        "      seconds: time ?? clock_time\n"
        "    require:\n"
        "      not_empty: seconds > 0\n"
    )
    assert explain_report(report, "near").startswith(
        "near(a, b)    function, race.yaml:57\n    abs(a.seconds - b.seconds) <= allowed\n"
    )


COLUMNS = """
rubric: grouped
version: "1"
language: 1
inputs: {rows: {from: candidate, format: jsonl, record: row}}
records: {row: {fields: {who: string, hit: boolean}}}
functions:
  twice_of(x):
    recall: x * 2
    result: recall + 1
let:
  by_who:
    group: rows
    by: [who]
    columns:
      recall: share(hit)
      twice: recall * 2
metrics:
  recall: mean(by_who.recall)
  odd: twice_of(recall) + recall
gates:
  read: {value: malformed(rows), at_most: 0}
"""


def test_a_column_or_step_is_not_the_metric_of_its_name():
    rows = [{"who": "a", "hit": True}, {"who": "a", "hit": False}, {"who": "b", "hit": True}]
    grouped = load_text(COLUMNS).run(rows=rows)
    assert grouped.explain("by_who").startswith(
        "by_who = a list of 2    value, rubric.yaml:12\n"
        "    group: rows\n    by: who\n    columns:\n      recall: share(hit)\n      twice: recall * 2\n"
        "  rows = a list of 3    input"
    )
    assert (
        "  twice_of(x)    function, rubric.yaml:8\n"
        "      recall: x * 2\n"
        "      result: recall + 1\n"
        "    twice_of(recall)\n"
        "      recall: 0.75 * 2\n"
    ) in grouped.explain("odd")


def test_exported_values(report):
    assert explain_report(report, "values.lanes").startswith(
        "values.lanes = 11    value, race.yaml:115\n    track.lanes + count(rows)\n"
    )


def test_blocks_keep_their_parts(report):
    assert explain_report(report, "late").startswith(
        "late = a list of 1    value, race.yaml:73\n"
        "    for each lap: clock.laps\n"
        "    columns:\n"
        "      over: lap.seconds - 10\n"
        "    where: lap.seconds > 10\n"
    )


def test_shared_parts_are_shown_once(report):
    text = explain_report(report)
    heads = [line.strip() for line in text.splitlines() if line.strip().startswith("clock.laps = ")]
    assert heads == [
        "clock.laps = a list of 2    input, race.yaml:38: list of lap",
        "clock.laps = a list of 2    input, race.yaml:38, see above",
    ]


def test_negative_numbers_and_texts_are_put_in():
    rubric = load_text(
        "rubric: r\nversion: '1'\nlanguage: 1\ninputs: {x: {from: candidate, record: e}}\n"
        "records: {e: {fields: {n: number, s: text, flag: boolean, none: number or nothing}}}\n"
        'metrics:\n  a: 2 - x.n if x.s == "it" and x.flag else x.none ?? 1\nscore: {total: a}\n'
    )
    text = explain_report(rubric.run(x={"n": -1.5, "s": "it", "flag": True}).to_dict(), "a")
    assert '  = 2 - -1.5 if "it" == "it" and true else null ?? 1\n' in text


def test_a_strangers_text_cannot_drive_a_terminal():
    rubric = load_text(
        "rubric: r\nversion: '1'\nlanguage: 1\ninputs: {x: {from: candidate, record: e}}\n"
        'records: {e: {fields: {s: text}}}\nmetrics:\n  a: 1 if x.s == "it" else 0\nscore: {total: a}\n'
    )
    text = explain_report(rubric.run(x={"s": "\x1b[2J\u202e"}).to_dict())
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_long_chains_do_not_recurse(report):
    ids = [f"n{number}" for number in range(5000)]
    nodes = [
        {"id": id, "kind": "let", "value": 1, "formula": need, "at": "r.yaml:1:1", "uses": [need]}
        for id, need in zip(ids, [*ids[1:], "n0"], strict=True)
    ]
    assert explain_report({**report, "nodes": nodes}, "n0").count("    value, r.yaml:1\n") == 5000


# ---------------------------------------------------------------- what cannot be explained


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("qualty", "the report has no 'qualty'; did you mean 'quality'?"),
        ("metrics.hit", "the report has no 'metrics.hit'; did you mean 'hits'?"),
        ("clock.lap", "the report has no 'clock.lap'; did you mean 'clock.laps'?"),
        ("gates.flor", "the report has no 'gates.flor'; did you mean 'floor'?"),
        ("zzz", "the report has no 'zzz'; it has: hits, size, told, quality, total, class, lanes, unread, floor"),
    ],
)
def test_an_unknown_name_is_refused_with_a_suggestion(report, name, message):
    with pytest.raises(CallFault) as caught:
        explain_report(report, name)
    assert str(caught.value).startswith(message)


def test_an_error_is_its_own_explanation(race):
    report = race.run(**{**INPUTS, "clock": {"class": 3}}).to_dict()
    assert explain_report(report) == (
        "race 2: error\n\nThere is no score: input 'clock', class: 'class' is 3, 1 or 2 was expected (reference)\n"
    )
    assert explain_report(report, "hits") == explain_report(report)


def test_one_of_many_explains_what_it_can(one_of_many):
    assert explain_report(one_of_many) == (
        "race 2, case c1: fail, score 0.3\n"
        "\n"
        "quality = 0.6\n"
        "  hits  0.5       × 0.7 = 0.35\n"
        "  size  0.833333  × 0.3 = 0.25\n"
        "total = 0.3\n"
        "told = {value: 0.5}\n"
        "class = 1\n"
        "lanes = 11\n"
        "unread = 2\n"
        "cap few_laps does not apply: total at most 0.25\n"
        "gate floor holds: 0.6 is at least 0.6 (margin 0)\n"
        'gate kinds does not hold: there is 1 (members [{id: "b", kind: null, score: null, row: 3}])\n'
        "gate best[0] holds: 0.9 is above 0.5 (margin 0.4)\n"
        "gate best[1] does not hold: 0.4 is not above 0.5 (margin -0.1)\n"
        "gate best[2] does not hold: the value is null, and null holds nothing\n"
        "gate words holds\n"
        "\n"
        "This report has no formulas, because it is one of many. To get them, run the rubric on this case alone:\n"
        "rubric run race-2 NAME=PATH ... --format json --out report.json\n"
    )


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("hits", "hits = {value: 0.5, weight: 0.7, of: "),
        ("metrics.told", "told = {value: 0.5}"),
        ("quality", "quality = 0.6"),
        ("best", "gate best[0] holds"),
        ("few_laps", "cap few_laps does not apply"),
        ("lanes", "lanes = 11"),
    ],
)
def test_parts_of_one_of_many(one_of_many, name, line):
    assert explain_report(one_of_many, name).splitlines()[2].startswith(line)


def test_an_unknown_part_of_one_of_many(one_of_many):
    with pytest.raises(CallFault, match="the report has no 'tolld'; did you mean 'told'"):
        explain_report(one_of_many, "tolld")


@pytest.mark.parametrize(
    "damage",
    [
        lambda report: report.pop("gates"),
        lambda report: report.update(nodes=[{}]),
        lambda report: report.update(nodes=3),
        lambda report: report.update(rubric=None),
        lambda report: report.update(caps=[]),
        lambda report: report["nodes"][-1].update(uses=7),
        lambda report: report["nodes"][-1].update(formula=None),
        lambda report: report.update(metrics=[]),
    ],
)
def test_a_damaged_report_gives_a_sentence(report, damage):
    damaged = json.loads(json.dumps(report))
    damage(damaged)
    try:
        explain_report(damaged)
    except CallFault as fault:
        assert str(fault).startswith("this is no report that can be explained")  # noqa: PT017


def test_loops_in_a_damaged_report_end(report):
    damaged = json.loads(json.dumps(report))
    for node in damaged["nodes"]:
        node["uses"] = [other["id"] for other in damaged["nodes"]]
    assert explain_report(damaged).startswith("race 2: fail")


# ---------------------------------------------------------------- files


def write(path, *reports):
    path.write_text("\n".join(json.dumps(report) for report in reports), encoding="utf-8")
    return path


def test_a_file_with_one_report(tmp_path, report):
    assert explain_file(write(tmp_path / "r.json", report)) == explain_report(report)
    assert explain_file(write(tmp_path / "r.jsonl", report), "told") == explain_report(report, "told")


def test_a_file_with_many_reports(tmp_path, one_of_many):
    other = {**one_of_many, "case": "c2"}
    path = write(tmp_path / "r.jsonl", one_of_many, other)
    assert explain_file(path, case="c2") == explain_report(other)
    with pytest.raises(CallFault, match=r"holds 2 reports; choose one with --case: c1, c2, \.\.\."):
        explain_file(path)
    with pytest.raises(CallFault, match="holds no report of a case 'c3'"):
        explain_file(path, case="c3")
    document = tmp_path / "d.json"
    document.write_text(json.dumps({"reports": [one_of_many, other], "summary": {}}))
    assert explain_file(document, case="c1") == explain_report(one_of_many)


@pytest.mark.parametrize("text", ["", "{}", "[]", "3", '{"report"', '{"reports": []}', "\xff"])
def test_a_file_without_a_report(tmp_path, text):
    path = tmp_path / "r.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(CallFault, match=r"r\.json (holds no report of a run|cannot be read)"):
        explain_file(path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CallFault, match=r"the report .*r\.json does not exist"):
        explain_file(tmp_path / "r.json")


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_regular_file_is_not_waited_for(tmp_path, make):
    make(tmp_path / "r.json")
    with pytest.raises(CallFault, match=r"the report .*r\.json is "):
        explain_file(tmp_path / "r.json")
