import subprocess
import sys
from dataclasses import asdict
from hashlib import sha256
from itertools import pairwise
from math import exp, fsum, inf, log, nan

import numpy
import pytest
import scipy.optimize
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.special import expit

from rubric.primitives.calibration import (
    IdentityMap,
    PlattMap,
    TemperatureMap,
    apply,
    fit_platt,
    fit_temperature,
    identity,
    out_of_fold,
)
from rubric.primitives.faults import ArgumentFault

scores_in_use = st.one_of(st.sampled_from([0.0, 1e-9, 0.25, 0.5, 0.65, 0.75, 1.0]), st.floats(0, 1))
samples = st.lists(st.tuples(scores_in_use, st.integers(0, 1)), min_size=4, max_size=20)
maps = st.one_of(
    st.builds(PlattMap, st.floats(-20, 20), st.floats(-20, 20)),
    st.builds(TemperatureMap, st.floats(1e-3, 1e3)),
    st.just(IdentityMap()),
)


def test_importing_the_module_loads_no_library():
    code = "import sys, rubric.primitives.calibration; print({'numpy', 'scipy'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def refused(argument, message, function, *args, **settings):
    with pytest.raises(ArgumentFault, match=message) as caught:
        function(*args, **settings)
    assert caught.value.argument == argument


def sigmoid(x):
    return 1 / (1 + exp(-x))


def logit(score, epsilon=1e-6):
    held = min(max(score, epsilon), 1 - epsilon)
    return log(held / (1 - held))


def columns(sample):
    return [score for score, _ in sample], [label for _, label in sample]


def both_classes(sample):
    return {label for _, label in sample} == {0, 1}


LOGITS = [-2.0, -1.0, -0.5, 0.3, 0.8, 1.5, 2.2, -0.1]
LABELS = [0, 0, 1, 0, 1, 1, 1, 1]
SPREAD = [0.1, 0.2, 0.35, 0.4, 0.55, 0.6, 0.8, 0.9]


