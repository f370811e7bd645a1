"""The edges of a graph whose two sides are truths and predictions, both numbered."""

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

Near = Mapping[int, Sequence[tuple[float, int]]]  # truth -> its possible partners as (distance, predicted), in order
Edge = tuple[float, int, int]  # distance, truth, predicted

_SORTED_AT_ONCE = 20_000  # more edges than these are merged one by one, since most will never be looked at


def partners_of(edges: Iterable[Edge]) -> dict[int, list[tuple[float, int]]]:
    """Each truth's possible partners, in the order of the edges."""
    near: dict[int, list[tuple[float, int]]] = {}
    for distance, truth, predicted in edges:
        near.setdefault(truth, []).append((distance, predicted))
    return near


def edges_in_order(near: Near, truths: Collection[int], predicted: Collection[int]) -> Iterable[Edge]:
    """All edges by (distance, truth, predicted), but those of given truths and predictions may be missing.

    The two sets may grow meanwhile: whoever takes the edges adds the vertices that are used up.
    """
    if sum(map(len, near.values())) <= _SORTED_AT_ONCE:
        return sorted([(distance, truth, p) for truth, others in near.items() for distance, p in others])
    return heapq.merge(*(_edges_of(truth, others, truths, predicted) for truth, others in near.items()))


def _edges_of(
    truth: int, others: Sequence[tuple[float, int]], truths: Collection[int], predicted: Collection[int]
) -> Iterator[Edge]:
    for distance, p in others:
        if truth in truths:
            return
        if p not in predicted:
            yield distance, truth, p
