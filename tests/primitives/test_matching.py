"""Which pairs are made: against enumeration of all matchings, scipy, Glover's sweep and values by hand."""

import math
import random
from fractions import Fraction
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from rubric.primitives import _candidates, _edges
from rubric.primitives.matching import maximum, pair


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
