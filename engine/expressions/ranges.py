"""Interval arithmetic: the range of a result from the ranges of what it is made of."""

import math
import sys
from collections.abc import Callable, Sequence

from .types import Type
from .values import EXACT_INTEGER

Bounds = tuple[float, float]
MOST = sys.float_info.max
LEAST = -MOST
MOST_MEMBERS = 2**40  # more than any list can have
EVERYTHING: Bounds = (-math.inf, math.inf)


def _hull(corners: Sequence[float]) -> Bounds:
    """The least range that holds the corners; 0 times infinity counts as 0, as the limit of finite products."""
    finite = [0.0 if math.isnan(corner) else corner for corner in corners]
    return min(finite), max(finite)


def _product(a: Type, b: Type) -> Bounds:
    return _hull([x * y for x in (a.low, a.high) for y in (b.low, b.high)])


def _quotient(a: Type, b: Type) -> Bounds:
    if b.low <= 0 <= b.high:
        if a.low >= 0 and b.low >= 0:
            return 0.0, math.inf
        return EVERYTHING
    return _hull([x / y for x in (a.low, a.high) for y in (b.low, b.high)])


def arithmetic(operator: str, a: Type, b: Type) -> tuple[float, float, bool]:
    """The bounds of `a operator b`, and whether it can be null though neither operand is: x/0, or an overflow."""
    match operator:
        case "+":
            return _outgrowing(a.low + b.low, a.high + b.high)
        case "-":
            return _outgrowing(a.low - b.high, a.high - b.low)
        case "*":
            return _outgrowing(*_product(a, b))
        case "/":
            low, high, outgrows = _outgrowing(*_quotient(a, b))
            return low, high, b.low <= 0 <= b.high or (outgrows and b.high > -1 and b.low < 1)
        case "**":
            return (0.0, math.inf, True) if a.low >= 0 or b.low == b.high == 2 else (*EVERYTHING, True)
    raise ValueError(f"no arithmetic '{operator}'")


def _exact(bound: float) -> float:
    """A bound as the number that it is as a result: past 2^53 a float."""
    if isinstance(bound, int) and abs(bound) > EXACT_INTEGER:
        return float(bound) if abs(bound) <= MOST else math.copysign(math.inf, bound)
    return bound


def _outgrowing(low: float, high: float) -> tuple[float, float, bool]:
    """The bounds of the results that there are, and whether one can be too large for a 64-bit float."""
    low, high = _exact(low), _exact(high)
    fits = low >= LEAST and high <= MOST
    if fits:
        return low, high, False
    return (low if LEAST <= low <= MOST else -math.inf), (high if LEAST <= high <= MOST else math.inf), True


Result = Callable[[Sequence[Type]], tuple[float, float, bool]]


def _absolute(given: Sequence[Type]) -> tuple[float, float, bool]:
    x = given[0]
    least = 0.0 if x.low <= 0 <= x.high else min(abs(x.low), abs(x.high))
    return least, max(abs(x.low), abs(x.high)), x.whole


def _rounded(how: Callable[[float], float]) -> Result:
    def rule(given: Sequence[Type]) -> tuple[float, float, bool]:
        low, high = (float(how(bound)) if math.isfinite(bound) else bound for bound in (given[0].low, given[0].high))
        return low, high, True

    return rule


def _rounded_to_digits(given: Sequence[Type]) -> tuple[float, float, bool]:
    """Rounding can leave the range of what is rounded, by how much depends on the digits."""
    if len(given) == 1:
        return _rounded(round)(given)
    digits = given[1]
    if digits.low == digits.high and digits.low >= 0 and all(map(math.isfinite, (given[0].low, given[0].high))):
        places = min(int(digits.low), 400)
        return round(float(given[0].low), places), round(float(given[0].high), places), False
    return *EVERYTHING, False


def _root(given: Sequence[Type]) -> tuple[float, float, bool]:
    return math.sqrt(max(given[0].low, 0.0)), math.sqrt(max(given[0].high, 0.0)), False


def _extreme(choose: Callable) -> Result:
    def rule(given: Sequence[Type]) -> tuple[float, float, bool]:
        members = given
        if len(given) == 1 and given[0].kind == "list":
            members = [given[0].element] if given[0].element else []
        if not members or any(member.kind != "number" for member in members):
            return *EVERYTHING, False
        return (
            choose(member.low for member in members),
            choose(member.high for member in members),
            all(member.whole for member in members),
        )

    return rule


def _average(given: Sequence[Type]) -> tuple[float, float, bool]:
    element = given[0].element if given and given[0].kind == "list" else None
    if len(given) == 1 and element is not None and element.kind == "number":
        return element.low, element.high, False
    return *EVERYTHING, False


# By the name of a built-in function; the types of the arguments come in the order of its parameters.
RESULTS: dict[str, Result] = {
    "abs": _absolute,
    "ceil": _rounded(math.ceil),
    "floor": _rounded(math.floor),
    "round": _rounded_to_digits,
    "min": _extreme(min),
    "max": _extreme(max),
    "sqrt": _root,
    "credit": lambda given: (0.0, 1.0, False),
    "malformed": lambda given: (0, MOST_MEMBERS, True),
    "count": lambda given: (0, MOST_MEMBERS, True),
    "share": lambda given: (0.0, 1.0, False),
    "mean": _average,
    "median": _average,
}


def never_null(label: str, given: Sequence[Type]) -> bool:
    """Whether a built-in function surely gives a number for arguments of these types, though not for all."""
    if any(type_.kind != "number" or type_.nullable for type_ in given):
        return False
    match label:
        case "abs" | "ceil" | "floor":
            return True
        case "round":
            return len(given) == 1
        case "min" | "max":
            return len(given) > 1
        case "sqrt":
            return given[0].low >= 0
        case "credit":
            full, zero = given[1:]
            return full.high < zero.low or zero.high < full.low
    return False
