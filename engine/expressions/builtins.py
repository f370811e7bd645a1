"""The functions of the language that need no module: over numbers, lists, tables and records.

They are total. An argument annotated without `| None` is never null here: the call is null where the argument is.
A condition counts as met only where it is true. Order is that of the input unless the name says otherwise.
"""

import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from ..tables import loops
from . import values
from .equality import canonical
from .table_builtins import invalid, malformed, missing, repeated, unreadable
from .values import MAX_ITEMS, is_flat

T = TypeVar("T")
U = TypeVar("U")
_NUMBERS = frozenset({int, float})
_BOOLEANS = frozenset({bool})


# ---------------------------------------------------------------- numbers


def abs_(x: float) -> float:
    """The distance of a number from 0."""
    return abs(x)


def ceil(x: float) -> int | float | None:
    """The least whole number that is not below x."""
    return values.bounded(math.ceil(x))


def floor(x: float) -> int | float | None:
    """The greatest whole number that is not above x."""
    return values.bounded(math.floor(x))


def round_(x: float, digits: int = 0) -> int | float | None:
    """x to a whole number, halves to the even one; with `digits`, to that many decimals of the exact binary value."""
    if digits == 0:
        return values.bounded(round(x))
    try:
        return values.bounded(round(float(x), max(-400, min(400, int(digits)))))
    except OverflowError:
        return None


def sqrt(x: float) -> float | None:
    """The square root; null of a negative number."""
    return math.sqrt(x) if x >= 0 else None


def min_(*of: Any) -> float | None:
    """The least of several numbers or of one list; null where one is null, and of nothing."""
    return _extreme(of, min)


def max_(*of: Any) -> float | None:
    """The greatest of several numbers or of one list; null where one is null, and of nothing."""
    return _extreme(of, max)


def _extreme(of: tuple, choose: Callable) -> float | None:
    members = of[0] if len(of) == 1 and isinstance(of[0], list) else of
    return choose(members) if members and _are_numbers(members) else None


def _are_numbers(members: Iterable[Any]) -> bool:
    return _NUMBERS.issuperset(map(type, members))


def credit(x: float, *, full: float, zero: float) -> float | None:
    """1 at `full` and beyond, 0 at `zero` and beyond, straight between; exact at both points.

    Null where they are equal.
    """
    if full == zero:
        return None
    rising = full > zero
    if (x >= full) if rising else (x <= full):
        return 1.0
    if (x <= zero) if rising else (x >= zero):
        return 0.0
    width = full - zero
    if width - width == 0:
        return (x - zero) / width
    return (x / 2 - zero / 2) / (full / 2 - zero / 2)  # the width itself is no 64-bit float


# ---------------------------------------------------------------- lists


def count(of: Sequence[T], where: Callable[[T], bool | None] | None = None) -> int:
    """How many members there are, or how many meet the condition. 0 of nothing."""
    if where is None:
        return len(of)
    return len([1 for member in of if where(member) is True])


def filter_(of: Sequence[T], where: Callable[[T], bool | None]) -> list[T]:
    """The members that meet the condition."""
    return [member for member in of if where(member) is True]


def map_(of: Sequence[T], each: Callable[[T], U]) -> list[U]:
    """What the function gives for each member."""
    return [each(member) for member in of]


def all_(of: Sequence[T], where: Callable[[T], bool | None] | None = None) -> bool | None:
    """Whether every member is true or meets the condition: false wins, then null. True of nothing."""
    answers = _answers(of, where)
    if any(answer is False for answer in answers):
        return False
    return True if all(answer is True for answer in answers) else None


def _answers(of: Sequence[T], each: Callable[[T], U] | None) -> Sequence[T | U]:
    """The members, or what a function gives for each."""
    return of if each is None else [each(member) for member in of]


def any_(of: Sequence[T], where: Callable[[T], bool | None] | None = None) -> bool | None:
    """Whether some member is true or meets the condition: true wins, then null. False of nothing."""
    answers = _answers(of, where)
    if any(answer is True for answer in answers):
        return True
    return False if all(answer is False for answer in answers) else None


