"""The summary of many reports: by hand, and against the standard library."""

import math
import statistics
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_examples import RUBRIC, broken, passed, report

from rubric.engine.reporters.summary import summarize


def test_summary() -> None:
    low = passed(score=0.2, metrics={"events": {"value": None}, "recall": {"value": 1}})
    assert summarize([report(), low, broken(), passed()]) == {
        "rubric": RUBRIC,
        "engine": "0.1.0",
        "count": 4,
        "outcomes": {"pass": 2, "fail": 1, "inconclusive": 0, "error": 1},
        "score": {
            "scored": 3,
            "null": 0,
            "errors": 1,
            "mean_of_scored": math.fsum([0, 0.2, 0.6]) / 3,
            "mean_unscored_as_zero": 0.2,
            "median_of_scored": 0.2,
            "min_of_scored": 0.0,
            "max_of_scored": 0.6,
        },
        "metrics": {
            "events": {
                "scored": 2,
                "null": 1,
                "errors": 1,
                "mean_of_scored": 0.8,
                "mean_unscored_as_zero": 0.4,
                "median_of_scored": 0.8,
                "min_of_scored": 0.8,
                "max_of_scored": 0.8,
            },
            "delay": {
                "scored": 2,
                "null": 1,
                "errors": 1,
                "mean_of_scored": 0.9,
                "mean_unscored_as_zero": 0.45,
                "median_of_scored": 0.9,
                "min_of_scored": 0.9,
                "max_of_scored": 0.9,
            },
            "recall": {
                "scored": 3,
                "null": 0,
                "errors": 1,
                "mean_of_scored": math.fsum([1 / 3, 1, 1 / 3]) / 3,
                "mean_unscored_as_zero": math.fsum([1 / 3, 1, 1 / 3]) / 4,
                "median_of_scored": 1 / 3,
                "min_of_scored": 1 / 3,
                "max_of_scored": 1.0,
            },
        },
        "gates": [
            {"id": "floor", "failed": 1, "inconclusive": 0, "unreached": 0, "held": 0},
            {"id": "ids_present", "failed": 0, "inconclusive": 0, "unreached": 0, "held": 1},
            {"id": "lower", "failed": 0, "inconclusive": 1, "unreached": 0, "held": 0},
            {"id": "decodes", "failed": 0, "inconclusive": 0, "unreached": 1, "held": 0},
        ],
        "errors": {"reference": 1},
    }


def test_a_gate_with_members_counts_once_a_case() -> None:
    members = [{"id": f"floor[{n}]", "held": n != 1, "because": ""} for n in range(3)]
    found = summarize([report(gates=members), report(gates=members[:1])])
    assert found["gates"] == [{"id": "floor", "failed": 1, "inconclusive": 0, "unreached": 0, "held": 1}]


def test_a_rubric_without_score_has_no_mean_score() -> None:
    assert summarize([passed(score=None), broken()])["score"] is None
    assert summarize([broken()])["score"]["mean_unscored_as_zero"] == 0.0
    assert summarize([passed(score=None), passed(score=1)])["score"]["mean_unscored_as_zero"] == 0.5


@given(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_the_figures_are_those_of_the_library(scores: list[float | None]) -> None:
    """Median, minimum and maximum as `statistics` has them; every case is in the denominator."""
    found = summarize([passed(score=score) for score in scores] + [broken()])["score"]
    scored = [score for score in scores if score is not None]
    if not scored:
        assert found is None
        return
    assert found["scored"] + found["null"] + found["errors"] == len(scores) + 1
    assert found["min_of_scored"] == min(scored)
    assert found["max_of_scored"] == max(scored)
    halves = [score / 2 for score in scored]
    assert found["median_of_scored"] / 2 == pytest.approx(statistics.median(halves), rel=1e-15, abs=1e-300)
    exact = float(sum(map(Fraction, scored)) / len(scored))
    assert found["mean_of_scored"] == pytest.approx(exact, rel=1e-12, abs=1e-300)
