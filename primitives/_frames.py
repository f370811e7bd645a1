"""Tables that keep their columns, known by what they have: `names`, `cells(name).values`, a polars series, and
`where(condition)` and `chosen(places)`, which are tables again. What is found by column is what rows would give.
"""

from typing import Any

_COMPARED = ("String", "Int64", "Boolean")  # equal exactly where the language calls values equal


def _series(rows: Any, field: str, kinds: tuple[str, ...]) -> Any:
    """The column of a field; None where the rows have none of these kinds."""
    if not hasattr(rows, "frame") or field not in rows.names:
        return None
    values = rows.cells(field).values
    return values if str(values.dtype) in kinds else None


def parts(rows: Any, field: str) -> dict[str, Any] | None:
    """The rows of each text of a field but the empty one; None where that is not known by column."""
    texts = _series(rows, field, ("String",))
    if texts is None:
        return None
    grouped = texts.alias("text").to_frame().with_row_index("place").drop_nulls().group_by("text").agg("place")
    by_text = zip(grouped["text"].to_list(), grouped["place"], strict=True)
    return {text: rows.chosen(places) for text, places in by_text if text}


def may_straddle(rows: Any, field: str, across: str) -> Any:
    """All rows whose text in a field occurs with several values of another, and hardly any others; all rows where that
    is not known by column.
    """
    texts, groups = _series(rows, field, ("String",)), _series(rows, across, _COMPARED)
    numbers = _series(rows, "row", ("Int64",))
    if texts is None or groups is None or numbers is None or numbers.null_count():
        return rows
    hashes, codes = texts.hash(), rows.codes(across)
    order = hashes.arg_sort()
    hashed, group = hashes.gather(order), codes.gather(order)
    crossing = hashed.filter((hashed == hashed.shift(1)) & group.ne_missing(group.shift(1))).unique()
    known = texts.is_not_null()
    return rows.where(known & hashes.is_in(crossing.implode()) if len(crossing) else known & False)