class TestFitPlatt:
    # Newton's method in 50 digits (mpmath 1.3), of which 12 are kept
    @pytest.mark.parametrize(
        ("scores", "labels", "slope", "intercept"),
        [
            (SPREAD, [0, 0, 1, 0, 1, 0, 1, 1], 1.48609170492, 0.119565229844),
            (SPREAD, [1, 1, 0, 1, 0, 1, 0, 0], -1.48609170492, -0.119565229844),
            ([0.2, 0.4, 0.6, 0.8], [0, 0, 1, 1], 7.90686669087, 0.0),
            ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.65, 0.95], [0] * 8 + [1], 4.1140783966, -8.0363894693),
            ([0.02, 0.05, 0.1, 0.15, 0.2, 0.12, 0.3, 0.25], [0, 0, 0, 1, 1, 0, 1, 1], 9.56208154289, 17.7474245264),
            ([0, 0, 0, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 0, 0, 1], 0.079517992963, 1e-12),
        ],
        ids=["overlapping", "against the scores", "separable", "unbalanced", "shifted", "scores of 0 and 1"],
    )
    def test_reference_values(self, scores, labels, slope, intercept):
        assert fit_platt(scores, labels) == PlattMap(slope, intercept)

    def test_without_a_penalty(self):
        # mpmath 1.3 and scikit-learn 1.9.1, LogisticRegression(C=inf, solver="newton-cholesky")
        assert fit_platt(list(map(sigmoid, LOGITS)), LABELS, l2=0) == PlattMap(1.73527303571, 0.677635603012)

    @pytest.mark.parametrize(("score", "epsilon"), [(0.5, 1e-6), (0.3, 1e-6), (1, 1e-9)])
    def test_equal_scores_have_no_slope(self, score, epsilon):
        # by hand: the share of ones is 3/8, and ln((3/8) / (5/8)) = ln 0.6
        found = fit_platt([score] * 8, [1, 0, 0, 1, 0, 0, 1, 0], epsilon=epsilon)
        assert found == PlattMap(0.0, round(log(0.6), 12), epsilon)

    def test_a_great_penalty_leaves_the_share_of_ones(self):
        found = fit_platt(SPREAD, [0, 0, 1, 0, 1, 0, 1, 1], l2=1e12)
        assert found.slope == pytest.approx(0, abs=1e-11)
        assert found.intercept == pytest.approx(0, abs=1e-11)

    def test_scores_are_held_to_epsilon(self):
        assert fit_platt([0, 0.1, 0.3, 1], [0, 1, 0, 1], epsilon=0.1) == fit_platt(
            [0.1, 0.1, 0.3, 0.9], [0, 1, 0, 1], epsilon=0.1
        )

    @pytest.mark.parametrize(
        ("scores", "labels"),
        [
            ([], []),
            ([0.5], [1]),
            ([0.2, 0.4, 0.6], [0, 1, 1]),
            ([0.2, 0.4, 0.6, 0.8], [1, 1, 1, 1]),
            ([0.2, 0.4, 0.6, 0.8], [0, 0, 0, 0]),
            ([0.2, None, 0.6, 0.8], [0, 0, 1, 1]),
            ([0.2, 0.4, 0.6, 0.8], [0, 0, None, 1]),
        ],
        ids=["no row", "one row", "three rows", "only ones", "only zeros", "null score", "null label"],
    )
    def test_is_null(self, scores, labels):
        assert fit_platt(scores, labels) is None

    @pytest.mark.parametrize(
        "labels", [[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 1]], ids=["separable", "against", "touching"]
    )
    def test_without_a_penalty_and_overlap_is_null(self, labels):
        assert fit_platt([0.2, 0.4, 0.4 if labels[1] else 0.6, 0.8], labels, l2=0) is None
        assert fit_platt([0.4] * 4, labels, l2=0) is None

    def test_a_class_inside_the_other_overlaps(self):
        assert fit_platt([0.2, 0.5, 0.5, 0.8], [1, 0, 0, 1], l2=0) == PlattMap(0.0, 0.0)

    def test_a_penalty_too_small_to_reach_the_optimum_is_null(self):
        assert fit_platt([0.2, 0.4, 0.6, 0.8], [0, 0, 1, 1], l2=1e-300) is None
        assert fit_platt([0.2, 0.4, 0.6, 0.8], [0, 0, 1, 1], l2=1e-12).slope > 50

    def test_refusals(self):
        refused("labels", "3 entries beside 4 of scores", fit_platt, SPREAD[:4], [0, 1, 1])
        refused("labels", "2.0 is among them; expected 0 or 1", fit_platt, SPREAD[:4], [0, 1, 1, 2])
        refused("labels", "entry 1: True is not a number", fit_platt, SPREAD[:4], [0, True, 1, 0])
        refused("labels", "entry 0: '0' is not a number", fit_platt, SPREAD[:4], ["0", 1, 1, 0])
        for score in (1.2, -1e-12, nan, inf, "0.9", True):
            refused("scores", "entry 2 is .*; expected a number from 0 to 1", fit_platt, [0, 1, score, 1], [0, 1, 1, 0])
        for l2 in (-1e-3, nan, inf):
            refused("l2", "negative|not a finite", fit_platt, SPREAD, LABELS, l2=l2)
        for epsilon in (0, 1e-16, 0.5, -1, nan):
            refused("epsilon", "from 1e-15 to below 0.5|not a finite", fit_platt, SPREAD, LABELS, epsilon=epsilon)

    @given(samples, st.sampled_from([0, 1e-9, 1e-3, 1.0, 100.0]))
    @example([(0.0, 1), (1.0, 0), (0.0, 1), (1.0, 0)], 1e-3)
    def test_the_gradient_is_0(self, sample, l2):
        found = fit_platt(*columns(sample), l2=l2)
        assume(found is not None)
        x = [logit(score) for score, _ in sample]
        over = [
            float(expit(found.slope * at + found.intercept)) - label for at, (_, label) in zip(x, sample, strict=True)
        ]
        turn = fsum(miss * at for miss, at in zip(over, x, strict=True)) / len(x) + l2 * found.slope
        # what the rounding to 12 digits may leave: half a unit of the 12th digit, times the curvature
        grain = 1e-12 * max(1, abs(found.slope), abs(found.intercept))
        assert abs(fsum(over) / len(x)) <= 20 * grain
        assert abs(turn) <= (200 + l2) * grain

    @given(samples)
    def test_there_is_a_fit_wherever_there_are_both_classes(self, sample):
        assert (fit_platt(*columns(sample)) is not None) == both_classes(sample)

    @given(samples, st.randoms(use_true_random=False))
    def test_the_order_of_rows_changes_no_bit(self, sample, random):
        assert fit_platt(*columns(random.sample(sample, len(sample)))) == fit_platt(*columns(sample))

    @given(samples)
    def test_doubled_rows_change_nothing(self, sample):
        assume(both_classes(sample))
        once, twice = fit_platt(*columns(sample)), fit_platt(*columns(sample * 2))
        assert (twice.slope, twice.intercept) == pytest.approx((once.slope, once.intercept), rel=1e-10, abs=1e-10)

    @given(samples)
    def test_swapped_labels_turn_the_line_over(self, sample):
        assume(both_classes(sample))
        scores, labels = columns(sample)
        found, turned = fit_platt(scores, labels), fit_platt(scores, [1 - label for label in labels])
        assert (-turned.slope, -turned.intercept) == pytest.approx((found.slope, found.intercept), rel=1e-10, abs=1e-10)


