"""What changes do to the scores of cases: all of them together, and each alone."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..batch import CaseSource, encode_loose, report_of
from ..json_text import JsonFault, decode
from ..loading import LoadedRubric
from ..report import GateResult, Report
from .changes import Change, diff
from .hybrids import Group, Hybrids

SAME = 1e-9
"""Scores no further apart than this have not moved: what is left is the rounding of sums taken in another order."""
MAX_FAILED = 10
"""Cases that could not be scored, of which the names are told."""
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Flip:
    """A gate that one version decides otherwise: `held`, `failed`, `inconclusive`, `unreached`, `absent`."""

    gate: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class MovedCase:
    """A case whose score, outcome or gates differ. Ranks count from 1, the highest score first; None without a score.

    `move` is the score after less that before, None where either is null.
    """

    case: str | None
    before: float | None
    after: float | None
    move: float | None
    outcome_before: str
    outcome_after: str
    flips: tuple[Flip, ...]
    rank_before: int | None = None
    rank_after: int | None = None


@dataclass(frozen=True, slots=True)
class Movement:
    """How much moved: the number of cases, the sum of the absolute moves of scores, the largest move and its case."""

    cases: int
    total: float
    largest: float
    largest_case: str | None


@dataclass(frozen=True, slots=True)
class Alone:
    """What one change does to the old version. `needs` are the changes without which it does not make a rubric."""

    change: Change
    needs: tuple[Change, ...]
    movement: Movement


@dataclass(frozen=True, slots=True)
class Impact:
    """What all changes together do (`movement`, `moved`), and each alone. `rank_changes` counts the cases whose rank
    differs, moved or not; `errors` those that could not be scored by one version at least, `failed` the first of these.
    """

    cases: int
    errors: int
    movement: Movement
    moved: tuple[MovedCase, ...]
    rank_changes: int
    alone: tuple[Alone, ...]
    failed: tuple[str, ...] = ()


def impact(
    old: LoadedRubric,
    new: LoadedRubric,
    cases: Iterable[Mapping[str, Any]],
    changes: Sequence[Change] | None = None,
    *,
    folder: Path | None = None,
) -> Impact:
    """Score cases, `{"id": ..., "inputs": {...}}`, by both versions and by the old one with each change alone.

    Relative paths start at `folder`. An input that only one version has is not given to the other; a case that cannot
    be scored counts as one with outcome `error` and a null score.
    """
    place = str(folder) if folder is not None else None
    sources = (CaseSource(number, encode_loose(case), place) for number, case in enumerate(cases, 1))
    return impact_of_sources(old, new, sources, diff(old, new) if changes is None else changes)


def impact_of_sources(
    old: LoadedRubric, new: LoadedRubric, sources: Iterable[CaseSource], changes: Sequence[Change]
) -> Impact:
    """The same for cases as they stand in a file, read one by one."""
    hybrids = Hybrids(old, new, changes)
    groups = {change: hybrids.group(change) for change in changes}
    distinct: dict[tuple[Change, ...], tuple[Group, _Tally]] = {
        group.changes: (group, _Tally()) for group in groups.values()
    }
    known = {*old.rubric.inputs, *new.rubric.inputs}
    table, together = _Table(), _Tally()
    for source in sources:
        readable = _readable(source)
        before, after = (_score(rubric, readable, known) for rubric in (old, new))
        table.add(before, after)
        together.add(before, after)
        for group, tally in distinct.values():
            tally.add(before, _score(group.rubric, readable, known))
    moved, rank_changes = table.ranked()
    alone = tuple(_alone(change, groups[change], distinct[groups[change].changes][1]) for change in changes)
    return Impact(len(table.scores), table.errors, together.movement, moved, rank_changes, alone, tuple(table.failed))


def _alone(change: Change, group: Group, tally: "_Tally") -> Alone:
    return Alone(change, tuple(other for other in group.changes if other is not change), tally.movement)


# ---------------------------------------------------------------- one case


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What is kept of a report."""

    case: str | None
    score: float | None
    outcome: str
    gates: Mapping[str, str]


def _readable(source: CaseSource) -> CaseSource:
    """The source with its inputs taken out of the text, where that is a case at all."""
    if source.inputs is not None:
        return source
    try:
        case = decode(source.text or "")
    except JsonFault:
        return source
    inputs = case.get("inputs") if isinstance(case, dict) else None
    if not isinstance(inputs, dict) or not isinstance(case.get("id"), str):
        return source
    return replace(source, text=None, inputs=inputs, id=case["id"])


