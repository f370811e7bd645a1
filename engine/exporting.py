"""Values as reports carry them: plain, and where they only illustrate something, no longer than a reader wants."""

from collections.abc import Mapping, Sequence
from typing import Any

from .expressions.pixels import is_picture

MAX_MEMBERS = 1000
"""Of a gate that a report lists."""
MAX_INNER = 100
"""Of a list inside such a member; the text `and 5 more` follows."""
MAX_VALUES = 10_000
"""Numbers, texts and truth values in all listed members of a gate together."""


_AS_THEY_ARE = frozenset((str, int, bool, type(None)))


def exported(value: Any) -> Any:
    """A value as a report carries it: plain lists and records, numbers without a negative zero."""
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, Mapping):
        return {str(key): exported(member) for key, member in value.items()}
    if isinstance(value, list):
        return [exported(member) for member in value]
    if isinstance(value, float):
        return value + 0.0 if value - value == 0 else None
    return value if isinstance(value, (str, int, bool)) or value is None else _described(value)


def _described(value: Any) -> str:
    """Words for what is no value of the language; never its content, nor where it lies in memory."""
    if is_picture(value):
        height, width = value.shape[:2]
        return f"a picture of {width} x {height}"
    return f"a value of the kind {type(value).__name__}"


def summary(value: Any) -> Any:
    """A value as a line of an explanation carries it: long ones by their size."""
    if isinstance(value, list):
        return exported(value) if len(value) <= 4 and not _deep(value) else f"a list of {len(value)}"
    if isinstance(value, Mapping):
        return {str(key): summary(member) for key, member in list(value.items())[:12]}
    return exported(value)


def _deep(value: list) -> bool:
    return any(isinstance(member, (list, Mapping)) for member in value)


def listed(members: Sequence[Any]) -> tuple[tuple[Any, ...], int]:
    """The members that a report lists, the long lists in them cut, and how many further ones there are."""
    found: list[Any] = []
    left = MAX_VALUES
    for member in members[:MAX_MEMBERS]:
        cut = exported(_cut(member))
        size = _size(cut)
        if size > MAX_VALUES:
            cut = summary(member)
            size = _size(cut)
        if size > left and found:
            break
        found.append(cut)
        left -= size
    return tuple(found), len(members) - len(found)


def _cut(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _cut(member) for key, member in value.items()}
    if isinstance(value, list):
        more = [f"and {len(value) - MAX_INNER} more"] if len(value) > MAX_INNER else []
        return [*map(_cut, value[:MAX_INNER]), *more]
    return value


def _size(value: Any) -> int:
    if isinstance(value, Mapping):
        return max(1, sum(map(_size, value.values())))
    return max(1, sum(map(_size, value))) if isinstance(value, list) else 1