class TestFitTemperature:
    def test_reference_value(self):
        # SciPy 1.17, brentq on the gradient in 1 / T, and mpmath 1.3
        assert fit_temperature(list(map(sigmoid, LOGITS)), LABELS) == TemperatureMap(0.613012910797)

    def test_scores_of_0_and_1(self):
        # bisection in 50 digits (mpmath 1.3)
        assert fit_temperature([0, 0, 0, 1, 1, 1, 0, 1], [0, 0, 1, 1, 1, 0, 0, 1]) == TemperatureMap(12.5754187355)

    @pytest.mark.parametrize(("score", "temperature"), [(0.75, 1.0), (0.9, 2.0)])
    def test_equal_scores_become_the_share_of_ones(self, score, temperature):
        # by hand: ln 3 / T is the logit of 3/4 at T = 1, and ln 9 / T = 2 ln 3 / T at T = 2
        assert fit_temperature([score] * 4, [1, 1, 0, 1]) == TemperatureMap(temperature)

    def test_every_score_on_its_labels_side_is_held_at_the_least(self):
        assert fit_temperature([0.2, 0.4, 0.5, 0.6, 0.8], [0, 0, 0, 1, 1]) == TemperatureMap(0.001)

    @pytest.mark.parametrize(
        ("scores", "labels"), [([0.2, 0.4, 0.6, 0.8], [1, 1, 0, 0]), ([0.2, 0.2, 0.7, 0.7], [0, 1, 0, 1])]
    )
    def test_labels_that_run_against_the_scores_or_ignore_them_are_held_at_the_greatest(self, scores, labels):
        assert fit_temperature(scores, labels) == TemperatureMap(1000.0)

    @pytest.mark.parametrize("wrong", range(1, 9))
    def test_scores_at_0_5_but_for_rounding_come_to_an_end(self, wrong):
        grain = 2.0**-53
        scores = [0.5 + 3 * grain * turn for turn in range(1, 9)] + [0.5 + (36 * 3 - 1) * grain / wrong] * wrong
        found = fit_temperature(scores, [1] * 8 + [0] * wrong, epsilon=1e-15)
        assert 1e-3 <= found.temperature <= 1e3

    def test_two_rows_are_enough(self):
        root = scipy.optimize.brentq(slope_at, 0.1, 100, args=([0.6, 0.9], [0, 1]), xtol=1e-15)
        assert fit_temperature([0.6, 0.9], [0, 1]).temperature == pytest.approx(1 / root, rel=1e-11)

    @pytest.mark.parametrize(
        ("scores", "labels"),
        [
            ([], []),
            ([0.5, 0.5, 0.5], [0, 1, 1]),
            ([0.2, 0.8], [1, 1]),
            ([0.2, None], [0, 1]),
            ([0.2, 0.8], [0, None]),
        ],
        ids=["no row", "all 0.5", "one class", "null score", "null label"],
    )
    def test_is_null(self, scores, labels):
        assert fit_temperature(scores, labels) is None

    def test_refusals(self):
        refused("labels", "1 entries beside 2 of scores", fit_temperature, [0, 1], [0])
        refused("labels", "entry 0: False is not a number", fit_temperature, [0, 1], [False, 1])
        refused("scores", "entry 0 is 2", fit_temperature, [2, 1], [0, 1])
        refused("epsilon", "from 1e-15 to below 0.5", fit_temperature, [0, 1], [0, 1], epsilon=0.7)

    @given(samples)
    def test_agrees_with_a_search_for_the_root(self, sample):
        scores, labels = columns(sample)
        found = fit_temperature(scores, labels)
        assume(found is not None)
        assert 1e-3 <= found.temperature <= 1e3
        low, high = slope_at(1e-3, scores, labels), slope_at(1e3, scores, labels)
        assume(abs(low) > 1e-12 and abs(high) > 1e-12)
        if low > 0:
            assert found.temperature == 1e3
        elif high < 0:
            assert found.temperature == 1e-3
        else:
            root = scipy.optimize.brentq(slope_at, 1e-3, 1e3, args=(scores, labels), xtol=1e-14, rtol=1e-14)
            slack = 1e-14 / max(curvature_at(root, scores, labels), 1e-300)
            assert 1 / found.temperature == pytest.approx(root, rel=1e-9, abs=slack)

    @given(samples, st.randoms(use_true_random=False))
    def test_the_order_of_rows_changes_no_bit(self, sample, random):
        assert fit_temperature(*columns(random.sample(sample, len(sample)))) == fit_temperature(*columns(sample))


