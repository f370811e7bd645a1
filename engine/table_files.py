"""Rows in other files than JSON Lines, told by the name: gzip, CSV, Parquet. Bounded, whatever is in them.

A cell of CSV is a text; where the record wants a number or a truth value, a cell that is one in JSON becomes it.
Nothing is guessed from the rows that come first. An empty cell of CSV, and a null of Parquet, is an absent field.
"""

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from .json_text import text_of
from .rubric import Record
from .unreadable import Unreadable

MAX_ROWS = 10_000_000
"""Of one file, in a format that can hold any number of rows in few bytes."""
_JSON_SINGLE = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false")
_SINGLE_KINDS = ("number", "integer", "boolean")


class TableFault(ValueError):
    """A file that holds no rows, or too many; the message says why."""


class TextRow(dict):
    """A row in which every value is a text, whatever the record will want it to be."""


def unpacked(name: str, data: bytes, limit: int) -> tuple[str, bytes]:
    """The name and the bytes of what is in a gzip file, of other files their own. Raises `TableFault`."""
    if not name.lower().endswith(".gz"):
        return name, data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            inner = file.read(limit + 1)
    except (OSError, EOFError, zlib.error):
        raise TableFault("it is no gzip file, or a damaged one") from None
    if len(inner) > limit:
        raise TableFault(f"what is in it is larger than {limit // 1024 // 1024} MiB")
    return name[:-3], inner


def other_rows(name: str, data: bytes, limit: int) -> list[Any] | None:
    """The rows of a CSV or a Parquet file; None for other names. Raises `TableFault` and `JsonFault`."""
    ending = name.lower().rpartition(".")[2]
    if ending == "csv":
        return list(_csv_rows(text_of(data)))
    return _parquet_rows(data, limit) if ending == "parquet" else None


# ---------------------------------------------------------------- CSV


def _csv_rows(text: str) -> Iterable[Any]:
    """A row a line after the header (RFC 4180); empty lines are passed over, one of another length is unreadable."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    try:
        for cells in reader:
            if not cells:
                continue
            if header is None:
                header = _header(cells)
            elif len(cells) != len(header):
                said = f"line {reader.line_num} has {len(cells)} cells, the header has {len(header)}"
                yield Unreadable(said)
            else:
                yield TextRow((key, cell) for key, cell in zip(header, cells, strict=True) if cell)
    except csv.Error:
        raise TableFault(f"line {reader.line_num}: a quotation mark is missing, or a cell is too long") from None


def _header(cells: list[str]) -> list[str]:
    twice = next((cell for number, cell in enumerate(cells) if cell in cells[:number]), None)
    if twice is not None:
        raise TableFault(f"its header names the column '{twice:.40}' twice")
    return cells


def typed_fields(record: Record) -> frozenset[str]:
    """The fields of a record in which a text that is a number or a truth value in JSON is one."""
    return frozenset(
        name
        for rule in record.fields
        for name in rule.names
        if any(
            atom.kind in _SINGLE_KINDS or (atom.kind == "literal" and not isinstance(atom.literal, str))
            for atom in rule.type.atoms
        )
        and not any(atom.kind in ("text", "string", "any") for atom in rule.type.atoms)
    )


def typed(row: Mapping[str, str], fields: frozenset[str]) -> dict[str, Any]:
    """A row of texts as the record wants it."""
    return {
        key: json.loads(cell) if key in fields and len(cell) <= 400 and _JSON_SINGLE.fullmatch(cell) else cell
        for key, cell in row.items()
    }


# ---------------------------------------------------------------- Parquet


def _parquet_rows(data: bytes, limit: int) -> list[Any]:
    try:
        import polars
    except ImportError:
        raise TableFault("reading Parquet needs polars: pip install 'rubric-engine[tables]'") from None
    try:
        scanned = polars.scan_parquet(io.BytesIO(data))
        count = int(scanned.select(polars.len()).collect().item())
        if count > MAX_ROWS:
            raise TableFault(f"it has more than {MAX_ROWS:,} rows")
        _must_be_plain(scanned.collect_schema())
        frame = scanned.collect()
    except polars.exceptions.PolarsError:
        raise TableFault("it is no Parquet file, or a damaged one") from None
    texts = frame.select(polars.col(polars.String).str.len_bytes().sum()).row(0) if frame.height else ()
    if sum(size or 0 for size in texts) > limit:
        raise TableFault(f"its texts are larger than {limit // 1024 // 1024} MiB")
    return [{key: cell for key, cell in row.items() if cell is not None} for row in frame.iter_rows(named=True)]


def _must_be_plain(schema: Mapping[str, Any]) -> None:
    """Refuse columns of what JSON does not have."""
    for name, type_ in schema.items():
        if not (type_.is_integer() or type_.is_float() or str(type_) in ("String", "Boolean", "Null")):
            raise TableFault(f"its column '{name:.40}' is of type {type_!s:.40}; texts, numbers and booleans are read")
