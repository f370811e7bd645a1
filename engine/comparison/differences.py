"""What differs between two trees of parts, and the tree that some of the differences lead to."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Literal

from ..json_text import encode
from .parts import Part

Action = Literal["added", "removed", "changed", "reordered"]
Route = tuple[str, ...]
ORDER = "(order)"


@dataclass(frozen=True, eq=False)
class Difference:
    """One part that is only on one side, or means something else; `route` leads to it from the root of both trees.

    `reordered` is what is left of a difference once all parts inside are as on the new side.
    """

    action: Action
    route: Route
    old: Part | None
    new: Part | None


def differences(old: Part, new: Part, route: Route = ()) -> Iterator[Difference]:
    """The smallest differences between two parts, in the order of the new side; none where both mean the same."""
    if old.meaning == new.meaning:
        return
    if old.shape != new.shape or old.make is None or new.make is None or not (old.parts or new.parts):
        yield Difference("changed", route, old, new)
        return
    before, after = _unified(old.parts, new.parts)
    for key in _interleaved(list(after), list(before)):
        yield from _of_member(before.get(key), after.get(key), (*route, key))
    kept = {key: after[key].value for key in _interleaved(list(before), list(after)) if key in after}
    if new.order and encode(new.form(old.make(kept))) != new.meaning:
        yield Difference("reordered", (*route, ORDER), old, new)


def _of_member(old: Part | None, new: Part | None, route: Route) -> Iterator[Difference]:
    if old is not None and new is not None:
        yield from differences(old, new, route)
    else:
        yield Difference("added" if old is None else "removed", route, old, new)


def merged(old: Part, new: Part, chosen: Set[Route], route: Route = ()) -> Any:
    """The old value with the differences that the chosen routes lead to."""
    if route in chosen:
        return new.value
    if old.make is None or not any(other[: len(route)] == route for other in chosen):
        return old.value
    before, after = _unified(old.parts, new.parts)
    reordered = (*route, ORDER) in chosen
    keys = _interleaved(list(after), list(before)) if reordered else _interleaved(list(before), list(after))
    values: dict[str, Any] = {}
    for key in keys:
        here, one, other = (*route, key), before.get(key), after.get(key)
        if one is not None and other is not None:
            values[key] = merged(one, other, chosen, here)
        elif one is not None and here not in chosen:
            values[key] = one.value
        elif other is not None and here in chosen:
            values[key] = other.value
    return old.make(values)


def _unified(old: Mapping[str, Part], new: Mapping[str, Part]) -> tuple[dict[str, Part], dict[str, Part]]:
    """Both sides' parts, each in its own order, under one key where they are the same part: that of the new side."""
    renamed: dict[str, str] = {}
    unmatched = [key for key in old if key not in new]
    for key, part in new.items():
        if key not in old:
            partner = next((other for other in unmatched if set(old[other].names) & set(part.names)), None)
            if partner is not None:
                unmatched.remove(partner)
                renamed[partner] = key
    return {renamed.get(key, key): part for key, part in old.items()}, dict(new)


def _interleaved(base: Sequence[str], other: Sequence[str]) -> list[str]:
    """The keys in the order of the first; those only in the other each after what precedes it there."""
    known, followers, first = set(base), {}, []
    before: str | None = None
    for key in other:
        if key in known:
            before = key
        else:
            (first if before is None else followers.setdefault(before, [])).append(key)
    return [*first, *(key for known_key in base for key in (known_key, *followers.get(known_key, ())))]
