"""Statistics of benchmarks: F-beta and rates from counts, intervals of proportions, calibration, means, bootstraps.

Conventions

* Shares lie in [0, 1], also `confidence` and `level` (0.95); only the `q` of `percentile` is in percent.
* Nothing to divide by is null: precision without claims, recall without truths, F-beta without either, a mean of
  nothing, an interval of no trials. A list with a null in it has a null mean, never the mean of the rest.
* Not-a-number, infinity, booleans where numbers are due, whole numbers beyond 2^53, and counts that contradict each
  other are refused (`ArgumentFault`).
* A ratio of counts divides once; sums are exact (`math.fsum`), so that the order of rows never shows.

Differences from known tools

* scikit-learn gives F1 a 0 (or `zero_division`) where there is neither a truth nor a claim, mir_eval 0, sed_eval nan;
  here it is null, and 0 where there is only one of them.
* `balanced_accuracy` is null where a class is missing; scikit-learn takes the mean of the classes that are there.
* `wilson` and `clopper_pearson` are statsmodels' methods `wilson` and `beta`, with bounds that are exactly 0 at no
  success and exactly 1 at no failure. Neither has a continuity correction.
* `expected_calibration_error` is binary, with equally wide bins [low, high) and a closed last one, as in netcal;
  torchmetrics puts 1.0 in a bin of its own.
* `percentile` is numpy's linear interpolation (type 7 of Hyndman and Fan 1996), not the nearest rank.
* The bootstraps redraw clusters and take ratios of sums; `scipy.stats.bootstrap` draws rows and prefers BCa.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum, inf, isfinite, sqrt
from statistics import NormalDist
from typing import Any

from ._arguments import as_number, as_numbers, as_whole, exact_sum, same_length
from ._equality import canonical_column
from ._resampling import resampled_ratios
from .annotations import Count, NonNegative, Share
from .faults import ArgumentFault, InstrumentFault

__all__ = [
    "BootstrapInterval",
    "Interval",
    "Proportion",
    "balanced_accuracy",
    "brier",
    "clopper_pearson",
    "cluster_bootstrap",
    "expected_calibration_error",
    "f_beta",
    "mean",
    "median",
    "paired_bootstrap_difference",
    "paired_bootstrap_ratio",
    "percentile",
    "precision",
    "proportion",
    "recall",
    "wilson",
]

# Fractional credit is a sum of rounded parts and may exceed by this much the count that bounds it.
_ROUNDING = 1e-9

_PLAIN = {int, float}

_NORMAL = NormalDist()

_OUTCOMES = {bool, type(None)}


@dataclass(frozen=True)
class Interval:
    """Bounds of a share, both included."""

    lower: Share
    upper: Share


@dataclass(frozen=True)
class Proportion:
    """A share of `n` outcomes with its Wilson bounds; all three are null where `unknown` is not 0 or `n` is 0."""

    value: Share | None
    lower: Share | None
    upper: Share | None
    successes: Count
    unknown: Count
    n: Count


@dataclass(frozen=True)
class BootstrapInterval:
    """Bounds of a statistic over resampled clusters, and its value on the rows as they are.

    In `undefined` of the `resamples` there was nothing to divide by; the bounds are those of the others.
    """

    lower: float
    upper: float
    value: float
    clusters: Count
    resamples: Count
    undefined: Count


def f_beta(matched: NonNegative, truths: NonNegative, claimed: NonNegative, beta: float) -> Share | None:
    """F-beta of `matched` out of `truths` (recall) and of `claimed` (precision): (1 + b^2) m / (b^2 t + c).

    `matched` may be fractional credit. `beta` above 1 favours recall, below 1 precision. Null where `truths` and
    `claimed` are both 0, else 0 without a match. Refused: numbers below 0, `matched` above either total, `beta` not
    above 0 or above a million (van Rijsbergen 1979).
    """
    if not _are_counts(matched, truths, claimed):
        matched = _matched(matched, truths=truths, claimed=claimed)
    if not 0 < as_number("beta", beta) <= 1e6:
        raise ArgumentFault("beta", f"{beta!r} is no weight of recall; expected a number above 0, such as 1 or 0.5")
    if not truths and not claimed:
        return None
    square = beta * beta
    return (square * matched + matched) / (square * truths + claimed) if matched else 0.0


def precision(matched: NonNegative, claimed: NonNegative) -> Share | None:
    """The share of the claims that are matched; null without claims."""
    matched = _matched(matched, claimed=claimed)
    return matched / claimed if claimed else None


def recall(matched: NonNegative, truths: NonNegative) -> Share | None:
    """The share of the truths that are matched; null without truths."""
    matched = _matched(matched, truths=truths)
    return matched / truths if truths else None


def balanced_accuracy(tp: Count, fn: Count, tn: Count, fp: Count) -> Share | None:
    """The mean of the recalls of both classes, (tp / (tp + fn) + tn / (tn + fp)) / 2; null where a class is missing."""
    tp, fn, tn, fp = (as_whole(*named) for named in (("tp", tp), ("fn", fn), ("tn", tn), ("fp", fp)))
    positives, negatives = tp + fn, tn + fp
    if not positives or not negatives:
        return None
    return (tp * negatives + tn * positives) / (2 * positives * negatives)


def wilson(successes: Count, n: Count, *, confidence: Share) -> Interval | None:
    """The score interval of a proportion (Wilson 1927), two-sided, without continuity correction.

    Null for no trials. The lower bound is exactly 0 at 0 of n, the upper exactly 1 at n of n. Refused: more successes
    than trials, a confidence outside (0, 1).
    """
    successes, n = _trials(successes, n)
    z = -_NORMAL.inv_cdf(_tail("confidence", confidence))
    if not n:
        return None
    share = successes / n
    middle = 2 * successes + z * z
    spread = z * sqrt(z * z + 4 * successes * (n - successes) / n)
    # The lower root from the product of both roots: subtracting would lose digits where successes are few.
    lower = 2 * successes * share / (middle + spread) if successes else 0.0
    upper = (middle + spread) / (2 * (n + z * z)) if successes < n else 1.0
    return Interval(min(lower, share), max(upper, share))


def clopper_pearson(successes: Count, n: Count, *, confidence: Share) -> Interval | None:
    """The exact interval of a proportion (Clopper and Pearson 1934), from quantiles of the beta distribution.

    Null, exact bounds and refusals as for `wilson`. Needs SciPy; without it, an `InstrumentFault` says so.
    """
    successes, n = _trials(successes, n)
    tail = _tail("confidence", confidence)
    if not n:
        return None
    try:
        from scipy.special import betainccinv, betaincinv
    except ImportError:
        raise InstrumentFault("clopper_pearson needs SciPy: pip install 'rubric-engine[statistics]'") from None
    lower = float(betaincinv(successes, n - successes + 1, tail)) if successes else 0.0
    upper = float(betainccinv(successes + 1, n - successes, tail)) if successes < n else 1.0
    return Interval(lower, upper)


def proportion(successes: Sequence[bool | None], *, of: bool = True, confidence: Share) -> Proportion:
    """The share of outcomes that equal `of`, with Wilson bounds; `of=False` gives the share of failures.

    A null outcome is neither: it adds to `unknown`, and the value and both bounds become null, as they are for no
    outcomes at all. `successes` counts the outcomes that equal `of`. Entries that are not booleans are refused.
    """
    if not _OUTCOMES.issuperset(map(type, successes)):
        position, outcome = next((at, one) for at, one in enumerate(successes) if type(one) not in _OUTCOMES)
        raise ArgumentFault("successes", f"entry {position} is {outcome!r}; expected true or false")
    n = len(successes)
    hits, unknown = successes.count(of), successes.count(None)
    bounds = wilson(hits, n, confidence=confidence)
    if bounds is None or unknown:
        return Proportion(None, None, None, hits, unknown, n)
    return Proportion(hits / n, bounds.lower, bounds.upper, hits, unknown, n)


def brier(labels: Sequence[int | None], probabilities: Sequence[float | None]) -> Share | None:
    """The mean squared difference of probability and label, 0 best (Brier 1950). A label is 0 or 1, or a boolean.

    Null without rows or where a row has a null. Refused: lists of unequal length, other labels, probabilities
    outside [0, 1].
    """
    rows = _judged(labels, probabilities)
    return fsum((probability - label) ** 2 for label, probability in rows) / len(rows) if rows else None


def expected_calibration_error(
    labels: Sequence[int | None], probabilities: Sequence[float | None], *, bins: int
) -> Share | None:
    """The mean gap of probability and frequency over `bins` equal bins, 0 best (Naeini, Cooper, Hauskrecht 2015).

    A bin is [low, high), the last one closed; it weighs as much as it has rows. Edges are `k / bins` in float64, so
    that 0.29 of a hundred bins lies in the bin it opens. Null and refused as for `brier`.
    """
    bins = as_whole("bins", bins, least=1)
    gaps: dict[int, list[float]] = {}
    rows = _judged(labels, probabilities) or []
    for label, probability in rows:
        gaps.setdefault(_bin(probability, bins), []).extend((probability, -label))
    return fsum(abs(fsum(gap)) for gap in gaps.values()) / len(rows) if rows else None


def _bin(probability: float, bins: int) -> int:
    """The last bin whose lower edge is not above the probability; the product alone may be rounded across an edge."""
    near = int(probability * bins)
    return next(k for k in (near + 1, near, near - 1) if k < bins and k / bins <= probability)


def mean(values: Sequence[float | None]) -> float | None:
    """The arithmetic mean, from an exact sum; null for no values or where one is null."""
    known = as_numbers("values", values)
    if not known:
        return None
    total = exact_sum(known)
    return total / len(known) if isfinite(total) else fsum(value / len(known) for value in known)


def median(values: Sequence[float | None]) -> float | None:
    """The middle value, or the mean of the two middle values; null for no values or where one is null."""
    ordered = sorted(as_numbers("values", values) or ())
    above = len(ordered) // 2
    return mean(ordered[above - 1 + len(ordered) % 2 : above + 1])


def percentile(values: Sequence[float | None], q: float) -> float | None:
    """The value at position (n - 1) q / 100 of the sorted values, counted from 0 and interpolated linearly.

    Null for no values, where one is null, and where two neighbours differ by more than float64 can hold; `q` outside
    [0, 100] is refused.
    """
    if not 0 <= as_number("q", q) <= 100:
        raise ArgumentFault("q", f"{q!r} is not between 0 and 100")
    ordered = sorted(as_numbers("values", values) or ())
    value = _interpolated(ordered, q / 100) if ordered else None
    return value if value is not None and isfinite(value) else None


def _interpolated(ordered: Sequence[float], share: float) -> float:
    """numpy's `linear`, from the nearer neighbour, so that both ends are exact."""
    position = (len(ordered) - 1) * share
    below = int(position)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    part = position - below
    return float(low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part))


