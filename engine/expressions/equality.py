"""Equality of the language's values as equality of hashable keys."""

from collections.abc import Hashable
from typing import Any

from .values import is_flat


def canonical(value: Any) -> Hashable:
    """A hashable key that is the same exactly for values which the language calls equal.

    The key of a collection is flat, its members in order with the sizes of what is inside, so that no depth matters.
    """
    if not isinstance(value, (bool, list, dict)):
        return value
    key: list[Hashable] = []
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            members = sorted(current.items(), key=_key_order)
            key.append(("record", tuple(canonical(name) for name, _ in members)))
            waiting += [member for _, member in members]
        elif isinstance(current, list):
            key.append(("list", len(current)))
            if is_flat(current):
                key += current
            else:
                waiting += current
        else:
            key.append(("boolean", current) if type(current) is bool else current)
    return tuple(key)


def _key_order(item: tuple[Any, Any]) -> tuple:
    """Keys that are equal stand at one place: texts, then booleans, then numbers."""
    key = item[0]
    if isinstance(key, str):
        return (0, key)
    if isinstance(key, bool):
        return (1, key)
    return (3,) if key is None else (2, key)
