"""The operators of the language over whole columns, to the same values as row by row.

An operand is `Cells`, or one number, text or truth value. What cannot be done exactly raises `NotColumnar`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..expressions.values import EXACT_INTEGER
from .cells import Cells, NotColumnar

if TYPE_CHECKING:
    import polars

Operand = Any
_SQUARES_EXACT_BELOW = 1e150  # below it a square is the product of a number with itself, rounded once


def _kind(of: Operand) -> str:
    if isinstance(of, Cells):
        return of.kind
    if type(of) is int and not -EXACT_INTEGER <= of <= EXACT_INTEGER:
        raise NotColumnar
    kind = {bool: "boolean", int: "number", float: "number", str: "text"}.get(type(of))
    if kind is None:
        raise NotColumnar
    return kind


def _plain(of: Operand) -> Any:
    return of.values if isinstance(of, Cells) else of


def _as_floats(of: Operand) -> Any:
    return of.floats() if isinstance(of, Cells) else float(of)


def _comparable(a: Operand, b: Operand, *kinds: str) -> tuple[Any, Any]:
    """Both operands as polars compares them."""
    kind = _kind(a)
    if kind != _kind(b) or kind not in kinds or not (isinstance(a, Cells) or isinstance(b, Cells)):
        raise NotColumnar
    both_integers = all(of.are_integers if isinstance(of, Cells) else type(of) is int for of in (a, b))
    if kind == "number" and not both_integers:
        return _as_floats(a), _as_floats(b)
    return _plain(a), _plain(b)


def compare(operator: str, a: Operand, b: Operand) -> Cells:
    """`< <= > >=`; null where either is."""
    x, y = _comparable(a, b, "number", "text")
    match operator:
        case "<":
            return Cells(x < y)
        case "<=":
            return Cells(x <= y)
        case ">":
            return Cells(x > y)
        case _:
            return Cells(x >= y)


def equal(a: Operand, b: Operand) -> Cells:
    """`==`, which is never null; None stands for null itself."""
    if a is None or b is None:
        other = b if a is None else a
        if not isinstance(other, Cells):
            raise NotColumnar
        return Cells(other.values.is_null())
    x, y = _comparable(a, b, "number", "text", "boolean")
    if isinstance(a, Cells) and isinstance(b, Cells):
        return Cells(x.eq_missing(y))
    return Cells((x == y).fill_null(False))


def unequal(a: Operand, b: Operand) -> Cells:
    return Cells(~equal(a, b).values)


def _truth(of: Operand) -> "polars.Series":
    if not isinstance(of, Cells) or of.kind != "boolean":
        raise NotColumnar
    return of.values


def both(a: Operand, b: Operand) -> Cells:
    """`and`: false wins, then null."""
    return Cells(_truth(a) & _truth(b))


def either(a: Operand, b: Operand) -> Cells:
    """`or`: true wins, then null."""
    return Cells(_truth(a) | _truth(b))


def opposite(a: Operand) -> Cells:
    return Cells(~_truth(a))


def choose(test: Operand, then: Operand, otherwise: Operand) -> Cells:
    """`then if test else otherwise`, where one of both may be null itself."""
    wanted = _truth(test).fill_null(False)
    kinds = {_kind(of) for of in (then, otherwise) if of is not None}
    if len(kinds) != 1:
        raise NotColumnar
    sides = [_column(of, len(wanted), kinds) for of in (then, otherwise)]
    mixed = len({side.values.dtype for side in sides}) > 1 or any(side.whole is not None for side in sides)
    if not mixed:
        return Cells(sides[0].values.zip_with(wanted, sides[1].values))
    values = sides[0].floats().zip_with(wanted, sides[1].floats())
    return Cells(values, sides[0].wholes().zip_with(wanted, sides[1].wholes()))


def _column(of: Operand, size: int, kinds: set[str]) -> Cells:
    """A single value as a column of it; null of the kind that the other side has."""
    import polars

    if isinstance(of, Cells):
        return of
    if of is None:
        type_ = {"text": polars.String, "boolean": polars.Boolean, "number": polars.Int64}[next(iter(kinds))]
        return Cells(polars.repeat(None, size, dtype=type_, eager=True))
    type_ = {str: polars.String, bool: polars.Boolean, int: polars.Int64, float: polars.Float64}[type(of)]
    return Cells(polars.repeat(of, size, dtype=type_, eager=True))


def or_else(a: Operand, b: Operand) -> Cells:
    """`a ?? b`."""
    if not isinstance(a, Cells):
        raise NotColumnar
    return choose(Cells(a.values.is_not_null()), a, b)


# ---------------------------------------------------------------- arithmetic


def _both_numbers(a: Operand, b: Operand) -> None:
    if _kind(a) != "number" or _kind(b) != "number" or not (isinstance(a, Cells) or isinstance(b, Cells)):
        raise NotColumnar


def _are_whole(of: Operand) -> "polars.Series | bool":
    """Which members are integers, or whether all are."""
    if isinstance(of, Cells):
        return of.are_integers if of.whole is None else of.whole
    return type(of) is int


def _both_whole(a: Operand, b: Operand) -> "polars.Series | bool":
    x, y = _are_whole(a), _are_whole(b)
    if x is False or y is False:
        return False
    return y if x is True else x if y is True else x & y


def calculate(operator: str, a: Operand, b: Operand) -> Cells:
    """`+ - * /`; null past any float and where a divisor is 0."""
    _both_numbers(a, b)
    x, y = _as_floats(a), _as_floats(b)
    results: dict[str, Callable[[], Any]] = {
        "+": lambda: x + y,
        "-": lambda: x - y,
        "*": lambda: x * y,
        "/": lambda: x / y,
    }
    return _finished(results[operator](), False if operator == "/" else _both_whole(a, b))


def square(a: Operand) -> Cells:
    """`a ** 2`."""
    if not isinstance(a, Cells) or a.kind != "number":
        raise NotColumnar
    x = a.floats()
    if (x.abs() >= _SQUARES_EXACT_BELOW).any():
        raise NotColumnar
    return _finished(x * x, _are_whole(a))


def negate(a: Operand) -> Cells:
    if not isinstance(a, Cells) or a.kind != "number":
        raise NotColumnar
    return _finished(-a.floats(), _are_whole(a))


def _finished(values: "polars.Series", whole: "polars.Series | bool") -> Cells:
    """A column of results: null where one is not finite, a float where an integer would outgrow floats."""
    import polars

    finite = values.is_finite()
    if not finite.all():
        values = values.set(~finite.fill_null(False), None)
    if whole is False:
        return Cells(values)
    size = values.abs()
    if (size == EXACT_INTEGER).any():
        raise NotColumnar  # it may be exact, or one more that was rounded
    large = size > EXACT_INTEGER
    if whole is True and not large.any():
        return Cells(values.cast(polars.Int64))
    whole = ~large.fill_null(False) if whole is True else whole & ~large.fill_null(False)
    return Cells(values.set((values == 0) & whole, 0.0), whole)  # an integer has no negative zero
