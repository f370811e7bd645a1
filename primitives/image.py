"""Pictures: reading, scaling, compositing, and how far two of them are apart.

Conventions

* A *picture* is RGB: an array (height, width, 3) of uint8 or float, 0 to 255 per channel, display-referred (as it is
  stored, gamma included; no colour management). A *plane* is (height, width): a luma or a distance from 0 to 255, an
  alpha from 0 to 1. A *mask* is a plane of booleans. A *layer* is a premultiplied picture with its alpha.
* A size is `width` and `height` (or a list of both); a rectangle `x`, `y`, `width`, `height`, in whole pixels from the
  upper left corner, y down. Coordinates are continuous: pixel (x, y) covers [x, x + 1) by [y, y + 1), and its centre is
  at (x + 0.5, y + 0.5).
* What only crops, moves, averages or scales 8-bit pictures gives 8-bit pictures, rounded to the nearest; planes, layers
  and composites are float32. Sums are of float64 or of whole numbers, and each mean divides once.
* Arguments of unequal size are refused, never scaled unasked. `where` is a mask of pixels that count; left out, all
  count. A measure over no pixel is null.
* Luma is Rec. 709's, 0.2126 R + 0.7152 G + 0.0722 B of the values as they are stored.

Differences from known tools

* `ssim` is Wang's of 2004 (a Gaussian of 11 x 11, sigma 1.5, K1 = 0.01, K2 = 0.03, population variances, the 5 pixels
  at the border left out, luma not rounded): scikit-image's with `gaussian_weights=True, sigma=1.5,
  use_sample_covariance=False, data_range=255`. scikit-image's default is a box of 7 x 7, FFmpeg's one of 8 x 8.
* `resize` takes the mean of the area when it makes smaller, as OpenCV's INTER_AREA, and interpolates linearly when it
  makes larger. A layer's colours are premultiplied, so that transparent pixels lend no colour.
* `opacity` is the least-squares alpha in RGB with both colours known, which chroma keyers do not know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ._affine import Placement, as_affine
from ._arguments import as_number, as_whole
from ._cells import largest_cell_mean
from ._kinds import File, Mask, Overlay, Picture, Pixels, Plane, Rectangle, Size, WithAlpha
from ._layers import Layer, as_layer
from ._libraries import opencv
from ._luma import one_plane
from ._picture_files import decoded
from ._pixels import MAX_PIXELS, as_picture, as_pixels, as_rectangle, as_size, as_where, same_size
from ._ssim import RADIUS
from ._ssim import ssim as mean_similarity
from ._templates import Limits, matched
from .annotations import Count, NonNegative
from .faults import ArgumentFault

__all__ = [
    "Dimensions",
    "Layer",
    "Placement",
    "alpha_over",
    "black",
    "channel_mae",
    "crop",
    "dimensions",
    "distance",
    "luma",
    "mae",
    "match_template",
    "max_cell_mae",
    "max_cell_mean",
    "opacity",
    "paste",
    "premultiplied",
    "read",
    "read_plane",
    "read_rgba",
    "replace",
    "resize",
    "ssim",
    "warp",
]


@dataclass(frozen=True)
class Dimensions:
    """Of a picture, in pixels."""

    width: Count
    height: Count


# ---------------------------------------------------------------- reading


def read(file: File, *, max_pixels: Count = MAX_PIXELS) -> Picture:
    """The picture in a PNG or JPEG file, 8 bits a channel; grey becomes RGB, an alpha channel is left out.

    16 bits are rounded to 8. Colour profiles and the orientation of a camera are not applied. Refused: another
    format, a damaged or incomplete file, an animation, more pixels than `max_pixels`.
    """
    pixels = decoded(file, max_pixels)
    return np.ascontiguousarray(_as_rgba(pixels)[..., :3])


def read_rgba(file: File, *, max_pixels: Count = MAX_PIXELS) -> WithAlpha:
    """The picture in a PNG or JPEG file with its alpha, (height, width, 4), uint8; 255 where the file has no alpha.

    The colours are as they are stored, which in a PNG is not premultiplied. Otherwise as `read`.
    """
    return _as_rgba(decoded(file, max_pixels))


def read_plane(file: File, *, max_pixels: Count = MAX_PIXELS) -> Plane:
    """The grey values of a PNG or JPEG file from 0 to 1, float32, as a matte is stored; of 8 or 16 bits.

    A picture in colour is refused unless its three channels are equal. Otherwise as `read`.
    """
    pixels = decoded(file, max_pixels)
    if pixels.ndim == 3:
        colours = pixels[..., :3] if pixels.shape[2] > 2 else pixels[..., :1]
        if (colours != colours[..., :1]).any():
            raise ArgumentFault("file", "it is in colour; expected grey values")
        pixels = colours[..., 0]
    return pixels.astype(np.float32) / np.float32(np.iinfo(pixels.dtype).max)


def dimensions(file: File, *, max_pixels: Count = MAX_PIXELS) -> Dimensions:
    """The width and height of the picture in a PNG or JPEG file, after decoding all of it. Refused as by `read`."""
    height, width = decoded(file, max_pixels).shape[:2]
    return Dimensions(width, height)


def _as_rgba(pixels: np.ndarray) -> np.ndarray:
    cv2 = opencv()
    if pixels.dtype == np.uint16:
        pixels = ((pixels.astype(np.uint32) + 128) // 257).astype(np.uint8)
    if pixels.ndim == 2:
        return cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGBA)
    if pixels.shape[2] == 2:
        return np.ascontiguousarray(pixels[..., [0, 0, 0, 1]])
    return cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGBA if pixels.shape[2] == 4 else cv2.COLOR_BGR2RGBA)


def premultiplied(rgba: WithAlpha) -> Layer:
    """The layer of a picture with alpha, (height, width, 4), uint8, of which colour and alpha are independent."""
    if not isinstance(rgba, np.ndarray) or rgba.ndim != 3 or rgba.shape[2] != 4 or rgba.dtype != np.uint8:
        raise ArgumentFault("rgba", "it is no picture with alpha, as `read_rgba` gives")
    alpha = rgba[..., 3].astype(np.float32) / np.float32(255)
    return Layer(rgba[..., :3] * alpha[..., None], alpha)


# ---------------------------------------------------------------- geometry of whole pixels


def black(size: Size) -> Picture:
    """A black picture of 8 bits."""
    width, height = as_size("size", size)
    return np.zeros((height, width, 3), np.uint8)


def crop(image: Pixels, at: Rectangle) -> Pixels:
    """The part of a picture, plane or mask in a rectangle; one that reaches beyond it is refused."""
    pixels = as_pixels("image", image)
    return pixels[as_rectangle("at", at, pixels.shape)]


def paste(onto: Picture, image: Picture, at: Rectangle) -> Picture:
    """A copy of `onto` with another picture in a rectangle, resized to it as `resize` does."""
    below, above = as_picture("onto", onto), as_picture("image", image)
    rows, columns = as_rectangle("at", at, below.shape)
    pasted = below.copy()
    pasted[rows, columns] = _resized(above, columns.stop - columns.start, rows.stop - rows.start)
    return pasted


def replace(image: Picture, by: Picture, *, where: Mask) -> Picture:
    """A copy of the picture with the pixels of another where the mask is true."""
    picture, other = as_picture("image", image), as_picture("by", by)
    same_size("by", other, picture)
    return np.where(as_where(where, picture)[..., None], other, picture)  # type: ignore[index]


def resize(image: Pixels, size: Size) -> Pixels:
    """A picture, plane, mask or layer at another size: the mean of the area each way smaller, linear each way larger.

    Of a mask the result is a plane, the share of each area that is true. A layer is averaged premultiplied.
    """
    width, height = as_size("size", size)
    if isinstance(image, Layer | Mapping):
        layer = as_layer("image", image)
        return Layer(_resized(layer.colour, width, height), _resized(layer.alpha, width, height))
    pixels = as_pixels("image", image)
    return _resized(pixels.astype(np.float32) if pixels.dtype == bool else pixels, width, height)


def _resized(pixels: np.ndarray, width: int, height: int) -> np.ndarray:
    cv2 = opencv()
    smaller = min(width, pixels.shape[1]), min(height, pixels.shape[0])
    if smaller != pixels.shape[1::-1]:
        pixels = cv2.resize(pixels, smaller, interpolation=cv2.INTER_AREA)
    return pixels if smaller == (width, height) else cv2.resize(pixels, (width, height))


def warp(
    image: Picture, affine: Sequence[Sequence[float]], *, to: Size, of: Rectangle | None = None, gain: NonNegative = 1
) -> Picture:
    """A picture moved by an affine map onto black of size `to`, its values times `gain`, at most 255.

    `affine` is two rows of three numbers, [a, b, x] and [c, d, y], that take continuous coordinates of the picture, or
    of its rectangle `of`, to those of the result. Interpolation is linear, without averaging where the map shrinks.
    Refused: a map that cannot be inverted.
    """
    source = as_picture("image", image)
    if of is not None:
        source = source[as_rectangle("of", of, source.shape)]
    cv2 = opencv()
    matrix = as_affine("affine", affine)
    # OpenCV has pixel centres at whole coordinates.
    matrix[:, 2] += matrix[:, :2] @ (0.5, 0.5) - 0.5
    moved = cv2.warpAffine(source, matrix, as_size("to", to), flags=cv2.INTER_LINEAR)
    factor = as_number("gain", gain)
    if factor == 1:
        return moved
    if factor < 0:
        raise ArgumentFault("gain", f"{gain!r} is negative")
    return cv2.convertScaleAbs(moved, alpha=factor) if moved.dtype == np.uint8 else np.minimum(moved * factor, 255)


# ---------------------------------------------------------------- values


def luma(image: Picture) -> Plane:
    """Rec. 709 luma, 0.2126 R + 0.7152 G + 0.0722 B of the stored values, 0 to 255, float32."""
    return one_plane(as_picture("image", image), np.float32)


def distance(a: Picture, b: Picture) -> Plane:
    """The Euclidean distance of two pictures in RGB, pixel by pixel, from 0 to 441.7, float32."""
    gap = _difference(as_picture("a", a), as_picture("b", b)).astype(np.float32, copy=False)
    return np.sqrt(np.einsum("yxc,yxc->yx", gap, gap))


def _difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The absolute difference, of 8 bits where both are."""
    same_size("b", b, a)
    if a.ndim != b.ndim:
        raise ArgumentFault("b", "one is a picture and the other a plane")
    if a.dtype != b.dtype or a.dtype == bool:
        a, b = a.astype(np.float32), b.astype(np.float32)
    return opencv().absdiff(a, b)


