"""Matchings that grow and change along alternating paths, exactly and without recursion.

A matching is of the largest size when no path leads from an unused vertex to an unused one of the other side, in turn
by edges outside the matching and by edges of it (Berge, PNAS 43, 1957). As in the phases of Hopcroft and Karp (SIAM
J. Comput. 2, 1973), one round searches from all unused vertices and enters no vertex twice.

An edge outside a largest matching can be brought into one exactly when an alternating path leads from the partner of
one end to the partner of the other, or to vertices that may be left out instead. A search that fails has visited a
closed part of the graph, and no edge into that part can ever be used from outside (Dulmage and Mendelsohn, Canad. J.
Math. 10, 1958): the graph is split there. A search that succeeds settles an edge and one that fails splits the graph,
so that there are at most twice as many searches as vertices.

Sets of predictions are the bits of integers, so that a search takes V steps and V^2 / 64 operations at worst, and a
matching of V vertices V times that.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from ._edges import Edge, Near, edges_in_order

_NOBODY = -1  # partner of whoever is left out


class _Search:
    """What alternating paths reach from one truth. `end` is the prediction looked for, None until it is reached."""

    def __init__(self, source: int, allowed: int):
        self.source = source
        self.queue = [source]  # truths in the order in which they are reached
        self.came_from: dict[int, int] = {}  # prediction -> truth
        self.through: dict[int, int] = {}  # truth, but not the source -> prediction
        self.unseen = allowed
        self.end: int | None = None


class Exchange:
    """A matching of `near`, given by each truth's partner, that is led to the first one of its size.

    `needed_truths` and `needed_predicted` are vertices that every matching must cover; any other may be left out in
    exchange for another one of its side. Without needed vertices, `first` expects a matching of the largest size.

    Whoever is left out has the partner NOBODY. On either side NOBODY has room for as many as are left out and accepts
    all that are not needed, so that the matching is perfect and every exchange is a cycle.
    """

    def __init__(
        self,
        near: Near,
        partner: Mapping[int, int],
        needed_truths: Collection[int] = (),
        needed_predicted: Collection[int] = (),
    ):
        every = dict.fromkeys(p for others in near.values() for _, p in others)
        bit_of = {predicted: bit for bit, predicted in enumerate(every)}
        self._near, self._bit_of = near, bit_of
        self._accepts = {truth: _union(bit_of[p] for _, p in others) for truth, others in near.items()}
        self._accepts[_NOBODY] = _union(bit_of[p] for p in every if p not in needed_predicted)
        self._partner = {truth: bit_of[partner[truth]] if truth in partner else _NOBODY for truth in near}
        self._holder = dict.fromkeys(range(len(every)), _NOBODY)
        self._holder |= {bit: truth for truth, bit in self._partner.items() if bit != _NOBODY}
        self._optional = set(near).difference(needed_truths)
        self._area_of = dict.fromkeys(self._accepts, 0)  # edges between two areas can never be used again
        self._predictions_of = [(1 << len(every)) - 1]  # of each area, without those that are settled
        self._area_of_nobody = 0  # as the partner of a truth

    def grow(self) -> bool:
        """Makes the matching one of the largest size; whether it was not."""
        unused = _union(bit for bit, holder in self._holder.items() if holder == _NOBODY)
        grown, before = 0, -1
        while grown > before:
            before = grown
            unseen = self._predictions_of[0]
            for root in self._left_out():
                search = _Search(root, unseen)
                self._spread(search, search.queue, unused)
                unseen = search.unseen
                if search.end is not None:
                    self._shift(search, search.end)
                    unused ^= 1 << search.end
                    grown += 1
        return grown > 0

    def first(self) -> list[Edge]:
        """The edges of the first matching, in order."""
        kept: list[Edge] = []
        truths: set[int] = set()
        predictions: set[int] = set()
        size = len(self._near) - len(self._left_out())
        for edge in edges_in_order(self._near, truths, predictions):
            _, truth, predicted = edge
            if truth in truths or predicted in predictions or not self._can_keep(truth, self._bit_of[predicted]):
                continue
            truths.add(truth)
            predictions.add(predicted)
            kept.append(edge)
            if len(kept) == size:
                break
        return kept

    def _can_keep(self, truth: int, bit: int) -> bool:
        """Makes the two partners for good, if their present partners can do without them."""
        area = self._area_of[truth]
        if not self._predictions_of[area] >> bit & 1:
            return False
        if self._partner[truth] != bit:
            search = self._search(self._holder[bit], self._partner[truth])
            if search.end is None:
                self._split_off(search, area, 1 << bit)
                return False
            self._shift(search, search.end)
            self._partner[truth], self._holder[bit] = bit, truth
        self._predictions_of[area] ^= 1 << bit
        return True

    def _search(self, source: int, target: int) -> _Search:
        """Looks for the paths from a truth to a prediction in its area; either may be NOBODY."""
        area = self._area_of[source]
        search = _Search(source, self._predictions_of[area])
        if target != _NOBODY or source not in self._optional:
            self._spread(search, search.queue, 0 if target == _NOBODY else 1 << target)
        if search.end is None and self._area_of_nobody == area:
            self._pass_nobody(search, target)
        return search

    def _pass_nobody(self, search: _Search, target: int) -> None:
        """If a truth that was reached can be left out: on from all that are, unless this is the end."""
        optional = next((truth for truth in search.queue if truth in self._optional), None)
        if optional is None:
            return
        search.came_from[_NOBODY] = optional
        if target == _NOBODY:
            search.end = _NOBODY
            return
        left_out = self._left_out()
        search.through |= dict.fromkeys(left_out, _NOBODY)
        self._spread(search, left_out, 1 << target)
        search.queue += left_out

    def _spread(self, search: _Search, queue: list[int], targets: int) -> None:
        """Breadth first from the truths in the queue, which grows, to the first of the targets."""
        for truth in queue:
            fresh = self._accepts[truth] & search.unseen
            if fresh & targets:
                search.end = next(_bits(fresh & targets))
                search.came_from[search.end] = truth
                return
            search.unseen ^= fresh
            for bit in _bits(fresh):
                search.came_from[bit] = truth
                search.through.setdefault(self._holder[bit], bit)
                queue.append(self._holder[bit])

    def _shift(self, search: _Search, predicted: int) -> None:
        """Along the path from the source to the prediction, gives each truth the next one."""
        while True:
            truth = search.came_from[predicted]
            self._partner[truth], self._holder[predicted] = predicted, truth
            if truth == search.source:
                return
            predicted = search.through[truth]

    def _split_off(self, search: _Search, area: int, also: int) -> None:
        """Makes all that was reached an area of its own."""
        new = len(self._predictions_of)
        reached = self._predictions_of[area] & ~search.unseen | also
        self._predictions_of.append(reached)
        self._predictions_of[area] ^= reached
        self._area_of |= dict.fromkeys(search.queue, new)
        if _NOBODY in search.came_from:
            self._area_of_nobody = new

    def _left_out(self) -> list[int]:
        return [truth for truth in self._near if self._partner[truth] == _NOBODY]


def _union(bits: Iterable[int]) -> int:
    mask = 0
    for bit in bits:
        mask |= 1 << bit
    return mask


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
