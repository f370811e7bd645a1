"""Two signals compared in windows that share blocks: each sample is summed once, however many windows it lies in."""

from math import gcd

import numpy as np

__all__ = ["Windows", "shifted", "windowed"]


class Windows:
    """Figures of each window, float64; NaN where there is none."""

    def __init__(self, count: np.ndarray, sums: dict[str, np.ndarray]) -> None:
        x, y = sums["xx"] / count, sums["yy"] / count
        self.reference_rms, self.other_rms = np.sqrt(x), np.sqrt(y)
        self.error = np.sqrt(sums["dd"] / count)
        spread = _variance(sums["xx"], sums["x"], count) * _variance(sums["yy"], sums["y"], count)
        covariance = sums["xy"] / count - sums["x"] / count * (sums["y"] / count)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.correlation = np.where(spread > 0, np.clip(covariance / np.sqrt(spread), -1, 1), np.nan)
            both = (x > 0) & (y > 0)
            self.gain_db = np.where(both, 10 * np.log10(y / x), np.nan)
            self.relative_error = np.where(x > 0, self.error / self.reference_rms, np.nan)


def _variance(squares: np.ndarray, sums: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Zero where there is nothing but the rounding of sums."""
    means, square = sums / count, squares / count
    variance = square - means * means
    return np.where(variance > 1e-12 * square, variance, 0)


def shifted(samples: np.ndarray, by: int, length: int) -> np.ndarray:
    """`length` samples from index `by` on; zeros where there are none."""
    if by >= 0 and by + length <= len(samples):
        return samples[by : by + length]
    taken = np.zeros(length, samples.dtype)
    first, last = max(0, by), min(len(samples), by + length)
    if first < last:
        taken[first - by : last - by] = samples[first:last]
    return taken


def windowed(reference: np.ndarray, other: np.ndarray, window: int, step: int) -> Windows:
    """The figures of windows that start every `step` samples; the last ones end with the signals."""
    block = gcd(window, step)
    x, y = (_in_blocks(signal, block) for signal in (reference, other))
    difference = y - x
    sums = {
        "x": x.sum(axis=1),
        "y": y.sum(axis=1),
        "xx": np.einsum("ij,ij->i", x, x),
        "yy": np.einsum("ij,ij->i", y, y),
        "xy": np.einsum("ij,ij->i", x, y),
        "dd": np.einsum("ij,ij->i", difference, difference),
    }
    starts = np.arange(0, len(reference), step)
    count = np.minimum(starts + window, len(reference)) - starts
    joined = {name: _joined(blocks, starts // block, window // block) for name, blocks in sums.items()}
    return Windows(count, joined)


def _in_blocks(signal: np.ndarray, block: int) -> np.ndarray:
    """(blocks, `block`) in float64, the last one filled up with zeros."""
    rows = -(-len(signal) // block)
    filled = np.zeros(rows * block)
    filled[: len(signal)] = signal
    return filled.reshape(rows, block)


def _joined(blocks: np.ndarray, starts: np.ndarray, width: int) -> np.ndarray:
    """Of every window the sum of its blocks."""
    padded = np.concatenate((blocks, np.zeros(width)))
    if width <= 64:
        return np.lib.stride_tricks.sliding_window_view(padded, width)[starts].sum(axis=1)
    return np.array([padded[start : start + width].sum() for start in starts])
