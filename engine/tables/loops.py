"""What goes through the rows of a table, over its columns instead."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..expressions.values import VISIT
from . import operations
from .cells import Cells, NotColumnar
from .table import ColumnList, Frame, Table

if TYPE_CHECKING:
    import polars

_LARGEST_KEY = 2**62
Aggregate = tuple[str, str, str | None, Any]  # column, `all`, `any`, `count` or `distinct`, field, what stands for null


def _condition(of: Any) -> "polars.Series":
    if not isinstance(of, Cells) or of.kind != "boolean":
        raise NotColumnar
    return of.values


def filter_(rows: Table, condition: Any) -> Table:
    return rows.where(_condition(condition))


def count(rows: Table, condition: Any) -> int:
    return int(_condition(condition).sum())


def each(rows: Table, found: Any) -> ColumnList:
    if not isinstance(found, Cells):
        raise NotColumnar
    return ColumnList(found)


def weight_of_texts(of: Cells) -> int:
    """The steps that looking inside each member costs."""
    return int((of.values.str.len_chars() // 8).sum()) if of.kind == "text" else 0


def weight(of: ColumnList) -> int:
    """The steps that looking at a column and inside each member costs."""
    return 3 * len(of) + VISIT + weight_of_texts(of.cells)


def grouped(rows: Table, by: Sequence[str], aggregates: Sequence[Aggregate]) -> Table:
    """A row a group in order of first appearance: the fields of `by`, then what the aggregates make of the rows."""
    import polars

    keys = _keys([rows.codes(name) for name in by])
    needed = {field: _aggregated(rows, kind, field) for _, kind, field, _ in aggregates if field is not None}
    names = [f"key {number}" for number in range(len(keys))]
    named = dict(zip(names, keys, strict=True)) | needed
    frame = polars.DataFrame([series.alias(name) for name, series in named.items()])
    wanted = [_EXPRESSIONS[kind](field or "").alias(f"column {name}") for name, kind, field, _ in aggregates]
    found = (
        frame.with_columns(place=polars.int_range(len(rows), dtype=polars.UInt32))
        .group_by(names, maintain_order=True)
        .agg(polars.col("place").first(), *wanted)
    )
    columns = {name: rows.cells(name).picked(found["place"]) for name in by}
    for name, _, _, default in aggregates:
        cells = Cells(_as_kept(found[f"column {name}"]))
        columns[name] = cells if default is None else operations.or_else(cells, default)
    return Table(Frame(columns), len(found))


def _keys(codes: "list[polars.Series]") -> "list[polars.Series]":
    """One number for several where it can be, which is grouped faster."""
    joined = codes[0].cast(_key_type())
    for series in codes[1:]:
        low, high = _bounds(series)
        most, width = max(map(abs, _bounds(joined))), high - low + 2
        if joined.null_count() or (most + 1) * width >= _LARGEST_KEY:
            return codes
        joined = joined * width + (series.cast(_key_type()) - low).fill_null(width - 1)
    return [joined]


def _bounds(series: "polars.Series") -> tuple[int, int]:
    """The least and the greatest of some integers; 0 of none."""
    return int(series.min() or 0), int(series.max() or 0)  # type: ignore[arg-type]


def _key_type() -> Any:
    import polars

    return polars.Int64


def _aggregated(rows: Table, kind: str, field: str) -> "polars.Series":
    if kind == "distinct":
        return rows.codes(field)
    cells = rows.cells(field)
    if cells.kind != "boolean":
        raise NotColumnar
    return cells.values


def _as_kept(series: "polars.Series") -> "polars.Series":
    """Counts are kept as integers are."""
    import polars

    return series.cast(polars.Int64) if series.dtype.is_integer() else series


def _all(field: str) -> "polars.Expr":
    import polars

    return polars.col(field).all(ignore_nulls=False)


def _any(field: str) -> "polars.Expr":
    import polars

    return polars.col(field).any(ignore_nulls=False)


def _count(field: str) -> "polars.Expr":
    import polars

    return polars.len()


def _distinct(field: str) -> "polars.Expr":
    import polars

    return polars.col(field).drop_nulls().n_unique()


_EXPRESSIONS: dict[str, Callable[[str], Any]] = {"all": _all, "any": _any, "count": _count, "distinct": _distinct}


# ---------------------------------------------------------------- built-in functions over columns


def distinct(of: Any) -> list[Any] | None:
    """Each value once, in order of first appearance, without nulls. Not of floats: 0.0 and -0.0 are equal."""
    if type(of) is not ColumnList or str(of.cells.values.dtype) == "Float64":
        return None
    return of.cells.values.unique(maintain_order=True).drop_nulls().to_list()


def those_missing(rows: Any, name: str) -> Any:
    """Of a table that numbers its rows, those whose field is null; of others, all."""
    return rows.where(rows.cells(name).values.is_null()) if _is_numbered(rows, name) else rows


def those_repeated(rows: Any, name: str) -> Any:
    """Of a table that numbers its rows, those whose field may occur again: all that do, and hardly any other."""
    if not _is_numbered(rows, name) or str(rows.cells(name).values.dtype) == "Float64":
        return rows
    values = rows.cells(name).values
    known, hashes = values.is_not_null(), values.hash()
    ordered = hashes.filter(known).sort()
    again = ordered.filter(ordered == ordered.shift(1)).unique()
    return rows.where(known & hashes.is_in(again.implode()) if len(again) else known & False)


def _is_numbered(rows: Any, name: str) -> bool:
    """Whether this is a table with this column, whose rows have their number from the file."""
    if type(rows) is not Table or name not in rows.frame.columns or "row" not in rows.frame.columns:
        return False
    numbers = rows.frame.columns["row"]
    return numbers.are_integers and not numbers.values.null_count()