def _score(rubric: LoadedRubric, source: CaseSource, known: set[str]) -> _Verdict:
    own = rubric.rubric.inputs
    if source.inputs is not None:
        kept = {name: value for name, value in source.inputs.items() if name in own or name not in known}
        source = replace(source, inputs=kept)
    return _verdict(report_of(rubric, source))


def _verdict(report: Report) -> _Verdict:
    return _Verdict(report.case, report.score, report.outcome, {gate.id: _state(gate) for gate in report.gates})


def _state(gate: GateResult) -> str:
    if not gate.reached:
        return "unreached"
    return {True: "held", False: "failed", None: "inconclusive"}[gate.held]


def _move(before: _Verdict, after: _Verdict) -> float | None:
    if before.score is None or after.score is None:
        return None
    return after.score - before.score


def _differs(before: _Verdict, after: _Verdict) -> bool:
    move = _move(before, after)
    if (before.score is None) != (after.score is None) or (move is not None and abs(move) > SAME):
        return True
    return before.outcome != after.outcome or bool(_flips(before, after))


def _flips(before: _Verdict, after: _Verdict) -> tuple[Flip, ...]:
    """The gates whose state differs. One that is new, or gone, counts where it does not hold."""
    found = []
    for gate in dict.fromkeys((*before.gates, *after.gates)):
        was, is_now = before.gates.get(gate, "absent"), after.gates.get(gate, "absent")
        if was != is_now and {was, is_now} != {"absent", "held"}:
            found.append(Flip(gate, was, is_now))
    return tuple(found)


# ---------------------------------------------------------------- many cases


@dataclass
class _Tally:
    """Adds up how far cases move."""

    cases: int = 0
    moves: list[float] = field(default_factory=list)
    largest: float = 0.0
    largest_case: str | None = None

    def add(self, before: _Verdict, after: _Verdict) -> None:
        if not _differs(before, after):
            return
        self.cases += 1
        move = _move(before, after)
        if move is not None and abs(move) > SAME:
            self.moves.append(abs(move))
            if abs(move) > abs(self.largest):
                self.largest, self.largest_case = move, before.case

    @property
    def movement(self) -> Movement:
        return Movement(self.cases, math.fsum(self.moves), self.largest, self.largest_case)


@dataclass
class _Table:
    """The scores of all cases, and what is to be said of those that moved."""

    scores: list[tuple[float | None, float | None]] = field(default_factory=list)
    moved: list[tuple[int, MovedCase]] = field(default_factory=list)
    errors: int = 0
    failed: list[str] = field(default_factory=list)

    def add(self, before: _Verdict, after: _Verdict) -> None:
        if _differs(before, after):
            self.moved.append((len(self.scores), _moved_case(before, after)))
        self.scores.append((before.score, after.score))
        if "error" in (before.outcome, after.outcome):
            self.errors += 1
            if self.errors <= MAX_FAILED:
                self.failed.append(before.case or f"case {len(self.scores)}")

    def ranked(self) -> tuple[tuple[MovedCase, ...], int]:
        """The cases that moved with their ranks, in their order, and how many cases have another rank."""
        before, after = (_ranks([pair[side] for pair in self.scores]) for side in (0, 1))
        moved = tuple(
            replace(case, rank_before=before[number], rank_after=after[number]) for number, case in self.moved
        )
        return moved, len([None for was, is_now in zip(before, after, strict=True) if was != is_now])


def _moved_case(before: _Verdict, after: _Verdict) -> MovedCase:
    return MovedCase(
        before.case,
        before.score,
        after.score,
        _move(before, after),
        before.outcome,
        after.outcome,
        _flips(before, after),
    )


def _ranks(scores: Sequence[float | None]) -> list[int | None]:
    """The place of each score, equal ones sharing the best; scores that have not moved apart are equal."""
    rounded = [None if score is None else round(score, _DIGITS) for score in scores]
    best: dict[float, int] = {}
    for place, score in enumerate(sorted((score for score in rounded if score is not None), reverse=True), 1):
        best.setdefault(score, place)
    return [None if score is None else best[score] for score in rounded]
