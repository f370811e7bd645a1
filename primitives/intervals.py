"""Intervals: records with a `start` and an `end`, in any one unit (seconds or frames).

Conventions

* An interval is half-open, [start, end): it ends before `end`, so two that only touch share nothing, and one whose
  start is its end is empty and overlaps nothing, not even itself.
* Ends are finite numbers and no boolean; an interval that ends before it starts, one that lacks an end, and one whose
  length exceeds float64 are refused (`ArgumentFault`).
* Intersection over union divides once and takes the union only where the intervals meet. pyannote's `Segment |
  Segment` is the hull, which differs from the union between disjoint intervals; there the result is 0 anyhow.
* `overlay` and `diarization` cut time wherever something begins or ends and integrate exactly: no frames, no collar.
  Seconds are added exactly and rounded once, so the order of rows never shows. Both take O(n log n).
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import fsum, isfinite
from operator import itemgetter

from ._arguments import as_number
from ._columns import comparable_column, must_be_rows, must_occur
from .annotations import Count, Field, NonNegative, Row, Rows, Share
from .faults import ArgumentFault

__all__ = ["Piece", "Run", "SpeakerTime", "diarization", "iou", "length", "overlap_among", "overlay", "runs"]


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
    ordered = sorted((start, end) for start, end in _all_ends("rows", rows) if start < end)
    return any(later[0] < earlier[1] for earlier, later in pairwise(ordered))


@dataclass(frozen=True)
class Piece:
    """A stretch of time in which nothing changes, with the row of either side that covers it, null where none does."""

    start: float
    end: float
    length: NonNegative
    reference: Row | None
    other: Row | None


def overlay(reference: Rows, other: Rows) -> list[Piece]:
    """Two tilings laid over one another: the pieces, in order, into which the ends of both cut what they cover.

    What neither covers is no piece. Refused: rows of one side that overlap, for then a piece would belong to both.
    """
    mine, theirs = _tiling("reference", reference), _tiling("other", other)
    cuts = sorted({end for tiling in (mine, theirs) for start, end, _ in tiling for end in (start, end)})
    covers = zip(_covering(mine, cuts), _covering(theirs, cuts), strict=True)
    pieces = zip(pairwise(cuts), covers, strict=False)  # nothing comes after the last cut
    return [Piece(start, end, end - start, *rows) for (start, end), rows in pieces if rows != (None, None)]


def _tiling(argument: str, rows: Rows) -> list[tuple[float, float, Row]]:
    """The intervals that are not empty, in order, none of which overlaps another."""
    ends = _all_ends(argument, rows)
    tiling = sorted(((*own, row) for own, row in zip(ends, rows, strict=True) if own[0] < own[1]), key=itemgetter(0, 1))
    for (_, end, _), (start, _, _) in pairwise(tiling):
        if start < end:
            raise ArgumentFault(argument, f"one that starts at {start!r} overlaps one that ends at {end!r}")
    return tiling


def _covering(tiling: list[tuple[float, float, Row]], cuts: list[float]) -> Iterator[Row | None]:
    """For each cut the row that covers what comes after it."""
    following = iter(tiling)
    start, end, row = next(following, (None, None, None))
    for cut in cuts:
        while end is not None and end <= cut:
            start, end, row = next(following, (None, None, None))
        yield row if start is not None and start <= cut else None


@dataclass(frozen=True)
class SpeakerTime:
    """How speech is divided, in speaker-seconds: two people who speak for a second are two.

    `reference` = `correct` + `confused` + `missed`.
    """

    reference: NonNegative
    correct: NonNegative
    missed: NonNegative
    false_alarm: NonNegative
    confused: NonNegative

    @property
    def error_rate(self) -> NonNegative | None:
        """Missed, false alarm and confused per reference speaker-second, not capped; null without reference speech."""
        errors = fsum((self.missed, self.false_alarm, self.confused))
        return errors / self.reference if self.reference else None


def diarization(reference: Rows, hypothesis: Rows, *, speaker: Field) -> SpeakerTime:
    """Who spoke when, against who did: the diarization error by exact integration (NIST, Rich Transcription 2009).

    In each piece of time the names in the field `speaker` are two sets, R and H: someone in overlapping turns counts
    once. Correct are |R and H|, missed max(0, |R| - |H|), false alarms max(0, |H| - |R|), confused min(|R|, |H|) less
    the correct. There is no collar, overlapping speech counts, and silence too. Names are compared as they are; tools
    that first map the hypothesis' names to those of the reference, as pyannote.metrics does, give lower errors.

    Refused: a `speaker` that is null in a row.
    """
    turns = [*_turns("reference", reference, speaker), *_turns("hypothesis", hypothesis, speaker)]
    spans: list[tuple[float, int, int, int]] = []
    active: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
    begun = 0.0
    for time, changes in groupby(sorted(turns, key=itemgetter(0)), key=itemgetter(0)):
        mine, theirs = active
        spans.append((time - begun, len(mine), len(theirs), len(mine.keys() & theirs.keys())))
        begun = time
        for _, side, name, change in changes:
            _count(active[side == "hypothesis"], name, change)
    return _speaker_time(spans)


def _turns(side: str, rows: Rows, speaker: str) -> Iterator[tuple[float, str, Hashable, int]]:
    """When a name begins (1) and ends (-1) to speak; of one time in any order, since nothing lies between."""
    must_be_rows(rows, side)
    must_occur([speaker], "speaker", rows)
    names = comparable_column(rows, speaker, side)
    for position, (name, (start, end)) in enumerate(zip(names, _all_ends(side, rows), strict=True)):
        if name is None:
            raise ArgumentFault(side, f"entry {position}: '{speaker}' is null; expected a name")
        yield start, side, name, 1
        yield end, side, name, -1


def _count(active: dict[Hashable, int], name: Hashable, change: int) -> None:
    turns = active.get(name, 0) + change
    if turns:
        active[name] = turns
    else:
        active.pop(name, None)


def _speaker_time(spans: Sequence[tuple[float, int, int, int]]) -> SpeakerTime:
    """The sums over pieces of time: their length, and how many there are in R, in H and in both."""
    return SpeakerTime(
        reference=fsum(length * r for length, r, _, _ in spans),
        correct=fsum(length * both for length, _, _, both in spans),
        missed=fsum(length * max(0, r - h) for length, r, h, _ in spans),
        false_alarm=fsum(length * max(0, h - r) for length, r, h, _ in spans),
        confused=fsum(length * (min(r, h) - both) for length, r, h, both in spans),
    )


def _all_ends(argument: str, rows: Rows) -> list[tuple[float, float]]:
    return [_ends(argument, row, f"entry {position}: ") for position, row in enumerate(rows)]


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


@dataclass(frozen=True)
class Run:
    """Members side by side that are true: the index of the first, and how many."""

    start: Count
    length: Count


def runs(of: Sequence[bool | None]) -> list[Run]:
    """The longest stretches of members that are true, in order; null and false end one."""
    found: list[Run] = []
    start: int | None = None
    for index, member in enumerate([*of, False]):
        if member is True:
            start = index if start is None else start
        elif start is not None:
            found.append(Run(start, index - start))
            start = None
    return found