def alpha_over(background: Picture, overlay: Overlay) -> Picture:
    """A layer over a picture: colour + (1 - alpha) background (Porter and Duff 1984), float32."""
    below, layer = as_picture("background", background), as_layer("overlay", overlay)
    same_size("overlay", layer.colour, below)
    return below * (np.float32(1) - layer.alpha)[..., None] + layer.colour


def opacity(seen: Picture, *, under: Picture, over: Picture) -> Plane:
    """How far each pixel lies on the way from the colour `under` to the colour `over`, 0 to 1, float32.

    The alpha that explains `seen` = (1 - alpha) under + alpha over with the least squared error in RGB, held to [0, 1];
    0 where both colours are the same.
    """
    picture, below, above = as_picture("seen", seen), as_picture("under", under), as_picture("over", over)
    same_size("under", below, picture)
    same_size("over", above, picture)
    way = above.astype(np.float32) - below
    gone = picture.astype(np.float32) - below
    whole = np.einsum("yxc,yxc->yx", way, way)
    part = np.einsum("yxc,yxc->yx", gone, way)
    return np.clip(np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0), 0, 1)


# ---------------------------------------------------------------- measures


def mae(a: Pixels, b: Pixels, *, where: Mask | None = None) -> NonNegative | None:
    """The mean absolute difference of two pictures or planes over pixels and channels; null where no pixel counts."""
    return _mean(_difference(as_pixels("a", a), as_pixels("b", b)), where)


