"""Tables: groups of rows, values that cross from one group into another, numbers within groups.

Conventions

* A table is a list of rows, a row a mapping of fields. Rows are never changed; the order of rows is kept where the
  result has rows.
* `split` and `straddling` tell values apart by their text: 12, 12.0 and "12" are the same value, and null, an absent
  field, the empty text and false are no value at all. Texts are compared verbatim: no trimming, no case folding, no
  Unicode normalisation. Lists, mappings and numbers that are not finite are refused (`ArgumentFault`).
* Elsewhere equality is that of data: null equals only null (an absent field is null), true is not 1, 1 equals 1.0.

Every function takes time in proportion to the rows, and `split` sorts the names of its groups.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ._columns import comparable_column, must_be_rows, must_occur, shown
from ._equality import canonical
from ._frames import may_straddle, parts
from ._labels import labels
from .annotations import Column, Count, Field, Row, Rows
from .faults import ArgumentFault

__all__ = ["Straddler", "number_within", "split", "straddling"]

R = TypeVar("R", bound=Row)
U = TypeVar("U")


@dataclass(frozen=True)
class Straddler:
    """A value that rows of different groups share.

    `value` is as its owner writes it: the first row that has both the value and a group, number `first`. `rows` are
    the numbers of the later rows that are not in the owner's group, `groups` the owner's group and theirs, each once,
    in order of appearance. Numbers are those of the rows' field `row` where every row has a whole number there, else
    positions from 0.
    """

    value: Any
    groups: list[Any]
    first: Count
    rows: list[Count]


def split(column: Column[R], *, each: Callable[[list[R]], U], into: Sequence[str] | None = None) -> dict[str, U]:
    """What `each` gives for the rows of every value of the column, by value, sorted by code point.

    With `into`, exactly these groups in this order: one without rows is an empty list to `each`, and rows of other
    values are in no group. Rows without a value are in none either. Refused: an `into` that is no list of texts, or
    has one twice.
    """
    must_be_rows(column.rows, "column")
    groups: dict[str, list[R]] | None = parts(column.rows, column.name)
    if groups is None:
        groups = {}
        for row, label in zip(column.rows, labels(column.rows, column.name, "column"), strict=True):
            if label is not None:
                groups.setdefault(label, []).append(row)
    names = sorted(groups) if into is None else _names(into)
    return {name: each(groups.get(name, [])) for name in names}


def straddling(column: Column, *, across: Field) -> list[Straddler]:
    """The values of the column that occur in more than one group, a group being the rows of equal `across`.

    The first row with a value owns it for its group, and the owner never changes; every later row with the value in
    another group crosses. A row whose `across` is null owns nothing, but crosses where there is an owner. A row
    without a value neither owns nor crosses. Sorted by `first`.
    """
    must_be_rows(column.rows, "column")
    column = replace(column, rows=may_straddle(column.rows, column.name, across))
    rows = column.rows
    must_occur([across], "across", rows)
    groups = comparable_column(rows, across, "column")
    owners: dict[str, int] = {}
    crossing: dict[str, list[int]] = {}
    for position, (value, group) in enumerate(zip(labels(rows, column.name, "column"), groups, strict=True)):
        if value is None:
            continue
        owner = owners.get(value)
        if owner is not None:
            if groups[owner] != group:
                crossing.setdefault(value, []).append(position)
        elif group is not None:
            owners[value] = position
    found = sorted((owners[value], positions) for value, positions in crossing.items())
    return _straddlers(column, across, found) if found else []


def number_within(rows: Rows, *, by: Field) -> list[dict[str, Any]]:
    """The rows, each with a `number`: 1 for the first of those with equal `by`, 2 for the second, and so on.

    Rows whose `by` is null are numbered together. A field `number` that a row has is replaced.
    """
    must_be_rows(rows, "rows")
    must_occur([by], "by", rows)
    reached: dict[Hashable, int] = {}
    numbered: list[dict[str, Any]] = []
    for row, key in zip(rows, comparable_column(rows, by, "rows"), strict=True):
        reached[key] = reached.get(key, 0) + 1
        numbered.append({**row, "number": reached[key]})
    return numbered


def _straddlers(column: Column, across: str, found: list[tuple[int, list[int]]]) -> list[Straddler]:
    """What is found, owner and crossing positions, in the terms of a report."""
    rows, numbers = column.rows, _numbers(column.rows)
    return [
        Straddler(
            rows[owner][column.name],
            _distinct([rows[at].get(across) for at in (owner, *others)]),
            numbers[owner],
            [numbers[at] for at in others],
        )
        for owner, others in found
    ]


def _distinct(values: list[Any]) -> list[Any]:
    seen: dict[Hashable, Any] = {}
    for value in values:
        seen.setdefault(canonical(value), value)
    return list(seen.values())


def _numbers(rows: Rows) -> Sequence[Count]:
    """The numbers of the rows."""
    numbered = all(type(row.get("row")) is int for row in rows)
    return [row["row"] for row in rows] if numbered else range(len(rows))


def _names(into: Sequence[str]) -> Sequence[str]:
    if not isinstance(into, (list, tuple)) or not all(isinstance(name, str) and name for name in into):
        raise ArgumentFault("into", f"a list of the values to split into is needed, not {shown(into)}")
    if len(set(into)) < len(into):
        raise ArgumentFault("into", f"a value is there twice: {shown(into)}")
    return into
