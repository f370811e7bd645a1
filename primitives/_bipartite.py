"""One-to-one matchings of the two sides of a graph: which of the largest ones comes first.

The rule. Among the matchings of largest size, one is singled out by the order of the edges (distance, truth,
predicted): go through them in that order and keep an edge if a matching of largest size can still be completed with
all edges kept so far. This lexicographically first matching is unique, so no order of searching can change it.

How it is found. Greedily, an edge is kept if both its ends are unused. Where that happens to reach the largest size it
is the answer, since every edge that it skipped contradicts one that was kept. Only parts of the graph in which it
leaves out vertices of both sides can be larger; those are left to `Exchange`.
"""

from collections.abc import Collection, Iterable, Iterator

from ._edges import Edge, Near, edges_in_order, partners_of
from ._exchange import Exchange


def first_maximum(near: Near) -> list[Edge]:
    """The first matching of largest size, as its edges in any order. Every truth in `near` has a possible partner."""
    truths: set[int] = set()
    predictions: set[int] = set()
    kept = _greedy(edges_in_order(near, truths, predictions), truths, predictions, len(near))
    if len(kept) == len(near) or len(kept) == len({p for others in near.values() for _, p in others}):
        return kept
    return _grown(kept, near)


def first_maximum_among(edges: Collection[Edge]) -> list[Edge]:
    """The same for a graph that is given by its edges in order."""
    kept = _greedy(edges, set(), set(), len(edges))
    if (
        len(kept) == len(edges)
        or len(kept) == len({truth for _, truth, _ in edges})
        or len(kept) == len({predicted for _, _, predicted in edges})
    ):
        return kept
    return _grown(kept, partners_of(edges))


def _grown(kept: list[Edge], near: Near) -> list[Edge]:
    """The first matching of largest size, from the greedy one."""
    first = {edge[1]: edge for edge in kept}
    used = {predicted for _, _, predicted in kept}
    for part in _parts(near, [truth for truth in near if truth not in first]):
        if any(p not in used for others in part.values() for _, p in others):
            exchange = Exchange(part, {truth: first[truth][2] for truth in part if truth in first})
            if exchange.grow():
                first = {truth: edge for truth, edge in first.items() if truth not in part}
                first |= {edge[1]: edge for edge in exchange.first()}
    return list(first.values())


def _greedy(edges: Iterable[Edge], truths: set[int], predictions: set[int], most: int) -> list[Edge]:
    """The edges that touch none kept before, in order, `most` of them. The vertices used are added to the two sets."""
    kept = []
    for edge in edges:
        _, truth, predicted = edge
        if truth not in truths and predicted not in predictions:
            truths.add(truth)
            predictions.add(predicted)
            kept.append(edge)
            if len(kept) == most:
                break
    return kept


def _parts(near: Near, roots: Iterable[int]) -> Iterator[Near]:
    """The connected parts of the graph that hold these truths."""
    near_predicted: dict[int, list[int]] = {}
    for truth, others in near.items():
        for _, predicted in others:
            near_predicted.setdefault(predicted, []).append(truth)
    seen: set[int] = set()
    for root in roots:
        if root in seen:
            continue
        seen.add(root)
        part = [root]
        for truth in part:
            for _, predicted in near[truth]:
                unseen = [other for other in near_predicted.pop(predicted, ()) if other not in seen]
                seen.update(unseen)
                part += unseen
        yield {truth: near[truth] for truth in part}
