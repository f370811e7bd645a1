import subprocess
import sys
from fractions import Fraction
from itertools import product
from math import inf, nan, nextafter

import numpy
import pytest
import scipy.stats
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rubric.primitives import _resampling
from rubric.primitives.faults import ArgumentFault, InstrumentFault
from rubric.primitives.statistics import (
    Interval,
    Proportion,
    balanced_accuracy,
    brier,
    clopper_pearson,
    cluster_bootstrap,
    expected_calibration_error,
    f_beta,
    mean,
    median,
    paired_bootstrap_difference,
    paired_bootstrap_ratio,
    percentile,
    precision,
    proportion,
    recall,
    wilson,
)

counts = st.integers(0, 60)
levels = st.floats(1e-9, 1 - 1e-9)
numbers = st.floats(-1e9, 1e9)
outcomes = st.lists(st.booleans(), min_size=1, max_size=40)


def test_importing_the_module_loads_no_library():
    code = "import sys, rubric.primitives.statistics; print({'numpy', 'scipy'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def refused(argument, message, function, *args, **settings):
    with pytest.raises(ArgumentFault, match=message) as caught:
        function(*args, **settings)
    assert caught.value.argument == argument


class TestFBeta:
    # scikit-learn 1.9.1 and fractions: 6 matched, 10 truths, 8 claims
    @pytest.mark.parametrize(("beta", "value"), [(0.5, 5 / 7), (1, 2 / 3), (2, 0.625)])
    def test_reference_values(self, beta, value):
        assert f_beta(6, 10, 8, beta) == pytest.approx(value, rel=1e-15)

    def test_divides_once(self):
        assert f_beta(9, 13, 17, 1) == 0.6
        assert f_beta(1.5, 2, 3, 1) == 0.6

    def test_nothing_to_find_and_nothing_claimed_is_null(self):
        assert f_beta(0, 0, 0, 1) is None
        assert f_beta(0, 2, 0, 1) == 0
        assert f_beta(0, 0, 2, 1) == 0

    @pytest.mark.parametrize("beta", [1e-3, 0.1, 0.25, 0.3, 1, 7, 1e6])
    def test_everything_matched_is_exactly_1(self, beta):
        assert f_beta(3, 3, 3, beta) == 1

    def test_rounding_in_fractional_credit_is_forgiven(self):
        assert f_beta(3 + 1e-12, 3, 3, 1) == 1

    def test_refuses_impossible_numbers(self):
        refused("matched", "more than truths, which is 2", f_beta, 3, 2, 4, 1)
        refused("matched", "more than claimed, which is 2", f_beta, 3, 4, 2, 1)
        refused("matched", "-1 is no count", f_beta, -1, 4, 2, 1)
        refused("truths", "nan is not a finite number", f_beta, 0, nan, 2, 1)
        refused("claimed", "inf is not a finite number", f_beta, 0, 2, inf, 1)
        refused("truths", "True is not a number", f_beta, 0, True, 2, 1)
        for beta in (0, -1, 1e7):
            refused("beta", "no weight of recall", f_beta, 1, 2, 2, beta)
        refused("beta", "nan is not a finite number", f_beta, 1, 2, 2, nan)

    @given(counts, counts, counts, st.sampled_from([0.25, 0.5, 1, 2, 3]))
    def test_is_the_weighted_harmonic_mean(self, matched, missed, false, beta):
        truths, claimed = matched + missed, matched + false
        assume(truths + claimed)
        value = f_beta(matched, truths, claimed, beta)
        assert 0 <= value <= 1
        if matched:
            p, r, square = Fraction(matched, claimed), Fraction(matched, truths), Fraction(beta) ** 2
            assert value == float((1 + square) * p * r / (square * p + r))

    @given(st.floats(0, 50), st.floats(0, 50), counts, counts, st.floats(0.1, 10))
    def test_more_credit_is_never_worse(self, less, more, truths, claimed, beta):
        less, more = sorted((less, more))
        assume(more <= min(truths, claimed) and claimed + truths)
        assert f_beta(less, truths, claimed, beta) <= f_beta(more, truths, claimed, beta)


