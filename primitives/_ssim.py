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
    cv2 = opencv()
    total, difference = cv2.add(a, b), cv2.subtract(a, b)
    total -= 255
    middle, gap = _blurred(total), _blurred(difference)
    spread, rest = _blurred(cv2.multiply(total, total)), _blurred(cv2.multiply(difference, difference))
    spread -= middle * middle
    gap *= gap
    rest -= gap
    middle += 255
    middle *= middle
    # Both factors of numerator and denominator are doubled.
    map_ = (middle - gap + 2 * _LUMINANCE) * (spread - rest + 2 * _CONTRAST)
    middle += gap + 2 * _LUMINANCE
    spread += rest + 2 * _CONTRAST
    middle *= spread
    map_ /= middle
    return float(np.mean(map_, dtype=np.float64))


def _blurred(plane: np.ndarray) -> np.ndarray:
    side = 2 * RADIUS + 1
    return opencv().GaussianBlur(plane, (side, side), _SIGMA)[RADIUS:-RADIUS, RADIUS:-RADIUS]
