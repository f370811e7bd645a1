"""How deep a tree is together with the functions that it calls, so that nothing that follows calls can run too deep."""

from collections.abc import Iterator, Mapping

from . import syntax
from .syntax import Tree

MAX_LEVELS = 150


class Levels:
    """The levels of trees over the functions of a rubric, given by their bodies. A function that leads back to itself
    is deeper than any limit.
    """

    def __init__(self, bodies: Mapping[str, Tree]):
        self.bodies = bodies
        self.known: dict[str, int] = {}

    def of_function(self, name: str) -> int:
        """The levels of a function's body. Iterative, so that a long chain of functions does no harm."""
        waiting, begun = [name], set()
        while waiting:
            current = waiting[-1]
            begun.add(current)
            missing = [] if current in self.known else self._missing(current, begun)
            if not missing:
                waiting.pop()
                self.known.setdefault(current, self._of(self.bodies[current]))
            waiting += missing
        return self.known[name]

    def _missing(self, name: str, begun: set[str]) -> list[str]:
        used = {node.name if isinstance(node, syntax.Call) else node.id for node in self._uses(self.bodies[name])}
        return sorted(used - begun - self.known.keys())

    def _uses(self, tree: Tree) -> Iterator[syntax.Call | syntax.Name]:
        """The calls of functions, and the functions that are handed on."""
        for node in syntax.walk(tree):
            if (isinstance(node, syntax.Call) and node.module is None and node.name in self.bodies) or (
                isinstance(node, syntax.Name) and node.id in self.bodies
            ):
                yield node

    def _of(self, tree: Tree) -> int:
        deepest, waiting = 0, [(tree, 1)]
        while waiting:
            node, level = waiting.pop()
            inside = level
            if isinstance(node, syntax.Call) and node.module is None and node.name in self.bodies:
                inside += self.known.get(node.name, MAX_LEVELS)
            handed = [syntax.bare(child) for child in syntax.children(node)]
            names = {child.id for child in handed if isinstance(child, syntax.Name) and child.id in self.bodies}
            inside += sum(self.known.get(name, MAX_LEVELS) for name in sorted(names))
            deepest = max(deepest, inside)
            waiting.extend((child, level + 1) for child in syntax.children(node))
        return deepest
