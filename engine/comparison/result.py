"""The outcome of a comparison as plain data, for every format alike."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from ..findings import Position
from ..json_text import encode
from ..loading import LoadedRubric
from .changes import Change
from .families import Kind
from .impact import Alone, Impact, MovedCase, Movement

DIFF_VERSION = 1


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two rubrics. `file` is where positions in it lie."""

    name: str
    version: str
    sha256: str
    file: str

    @property
    def label(self) -> str:
        return f"{self.name} {self.version}"


def side(rubric: LoadedRubric) -> Side:
    return Side(rubric.rubric.name, rubric.rubric.version, rubric.id.sha256, rubric.rubric.document.name)


@dataclass(frozen=True)
class Comparison:
    """Two rubrics, the changes from one to the other, and what they do to cases, if there are any."""

    old: Side
    new: Side
    changes: tuple[Change, ...]
    impact: Impact | None = None

    @property
    def same(self) -> bool:
        return not self.changes

    @cached_property
    def numbers(self) -> Mapping[Change, int]:
        """The number by which texts refer to a change, from 1."""
        return {change: number for number, change in enumerate(self.changes, 1)}

    @cached_property
    def kinds(self) -> tuple[tuple[str, int], ...]:
        """How many changes of each kind there are, where there are any."""
        counted = Counter(change.kind for change in self.changes)
        return tuple((kind, counted[kind]) for kind in get_args(Kind) if counted[kind])

    @cached_property
    def alone(self) -> tuple["Row", ...]:
        """What changes do alone, the largest movement first; one row for changes that only stand together."""
        rows: dict[tuple[int, ...], Row] = {}
        for alone in self.impact.alone if self.impact is not None else ():
            own = self.numbers[alone.change]
            group = tuple(sorted((own, *(self.numbers[other] for other in alone.needs))))
            first = rows.get(group)
            rows[group] = Row((*(first.changes if first else ()), own), group, alone.movement)
        return tuple(sorted(rows.values(), key=lambda row: (-row.movement.total, -row.movement.cases, row.changes)))

    def share(self, movement: Movement) -> float | None:
        """A movement as a part of that of all changes together; None where nothing moves."""
        total = self.impact.movement.total if self.impact is not None else 0
        return movement.total / total if total else None


@dataclass(frozen=True, slots=True)
class Row:
    """The numbers of some changes, all those they need (themselves among them), and what they do to scores."""

    changes: tuple[int, ...]
    group: tuple[int, ...]
    movement: Movement

    @property
    def needs(self) -> tuple[int, ...]:
        return tuple(number for number in self.group if number not in self.changes)


def listed(numbers: Sequence[int]) -> str:
    """`1, 3-6, 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = (str(run[0]) if len(run) == 1 else f"{run[0]}{', ' if len(run) == 2 else '-'}{run[-1]}" for run in runs)
    return ", ".join(texts)


# ---------------------------------------------------------------- JSON


def as_json(comparison: Comparison) -> str:
    """The comparison as one JSON object; `alone` refers to changes by their place in `changes`, from 0."""
    return encode(to_dict(comparison), indent=2) + "\n"


def to_dict(comparison: Comparison) -> dict[str, Any]:
    found: dict[str, Any] = {
        "diff": DIFF_VERSION,
        "old": _side(comparison.old),
        "new": _side(comparison.new),
        "same": comparison.same,
        "changes": [_change(change) for change in comparison.changes],
    }
    return found | ({"impact": _impact(comparison, comparison.impact)} if comparison.impact is not None else {})


def _side(side: Side) -> dict[str, Any]:
    return {"rubric": side.name, "version": side.version, "sha256": side.sha256, "file": side.file}


def _change(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "kind": change.kind,
        "effect": change.effect,
        "path": change.path,
        "message": change.message,
        "old": change.old,
        "new": change.new,
        "old_at": _place(change.old_position),
        "new_at": _place(change.new_position),
    }


def _place(position: Position | None) -> dict[str, Any] | None:
    return None if position is None else {"file": position.file, "line": position.line, "column": position.column}


def _impact(comparison: Comparison, impact: Impact) -> dict[str, Any]:
    return {
        "cases": impact.cases,
        "errors": impact.errors,
        "failed": list(impact.failed),
        "movement": _movement(impact.movement),
        "rank_changes": impact.rank_changes,
        "moved": [_moved(case) for case in impact.moved],
        "alone": [_alone(comparison, alone) for alone in impact.alone],
    }


def _movement(movement: Movement) -> dict[str, Any]:
    return {
        "cases": movement.cases,
        "total": movement.total,
        "largest": movement.largest,
        "largest_case": movement.largest_case,
    }


def _moved(case: MovedCase) -> dict[str, Any]:
    return {
        "case": case.case,
        "before": case.before,
        "after": case.after,
        "move": case.move,
        "outcome_before": case.outcome_before,
        "outcome_after": case.outcome_after,
        "gates": [{"id": flip.gate, "before": flip.before, "after": flip.after} for flip in case.flips],
        "rank_before": case.rank_before,
        "rank_after": case.rank_after,
    }


def _alone(comparison: Comparison, alone: Alone) -> dict[str, Any]:
    return {
        "change": comparison.numbers[alone.change] - 1,
        "path": alone.change.path,
        "needs": [comparison.numbers[other] - 1 for other in alone.needs],
        **_movement(alone.movement),
        "share": comparison.share(alone.movement),
    }
