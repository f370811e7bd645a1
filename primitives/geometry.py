"""Geometry of the picture plane: affine maps, and how far a placement moves what it places.

Conventions

* A point is [x, y], a map two rows of three numbers, [a, b, x] and [c, d, y]: (x, y) goes to (a x + b y + x, ...).
  Coordinates are continuous and y is down, as in the module `image`: the centre of pixel (0, 0) is (0.5, 0.5).
* Angles are degrees, clockwise as seen. Maps that cannot be inverted and numbers that are not finite are refused.
"""

from collections.abc import Sequence
from math import atan2, degrees, fsum, hypot, radians, sqrt
from typing import Any

import numpy as np

from ._affine import Placement, as_affine, as_placement
from ._arguments import as_number
from ._columns import shown
from ._kinds import Mask
from ._pixels import as_mask
from .annotations import NonNegative
from .faults import ArgumentFault

__all__ = ["Placement", "apply", "distance", "mean_displacement", "roll_degrees", "scale"]


def scale(affine: Sequence[Sequence[float]]) -> NonNegative:
    """By how much a map enlarges: the square root of the factor by which areas grow."""
    (a, b, _), (c, d, _) = as_affine("affine", affine).tolist()
    return sqrt(abs(a * d - b * c))


def roll_degrees(affine: Sequence[Sequence[float]]) -> float:
    """The angle to which a map turns the direction of x, from -180 to 180, clockwise as seen."""
    matrix = as_affine("affine", affine)
    return degrees(atan2(matrix[1, 0], matrix[0, 0]))


def apply(affine: Sequence[Sequence[float]], point: Sequence[float]) -> list[float]:
    """The point to which a map takes a point."""
    x, y = _as_point("point", point)
    return [fsum((a * x, b * y, c)) for a, b, c in as_affine("affine", affine).tolist()]


def distance(a: Sequence[float], b: Sequence[float]) -> NonNegative:
    """The distance of two points (Euclidean)."""
    (ax, ay), (bx, by) = _as_point("a", a), _as_point("b", b)
    return hypot(ax - bx, ay - by)


def mean_displacement(placement: Placement, *, where: Mask) -> NonNegative | None:
    """How far a placement moves the pixels of a mask from where they were, on average, in pixels; null for none.

    The mask is of the template's size. Of a template that already lies where it should, that is the error of the
    picture in which it was found.
    """
    found = as_placement("placement", placement)
    rows, columns = np.nonzero(as_mask("where", where))
    if not len(rows):
        return None
    turn = found.scale * np.exp(1j * radians(found.roll_degrees)) - 1
    offsets = (columns + (0.5 - found.pivot_x)) + 1j * (rows + (0.5 - found.pivot_y))
    moved = turn * offsets + complex(found.dx, found.dy)
    return float(np.abs(moved).sum()) / len(rows)


def _as_point(argument: str, value: Any) -> tuple[float, float]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise ArgumentFault(argument, f"{shown(value)} is no point; expected a list of x and y")
    return as_number(argument, value[0]), as_number(argument, value[1])