def misses_at(beta, scores, labels):
    x = numpy.array([logit(score) for score in scores])
    return x, expit(beta * x) - numpy.array(labels)


def slope_at(beta, scores, labels):
    x, misses = misses_at(beta, scores, labels)
    return fsum(x * misses) / len(x)


def curvature_at(beta, scores, labels):
    x, misses = misses_at(beta, scores, labels)
    return fsum(x * x * abs(misses) * (1 - abs(misses))) / len(x)


class TestApply:
    def test_by_hand(self):
        # the odds of 0.75 are 3 to 1: squared 9, times 3 also 9
        assert apply(PlattMap(2.0, 0.0), [0.75, 0.5]) == pytest.approx([0.9, 0.5], rel=1e-15)
        assert apply(PlattMap(1.0, log(3)), [0.75, 0.5]) == pytest.approx([0.9, 0.75], rel=1e-15)
        assert apply(TemperatureMap(0.5), [0.75, 0.25]) == pytest.approx([0.9, 0.1], rel=1e-15)
        assert apply(PlattMap(0.0, 0.0), [0, 0.3, 1]) == [0.5, 0.5, 0.5]

    def test_the_identity_changes_nothing(self):
        assert apply(identity(), [0, 1e-300, 0.65, 1, None]) == [0, 1e-300, 0.65, 1, None]

    def test_null_for_null(self):
        assert apply(PlattMap(1.0, 0.0), [None, 0.5, None]) == [None, 0.5, None]
        assert apply(PlattMap(1.0, 0.0), [None]) == [None]
        assert apply(PlattMap(1.0, 0.0), []) == []

    def test_scores_are_held_to_epsilon(self):
        assert apply(PlattMap(1.0, 0.0), [0, 1]) == pytest.approx([1e-6, 1 - 1e-6], rel=1e-12)
        assert apply(PlattMap(1.0, 0.0, 0.25), [0, 0.1, 1]) == pytest.approx([0.25, 0.25, 0.75], rel=1e-12)

    def test_extreme_maps_reach_0_and_1(self):
        assert apply(PlattMap(1e300, 0.0), [0, 0.4, 0.5, 0.6]) == [0, 0, 0.5, 1]
        assert apply(TemperatureMap(1e-3), [0, 0.49, 0.5, 0.51, 1]) == pytest.approx([0, 0, 0.5, 1, 1], abs=1e-17)

    def test_takes_records_with_more_in_them(self):
        record = {"method": "platt", "slope": 2, "intercept": 0, "threshold": 0.65, "temperature": None}
        assert apply(record, [0.75]) == apply(PlattMap(2.0, 0.0), [0.75])

    @pytest.mark.parametrize(
        ("record", "message"),
        [
            ({}, "expected a map"),
            ({"method": "isotonic"}, "expected a map .* not {'method': 'isotonic'}"),
            ({"method": "platt", "slope": 1}, "expected a map"),
            ({"method": "temperature", "slope": 1, "intercept": 0}, "expected a map"),
            ({"method": "platt", "slope": "1", "intercept": 0}, "'1' is not a number"),
            ({"method": "platt", "slope": 1, "intercept": None}, "null is not a number"),
            ({"method": "temperature", "temperature": 0}, "a temperature is above 0, not 0"),
            ({"method": "temperature", "temperature": -1.0}, "a temperature is above 0, not -1.0"),
            ({"method": "temperature", "temperature": 1e-320}, "a temperature is above 0"),
            ({"method": "platt", "slope": 1, "intercept": 0, "epsilon": 0}, "an epsilon is from 1e-15"),
            ("platt", "expected a map .* not 'platt'"),
        ],
    )
    def test_refuses_other_records(self, record, message):
        refused("map", message, apply, record, [0.5])

    def test_refuses_other_scores(self):
        refused("scores", "entry 1 is 1.5; expected a number from 0 to 1", apply, identity(), [None, 1.5])
        refused("scores", "entry 0 is True", apply, PlattMap(1.0, 0.0), [True])

    @given(maps, st.lists(scores_in_use, max_size=5))
    def test_a_map_and_its_record_are_one(self, calibration, scores):
        assert apply(asdict(calibration), scores) == apply(calibration, scores)
        assert asdict(calibration)["method"] in ("platt", "temperature", "identity")

    @given(maps, st.lists(scores_in_use, min_size=2, max_size=8))
    def test_rises_with_the_score_or_falls_with_a_negative_slope(self, calibration, scores):
        sign = -1 if getattr(calibration, "slope", 1) < 0 else 1
        results = apply(calibration, sorted(scores)[::sign])
        assert all(0 <= result <= 1 for result in results)
        # neighbouring floats may come out in one another's place, as exponentials are no better than their last digit
        assert all(before <= after * (1 + 1e-12) for before, after in pairwise(results))

    @given(samples)
    def test_the_mean_of_a_fit_is_the_share_of_ones(self, sample):
        scores, labels = columns(sample)
        found = fit_platt(scores, labels)
        assume(found is not None)
        grain = 1e-10 * max(1, abs(found.slope), abs(found.intercept))
        assert fsum(apply(found, scores)) / len(scores) == pytest.approx(sum(labels) / len(labels), abs=grain)


