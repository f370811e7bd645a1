"""What the operators of the language mean, value by value.

Null stays null through arithmetic, ordering and access; x/0 and overflow are null, so no NaN or infinity exists.
`==` is total: null equals only null, true is not 1, 1 equals 1.0. `and`, `or`, `not`, `in` are three-valued.
Operands of a wrong type, which only unchecked data can bring, give null. A list and a single value, or two lists of
equal length, are taken member by member by arithmetic, ordering and logic (`columns`).

These functions define the language: compiled code calls them, or inlines them where the types are known to make that
the same. `pay` takes the number of members that were gone through, of whatever has no bound known beforehand.
"""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from .columns import memberwise, memberwise_alone
from .pixels import is_picture, pixelwise

EXACT_POWER = 64
EXACT_INTEGER = 2**53  # beyond it a 64-bit float cannot count
MAX_RANGE = 1_000_000
MAX_ITEMS = 10_000_000  # members of a list, characters of a text, that an operator may put together
MAX_DEPTH = 32  # lists inside lists through which `.name` reaches
_NUMBERS = (int, float)
_COLLECTIONS = (list, dict)
_FLAT = frozenset({int, float, str, type(None)})
VISIT = 8  # steps of work for a collection, however small
Pay = Callable[[int], None]


def free(cost: int) -> None:
    """For those who need not count."""


def bounded(value: float) -> int | float | None:
    """A finished number: null if not finite, a float where an integer would outgrow 64-bit floats."""
    if type(value) is int:
        if -EXACT_INTEGER <= value <= EXACT_INTEGER:
            return value
        try:
            return float(value)
        except OverflowError:
            return None
    return value if value - value == 0 else None


def _both_numbers(a: Any, b: Any) -> bool:
    return type(a) in _NUMBERS and type(b) in _NUMBERS


# ---------------------------------------------------------------- arithmetic


def add(a: Any, b: Any) -> Any:
    """Numbers add; lists and texts join, null past ten million members or characters; a list takes a number each."""
    if _both_numbers(a, b):
        return bounded(a + b)
    if isinstance(a, list):
        if isinstance(b, list):
            return [*a, *b] if len(a) + len(b) <= MAX_ITEMS else None
        return memberwise(_sum_of_two, a, b) if type(b) in _NUMBERS else None
    if isinstance(b, list):
        return memberwise(_sum_of_two, a, b) if type(a) in _NUMBERS else None
    if isinstance(a, str) and isinstance(b, str):
        return a + b if len(a) + len(b) <= MAX_ITEMS else None
    return pixelwise("add", a, b)


def _sum_of_two(a: Any, b: Any) -> int | float | None:
    return bounded(a + b) if _both_numbers(a, b) else None


def subtract(a: Any, b: Any) -> Any:
    return bounded(a - b) if _both_numbers(a, b) else memberwise(subtract, a, b)


def multiply(a: Any, b: Any) -> Any:
    return bounded(a * b) if _both_numbers(a, b) else memberwise(multiply, a, b)


def divide(a: Any, b: Any) -> Any:
    if _both_numbers(a, b):
        return bounded(a / b) if b != 0 else None
    return memberwise(divide, a, b)


def power(a: Any, b: Any) -> Any:
    """Whole powers up to 64 and square roots are rounded once, alike on every machine; others as its library does."""
    if not _both_numbers(a, b):
        return memberwise(power, a, b)
    if (a == 0 and b < 0) or (a < 0 and b != int(b)):
        return None
    try:
        if abs(b) <= EXACT_POWER and b == int(b):
            return bounded(a**b) if type(a) is type(b) is int and b >= 0 else _rounded_power(a, int(b))
        return math.sqrt(a) if b == 0.5 else bounded(float(a) ** float(b))
    except OverflowError:
        return None


def _rounded_power(a: float, b: int) -> float:
    return float(a) * a if b == 2 and abs(a) < 1e150 else float(Fraction(a) ** b)


def negate(a: Any) -> Any:
    return -a if type(a) in _NUMBERS else memberwise_alone(negate, a)


def count_up(first: Any, last: Any) -> list[int] | None:
    """`first..last`, both ends included; empty when last is smaller. Null over fractions, past a million members, and
    where whole numbers are no longer exact.
    """
    if not _both_numbers(first, last) or first != int(first) or last != int(last) or last - first >= MAX_RANGE:
        return None
    if not -EXACT_INTEGER <= first <= EXACT_INTEGER or not -EXACT_INTEGER <= last <= EXACT_INTEGER:
        return None
    return list(range(int(first), int(last) + 1))


# ---------------------------------------------------------------- comparison


def equal(a: Any, b: Any, pay: Pay = free) -> bool:
    """Equality of any two values; lists and records by their content. Iterative, so depth does not matter."""
    if not isinstance(a, _COLLECTIONS) or not isinstance(b, _COLLECTIONS):
        return _equal_singles(a, b, pay)
    waiting = [(a, b)]
    while waiting:
        x, y = waiting.pop()
        if isinstance(x, dict) and isinstance(y, dict):
            if x.keys() != y.keys():
                return False
            pay(len(x) + VISIT)
            waiting += [(x[key], y[key]) for key in x]
        elif isinstance(x, list) and isinstance(y, list):
            if len(x) != len(y):
                return False
            pay(len(x) + VISIT)
            if is_flat(x) and is_flat(y):
                if x != y:
                    return False
            else:
                waiting += zip(x, y, strict=True)
        elif not _equal_singles(x, y, pay):
            return False
    return True


