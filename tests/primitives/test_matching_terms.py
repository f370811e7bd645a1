"""Which rows can be a pair, what a pair is worth, and which arguments are refused; values by hand."""

import json
import math
from dataclasses import FrozenInstanceError
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric.engine.expressions import values
from rubric.primitives import _candidates
from rubric.primitives._equality import canonical, canonical_column
from rubric.primitives.faults import ArgumentFault
from rubric.primitives.matching import Pair, Pairing, maximum, pair


def points(*times):
    return [{"at": time} for time in times]


def spans(*intervals):
    return [{"start": start, "end": end} for start, end in intervals]


def indices(pairing):
    return [(made.truth, made.predicted) for made in pairing.pairs]


# ------------------------------------------------------------------ what a pair is


def test_the_whole_pairing():
    truth = [{"kind": "beep", "at": 10}, {"kind": "alarm", "at": 40}, {"kind": "beep", "at": 90}]
    predicted = [{"kind": "beep", "at": 88}, {"kind": "alarm", "at": 10}, {"kind": "beep", "at": 13}]
    assert pair(truth, predicted, same=["kind"], at="at", within=9, malformed=4) == Pairing(
        matched=2, unmatched=5, truths=3, predictions=7, credit=2.0, pairs=(Pair(0, 2, 3), Pair(2, 0, 2))
    )


def test_nothing_on_either_side():
    empty = Pairing(matched=0, unmatched=0, truths=0, predictions=0, credit=0.0, pairs=())
    assert pair([], [], at="at", within=1) == empty
    assert pair([], points(1, 2), same=["at"], malformed=1).unmatched == 3
    assert pair(points(1, 2), [], at="at", within=1).truths == 2
    assert maximum([], [1], possible=lambda left, right: True) == []
    assert maximum([1], [], possible=lambda left, right: True) == []


def test_results_cannot_be_changed():
    made = pair(points(1), points(1), at="at", within=0).pairs[0]
    with pytest.raises(FrozenInstanceError):
        made.credit = 1.0


@pytest.mark.parametrize(
    ("truth", "predicted", "overlap", "within", "matched"),
    [
        ((0, 2), (1, 3), None, 1, 1),  # both ends differ by 1
        ((0, 2), (1, 3.5), None, 1, 0),  # the larger difference counts
        ((0, 2), (1, 4), 0.25, None, 1),  # intersection 1, union 4
        ((0, 2), (1, 4), 0.26, None, 0),
        ((0, 3), (0, 5), 0.6, None, 1),  # 3/5 is the float 0.6
        ((0, 2), (2, 4), 0.0, None, 1),  # sharing nothing is an overlap of 0
        ((0, 2), (2, 4), 1e-12, None, 0),  # half-open: they only touch
        ((0, 2), (2, 4), 0.5, 2, 1),  # one of the two is enough
        ((5, 5), (5, 5), 0.5, None, 0),  # empty ones share nothing
        ((5, 5), (5, 5), 0.5, 0, 1),
        ((0, 10), (-9, 10), 10 / 19, None, 1),  # the farthest earlier start for this overlap
        ((0, 10), (5, 10), 0.5, None, 1),  # the farthest later start
    ],
)
@pytest.mark.parametrize("few", [32, 0])
def test_intervals(few, truth, predicted, overlap, within, matched):
    with patch.object(_candidates, "_FEW", few):
        pairing = pair(spans(truth), spans(predicted), interval=("start", "end"), overlap=overlap, within=within)
    assert pairing.matched == matched


def test_an_interval_of_a_length_that_no_float_can_hold_hides_no_other():
    truth, predicted = spans((-1.7e308, 1.7e308), (0, 10)), spans((5, 15))
    assert indices(pair(truth, predicted, interval=["start", "end"], overlap=0.25, within=1)) == [(1, 0)]


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        (None, None, True),
        (None, "", False),
        (True, 1, False),
        (False, 0, False),
        (1, 1.0, True),
        (-0.0, 0, True),
        ("a", "A", False),
        ("1", 1, False),
        (math.nan, math.nan, False),
        (["a", "b"], ["a", "b"], True),
        (["a", "b"], ["b", "a"], False),
        (["a", ["b"]], ["a", "b"], False),
        ([[], 1], [[1]], False),
        ([1], [True], False),
        ([1, None], [1.0, None], True),
        ([], {}, False),
        ([], None, False),
        ({"x": 1, "y": [2]}, {"y": [2.0], "x": 1}, True),
        ({"x": 1}, {"x": 1, "y": None}, False),
        ([{"x": True}], [{"x": 1}], False),
    ],
)
def test_equality_of_fields(a, b, equal):
    for fields in (["v"], ["v", "other"]):
        assert pair([{"v": a, "other": 0}], [{"v": b, "other": 0}], same=fields).matched == equal


