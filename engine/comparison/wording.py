"""What the formats for people say alike of a comparison."""

from collections.abc import Iterator

from ..reporters import human
from .changes import Change
from .impact import Impact, MovedCase
from .result import Comparison, Row, listed

MOST_CASES = 40
"""Cases that are shown one by one; the JSON has them all."""

HEADINGS = ("case", "before", "after", "move", "rank", "gates and outcome")
ALONE_HEADINGS = ("change", "cases", "in all", "of all", "largest")


def title(comparison: Comparison) -> str:
    """Both versions and the number of changes."""
    old, new = comparison.old.label, comparison.new.label
    if comparison.same:
        return f"{old} and {new} mean the same: {comparison.old.file}, {comparison.new.file}"
    kinds = ", ".join(f"{count} {kind}" for kind, count in comparison.kinds)
    return f"{old} -> {new}: {human.plural(len(comparison.changes), 'change')} of meaning ({kinds})"


def sentence(change: Change) -> str:
    """What happened, with the direction where the kind does not say it."""
    known = change.effect is not None and change.kind in ("added", "removed")
    direction = {"tightened": ", which is stricter", "loosened": ", which is milder"}
    return f"{change.message}{direction[change.effect] if known and change.effect else ''}"


def places(change: Change) -> str:
    return " -> ".join(str(place) for place in (change.old_position, change.new_position) if place is not None)


def together(impact: Impact) -> Iterator[str]:
    """What all changes do to the cases."""
    movement = impact.movement
    cases = human.plural(impact.cases, "case")
    if not movement.cases:
        yield f"Of {cases} none moves."
    else:
        verb = "moves" if movement.cases == 1 else "move"
        yield f"Of {cases} {movement.cases} {verb}, the scores by {human.number(movement.total)} in all."
    if movement.largest_case is not None:
        yield f"The largest move is {signed(movement.largest)}, of {human.clean(movement.largest_case)}."
    if impact.rank_changes:
        yield f"{human.plural(impact.rank_changes, 'case has', 'cases have')} another rank."
    if impact.errors:
        names = ", ".join(human.clean(name) for name in impact.failed)
        more = f" and {impact.errors - len(impact.failed)} more" if impact.errors > len(impact.failed) else ""
        yield f"{human.plural(impact.errors, 'case')} could not be scored by one version at least: {names}{more}."


def signed(value: float | None) -> str:
    """A move with its sign."""
    if value is None:
        return ""
    return f"+{human.number(value)}" if value > 0 else human.number(value)


def most_moved(impact: Impact) -> tuple[MovedCase, ...]:
    """The cases to show: those that moved most, first those that cannot be compared."""
    ordered = sorted(impact.moved, key=lambda case: -abs(case.move) if case.move is not None else -float("inf"))
    return tuple(ordered[:MOST_CASES])


def case_cells(case: MovedCase) -> list[str]:
    changed = case.outcome_before != case.outcome_after
    flips = [f"{flip.gate}: {flip.before} -> {flip.after}" for flip in case.flips]
    flips += [f"outcome: {case.outcome_before} -> {case.outcome_after}"] if changed else []
    numbers = (human.number(case.before), human.number(case.after), signed(case.move))
    return [human.clean(case.case or ""), *numbers, _rank(case), human.clean("; ".join(flips))]


def _rank(case: MovedCase) -> str:
    before, after = (str(rank) if rank is not None else "none" for rank in (case.rank_before, case.rank_after))
    return before if before == after else f"{before} -> {after}"


def alone_cells(comparison: Comparison, row: Row) -> list[str]:
    """A row about what some changes do without the others."""
    needs = f" with {listed(row.needs)}" if row.needs else " together" if len(row.changes) > 1 else ""
    movement, share = row.movement, comparison.share(row.movement)
    largest = f"{signed(movement.largest)} {human.clean(movement.largest_case)}" if movement.largest_case else ""
    part = "" if share is None else f"{share * 100:.0f} %"
    return [f"{listed(row.changes)}{needs}", str(movement.cases), human.number(movement.total), part, largest]


def idle(comparison: Comparison) -> str | None:
    """The changes that move nothing, in one sentence."""
    numbers = sorted(number for row in comparison.alone if not row.movement.cases for number in row.changes)
    return f"Alone these move no case: {listed(numbers)}." if numbers else None
