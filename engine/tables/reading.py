"""Rows read by column under a record: the same table as from row by row, the same faults in the same order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .blocks import Block, blocks
from .cells import Cells, NotColumnar, joined, replaced
from .fields import ColumnField
from .raw_rows import RawRows
from .table import Frame, Table

if TYPE_CHECKING:
    import polars

ReadRow = Callable[[int, Any], dict[str, Any] | None]  # number and raw value -> the entry, if there is one
ReadLine = Callable[[bytes, int], Any]


@dataclass(frozen=True, slots=True)
class ByColumn:
    """How rows are read by column: the fields of their record, and what adds the derived ones."""

    fields: tuple[ColumnField, ...]
    derive: Callable[[dict[str, Cells]], Mapping[str, Cells]]


@dataclass
class _Reading:
    columns: dict[str, list[Cells]]
    numbers: "list[polars.Series]" = field(default_factory=list)
    rows: int = 0
    lines: int = 0


def read_by_column(raw: RawRows, by: ByColumn, read_line: ReadLine, read_row: ReadRow) -> Table:
    """The table of a file. `read_row` is called in order for the rows that only it can judge. Raises `NotColumnar`."""
    reading = _Reading({field.name: [] for field in by.fields})
    for block in blocks(raw.data, by.fields):
        _add(reading, block, read_line, read_row)
    if not reading.rows:
        raise NotColumnar
    raw.has_rows(reading.rows)
    columns = {field.name: joined(reading.columns.pop(field.name)) for field in by.fields}
    columns = dict(by.derive(columns))
    numbers = joined([Cells(part) for part in reading.numbers])
    columns.setdefault("row", numbers)
    return Table(Frame(columns), len(numbers.values))


def _add(reading: _Reading, block: Block, read_line: ReadLine, read_row: ReadRow) -> None:
    """The rows of a block, the doubtful ones read one by one."""
    import polars

    places, entries, dropped = [], [], []
    for place, number, line in block.doubtful_lines():
        entry = read_row(reading.rows + place + 1, read_line(line, reading.lines + number))
        if entry is None:
            dropped.append(place)
        else:
            places.append(place)
            entries.append(entry)
    kept = polars.repeat(True, block.size, dtype=polars.Boolean, eager=True)
    kept = kept.scatter(dropped, False).arg_true() if dropped else None
    for name, parts in reading.columns.items():
        cells = replaced(block.columns[name], places, [entry[name] for entry in entries])
        parts.append(cells if kept is None else cells.picked(kept))
    numbers = polars.int_range(reading.rows + 1, reading.rows + block.size + 1, eager=True)
    reading.numbers.append(numbers if kept is None else numbers.gather(kept))
    reading.rows += block.size
    reading.lines += block.line_count