class TestRates:
    def test_precision_and_recall(self):
        assert precision(6, 8) == 0.75
        assert recall(6, 10) == 0.6
        assert precision(0, 0) is None
        assert recall(0, 0) is None
        refused("matched", "more than claimed", precision, 2, 1)
        refused("matched", "more than truths", recall, 2, 1)

    def test_balanced_accuracy(self):
        assert balanced_accuracy(1, 1, 3, 1) == 0.625  # scikit-learn 1.9.1, its documentation's example
        assert balanced_accuracy(0, 0, 3, 1) is None
        assert balanced_accuracy(1, 1, 0, 0) is None
        refused("fn", "1.5 is not a whole number", balanced_accuracy, 1, 1.5, 1, 1)
        refused("fp", "-1 is not a whole number", balanced_accuracy, 1, 1, 1, -1)

    @given(counts, counts, counts, counts)
    def test_balanced_accuracy_is_the_mean_of_both_recalls(self, tp, fn, tn, fp):
        assume(tp + fn and tn + fp)
        expected = float((Fraction(tp, tp + fn) + Fraction(tn, tn + fp)) / 2)
        assert balanced_accuracy(tp, fn, tn, fp) == balanced_accuracy(tn, fp, tp, fn) == expected


# statsmodels 0.15.0, recomputed with mpmath at 50 digits: (successes, n, alpha, lower, upper)
WILSON = [
    (8, 10, 0.05, 0.490162471537, 0.943317848546),
    (0, 10, 0.05, 0.0, 0.277532799863),
    (10, 10, 0.05, 0.722467200137, 1.0),
    (1, 1, 0.05, 0.206549314377, 1.0),
    (38, 38, 0.05, 0.908190131774, 1.0),
    (0, 77, 0.05, 0.0, 0.0475184252824),
    (50, 100, 0.01, 0.375279625045, 0.624720374955),
    (1, 1000, 0.05, 0.000176546370626, 0.00564255859796),
    (3, 7, 0.1, 0.186443190364, 0.710522908986),
]

# statsmodels 0.15.0 and scipy 1.17.1, binomtest
CLOPPER_PEARSON = [
    (0, 18, 0.01, 0.0, 0.254985028483),
    (18, 18, 0.01, 0.745014971517, 1.0),
    (5, 12, 0.05, 0.151652229808, 0.723330314318),
]


