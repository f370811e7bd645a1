"""Fields of rows as columns, checked: a fault names the parameter and the row."""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from ._equality import canonical_column
from .annotations import Row, Rows
from .faults import ArgumentFault


def column(rows: Rows, field: str, argument: str) -> list[Any]:
    """The values of one field, None where a row lacks it. `argument` is the parameter that holds the rows."""
    try:
        return [row[field] for row in rows]
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
    columns = [comparable_column(rows, field, argument) for field in fields]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


def finite_numbers(rows: Rows, field: str, argument: str) -> list[float]:
    """The values of a field that must be a finite number in every row, as 64-bit floats."""
    values = column(rows, field, argument)
    if not _all_finite(values):
        number, value = next((number, value) for number, value in enumerate(values) if not is_finite(value))
        raise ArgumentFault(argument, f"row {number} needs a finite number in '{field}', not {shown(value)}")
    return list(map(float, values))


def _all_finite(values: list[Any]) -> bool:
    try:
        if {int, float}.issuperset(map(type, values)):
            return all(map(math.isfinite, values))
    except OverflowError:
        return False
    return all(map(is_finite, values))


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
        raise ArgumentFault(argument, f"a list of field names is needed, not {shown(fields)}")


def must_be_rows(rows: Rows, argument: str) -> None:
    """Refuses anything but a list; its members are looked at where their fields are read."""
    if not isinstance(rows, (list, tuple)):
        raise ArgumentFault(argument, f"a list of rows is needed, not {shown(rows)}")


def must_occur(fields: Sequence[str], argument: str, *tables: Rows) -> None:
    """Refuses a field that no row of any table has: its name is misspelt. Tables without rows prove nothing."""
    for field in fields:
        if any(tables) and not any(isinstance(row, Mapping) and field in row for rows in tables for row in rows):
            raise ArgumentFault(argument, f"no row has a field '{field}'")
