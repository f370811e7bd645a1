"""One-to-one matching against enumeration of all matchings, scipy, Glover's sweep and values by hand."""

import json
import math
import random
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rubric.engine.expressions import values
from rubric.primitives import _candidates, _edges
from rubric.primitives._equality import canonical
from rubric.primitives.faults import ArgumentFault
from rubric.primitives.matching import Pair, Pairing, maximum, pair
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching


def points(*times):
    return [{"at": time} for time in times]


def spans(*intervals):
    return [{"start": start, "end": end} for start, end in intervals]


def indices(pairing):
    return [(made.truth, made.predicted) for made in pairing.pairs]


# ------------------------------------------------------------------ the rule, by enumeration


def enumerated(edges, worth):
    """The matchings of largest worth among all subsets of the edges, cut down edge by edge as the rule says."""
    candidates = [()]
    for edge in edges:
        free = [made for made in candidates if all(edge[1] != e[1] and edge[2] != e[2] for e in made)]
        candidates += [(*made, edge) for made in free]
    best = max(worth(made) for made in candidates)
    candidates = [made for made in candidates if worth(made) == best]
    for edge in edges:
        candidates = [made for made in candidates if edge in made] or candidates
    return sorted((truth, predicted) for _, truth, predicted in candidates[0])


def exact_credit(credits):
    return lambda made: (sum(Fraction(credits[truth, predicted]) for _, truth, predicted in made), len(made))


def agree(a, b):
    """`same_if_given`, once more and slowly."""
    return a is None or b is None or not str(a).strip() or not str(b).strip() or a == b


def point_edges(truth, predicted, within):
    return sorted(
        (abs(a["at"] - b["at"]), t, p)
        for t, a in enumerate(truth)
        for p, b in enumerate(predicted)
        if abs(a["at"] - b["at"]) <= within and a["kind"] == b["kind"] and agree(a["id"], b["id"])
    )


def interval_edges(truth, predicted, overlap, within):
    edges = []
    for t, a in enumerate(truth):
        for p, b in enumerate(predicted):
            distance = max(abs(a["start"] - b["start"]), abs(a["end"] - b["end"]))
            shared = max(0, min(a["end"], b["end"]) - max(a["start"], b["start"]))
            union = a["end"] - a["start"] + b["end"] - b["start"] - shared
            near = within is not None and distance <= within
            if near or (overlap is not None and (Fraction(shared, union) if union else 0) >= overlap):
                edges.append((distance, t, p))
    return sorted(edges)


kinds = st.sampled_from([None, 1, "a"])
ids = st.sampled_from([None, "", " ", "x", "y"])
point_rows = st.lists(st.fixed_dictionaries({"at": st.integers(0, 8), "kind": kinds, "id": ids}), max_size=5)
one_kind = st.lists(st.builds(lambda at: {"at": at, "kind": 1, "id": None}, st.integers(0, 8)), max_size=5)
four_of_one_kind = one_kind.filter(lambda rows: len(rows) < 5)
interval_rows = st.lists(
    st.builds(lambda start, length: {"start": start, "end": start + length}, st.integers(0, 8), st.integers(0, 6)),
    max_size=5,
)

unhurried = settings(deadline=None)  # enumeration takes what it takes

# Both ways of searching and both ways of ordering edges have to give the same.
thresholds = pytest.mark.parametrize(("few", "at_once"), [(32, 20_000), (0, 20_000), (32, 0), (0, 0)])


@thresholds
@unhurried
@given(truth=point_rows | one_kind, predicted=point_rows | one_kind, within=st.integers(0, 5))
def test_points_are_the_first_of_the_largest_matchings(few, at_once, truth, predicted, within):
    with patch.object(_candidates, "_FEW", few), patch.object(_edges, "_SORTED_AT_ONCE", at_once):
        pairing = pair(truth, predicted, same=["kind"], same_if_given=["id"], at="at", within=within) if truth else None
    if pairing is not None:
        assert indices(pairing) == enumerated(point_edges(truth, predicted, within), len)


@thresholds
@unhurried
@given(
    truth=interval_rows,
    predicted=interval_rows,
    overlap=st.none() | st.sampled_from([0, 0.25, 0.5, 1]),
    within=st.none() | st.integers(0, 3),
)
def test_intervals_are_the_first_of_the_largest_matchings(few, at_once, truth, predicted, overlap, within):
    if overlap is None and within is None:
        return
    with patch.object(_candidates, "_FEW", few), patch.object(_edges, "_SORTED_AT_ONCE", at_once):
        pairing = pair(truth, predicted, interval=["start", "end"], overlap=overlap, within=within)
    assert indices(pairing) == enumerated(interval_edges(truth, predicted, overlap, within), len)