def row(base, label, score, **more):
    return {"base": base, "label": label, "score": score, **more}


def folded(rows, fit, folds=2):
    return out_of_fold(rows, fit=fit, score="score", group="base", stratify="label", folds=folds)


def calibrated(rows, fit, folds=2):
    return [result["calibrated"] for result in folded(rows, fit, folds)]


def platt(train):
    return fit_platt([each["score"] for each in train], [each["label"] for each in train])


def temperature(train):
    return fit_temperature([each["score"] for each in train], [each["label"] for each in train])


def folds_by_definition(rows, folds):
    """The fold of each base, spelt out."""
    places = {}
    for label in ("0", "1"):
        bases = {each["base"] for each in rows}
        labels = {base: min(str(each["label"]) for each in rows if each["base"] == base) for base in bases}
        ordered = sorted(sha256(base.encode()).hexdigest() + base for base in bases if labels[base] == label)
        places |= {key[64:]: turn % folds for turn, key in enumerate(ordered)}
    return places


class TestOutOfFold:
    # SHA-256: d 18ac.., b 3e23.., c 2e7d.., a ca97.. : in order d, c, b, a
    ROWS = (
        row("a", 0, 0.1),
        row("b", 0, 0.2),
        row("b", 0, 0.3),
        row("c", 0, 0.4),
        row("d", 0, 0.6),
    )

    def test_groups_are_dealt_in_order_of_their_hash(self):
        seen = []

        def fit(train):
            seen.append([each["base"] for each in train])
            return identity()

        assert folded(self.ROWS, fit) == [{**each, "calibrated": each["score"]} for each in self.ROWS]
        assert seen == [["a", "c"], ["b", "b", "d"]]

    def test_each_class_is_dealt_by_itself(self):
        rows = [row("a", 0, 0.1), row("b", 1, 0.2), row("c", 0, 0.3), row("d", 1, 0.4)]
        seen = []
        folded(rows, lambda train: seen.append(sorted(each["base"] for each in train)))
        assert seen == [["a", "b"], ["c", "d"]]

    def test_a_group_with_both_labels_is_of_the_first_in_either_order(self):
        rows = [row("a", 1, 0.1), row("a", 0, 0.1), row("b", 1, 0.2), row("c", 0, 0.3), row("d", 1, 0.4)]
        for order in (rows, rows[::-1]):
            seen = []
            folded(order, lambda train, seen=seen: seen.append({each["base"] for each in train}))
            assert seen == [{"a", "b"}, {"c", "d"}]

    def test_false_is_a_class(self):
        rows = [row(base, label, 0.5) for base, label in (("a", False), ("b", True), ("c", False), ("d", True))]
        seen = []
        folded(rows, lambda train: seen.append({each["base"] for each in train}))
        assert seen == [{"a", "b"}, {"c", "d"}]

    def test_groups_are_told_apart_by_text(self):
        rows = [row(12, 0, 0.1), row("12", 0, 0.2), row("x", 0, 0.3)]
        sizes = []
        folded(rows, lambda train: sizes.append(len(train)))
        assert sorted(sizes) == [1, 2]

    def test_rows_are_scored_by_the_map_of_the_other_folds(self):
        rows = [row("a", 0, 0.75), row("d", 0, 0.5)]
        maps = {"a": PlattMap(1.0, log(3)), "d": asdict(PlattMap(2.0, 0.0))}
        assert calibrated(rows, lambda train: maps[train[0]["base"]]) == pytest.approx([0.9, 0.75], rel=1e-15)

    def test_null_where_the_fit_is_null(self):
        assert calibrated(self.ROWS, platt) == [None] * 5
        half = calibrated(self.ROWS, lambda train: identity() if len(train) == 2 else None)
        assert half == [None, 0.2, 0.3, None, 0.6]

    def test_rows_that_lack_something_take_no_part(self):
        lacking = [row(None, 0, 0.1), row("", 0, 0.1), row("a", None, 0.1), row("d", 0, None), {}]
        seen = []

        def fit(train):
            seen.extend(train)
            return identity()

        results = folded([*lacking, *self.ROWS], fit)
        assert results[:5] == [{**each, "calibrated": None} for each in lacking]
        assert sorted(each["score"] for each in seen) == [0.1, 0.2, 0.3, 0.4, 0.6]

    def test_one_group_is_scored_by_a_fit_of_nothing(self):
        seen = []
        assert calibrated([row("a", 0, 0.1)], lambda train: seen.append(train), folds=5) == [None]
        assert seen == [[]]

    def test_rows_are_left_as_they_were(self):
        rows = [row("a", 0, 0.1, calibrated=9, note="x"), row("b", 0, 0.2)]
        assert folded(rows, lambda train: identity())[0] == row("a", 0, 0.1, calibrated=0.1, note="x")
        assert rows[0]["calibrated"] == 9

    def test_no_rows(self):
        assert folded([], platt) == []

    def test_refusals(self):
        refused("folds", "1 is not a whole number from 2", folded, [], platt, folds=1)
        refused("rows", "a list of rows is needed", folded, None, platt)
        refused("group", "no row has a field 'base'", folded, [{"label": 0, "score": 0.5}], platt)
        refused("stratify", "no row has a field 'label'", folded, [{"base": "a", "score": 0.5}], platt)
        refused("score", "no row has a field 'score'", folded, [{"base": "a", "label": 0}], platt)
        refused("score", "entry 1 is 7", folded, [row("a", 0, 0.5), row("b", 0, 7)], platt)
        refused("rows", "row 0 needs a text or a number in 'base'", folded, [row(["a"], 0, 0.5)], platt)
        refused("fit", "expected a map", folded, [row("a", 0, 0.5)], lambda train: {"slope": 1})

    @given(
        st.lists(
            st.builds(row, st.sampled_from("abcdefgh"), st.integers(0, 1), scores_in_use), min_size=1, max_size=25
        ),
        st.integers(2, 5),
        st.randoms(use_true_random=False),
    )
    def test_agrees_with_the_definition_in_any_order(self, rows, folds, random):
        places = folds_by_definition(rows, folds)
        results = calibrated(rows, platt, folds)
        for each, result in zip(rows, results, strict=True):
            found = platt([other for other in rows if places[other["base"]] != places[each["base"]]])
            assert result == (apply(found, [each["score"]])[0] if found else None)
        order = random.sample(range(len(rows)), len(rows))
        assert calibrated([rows[at] for at in order], platt, folds) == [results[at] for at in order]


