"""Operators over columns, lists that are taken member by member, and over pictures."""

from collections.abc import Callable
from typing import Any

from .pixels import is_picture, pixelwise, pixelwise_alone


def memberwise(operator: Callable[[Any, Any], Any], a: Any, b: Any, *, null_is_known: bool = False) -> Any:
    """The operator on each member of a list with a single value, or on the members of two lists side by side.

    Null where the lengths differ, where neither is a list or a picture, and beside a single null, unless the operator
    knows what to do with one. A list inside a list is no single value, so its member is null.
    """
    if is_picture(a) or is_picture(b):
        return pixelwise(operator.__name__, a, b)
    if isinstance(a, list):
        if isinstance(b, list):
            if len(a) != len(b):
                return None
            pairs = zip(a, b, strict=True)
            return [None if isinstance(x, list) or isinstance(y, list) else operator(x, y) for x, y in pairs]
        if b is not None or null_is_known:
            return [None if isinstance(x, list) else operator(x, b) for x in a]
    elif isinstance(b, list) and (a is not None or null_is_known):
        return [None if isinstance(y, list) else operator(a, y) for y in b]
    return None


def memberwise_alone(operator: Callable[[Any], Any], a: Any) -> Any:
    """The operator on each member of a list, or on a picture; null of anything else."""
    if isinstance(a, list):
        return [None if isinstance(x, list) else operator(x) for x in a]
    return pixelwise_alone(operator.__name__, a)
