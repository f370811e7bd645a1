"""Which predictions are possible partners of which truths, without comparing all with all.

Rows are told apart by their keys first. A key that few predictions have is settled by comparing all with all. Among
many, predictions are sorted by their starts and each truth looks outwards from its own start until nothing near enough
can come.

Of many, only as many nearest predictions are kept of each truth as there are truths of its key. This changes neither
the size of a largest matching nor the first of them: should a truth have a partner beyond these, one of these is
unused, and exchanging the two gives a matching of the same size that comes earlier. The same holds among predictions
that are alike in every respect. So a flood of predictions costs its sorting and little more.
"""

from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from operator import sub
from typing import NamedTuple

from ._edges import Edge

Given = tuple[Hashable, ...] | None  # what must agree if given on both sides; None if nothing is given
Found = list[tuple[float, int]]  # (distance, predicted)

_FEW = 32  # predictions that are compared one by one faster than they are sorted
_FEW_TRUTHS = 1000  # with more, most of the possible pairs will never be looked at


class Side(NamedTuple):
    """What decides about possible pairs, a value a row. Points have no `ends`; `given` is empty if nothing is asked."""

    keys: Sequence[Hashable]
    given: Sequence[Given]
    starts: Sequence[float]
    ends: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """Near enough: a distance of at most `within`, or an intersection over union of at least `overlap`."""

    within: float | None
    overlap: float | None = None

    def reach(self, length: float) -> float:
        """No start of a possible partner is farther from that of a truth of this length.

        For an overlap o, the union is longer than the truth by the gap, so that length / (length + gap) >= o where
        the partner starts earlier, and (length - gap) / length >= o where it starts later. The slack is for rounding.
        """
        near = self.within or 0.0
        if self.overlap is None:
            return near
        if self.overlap == 0 or length == inf:
            return inf
        return max(near, (length / self.overlap) * (1 + 1e-9) - length)

    def distance(self, start: float, end: float, other_start: float, other_end: float) -> float | None:
        """The larger of the distances between starts and between ends; None if the two are not near enough."""
        distance, other = abs(start - other_start), abs(end - other_end)
        if other > distance:
            distance = other
        if self.within is not None and distance <= self.within:
            return distance
        if self.overlap is None:
            return None
        shared = min(end, other_end) - max(start, other_start)
        iou = shared / (max(end, other_end) - min(start, other_start)) if shared > 0 else 0.0
        return distance if iou >= self.overlap else None


def possible_pairs(
    truth: Side, predicted: Side, rule: Rule, *, all_of_them: bool = False
) -> tuple[list[Edge], dict[int, Found]]:
    """The possible pairs, in order, of keys that few predictions have; and the partners of the truths of other keys.

    These are in order too, as many as can matter or all of them. A truth without any is left out.
    """
    groups: dict[Hashable, list[int]] = {key: [] for key in truth.keys}
    for p, key in enumerate(predicted.keys):
        if key in groups:
            groups[key].append(p)
    near: dict[int, Found] = {}
    few = _FEW if len(truth.keys) <= _FEW_TRUTHS else 0
    if len(predicted.keys) > few:
        many = {key: groups.pop(key) for key in list(groups) if len(groups[key]) > few}
        near = _among_many(truth, predicted, many, rule, all_of_them)
    return sorted(_all_with_all(truth, predicted, groups, rule)), near


def _all_with_all(truth: Side, predicted: Side, groups: Mapping[Hashable, Sequence[int]], rule: Rule) -> list[Edge]:
    """The possible pairs with the predictions of these groups, each compared with every truth of its key."""
    starts, ends = predicted.starts, predicted.ends
    reach = rule.reach(max(map(sub, truth.ends, truth.starts)) if truth.ends else 0.0)
    edges = [
        (distance, t, p)
        for t, (key, start) in enumerate(zip(truth.keys, truth.starts, strict=True))
        for p in groups.get(key, ())
        if (distance := abs(starts[p] - start)) <= reach
    ]
    if truth.ends:
        pairs = ((t, p, rule.distance(truth.starts[t], truth.ends[t], starts[p], ends[p])) for _, t, p in edges)
        edges = [(distance, t, p) for t, p, distance in pairs if distance is not None]
    if truth.given:
        edges = [edge for edge in edges if _agree(truth.given[edge[1]], predicted.given[edge[2]])]
    return edges


def _among_many(
    truth: Side, predicted: Side, groups: Mapping[Hashable, list[int]], rule: Rule, all_of_them: bool
) -> dict[int, Found]:
    """For each truth of these groups its possible partners; a truth without any is left out."""
    truths_of: dict[Hashable, list[int]] = {key: [] for key in groups}
    for t, key in enumerate(truth.keys):
        if key in groups:
            truths_of[key].append(t)
    near: dict[int, Found] = {}
    for key, predictions in groups.items():
        truths = truths_of[key]
        many = _Many(truth, predicted, rule, predictions, len(predictions) if all_of_them else len(truths))
        for t in truths:
            if found := many.partners(t):
                near[t] = found
    return near


class _Many:
    """Looks outwards from the start of a truth among predictions sorted by theirs."""

    def __init__(self, truth: Side, predicted: Side, rule: Rule, predictions: list[int], limit: int):
        self._truth, self._predicted, self._rule, self._limit = truth, predicted, rule, limit
        self._order = _without_surplus(predicted, sorted(predictions, key=predicted.starts.__getitem__), limit)
        self._starts = [predicted.starts[p] for p in self._order]
        self._known: dict[tuple[Hashable, ...], Found] = {}  # truths that are alike share one list

    def partners(self, t: int) -> Found:
        """The possible partners of one truth, nearest first, then in order of index; no more than the limit."""
        alike = _place(self._truth, t)
        if alike not in self._known:
            middle = bisect_left(self._starts, self._truth.starts[t])
            found = self._look(range(middle, len(self._order)), t) + self._look(range(middle - 1, -1, -1), t)
            self._known[alike] = sorted(found)[: self._limit]
        return self._known[alike]

    def _look(self, indices: range, t: int) -> Found:
        """Outwards in one direction, until enough are found and the next ones can only be farther away."""
        start, end, given = _place(self._truth, t)
        side, starts, order, rule = self._predicted, self._starts, self._order, self._rule
        reach = rule.reach(0.0 if end is None else end - start)
        found: Found = []
        for i in indices:
            distance = abs(starts[i] - start)
            if distance > reach:
                break
            p = order[i]
            if given is not None and not _agree(given, side.given[p]):
                continue
            if end is not None:
                distance = rule.distance(start, end, starts[i], side.ends[p])
                if distance is None:
                    continue
            found.append((distance, p))
            if len(found) == self._limit:
                reach = min(reach, max(found)[0])
        return found


def _place(side: Side, row: int) -> tuple[float, float | None, Given]:
    """All that the possible partners of a row depend on, apart from its key."""
    return (
        side.starts[row],
        side.ends[row] if side.ends else None,
        side.given[row] if side.given else None,
    )


def _without_surplus(side: Side, predictions: list[int], limit: int) -> list[int]:
    """Those that have fewer than `limit` before them that are alike."""
    if len(predictions) - len({side.starts[p] for p in predictions}) < limit:
        return predictions
    kept, seen = [], {}
    for p in predictions:
        alike = _place(side, p)
        seen[alike] = seen.get(alike, 0) + 1
        if seen[alike] <= limit:
            kept.append(p)
    return kept


def _agree(a: Given, b: Given) -> bool:
    """Whether all that is given on both sides is equal."""
    if a is None or b is None or a == b:
        return True
    return len(a) > 1 and all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))