def channel_mae(a: Picture, b: Picture, *, where: Mask | None = None) -> list[NonNegative] | None:
    """The mean absolute difference of red, of green and of blue; null where no pixel counts."""
    gap = _difference(as_picture("a", a), as_picture("b", b))
    means = [_mean(channel, where) for channel in opencv().split(gap)]
    return None if None in means else means  # type: ignore[return-value]


def _mean(values: np.ndarray, where: Any) -> float | None:
    mask = as_where(where, values)
    count = values.size if mask is None else int(np.count_nonzero(mask)) * (values.size // mask.size)
    if not count:
        return None
    cv2 = opencv()
    return cv2.norm(values, cv2.NORM_L1, None if mask is None else mask.view(np.uint8)) / count


def ssim(a: Pixels, b: Pixels, *, precision: Literal["fast", "exact"] = "fast") -> float | None:
    """Mean structural similarity of two pictures' lumas, or of two planes of 0 to 255; 1 where they are equal.

    Wang et al. 2004 as this module's description says. `fast` is float32, within 1e-6 of `exact`, which is float64.
    Null where a side has 10 pixels or fewer, for then the window of 11 nowhere fits. At least -1.
    """
    kind = np.float64 if precision == "exact" else np.float32
    if precision not in ("fast", "exact"):
        raise ArgumentFault("precision", f"{precision!r} is not one of fast, exact")
    planes = [one_plane(as_pixels(name, value), kind) for name, value in (("a", a), ("b", b))]
    same_size("b", planes[1], planes[0])
    return mean_similarity(*planes) if min(planes[0].shape) > 2 * RADIUS else None


def max_cell_mean(image: Pixels, cell: Count, *, where: Mask | None = None, at_least: Count = 1) -> NonNegative | None:
    """The largest mean that a channel has in a cell of `cell` x `cell` pixels; null where no cell counts.

    The grid starts at the upper left corner. In a cell only the pixels of `where` count, and only cells with
    `at_least` of these.
    """
    return _largest_cell_mean(as_pixels("image", image), cell, where, at_least, joined=False)


def max_cell_mae(
    a: Pixels, b: Pixels, cell: Count, *, where: Mask | None = None, at_least: Count = 1
) -> NonNegative | None:
    """The largest mean absolute difference, over the channels together, in a cell of `cell` x `cell` pixels.

    Grid, `where`, `at_least` and null as for `max_cell_mean`.
    """
    gap = _difference(as_pixels("a", a), as_pixels("b", b))
    return _largest_cell_mean(gap, cell, where, at_least, joined=True)


def _largest_cell_mean(values: np.ndarray, cell: Any, where: Any, at_least: Any, *, joined: bool) -> float | None:
    mask = as_where(where, values)
    return largest_cell_mean(
        values, as_whole("cell", cell, least=1), mask, as_whole("at_least", at_least, least=1), joined=joined
    )


def match_template(
    image: Pixels, template: Pixels, *, mask: Mask, shift: NonNegative, scale: NonNegative, roll: NonNegative
) -> Placement | None:
    """Where the masked part of a template lies in a picture of the same size, near the place it has in the template.

    Searched are shifts up to `shift` pixels in x and in y, scales from 1 - `scale` to 1 + `scale` and rolls up to
    `roll` degrees about the middle of the masked part, by zero-mean normalised correlation of luma, so that exposure
    does not matter; the result is refined to hundredths of a pixel. A placement at a limit may lie beyond it. Null
    where the masked part has no texture or fewer than 32 pixels, and where the picture is even.
    """
    planes = [as_pixels("image", image), as_pixels("template", template)]
    same_size("template", planes[1], planes[0])
    chosen = as_where(mask, planes[0], "mask")
    limits = [as_number(name, value) for name, value in (("shift", shift), ("scale", scale), ("roll", roll))]
    if min(limits) < 0 or limits[1] > 0.5 or limits[2] > 45:
        raise ArgumentFault("shift", "a limit is negative, or the scale's above 0.5, or the roll's above 45 degrees")
    return matched(*planes, chosen, Limits(*limits))  # type: ignore[arg-type]
