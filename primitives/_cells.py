"""Sums over the square cells of a grid that starts at the upper left corner; cells at the other edges may be cut."""

import numpy as np

__all__ = ["cell_sums", "largest_cell_mean", "support_box"]


def cell_sums(values: np.ndarray, cell: int) -> np.ndarray:
    """The sum of each cell and channel, (rows, columns, channels): exact of whole numbers, else in float64."""
    height, width = values.shape[:2]
    channels = values.reshape(height, width, -1)
    kind = np.uint32 if values.dtype in (np.uint8, bool) else np.float64
    rows = np.add.reduceat(channels, np.arange(0, height, cell), axis=0, dtype=kind)
    return np.add.reduceat(rows, np.arange(0, width, cell), axis=1)


def largest_cell_mean(
    values: np.ndarray, cell: int, where: np.ndarray | None, at_least: int, *, joined: bool
) -> float | None:
    """The largest mean among cells with enough pixels, each channel for itself or all `joined`; None without a cell."""
    if where is not None:
        box = support_box(where, cell)
        if box is None:
            return None
        values, where = values[box], where[box]
        values = values * (where if values.ndim == 2 else where[..., None])
    sums = cell_sums(values, cell)
    counts = cell_sums(np.ones(values.shape[:2], dtype=bool) if where is None else where, cell)[..., 0]
    if joined:
        sums, counts = sums.sum(axis=2, keepdims=True), counts * sums.shape[2]
        at_least *= values.shape[2] if values.ndim == 3 else 1
    enough = counts >= at_least
    return float((sums[enough] / counts[enough][:, None]).max()) if enough.any() else None


def support_box(where: np.ndarray, cell: int) -> tuple[slice, slice] | None:
    """The smallest rectangle of whole cells around a mask; None around an empty one."""
    sides = []
    for axis in (1, 0):
        hit = np.flatnonzero(where.any(axis=axis))
        if not len(hit):
            return None
        sides.append(slice(int(hit[0]) // cell * cell, (int(hit[-1]) // cell + 1) * cell))
    return sides[0], sides[1]
