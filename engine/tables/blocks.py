"""A block of JSON Lines by column: read by polars with an explicit schema, and then looked at again, since a row counts
only where polars has surely read what the reader of single lines would have. All other rows are named as doubtful.

polars keeps the first of keys that occur twice, takes numbers, lists and objects for texts, and leaves out what is not
in the schema. So the members of each line are counted and compared with the cells that were read: where there are as
many, no key occurs twice and nothing else is there. Where there are more, known keys and their nulls are counted.
"""

import json
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..json_text import MAX_DEPTH
from .cells import Cells
from .fields import ColumnField, no_cells, series_type
from .raw_rows import BLANK

if TYPE_CHECKING:
    import polars

BLOCK_BYTES = 24 * 1024 * 1024
_MOST_AT_ONCE = 4
_LEAST_LINES = 2000  # below it a block with a fault is not cut further: its lines are read one by one
_SAMPLES = 16
_MOST_OTHER_KEYS = 64
_SPACE = r"[ \t\r]*"
_DOUBTFUL_ESCAPE = r"\\u(?:00[0-7]|[dD][89a-fA-F])"  # of what may be part of a key, and of half a character
_ESCAPED_QUOTE = '\\"'  # after one, what looks like a key need not be one
_WIDE_COLON = r"[ \t\r]:"


@dataclass(frozen=True, slots=True)
class Block:
    """What was read of some lines: a cell for each one that is not blank, and the places of doubtful ones."""

    data: bytes
    line_count: int
    columns: dict[str, Cells]
    size: int
    doubtful: "polars.Series"

    def doubtful_lines(self) -> Iterator[tuple[int, int, bytes]]:
        """The place of each doubtful row, the number of its line in this block, from 1, and its bytes."""
        if not len(self.doubtful):
            return
        wanted = set(self.doubtful.to_list())
        place = -1
        for number, line in enumerate(self.data.split(b"\n"), 1):
            if line.strip(BLANK):
                place += 1
                if place in wanted:
                    yield place, number, line


