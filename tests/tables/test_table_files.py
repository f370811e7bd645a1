"""Rows in gzip, CSV and Parquet files: the report that the same rows in JSON Lines get, and what is refused."""

import gzip
import json
import sys
from pathlib import Path

import polars
import pytest

from rubric.engine import load
from rubric.engine.input_files import read
from rubric.engine.table_files import other_rows
from rubric.engine.unreadable import Invalid, Unreadable

SURVEY = load(Path(__file__).parent / "survey-1.yaml")
ROWS = [
    {"id": "007", "kind": "first", "label": 1, "score": 0.5, "count": 3, "code": "12", "note": 'a "b", c\nd'},
    {"id": "b", "kind": "second", "label": 0, "score": 1, "size": 2.5, "count": -5, "done": True, "code": "ab"},
    {"id": "c", "kind": "first", "label": 1, "score": 0.6499999999999999, "count": 0, "done": False, "code": "ff"},
]
CSV = (
    "id,kind,label,score,size,count,done,code,note\r\n"
    '007,first,1,0.5,,3,,12,"a ""b"", c\nd"\r\n'
    "\r\n"
    "b,second,0,1,2.5,-5,true,ab,\r\n"
    "c,first,1,0.6499999999999999,,0,false,ff,\r\n"
)


def lines(rows: list[dict]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def report_of(name: str, data: bytes, folder: Path) -> dict:
    (folder / name).write_bytes(data)
    return SURVEY.run_case({"rows": name}, folder=folder).to_dict()


def parquet(rows: list[dict], folder: Path) -> bytes:
    floats = {"score": polars.Float64, "size": polars.Float64}
    polars.DataFrame(rows, schema_overrides=floats, infer_schema_length=None).write_parquet(folder / "made")
    return (folder / "made").read_bytes()


def test_the_same_rows_get_the_same_report(tmp_path: Path) -> None:
    expected = report_of("rows.jsonl", lines(ROWS), tmp_path)
    assert expected["values"]["rows"][0]["id"] == "007"
    assert report_of("rows.jsonl.gz", gzip.compress(lines(ROWS)), tmp_path) == expected
    assert report_of("rows.csv", CSV.encode("utf-8-sig"), tmp_path) == expected
    assert report_of("ROWS.CSV.GZ", gzip.compress(CSV.encode()), tmp_path) == expected
    assert report_of("rows.parquet", parquet(ROWS, tmp_path), tmp_path) == expected


def test_a_fault_names_the_row(tmp_path: Path) -> None:
    changed = CSV.replace("-5,true", "1.5,yes").replace("ff,", "ff")
    values = report_of("rows.csv", changed.encode(), tmp_path)
    assert [fault["reason"] for fault in values["diagnostics"]] == [
        "'count' is 1.5, integer from -5 to 9007199254740991 was expected",
        "'done' is 'yes', boolean was expected",
        "line 6 has 8 cells, the header has 9",
    ]
    assert [fault["path"] for fault in values["diagnostics"]] == ["[1]", "[1]", "[2]"]


def test_nothing_is_guessed_from_the_first_rows(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "size": 2} for _ in range(3000)] + [{**ROWS[0], "size": 1.5, "done": True}]
    text = "id,kind,label,score,count,code,size,done\n"
    text += "".join(f"x,first,1,0.5,3,12,{row['size']},{'true' if 'done' in row else ''}\n" for row in rows)
    (tmp_path / "rows.csv").write_text(text)
    table = SURVEY.run_case({"rows": "rows.csv"}, folder=tmp_path)
    assert table.values["numbers"]["double"][-2:] == [4, 3.0]
    assert table.values["rows"][-1]["done"] is True


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("x.jsonl.gz", b"{}", "it is no gzip file, or a damaged one"),
        ("x.jsonl.gz", gzip.compress(b"{}" * 1000)[:-9], "it is no gzip file, or a damaged one"),
        ("x.csv", b"a,b,a\n1,2,3\n", "its header names the column 'a' twice"),
        ("x.csv", b'a,b\n1,"2\n', "line 2: a quotation mark is missing, or a cell is too long"),
        ("x.csv", b"a,\xff\n", "line 1: byte 0xff is not UTF-8"),
        ("x.parquet", b"PAR1", "it is no Parquet file, or a damaged one"),
    ],
)
def test_what_is_refused(name: str, data: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    assert read("jsonl", tmp_path / name, name) == Invalid(f"{name}: {says}")


def test_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rubric.engine.input_files.MAX_TABLE_BYTES", 1024 * 1024)
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(b" " * 3 * 1024 * 1024))
    assert read("jsonl", tmp_path / "x.jsonl.gz", "x").reason == "x: what is in it is larger than 1 MiB"
    polars.DataFrame({"a": ["x" * 1000] * 2000}).write_parquet(tmp_path / "x.parquet")
    assert read("jsonl", tmp_path / "x.parquet", "x").reason == "x: its texts are larger than 1 MiB"
    monkeypatch.setattr("rubric.engine.table_files.MAX_ROWS", 1000)
    assert read("jsonl", tmp_path / "x.parquet", "x").reason == "x: it has more than 1,000 rows"


def test_parquet_holds_what_json_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    polars.DataFrame({"day": [1]}).cast(polars.Date).write_parquet(tmp_path / "x.parquet")
    assert read("jsonl", tmp_path / "x.parquet", "x").reason.startswith("x: its column 'day' is of type Date; ")
    monkeypatch.setitem(sys.modules, "polars", None)
    says = "x: reading Parquet needs polars: pip install 'rubric-engine[tables]'"
    assert read("jsonl", tmp_path / "x.parquet", "x").reason == says


def test_lines_of_another_length() -> None:
    assert other_rows("x.csv", b"a,b\n1\n,2\n1,2,3\n", 100) == [
        Unreadable("line 2 has 1 cells, the header has 2"),
        {"b": "2"},
        Unreadable("line 4 has 3 cells, the header has 2"),
    ]
