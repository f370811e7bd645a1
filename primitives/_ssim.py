"""Structural similarity of two planes (Wang, Bovik, Sheikh and Simoncelli 2004)."""

import numpy as np

from ._libraries import opencv

__all__ = ["RADIUS", "ssim"]

RADIUS = 5
"""Of the window of 11 x 11; a map has values where the whole window lies on the planes."""

_SIGMA = 1.5
_LUMINANCE = (0.01 * 255) ** 2
_CONTRAST = (0.03 * 255) ** 2


def ssim(a: np.ndarray, b: np.ndarray) -> float:
    """The mean of the map, in the precision of the planes, which are both float32 or both float64.

    The sum and the difference of two planes carry both means, both variances and the covariance, so that four blurs
    do for five. The sum is centred first, which keeps the digits of float32 for its variance.
    """
    total, difference = a + b, a - b
    total -= 255
    middle, gap = _blurred(total), _blurred(difference)
    gap_square = gap * gap
    total_variance = _blurred(total * total) - middle * middle
    gap_variance = _blurred(difference * difference) - gap_square
    middle += 255
    middle *= middle
    map_ = ((middle - gap_square) / 2 + _LUMINANCE) * ((total_variance - gap_variance) / 2 + _CONTRAST)
    map_ /= ((middle + gap_square) / 2 + _LUMINANCE) * ((total_variance + gap_variance) / 2 + _CONTRAST)
    return float(np.mean(map_, dtype=np.float64))


def _blurred(plane: np.ndarray) -> np.ndarray:
    side = 2 * RADIUS + 1
    return opencv().GaussianBlur(plane, (side, side), _SIGMA)[RADIUS:-RADIUS, RADIUS:-RADIUS]