def made(seed, bases, views, means, spread):
    """Rows of both classes whose logits are bell-shaped round a mean, drawn from SHA-256; views of a base are alike."""
    rows = []
    for label, mean in enumerate(means):
        for base in (f"{label}-{number}" for number in range(bases)):
            digest = sha256(f"{seed}/{base}".encode()).digest()
            x = mean + spread * (sum(digest[:12]) / 255 - 6)
            rows += [row(base, label, round(sigmoid(x + view / 100), 6)) for view in range(views)]
    return rows


def figures(rows, fit):
    """Brier score, balanced accuracy and false-positive rate out of fold, at 0.65."""
    judged = [(each["label"], each["calibrated"]) for each in folded(rows, fit, folds=5)]
    right = {
        label: [(result >= 0.65) == (label == 1) for its_label, result in judged if its_label == label]
        for label in (0, 1)
    }
    recalls = [sum(right[label]) / len(right[label]) for label in (0, 1)]
    brier = fsum((result - label) ** 2 for label, result in judged) / len(judged)
    return brier, sum(recalls) / 2, 1 - recalls[0]


def chosen(rows):
    """The map with the least Brier score among those that lower it without harm to the decisions at 0.65."""
    raw = figures(rows, lambda train: identity())
    found = {"temperature": figures(rows, temperature), "platt": figures(rows, platt)}
    fit = {name: each for name, each in found.items() if each[0] < raw[0] and each[1] >= raw[1] and each[2] <= raw[2]}
    return min(fit, key=lambda name: fit[name][0], default="identity")