def share(of: Sequence[T], where: Callable[[T], bool | None] | None = None) -> float | None:
    """The part of the members that are true or meet the condition, by one division. Null of nothing or with a null."""
    answers = _answers(of, where)
    if not answers or not _BOOLEANS.issuperset(map(type, answers)):
        return None
    return answers.count(True) / len(answers)


def sum_(of: Sequence[float | None]) -> int | float | None:
    """The sum, rounded once; whole of whole numbers. 0 of nothing, null with a null."""
    if not _are_numbers(of):
        return None
    if float not in map(type, of):
        return values.bounded(sum(of))  # type: ignore[arg-type]
    return _exact_sum(of)


def _exact_sum(of: Sequence) -> float | None:
    """The sum as a float, whatever the order; only a sum that is itself too large is null."""
    try:
        return values.bounded(math.fsum(of))
    except OverflowError:
        return _as_float(sum(map(Fraction, of), Fraction(0)))


def _as_float(exact: Fraction) -> float | None:
    try:
        return float(exact)
    except OverflowError:
        return None


def mean(of: Sequence[T], each: Callable[[T], float | None] | None = None) -> float | None:
    """The arithmetic mean, of the members or of what `each` gives. Null of nothing, and with a null."""
    numbers: Sequence[Any] = _answers(of, each)
    if not numbers or not _are_numbers(numbers):
        return None
    total = _exact_sum(numbers)
    if total is None:  # only the sum is too large for a float
        return float(sum(map(Fraction, numbers), Fraction(0)) / len(numbers))
    return total / len(numbers)


def median(of: Sequence[float | None]) -> float | None:
    """The middle number, or the mean of the two in the middle. Null of nothing, and with a null."""
    return percentile(of, 50)


def percentile(of: Sequence[float | None], q: float) -> float | None:
    """The q-th percentile (0 to 100) by linear interpolation between order statistics (Hyndman and Fan's type 7)."""
    if not of or not 0 <= q <= 100 or not _are_numbers(of):
        return None
    ordered = sorted(of)  # type: ignore[type-var]
    at = (len(ordered) - 1) * q / 100
    low = min(int(at), len(ordered) - 1)
    high = min(low + 1, len(ordered) - 1)
    step = ordered[high] - ordered[low]
    if step - step == 0:
        return values.bounded(ordered[low] + step * (at - low))
    return ordered[low] * (1 - (at - low)) + ordered[high] * (at - low)  # the step itself is no 64-bit float


def _order(key: Any) -> tuple:
    """Numbers before texts before everything else; null last."""
    if type(key) in _NUMBERS:
        return (0, key)
    if isinstance(key, str):
        return (1, key)
    return (3,) if key is None else (2,)


def sort(of: Sequence[T], by: Callable[[T], Any] | None = None) -> list[T]:
    """The members from the smallest to the largest: numbers, then texts, then others; null ones come last.

    Equal ones and others keep their order.
    """
    keys = list(of) if by is None else [by(member) for member in of]
    ranks = keys if _are_numbers(keys) else [_order(key) for key in keys]
    return [of[place] for place in sorted(range(len(of)), key=ranks.__getitem__)]  # type: ignore[arg-type]


def first(of: Sequence[T]) -> T | None:
    """The first member; null of nothing."""
    return of[0] if of else None


def last(of: Sequence[T]) -> T | None:
    """The last member; null of nothing."""
    return of[-1] if of else None


def take(of: Sequence[T], n: int) -> list[T]:
    """The first n members."""
    return list(of[: max(0, int(n))])


def skip(of: Sequence[T], n: int) -> list[T]:
    """All but the first n members."""
    return list(of[max(0, int(n)) :])


def only(of: Sequence[T], where: Callable[[T], bool | None] | None = None) -> T | None:
    """The one member that meets the condition; null where none or several do."""
    found = list(of) if where is None else filter_(of, where)
    return found[0] if len(found) == 1 else None


def distinct(of: Sequence[T]) -> list[T]:
    """Each value once, in order of first appearance; nulls are left out."""
    found = loops.distinct(of)
    return found if found is not None else first_of_each([m for m in of if m is not None], lambda member: member)


