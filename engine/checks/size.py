"""Rubrics that are too large to be run, or to be understood."""

from collections.abc import Iterator, Mapping, Set

from ..expressions import syntax
from ..expressions.syntax import Tree
from ..findings import Finding
from .cycles import key_of
from .facts import Facts

MAX_EXPANDED = 100_000
MAX_CHAIN = 200


def expanded(facts: Facts) -> Iterator[Finding]:
    """Functions whose calls, written out, would be more than a hundred thousand operations long."""
    if facts.knowledge.recursive:
        return
    sizes: dict[str, int] = {}
    for id in facts.analysis.order:
        if not id.endswith("()"):
            continue
        definition = facts.rubric.functions[id[:-2]]
        handed_on = facts.readings[f"functions.{id[:-2]}"].handed_on
        sizes[id[:-2]] = _size(definition.function.body, sizes, handed_on)
        if sizes[id[:-2]] > MAX_EXPANDED:
            message = f"the calls in '{id[:-2]}', written out, are longer than {MAX_EXPANDED} operations"
            yield facts.finding("too-large", message, definition.key, "call fewer functions inside each other")
            return


def _size(tree: Tree, sizes: Mapping[str, int], handed_on: Set[str]) -> int:
    total = 0
    for node in syntax.walk(tree):
        total += 1
        if isinstance(node, syntax.Call) and node.module is None:
            total += sizes.get(node.name, 0)
        elif isinstance(node, syntax.Name) and node.id in handed_on:
            total += sizes.get(node.id, 0)
    return total


def chains(facts: Facts) -> Iterator[Finding]:
    """Values that need values that need values, more than two hundred times."""
    depths: dict[str, int] = {}
    for id in facts.analysis.order:
        depths[id] = 1 + max((depths.get(need, 0) for need in facts.analysis.uses[id]), default=0)
        if depths[id] > MAX_CHAIN:
            message = f"'{id}' stands at the end of a chain of more than {MAX_CHAIN} values that need each other"
            yield facts.finding("too-deep", message, key_of(facts, id), "work some of them out in one step")
            return