def blocks(data: bytes, fields: Sequence[ColumnField]) -> Iterator[Block]:
    """The blocks of a file, in order; each ends with a line. The data is UTF-8.

    Some are read at once, each core one, since much of what polars does with a block keeps a single core busy.
    """
    waiting: deque[Future[list[Block]]] = deque()
    cores = min(os.cpu_count() or 1, _MOST_AT_ONCE)
    with ThreadPoolExecutor(cores) as pool:
        start = 0
        while start < len(data):
            end = data.find(b"\n", min(start + BLOCK_BYTES, len(data))) + 1 or len(data)
            waiting.append(pool.submit(lambda part: list(_blocks(part, fields)), data[start:end]))
            start = end
            if len(waiting) > cores:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _blocks(data: bytes, fields: Sequence[ColumnField]) -> Iterator[Block]:
    """One block, or several where it holds what polars does not read."""
    block = _block(data, fields)
    if block is not None:
        yield block
        return
    half = data.find(b"\n", len(data) // 2) + 1
    if data.count(b"\n") < _LEAST_LINES or not 0 < half < len(data):
        yield _unread(data, fields)
        return
    yield from _blocks(data[:half], fields)
    yield from _blocks(data[half:], fields)


def _unread(data: bytes, fields: Sequence[ColumnField]) -> Block:
    import polars

    size = sum(1 for line in data.split(b"\n") if line.strip(BLANK))
    places = polars.int_range(size, dtype=polars.UInt32, eager=True)
    return Block(data, data.count(b"\n"), {field.name: no_cells(field, size) for field in fields}, size, places)


def _block(data: bytes, fields: Sequence[ColumnField]) -> Block | None:
    import polars

    every_line = polars.read_lines(data).to_series()
    lines = every_line
    if not lines.str.starts_with("{").all():
        lines = lines.filter(lines.str.strip_chars(" \t\r") != "")
    schema = {field.name: series_type(field.read) for field in fields}
    others = _other_keys(lines, schema)
    try:
        frame = polars.read_ndjson(data, schema=schema | others, ignore_errors=True)
    except polars.exceptions.PolarsError:
        return None
    if frame.height != len(lines):
        return None
    return _Checked(data, lines, frame, fields).block(len(every_line))


def _other_keys(lines: "polars.Series", schema: dict[str, Any]) -> dict[str, Any]:
    """Keys that some of the lines have besides those of the schema, so that they can be counted as cells."""
    import polars

    types = {str: polars.String, int: polars.Float64, float: polars.Float64, bool: polars.Boolean}
    found: dict[str, Any] = {}
    for line in lines.gather_every(max(1, len(lines) // _SAMPLES)):
        for key, value in _members(line).items():
            if key not in schema and type(value) in types and len(found) < _MOST_OTHER_KEYS:
                found.setdefault(key, types[type(value)])
    return found


def _members(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


class _Checked:
    """The lines of one block beside what polars made of them."""

    def __init__(self, data: bytes, lines: "polars.Series", frame: "polars.DataFrame", fields: Sequence[ColumnField]):
        self.data = data
        self.lines = lines
        self.frame = frame
        self.fields = fields
        self.escapes = b"\\" in data

    def block(self, line_count: int) -> Block:
        doubtful = self._surplus() | self._too_deep() | self._not_surely_valid()
        columns = {}
        for field in self.fields:
            columns[field.name], unclear = self._cells(field)
            doubtful = doubtful if unclear is None else doubtful | unclear
        if self.escapes:
            doubtful = doubtful | self.lines.str.contains(_DOUBTFUL_ESCAPE)
        return Block(self.data, line_count, columns, self.frame.height, doubtful.arg_true())

    # ------------------------------------------------------------ nothing is lost

    def _surplus(self) -> "polars.Series":
        """The rows that may have members besides the cells that were read."""
        import polars

        cells = self._cells_read(self.frame)
        if self.lines.str.contains(_WIDE_COLON).any():
            return self._surplus_of_known(self.frame, self.lines)
        members = self.lines.str.count_matches('":', literal=True)
        more = (members != cells) | (cells == 0)
        if not more.any():
            return more
        places = more.arg_true()
        left = self._surplus_of_known(self.frame[places], self.lines.gather(places))
        result = polars.repeat(False, len(self.lines), dtype=polars.Boolean, eager=True)
        return result.scatter(places.filter(left), True) if left.any() else result

    def _cells_read(self, frame: "polars.DataFrame") -> "polars.Series":
        import polars

        return frame.select(polars.sum_horizontal(polars.all().is_not_null().cast(polars.UInt32))).to_series()

    def _surplus_of_known(self, frame: "polars.DataFrame", lines: "polars.Series") -> "polars.Series":
        """Of some rows those in which a known key may occur twice, or that are no objects. Each of their known keys is
        there once where there are as many as cells with a value and explicit nulls together, no cell being both.
        """
        import polars

        names = [field.name for field in self.fields]
        known = lines.str.count_matches(f'"(?:{"|".join(names)})"{_SPACE}:')
        cells, both = self._cells_read(frame.select(names)), ~lines.str.contains(r"\A[ \t\r]*\{")
        if (known != cells).any():
            for field in self.fields:
                empty = lines.str.contains(f'"{field.name}"{_SPACE}:{_SPACE}null{_SPACE}[,}}]')
                cells = cells + empty.cast(polars.UInt32)
                both = both | (empty & (frame[field.name].is_not_null() | (field.optional != "nothing")))
        return both | (known != cells)

    def _too_deep(self) -> "polars.Series":
        """The rows that may have too many levels."""
        if b"[" in self.data:
            return self.lines.str.count_matches(r"[\[{]") > MAX_DEPTH
        return self.lines.str.count_matches("{", literal=True) > MAX_DEPTH

    # ------------------------------------------------------------ what was read is what is there

    def _not_surely_valid(self) -> "polars.Series":
        import polars

        doubtful = polars.repeat(False, len(self.lines), dtype=polars.Boolean, eager=True)
        for field in self.fields:
            values = self.frame[field.name]
            sure = field.valid(values).fill_null(False)
            doubtful = doubtful | ~(sure | values.is_null() if field.may_be_null else sure)
            other = field.like_another_kind(values)
            if other is not None:
                doubtful = doubtful | self._not_texts(field, other.arg_true())
        return doubtful

    def _not_texts(self, field: ColumnField, places: "polars.Series") -> "polars.Series":
        """The rows, of some, in which the value of a field is not written as a text."""
        import polars

        lines = self.lines.gather(places) if len(places) < len(self.lines) else self.lines
        written = lines.str.contains(f'"{field.name}"{_SPACE}:{_SPACE}"')
        if self.escapes:
            written = written & ~lines.str.contains(_ESCAPED_QUOTE, literal=True)
        nowhere = polars.repeat(False, len(self.lines), dtype=polars.Boolean, eager=True)
        return nowhere if written.all() else nowhere.scatter(places.filter(~written), True)

    def _cells(self, field: ColumnField) -> "tuple[Cells, polars.Series | None]":
        """A column, and of which rows it is not clear whether their number is an integer."""
        import polars

        values = self.frame[field.name]
        if field.read != "number":
            return Cells(values), None
        places = (values == values.floor()).fill_null(False).arg_true()
        if not len(places):
            return Cells(values), None
        lines = self.lines.gather(places)
        written = lines.str.contains(f'"{field.name}"{_SPACE}:{_SPACE}-?[0-9]+{_SPACE}[,}}]')
        nowhere = polars.repeat(False, len(values), dtype=polars.Boolean, eager=True)
        unclear = lines.str.contains(_ESCAPED_QUOTE, literal=True)
        return (
            Cells(values, nowhere.scatter(places.filter(written), True)) if written.any() else Cells(values),
            nowhere.clone().scatter(places.filter(unclear), True) if self.escapes and unclear.any() else None,
        )
