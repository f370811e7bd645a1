"""Rec. 709 luma of values as they are stored."""

from typing import Any

import numpy as np

from ._libraries import opencv

__all__ = ["one_plane"]

_WEIGHTS = np.array([[0.2126, 0.7152, 0.0722]])


def one_plane(pixels: np.ndarray, kind: Any) -> np.ndarray:
    """The luma of a picture, or a plane as it is, as float32 or float64."""
    values = pixels.astype(kind, copy=False)
    return opencv().transform(values, _WEIGHTS) if values.ndim == 3 else values
