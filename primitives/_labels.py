"""Labels: values as the texts by which rows are told apart, however a file happens to write them."""

import json
from typing import Any

from ._columns import column, is_finite, shown
from .annotations import Rows
from .faults import ArgumentFault


def labels(rows: Rows, field: str, argument: str, *, with_false: bool = False) -> list[str | None]:
    """The label of one field in every row; `argument` is the parameter that holds the rows.

    A text is its own label, a number is labelled by its JSON text (12, 12.0 and "12" are the same), true by `true`.
    Null, an absent field, the empty text and false are no label, unless `with_false` labels false by `false`. Refused:
    lists, mappings, numbers that are not finite.
    """
    values = column(rows, field, argument)
    if {str, type(None)}.issuperset(map(type, values)):
        return [value or None for value in values]
    if with_false:
        values = ["false" if value is False else value for value in values]
    return [_label(value, field, number, argument) for number, value in enumerate(values)]


def _label(value: Any, field: str, number: int, argument: str) -> str | None:
    if value is None or value is False:
        return None
    if value is True or isinstance(value, str):
        return "true" if value is True else value or None
    if not is_finite(value):
        raise ArgumentFault(argument, f"row {number} needs a text or a number in '{field}', not {shown(value)}")
    return json.dumps(int(value) if value == int(value) else value)
