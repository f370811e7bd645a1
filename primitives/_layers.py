"""A premultiplied picture with its alpha."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._kinds import Picture, Plane
from ._pixels import as_picture, as_plane, same_size
from .faults import ArgumentFault

__all__ = ["Layer", "as_layer"]


@dataclass(frozen=True, eq=False)
class Layer:
    """A picture to lay over others: RGB times alpha, 0 to 255, and alpha, 0 to 1; both float32."""

    colour: Picture
    alpha: Plane


def as_layer(argument: str, value: Any) -> Layer:
    """A layer, or the record of its parts."""
    if isinstance(value, Mapping):
        value = Layer(value.get("colour"), value.get("alpha"))
    if not isinstance(value, Layer):
        raise ArgumentFault(argument, "it is no layer, as `image.premultiplied` gives")
    colour, alpha = as_picture(argument, value.colour), as_plane(argument, value.alpha)
    same_size(argument, alpha, colour)
    return Layer(colour, alpha)
