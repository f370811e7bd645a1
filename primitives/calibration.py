"""Calibration: maps from a classifier's raw score to a probability, fitted, applied, and judged out of fold.

Conventions

* A score and a probability lie in [0, 1], a label is the number 0 or 1. Maps work on x = ln(s / (1 - s)), the logit of
  the score s held to [epsilon, 1 - epsilon], so that scores of exactly 0 and 1 count as epsilon and 1 - epsilon.
* A fit is the exact optimum of a stated objective, found by Newton's method in float64 and rounded to 12 digits, past
  which the order of summation and the machine's exponential would show. Every row weighs the same.
* The order of rows never shows. A fit that cannot be had is null: with a null among scores or labels, with labels of
  one class only, and as each fit says. Refused (`ArgumentFault`): lists of unequal length, other scores and labels
  (true and false among them).
* A map is a record that says by its `method` what it is, so that `apply` takes it as it comes from a fit or a file.

Differences from known tools

* scikit-learn's sigmoid calibration and LIBSVM's replace the labels by Platt's smoothed targets, take the score itself
  where here is its logit, and stop early; here the slope is penalised instead, which keeps separable classes finite.
* Temperature scaling usually takes the logits of a network (Guo et al., 2017); here it takes those of the scores.

Platt, in: Advances in Large Margin Classifiers, 1999; Lin, Lin, Weng, Machine Learning 68, 2007.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from . import _logistic
from ._arguments import as_number, as_numbers, as_whole, same_length
from ._columns import column, is_finite, must_be_rows, must_occur, shown
from ._labels import labels as labels_of
from .annotations import Count, Field, NonNegative, Row, Share
from .faults import ArgumentFault

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = [
    "IdentityMap",
    "PlattMap",
    "TemperatureMap",
    "apply",
    "fit_platt",
    "fit_temperature",
    "identity",
    "out_of_fold",
]

R = TypeVar("R", bound=Row)

EPSILON = 1e-6
LEAST_TEMPERATURE = 1e-3
GREATEST_TEMPERATURE = 1e3

_FEWEST_ROWS = 4  # two for each parameter of a line
_LEAST_EPSILON = 1e-15  # near the last that still leaves 1 - epsilon below 1
_DIGITS = 12


@dataclass(frozen=True)
class PlattMap:
    """The probability 1 / (1 + exp(-(slope x + intercept))), x the logit of the held score."""

    slope: float
    intercept: float
    epsilon: Share = EPSILON
    method: Literal["platt"] = field(default="platt", init=False)


@dataclass(frozen=True)
class TemperatureMap:
    """The probability 1 / (1 + exp(-x / temperature)), x the logit of the held score; temperature above 0."""

    temperature: NonNegative
    epsilon: Share = EPSILON
    method: Literal["temperature"] = field(default="temperature", init=False)


@dataclass(frozen=True)
class IdentityMap:
    """The score as it is."""

    method: Literal["identity"] = field(default="identity", init=False)


def identity() -> IdentityMap:
    """The map that changes nothing."""
    return IdentityMap()


def fit_platt(
    scores: Sequence[float | None],
    labels: Sequence[int | None],
    *,
    l2: NonNegative = 1e-3,
    epsilon: Share = EPSILON,
) -> PlattMap | None:
    """The line in logit space with the least mean log loss + l2 / 2 * slope^2; the intercept is free of penalty.

    One score and one label a row. Separable classes have a finite optimum thanks to the penalty; equal scores have
    slope 0 and the logit of the share of ones as intercept; labels that run against the scores have a negative slope.

    Null below four rows, and where no single finite line is best: with an `l2` of 0 for classes that do not overlap or
    equal scores, and with one so near 0 that 100 steps do not reach it. Refused: an `l2` below 0, an `epsilon` outside
    [1e-15, 0.5).
    """
    if as_number("l2", l2) < 0:
        raise ArgumentFault("l2", f"{l2!r} is negative; expected the weight of a penalty, 0 for none")
    classes = _logits_by_class(scores, labels, epsilon)
    if classes is None or len(scores) < _FEWEST_ROWS:
        return None
    zeros, ones = classes
    overlap = zeros[0] < ones[-1] and ones[0] < zeros[-1]
    line = _logistic.best_line(zeros, ones, l2) if l2 or overlap else None
    return PlattMap(_rounded(line.slope), _rounded(line.intercept), epsilon) if line else None


def fit_temperature(
    scores: Sequence[float | None], labels: Sequence[int | None], *, epsilon: Share = EPSILON
) -> TemperatureMap | None:
    """The temperature from 0.001 to 1000 with the least mean log loss.

    One score and one label a row. The best temperature falls to 0 where every score is on its label's side of 0.5, and
    grows without end where scores say nothing of the label or run against it: these are held at 0.001, where the map
    is a step at 0.5, and at 1000, where it is 0.5 all over. Null where every score is 0.5, whose temperatures are all
    as good. Refused: an `epsilon` outside [1e-15, 0.5).
    """
    import numpy

    classes = _logits_by_class(scores, labels, epsilon)
    if classes is None:
        return None
    zeros, ones = classes
    margins = numpy.sort(numpy.concatenate((-zeros, ones)))
    if not margins.any():
        return None
    scale = _logistic.best_scale(margins, 1 / GREATEST_TEMPERATURE, 1 / LEAST_TEMPERATURE)
    return TemperatureMap(_rounded(1 / scale), epsilon)


def apply(
    map: PlattMap | TemperatureMap | IdentityMap | Mapping[str, Any], scores: Sequence[float | None]
) -> list[float | None]:
    """The probability of each score, null for null. The map is one of this module, or a record with its fields.

    A record without `epsilon` has 0.000001. Refused: records of another `method` or without a field that theirs needs.
    """
    return _applied("map", map, _probabilities("scores", scores))


def out_of_fold(
    rows: Sequence[R],
    *,
    fit: Callable[[list[R]], Any],
    score: Field,
    group: Field,
    stratify: Field,
    folds: Count,
) -> list[dict[str, Any]]:
    """The rows, each with its probability, `calibrated`, by the map that `fit` makes of the rows of the other folds.

    Rows of one group are in one fold. A group is of the class that `stratify` names in its rows, of the first by code
    point where they differ. The groups of each class are put in order of the SHA-256 of their UTF-8 text and dealt in
    turn: the first to the first fold, and so on round. Groups and classes are told apart by text, 12 and "12" being
    one; null, absent and the empty text are none, nor is false a group.

    A row without score, group or class is in no fold and its `calibrated` null, as it is where `fit` gives null. The
    order of rows shows in that of the result alone, as long as `fit` does not look at it. A field `calibrated` that a
    row has is replaced. Refused: fewer than two folds, scores outside [0, 1].
    """
    folds = as_whole("folds", folds, least=2)
    must_be_rows(rows, "rows")
    for argument, name in (("score", score), ("group", group), ("stratify", stratify)):
        must_occur([name], argument, rows)
    scores = _probabilities("score", column(rows, score, "rows"))
    classes = labels_of(rows, stratify, "rows", with_false=True)
    places = _places(scores, labels_of(rows, group, "rows"), classes, folds)
    calibrated: list[float | None] = [None] * len(rows)
    for fold in sorted({place for place in places if place is not None}):
        found = fit([row for row, place in zip(rows, places, strict=True) if place not in (None, fold)])
        own = [position for position, place in enumerate(places) if place == fold]
        results = [None] * len(own) if found is None else _applied("fit", found, [scores[at] for at in own])
        for position, result in zip(own, results, strict=True):
            calibrated[position] = result
    return [{**row, "calibrated": result} for row, result in zip(rows, calibrated, strict=True)]


def _places(
    scores: Sequence[float | None], groups: Sequence[str | None], classes: Sequence[str | None], folds: int
) -> list[int | None]:
    """The fold of each row, None for a row that has no score, group or class."""
    belongings = [
        (group, its_class) if score is not None and group is not None and its_class is not None else None
        for score, group, its_class in zip(scores, groups, classes, strict=True)
    ]
    first_class: dict[str, str] = {}
    for group, its_class in filter(None, belongings):
        first_class[group] = min(its_class, first_class.get(group, its_class))
    folds_of = _dealt(first_class, folds)
    return [folds_of[belonging[0]] if belonging else None for belonging in belongings]


def _dealt(classes: Mapping[str, str], folds: int) -> dict[str, int]:
    """The fold of each group, given its class."""
    dealt: Counter[str] = Counter()
    places: dict[str, int] = {}
    for group in sorted(classes, key=lambda name: sha256(name.encode("utf-8", "surrogatepass")).hexdigest()):
        places[group] = dealt[classes[group]] % folds
        dealt[classes[group]] += 1
    return places


def _applied(argument: str, given: Any, scores: Sequence[float | None]) -> list[float | None]:
    """The probabilities of scores that are checked, by a map or a record that stands for one."""
    import numpy

    line = _line(argument, asdict(given) if isinstance(given, (PlattMap, TemperatureMap, IdentityMap)) else given)
    if line is None:
        return list(scores)
    slope, intercept, epsilon = line
    known = numpy.array([score for score in scores if score is not None], dtype=float)
    with numpy.errstate(over="ignore"):
        odds = slope * _logistic.logits(known, epsilon) + intercept
    results = iter(_logistic.probabilities(odds).tolist())
    return [None if score is None else next(results) for score in scores]


def _line(argument: str, record: Any) -> tuple[float, float, float] | None:
    """Slope, intercept and epsilon of a map's record; None for the identity."""
    match record:
        case {"method": "identity"}:
            return None
        case {"method": "platt", "slope": slope, "intercept": intercept}:
            slope, intercept = as_number(argument, slope), as_number(argument, intercept)
        case {"method": "temperature", "temperature": temperature}:
            slope, intercept = _slope(argument, temperature), 0.0
        case _:
            raise ArgumentFault(argument, f"expected a map (identity, temperature or platt), not {shown(record)}")
    return slope, intercept, _epsilon(argument, record.get("epsilon", EPSILON))