class TestIntervalsOfProportions:
    @pytest.mark.parametrize(("successes", "n", "alpha", "lower", "upper"), WILSON)
    def test_wilson(self, successes, n, alpha, lower, upper):
        found = wilson(successes, n, confidence=1 - alpha)
        assert (found.lower, found.upper) == pytest.approx((lower, upper), rel=1e-11)

    @pytest.mark.parametrize(("successes", "n", "alpha", "lower", "upper"), CLOPPER_PEARSON)
    def test_clopper_pearson(self, successes, n, alpha, lower, upper):
        found = clopper_pearson(successes, n, confidence=1 - alpha)
        assert (found.lower, found.upper) == pytest.approx((lower, upper), rel=1e-11)

    @pytest.mark.parametrize("interval", [wilson, clopper_pearson])
    def test_certain_bounds_are_exact(self, interval):
        for n in range(1, 200):
            assert interval(0, n, confidence=0.95).lower == 0
            assert interval(n, n, confidence=0.95).upper == 1

    @pytest.mark.parametrize("interval", [wilson, clopper_pearson])
    def test_no_trials_are_null_and_impossible_ones_refused(self, interval):
        assert interval(0, 0, confidence=0.95) is None
        refused("successes", "3 is more than n, which is 2", interval, 3, 2, confidence=0.95)
        refused("n", "2.5 is not a whole number", interval, 1, 2.5, confidence=0.95)
        for confidence in (0, 1, 95, -0.1):
            refused("confidence", "is not between 0 and 1", interval, 1, 2, confidence=confidence)

    def test_clopper_pearson_says_what_it_needs(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "scipy.special", None)
        with pytest.raises(InstrumentFault, match=r"rubric-engine\[statistics\]"):
            clopper_pearson(1, 2, confidence=0.95)

    @pytest.mark.parametrize("method", ["wilson", "exact"])
    @given(counts, counts, st.floats(0.5, 0.999))
    def test_agree_with_scipy(self, method, successes, failures, confidence):
        n = successes + failures
        assume(n)
        oracle = scipy.stats.binomtest(successes, n).proportion_ci(confidence, method)
        found = {"wilson": wilson, "exact": clopper_pearson}[method](successes, n, confidence=confidence)
        assert (found.lower, found.upper) == pytest.approx((oracle.low, oracle.high), rel=1e-9, abs=1e-15)

    @given(st.integers(0, 2**53), st.integers(1, 2**53), levels)
    @example(1, 2, nextafter(1, 0))
    @example(1, 3, 5e-324)
    def test_wilson_contains_the_point(self, successes, n, confidence):
        assume(successes <= n)
        found = wilson(successes, n, confidence=confidence)
        assert 0 <= found.lower <= successes / n <= found.upper <= 1

    @given(counts, counts, st.floats(0.01, 0.99))
    def test_wilson_grows_with_the_successes_and_the_confidence(self, successes, failures, confidence):
        n = successes + failures + 1
        found, better = (wilson(k, n, confidence=confidence) for k in (successes, successes + 1))
        assert found.lower < better.lower
        assert found.upper < better.upper
        surer = wilson(successes, n, confidence=confidence + 0.005)
        assert surer.lower <= found.lower
        assert found.upper < surer.upper

    @given(counts, counts, st.floats(0.01, 0.99))
    def test_wilson_of_failures_mirrors_that_of_successes(self, successes, failures, confidence):
        assume(successes + failures)
        one, other = (wilson(k, successes + failures, confidence=confidence) for k in (successes, failures))
        assert one.lower == pytest.approx(1 - other.upper, abs=1e-15)


class TestProportion:
    def test_of_successes_and_of_failures(self):
        found = proportion([True] * 8 + [False] * 2, confidence=0.95)
        assert (found.value, found.successes, found.unknown, found.n) == (0.8, 8, 0, 10)
        assert Interval(found.lower, found.upper) == wilson(8, 10, confidence=0.95)
        failures = proportion([True] * 8 + [False] * 2, of=False, confidence=0.95)
        assert (failures.value, failures.successes, failures.n) == (0.2, 2, 10)

    def test_an_unknown_outcome_leaves_no_value(self):
        assert proportion([True, None, False], confidence=0.95) == Proportion(None, None, None, 1, 1, 3)
        assert proportion([None], of=False, confidence=0.95) == Proportion(None, None, None, 0, 1, 1)

    def test_nothing_has_no_value(self):
        assert proportion([], confidence=0.95) == Proportion(None, None, None, 0, 0, 0)

    def test_refuses_what_is_no_outcome(self):
        refused("successes", "entry 1 is 1; expected true or false", proportion, [True, 1], confidence=0.95)
        refused("confidence", "not between 0 and 1", proportion, [], confidence=95)

    @given(outcomes)
    def test_both_kinds_make_a_whole(self, found):
        hits, misses = (proportion(found, of=of, confidence=0.9) for of in (True, False))
        assert hits.successes + misses.successes == hits.n == misses.n
        assert hits.value + misses.value == pytest.approx(1, abs=1e-15)


