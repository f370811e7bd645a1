"""A comparison as text for a terminal."""

from collections.abc import Iterator

from ..reporters import human
from . import wording
from .changes import Change
from .impact import Impact
from .result import Comparison

WIDTH = 100


def as_text(comparison: Comparison) -> str:
    """Every change with both its sides and places, then what the changes do to the cases."""
    lines = [human.clean(wording.title(comparison))]
    for number, change in enumerate(comparison.changes, 1):
        lines += ["", *_change(number, change)]
    if comparison.impact is not None:
        lines += ["", *_impact(comparison, comparison.impact)]
    return "\n".join(lines) + "\n"


def _change(number: int, change: Change) -> Iterator[str]:
    indent = " " * 5
    yield from _sides(f"{number:3}  {human.clean(change.path)}:", indent, change)
    yield f"{indent}{wording.sentence(change)} [{change.id}]"
    yield f"{indent}{human.clean(wording.places(change))}"


def _sides(head: str, indent: str, change: Change) -> Iterator[str]:
    """Both sides on one line where they fit, else each on its own."""
    old, new = (human.clean(side) if side is not None else None for side in (change.old, change.new))
    line = f"{head} {old if old is not None else '(nothing)'} -> {new if new is not None else '(nothing)'}"
    if len(line) <= WIDTH:
        yield line
        return
    yield head
    yield from (f"{indent}{sign} {side}" for sign, side in (("-", old), ("+", new)) if side is not None)


def _impact(comparison: Comparison, impact: Impact) -> Iterator[str]:
    yield " ".join(wording.together(impact))
    if impact.moved:
        shown = wording.most_moved(impact)
        yield ""
        yield from human.columns([wording.HEADINGS, *map(wording.case_cells, shown)], frozenset({1, 2, 3}))
        if len(shown) < len(impact.moved):
            yield f"and {len(impact.moved) - len(shown)} more; --format json has them all"
    yield from _alone(comparison)


def _alone(comparison: Comparison) -> Iterator[str]:
    rows = [wording.alone_cells(comparison, row) for row in comparison.alone if row.movement.cases]
    if rows:
        yield from ("", "What changes do alone, made to the old version:", "")
        yield from human.columns([wording.ALONE_HEADINGS, *rows], frozenset({1, 2, 3}))
    idle = wording.idle(comparison)
    if idle is not None:
        yield from ("", idle)
