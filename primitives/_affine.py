"""Affine maps of the plane, and the similarity by which a template was found in a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ._arguments import as_number
from ._columns import shown
from .annotations import NonNegative
from .faults import ArgumentFault

__all__ = ["Placement", "as_affine", "as_placement"]


@dataclass(frozen=True)
class Placement:
    """Where a template lies in a picture: scaled and rolled about a pivot, then shifted.

    `dx` and `dy` are the pixels by which the pivot moves, `scale` is 1 and `roll_degrees` 0 where nothing changes; the
    roll is clockwise as seen, y being down. `correlation` is that of the template with the picture, from -1 to 1.
    """

    dx: float
    dy: float
    scale: NonNegative
    roll_degrees: float
    pivot_x: float
    pivot_y: float
    correlation: float


def as_placement(argument: str, value: Any) -> Placement:
    """A placement, or the record of its parts."""
    if isinstance(value, Placement):
        return value
    if not isinstance(value, Mapping):
        raise ArgumentFault(argument, f"{shown(value)} is no placement, as `image.match_template` gives")
    return Placement(*(as_number(argument, value.get(part.name)) for part in fields(Placement)))


def as_affine(argument: str, value: Sequence[Sequence[float]]) -> np.ndarray:
    """Two rows of three numbers as (2, 3) float64; refuses a map that cannot be inverted."""
    rows = list(value) if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str) else []
    if len(rows) != 2 or any(isinstance(row, str) or not hasattr(row, "__len__") or len(row) != 3 for row in rows):
        raise ArgumentFault(argument, f"{shown(value)} is not two rows of three numbers")
    matrix = np.array([[as_number(argument, part) for part in row] for row in rows])
    if not abs(matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]) > 1e-12:
        raise ArgumentFault(argument, f"{shown(value)} maps an area to a line and cannot be inverted")
    return matrix
