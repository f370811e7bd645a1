"""Reading and evaluating by column gives the bytes that row by row gives, whatever is in the file."""

import json
from pathlib import Path

import pytest
from columns import NEVER, report, tables_read
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric.engine import load

HERE = Path(__file__).parent
DETECTOR = HERE.parent / "detector"
CASES = [json.loads(line) for line in (DETECTOR / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
SURVEY = load(HERE / "survey-1.yaml")
GOOD = {"id": "a", "kind": "first", "label": 1, "score": 0.5, "size": 2.5, "count": 3, "code": "12"}


@pytest.fixture(scope="module")
def rubrics():
    return {name: load(name) for name in sorted({case["rubric"] for case in CASES})}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_detector_cases(case, rubrics, monkeypatch):
    rubric = rubrics[case["rubric"]]
    by_row = report(rubric, case["inputs"], monkeypatch, from_bytes=NEVER, folder=DETECTOR)
    by_column = report(rubric, case["inputs"], monkeypatch, from_bytes=0, folder=DETECTOR)
    assert by_column == by_row


# ---------------------------------------------------------------- strange files

VALUES = [
    *("0", "1", "1.0", "-0", "-0.0", "0.5", "0.65", "0.6499999999999999", "1e2", "1E-3", "2.5", "-3", "5e-324"),
    *("9007199254740992", "9007199254740993", "12345678901234567890", "1" + "0" * 40, "9" * 400, "1e999", "-1e999"),
    *("0.1000000000000000055511151231257827", "01", "+1", "1.", ".5", "NaN", "Infinity", "true", "false", "null"),
    *('"a"', '"b"', '""', '" "', '"\\u001c"', '"\\u0085"', '"1"', '"1.5"', '"true"', '"[1]"', '"{}"', '"first"'),
    *('"second"', '"\\u0066irst"', '"é"', '"\\u00e9"', '"\\ud83d\\ude00"', '"\\ud800"', '"\\"id\\":1"', '"a:b"'),
    *('":"', '"x\\\\"', '"tab\\t"', '"raw\ttab"', '"null"', '"ab"', '"ABC"', '"abcde"', '" :"', '"\\u0000"', "'a'"),
    *("[]", '["a"]', "[1, [2]]", "{}", '{"id": "x"}', '{"score": 1}', "[" * 200 + "]" * 200, "tru", "nul", ""),
]
KEYS = [*GOOD, "note", "done", "other", "x y", "", "\\u0069d", '\\"score', "row", "right"]
MEMBERS = st.tuples(
    st.sampled_from(KEYS), st.sampled_from(["", " "]), st.sampled_from(["", " "]), st.sampled_from(VALUES)
)


def written(key: str, before: str, after: str, value: str) -> str:
    return f'"{key}"{before}:{after}{value}'


def good_member(key: str) -> st.SearchStrategy[str]:
    values = {
        "id": ['"a"', '"b"', '"c"', '"1"'],
        "note": ['"a"', '""', '"12"', "null", '"x: y"'],
        "kind": ['"first"', '"second"'],
        "label": ["0", "1", "1.0"],
        "score": ["0", "1", "0.5", "0.25", "1.0", "0.75", "0.6499999999999999"],
        "size": ["2", "2.0", "-1.5", "0", "1e30"],
        "count": ["3", "null", "-5", "9007199254740991"],
        "done": ["true", "false", "null"],
        "code": ['"ab"', '"12"'],
        "other": ["1", '"1"', "null", '{"a": 1}'],
    }[key]
    return st.sampled_from(values).map(lambda value: f'"{key}": {value}')


GOOD_ROW = st.sets(st.sampled_from(["note", "done", "other", "size"])).flatmap(
    lambda more: st.tuples(*map(good_member, [*(key for key in GOOD if key != "size"), *sorted(more)]))
)
STRANGE_ROW = st.tuples(GOOD_ROW, st.lists(MEMBERS, min_size=1, max_size=2), st.permutations(range(3))).map(
    lambda parts: tuple(
        member for at in parts[2] for member in (parts[0][:4], [written(*one) for one in parts[1]], parts[0][4:])[at]
    )
)
ROWS = (GOOD_ROW | STRANGE_ROW).map(lambda members: "{" + ", ".join(members) + "}")
STRANGE_LINES = [
    *("", "  ", "\t", "\r", "[]", "5", "null", '"text"', "true", "{}", "{", "}", "x", "\x0c", "\u00a0", "\ufeff{}"),
    *('{"id": "a"} x', '{"id": "a"}{"id": "b"}', '{"id": "a",}', '{"id" "a"}', "{'id': 1}", "{id: 1}", "[" * 300),
    *('{"id": "a"}\r', '{"z":' * 130 + "1" + "}" * 130, "//", '{"id": "a\u2028b"}', '{"label": 1}\x00'),
]
FILES = st.tuples(
    st.sampled_from([b"", b"", b"", b"\xef\xbb\xbf"]),
    st.lists(ROWS | ROWS | ROWS | st.sampled_from(STRANGE_LINES), max_size=14),
    st.sampled_from(["\n", "\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
    st.sampled_from([b"", b"", b"", b"\xff", b"\xed\xa0\x80"]),
    st.sampled_from([60, 300, 1 << 20]),
)
OFTEN = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


ONLY_IN_ROWS = ("9007199254740993", "12345678901234567890", "1" + "0" * 40, '"\\ud800"')  # which columns cannot hold


def with_member(key: str, value: str) -> list[str]:
    """A good row with this member instead of its own, before and after all others, and written widely."""
    good = {name: json.dumps(member) for name, member in GOOD.items()}
    own, others = written(key, "", " ", value), [written(name, "", "", member) for name, member in good.items()]
    instead = [written(name, "", "", member) for name, member in (good | {key: value}).items()]
    wide = written(key, " ", "\t", value)
    return ["{" + ",".join(row) + "}" for row in (instead, [own, *others], [*others, own], [*others, wide], [own])]


def is_json(line: str) -> bool:
    try:
        json.loads(line, parse_constant=int)
    except (ValueError, RecursionError):
        return False
    return "1e999" not in line


def test_each_strange_member(tmp_path, monkeypatch):
    values = [value for value in VALUES if value not in ONLY_IN_ROWS]
    lines = [line for key in KEYS for value in values for line in with_member(key, value)]
    lines += ['{"id": 5, "\\"id": "x"}'] * 3 + ['{"score": 1.0, "\\"score": 1}'] * 3
    good = [line for line in lines if is_json(line)]
    assert 3000 < len(good) < len(lines)
    found = tables_read(monkeypatch)
    for number, text in enumerate(("\n".join(good), "\r\n".join(good[::2]), "\n".join(lines))):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(text, encoding="utf-8", newline="")
        by_row = report(SURVEY, {"rows": str(path)}, monkeypatch, from_bytes=NEVER)
        by_column = report(SURVEY, {"rows": str(path)}, monkeypatch, from_bytes=0)
        assert by_column == by_row
        assert len(found) == number + 1


@OFTEN
@given(FILES)
def test_strange_files(tmp_path_factory, file):
    mark, lines, end, last, tail, block = file
    path = tmp_path_factory.getbasetemp() / "strange.jsonl"
    path.write_bytes(mark + end.join(lines).encode() + last.encode() + tail)
    with pytest.MonkeyPatch.context() as patch:
        by_row = report(SURVEY, {"rows": str(path)}, patch, from_bytes=NEVER)
        by_column = report(SURVEY, {"rows": str(path)}, patch, from_bytes=0, block=block)
    assert by_column == by_row


@OFTEN
@given(st.lists(GOOD_ROW, min_size=1, max_size=30))
def test_ordinary_files(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "ordinary.jsonl"
    path.write_text("".join("{" + ", ".join(members) + "}\n" for members in rows), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        by_row = report(SURVEY, {"rows": str(path)}, patch, from_bytes=NEVER)
        found = tables_read(patch)
        by_column = report(SURVEY, {"rows": str(path)}, patch, from_bytes=0)
    assert by_column == by_row
    assert len(found) == 1


def test_ordinary_rows_are_not_read_one_by_one(tmp_path, monkeypatch):
    def refuse(line, number):
        raise AssertionError(f"line {number} is ordinary: {line}")

    monkeypatch.setattr("rubric.engine.records.row_of", refuse)
    plain = {**GOOD, "score": 0, "size": 2.0, "transform": "jpeg-75", "weight": 1.5, "kept": True}
    more = [{"note": "x: y"}, {"done": False, "note": None}, {"inner": {"a": [1, {"b": None}]}}, {"note": "é\n"}]
    path = tmp_path / "plain.jsonl"
    path.write_text("".join(json.dumps(plain | other) + "\n" for other in [{}, *more]), encoding="utf-8")
    found = tables_read(monkeypatch)
    report(SURVEY, {"rows": str(path)}, monkeypatch, from_bytes=0)
    assert [len(table) for table in found] == [5]
    assert found[0][1]["note"] == "x: y"
    assert json.dumps([found[0][0]["score"], found[0][0]["size"]]) == "[0, 2.0]"
