"""One-to-one matching of predictions with a truth.

Conventions
-----------
* No row takes part in two pairs. Rows that no pair can contain are no fault; they stay unmatched.
* As many pairs as possible are made. Among all such matchings one is singled out: go through the possible pairs in the
  order of (distance, truth index, predicted index) and keep a pair if as many pairs as possible can still be made
  with all pairs kept so far. It is unique, and it is not the same as taking the nearest pairs greedily, which can
  lose pairs: of truths at 1.0 and 2.0 and predictions at 1.6 and 2.9, within 1, the nearest pair (2.0, 1.6) is not
  kept, because with (1.0, 1.6) and (2.0, 2.9) there are two.
* Comparison is exact. A limit that is reached counts; two floats written 0.05 apart may differ by a little more than
  the float 0.05, so callers whose times are not whole numbers add a guard of their own to `within`.
* Intervals are half-open, [start, end): those that only touch share nothing.
* Equality is that of data: null equals only null (an absent field is null), true is not 1, 1 equals 1.0, lists and
  mappings are compared by content. NaN equals nothing.

Methods: Berge's augmenting paths, in rounds as Hopcroft and Karp (SIAM J. Comput. 2, 1973) have them, exchanges along
alternating paths for the rule above, shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987) for the largest
total credit. Glover (Naval Res. Logist. Quart. 14, 1967) matches points within a tolerance in one sweep: as many pairs,
but other ones.

Nothing is recursive and nothing exponential. P predictions cost the time to sort them, and at worst P steps for each
truth. T truths that compete for the same predictions cost up to T^2 steps where the nearest pairs already are a largest
matching, T^3 at worst, and T^3 log T where credit is preferred.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import fsum
from operator import itemgetter, lt
from typing import Any, Literal

from ._assignment import first_optimum
from ._bipartite import first_maximum, first_maximum_among
from ._candidates import Found, Given, Rule, Side, possible_pairs
from ._columns import (
    comparable_column,
    finite_numbers,
    is_finite,
    keys,
    must_be_field_names,
    must_be_rows,
    must_occur,
    shown,
)
from ._edges import partners_of
from .annotations import ArgumentRule, Count, Field, Fields, NonNegative, Row, Rows, Share, rules
from .faults import ArgumentFault

Credit = Callable[[Row, Row], float | None]


@dataclass(frozen=True, init=False)
class Pair:
    """Two rows that belong together, by their indices in the lists given; the distance is in the unit of positions."""

    truth: Count
    predicted: Count
    distance: NonNegative
    credit: float | None = None

    def __init__(self, truth: int, predicted: int, distance: float, credit: float | None = None):
        # A frozen dataclass would set each field by a call, which costs more than finding the pair.
        own = self.__dict__
        own["truth"], own["predicted"], own["distance"], own["credit"] = truth, predicted, distance, credit


@dataclass(frozen=True)
class Pairing:
    """A matching and its counts. `predictions` and `unmatched` include the malformed ones."""

    matched: Count
    unmatched: Count
    truths: Count
    predictions: Count
    credit: float | None
    pairs: tuple[Pair, ...]


@rules(
    ArgumentRule("at", "points belong together when they are near enough", needs=("within",)),
    ArgumentRule("interval", "they say which intervals belong together", needs=("overlap", "within")),
    ArgumentRule("interval", "rows are either points or intervals", excludes=("at",)),
    ArgumentRule("interval", "the fields of start and end", members=2),
    ArgumentRule("overlap", "only intervals can overlap", needs=("interval",)),
    ArgumentRule("within", "a distance is one of positions", needs=("at", "interval")),
    ArgumentRule("prefer", "it says what a pair is worth", word="credit", needs=("credit",)),
)
def pair(
    truth: Rows,
    predicted: Rows,
    *,
    malformed: Count = 0,
    same: Fields = (),
    same_if_given: Fields = (),
    at: Field | None = None,
    interval: Fields = (),
    overlap: Share | None = None,
    within: NonNegative | None = None,
    credit: Credit | None = None,
    prefer: Literal["nearest", "credit"] = "nearest",
) -> Pairing:
    """Pairs rows of `predicted` with rows of `truth`, one to one, as the conventions of this module say.

    Two rows can be a pair if all of these hold:

    * every field of `same` is equal in both;
    * every field of `same_if_given` is equal in both, or null, absent or blank text in one of them;
    * with `at`, a point: the two differ by at most `within`. Their difference is the distance;
    * with `interval`, the names of its start and its end: the intersection over union is at least `overlap`, or both
      ends differ by at most `within`. One of the two may be left out. The larger difference is the distance. The
      intersection over union of intervals that share nothing is 0, also of two empty ones.

    Without `at` and `interval` the distance is 0. Positions are in any unit, `within` in the same one.

    `malformed` predictions, which are not in the list, count as unmatched. `credit(truth, predicted)` says what a pair
    is worth, usually from 0 to 1; the credits of the pairs are added exactly, and the sum is null if one of them is.
    Without `credit` a pair is worth 1.

    `prefer: credit` makes the matching of the largest total credit instead of the largest number of pairs; among equal
    totals that with most pairs, and among these the first as above. It asks for the credit of every possible pair,
    counts null as 0 when choosing, and makes no pair of negative credit.

    ArgumentFault: a position that is null or not a finite number, an interval that ends before it starts, a field that
    no row has, arguments that do not go together.
    """
    must_be_rows(truth, "truth")
    must_be_rows(predicted, "predicted")
    if not isinstance(malformed, int) or isinstance(malformed, bool) or malformed < 0:
        raise ArgumentFault("malformed", f"a count of rows is needed, not {shown(malformed)}")
    fields = [tuple(names) if type(names) is list else names for names in (same, same_if_given, interval)]
    try:
        terms = _terms(*fields, at, overlap, within, prefer, credit is not None)
    except TypeError:  # what has no hash cannot be remembered
        terms = _terms.__wrapped__(*fields, at, overlap, within, prefer, credit is not None)
    pairs = _pairs(truth, predicted, terms, credit, prefer) if truth or predicted else ()
    return Pairing(
        matched=len(pairs),
        unmatched=len(predicted) - len(pairs) + malformed,
        truths=len(truth),
        predictions=len(predicted) + malformed,
        credit=float(len(pairs)) if credit is None else _total([made.credit for made in pairs]),
        pairs=pairs,
    )


def maximum(left: Sequence[Any], right: Sequence[Any], *, possible: Callable[[Any, Any], bool | None]) -> list[Pair]:
    """As many pairs as possible of one member of either list each, where `possible(left, right)` is true.

    Every combination is asked at most once. Among the matchings with most pairs it is the first in the order of (left
    index, right index), as the conventions of this module define it; all distances are 0. The pairs are sorted by the
    left index, which stands as `truth`.
    """
    near: dict[int, Found] = {}
    for i, one in enumerate(left):
        candidates = ((0.0, j) for j, other in enumerate(right) if possible(one, other))
        found = list(islice(candidates, len(left)))  # with one for each on the left, others cannot matter
        if found:
            near[i] = found
    return [Pair(i, j, distance) for distance, i, j in sorted(first_maximum(near), key=_truth_index)]


@dataclass(frozen=True, slots=True)
class _Terms:
    """What two rows must have in common to be a pair. `position` has no field, one for points or two for intervals."""

    same: tuple[str, ...]
    same_if_given: tuple[str, ...]
    position: tuple[str, ...]
    rule: Rule


@lru_cache(maxsize=256, typed=True)  # typed: true is not 1
def _terms(
    same: Fields,
    same_if_given: Fields,
    interval: Fields,
    at: str | None,
    overlap: float | None,
    within: float | None,
    prefer: str,
    has_credit: bool,
) -> _Terms:
    """The arguments that say which rows can be pairs, checked once for all calls that have the same ones."""
    must_be_field_names(same, "same")
    must_be_field_names(same_if_given, "same_if_given")
    if prefer not in ("nearest", "credit"):
        raise ArgumentFault("prefer", f"either nearest or credit is needed, not {shown(prefer)}")
    if prefer == "credit" and not has_credit:
        raise ArgumentFault("prefer", "credit can be preferred only where `credit` says what a pair is worth")
    rule, position = _rule(at, interval, overlap, within), _position(at, interval)
    return _Terms(tuple(same), tuple(same_if_given), position, rule)


def _position(at: str | None, interval: Fields) -> tuple[str, ...]:
    """The fields that say where a row is: none, one for points, two for intervals."""
    must_be_field_names(interval, "interval")
    if at is not None and not isinstance(at, str):
        raise ArgumentFault("at", f"the name of a field is needed, not {shown(at)}")
    if at is not None and interval:
        raise ArgumentFault("interval", "rows are either points, with `at`, or intervals, not both")
    if interval and len(interval) != 2:
        raise ArgumentFault("interval", f"two field names are needed, of start and end, not {len(interval)}")
    return tuple(interval) if at is None else (at,)


def _rule(at: str | None, interval: Fields, overlap: float | None, within: float | None) -> Rule:
    if within is not None and not (is_finite(within) and within >= 0):
        raise ArgumentFault("within", f"a finite number of at least 0 is needed, not {shown(within)}")
    if overlap is not None and not (is_finite(overlap) and 0 <= overlap <= 1):
        raise ArgumentFault("overlap", f"a number from 0 to 1 is needed, not {shown(overlap)}")
    if overlap is not None and not interval:
        raise ArgumentFault("overlap", "only intervals, given by `interval`, can overlap")
    if within is None and at is not None:
        raise ArgumentFault("within", "points, given by `at`, need the largest distance that counts")
    if within is not None and at is None and not interval:
        raise ArgumentFault("within", "a distance needs positions: give `at` or `interval`")
    if within is None and overlap is None and interval:
        raise ArgumentFault("interval", "intervals need `overlap`, `within` or both to say which belong together")
    return Rule(within, overlap) if at is not None or interval else Rule(0)


def _pairs(truth: Rows, predicted: Rows, terms: _Terms, credit: Credit | None, prefer: str) -> tuple[Pair, ...]:
    must_occur(terms.position, "interval" if len(terms.position) == 2 else "at", truth)
    must_occur(terms.same, "same", truth, predicted)
    must_occur(terms.same_if_given, "same_if_given", truth, predicted)
    sides = _side(truth, "truth", terms), _side(predicted, "predicted", terms)
    edges, near = possible_pairs(*sides, terms.rule, all_of_them=prefer == "credit")
    if credit is not None and prefer == "credit":
        near |= partners_of(edges)
        worth = {(t, p): _credit(credit, truth[t], predicted[p]) for t, found in near.items() for _, p in found}
        made = first_optimum(near, {possible: value or 0.0 for possible, value in worth.items()})
        return tuple([Pair(t, p, distance, worth[t, p]) for distance, t, p in sorted(made, key=_truth_index)])
    made = first_maximum_among(edges)
    if near:
        made += first_maximum(near)
    made.sort(key=_truth_index)
    if credit is None:
        return tuple([Pair(t, p, distance) for distance, t, p in made])
    return tuple([Pair(t, p, distance, _credit(credit, truth[t], predicted[p])) for distance, t, p in made])


_truth_index = itemgetter(1)


def _side(rows: Rows, argument: str, terms: _Terms) -> Side:
    columns = [finite_numbers(rows, field, argument) for field in terms.position] or [[0.0] * len(rows)]
    if len(columns) == 2 and any(map(lt, columns[1], columns[0])):
        number, start, end = next((n, *ends) for n, ends in enumerate(zip(*columns, strict=True)) if ends[1] < ends[0])
        raise ArgumentFault(argument, f"row {number} ends at {end}, before it starts at {start}")
    key = keys(rows, terms.same, argument)
    given = _given(rows, argument, terms.same_if_given) if terms.same_if_given else []
    return Side(key, given, *columns)


def _given(rows: Rows, argument: str, fields: Sequence[str]) -> list[Given]:
    """A key a row in which what is not given is None; None where nothing is."""
    columns = []
    for field in fields:
        values = comparable_column(rows, field, argument)
        columns.append([None if isinstance(value, str) and not value.strip() else value for value in values])
    nothing = (None,) * len(fields)
    return [None if given == nothing else given for given in zip(*columns, strict=True)]


def _credit(credit: Credit, truth: Row, predicted: Row) -> float | None:
    value = credit(truth, predicted)
    if value is not None and not is_finite(value):
        raise ArgumentFault("credit", f"a finite number or null is needed for each pair, not {shown(value)}")
    return value


def _total(credits: Sequence[float | None]) -> float | None:
    """The exact sum, rounded once; null where a credit is null or no float can hold the sum."""
    try:
        return fsum(credit for credit in credits if credit is not None) if None not in credits else None
    except OverflowError:
        return None
