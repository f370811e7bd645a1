"""What the media primitives demand of their arrays, sizes and rectangles, with messages that name the argument."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._arguments import as_whole
from ._columns import shown
from .faults import ArgumentFault

__all__ = [
    "MAX_PIXELS",
    "as_file",
    "as_mask",
    "as_picture",
    "as_pixels",
    "as_plane",
    "as_rectangle",
    "as_size",
    "as_where",
    "described_size",
    "same_size",
]

MAX_PIXELS = 2**26
"""What a picture may have unless its reader is told otherwise: 8192 x 8192."""

# OpenCV warps pictures by 16-bit coordinates.
_MAX_SIDE = 2**15 - 2

_DEPTHS = ("uint8", "float32", "float64")


def as_pixels(argument: str, value: Any) -> np.ndarray:
    """A picture, plane or mask that is not empty."""
    array = _array(argument, value)
    colour = array.ndim == 3 and array.shape[2] == 3
    if array.ndim != 2 and not colour:
        raise ArgumentFault(argument, f"an array of shape {array.shape} is neither a picture nor a plane")
    if not array.size:
        raise ArgumentFault(argument, f"a picture of {described_size(array)} has no pixels")
    return array


def as_picture(argument: str, value: Any) -> np.ndarray:
    """RGB, (height, width, 3), 0 to 255."""
    array = as_pixels(argument, value)
    if array.ndim != 3 or array.dtype == bool:
        raise ArgumentFault(argument, "it has one value a pixel; expected a picture with red, green and blue")
    return array


def as_plane(argument: str, value: Any) -> np.ndarray:
    """One number a pixel, (height, width); of a mask 0 and 1."""
    array = as_pixels(argument, value)
    if array.ndim != 2:
        raise ArgumentFault(argument, "it has three values a pixel; expected one, as an alpha or a luma has")
    return array.view(np.uint8) if array.dtype == bool else array


def as_mask(argument: str, value: Any) -> np.ndarray:
    """True or false a pixel, (height, width)."""
    array = as_pixels(argument, value)
    if array.dtype != bool or array.ndim != 2:
        raise ArgumentFault(argument, "it is no mask; expected true or false for each pixel, as a comparison gives")
    return array


def as_where(value: Any, beside: np.ndarray, argument: str = "where") -> np.ndarray | None:
    """A mask of the same size as `beside`; None stands for every pixel."""
    if value is None:
        return None
    mask = as_mask(argument, value)
    same_size(argument, mask, beside)
    return mask


def same_size(argument: str, array: np.ndarray, beside: np.ndarray) -> None:
    """Refuses an array whose width or height is another than that of the array it is used with."""
    if array.shape[:2] != beside.shape[:2]:
        raise ArgumentFault(argument, f"it is {described_size(array)} pixels beside {described_size(beside)}")


def described_size(array: np.ndarray) -> str:
    return " x ".join(str(side) for side in array.shape[1::-1])


def as_size(argument: str, value: Any) -> tuple[int, int]:
    """Width and height from a record of both or a list of two; no more pixels than a picture may have."""
    width, height = _members(argument, value, ("width", "height"), least=1)
    if max(width, height) > _MAX_SIDE or width * height > MAX_PIXELS:
        raise ArgumentFault(argument, f"{width} x {height} is larger than a picture may be")
    return width, height


def as_rectangle(argument: str, value: Any, within: tuple[int, ...]) -> tuple[slice, slice]:
    """Rows and columns of a record x, y, width, height (or a list of these four) that lies within an array's shape."""
    x, y, width, height = _members(argument, value, ("x", "y", "width", "height"))
    if not width or not height:
        raise ArgumentFault(argument, f"a rectangle of {width} x {height} has no pixels")
    if x + width > within[1] or y + height > within[0]:
        reach = f"{width} x {height} at {x}, {y}"
        raise ArgumentFault(argument, f"{reach} reaches beyond the {within[1]} x {within[0]} pixels that there are")
    return slice(y, y + height), slice(x, x + width)


def as_file(argument: str, value: Any) -> str:
    """The path of a file that exists."""
    if not isinstance(value, str | os.PathLike):
        raise ArgumentFault(argument, f"{shown(value)} is not the path of a file")
    path = os.fspath(value)
    if not os.path.isfile(path):
        raise ArgumentFault(argument, f"{shown(path)} is not a file")
    return os.path.abspath(path)


def _array(argument: str, value: Any) -> np.ndarray:
    if not isinstance(value, np.ndarray):
        raise ArgumentFault(argument, f"{shown(value)} is neither a picture nor a plane")
    if value.dtype != bool and value.dtype.name not in _DEPTHS:
        raise ArgumentFault(argument, f"its values are {value.dtype.name}; expected one of {', '.join(_DEPTHS)}")
    return value


def _members(argument: str, value: Any, names: Sequence[str], *, least: int = 0) -> list[int]:
    """The whole numbers that a record has under these names, or a list in this order."""
    if isinstance(value, Mapping):
        parts = [value.get(name) for name in names]
    elif isinstance(value, Sequence) and not isinstance(value, str) and len(value) == len(names):
        parts = list(value)
    else:
        raise ArgumentFault(argument, f"{shown(value)} has not {', '.join(names)}")
    numbers = []
    for name, part in zip(names, parts, strict=True):
        try:
            numbers.append(as_whole(name, part, least=least))  # type: ignore[arg-type]
        except ArgumentFault as fault:
            raise ArgumentFault(argument, f"{name}: {fault.reason}") from None
    return numbers
