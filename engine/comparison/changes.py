"""The changes of meaning from one rubric to another."""

from dataclasses import dataclass, field

from ..findings import Position
from ..loading import LoadedRubric
from .differences import Difference, Route, differences
from .directions import Direction
from .families import BY_TOPIC, Kind
from .messages import MESSAGES
from .outline import outline
from .parts import Part


@dataclass(frozen=True, slots=True)
class Change:
    """One change of meaning.

    `id` names the kind of change (`gate-limit-tightened`), `path` the part (`gates.floor.at_least`), `old` and `new`
    are the texts of its two sides with their places, None where it is on one side only. `effect` says in which
    direction entries and scores go where that is certain, also for what was added or removed. `route` leads to the part
    from the top of the rubric.
    """

    id: str
    kind: Kind
    path: str
    old: str | None
    new: str | None
    old_position: Position | None
    new_position: Position | None
    effect: Direction | None
    route: Route = field(repr=False)

    @property
    def message(self) -> str:
        return MESSAGES[self.id]


def diff(old: LoadedRubric, new: LoadedRubric) -> tuple[Change, ...]:
    """What changed in meaning, in the order of the new rubric; empty exactly where the digests are equal."""
    return tuple(change(found) for found in differences(outline(old.rubric), outline(new.rubric)))


def change(difference: Difference) -> Change:
    """A difference by the name that its family has for it."""
    old, new = difference.old, difference.new
    part = new if new is not None else old
    assert part is not None
    family = BY_TOPIC[part.order if difference.action == "reordered" else part.topic]
    event, effect = family.happened(difference.action, old, new)
    words = {_word(side) for side in (old, new) if side is not None} if family.worded else set()
    return Change(
        family.id(event),
        "changed" if event == "reordered" else event,
        part.path,
        _text(old, len(words) > 1),
        _text(new, len(words) > 1),
        old.position if old is not None else None,
        new.position if new is not None else None,
        effect,
        difference.route,
    )


def _word(part: Part) -> str:
    return part.path.rpartition(".")[2]


def _text(part: Part | None, with_word: bool) -> str | None:
    if part is None:
        return None
    return f"{_word(part)}: {part.text}" if with_word else part.text