def cluster_bootstrap(
    part: Sequence[float | bool | None],
    whole: Sequence[float | None] | float,
    cluster: Sequence[Any],
    *,
    resamples: int,
    level: Share,
    seed: int,
) -> BootstrapInterval | None:
    """The percentile interval of sum(part) / sum(whole) when clusters of rows are drawn with replacement.

    One entry a row in each list; one number as `whole` stands for every row, so that `whole=1` gives a mean. Booleans
    count as 1 and 0, `whole` is not negative, rows whose `cluster` is the same label belong together. Null below two
    clusters, where a list has a null, and where there is nothing to divide by.

    A resample draws as many clusters as there are; the bounds leave (1 - level) / 2 of the resamples out on each side,
    interpolated linearly (Efron 1979; Davison and Hinkley 1997). Neither the order of the rows nor the labels matter,
    for clusters are sorted by their sums. Draws come from the raw stream of PCG64(seed), which NumPy keeps stable.
    """
    wholes = [whole] * len(part) if isinstance(whole, int | float) else whole
    return _ratio_bootstrap("cluster", cluster, {"part": part, "whole": wholes}, resamples, level, seed)


def paired_bootstrap_ratio(
    a: Sequence[float | None],
    b: Sequence[float | None],
    group: Sequence[Any],
    *,
    resamples: int,
    level: Share,
    seed: int,
) -> BootstrapInterval | None:
    """The percentile interval of mean(a) / mean(b) when groups of rows, each with its `a` and its `b`, are redrawn.

    `b` is not negative. Otherwise as `paired_bootstrap_difference`.
    """
    return _ratio_bootstrap("group", group, {"a": a, "b": b}, resamples, level, seed)


