"""Rubrics between two versions: the old one with some of the changes, as far as that can be run."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from ..analysis import Analysis, analyse
from ..loading import LoadedRubric
from ..rubric import FieldType, Rubric
from .changes import Change
from .differences import merged
from .outline import outline
from .parts import Part

_HARMLESS = ("never-null", "never-equal")  # they say that something has no effect, which between versions is no fault
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Group:
    """A change with the fewest others without which it makes no rubric that runs; `rubric` is the old one with them."""

    changes: tuple[Change, ...]
    rubric: LoadedRubric


class Hybrids:
    """Makes the rubrics between two versions."""

    def __init__(self, old: LoadedRubric, new: LoadedRubric, changes: Sequence[Change]):
        self.old, self.new = old, new
        self.changes = tuple(changes)
        self.known: dict[tuple[Change, ...], LoadedRubric | None] = {}

    @cached_property
    def _outlines(self) -> tuple[Part, Part]:
        return outline(self.old.rubric), outline(self.new.rubric)

    def group(self, change: Change) -> Group:
        """The change alone where that runs; else the smallest group found that does.

        Changes that mention each other's names are taken in, step by step, until the group runs, and those that prove
        not to be needed are left out again.
        """
        chosen = (change,)
        rubric = self.with_changes(chosen)
        while rubric is None:
            wider = self._with_related(chosen)
            chosen = wider if wider != chosen else self.changes
            rubric = self.with_changes(chosen)
            if rubric is None and chosen == self.changes:
                rubric = self.new
        return self._least(change, chosen, rubric)

    def _least(self, change: Change, chosen: tuple[Change, ...], rubric: LoadedRubric) -> Group:
        smaller = True
        while smaller:
            smaller = False
            for other in chosen:
                rest = tuple(member for member in chosen if member is not other)
                without = self.with_changes(rest) if other is not change else None
                if without is not None:
                    chosen, rubric, smaller = rest, without, True
                    break
        return Group(chosen, rubric)

    def with_changes(self, chosen: Iterable[Change]) -> LoadedRubric | None:
        """The old rubric with some changes; None where that does not check."""
        wanted = set(chosen)
        key = tuple(change for change in self.changes if change in wanted)
        if key not in self.known:
            rubric = merged(*self._outlines, frozenset(change.route for change in key))
            analysis = _checked(rubric)
            loaded = LoadedRubric(rubric, analysis, self.old.path, ()) if analysis is not None else None
            self.known[key] = loaded
        return self.known[key]

    def _with_related(self, chosen: tuple[Change, ...]) -> tuple[Change, ...]:
        names, words = set(), set()
        for change in chosen:
            names |= _names(change)
            words |= _words(change)
        return tuple(
            change for change in self.changes if change in chosen or _names(change) & words or _words(change) & names
        )


def _names(change: Change) -> set[str]:
    """What a change gives a meaning to: the name of its part, and of what that stands in."""
    return set(change.path.replace("|", ".").split(".")[1:])


def _words(change: Change) -> set[str]:
    """The names that the two sides of a change mention, and its own."""
    return {*_WORD.findall(change.old or ""), *_WORD.findall(change.new or ""), *_names(change)}


def _checked(rubric: Rubric) -> Analysis | None:
    """What is known of a rubric that can be run, or None."""
    if any(True for _ in _dangling(rubric)):
        return None
    analysis = analyse(rubric)
    if analysis.loops or any(problem.id not in _HARMLESS for problem in analysis.problems):
        return None
    return analysis


def _dangling(rubric: Rubric) -> Iterator[str]:
    """Names that lead nowhere, outside of expressions, and weights that do not add to 1."""
    records = set(rubric.records)
    yield from (one.record for one in rubric.inputs.values() if one.record is not None and one.record not in records)
    for record in rubric.records.values():
        for rule in record.fields:
            yield from (name for name in _record_names(rule.type) if name not in records)
        yield from (name for name in record.becomes if name not in record.field_names)
    known = {*rubric.inputs, *rubric.constants, *rubric.let}
    yield from (c.by for c in rubric.constants.values() if c.by is not None and c.by.partition(".")[0] not in known)
    for score in rubric.score.values():
        yield from (weight.metric for weight in score.weights if weight.metric not in rubric.metrics)
        if score.weights and sum((weight.value for weight in score.weights), Decimal()) != 1:
            yield score.name


def _record_names(type_: FieldType) -> Iterator[str]:
    for atom in type_.atoms:
        if atom.name is not None:
            yield atom.name
        if atom.element is not None:
            yield from _record_names(atom.element)
