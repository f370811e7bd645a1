"""What the operators of the language mean, value by value.

Null stays null through arithmetic, ordering and access; x/0 and overflow are null, so no NaN or infinity exists.
`==` is total: null equals only null, true is not 1, 1 equals 1.0. `and`, `or`, `not`, `in` are three-valued.
Operands of a wrong type, which only unchecked data can bring, give null. These functions define the language:
compiled code calls them, or inlines them where the types are known to make that the same.
"""

from collections.abc import Mapping
from typing import Any

EXACT_INTEGER = 2**53  # beyond it a 64-bit float cannot count
MAX_RANGE = 1_000_000
_NUMBERS = (int, float)


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


def add(a: Any, b: Any) -> Any:
    """Numbers add; lists and texts join."""
    if a is None or b is None:
        return None
    if _both_numbers(a, b):
        return bounded(a + b)
    if isinstance(a, list) and isinstance(b, list):
        return [*a, *b]
    return a + b if isinstance(a, str) and isinstance(b, str) else None


def subtract(a: Any, b: Any) -> int | float | None:
    return bounded(a - b) if _both_numbers(a, b) else None


def multiply(a: Any, b: Any) -> int | float | None:
    return bounded(a * b) if _both_numbers(a, b) else None


def divide(a: Any, b: Any) -> float | None:
    return bounded(a / b) if _both_numbers(a, b) and b != 0 else None


def power(a: Any, b: Any) -> int | float | None:
    """In 64-bit floats, so that no tower of powers can grow; a whole result of whole operands stays whole."""
    if not _both_numbers(a, b) or (a == 0 and b < 0) or (a < 0 and b != int(b)):
        return None
    try:
        value = float(a) ** float(b)
    except OverflowError:
        return None
    whole = type(a) is int and type(b) is int and b >= 0 and abs(value) <= EXACT_INTEGER
    return int(value) if whole else bounded(value)


def negate(a: Any) -> int | float | None:
    return -a if type(a) in _NUMBERS else None


def count_up(first: Any, last: Any) -> list[int] | None:
    """`first..last`, both ends included; empty when last is smaller. Null over fractions and past a million members."""
    if not _both_numbers(first, last) or first != int(first) or last != int(last) or last - first >= MAX_RANGE:
        return None
    return list(range(int(first), int(last) + 1))


def equal(a: Any, b: Any) -> bool:
    """Equality of any two values; lists and records by their content. Iterative, so depth does not matter."""
    if type(a) is type(b) and not isinstance(a, (list, dict)):
        return a == b
    waiting = [(a, b)]
    while waiting:
        x, y = waiting.pop()
        if isinstance(x, Mapping) and isinstance(y, Mapping):
            if x.keys() != y.keys():
                return False
            waiting += [(x[key], y[key]) for key in x]
        elif isinstance(x, list) and isinstance(y, list):
            if len(x) != len(y):
                return False
            waiting += zip(x, y, strict=True)
        elif (type(x) is bool) != (type(y) is bool) or x != y:
            return False
    return True


def _ordered(a: Any, b: Any) -> bool:
    return _both_numbers(a, b) or (isinstance(a, str) and isinstance(b, str))


def less(a: Any, b: Any) -> bool | None:
    return a < b if _ordered(a, b) else None


def at_most(a: Any, b: Any) -> bool | None:
    return a <= b if _ordered(a, b) else None


def more(a: Any, b: Any) -> bool | None:
    return a > b if _ordered(a, b) else None


def at_least(a: Any, b: Any) -> bool | None:
    return a >= b if _ordered(a, b) else None


def contains(item: Any, among: Any) -> bool | None:
    """`item in among`: a member of a list, a key of a map, a part of a text. Null in or for null, unless it is found."""
    if isinstance(among, str):
        return item in among if isinstance(item, str) else None
    if isinstance(among, Mapping):
        return item in among if isinstance(item, str) else None
    if not isinstance(among, list) or item is None:
        return None
    if any(equal(item, member) for member in among):
        return True
    return None if any(member is None for member in among) else False


def both(a: Any, b: Any) -> bool | None:
    """Three-valued `and`: false wins, then null."""
    if a is False or b is False:
        return False
    return True if a is True and b is True else None


def either(a: Any, b: Any) -> bool | None:
    """Three-valued `or`: true wins, then null."""
    if a is True or b is True:
        return True
    return False if a is False and b is False else None


def opposite(a: Any) -> bool | None:
    return not a if type(a) is bool else None


def field(of: Any, name: str) -> Any:
    """`of.name`: of a record the field, of a list the list of its members' fields."""
    if isinstance(of, Mapping):
        return of.get(name)
    if isinstance(of, list):
        return [field(member, name) for member in of]
    return None


def index(of: Any, key: Any) -> Any:
    """`of[key]`: of a list the member at a whole number from 0, of a map the value under a key; null where none is."""
    if isinstance(of, list):
        if type(key) not in _NUMBERS or key != int(key) or not 0 <= key < len(of):
            return None
        return of[int(key)]
    if isinstance(of, Mapping) and isinstance(key, (str, *_NUMBERS)):
        return of.get(key) if isinstance(key, str) else table_value(of, key)
    return None


def table_value(table: Mapping, key: Any) -> Any:
    """The entry of a table whose key equals the value as the language compares; null where none does."""
    return next((value for known, value in table.items() if equal(known, key)), None)
