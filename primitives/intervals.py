"""Intervals: records with a `start` and an `end`, in any one unit (seconds or frames).

Conventions

* An interval is half-open, [start, end): it ends before `end`, so two that only touch share nothing, and one whose
  start is its end is empty and overlaps nothing, not even itself.
* Ends are finite numbers and no boolean; an interval that ends before it starts, one that lacks an end, and one whose
  length exceeds float64 are refused (`ArgumentFault`).
* Intersection over union divides once and takes the union only where the intervals meet. pyannote's `Segment |
  Segment` is the hull, which differs from the union between disjoint intervals; there the result is 0 anyhow.
"""

from itertools import pairwise
from math import isfinite

from ._arguments import as_number
from .annotations import NonNegative, Row, Rows, Share
from .faults import ArgumentFault

__all__ = ["iou", "length", "overlap_among"]


def length(row: Row) -> NonNegative:
    """The length of an interval, in its unit; 0 for an empty one."""
    start, end = _ends("row", row)
    return end - start


def iou(a: Row, b: Row) -> Share:
    """Intersection over union of two intervals; 0 where they share nothing, which holds for empty ones."""
    (a_start, a_end), (b_start, b_end) = _ends("a", a), _ends("b", b)
    shared = min(a_end, b_end) - max(a_start, b_start)
    return shared / (max(a_end, b_end) - min(a_start, b_start)) if shared > 0 else 0.0


def overlap_among(rows: Rows) -> bool:
    """Whether any two of the intervals share more than an end; false for none and for one."""
    ends = [_ends("rows", row, f"entry {position}: ") for position, row in enumerate(rows)]
    ordered = sorted((start, end) for start, end in ends if start < end)
    return any(later[0] < earlier[1] for earlier, later in pairwise(ordered))


def _ends(argument: str, row: Row, where: str = "") -> tuple[float, float]:
    """Start and end as given, so that whole frames stay whole."""
    for key in ("start", "end"):
        try:
            as_number(argument, row.get(key))
        except ArgumentFault as fault:
            raise ArgumentFault(argument, f"{where}{key}: {fault.reason}") from None
    start, end = row["start"], row["end"]
    if end < start:
        raise ArgumentFault(argument, f"{where}it ends at {end!r}, before it starts at {start!r}")
    if not isfinite(end - start):
        raise ArgumentFault(argument, f"{where}from {start!r} to {end!r} is longer than float64 can hold")
    return start, end