def is_flat(of: Iterable[Any]) -> bool:
    """Whether there are only numbers, texts and nulls, which Python compares as the language does."""
    return _FLAT.issuperset(map(type, of))


def _equal_singles(a: Any, b: Any, pay: Pay) -> bool:
    if type(a) is str and type(b) is str:
        if len(a) == len(b):
            pay(len(a) >> 6)
        return a == b
    if is_picture(a) or is_picture(b):
        return a is b
    return (type(a) is bool) == (type(b) is bool) and a == b


def equal_texts(a: str | None, b: str | None, pay: Pay) -> bool:
    """`==` where both sides are known to be text or null."""
    if a is not None and b is not None and len(a) == len(b):
        pay(len(a) >> 6)
    return a == b


def _ordered(a: Any, b: Any) -> bool:
    return _both_numbers(a, b) or (isinstance(a, str) and isinstance(b, str))


def less(a: Any, b: Any) -> Any:
    return a < b if _ordered(a, b) else memberwise(less, a, b)


def at_most(a: Any, b: Any) -> Any:
    return a <= b if _ordered(a, b) else memberwise(at_most, a, b)


def more(a: Any, b: Any) -> Any:
    return a > b if _ordered(a, b) else memberwise(more, a, b)


def at_least(a: Any, b: Any) -> Any:
    return a >= b if _ordered(a, b) else memberwise(at_least, a, b)


def contains(item: Any, among: Any, pay: Pay = free) -> bool | None:
    """`item in among`: a member of a list, a key of a map, a part of a text.

    Null where either is, and where a list holds null but not the item.
    """
    if isinstance(among, str):
        pay(len(among) >> 3)
        return item in among if isinstance(item, str) else None
    if isinstance(among, dict):
        return item in among if isinstance(item, str) else None
    if not isinstance(among, list) or item is None:
        return None
    pay(len(among))
    if isinstance(item, dict) or (isinstance(item, list) and not is_flat(item)):
        found = any(equal(item, one, pay) for one in among)
    else:
        found = _holds(among, item, pay)
    return True if found else (None if None in among else False)


def _holds(among: list, item: Any, pay: Pay) -> bool:
    """Whether a list has a member equal to the item: Python finds candidates, which may hold true in place of 1."""
    if isinstance(item, list):
        pay(len(among) * len(item))
    start = 0
    try:
        while not equal(among[start := among.index(item, start)], item, pay):
            start += 1
    except ValueError:
        return False
    return True


# ---------------------------------------------------------------- logic


def both(a: Any, b: Any) -> Any:
    """Three-valued `and`: false wins, then null."""
    if isinstance(a, list) or isinstance(b, list):
        return memberwise(both, a, b, null_is_known=True)
    if a is False or b is False:
        return False
    return True if a is True and b is True else pixelwise("both", a, b)


def either(a: Any, b: Any) -> Any:
    """Three-valued `or`: true wins, then null."""
    if isinstance(a, list) or isinstance(b, list):
        return memberwise(either, a, b, null_is_known=True)
    if a is True or b is True:
        return True
    return False if a is False and b is False else pixelwise("either", a, b)


def opposite(a: Any) -> Any:
    return not a if type(a) is bool else memberwise_alone(opposite, a)


def both_of(*links: Any) -> Any:
    """The `and` of a chained comparison."""
    joined = links[0]
    for link in links[1:]:
        joined = both(joined, link)
    return joined


# ---------------------------------------------------------------- access


def field(of: Any, name: str, pay: Pay = free, levels: int = MAX_DEPTH) -> Any:
    """`of.name`: of a record the field, of a list the list of its members' fields."""
    if isinstance(of, dict):
        return of.get(name)
    if isinstance(of, list) and levels:
        pay(2 * len(of))
        if hasattr(of, "column"):
            return of.column(name)  # type: ignore[attr-defined]
        return [member.get(name) if type(member) is dict else field(member, name, pay, levels - 1) for member in of]
    return None


def index(of: Any, key: Any, pay: Pay = free) -> Any:
    """`of[key]`: of a list the member at a whole number from 0, of a map the value under a key; null where none is."""
    if isinstance(of, list):
        if type(key) not in _NUMBERS or key != int(key) or not 0 <= key < len(of):
            return None
        return of[int(key)]
    if isinstance(of, dict) and isinstance(key, (str, *_NUMBERS)):
        return of.get(key) if isinstance(key, str) else table_value(of, key, pay)
    return None


def table_value(table: Any, key: Any, pay: Pay = free) -> Any:
    """The entry of a table whose key equals the value as the language compares; null where none does."""
    if isinstance(key, _COLLECTIONS) or key not in table:
        return None
    pay(len(table))
    return next((value for known, value in table.items() if equal(known, key)), None)
