"""The syntax tree of expressions and of the blocks that stand in an expression's place.

Nodes compare by meaning: `at` (the character of the text at which an error points) and the source are left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Offset = int
STEP = "frame"  # the name of the number of a step, from 0


@dataclass(frozen=True, slots=True)
class Number:
    value: int | float
    text: str = field(default="", compare=False)
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    value: str
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Boolean:
    value: bool
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Null:
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    id: str
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Items:
    """A list written out."""

    items: tuple["Tree", ...]
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x` or `not x`."""

    operator: str
    operand: "Tree"
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * / **`, `and or`, `??` and the range `..`."""

    operator: str
    left: "Tree"
    right: "Tree"
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A chain: `first op x op y`; each operand is evaluated once."""

    first: "Tree"
    rest: tuple[tuple[str, "Tree"], ...]
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    """`then if test else otherwise`."""

    test: "Tree"
    then: "Tree"
    otherwise: "Tree"
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Field:
    of: "Tree"
    name: str
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    of: "Tree"
    key: "Tree"
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """`name(...)` is a function of the rubric or of the language, `module.name(...)` a primitive."""

    module: str | None
    name: str
    positional: tuple["Tree", ...] = ()
    named: tuple[tuple[str, "Tree"], ...] = ()
    at: Offset = field(default=0, compare=False)

    @property
    def label(self) -> str:
        return f"{self.module}.{self.name}" if self.module else self.name


@dataclass(frozen=True, slots=True)
class Lambda:
    parameters: tuple[str, ...]
    body: "Tree"
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Steps:
    """A mapping in an expression's place: its members in order, later ones seeing earlier ones; `result`, if any."""

    members: tuple[tuple[str, "Tree"], ...]
    result: "Tree | None" = None
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ForEach:
    """A row for every combination of the named lists; with `key`, a map; with `value`, that instead of a row."""

    names: tuple[tuple[str, "Tree"], ...]
    columns: Steps
    where: "Tree | None" = None
    key: "Tree | None" = None
    value: "Tree | None" = None
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """A row a group of equal `by` fields, in order of first appearance; in its columns the fields are lists."""

    of: "Tree"
    by: tuple[str, ...]
    columns: Steps
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class InStep:
    """A row a step, while all the named streams advance together; in the columns each name is its stream's member."""

    names: tuple[tuple[str, "Tree"], ...]
    rows: "Tree"
    columns: Steps
    at: Offset = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Placed:
    """An expression with the text it was written in, so that an offset becomes a line and a column."""

    body: "Tree"
    source: Any = field(compare=False, repr=False)
    at: Offset = field(default=0, compare=False)


Tree = (
    Number
    | Text
    | Boolean
    | Null
    | Name
    | Items
    | Unary
    | Binary
    | Comparison
    | Conditional
    | Field
    | Index
    | Call
    | Lambda
    | Steps
    | ForEach
    | Group
    | InStep
    | Placed
)


def _optional(*trees: Tree | None) -> tuple[Tree, ...]:
    return tuple(tree for tree in trees if tree is not None)


_CHILDREN: dict[type, Callable[[Any], tuple[Tree, ...]]] = {
    Items: lambda tree: tree.items,
    Unary: lambda tree: (tree.operand,),
    Binary: lambda tree: (tree.left, tree.right),
    Comparison: lambda tree: (tree.first, *(operand for _, operand in tree.rest)),
    Conditional: lambda tree: (tree.test, tree.then, tree.otherwise),
    Field: lambda tree: (tree.of,),
    Index: lambda tree: (tree.of, tree.key),
    Call: lambda tree: (*tree.positional, *(value for _, value in tree.named)),
    Lambda: lambda tree: (tree.body,),
    Steps: lambda tree: (*(value for _, value in tree.members), *_optional(tree.result)),
    ForEach: lambda tree: (
        *(value for _, value in tree.names),
        tree.columns,
        *_optional(tree.where, tree.key, tree.value),
    ),
    Group: lambda tree: (tree.of, tree.columns),
    InStep: lambda tree: (*(value for _, value in tree.names), tree.rows, tree.columns),
    Placed: lambda tree: (tree.body,),
}


def children(tree: Tree) -> tuple[Tree, ...]:
    """The nodes directly inside a node, in the order in which they are written."""
    inside = _CHILDREN.get(type(tree))
    return inside(tree) if inside else ()


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node of a tree, without recursion; the order is that of the text."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(children(node)))


def given_names(root: Tree) -> set[str]:
    """The names that an expression gives itself: parameters, steps, columns, what a block goes through."""
    found: set[str] = set()
    for tree in walk(root):
        match tree:
            case Lambda(parameters=names):
                found.update(names)
            case Steps(members=members) | ForEach(names=members):
                found.update(name for name, _ in members)
            case InStep(names=members):
                found.update([STEP, *(name for name, _ in members)])
    return found


def depth(tree: Tree) -> int:
    """The number of levels of a tree, without recursion."""
    deepest, waiting = 0, [(tree, 1)]
    while waiting:
        node, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((child, level + 1) for child in children(node))
    return deepest


def bare(tree: Tree) -> Tree:
    """The tree without the mark of where it was written."""
    while isinstance(tree, Placed):
        tree = tree.body
    return tree
