"""How deep a tree is together with the functions that it calls, so that nothing that follows calls can run too deep."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from . import syntax
from .syntax import Tree

MAX_LEVELS = 150


class Callee(Protocol):
    """A function of the rubric."""

    @property
    def parameters(self) -> tuple[str, ...]: ...
    @property
    def body(self) -> Tree: ...


class Levels:
    """The levels of trees over the functions of a rubric. A function that leads back to itself is deeper than any
    limit. A bare name is a function that is handed on, unless the function gives that name to something else.
    """

    def __init__(self, functions: Mapping[str, Callee]):
        self.bodies = {name: function.body for name, function in functions.items()}
        self.handed_on = {
            name: functions.keys() - set(function.parameters) - syntax.given_names(function.body)
            for name, function in functions.items()
        }
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
                self.known.setdefault(current, self._of(current))
            waiting += missing
        return self.known[name]

    def _missing(self, name: str, begun: set[str]) -> list[str]:
        used = {node.name if isinstance(node, syntax.Call) else node.id for node in self._uses(name)}
        return sorted(used - begun - self.known.keys())

    def _uses(self, name: str) -> Iterator[syntax.Call | syntax.Name]:
        """The calls of functions in a function, and the functions that are handed on there."""
        for node in syntax.walk(self.bodies[name]):
            if (isinstance(node, syntax.Call) and node.module is None and node.name in self.bodies) or (
                isinstance(node, syntax.Name) and node.id in self.handed_on[name]
            ):
                yield node

    def _of(self, name: str) -> int:
        deepest, waiting = 0, [(self.bodies[name], 1)]
        while waiting:
            node, level = waiting.pop()
            inside = level
            if isinstance(node, syntax.Call) and node.module is None and node.name in self.bodies:
                inside += self.known.get(node.name, MAX_LEVELS)
            handed = [syntax.bare(child) for child in syntax.children(node)]
            names = {child.id for child in handed if isinstance(child, syntax.Name)} & self.handed_on[name]
            inside += sum(self.known.get(handed_on, MAX_LEVELS) for handed_on in sorted(names))
            deepest = max(deepest, inside)
            waiting.extend((child, level + 1) for child in syntax.children(node))
        return deepest
