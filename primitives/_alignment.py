"""Cheapest alignments with a rule for ties, from bit vectors.

A column of the matrix of edit distances is kept as the differences of neighbours (Myers, J. ACM 46, 1999; Hyyro, Nordic
J. Comput. 10, 2003), one bit a cell in integers as long as a column, so that a column takes a dozen operations. Only
cells near the diagonal are kept: no path of `distance` edits leaves them (Ukkonen 1985).
"""

from collections.abc import Callable, Sequence
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
    """How many cells `trace` keeps."""
    return (min(rows, 2 * distance + 1) + 1) * columns


def trace(a: Sequence[int], b: Sequence[int], distance: int) -> Trace:
    """The alignment of `a` with `b` that is found from the end, preferring diagonal, then deletion, then insertion."""
    diagonal, vertical = _columns(a, b, distance)
    i, j, start = len(a), len(b), _start_of_bands(len(a), distance)
    matches: Pairs = []
    changed = missing = added = 0
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            matches.append((i, j))
            continue
        bit = i - 1 - start(j)
        if not diagonal[j - 1] >> bit & 1:
            i, j, changed = i - 1, j - 1, changed + 1
        elif vertical[j - 1] >> bit & 1:
            i, missing = i - 1, missing + 1
        else:
            j, added = j - 1, added + 1
    matches.reverse()
    return Trace(matches, changed, missing + i, added + j)


def _start_of_bands(rows: int, distance: int) -> Callable[[int], int]:
    """For each column j, from 1, the first row that is kept of it, from 0."""
    last = max(0, rows - 2 * distance - 1)
    return lambda j: min(max(0, j - 1 - distance), last)


def _columns(a: Sequence[int], b: Sequence[int], distance: int) -> tuple[list[int], list[int]]:
    """For each column two integers with a bit a kept row: whether the distance is that of the cell before on the
    diagonal, and whether it is one more than in the row above.
    """
    height = min(len(a), 2 * distance + 1)
    full, places = (1 << height) - 1, _places(a)
    plus, minus, begins = full, 0, 0
    diagonal: list[int] = []
    vertical: list[int] = []
    last = max(0, len(a) - 2 * distance - 1)
    for first, entry in enumerate(b, -distance):
        if begins < first <= last:  # the row that enters below is one more than the last, the most that it can be
            plus, minus, begins = plus >> 1 | 1 << (height - 1), minus >> 1, first
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