@unhurried
@given(data=st.data(), truth=four_of_one_kind, predicted=four_of_one_kind, within=st.integers(0, 8))
def test_preferred_credit_is_the_first_of_the_best_matchings(data, truth, predicted, within):
    edges = point_edges(truth, predicted, within)
    some = st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0, -0.5]) | st.floats(0, 1)
    credits = {(t, p): data.draw(some) for _, t, p in edges}
    truth = [row | {"n": n} for n, row in enumerate(truth)]
    predicted = [row | {"n": n} for n, row in enumerate(predicted)]
    pairing = pair(
        truth, predicted, at="at", within=within, credit=lambda t, p: credits[t["n"], p["n"]], prefer="credit"
    )
    assert indices(pairing) == enumerated(edges, exact_credit(credits))
    assert pairing.credit == math.fsum(credits[found] for found in indices(pairing))


@given(possible=st.lists(st.lists(st.booleans(), min_size=5, max_size=5), max_size=5))
def test_maximum_is_the_first_of_the_largest_matchings(possible):
    made = maximum(range(len(possible)), range(5), possible=lambda left, right: possible[left][right])
    edges = [(0.0, i, j) for i, row in enumerate(possible) for j, yes in enumerate(row) if yes]
    assert [(one.truth, one.predicted) for one in made] == enumerated(edges, len)
    assert all(one.distance == 0 and one.credit is None for one in made)


# ------------------------------------------------------------------ larger graphs, against other methods


def glover(truth, predicted, within):
    """How many points can be matched: each truth in order takes the earliest prediction still within reach."""
    waiting, count = sorted(predicted), 0
    for time in sorted(truth):
        while waiting and waiting[0] < time - within:
            waiting.pop(0)
        if waiting and waiting[0] <= time + within:
            waiting.pop(0)
            count += 1
    return count


@pytest.mark.parametrize("seed", range(12))
def test_counts_equal_those_of_glover(seed):
    chance = random.Random(seed)
    span, within = chance.choice([(60, 1), (60, 6), (200, 2), (2000, 9)])
    truth = [chance.randrange(span) for _ in range(chance.randrange(1, 150))]
    predicted = [chance.randrange(span) for _ in range(chance.randrange(1, 150))]
    pairing = pair(points(*truth), points(*predicted), at="at", within=within)
    assert pairing.matched == glover(truth, predicted, within)
    assert all(abs(truth[made.truth] - predicted[made.predicted]) == made.distance <= within for made in pairing.pairs)
    assert len({made.predicted for made in pairing.pairs}) == len({made.truth for made in pairing.pairs})


@pytest.mark.parametrize("seed", range(12))
def test_counts_equal_those_of_scipy(seed):
    grid = np.random.default_rng(seed).random((30, 40)) < [0.03, 0.06, 0.1][seed % 3]
    made = maximum(range(30), range(40), possible=lambda left, right: grid[left, right])
    assert len(made) == np.count_nonzero(maximum_bipartite_matching(csr_matrix(grid)) >= 0)
    assert all(grid[one.truth, one.predicted] for one in made)


@pytest.mark.parametrize("seed", range(24))
def test_the_order_holds_on_larger_graphs(seed):
    """The rule word for word: an edge is kept if scipy still finds as many pairs among what it leaves."""
    chance = np.random.default_rng(seed)
    grid = chance.random((25, 20 + seed % 10)) < 0.12
    edges = np.argwhere(grid)

    def size():
        return np.count_nonzero(maximum_bipartite_matching(csr_matrix(grid)) >= 0)

    made = maximum(range(grid.shape[0]), range(grid.shape[1]), possible=lambda left, right: grid[left, right])
    expected = []
    for left, right in edges:
        if grid[left, right]:
            largest, before = size(), grid.copy()
            grid[left, :] = grid[:, right] = False
            if size() == largest - 1:
                expected.append((left, right))
            else:
                grid = before
    assert [(one.truth, one.predicted) for one in made] == expected


@pytest.mark.parametrize("seed", range(12))
def test_preferred_credit_equals_that_of_scipy(seed):
    credits = np.random.default_rng(seed).random((15, 25 - seed)) ** 3
    truth, predicted = ([{"n": n} for n in range(size)] for size in credits.shape)
    pairing = pair(truth, predicted, credit=lambda t, p: float(credits[t["n"], p["n"]]), prefer="credit")
    best = credits[linear_sum_assignment(credits, maximize=True)]
    assert pairing.credit == pytest.approx(best.sum(), abs=1e-12)
    assert pairing.matched == len(best)


@settings(max_examples=50)
@given(data=st.data(), truth=one_kind, times=st.lists(st.floats(0, 9), unique=True, max_size=9))
def test_the_order_of_predictions_at_distinct_distances_does_not_matter(data, truth, times):
    gaps = [abs(row["at"] - time) for row in truth for time in times]
    if len(set(gaps)) < len(gaps):
        return
    order = data.draw(st.permutations(range(len(times))))
    straight = pair(truth, points(*times), at="at", within=2) if truth else None
    if straight is not None:
        shuffled = pair(truth, points(*(times[i] for i in order)), at="at", within=2)
        assert [(t, order[p]) for t, p in indices(shuffled)] == indices(straight)


