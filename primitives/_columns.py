"""Fields of rows as columns, checked: a fault names the parameter and the row."""

import math
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any

from ._equality import all_own_keys, canonical_column
from .annotations import Row, Rows
from .faults import ArgumentFault

_PLAIN = {int, float}  # numbers that need no closer look than whether they are finite


def column(rows: Rows, field: str, argument: str) -> list[Any]:
    """The values of one field, None where a row lacks it. `argument` is the parameter that holds the rows."""
    try:
        return list(map(itemgetter(field), rows))
    except (KeyError, TypeError, IndexError):
        return [_value(row, field, number, argument) for number, row in enumerate(rows)]


def _value(row: Row, field: str, number: int, argument: str) -> Any:
    if not isinstance(row, Mapping):
        raise ArgumentFault(argument, f"row {number} is {shown(row)}, not a mapping of fields")
    return row.get(field)


def comparable_column(rows: Rows, field: str, argument: str) -> list[Hashable]:
    """The values of one field as keys, equal where the values are."""
    try:
        return canonical_column(column(rows, field, argument))
    except TypeError as problem:
        raise ArgumentFault(argument, f"field '{field}' holds what cannot be compared: {problem}") from None


def keys(rows: Rows, fields: Sequence[str], argument: str) -> list[Hashable]:
    """A key a row, equal where all fields are equal; an absent field is null."""
    if not fields:
        return [None] * len(rows)
    if len(fields) == 1:
        return comparable_column(rows, fields[0], argument)
    try:
        values = list(map(itemgetter(*fields), rows))
        if all_own_keys(chain.from_iterable(values)):
            return values
    except (KeyError, TypeError, IndexError):
        pass  # column by column, each with its own fault
    return list(zip(*[comparable_column(rows, field, argument) for field in fields], strict=True))


def finite_numbers(rows: Rows, field: str, argument: str) -> list[float]:
    """The values of a field that must be a finite number in every row, as 64-bit floats."""
    values = column(rows, field, argument)
    numbers = plain_numbers(values)
    if numbers is not None:
        return numbers
    for number, value in enumerate(values):
        if not is_finite(value):
            raise ArgumentFault(argument, f"row {number} needs a finite number in '{field}', not {shown(value)}")
    return list(map(float, values))


def plain_numbers(values: Sequence[Any]) -> list[float] | None:
    """The values as floats; None where one is not finite or calls for a closer look."""
    if not _PLAIN.issuperset(map(type, values)):
        return None
    try:
        numbers = list(map(float, values))
    except OverflowError:
        return None
    # The length of the vector is finite only if each is; it may overflow, and then a closer look tells.
    return numbers if math.isfinite(math.hypot(*numbers)) else None


def is_finite(value: Any) -> bool:
    """Whether this is a number (true and false are none) that a 64-bit float can hold."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def shown(value: Any) -> str:
    """A value as an error quotes it: short, whatever it is."""
    try:
        return f"{value!r:.60}"
    except ValueError:
        return "a number of too many digits"


def must_be_field_names(fields: Sequence[str], argument: str) -> None:
    """Refuses anything but a list of texts."""
    if not isinstance(fields, (list, tuple)) or (fields and not all(isinstance(field, str) for field in fields)):
        found = list(fields) if isinstance(fields, tuple) else fields
        raise ArgumentFault(argument, f"a list of field names is needed, not {shown(found)}")


def must_be_rows(rows: Rows, argument: str) -> None:
    """Refuses anything but a list; its members are looked at where their fields are read."""
    if not isinstance(rows, (list, tuple)):
        raise ArgumentFault(argument, f"a list of rows is needed, not {shown(rows)}")


def must_occur(fields: Sequence[str], argument: str, *tables: Rows) -> None:
    """Refuses a field that no row of any table has: its name is misspelt. Tables without rows prove nothing."""
    if not fields:
        return
    for rows in tables:
        if rows and isinstance(rows[0], dict) and all(map(rows[0].__contains__, fields)):
            return
    for field in fields:
        if any(tables) and not any(isinstance(row, Mapping) and field in row for rows in tables for row in rows):
            raise ArgumentFault(argument, f"no row has a field '{field}'")