def first_of_each(of: Sequence[T], by: Callable[[T], Any]) -> list[T]:
    """Of members with equal `by`, the first."""
    found: dict[Hashable, Any] = {}
    for key, member in zip(_keys(of, by), of, strict=True):
        if key not in found:
            found[key] = member
    return list(found.values())


def _keys(of: Sequence[T], by: Callable[[T], Any]) -> list[Hashable]:
    """What `by` gives for each member, as keys that are the same exactly where the language calls them equal."""
    found = [by(member) for member in of]
    return found if is_flat(found) else [canonical(key) for key in found]


def last_of_each(of: Sequence[T], by: Callable[[T], Any]) -> list[T]:
    """Of members with equal `by`, the last, at the place of the first."""
    return list(dict(zip(_keys(of, by), of, strict=True)).values())


def repeat(of: Sequence[T], times: int) -> list[T] | None:
    """The list, that many times over; null where the result would be longer than ten million."""
    if not of or times < 1:
        return []
    return list(of) * int(times) if len(of) * times <= MAX_ITEMS else None


def flatten(of: Sequence[Sequence[T] | None]) -> list[T] | None:
    """The members of the members; nulls count as empty. Null where the result would be longer than ten million."""
    lists = [member for member in of if isinstance(member, list)]
    if sum(map(len, lists)) > MAX_ITEMS:
        return None
    return [inner for member in lists for inner in member]


def lookup(of: Sequence[T], by: Callable[[T], Any], key: Any) -> T | None:
    """The one member whose `by` equals the key; null where none or several do."""
    wanted = canonical(key)
    found = [member for known, member in zip(_keys(of, by), of, strict=True) if known == wanted]
    return found[0] if len(found) == 1 else None


# ---------------------------------------------------------------- records, maps and texts


def keys(of: Mapping[str, T]) -> list[str]:
    """The keys of a map, in its order."""
    return [key for key in of if isinstance(key, str)]


def values_(of: Mapping[str, T]) -> list[T]:
    """The values of a map, in its order."""
    return list(of.values())


def key_of_least(of: Mapping[str, T], by: Callable[[T], float | None]) -> str | None:
    """The key whose value's `by` is least, the first of equals; null ones are passed over."""
    ranked = [(by(member), key) for key, member in of.items()]
    ranked = [(number, key) for number, key in ranked if type(number) in _NUMBERS]
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def string(of: Any) -> str | None:
    """Text as it is; numbers and booleans by their JSON text (`12.0`, `true`); null of anything else."""
    if isinstance(of, str):
        return of
    return json.dumps(of) if isinstance(of, (bool, int, float)) else None


_FUNCTIONS = (
    abs_,
    ceil,
    floor,
    round_,
    sqrt,
    min_,
    max_,
    credit,
    count,
    filter_,
    map_,
    all_,
    any_,
    share,
    sum_,
    mean,
    median,
    percentile,
    sort,
    first,
    last,
    take,
    skip,
    only,
    distinct,
    first_of_each,
    last_of_each,
    repeat,
    flatten,
    lookup,
    malformed,
    unreadable,
    invalid,
    missing,
    repeated,
    keys,
    values_,
    key_of_least,
    string,
)

# Over a list these take each member of it.
OVER_COLUMNS = frozenset({"abs", "ceil", "floor", "round", "sqrt", "credit"})

# Steps of work for each member of a list; one for what is not named here.
WORK: Mapping[str, int] = {"sort": 4, "median": 3, "percentile": 3}

# What these cost does not grow with their list, unless they are given a condition.
CONSTANT_TIME = frozenset({"count", "first", "last", "malformed", "unreadable", "invalid"})

# These look at all that is inside what their function gives, or, without one, inside the members.
COMPARING = frozenset({"repeated", "distinct", "first_of_each", "last_of_each", "lookup", "sort"})

# The result of these can be longer than their list.
GROWING = frozenset({"repeat", "flatten"})

BUILTINS: Mapping[str, Callable[..., Any]] = {function.__name__.rstrip("_"): function for function in _FUNCTIONS}
