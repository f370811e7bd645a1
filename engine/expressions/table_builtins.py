"""The functions of the language that look at the rows of a table together with how they were read."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from ..tables import loops
from . import values
from .equality import canonical

T = TypeVar("T")


@dataclass(frozen=True)
class Column(Generic[T]):
    """The field `name` of a table's rows: what `rows.name` is where a parameter wants a column with its table."""

    rows: Sequence[T]
    name: str
    remembers_its_table: ClassVar[bool] = True


def unreadable(of: Sequence[T]) -> list[dict[str, Any]]:
    """The rows of a table that hold no object, with their number and what is wrong."""
    return list(getattr(of, "unreadable", ()))


def invalid(of: Column[T]) -> list[dict[str, Any]]:
    """The rows of a table whose field breaks its type, with their number and what is wrong. They count as null."""
    return list(getattr(of.rows, "faults", {}).get(of.name, ()))


def missing(of: Column[T]) -> list[dict[str, Any]]:
    """The rows whose field is null, by their number."""
    rows = loops.those_missing(of.rows, of.name)
    return [{"row": number} for number, row in _numbered(rows) if values.field(row, of.name) is None]


def repeated(of: Column[T]) -> list[dict[str, Any]]:
    """The values that several rows share, with the numbers of those rows, in order of first appearance. No nulls."""
    found: dict[Hashable, dict[str, Any]] = {}
    for number, row in _numbered(loops.those_repeated(of.rows, of.name)):
        value = values.field(row, of.name)
        if value is not None:
            found.setdefault(canonical(value), {"value": value, "rows": []})["rows"].append(number)
    return [entry for entry in found.values() if len(entry["rows"]) > 1]


def _numbered(rows: Sequence[Any]) -> list[tuple[int, Any]]:
    """Rows with their number in the file they come from, else in their list, from 1."""
    return [
        (row["row"] if isinstance(row, Mapping) and type(row.get("row")) is int else position, row)
        for position, row in enumerate(rows, 1)
    ]


def malformed(of: Sequence[T]) -> int:
    """How many entries of an input's list broke their record's rules; they are not among its members."""
    return getattr(of, "malformed", 0)
