"""Masks: growing and shrinking them, shares and means over them, and how well two agree.

Conventions

* A mask is true or false for each pixel, (height, width); comparisons of pictures give masks. Sizes, rectangles and
  planes are those of the module `image`. Masks of unequal size are refused.
* Growing by `pixels` takes in every pixel within that distance of the mask, the distance being the larger of those in x
  and in y (a square of 2 `pixels` + 1); outside the picture is neither true nor false and changes nothing.
* A share or a mean over no pixel is null. Two empty masks have no intersection over union: null. pycocotools has 0
  there, others 1.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._arguments import as_whole
from ._columns import shown
from ._kinds import Mask, Plane, Rectangle, Size
from ._libraries import opencv
from ._pixels import as_mask, as_plane, as_rectangle, as_size, as_where, same_size
from .annotations import Count, Share
from .faults import ArgumentFault

__all__ = ["area", "columns", "dilate", "edge_band", "erode", "iou", "mean", "rectangle", "share"]


def rectangle(size: Size, at: Rectangle, *, inset: Count = 0) -> Mask:
    """A mask of this size that is true in a rectangle, less `inset` pixels on each of its sides."""
    width, height = as_size("size", size)
    rows, across = as_rectangle("at", at, (height, width))
    less = as_whole("inset", inset)
    mask = np.zeros((height, width), bool)
    mask[rows.start + less : max(0, rows.stop - less), across.start + less : max(0, across.stop - less)] = True
    return mask


def columns(size: Size, ranges: Sequence[Sequence[Count]]) -> Mask:
    """A mask of this size that is true in ranges of columns, each a first and a last one, both included."""
    width, height = as_size("size", size)
    mask = np.zeros((height, width), bool)
    for first, last in _ranges(ranges, width):
        mask[:, first : last + 1] = True
    return mask


def _ranges(ranges: Any, width: int) -> list[tuple[int, int]]:
    pairs = []
    for pair in ranges:
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise ArgumentFault("ranges", f"{shown(pair)} is not a first and a last column")
        first, last = (as_whole("ranges", column) for column in pair)
        if not first <= last < width:
            raise ArgumentFault("ranges", f"{first} to {last} are not columns from left to right of {width}")
        pairs.append((first, last))
    return pairs


def dilate(mask: Mask, pixels: Count) -> Mask:
    """The mask with all that is within `pixels` of it."""
    return _grown(as_mask("mask", mask), as_whole("pixels", pixels))


def erode(mask: Mask, pixels: Count) -> Mask:
    """The mask without all that is within `pixels` of what is not in it."""
    return ~_grown(~as_mask("mask", mask), as_whole("pixels", pixels))


def edge_band(mask: Mask, pixels: Count) -> Mask:
    """What is within `pixels` of the mask's edge, on both of its sides."""
    inner, reach = as_mask("mask", mask), as_whole("pixels", pixels)
    return _grown(inner, reach) & _grown(~inner, reach)


def _grown(mask: np.ndarray, pixels: int) -> np.ndarray:
    """Row by row, then column by column, by at most the picture's own size."""
    cv2 = opencv()
    grown = mask.astype(np.uint8)
    for kernel in ((1, 2 * min(pixels, mask.shape[1]) + 1), (2 * min(pixels, mask.shape[0]) + 1, 1)):
        grown = cv2.dilate(grown, np.ones(kernel, np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return grown.view(bool)


def area(mask: Mask) -> Count:
    """How many pixels are true."""
    return int(np.count_nonzero(as_mask("mask", mask)))


def share(mask: Mask, *, of: Mask) -> Share | None:
    """The share of the pixels of `of` that are in the mask; null where `of` is empty."""
    among = as_mask("of", of)
    inside = as_where(mask, among, "mask")
    count = int(np.count_nonzero(among))
    return int(np.count_nonzero(inside & among)) / count if count else None


def mean(plane: Plane, *, of: Mask) -> float | None:
    """The mean of a plane over the pixels of a mask, summed in float64; null where the mask is empty."""
    values = as_plane("plane", plane)
    among = as_mask("of", of)
    same_size("of", among, values)
    count = int(np.count_nonzero(among))
    return float(values[among].sum(dtype=np.float64)) / count if count else None


def iou(a: Mask, b: Mask, *, where: Mask | None = None) -> Share | None:
    """Intersection over union of two masks; null where both are empty.

    With `where` only its pixels count: a band in which one does not care is left out of both counts.
    """
    one, other = as_mask("a", a), as_mask("b", b)
    same_size("b", other, one)
    judged = as_where(where, one)
    both, either = one & other, one | other
    if judged is not None:
        both, either = both & judged, either & judged
    union = int(np.count_nonzero(either))
    return int(np.count_nonzero(both)) / union if union else None
