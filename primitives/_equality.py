"""Equality of values as a key of a dictionary.

Two values have equal keys exactly when they are equal as data: null equals only null, true is not 1, 1 equals 1.0,
-0.0 equals 0.0, texts are compared verbatim, lists and mappings by content. NaN equals nothing, itself included.
"""

from collections.abc import Hashable, Iterable, Mapping
from itertools import chain
from typing import Any

_OWN_KEY = {str, int, type(None)}  # types whose values are their own keys


def canonical(value: Any) -> Hashable:
    """The key of one value. The keys of mappings in it are texts. TypeError for what is neither data nor hashable."""
    if type(value) in _OWN_KEY:
        return value
    if isinstance(value, (list, tuple)) and all_own_keys(value):
        return _flat_list(value)
    if isinstance(value, (list, tuple, Mapping)):
        return _flat(value)
    return _scalar(value)


def all_own_keys(values: Iterable[Any]) -> bool:
    """Whether each value is its own key."""
    return _OWN_KEY.issuperset(map(type, values))


def canonical_column(values: list[Any]) -> list[Hashable]:
    """The keys of many values."""
    if all_own_keys(values):
        return values
    if set(map(type, values)) == {list} and all_own_keys(chain.from_iterable(values)):
        return list(map(_flat_list, values))
    return [canonical(value) for value in values]


def _flat_list(members: list[Any] | tuple[Any, ...]) -> Hashable:
    """The key of a list whose members are their own keys: what `_flat` makes of it."""
    return (("list", len(members)), *members)


def _scalar(value: Any) -> Hashable:
    if isinstance(value, bool):
        return ("boolean", value)
    if value != value:
        return (object(),)
    hash(value)
    return value


def _flat(value: Any) -> Hashable:
    """Nested data as one flat tuple in which the shape is spelt out, so that depth cannot exhaust the stack.

    Scalars never are tuples (except marked ones, whose first member is no shape), so that shapes cannot be imitated.
    """
    parts: list[Hashable] = []
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Mapping):
            names = sorted(current, key=str)
            parts.append(("map", *names))
            waiting += [current[name] for name in reversed(names)]
        elif isinstance(current, (list, tuple)):
            parts.append(("list", len(current)))
            waiting += reversed(current)
        else:
            parts.append(_scalar(current))
    return tuple(parts)
