"""Cheapest alignments with a rule for ties, from bit vectors.

A column of the matrix of edit distances is kept as the differences of neighbours (Myers, J. ACM 46, 1999; Hyyro, Nordic
J. Comput. 10, 2003), one bit a cell in integers as long as a column, so that a column takes a dozen operations. Only
cells near the diagonal are kept: no path of `distance` edits leaves them (Ukkonen 1985).
"""

from collections.abc import Sequence
from dataclasses import dataclass

Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Trace:
    """What an alignment does: pairs of indices that are equal, and how many others are changed, missing and added."""

    matches: Pairs
    substitutions: int
    deletions: int
    insertions: int


def cells(rows: int, columns: int, distance: int) -> int:
    """How many cells `trace` keeps, and some to spare."""
    return (min(rows, distance + 1) + 1) * columns


def trace(a: Sequence[int], b: Sequence[int], distance: int) -> Trace:
    """The alignment of `a` with `b` that is found from the end, preferring diagonal, then deletion, then insertion."""
    band = _band(len(a), len(b), distance)
    diagonal, vertical = _columns(a, b, band)
    i, j = len(a), len(b)
    matches: Pairs = []
    changed = missing = added = 0
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            matches.append((i, j))
            continue
        bit = i - 1 - min(max(0, j - 1 - band.above), band.last)
        if not diagonal[j - 1] >> bit & 1:
            i, j, changed = i - 1, j - 1, changed + 1
        elif vertical[j - 1] >> bit & 1:
            i, missing = i - 1, missing + 1
        else:
            j, added = j - 1, added + 1
    matches.reverse()
    return Trace(matches, changed, missing + i, added + j)


@dataclass(frozen=True, slots=True)
class _Band:
    """The rows kept of each column: `height` of them, beginning `above` the diagonal but never after `last`."""

    height: int
    above: int
    last: int


def _band(rows: int, columns: int, distance: int) -> _Band:
    """A path has as many insertions more than deletions as there are columns more than rows, and `distance` of both at
    most; so neither can take it further than half of the difference from the diagonal.
    """
    insertions, deletions = (distance + columns - rows) // 2, (distance + rows - columns) // 2
    height = min(rows, insertions + deletions + 1)
    return _Band(height, insertions, rows - height)


def _columns(a: Sequence[int], b: Sequence[int], band: _Band) -> tuple[list[int], list[int]]:
    """For each column two integers with a bit a kept row: whether the distance is that of the cell before on the
    diagonal, and whether it is one more than in the row above.
    """
    full, lowest, last = (1 << band.height) - 1, (1 << band.height) >> 1, band.last
    plus, minus, begins, places = full, 0, 0, _places(a)
    diagonal: list[int] = []
    vertical: list[int] = []
    for first, entry in enumerate(b, -band.above):
        if begins < first <= last:  # the row that enters below is one more than the last, the most that it can be
            plus, minus, begins = plus >> 1 | lowest, minus >> 1, first
        equal = places.get(entry, 0) >> begins & full
        zero = (((equal & plus) + plus ^ plus) | equal | minus) & full
        up = (minus | full ^ (zero | plus)) << 1 & full | 1
        plus, minus = (zero & plus) << 1 & full | full ^ (zero | up), up & zero
        diagonal.append(zero)
        vertical.append(plus)
    return diagonal, vertical


def _places(a: Sequence[int]) -> dict[int, int]:
    """For each value an integer with the bits of its places."""
    places: dict[int, int] = {}
    for i, entry in enumerate(a):
        places[entry] = places.get(entry, 0) | 1 << i
    return places