@settings(max_examples=50)
@given(truth=one_kind, predicted=one_kind, more=st.integers(0, 8), within=st.integers(0, 4))
def test_another_prediction_never_loses_a_pair(truth, predicted, more, within):
    if truth:
        before = pair(truth, predicted, at="at", within=within).matched
        assert before <= pair(truth, [*predicted, {"at": more}], at="at", within=within).matched <= before + 1


# ------------------------------------------------------------------ sizes at which other methods fail


def levels(n):
    """Two staircases on which searching depth first from the wrong end doubles its work at every level."""
    truth = [x for i in range(1, n + 1) for x in (i, i)] + [1000 + i for i in range(n + 3)]
    predicted = [x for i in range(n + 1) for x in (i + 0.5, i + 0.5)] + [1000.5 + i for i in range(n + 2)] + [999.5]
    return truth, predicted


def chain(n):
    """One augmenting path through all points, longer than a recursion may be."""
    return list(range(n)), [*(i + 0.5 for i in range(n - 1)), -0.5]


# Counts by networkx hopcroft_karp_matching and mir_eval match_events; the chain by hand.
@pytest.mark.parametrize(
    ("truth", "predicted", "within", "matched"),
    [
        pytest.param(*levels(28), 0.5, 87, id="two staircases"),
        pytest.param(*chain(1500), 0.5, 1500, id="long chain"),
        pytest.param([2.244, 2.262], [2.254], 0.01, 1, id="one prediction for two truths"),
        pytest.param([1.0, 2.0], [1.6, 2.9], 1.0, 2, id="nearest first loses one"),
        pytest.param([1.0, 1.1], [1.05, 0.6], 0.45, 2, id="in order loses one"),
        pytest.param([1.0, 1.0, 1.0], [1.0, 1.0], 0.0, 2, id="equal times"),
        pytest.param([0.0, 1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 3.5], 0.5, 4, id="all at the limit"),
        pytest.param([5, 9.8, 20], [5.3, 10, 14, 21], 0.5, 2, id="shot boundaries"),
        pytest.param([1.0] * 2000, [1.0] * 2000, 0.5, 2000, id="all alike"),
        pytest.param([1.0] * 30, [1.0] * 20_000, 0.5, 30, id="flood of one time"),
        pytest.param(range(0, 300, 10), [i / 100 for i in range(20_000)], 400, 30, id="flood of many times"),
    ],
)
def test_counts(truth, predicted, within, matched):
    pairing = pair(points(*truth), points(*predicted), at="at", within=within)
    assert (pairing.matched, pairing.unmatched) == (matched, len(predicted) - matched)


def test_a_flood_of_intervals_and_of_disagreeing_ids():
    truth = [{"start": 10 * i, "end": 10 * i + 8, "id": str(i)} for i in range(30)]
    flood = [{"start": i / 100, "end": i / 100 + 8, "id": str(i)} for i in range(20_000)]
    pairing = pair(truth, flood, interval=["start", "end"], overlap=0.9, same_if_given=["id"])
    assert indices(pairing) == [(0, 0)]
    assert pair(truth, flood, interval=["start", "end"], overlap=0.9).matched == 21  # all that begin before 200.8


def test_floats_written_at_the_limit_need_a_guard():
    truth, predicted = points(0.1, 0.2, 0.3, 1.0, 1.1, 4.35), points(0.15, 0.25, 0.35, 1.05, 1.15, 4.4)
    assert pair(truth, predicted, at="at", within=0.05 + 1e-9).matched == 6
    assert pair(truth, predicted, at="at", within=0.05).matched < 6  # 0.15 - 0.1 > 0.05 in binary


def test_identical_rows_are_paired_in_order():
    pairing = pair(points(3, 3, 3), points(3, 3), at="at", within=0)
    assert indices(pairing) == [(0, 0), (1, 1)]


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


def test_maximum_asks_no_more_than_can_matter():
    asked = []
    made = maximum([1, 2, 3], range(20_000), possible=lambda *both: asked.append(both) or True)
    assert [(one.truth, one.predicted) for one in made] == [(0, 0), (1, 1), (2, 2)]
    assert len(asked) == 9


def test_maximum_takes_unknown_as_impossible():
    made = maximum([1, 2], [1, 2], possible=lambda left, right: None if left == 1 else left == right)
    assert [(one.truth, one.predicted) for one in made] == [(1, 1)]


def test_distances_of_pairs_along_a_chain():
    truth, predicted = chain(40)
    pairing = pair(points(*truth), points(*predicted), at="at", within=0.5)
    assert all(a.truth < b.truth for a, b in pairwise(pairing.pairs))
    assert [made.distance for made in pairing.pairs] == [0.5] * 40