def naive_calibration_error(labels, probabilities, bins):
    """Weighted gaps of means, bin by bin, in fractions of the decimal digits."""
    error = Fraction(0)
    for k in range(bins):
        low, high = Fraction(k, bins), Fraction(k + 1, bins)
        rows = [(y, p) for y, p in zip(labels, probabilities, strict=True) if low <= p < high or (p == high == 1)]
        if rows:
            gap = sum(p for _, p in rows) / len(rows) - Fraction(sum(y for y, _ in rows), len(rows))
            error += Fraction(len(rows), len(labels)) * abs(gap)
    return float(error)


class TestCalibration:
    # scikit-learn 1.9.1 and fractions
    @pytest.mark.parametrize(
        ("labels", "probabilities", "value"),
        [
            ([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3], 0.0375),
            ([0], [0.5], 0.25),
            (
                [0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1],
                [0, 0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 0.75, 0.75, 1],
                1 / 6,
            ),
            (
                [0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1],
                [0, 0.25, 0.25, 0.25, 0.75, 0.5, 0.5, 0.25, 0.75, 0.75, 0.75, 1],
                1 / 12,
            ),
        ],
    )
    def test_brier(self, labels, probabilities, value):
        assert brier(labels, probabilities) == pytest.approx(value, rel=1e-15)
        assert brier([label == 1 for label in labels], probabilities) == brier(labels, probabilities)

    # netcal 1.4.0 and fractions
    @pytest.mark.parametrize(
        ("labels", "probabilities", "bins", "value"),
        [
            ([1, 0], [0.95, 1.0], 10, 0.475),
            ([0, 0, 1, 1, 1], [0.25, 0.25, 0.55, 0.75, 0.75], 2, 0.29),
            ([0, 0, 1, 1, 1], [1.0, 1.0, 1.0, 1.0, 0.0], 2, 0.6),
        ],
    )
    def test_expected_calibration_error(self, labels, probabilities, bins, value):
        assert expected_calibration_error(labels, probabilities, bins=bins) == pytest.approx(value, rel=1e-14)

    @given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 100)), min_size=1, max_size=30), st.integers(1, 100))
    @example([(1, 29), (0, 28), (0, 57)], 100)
    def test_a_probability_written_like_an_edge_opens_its_bin(self, rows, bins):
        labels = [label for label, _ in rows]
        hundredths = [Fraction(percent, 100) for _, percent in rows]
        found = expected_calibration_error(labels, [float(p) for p in hundredths], bins=bins)
        assert found == pytest.approx(naive_calibration_error(labels, hundredths, bins), abs=1e-12)

    @pytest.mark.parametrize("bins", [1, 3, 10, 49, 100, 997])
    def test_every_edge_is_in_the_bin_it_opens(self, bins):
        for edge in [k / bins for k in range(1, bins)]:
            below = nextafter(edge, 0)
            found = expected_calibration_error([1, 0], [edge, below], bins=bins)
            assert found == pytest.approx(0.5)  # (1 - edge) / 2 + below / 2; in one bin the gaps would cancel

    @pytest.mark.parametrize("score", [brier, lambda y, p: expected_calibration_error(y, p, bins=5)])
    def test_nulls_and_refusals(self, score):
        assert score([], []) is None
        assert score([1, None], [0.5, 0.5]) is None
        assert score([1, 0], [0.5, None]) is None
        refused("probabilities", "1 entries beside 2 of labels", score, [1, 0], [0.5])
        refused("labels", "2.0 is among them; expected 0 or 1", score, [1, 2], [0.5, 0.5])
        refused("probabilities", "1.5 is among them; expected 0 to 1", score, [1], [1.5])
        refused("probabilities", "entry 0: nan is not a finite number", score, [1], [nan])
        refused("probabilities", "entry 0: True is not a number", score, [1], [True])

    def test_refuses_no_bins(self):
        refused("bins", "0 is not a whole number from 1", expected_calibration_error, [1], [0.5], bins=0)

    @given(st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), min_size=1, max_size=20), st.randoms())
    def test_lie_in_range_and_ignore_the_order(self, rows, random):
        shuffled = random.sample(rows, len(rows))
        for score in (brier, lambda y, p: expected_calibration_error(y, p, bins=7)):
            value = score(*zip(*rows, strict=True))
            assert 0 <= value <= 1
            assert score(*zip(*shuffled, strict=True)) == value