scalars = (
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, -0.0, 1.0, 0.5]) | st.text("ab", max_size=1)
)
data = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy", max_size=1), inner, max_size=2)
)


@settings(max_examples=300)
@given(a=data, b=data)
def test_keys_are_equal_exactly_where_the_language_finds_values_equal(a, b):
    assert (canonical(a) == canonical(b)) == values.equal(a, b)
    assert canonical(a) == canonical(json.loads(json.dumps(a)))
    assert canonical_column([a, b]) == [canonical(a), canonical(b)]


def test_deeply_nested_values_have_keys():
    deep, other = [], [1]
    for _ in range(100_000):
        deep, other = [deep], [other]
    assert canonical(deep) != canonical(other)


def test_an_absent_field_is_null():
    assert pair([{"k": 1}], [{"k": 1, "note": None}], same=["k", "note"]).matched == 1
    assert pair([{"k": 1}], [{"k": 1, "note": "x"}], same=["k", "note"]).matched == 0


@pytest.mark.parametrize(
    ("a", "b", "possible"),
    [
        ("x", "x", True),
        ("x", "y", False),
        ("x", None, True),
        (None, "y", True),
        ("x", "", True),
        (" \t", "y", True),
        (0, 1, False),
        (0, None, True),
        (False, 0, False),
        (["x"], ["x"], True),
    ],
)
@pytest.mark.parametrize("few", [32, 0])
def test_fields_that_agree_if_given(few, a, b, possible):
    truth, predicted = [{"id": a, "role": "r"}, {"id": a}], [{"id": b}, {"id": b, "role": "s"}]
    with patch.object(_candidates, "_FEW", few):
        assert pair(truth[:1], predicted[:1], same_if_given=["id"]).matched == possible
        assert pair(truth[:1], predicted[:1], same_if_given=["id", "role"]).matched == possible
        assert pair(truth[:1], predicted[1:], same_if_given=["id", "role"]).matched == 0
        assert pair(truth[1:], predicted[1:], same_if_given=["id", "role"]).matched == possible


# ------------------------------------------------------------------ credit


def test_credit_is_asked_once_for_each_pair_that_was_made():
    asked = []

    def credit(truth, predicted):
        asked.append((truth["at"], predicted["at"]))
        return 0.1

    pairing = pair(points(1, 2, 3), points(1, 2, 3), at="at", within=5, credit=credit)
    assert asked == [(1, 1), (2, 2), (3, 3)]
    assert pairing.credit == 0.30000000000000004  # the float nearest to three times the float 0.1
    assert [made.credit for made in pairing.pairs] == [0.1, 0.1, 0.1]


def test_credit_that_is_preferred_is_asked_once_for_each_possible_pair():
    asked = []
    pair(
        points(1, 2, 9), points(1, 2), at="at", within=1, credit=lambda *rows: asked.append(rows) or 1, prefer="credit"
    )
    assert [(truth["at"], predicted["at"]) for truth, predicted in asked] == [(1, 1), (1, 2), (2, 2), (2, 1)]


def test_one_unmeasured_credit_leaves_the_sum_unmeasured():
    pairing = pair(points(1, 5), points(1, 5), at="at", within=0, credit=lambda t, p: None if t["at"] == 5 else 0.5)
    assert pairing.credit is None
    assert [made.credit for made in pairing.pairs] == [0.5, None]


def test_unmeasured_credit_counts_nothing_when_choosing():
    def credit(truth, predicted):
        return None if predicted["at"] == 1 else 0.5

    both = pair(points(1), points(1, 2), at="at", within=1, credit=credit, prefer="credit")
    assert indices(both) == [(0, 1)]
    assert both.credit == 0.5


@pytest.mark.parametrize(("prefer", "made", "credit"), [("nearest", [(0, 0), (1, 1)], 0.25), ("credit", [(0, 1)], 1.0)])
def test_the_most_pairs_and_the_most_credit_can_differ(prefer, made, credit):
    worth = {(0, 0): -0.5, (0, 1): 1.0, (1, 1): 0.75}
    truth, predicted = [{"at": 0, "n": 0}, {"at": 2, "n": 1}], [{"at": 0, "n": 0}, {"at": 1, "n": 1}]
    pairing = pair(truth, predicted, at="at", within=1, credit=lambda t, p: worth[t["n"], p["n"]], prefer=prefer)
    assert (indices(pairing), pairing.credit) == (made, credit)


def test_a_sum_that_no_float_can_hold_is_unmeasured():
    assert pair(points(1, 2), points(1, 2), at="at", within=0, credit=lambda t, p: 1.5e308).credit is None


# ------------------------------------------------------------------ faults