class TestChoosingAMap:
    # what is right follows from how the scores are made: calibrated, all too high, too certain, too few groups
    def test_calibrated_scores_stay_as_they_are(self):
        assert chosen(made("calibrated", 60, 1, (-2, 2), 2)) == "identity"

    def test_scores_all_too_high_are_shifted(self):
        assert chosen(made("high", 60, 2, (1, 5), 1)) == "platt"

    def test_timid_scores_that_never_reach_the_threshold_are_stretched(self):
        assert chosen(made("timid", 60, 1, (-0.4, 0.4), 0.2)) in ("temperature", "platt")

    def test_scores_all_too_low_are_left_where_a_map_would_raise_the_false_positives(self):
        assert chosen(made("low", 60, 1, (-4, -1), 1.5)) == "identity"

    def test_views_of_few_bases_do_not_stand_for_bases(self):
        rows = made("views", 6, 12, (-1, 1), 2)
        ungrouped = [{**each, "base": f"{each['base']}/{number}"} for number, each in enumerate(rows)]
        assert figures(rows, platt)[0] > figures(ungrouped, platt)[0]

    def test_figures_agree_with_an_independent_fit(self):
        # SciPy's root finder on the gradient in place of Newton's method
        def by_scipy(train):
            x, y = numpy.array([logit(each["score"]) for each in train]), numpy.array([each["label"] for each in train])

            def gradient(line):
                over = expit(line[0] * x + line[1]) - y
                return [numpy.mean(over * x) + 1e-3 * line[0], numpy.mean(over)]

            return PlattMap(*scipy.optimize.root(gradient, [1, 0], tol=1e-13).x)

        rows = made("high", 60, 2, (1, 5), 1)
        assert figures(rows, platt) == pytest.approx(figures(rows, by_scipy), abs=1e-10)
