"""Which predictions are possible partners of which truths, without comparing all with all.

Rows are told apart by their keys first. Among those of one key, predictions are sorted by their starts and each truth
looks outwards from its own start until nothing near enough can come.

Only as many nearest predictions are kept of each truth as there are truths of its key. This changes neither the size
of a largest matching nor the first of them: should a truth have a partner beyond these, one of these is unused,
and exchanging the two gives a matching of the same size that comes earlier. The same holds among predictions that
are alike in every respect. So a flood of predictions costs its sorting and little more.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

Given = tuple[Hashable, ...] | None  # what must agree if given on both sides; None if nothing is given
Found = list[tuple[float, int]]  # (distance, predicted)

_FEW = 32  # predictions that are compared one by one faster than they are sorted


@dataclass(frozen=True, slots=True)
class Side:
    """What decides about possible pairs, a value a row. Points end where they start."""

    keys: Sequence[Hashable]
    given: Sequence[Given]
    starts: Sequence[float]
    ends: Sequence[float]


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
        if self.overlap == 0:
            return float("inf")
        return max(near, (length / self.overlap) * (1 + 1e-9) - length)

    def distance(self, start: float, end: float, other_start: float, other_end: float) -> float | None:
        """The larger of the distances between starts and between ends; None if the two are not near enough."""
        distance = max(abs(start - other_start), abs(end - other_end))
        if self.within is not None and distance <= self.within:
            return distance
        if self.overlap is None:
            return None
        shared = min(end, other_end) - max(start, other_start)
        iou = shared / (max(end, other_end) - min(start, other_start)) if shared > 0 else 0.0
        return distance if iou >= self.overlap else None


def possible_pairs(truth: Side, predicted: Side, rule: Rule, *, all_of_them: bool = False) -> dict[int, Found]:
    """Each truth's possible partners in order, as many as can matter or all of them; none: the truth is left out."""
    near: dict[int, Found] = {}
    for truths, predictions in _by_key(truth.keys, predicted.keys):
        limit = len(predictions) if all_of_them else len(truths)
        search = _Search(predicted, predictions, rule, limit)
        for t in truths:
            found = search.partners(truth.starts[t], truth.ends[t], truth.given[t])
            if found:
                near[t] = found
    return near


def _by_key(truth: Sequence[Hashable], predicted: Sequence[Hashable]) -> Iterable[tuple[list[int], list[int]]]:
    """The rows of either side that share a key, for each key that both sides have."""
    groups: dict[Hashable, tuple[list[int], list[int]]] = {}
    for t, key in enumerate(truth):
        groups.setdefault(key, ([], []))[0].append(t)
    for p, key in enumerate(predicted):
        group = groups.get(key)
        if group is not None:
            group[1].append(p)
    return [group for group in groups.values() if group[1]]


class _Search:
    """Finds partners among predictions of one key."""

    def __init__(self, side: Side, predictions: list[int], rule: Rule, limit: int):
        self._side, self._rule, self._limit = side, rule, limit
        self._many = len(predictions) > _FEW
        self._order = self._by_start(predictions) if self._many else predictions
        self._starts = [side.starts[p] for p in self._order]
        self._known: dict[tuple[float, float, Given], Found] = {}  # truths that are alike share one list

    def partners(self, start: float, end: float, given: Given) -> Found:
        """The possible partners of one truth, nearest first, then in order of index."""
        if not self._many:
            return self._compare_all(start, end, given)
        found = self._known.get((start, end, given))
        if found is None:
            middle = bisect_left(self._starts, start)
            later = self._look(range(middle, len(self._order)), start, end, given)
            earlier = self._look(range(middle - 1, -1, -1), start, end, given)
            found = self._known[start, end, given] = sorted(earlier + later)[: self._limit]
        return found

    def _by_start(self, predictions: list[int]) -> list[int]:
        """Sorted, without those that have as many twins before them as there are truths."""
        side = self._side
        predictions = sorted(predictions, key=side.starts.__getitem__)
        if len(predictions) <= self._limit:
            return predictions
        kept, seen = [], {}
        for p in predictions:
            twin = (side.starts[p], side.ends[p], side.given[p])
            seen[twin] = seen.get(twin, 0) + 1
            if seen[twin] <= self._limit:
                kept.append(p)
        return kept

    def _compare_all(self, start: float, end: float, given: Given) -> Found:
        starts, ends, others, distance = self._side.starts, self._side.ends, self._side.given, self._rule.distance
        reach = self._rule.reach(end - start)
        found = [
            (d, p)
            for p in self._order
            if abs(starts[p] - start) <= reach
            and (d := distance(start, end, starts[p], ends[p])) is not None
            and (given is None or _agree(given, others[p]))
        ]
        found.sort()
        return found

    def _look(self, indices: range, start: float, end: float, given: Given) -> Found:
        """Outwards in one direction, until enough are found and the next ones can only be farther away."""
        side, reach = self._side, self._rule.reach(end - start)
        found: Found = []
        for i in indices:
            if abs(self._starts[i] - start) > reach:
                break
            p = self._order[i]
            distance = self._rule.distance(start, end, side.starts[p], side.ends[p])
            if distance is None or not _agree(given, side.given[p]):
                continue
            found.append((distance, p))
            if len(found) == self._limit:
                reach = min(reach, max(found)[0])
        return found


def _agree(a: Given, b: Given) -> bool:
    """Whether all that is given on both sides is equal."""
    if a is None or b is None or a == b:
        return True
    return all(x is None or y is None or x == y for x, y in zip(a, b, strict=True))