@pytest.mark.parametrize(
    "value", [None, math.nan, math.inf, -math.inf, True, "3", [3], pytest.param(10**5000, id="5001 digits")]
)
@pytest.mark.parametrize("side", ["truth", "predicted"])
def test_a_position_that_is_no_finite_number(side, value):
    rows = {"truth": points(1, 2), "predicted": points(1, 2)}
    rows[side] = points(1, value)
    with pytest.raises(ArgumentFault, match="row 1 needs a finite number in 'at'") as caught:
        pair(**rows, at="at", within=1)
    assert caught.value.argument == side


@pytest.mark.parametrize(
    ("argument", "message", "arguments"),
    [
        (
            "predicted",
            "row 1 needs a finite number in 'at', not None",
            {"predicted": [{"at": 1}, {"kind": 2}], "at": "at"},
        ),
        ("predicted", "row 0 is 'x', not a mapping", {"predicted": ["x"], "at": "at"}),
        ("truth", "row 0 is None, not a mapping", {"truth": [None, {"kind": 1}], "same": ["kind"], "within": None}),
        (
            "predicted",
            "row 0 ends at 3.0, before it starts at 4.0",
            {"predicted": spans((4, 3)), "interval": ["start", "end"]},
        ),
        (
            "predicted",
            "'set' holds what cannot be compared",
            {"predicted": [{"at": 1, "set": {1}}], "same": ["set"], "at": "at"},
        ),
        ("at", "no row has a field 'frame'", {"at": "frame"}),
        ("interval", "no row has a field 'begin'", {"interval": ["start", "begin"]}),
        ("same", "no row has a field 'colour'", {"same": ["colour"], "at": "at"}),
        ("same_if_given", "no row has a field 'colour'", {"same_if_given": ["colour"], "at": "at"}),
        ("truth", "a list of rows is needed, not None", {"truth": None}),
        ("predicted", "a list of rows is needed, not 'rows'", {"predicted": "rows"}),
        ("same", "a list of field names is needed, not None", {"same": None}),
        ("same", "a list of field names is needed, not 'kind'", {"same": "kind", "at": "at"}),
        ("at", "the name of a field is needed, not 3", {"at": 3}),
        ("interval", "both", {"at": "at", "interval": ["start", "end"]}),
        ("interval", "two field names are needed, of start and end, not 1", {"interval": ["start"]}),
        ("interval", "intervals need `overlap`, `within` or both", {"interval": ["start", "end"], "within": None}),
        ("within", "need the largest distance", {"at": "at", "within": None}),
        ("within", "a distance needs positions", {"at": None}),
        ("within", "at least 0 is needed, not -1", {"at": "at", "within": -1}),
        ("within", "at least 0 is needed, not nan", {"at": "at", "within": math.nan}),
        ("within", "at least 0 is needed, not True", {"at": "at", "within": True}),
        ("overlap", "from 0 to 1 is needed, not 1.5", {"interval": ["start", "end"], "overlap": 1.5}),
        ("overlap", "only intervals", {"at": "at", "overlap": 0.5}),
        ("malformed", "a count of rows is needed, not -1", {"at": "at", "malformed": -1}),
        ("malformed", "a count of rows is needed, not 1.5", {"at": "at", "malformed": 1.5}),
        ("prefer", "either nearest or credit is needed, not 'first'", {"at": "at", "prefer": "first"}),
        ("prefer", "only where `credit` says", {"at": "at", "prefer": "credit"}),
        (
            "credit",
            "a finite number or null is needed for each pair, not nan",
            {"at": "at", "credit": lambda t, p: math.nan},
        ),
        ("credit", "not True", {"at": "at", "credit": lambda t, p: True, "prefer": "credit"}),
    ],
)
def test_arguments_that_cannot_be_used(argument, message, arguments):
    rows = [{"at": 1, "start": 1, "end": 2, "kind": 3}]
    with pytest.raises(ArgumentFault, match=message) as caught:
        pair(**{"truth": rows, "predicted": rows, "within": 1} | arguments)
    assert caught.value.argument == argument


def test_what_was_accepted_before_says_nothing_about_what_only_looks_like_it():
    assert pair(points(1), points(2), at="at", within=1).matched == 1
    with pytest.raises(ArgumentFault, match="not True"):
        pair(points(1), points(2), at="at", within=True)
    with pytest.raises(ArgumentFault, match="a list of field names is needed, not 'at'"):
        pair(points(1), points(2), same="at")


def test_names_of_fields_come_in_any_list():
    class Names(list):
        pass

    for names in (["at"], ("at",), Names(["at"])):
        assert pair(points(1, 2), points(2, 3), same=names).matched == 1
    with pytest.raises(ArgumentFault, match=r"a list of field names is needed, not \[\['at'\]\]"):
        pair(points(1), points(1), same=[["at"]])
