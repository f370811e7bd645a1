"""Rows in the order of time.

Equality of fields is that of data: null equals only null (an absent field is null), true is not 1, 1 equals 1.0, lists
and mappings are compared by content. Limits are compared exactly, and one that is reached counts.
"""

from collections.abc import Callable, Hashable, Sequence
from math import inf

from ._columns import finite_numbers, is_finite, keys, must_be_field_names, must_be_rows, shown
from .annotations import Field, Fields, NonNegative, R
from .faults import ArgumentFault


def first_of_bursts(
    of: Sequence[R],
    *,
    same: Fields,
    at: Field,
    within: NonNegative,
    exempt: Callable[[R], bool | None] | None = None,
) -> list[R]:
    """The rows without the repeats inside bursts, in the order given.

    Rows that are equal in every field of `same` form a burst as long as each comes at most `within` after the one
    before it, so that a long chain of near repeats is one burst however long it lasts. Of each burst the earliest row
    stays, the first in the list among equally early ones. Rows for which `exempt` is true always stay, and neither
    begin nor prolong a burst. `at` and `within` are in one unit, any.

    O(n log n). ArgumentFault: an `at` that is null, absent or not a finite number.
    """
    must_be_rows(of, "of")
    must_be_field_names(same, "same")
    if not (is_finite(within) and within >= 0):
        raise ArgumentFault("within", f"a finite number of at least 0 is needed, not {shown(within)}")
    times, kinds = finite_numbers(of, at, "of"), keys(of, same, "of")
    last: dict[Hashable, float] = {}
    repeats: set[int] = set()
    for i in sorted(range(len(of)), key=times.__getitem__):
        if exempt is not None and exempt(of[i]):
            continue
        time, kind = times[i], kinds[i]
        if time - last.get(kind, -inf) <= within:
            repeats.add(i)
        last[kind] = time
    return [row for i, row in enumerate(of) if i not in repeats]