def paired_bootstrap_difference(
    a: Sequence[float | None],
    b: Sequence[float | None],
    group: Sequence[Any],
    *,
    resamples: int,
    level: Share,
    seed: int,
) -> BootstrapInterval | None:
    """The percentile interval of mean(a) - mean(b) when groups of rows, each with its `a` and its `b`, are redrawn.

    Independent rows have each a label of its own. Draws, nulls and refusals as for `cluster_bootstrap`.
    """
    groups = _clusters("group", group, {"a": a, "b": b})
    sums = [(exact_sum([*ours, *(-value for value in theirs)]), float(len(ours))) for ours, theirs in groups]
    return _bootstrap(sums, resamples, level, seed)


def _ratio_bootstrap(
    name: str,
    labels: Sequence[Any],
    columns: dict[str, Sequence[float | None]],
    resamples: int,
    level: Share,
    seed: int,
) -> BootstrapInterval | None:
    """The interval of the first column's sum over the second's, which has no negative entry."""
    clusters = _clusters(name, labels, columns)
    if any(value < 0 for _, divisors in clusters for value in divisors):
        raise ArgumentFault(list(columns)[1], "an entry is negative; what is divided by is at least 0")
    sums = [(exact_sum(parts), exact_sum(divisors)) for parts, divisors in clusters]
    return _bootstrap(sums, resamples, level, seed)