class TestCentres:
    def test_mean(self):
        assert mean([0.1] * 10) == 0.1
        assert mean([1e308, 1e308]) == 1e308
        assert mean([1, 2]) == 1.5
        assert mean([]) is None
        assert mean([1, None]) is None

    def test_median(self):
        assert median([3, 1, 2]) == 2
        assert median([4, 1, 2, 3]) == 2.5
        assert median([7]) == 7
        assert median([1e308, 1.5e308]) == 1.25e308
        assert median([]) is None
        assert median([1, None, 2]) is None

    def test_percentile(self):
        assert percentile([4, 1, 3, 2], 50) == 2.5
        assert percentile([1, 2, 3, 4], 95) == pytest.approx(3.85, rel=1e-15)
        assert percentile([0.1, 0.7], 0) == 0.1
        assert percentile([0.1, 0.7], 100) == 0.7
        assert percentile([5], 37) == 5
        assert percentile([], 50) is None
        assert percentile([1, None], 50) is None
        assert percentile([-1.7e308, 1.7e308], 50) is None

    def test_refusals(self):
        for function in (mean, median, lambda values: percentile(values, 50)):
            refused("values", "entry 1: nan is not a finite number", function, [1, nan])
            refused("values", "entry 0: True is not a number", function, [True])
            refused("values", "entry 0: '1' is not a number", function, ["1"])
            refused("values", "entry 0: 1000.* is not a finite number", function, [10**400])
            refused("values", "entry 0: a number of too many digits", function, [10**10000])
        for q in (-1, 101):
            refused("q", "is not between 0 and 100", percentile, [1], q)

    @given(st.lists(numbers, min_size=1, max_size=30), st.floats(0, 100), st.randoms())
    def test_agree_with_numpy_in_any_order(self, values, q, random):
        shuffled = random.sample(values, len(values))
        assert percentile(values, q) == percentile(shuffled, q) == numpy.percentile(values, q)
        assert median(values) == median(shuffled) == pytest.approx(numpy.median(values), rel=1e-15)
        exact = float(sum(map(Fraction, values)) / len(values))
        assert mean(values) == mean(shuffled) == pytest.approx(exact, rel=1e-15)

    @given(st.lists(numbers, min_size=1, max_size=30), st.floats(0, 100))
    def test_percentiles_stay_within_the_values(self, values, q):
        assert min(values) <= percentile(values, q) <= max(values)


# Four clusters of (part, whole); a list of rows would give the same sums
CLUSTERS = [(3, 4), (1, 5), (2, 2), (0, 3)]


def every_resample(clusters):
    """The ratio of sums in each of the n^n resamples, sorted: the exact distribution."""
    ratios = []
    for drawn in product(clusters, repeat=len(clusters)):
        ratios.append(Fraction(sum(part for part, _ in drawn), sum(whole for _, whole in drawn)))
    return sorted(ratios)


def exact_percentile(ordered, q):
    position = (len(ordered) - 1) * Fraction(q) / 100
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def bootstrap(part, whole, cluster, *, resamples=400, level=0.95, seed=1):
    return cluster_bootstrap(part, whole, cluster, resamples=resamples, level=level, seed=seed)


