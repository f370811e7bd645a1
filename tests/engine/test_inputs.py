"""Inputs from files and values; JSON as strangers write it. Expected values by hand."""

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.engine import inputs
from rubric.engine.analysis import analyse
from rubric.engine.building import build
from rubric.engine.document import read_document
from rubric.engine.faults import CallFault, InfrastructureFault
from rubric.engine.inputs import Invalid, Unreadable, read_input
from rubric.engine.json_text import MAX_DEPTH, JsonFault, decode, decode_bytes, decode_line, encode, too_deep
from rubric.engine.loading import LoadedRubric, load_text
from rubric.engine.report import Report

# ---------------------------------------------------------------- JSON


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1, column 1: expecting value"),
        ('{"a":\n tru}', "line 2, column 2: expecting value"),
        ('{"a" 1}', "line 1, column 6: expecting ':' delimiter"),
        ("[1] 2", "line 1, column 5: extra data"),
        # Python 3.13 tells these two otherwise, at another column
        ("[1, \n ]", "line 1, column 3: nothing follows the comma"),
        ('{"a": 1,}', "line 1, column 8: nothing follows the comma"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(text: str, says: str) -> None:
    with pytest.raises(JsonFault) as raised:
        decode(text)
    assert str(raised.value) == says


def test_a_line_is_told_by_its_column() -> None:
    with pytest.raises(JsonFault, match=r"^column 2: expecting value$"):
        decode_line("[")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"a":\n"\xff"}', "line 2: byte 0xff is not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "it is UTF-16, UTF-8 was expected"),
        (b"\x89PNG\r\n\x1a\n", "line 1: byte 0x89 is not UTF-8"),
    ],
)
def test_bytes_that_are_not_utf8(data: bytes, says: str) -> None:
    with pytest.raises(JsonFault) as raised:
        decode_bytes(data)
    assert str(raised.value) == says


def test_what_strict_json_lacks_is_read_for_the_reader_of_the_value_to_judge() -> None:
    assert decode_bytes(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}
    assert decode('{"a": 1, "a": 2}') == {"a": 2}
    assert math.isnan(decode("NaN"))
    assert decode("[1e999, -Infinity]") == [math.inf, -math.inf]
    assert decode("9" * 400) == int("9" * 400)
    assert decode("[7, " + "9" * 5000 + ", -" + "9" * 5000 + "]") == [7, math.inf, -math.inf]
    assert decode("[" + "9" * 5000 + ", -" + "1" + "0" * 307 + "]") == [math.inf, -(10**307)]
    assert decode(r'"\ud800"') == "\ud800"
    with pytest.raises(JsonFault, match=r"line 1, column 5004: expecting value"):
        decode("[" + "9" * 5000 + ", tru")
    for constant in ("NaN", "-Infinity"):
        with pytest.raises(JsonFault, match=f"{constant} is not JSON"):
            decode("[" + "9" * 5000 + f", {constant}", strict=True)
    assert decode('["NaN", ' + "9" * 5000 + "]", strict=True) == ["NaN", math.inf]


@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_depth(brackets: str) -> None:
    start = brackets[0] if brackets == "[]" else '{"a":'
    assert decode(start * MAX_DEPTH + "1" + brackets[1] * MAX_DEPTH)
    for text in (start * (MAX_DEPTH + 1) + "1" + brackets[1] * (MAX_DEPTH + 1), start * 10_000):
        with pytest.raises(JsonFault, match="deeper than 128 levels"):
            decode(text)
    assert decode('"' + brackets[0] * 10_000 + '"') == brackets[0] * 10_000
    assert decode('["\\"' + brackets[0] * 10_000 + '"]') == ['"' + brackets[0] * 10_000]
    assert len(decode("[" + ",".join(["[[]]"] * 1000) + "]")) == 1000


def depth(value: Any) -> int:
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 1 + max(map(depth, value.values()), default=0) if isinstance(value, dict) else 0


NESTED = st.recursive(
    st.text('[]{}"\\a', max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('[]{}"\\', max_size=3), inner, max_size=3),
)


@given(NESTED, st.integers(MAX_DEPTH - 8, MAX_DEPTH + 8))
def test_depth_is_counted_as_it_is(value: Any, around: int) -> None:
    for _ in range(around):
        value = [value]
    assert too_deep(json.dumps(value)) == (depth(value) > MAX_DEPTH)


