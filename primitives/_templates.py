"""Finding a template in a picture near the place where it should be.

A search over shifts, scales and rolls on small copies, by masked zero-mean normalised correlation, then Gauss-Newton
steps on ever larger ones. A step regresses the picture, sampled at the placed pixels, on the template, a constant and
the template's derivatives by the four parameters, so that gain and offset in brightness do not matter and the design
stays the same through all steps (inverse composition: Baker and Matthews 2004).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, cos, degrees, hypot, radians, sin

import numpy as np

from ._affine import Placement
from ._libraries import opencv
from ._luma import one_plane

__all__ = ["Limits", "matched"]

_COARSE = 64
"""The longer side of the masked part in the smallest copies."""

_ENOUGH = 2**15
"""So many pixels, spread evenly, determine four parameters as well as more do."""

_STEPS = 8
_SETTLED = 0.002
_ASTRAY = 0.02
"""What interpolation alone may cost a correlation."""

_LEAST_PIXELS = 32
_LEAST_DEVIATION = 0.5


@dataclass(frozen=True)
class Limits:
    """How far to search: pixels in x and in y, the share by which the scale may differ from 1, degrees of roll."""

    shift: float
    scale: float
    roll: float


@dataclass(frozen=True)
class _Pose:
    """p goes to turn (p - pivot) + pivot + move, in complex numbers and pixels of full size."""

    turn: complex = 1
    move: complex = 0


@dataclass(frozen=True)
class _Level:
    """Copies of the picture, the template and the mask `factor` times smaller; `pivot` is in their pixels.

    `judged` are the masked pixels, or some of them, as indices into the flattened planes.
    """

    image: np.ndarray
    template: np.ndarray
    mask: np.ndarray
    judged: np.ndarray
    factor: tuple[float, float]
    pivot: complex


def matched(image: np.ndarray, template: np.ndarray, mask: np.ndarray, limits: Limits) -> Placement | None:
    """The placement of the template's masked pixels in the picture; None where they are too few or too even to find.

    All three are of one size, pictures or planes the first two.
    """
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if np.count_nonzero(mask) < _LEAST_PIXELS:
        return None
    corner = complex(float(columns[0]), float(rows[0]))
    extent = complex(float(columns[-1] + 1), float(rows[-1] + 1)) - corner
    pivot, half = corner + extent / 2, abs(extent) / 2
    reach = ceil(limits.shift + half * (limits.scale + radians(limits.roll))) + 4
    box = _box(corner, extent, reach, mask.shape)
    planes = one_plane(image[box], np.float32), one_plane(template[box], np.float32), mask[box]
    if float(planes[1][planes[2]].std()) < _LEAST_DEVIATION:
        return None
    middle = pivot - complex(box[1].start, box[0].start)
    coarsest, *others = _factors(max(extent.real, extent.imag) / _COARSE)
    level = _level(*planes, coarsest, middle)
    pose = _refined(level, _searched(level, limits, half), limits, half)
    for factor in others:
        level = _level(*planes, factor, middle)
        pose = _refined(level, pose, limits, half)
    correlation = _correlation(level, pose)
    if correlation is None:
        return None
    roll = degrees(float(np.angle(pose.turn)))
    return Placement(pose.move.real, pose.move.imag, abs(pose.turn), roll, pivot.real, pivot.imag, correlation)


def _box(corner: complex, extent: complex, reach: int, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """The masked part with `reach` pixels on each side, as far as there are any."""
    left, top = int(corner.real), int(corner.imag)
    return (
        slice(max(0, top - reach), min(shape[0], top + int(extent.imag) + reach)),
        slice(max(0, left - reach), min(shape[1], left + int(extent.real) + reach)),
    )


def _factors(smallest: float) -> Iterator[float]:
    """From the smallest copies to the full size, each at most twice as large as the last."""
    factor = max(1.0, smallest)
    while factor > 1.5:
        yield factor
        factor /= 2
    yield 1.0


def _level(image: np.ndarray, template: np.ndarray, mask: np.ndarray, factor: float, pivot: complex) -> _Level:
    if factor == 1:
        return _Level(image, template, mask, _judged(mask), (1.0, 1.0), pivot)
    cv2 = opencv()
    height, width = image.shape
    size = max(1, round(width / factor)), max(1, round(height / factor))
    planes = image, template, mask.astype(np.float32)
    small, smaller, share = (cv2.resize(plane, size, interpolation=cv2.INTER_AREA) for plane in planes)
    across, down = width / size[0], height / size[1]
    inside = share > 0.999
    middle = complex(pivot.real / across, pivot.imag / down)
    return _Level(small, smaller, inside, _judged(inside), (across, down), middle)


def _judged(mask: np.ndarray) -> np.ndarray:
    pixels = np.flatnonzero(mask)
    return pixels[:: max(1, len(pixels) // _ENOUGH)]


# ---------------------------------------------------------------- search


def _searched(level: _Level, limits: Limits, half: float) -> _Pose:
    """The best of a grid of scales and rolls, a pixel apart at the rim, each with its best whole shift."""
    rim = half / max(level.factor)
    scales = _grid(limits.scale, rim)
    rolls = _grid(radians(limits.roll), rim)
    best, pose = -np.inf, _Pose()
    for scale in scales:
        for roll in rolls:
            turn = complex((1 + scale) * cos(roll), (1 + scale) * sin(roll))
            score, move = _best_shift(level, turn, limits.shift)
            if score > best:
                best, pose = score, _Pose(turn, move)
    return pose


def _grid(extent: float, rim: float) -> np.ndarray:
    return np.linspace(-extent, extent, 2 * min(6, ceil(extent * rim / 2)) + 1)


def _best_shift(level: _Level, turn: complex, shift: float) -> tuple[float, complex]:
    """The highest correlation of the turned template at whole shifts of the level's pixels, and the shift."""
    cv2 = opencv()
    height, width = level.image.shape
    matrix = _matrix(turn, level.pivot, 0)
    mask = cv2.warpAffine(level.mask.astype(np.float32), matrix, (width, height)) > 0.999
    across = min(ceil(shift / level.factor[0]), (width - 1) // 2)
    down = min(ceil(shift / level.factor[1]), (height - 1) // 2)
    inner = slice(down, height - down), slice(across, width - across)
    mask = np.ascontiguousarray(mask[inner], dtype=np.float32)
    count = float(mask.sum())
    if count < _LEAST_PIXELS / 2:
        return -1.0, 0
    template = cv2.warpAffine(level.template, matrix, (width, height))[inner]
    template = (template - float((template * mask).sum()) / count) * mask
    image = level.image - level.image.mean()
    sums, squares, products = (
        cv2.matchTemplate(values, kernel, cv2.TM_CCORR)
        for values, kernel in ((image, mask), (image * image, mask), (image, template))
    )
    spread = np.maximum(squares - sums * sums / count, 1e-3 * count) * float((template * template).sum())
    scores = products / np.sqrt(np.maximum(spread, 1e-6))
    _, score, _, (x, y) = cv2.minMaxLoc(scores)
    return score, complex((x - across) * level.factor[0], (y - down) * level.factor[1])


def _matrix(turn: complex, pivot: complex, move: complex) -> np.ndarray:
    """The map of a pose for OpenCV, which has pixel centres at whole coordinates."""
    centre = pivot - complex(0.5, 0.5)
    offset = centre + move - turn * centre
    return np.array([[turn.real, -turn.imag, offset.real], [turn.imag, turn.real, offset.imag]])


# ---------------------------------------------------------------- refinement


def _refined(level: _Level, start: _Pose, limits: Limits, half: float) -> _Pose:
    """Gauss-Newton steps until the rim moves no more; the start, where they lead astray."""
    design = _Design.of(level)
    if design is None:
        return start
    pose = start
    for _ in range(_STEPS):
        step = design.step(_sampled(level, pose))
        if step is None:
            break
        turn, move = step
        pose = _within(_Pose(pose.turn * (1 + turn), pose.move + pose.turn * move * max(level.factor)), limits)
        if abs(move) * max(level.factor) + abs(turn) * half < _SETTLED * max(level.factor):
            break
    before, after = _correlation(level, start), _correlation(level, pose)
    return pose if after is not None and (before is None or after > before - _ASTRAY) else start


def _within(pose: _Pose, limits: Limits) -> _Pose:
    """The pose held within the limits."""
    x, y = (min(max(part, -limits.shift), limits.shift) for part in (pose.move.real, pose.move.imag))
    scale = min(max(abs(pose.turn), 1 - limits.scale), 1 + limits.scale)
    most = radians(limits.roll)
    roll = min(max(float(np.angle(pose.turn)), -most), most)
    return _Pose(complex(scale * cos(roll), scale * sin(roll)), complex(x, y))


def _sampled(level: _Level, pose: _Pose) -> np.ndarray:
    """The picture at the placed pixels of the template."""
    cv2 = opencv()
    move = complex(pose.move.real / level.factor[0], pose.move.imag / level.factor[1])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = _matrix(pose.turn, level.pivot, move)
    size = level.image.shape[::-1]
    return cv2.warpAffine(level.image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def _correlation(level: _Level, pose: _Pose) -> float | None:
    """Of the template with the picture where it is placed; None where either is even."""
    if not len(level.judged):
        return None
    a = level.template.take(level.judged).astype(np.float64)
    b = _sampled(level, pose).take(level.judged).astype(np.float64)
    a -= a.mean()
    b -= b.mean()
    spread = float(np.einsum("i,i->", a, a)) * float(np.einsum("i,i->", b, b))
    return min(1.0, max(-1.0, float(np.einsum("i,i->", a, b)) / spread**0.5)) if spread > 0 else None


@dataclass(frozen=True)
class _Design:
    """The regressors of the masked pixels, (6, n): template, constant, derivatives by x, y, scale and roll."""

    pixels: np.ndarray
    rows: np.ndarray
    inverse: np.ndarray

    @classmethod
    def of(cls, level: _Level) -> "_Design | None":
        """None where the template does not determine all four parameters."""
        cv2 = opencv()
        # The derivatives at the mask's rim would see what lies beyond it.
        inner = cv2.erode(level.mask.view(np.uint8), np.ones((3, 3), np.uint8), borderValue=0).view(bool)
        pixels = _judged(inner)
        if len(pixels) < _LEAST_PIXELS / 2:
            return None
        orders = (1, 0), (0, 1)
        slopes = [cv2.Sobel(level.template, cv2.CV_32F, *order, ksize=3, scale=1 / 8) for order in orders]
        template, by_x, by_y = (plane.take(pixels) for plane in (level.template, *slopes))
        y, x = np.divmod(pixels, level.mask.shape[1])
        u, v = x + (0.5 - level.pivot.real), y + (0.5 - level.pivot.imag)
        ones = np.ones(len(pixels))
        rows = np.stack([template, ones, by_x, by_y, by_x * u + by_y * v, by_y * u - by_x * v])
        gram = np.einsum("in,jn->ij", rows, rows)
        # Scaled to a unit diagonal, so that one bound serves for all parameters.
        scale = np.sqrt(np.maximum(np.diag(gram), 1e-12))
        normal = gram / np.outer(scale, scale)
        if np.linalg.cond(normal) > 1e8:
            return None
        return cls(pixels, rows, np.linalg.inv(normal) / np.outer(scale, scale))

    def step(self, sampled: np.ndarray) -> tuple[complex, complex] | None:
        """The change of turn and move that explains a picture sampled at the pixels; None where it shows nothing."""
        values = sampled.take(self.pixels).astype(np.float64)
        gain, _, x, y, scale, roll = self.inverse @ np.einsum("in,n->i", self.rows, values)
        if not gain > 1e-3 or not hypot(x, y) < np.inf:
            return None
        return -complex(scale, roll) / gain, -complex(x, y) / gain