def _bootstrap(sums: list[tuple[float, float]], resamples: int, level: float, seed: int) -> BootstrapInterval | None:
    """The interval of a ratio of sums; a pair is what a cluster adds to numerator and denominator."""
    tail = _tail("level", level)
    resamples, seed = as_whole("resamples", resamples, least=1), as_whole("seed", seed)
    if len(sums) < 2:
        return None
    parts, wholes = zip(*sorted(sums), strict=True)
    total = exact_sum(wholes)
    value = exact_sum(parts) / total if total else inf
    ratios = resampled_ratios(parts, wholes, resamples, seed)
    if not ratios or not isfinite(value):
        return None
    lower, upper = _interpolated(ratios, tail), _interpolated(ratios, 1 - tail)
    return BootstrapInterval(lower, upper, value, len(sums), resamples, resamples - len(ratios))


def _clusters(
    name: str, labels: Sequence[Any], columns: dict[str, Sequence[float | None]]
) -> list[tuple[list[float], list[float]]]:
    """The entries of both columns, cluster by cluster; no cluster where anything is null."""
    same_length({**columns, name: labels})
    first, second = (as_numbers(column, values, booleans=True) for column, values in columns.items())
    if first is None or second is None or any(label is None for label in labels):
        return []
    clusters: dict[Hashable, tuple[list[float], list[float]]] = {}
    for label, x, y in zip(canonical_column(list(labels)), first, second, strict=True):
        xs, ys = clusters.setdefault(label, ([], []))
        xs.append(x)
        ys.append(y)
    return list(clusters.values())


def _are_counts(matched: float, truths: float, claimed: float) -> bool:
    """Whether these are plain numbers that agree with each other without rounding, so that no closer look is needed."""
    plain = _PLAIN.issuperset((type(matched), type(truths), type(claimed)))
    return plain and 0 <= matched <= truths <= 2**53 and matched <= claimed <= 2**53


def _matched(matched: float, **totals: float) -> float:
    """`matched`, at most as large as every total."""
    for name, value in {"matched": matched, **totals}.items():
        if not 0 <= as_number(name, value) <= 2**53:
            raise ArgumentFault(name, f"{value!r} is no count; expected 0 to 2^53")
    for name, total in totals.items():
        if matched > total + _ROUNDING:
            raise ArgumentFault("matched", f"{matched!r} is more than {name}, which is {total!r}")
    return min(matched, *totals.values())


def _trials(successes: int, n: int) -> tuple[int, int]:
    successes, n = as_whole("successes", successes), as_whole("n", n)
    if successes > n:
        raise ArgumentFault("successes", f"{successes} is more than n, which is {n}")
    return successes, n


def _tail(argument: str, level: float) -> float:
    """What a two-sided level leaves out on each side."""
    if not 0 < as_number(argument, level) < 1:
        raise ArgumentFault(argument, f"{level!r} is not between 0 and 1; 0.95 is 95 percent")
    return (1 - level) / 2


def _judged(labels: Sequence[int | None], probabilities: Sequence[float | None]) -> list[tuple[float, float]] | None:
    """Pairs of label and probability; null where anything is null."""
    same_length({"labels": labels, "probabilities": probabilities})
    known, scores = as_numbers("labels", labels, booleans=True), as_numbers("probabilities", probabilities)
    if wrong := [label for label in known or () if label not in (0, 1)]:
        raise ArgumentFault("labels", f"{wrong[0]!r} is among them; expected 0 or 1")
    if wrong := [score for score in scores or () if not 0 <= score <= 1]:
        raise ArgumentFault("probabilities", f"{wrong[0]!r} is among them; expected 0 to 1")
    return None if known is None or scores is None else list(zip(known, scores, strict=True))