class TestClusterBootstrap:
    def test_approaches_the_exact_distribution(self):
        exact = every_resample(CLUSTERS)
        wanted = [float(exact_percentile(exact, q)) for q in ("2.5", "50", "97.5")]
        assert wanted == pytest.approx([0.125, 0.428571428571, 0.833333333333], rel=1e-11)  # numpy 2.4.6
        part, whole = zip(*CLUSTERS, strict=True)
        found = bootstrap(part, whole, "abcd", resamples=40_000)
        assert (found.lower, found.upper) == pytest.approx((wanted[0], wanted[2]), abs=0.01)
        assert found.value == 6 / 14
        middle = bootstrap(part, whole, "abcd", resamples=40_000, level=1e-9)
        assert (middle.lower, middle.upper) == pytest.approx((wanted[1], wanted[1]), abs=0.01)

    def test_draws_are_those_of_the_raw_stream(self):
        stream = numpy.random.PCG64(7)
        part, whole = zip(*sorted(CLUSTERS), strict=True)
        ratios = []
        for _ in range(50):
            raw = [int(number) for number in stream.random_raw(2)]
            drawn = [half * 4 >> 32 for number in raw for half in (number & 0xFFFFFFFF, number >> 32)]
            ratios.append(sum(part[k] for k in drawn) / sum(whole[k] for k in drawn))
        assert _resampling.resampled_ratios(part, whole, 50, 7) == sorted(ratios)

    def test_blocks_do_not_show(self, monkeypatch):
        part, whole = [1, 0, 2, 5, 3], [2, 2, 3, 9, 4]
        at_once = _resampling.resampled_ratios(part, whole, 101, 3)
        monkeypatch.setattr(_resampling, "_BLOCK", 20)
        assert _resampling.resampled_ratios(part, whole, 101, 3) == at_once

    def test_the_same_numbers_on_every_machine(self):
        """Also from a plain loop over the raw stream: other values mean that draws, sums or percentiles changed."""
        found = bootstrap(
            [0.1, 0.7, 0.2, 0.9, 0.4], [1, 2, 1, 3, 2], ["a", "b", "c", "d", "e"], resamples=2000, seed=11
        )
        assert (found.lower, found.upper, found.value) == (0.16666666666666666, 0.3125, 0.25555555555555554)

    def test_one_number_as_whole_gives_a_mean(self):
        passed, source = [True, False, True, True], ["x", "x", "y", "z"]
        assert bootstrap(passed, 1, source) == bootstrap(passed, [1, 1, 1, 1], source)
        assert bootstrap(passed, 1, source).value == 0.75

    def test_rows_count_as_their_clusters_do(self):
        rows = bootstrap([1, 2, 1, 2, 0], [2, 2, 5, 2, 3], ["a", "a", "b", "c", "d"])
        part, whole = zip(*CLUSTERS, strict=True)
        assert rows == bootstrap(part, whole, [3, 4, 5, 6])

    def test_labels_are_equal_as_data(self):
        assert bootstrap([1, 0, 1], 1, [1, True, 1.0]).clusters == 2
        assert bootstrap([1, 0, 1], 1, [["a", 1], ["a", 2], ["a", 1]]).clusters == 2

    def test_clusters_that_agree_leave_no_width(self):
        found = bootstrap([1, 2, 3], [2, 4, 6], "abc")
        assert found.lower == found.upper == found.value == 0.5

    def test_null_where_there_is_no_interval(self):
        assert bootstrap([], [], []) is None
        assert bootstrap([1, 1], [2, 2], ["a", "a"]) is None
        assert bootstrap([1, None], [2, 2], ["a", "b"]) is None
        assert bootstrap([1, 1], [2, None], ["a", "b"]) is None
        assert bootstrap([1, 1], [2, 2], ["a", None]) is None
        assert bootstrap([0, 0], [0, 0], ["a", "b"]) is None
        assert bootstrap([1e308, 1e308], [1, 1], ["a", "b"]) is None

    def test_resamples_without_anything_to_divide_by_are_counted(self):
        found = bootstrap([1, 0], [2, 0], ["a", "b"], resamples=1000)
        assert found.lower == found.upper == found.value == 0.5
        assert 200 < found.undefined < 300  # one in four

    def test_refusals(self):
        refused("whole", "negative", bootstrap, [1, 1], [2, -1], ["a", "b"])
        refused("cluster", "1 entries beside 2 of part", bootstrap, [1, 1], [2, 1], ["a"])
        refused("whole", "1 entries beside 2 of part", bootstrap, [1, 1], [2], ["a", "b"])
        refused("part", "entry 0: nan is not", bootstrap, [nan, 1], [2, 1], ["a", "b"])
        refused("resamples", "not a whole number from 1", bootstrap, [1, 1], 1, "ab", resamples=0)
        refused("seed", "not a whole number from 0", bootstrap, [1, 1], 1, "ab", seed=-1)
        refused("level", "0.95 is 95 percent", bootstrap, [1, 1], 1, "ab", level=95)
        refused("level", "0.95 is 95 percent", bootstrap, [], [], [], level=95)

    @given(
        st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.sampled_from("abcde")), min_size=1, max_size=12),
        st.randoms(),
    )
    def test_lies_within_the_clusters_and_ignores_order_and_names(self, rows, random):
        rows = [(part * whole, whole, name) for part, whole, name in rows]
        found = bootstrap(*zip(*rows, strict=True), resamples=50)
        assert bootstrap(*zip(*random.sample(rows, len(rows)), strict=True), resamples=50) == found
        renamed = [(part, whole, "edcba"["abcde".index(name)]) for part, whole, name in rows]
        assert bootstrap(*zip(*renamed, strict=True), resamples=50) == found
        if found:
            assert -1e-12 <= found.lower <= found.upper <= 1 + 1e-12


