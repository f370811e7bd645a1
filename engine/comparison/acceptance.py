"""Which values a field's type accepts, compared with those another type accepts."""

import math
import re

from ..rubric import Atom, FieldType

WIDTH = (None, "null", "absent", "omitted", "nothing")  # from what must be there to what may be null


def accepts(wide: FieldType, narrow: FieldType) -> bool:
    """Whether all that `narrow` accepts is known to be accepted by `wide`. Presence is not looked at."""
    return all(any(_covers(one, other) for one in wide.atoms) for other in narrow.atoms)


def _covers(wide: Atom, narrow: Atom) -> bool:
    match wide.kind:
        case "any":
            return True
        case "string":
            return narrow.kind in ("string", "text") or _is_word(narrow)
        case "text":
            return _covers_text(wide, narrow)
        case "number" | "integer":
            return _covers_numbers(wide, narrow)
        case "list" | "map":
            return narrow.kind == wide.kind and _covers_members(wide, narrow)
        case "literal":
            same_type = isinstance(wide.literal, str) == isinstance(narrow.literal, str)
            return narrow.kind == "literal" and same_type and wide.literal == narrow.literal
        case "record":
            return narrow.kind == "record" and wide.name == narrow.name
        case _:
            return narrow.kind == wide.kind


def _is_word(atom: Atom) -> bool:
    return atom.kind == "literal" and isinstance(atom.literal, str)


def _covers_text(wide: Atom, narrow: Atom) -> bool:
    """Of patterns only those that are the same are known to accept the same."""
    if _is_word(narrow):
        return bool(re.fullmatch(wide.pattern, narrow.literal)) if wide.pattern else bool(narrow.literal.strip())
    return narrow.kind == "text" and narrow.pattern == wide.pattern


def _covers_numbers(wide: Atom, narrow: Atom) -> bool:
    if narrow.kind == "literal" and not isinstance(narrow.literal, str):
        whole = wide.kind == "number" or narrow.literal == math.floor(narrow.literal)
        return whole and _within(wide, (narrow.literal, False), (narrow.literal, False))
    if narrow.kind not in ("number", "integer") or (wide.kind == "integer" and narrow.kind == "number"):
        return False
    low = -math.inf if narrow.low is None else narrow.low
    high = math.inf if narrow.high is None else narrow.high
    return _within(wide, (low, narrow.low_open), (high, narrow.high_open))


def _within(wide: Atom, low: tuple[float, bool], high: tuple[float, bool]) -> bool:
    """Whether an interval lies inside the bounds of a number; an open end lies inside a closed one at its place."""
    above = wide.low is None or (wide.low, wide.low_open) <= low
    below = wide.high is None or (-wide.high, wide.high_open) <= (-high[0], high[1])
    return above and below


def _covers_members(wide: Atom, narrow: Atom) -> bool:
    if wide.element is None or narrow.element is None:
        return wide.element is None
    optional = WIDTH.index(wide.element.optional) >= WIDTH.index(narrow.element.optional)
    return optional and accepts(wide.element, narrow.element)
