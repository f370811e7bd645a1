"""Interval arithmetic: the range of a result from the ranges of what it is made of."""

import math
from collections.abc import Callable, Sequence

from .types import Type

Bounds = tuple[float, float]
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
    """The bounds of `a operator b`, and whether it can be null though neither operand is."""
    match operator:
        case "+":
            return *_hull_of_sums(a.low + b.low, a.high + b.high), False
        case "-":
            return *_hull_of_sums(a.low - b.high, a.high - b.low), False
        case "*":
            return *_product(a, b), False
        case "/":
            return *_quotient(a, b), b.low <= 0 <= b.high
        case "**":
            return (0.0, math.inf, True) if a.low >= 0 or b.low == b.high == 2 else (*EVERYTHING, True)
    raise ValueError(f"no arithmetic '{operator}'")


def _hull_of_sums(low: float, high: float) -> Bounds:
    return (-math.inf if math.isnan(low) else low), (math.inf if math.isnan(high) else high)


Result = Callable[[Sequence[Type]], tuple[float, float, bool]]


def _absolute(given: Sequence[Type]) -> tuple[float, float, bool]:
    x = given[0]
    least = 0.0 if x.low <= 0 <= x.high else min(abs(x.low), abs(x.high))
    return least, max(abs(x.low), abs(x.high)), x.whole


def _rounded(how: Callable[[float], float]) -> Result:
    def rule(given: Sequence[Type]) -> tuple[float, float, bool]:
        low, high = (how(bound) if math.isfinite(bound) else bound for bound in (given[0].low, given[0].high))
        return low, high, True

    return rule


def _round(given: Sequence[Type]) -> tuple[float, float, bool]:
    if len(given) == 1:
        return _rounded(round)(given)
    digits = given[1].words if given[1].kind == "number" else None
    if digits is not None and len(digits) == 1 and 0 <= digits[0] <= 300:
        return *_rounded(lambda bound: round(float(bound), int(digits[0])))(given)[:2], False
    return *EVERYTHING, False


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


RESULTS: dict[str, Result] = {
    "abs": _absolute,
    "ceil": _rounded(math.ceil),
    "floor": _rounded(math.floor),
    "round": _round,
    "min": _extreme(min),
    "max": _extreme(max),
    "sqrt": lambda given: (0.0, math.inf, False),
    "credit": lambda given: (0.0, 1.0, False),
    "malformed": lambda given: (0, math.inf, True),
    "count": lambda given: (0, math.inf, True),
    "share": lambda given: (0.0, 1.0, False),
    "mean": _average,
    "median": _average,
}
