"""Overlays: whether a graphic that should lie over a film does, in its colours and in its fine detail.

Pictures, layers and masks are those of the module `image`. An overlay's support is where its alpha is above 0; nothing
outside it is looked at.
"""

from dataclasses import dataclass

import numpy as np

from ._arguments import as_number, as_whole
from ._cells import cell_sums, largest_cell_mean, support_box
from ._kinds import Overlay, Picture
from ._layers import Layer, as_layer
from ._libraries import opencv
from ._pixels import as_picture, same_size
from .annotations import Count, NonNegative
from .image import alpha_over, luma

__all__ = ["CellComparison", "compare_cells"]


@dataclass(frozen=True)
class CellComparison:
    """The worst cells of an overlay: its mean absolute RGB error, 0 to 255, and its correlation of texture, -1 to 1.

    `cells` with support and `textured_cells` are how many were compared; without any the worst of them is null.
    """

    worst_mae: NonNegative | None
    worst_correlation: float | None
    cells: Count
    textured_cells: Count


def compare_cells(
    frame: Picture,
    *,
    background: Picture,
    overlay: Overlay,
    cell: Count,
    support_at_least: Count,
    texture_at_least: NonNegative,
) -> CellComparison:
    """How a frame differs from a layer over its background, in the worst of the cells of `cell` x `cell` pixels.

    The error is the mean over RGB and over a cell's support of the difference to the composite; every cell with
    support counts. Texture is the luma (Rec. 709) of the premultiplied layer; a cell has some where at least
    `support_at_least` of its pixels have support and its standard deviation over these is `texture_at_least` (of 255)
    or more. There the frame less (1 - alpha) background is correlated with it (Pearson); where what is left is even,
    the correlation is 0.
    """
    picture, below, layer = (
        as_picture("frame", frame),
        as_picture("background", background),
        as_layer("overlay", overlay),
    )
    same_size("background", below, picture)
    same_size("overlay", layer.colour, picture)
    side = as_whole("cell", cell, least=1)
    box = support_box(layer.alpha > 0, side)
    if box is None:
        return CellComparison(None, None, 0, 0)
    part = Layer(layer.colour[box], layer.alpha[box])
    shown, behind, support = picture[box], below[box], part.alpha > 0
    error = opencv().absdiff(shown.astype(np.float32), alpha_over(behind, part).astype(np.float32, copy=False))
    correlations = _correlations(
        luma(part.colour),
        luma(shown - behind * (1 - part.alpha)[..., None]),
        support,
        side,
        (as_whole("support_at_least", support_at_least, least=1), as_number("texture_at_least", texture_at_least)),
    )
    return CellComparison(
        largest_cell_mean(error, side, support, 1, joined=True),
        float(correlations.min()) if len(correlations) else None,
        int(np.count_nonzero(cell_sums(support, side))),
        len(correlations),
    )


def _correlations(
    texture: np.ndarray, rendered: np.ndarray, support: np.ndarray, cell: int, at_least: tuple[int, float]
) -> np.ndarray:
    """Of both planes over the support of each textured cell."""
    x, y = (np.where(support, plane, 0).astype(np.float64) for plane in (texture, rendered))
    count, sx, sy, sxx, syy, sxy = (
        cell_sums(values, cell)[..., 0].astype(np.float64) for values in (support, x, y, x * x, y * y, x * y)
    )
    least, deviation = at_least
    covered = count >= least
    count, sx, sy, sxx, syy, sxy = (sums[covered] for sums in (count, sx, sy, sxx, syy, sxy))
    variance = np.maximum(sxx - sx * sx / count, 0) / count
    textured = (variance >= deviation * deviation) & (variance > 0)
    count, sx, sy, syy, sxy, variance = (sums[textured] for sums in (count, sx, sy, syy, sxy, variance))
    spread = np.maximum(syy - sy * sy / count, 0) / count
    # Below a thousandth of a level there is only rounding.
    even = spread < 1e-6
    covariance = (sxy - sx * sy / count) / count
    return np.where(even, 0, np.clip(covariance / np.sqrt(variance * np.where(even, 1, spread)), -1, 1))
