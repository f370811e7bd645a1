"""Operators over pictures, which are NumPy arrays of at least two dimensions: pixel by pixel.

NumPy itself is not imported here: only who made an array has needed it. A picture beside a picture of another size, a
list or null gives null, as does one divided by 0 or by a picture. Whole numbers become 32-bit floats first, so that no
difference of 8-bit values wraps.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any

_SINGLE = (int, float, bool)


def is_picture(value: Any) -> bool:
    """Whether this is an array of at least two dimensions."""
    return getattr(value, "ndim", 0) >= 2 and hasattr(value, "__array_interface__")


def holds(value: Any) -> bool:
    """Whether this is a picture or a record of one."""
    if isinstance(value, dict):
        return any(map(holds, value.values()))
    return is_picture(value)


def _floating(value: Any) -> Any:
    return value.astype("float32") if is_picture(value) and value.dtype.kind in "iub" else value


def _arithmetic(of: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: of(_floating(a), _floating(b))


def _divided(a: Any, b: Any) -> Any:
    return None if is_picture(b) or b == 0 else _floating(a) / b


def _logical(of: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def joined(a: Any, b: Any) -> Any:
        return of(a, b) if _is_mask(a) and _is_mask(b) else None

    return joined


def _is_mask(value: Any) -> bool:
    return type(value) is bool or (is_picture(value) and value.dtype.kind == "b")


_OF_TWO: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": _arithmetic(operator.add),
    "subtract": _arithmetic(operator.sub),
    "multiply": _arithmetic(operator.mul),
    "divide": _divided,
    "less": operator.lt,
    "at_most": operator.le,
    "more": operator.gt,
    "at_least": operator.ge,
    "both": _logical(operator.and_),
    "either": _logical(operator.or_),
}
_OF_ONE: Mapping[str, Callable[[Any], Any]] = {
    "negate": lambda a: -_floating(a),
    "opposite": lambda a: ~a if _is_mask(a) else None,
    "abs": abs,
}


def pixelwise(name: str, a: Any, b: Any) -> Any:
    """The operator of this name over two pictures of one size, or a picture and a number; null of anything else."""
    pictures = [is_picture(side) for side in (a, b)]
    if (
        name not in _OF_TWO
        or not any(pictures)
        or not all(is_picture(side) or type(side) in _SINGLE for side in (a, b))
    ):
        return None
    if all(pictures) and a.shape != b.shape:
        return None
    return _OF_TWO[name](a, b)


def pixelwise_alone(name: str, a: Any) -> Any:
    """The operator of this name over a picture; null of anything else."""
    return _OF_ONE[name](a) if is_picture(a) and name in _OF_ONE else None