def _slope(argument: str, temperature: Any) -> float:
    if not as_number(argument, temperature) > 0 or not isfinite(1 / temperature):
        raise ArgumentFault(argument, f"a temperature is above 0, not {shown(temperature)}")
    return 1 / temperature


def _logits_by_class(
    scores: Sequence[float | None], labels: Sequence[int | None], epsilon: float
) -> "tuple[ndarray, ndarray] | None":
    """The sorted logits of the rows labelled 0 and of those labelled 1; None without either, or with a null."""
    import numpy

    same_length({"scores": scores, "labels": labels})
    values, classes = as_numbers("scores", _probabilities("scores", scores)), as_numbers("labels", labels)
    if wrong := [label for label in classes or () if label not in (0, 1)]:
        raise ArgumentFault("labels", f"{wrong[0]!r} is among them; expected 0 or 1")
    epsilon = _epsilon("epsilon", epsilon)
    if values is None or classes is None or len(set(classes)) < 2:
        return None
    x = _logistic.logits(numpy.array(values), epsilon)
    ones = numpy.array(classes) == 1
    return numpy.sort(x[~ones]), numpy.sort(x[ones])


def _probabilities(argument: str, scores: Sequence[float | None]) -> Sequence[float | None]:
    """The scores, each null or a number from 0 to 1."""
    known = [score for score in scores if score is not None]
    if {int, float}.issuperset(map(type, known)) and all(0 <= score <= 1 for score in known):
        return scores
    for position, score in enumerate(scores):
        if score is not None and not (is_finite(score) and 0 <= score <= 1):
            raise ArgumentFault(argument, f"entry {position} is {shown(score)}; expected a number from 0 to 1")
    return scores


def _epsilon(argument: str, epsilon: Any) -> float:
    if not _LEAST_EPSILON <= as_number(argument, epsilon) < 0.5:
        raise ArgumentFault(argument, f"an epsilon is from 1e-15 to below 0.5, not {shown(epsilon)}")
    return epsilon


def _rounded(value: float) -> float:
    """The value to 12 digits: decimals where it is below 1, significant ones above."""
    return float(f"{round(value, _DIGITS):.{_DIGITS}g}") + 0.0