A, B, GROUP = [3, 1, 2, 0, 4], [2, 2, 2, 1, 1], ["x", "x", "y", "z", "z"]
SETTINGS = {"resamples": 20_000, "level": 0.9, "seed": 5}


class TestPairedBootstraps:
    def test_difference_of_means(self):
        found = paired_bootstrap_difference(A, B, GROUP, **SETTINGS)
        exact = every_resample([(0, 2), (0, 1), (2, 2)])  # sums of a - b and rows, group by group
        assert found.value == 2 / 5
        wanted = [float(exact_percentile(exact, q)) for q in (5, 95)]
        assert (found.lower, found.upper) == pytest.approx(wanted, abs=0.02)

    def test_ratio_of_means(self):
        found = paired_bootstrap_ratio(A, B, GROUP, **SETTINGS)
        exact = every_resample([(4, 4), (2, 2), (4, 2)])
        assert found.value == 10 / 8
        wanted = [float(exact_percentile(exact, q)) for q in (5, 95)]
        assert (found.lower, found.upper) == pytest.approx(wanted, abs=0.02)

    def test_swapped_sides_change_the_sign(self):
        one = paired_bootstrap_difference(A, B, GROUP, **SETTINGS)
        other = paired_bootstrap_difference(B, A, GROUP, **SETTINGS)
        assert one.value == -other.value
        assert one.lower == pytest.approx(-other.upper, abs=0.02)

    def test_equal_sides_do_not_differ(self):
        found = paired_bootstrap_difference(A, A, GROUP, **SETTINGS)
        assert found.lower == found.upper == found.value == 0

    @pytest.mark.parametrize("compare", [paired_bootstrap_difference, paired_bootstrap_ratio])
    def test_nulls_and_refusals(self, compare):
        assert compare([1, None], [1, 1], "ab", **SETTINGS) is None
        assert compare([1, 2], [1, 1], "aa", **SETTINGS) is None
        refused("b", "1 entries beside 2 of a", compare, [1, 2], [1], "ab", **SETTINGS)
        refused("group", "1 entries beside 2 of a", compare, [1, 2], [1, 1], "a", **SETTINGS)
        refused("b", "entry 1: inf is not", compare, [1, 2], [1, inf], "ab", **SETTINGS)

    def test_a_ratio_needs_a_divisor_of_at_least_0(self):
        refused("b", "negative", paired_bootstrap_ratio, [1, 2], [1, -1], "ab", **SETTINGS)
        assert paired_bootstrap_ratio([1, 2], [0, 0], "ab", **SETTINGS) is None
