"""Logistic curves through labelled logits: the exact optimum of the mean log loss, by Newton's method.

Sums run over sorted arrays without BLAS, whose threads make small sums slow and their last digits erratic.
"""

from math import inf, log, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import ndarray

_MOST_STEPS = 100
_MOST_HALVINGS = 60
_CONVERGED = 1e-9  # Newton squares the distance to the optimum: what is left after so small a step is beyond float64
_ENOUGH = 1e-4  # the part of the promised descent that a step must bring (Armijo)
_ROUNDING = 1e-12  # the part of an objective that may be rounding


class Line(NamedTuple):
    """The log odds slope * x + intercept."""

    slope: float
    intercept: float

    def after(self, step: "Line", length: float) -> "Line":
        return Line(self.slope + length * step.slope, self.intercept + length * step.intercept)


class _Sample(NamedTuple):
    """Logits `x` with `sign` 1 or -1 by label, and the weight of the penalty on the slope."""

    x: "ndarray"
    sign: "ndarray"
    l2: float

    def margins(self, line: Line) -> "ndarray":
        """The log odds of each row's own label."""
        return self.sign * (line.slope * self.x + line.intercept)

    def objective(self, line: Line) -> float:
        import numpy

        margins = self.margins(line)
        losses = numpy.log1p(numpy.exp(-abs(margins))) - numpy.minimum(margins, 0)
        return mean(losses) + self.l2 / 2 * line.slope * line.slope


def mean(values: "ndarray") -> float:
    """The arithmetic mean, summed pairwise."""
    import numpy

    return float(numpy.add.reduce(values)) / len(values)


def logits(scores: "ndarray", epsilon: float) -> "ndarray":
    """The log odds of the scores, held to [epsilon, 1 - epsilon]."""
    import numpy

    held = numpy.clip(scores, epsilon, 1 - epsilon)
    return numpy.log(held / (1 - held))


def probabilities(odds: "ndarray") -> "ndarray":
    """The probabilities of log odds: 1 / (1 + exp(-odds))."""
    import numpy

    with numpy.errstate(over="ignore"):
        return 1 / (1 + numpy.exp(-odds))


def best_line(zeros: "ndarray", ones: "ndarray", l2: float) -> Line | None:
    """The line with the least mean log loss + l2 / 2 * slope^2 for the sorted logits of both classes.

    None where 100 steps do not reach it, or its curvature is beyond float64.
    """
    import numpy

    signs = numpy.repeat([-1.0, 1.0], [len(zeros), len(ones)])
    sample = _Sample(numpy.concatenate((zeros, ones)), signs, l2)
    with numpy.errstate(over="ignore", invalid="ignore"):
        return _least(sample, Line(0.0, log(len(ones) / len(zeros))))


def _least(sample: _Sample, line: Line) -> Line | None:
    """The line with the least objective, in steps from the one given."""
    height = sample.objective(line)
    for _ in range(_MOST_STEPS):
        found = _newton_step(sample, line)
        if found is None:
            return None
        step, descent = found
        line, height = _lowered(sample, line, height, step, descent)
        if max(map(abs, step)) <= _CONVERGED * max(1.0, *map(abs, line)):
            return line
    return None


def _newton_step(sample: _Sample, line: Line) -> tuple[Line, float] | None:
    """Newton's step from a line, and the slope of the objective along it, negated.

    The logits are centred by weight, so that slope and intercept part and nothing cancels in the determinant.
    """
    misses = probabilities(-sample.margins(line))
    weights = misses * (1 - misses)
    weight = mean(weights)
    if not weight > 0:
        return None
    centre = mean(weights * sample.x) / weight
    offsets = sample.x - centre
    curvature = mean(weights * offsets * offsets) + sample.l2
    if not curvature > 0:
        return None
    upward = -mean(sample.sign * misses)
    steeper = -mean(sample.sign * misses * offsets) + sample.l2 * line.slope
    turn = -steeper / curvature
    return Line(turn, -upward / weight - centre * turn), steeper * steeper / curvature + upward * upward / weight


def _lowered(sample: _Sample, line: Line, height: float, step: Line, descent: float) -> tuple[Line, float]:
    """The line after the step, halved until the objective falls enough for the descent promised; and the objective."""
    length = 1.0
    for _ in range(_MOST_HALVINGS):
        reached = sample.objective(line.after(step, length))
        if reached <= height * (1 + _ROUNDING) - _ENOUGH * length * descent:
            return line.after(step, length), reached
        length /= 2
    return line, height


def best_scale(margins: "ndarray", least: float, greatest: float) -> float:
    """The factor in [least, greatest] with the least mean log loss for sorted margins, logits signed by their labels.

    The derivative rises. Newton's steps on it, as long as each is at most half the one before and stays in the
    bracket; else the bracket is halved, on a scale of ratios. Where margins are so small that the derivative is mere
    rounding, the last factor tried.
    """
    if _derivatives(margins, least)[0] >= 0:
        return least
    if _derivatives(margins, greatest)[0] <= 0:
        return greatest
    low, high, scale, before = least, greatest, 1.0, inf
    for _ in range(_MOST_STEPS):
        slope, curvature = _derivatives(margins, scale)
        low, high = (low, scale) if slope > 0 else (scale, high)
        step = -slope / curvature if curvature > 0 else inf
        if abs(step) <= _CONVERGED * scale:
            return scale + step
        if abs(step) > before / 2 or not low < scale + step < high:
            step = sqrt(low * high) - scale
        scale, before = scale + step, abs(step)
    return scale


def _derivatives(margins: "ndarray", scale: float) -> tuple[float, float]:
    """The first and second derivative of the mean log loss by the factor."""
    misses = probabilities(-scale * margins)
    return -mean(margins * misses), mean(margins * margins * misses * (1 - misses))
