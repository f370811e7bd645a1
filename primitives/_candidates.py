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
        many = None
        if len(predictions) > _FEW:
            many = _Many(truth, predicted, rule, predictions, len(predictions) if all_of_them else len(truths))
        for t in truths:
            found = many.partners(t) if many else _among_few(truth, t, predicted, predictions, rule)
            if found:
                near[t] = found
    return near


def _by_key(truth: Sequence[Hashable], predicted: Sequence[Hashable]) -> Iterable[tuple[list[int], list[int]]]:
    """The rows of either side that share a key, for each key that both sides have."""
    groups: dict[Hashable, tuple[list[int], list[int]]] = {}
    for t, key in enumerate(truth):
        if key in groups:
            groups[key][0].append(t)
        else:
            groups[key] = ([t], [])
    for p, key in enumerate(predicted):
        if key in groups:
            groups[key][1].append(p)
    return [group for group in groups.values() if group[1]]


def _among_few(truth: Side, t: int, predicted: Side, predictions: Sequence[int], rule: Rule) -> Found:
    """The possible partners of one truth, nearest first, then in order of index."""
    start, starts = truth.starts[t], predicted.starts
    if not predicted.ends:
        reach = rule.reach(0.0)
        found = [(d, p) for p in predictions if (d := abs(starts[p] - start)) <= reach]
    else:
        end, ends, distance = truth.ends[t], predicted.ends, rule.distance
        reach = rule.reach(end - start)
        found = [
            (d, p)
            for p in predictions
            if abs(starts[p] - start) <= reach and (d := distance(start, end, starts[p], ends[p])) is not None
        ]
    if found and truth.given:
        given, others = truth.given[t], predicted.given
        found = [one for one in found if _agree(given, others[one[1]])]
    return sorted(found) if len(found) > 1 else found


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