def test_what_is_written_is_strict_json() -> None:
    assert encode({"b": [1.0, "é\u2028", None], "a": True}) == '{"b": [1.0, "é\u2028", null], "a": true}'
    assert encode("\ud800") == r'"\ud800"'
    assert json.loads(encode("\ud800")) == "\ud800"
    with pytest.raises(ValueError, match="JSON"):
        encode(math.nan)


# ---------------------------------------------------------------- one input

HEAD = 'rubric: trial\nversion: "1"\nlanguage: 1\n'


def rubric(declared: str, value: str = "x") -> LoadedRubric:
    """A rubric with an input `x` and an exported value, unchecked, as it would be refused for having no gate."""
    text = f"{HEAD}inputs:\n  x: {declared}\nvalues:\n  v:\n    {value}\n"
    made, findings = build(read_document(text, "trial.yaml"))
    assert findings == []
    return LoadedRubric(made, analyse(made), Path("trial.yaml"), ())


def read(declared: str, value: Any, folder: Path | None = None) -> Any:
    return read_input(rubric(declared).rubric.inputs["x"], {"x": value}, folder)


def test_a_text_is_a_path_and_everything_else_the_value(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[1]")
    assert read("{from: candidate}", "x.json", tmp_path) == [1]
    assert read("{from: candidate}", tmp_path / "x.json") == [1]
    assert read("{from: candidate}", [2]) == [2]


@pytest.mark.parametrize(
    ("format", "data", "value"),
    [
        ("json", b'\xef\xbb\xbf{"a": [1, 2.5]}', {"a": [1, 2.5]}),
        ("yaml", b"a: [1, 2.5]\nno: no\n", {"a": [1, 2.5], "no": "no"}),
        ("text", b"\xef\xbb\xbfone\r\ntwo", "one\r\ntwo"),
        ("jsonl", b'{"a": 1}\r\n\n  \t\n[2]', [{"a": 1}, [2]]),
        ("jsonl", b"", []),
        (
            "jsonl",
            b'1\n\n{"a\n\xc2\xa0\n"\xe2\x80\xa8"',
            [
                1,
                Unreadable("line 3 is no JSON value: column 2: the text that begins here does not end"),
                Unreadable("line 4 is no JSON value: column 1: expecting value"),
                "\u2028",
            ],
        ),
    ],
)
def test_formats(format: str, data: bytes, value: Any, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(data)
    assert read(f"{{from: candidate, format: {format}}}", "x", tmp_path) == value


def test_a_file_is_its_path_unread_whatever_its_size(tmp_path: Path) -> None:
    with (tmp_path / "film").open("wb") as file:
        file.truncate(inputs.MAX_BYTES + 1)
    assert read("{from: candidate, format: file}", "film", tmp_path) == str(tmp_path / "film")


def test_what_is_no_file_that_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(inputs.MAX_BYTES + 1)
    (tmp_path / "table.yaml").write_text("a: 1\na: 2\n")
    told = {
        "missing": "missing does not exist",
        "folder": "folder is a folder, a file was expected",
        "pipe": "pipe is no regular file",
        "/dev/zero": "/dev/zero is no regular file",
        "/proc/self/mem": "/proc/self/mem cannot be read: input/output error",
        "loop": "loop cannot be read: too many levels of symbolic links",
        "large": "large is larger than 64 MiB",
        "a\0b": "a\0b cannot be read: this is no name of a file",
        "x" * 300: "x" * 300 + " cannot be read: file name too long",
    }
    for name, reason in told.items():
        assert read("{from: candidate}", name, tmp_path) == Invalid(reason)
        with pytest.raises(InfrastructureFault) as raised:
            read("{from: reference}", name, tmp_path)
        assert (raised.value.kind, raised.value.message) == ("reference", f"input 'x': {reason}")
    assert "table.yaml:2:1" in read("{from: candidate, format: yaml}", "table.yaml", tmp_path).reason


def test_a_fault_of_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.json").write_text("{}")

    def denied(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert read("{from: candidate}", "x.json", tmp_path) == Invalid("x.json cannot be read: permission denied")


@pytest.mark.parametrize("format", ["text", "file"])
def test_a_value_cannot_stand_for_a_text_or_a_file(format: str) -> None:
    assert read(f"{{from: candidate, format: {format}}}", 5) == Invalid("a path was expected, not a value")
    assert read(f"{{from: candidate, format: {format}}}", None) == Invalid("a path was expected, not null")


def test_rows_are_a_list() -> None:
    assert read("{from: candidate, format: jsonl}", [1]) == [1]
    assert read("{from: candidate, format: jsonl}", {"a": 1}) == Invalid("a list of rows, or a path, was expected")


def test_defaults() -> None:
    declared = rubric("{from: operator, default: [1]}").rubric.inputs["x"]
    assert read_input(declared, {}, None) == [1]
    assert read_input(declared, {"x": None}, None) == [1]
    assert read_input(declared, {"x": []}, None) == []
    assert read("{from: candidate}", None) is None
    assert read_input(rubric("{from: operator, list: true, may_be_empty: true}").rubric.inputs["x"], {}, None) == []


def test_a_list_of_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("[1]\n{\n")
    (tmp_path / "b").write_text("[2]")
    names = ["b", "missing", "a"]
    missing = Unreadable("missing does not exist")
    bad = Invalid("a: line 2, column 1: extra data")
    assert read("{from: candidate, list: true}", names, tmp_path) == [[2], missing, Unreadable(bad.reason)]
    broken = Unreadable("line 2 is no JSON value: column 2: expecting property name enclosed in double quotes")
    assert read("{from: candidate, list: true, format: jsonl}", names, tmp_path) == [[2], missing, [1], broken]
    assert read("{from: candidate, list: true}", "b", tmp_path) == [[2]]
    with pytest.raises(InfrastructureFault, match="missing does not exist"):
        read("{from: reference, list: true}", names, tmp_path)


def test_names_of_inputs() -> None:
    asked = rubric("{from: candidate}")
    with pytest.raises(CallFault, match=r"the rubric has no input 'y'; its inputs are: x"):
        asked.run(x=1, y=1)
    with pytest.raises(CallFault, match=r"the rubric needs x=\.\.\."):
        asked.run()
    with pytest.raises(CallFault, match=r"no input 'predictoin'; did you mean 'prediction'\?"):
        rubric("{from: candidate}\n  prediction: {from: candidate}").run(x=1, predictoin=1)


# ---------------------------------------------------------------- a folder

FOLDER = """{
    from: candidate,
    folder: {
      data: {json: data.json}, rows: {jsonl: rows.jsonl}, note: {text: note.txt}, film: {file: film.mp4},
      frames: {files: "frames/*.png"}, up: {json: ../outside.json}
    }}"""


def folder(root: Path) -> Any:
    return read(FOLDER, root)


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    root = tmp_path / "entry"
    (root / "frames").mkdir(parents=True)
    (tmp_path / "outside.json").write_text("1")
    (tmp_path / "outside.png").write_text("1")
    (root / "data.json").write_text('{"a": 1}')
    (root / "rows.jsonl").write_text("[1]\n")
    (root / "note.txt").symlink_to("data.json")
    (root / "film.mp4").symlink_to(tmp_path / "outside.json")
    for name in ("b", "a"):
        (root / "frames" / f"{name}.png").write_text("")
    (root / "frames" / "out.png").symlink_to(tmp_path / "outside.png")
    (root / "frames" / "loop.png").symlink_to("loop.png")
    (root / "frames" / "folder.png").mkdir()
    os.mkfifo(root / "frames" / "pipe.png")
    assert folder(root) == {
        "data": {"a": 1},
        "rows": [[1]],
        "note": '{"a": 1}',
        "film": Invalid("film.mp4 leads out of the folder"),
        "frames": {f"frames/{name}.png": str(root / "frames" / f"{name}.png") for name in ("a", "b")},
        "up": Invalid("../outside.json leads out of the folder"),
    }


def test_what_is_missing_in_a_folder(tmp_path: Path) -> None:
    found = folder(tmp_path)
    assert found["data"] == Invalid("data.json does not exist")
    assert found["frames"] == {}
    assert folder(tmp_path / "none").reason.endswith("none does not exist")
    (tmp_path / "file").write_text("")
    assert folder(tmp_path / "file").reason.endswith("file is no folder")
    with pytest.raises(InfrastructureFault, match=r"input 'x': data.json does not exist"):
        read(FOLDER.replace("candidate", "reference"), tmp_path)


def test_a_folder_with_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "data.json").symlink_to("data.json")
    (tmp_path / "frames").symlink_to("frames")
    found = folder(tmp_path)
    assert found["data"] == Invalid("data.json cannot be read: too many levels of symbolic links")
    assert found["frames"] == {}


# ---------------------------------------------------------------- inputs as they come, in a report


def run(declared: str, value: Any, shown: str = "x", folder: Path | None = None) -> Report:
    return rubric(declared, value=shown).run_case({"x": value}, folder=folder)


def told(report: Report) -> list[tuple[str, str]]:
    return [(diagnostic.path, diagnostic.reason) for diagnostic in report.diagnostics]


NOT_PLAIN = "holds a number that is not finite, or is nested too deeply"


@pytest.mark.parametrize("value", [math.nan, [1, {"a": -math.inf}], 10**400, [[[math.inf]]]])
def test_no_number_that_is_not_finite_gets_through(value: Any) -> None:
    report = run("{from: candidate}", value)
    assert report.values["v"] is None
    assert told(report) == [("", NOT_PLAIN)]
    assert run("{from: reference}", value).error.message == f"input 'x': {NOT_PLAIN}"  # type: ignore[union-attr]


def test_no_depth_past_that_of_json_gets_through() -> None:
    value: Any = 1
    for _ in range(MAX_DEPTH):
        value = [value]
    assert run("{from: candidate}", value).values["v"] is not None
    assert told(run("{from: candidate}", [value])) == [("", NOT_PLAIN)]


def test_rows_that_cannot_be_used_are_left_out_and_counted(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n{"a": 1e999}\n{"a":\n{"a": 2}\n["N", NaN]\n')
    report = run("{from: candidate, format: jsonl}", "x.jsonl", "[count(x), malformed(x)]", tmp_path)
    assert report.values["v"] == [2, 3]
    assert told(report) == [
        ("[1]", NOT_PLAIN),
        ("[2]", "line 3 is no JSON value: column 6: expecting value"),
        ("[4]", "line 5 is no JSON value: NaN is not JSON"),
    ]
    report = run("{from: reference, format: jsonl}", "x.jsonl", "count(x)", tmp_path)
    assert report.error.message == f"input 'x', [1]: {NOT_PLAIN}"  # type: ignore[union-attr]


def test_a_missing_file_of_a_folder_is_null_and_named(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('{"a": 1}')
    (tmp_path / "rows.jsonl").write_text("{}\n[\n")
    report = run(FOLDER, tmp_path, "[x.data.a, count(x.rows), x.note ?? 5]")
    assert report.values["v"] == [1, 1, 5]
    assert told(report) == [
        ("rows[1]", "line 2 is no JSON value: column 2: expecting value"),
        ("note", "note.txt does not exist"),
        ("film", "film.mp4 does not exist"),
        ("up", "../outside.json leads out of the folder"),
    ]


# ---------------------------------------------------------------- inputs with a JSON Schema

SCHEMA = '{"type": "object", "required": ["a"], "properties": {"a": {"type": "number", "maximum": 3}}}'


def with_schema(folder: Path, schema: str, origin: str = "candidate") -> LoadedRubric:
    (folder / "point.schema.json").write_text(schema)
    then = ", when_invalid: zero" if origin == "candidate" else ""
    text = f"{HEAD}inputs:\n  x: {{from: {origin}, schema: point{then}}}\n"
    text += "metrics: {m: x.a ?? 0}\nscore: {s: m}\ngates: {g: {value: m, at_least: 1}}\n"
    return load_text(text, str(folder / "trial.yaml"))


def test_an_input_is_held_against_its_schema(tmp_path: Path) -> None:
    loaded = with_schema(tmp_path, SCHEMA)
    assert loaded.run(x={"a": 2}).score == 2
    report = loaded.run(x={"a": 4})
    assert (report.outcome, report.score) == ("fail", 0)
    assert told(report) == [("", "breaks the schema 'point' at $.a: 4 is greater than the maximum of 3")]
    assert told(loaded.run(x={"a": math.nan})) == [("", NOT_PLAIN)]
    report = with_schema(tmp_path, SCHEMA, "operator").run(x={})
    assert report.error.message == "input 'x': breaks the schema 'point' at $: 'a' is a required property"  # type: ignore[union-attr]


@pytest.mark.parametrize("schema", ["{", '{"type": "nothing"}', "[]", '{"$ref": "https://example.org/x.json"}'])
def test_a_schema_that_is_broken_is_nobodys_score(schema: str, tmp_path: Path) -> None:
    report = with_schema(tmp_path, schema).run(x={"a": 1})
    assert report.outcome == "error"
    assert report.error.message.startswith("the schema 'point' cannot be used: ")  # type: ignore[union-attr]


def test_a_schema_that_goes_in_circles(tmp_path: Path) -> None:
    loaded = with_schema(tmp_path, '{"properties": {"a": {"$ref": "#"}}}')
    value: Any = {"a": {}}
    for _ in range(MAX_DEPTH - 4):
        value = {"a": value}
    assert loaded.run(x=value).outcome == "fail"
