"""One-to-one matching of largest total weight, exactly.

Shortest augmenting paths with dual prices (Kuhn 1955, Munkres 1957; in the sparse form of Jonker and Volgenant,
Computing 38, 1987), on integers: floats are binary fractions and are brought to one denominator, so that two totals
are equal only if they are so in exact arithmetic. The prices then say which edges and which vertices belong to *any*
optimum (complementary slackness), and the first of all optima is found among these by `Exchange`.

Time: O(V E log E) at worst, where at most T edges are kept for each of T truths.
"""

import heapq
from collections.abc import Collection, Mapping
from math import lcm

from ._edges import Edge, Near
from ._exchange import Exchange

Credits = Mapping[tuple[int, int], float]  # (truth, predicted) -> credit
Weights = dict[int, list[tuple[int, int]]]  # truth -> (weight, predicted)


def first_optimum(near: Near, credits: Credits) -> list[Edge]:
    """Largest total credit; among equal totals most pairs, and among these the first in the order of the edges.

    A pair of negative credit is never made.
    """
    near = _best_of_each(near, credits)
    weights = _exact_weights(near, credits)
    optimum = _Optimum(weights)
    for truth in weights:
        optimum.include(truth)
    return optimum.first(near)


def _best_of_each(near: Near, credits: Credits) -> dict[int, list[tuple[float, int]]]:
    """Of each truth's possible partners the best, one for each truth.

    Should a truth have a lesser one, one of these would be unused, and better or earlier: the optimum needs no other.
    """
    kept = {}
    for truth, others in near.items():
        worthy = [other for other in others if credits[truth, other[1]] >= 0]
        best = heapq.nsmallest(len(near), worthy, key=lambda other: (-credits[truth, other[1]], other))
        if best:
            kept[truth] = sorted(best)
    return kept


def _exact_weights(near: Near, credits: Credits) -> Weights:
    """Integers in which a larger total credit always outweighs, and each pair adds one to equal totals."""
    exact = {(t, p): credits[t, p].as_integer_ratio() for t, others in near.items() for _, p in others}
    unit = lcm(*{denominator for _, denominator in exact.values()}) * (len(near) + 1)
    weight = {pair: numerator * (unit // denominator) + 1 for pair, (numerator, denominator) in exact.items()}
    return {t: [(weight[t, p], p) for _, p in others] for t, others in near.items()}


class _Optimum:
    """A matching of largest total weight of the truths included so far, with prices that prove it.

    price(truth) + price(predicted) >= weight for every edge, with equality for every pair; no price is negative, and
    the price of whoever is left out is 0.
    """

    def __init__(self, weights: Weights):
        self._weights = weights
        self._truth_price = {truth: max(weight for weight, _ in edges) for truth, edges in weights.items()}
        self._predicted_price = dict.fromkeys((p for edges in weights.values() for _, p in edges), 0)
        self._partner: dict[int, int] = {}
        self._holder: dict[int, int] = {}

    def include(self, root: int) -> None:
        """Gives one more truth its place along the cheapest path: to an unused prediction, or by leaving one out."""
        reached = {root: 0}
        settled: dict[int, int] = {}
        came_from: dict[int, int] = {}
        waiting = self._steps(root, 0, settled)
        heapq.heapify(waiting)
        cheapest, left_out, end = self._truth_price[root], root, None
        while waiting and waiting[0][0] < cheapest:
            cost, _, predicted, truth = heapq.heappop(waiting)
            if predicted in settled:
                continue
            settled[predicted], came_from[predicted] = cost, truth
            if predicted not in self._holder:
                cheapest, end = cost, predicted
                break
            held_by = self._holder[predicted]
            reached[held_by] = cost
            if cost + self._truth_price[held_by] < cheapest:
                cheapest, left_out = cost + self._truth_price[held_by], held_by
            for step in self._steps(held_by, cost, settled):
                heapq.heappush(waiting, step)
        self._adjust_prices(cheapest, reached, settled)
        self._shift(self._partner.pop(left_out, None) if end is None else end, came_from)

    def _steps(self, truth: int, cost: int, settled: Collection[int]) -> list[tuple[int, bool, int, int]]:
        """What it costs to go on to each prediction; of equally cheap ones those that are unused come first."""
        price = cost + self._truth_price[truth]
        return [
            (price + self._predicted_price[predicted] - weight, predicted in self._holder, predicted, truth)
            for weight, predicted in self._weights[truth]
            if predicted not in settled
        ]

    def _adjust_prices(self, cheapest: int, reached: Mapping[int, int], settled: Mapping[int, int]) -> None:
        for truth, cost in reached.items():
            self._truth_price[truth] -= max(0, cheapest - cost)
        for predicted, cost in settled.items():
            self._predicted_price[predicted] += max(0, cheapest - cost)

    def _shift(self, following: int | None, came_from: Mapping[int, int]) -> None:
        while following is not None:
            truth = came_from[following]
            self._holder[following] = truth
            displaced = self._partner.get(truth)
            self._partner[truth], following = following, displaced

    def first(self, near: Near) -> list[Edge]:
        """Of all optima the first in the order of the edges."""
        tight = {}
        for truth, edges in self._weights.items():
            bounds = {p: self._truth_price[truth] + self._predicted_price[p] - weight for weight, p in edges}
            possible = [other for other in near[truth] if bounds[other[1]] == 0]
            if possible:
                tight[truth] = possible
        needed_truths = {truth for truth, price in self._truth_price.items() if price > 0}
        needed_predicted = {predicted for predicted, price in self._predicted_price.items() if price > 0}
        return Exchange(tight, self._partner, needed_truths, needed_predicted).first()
