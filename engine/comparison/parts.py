"""A rubric as a tree of parts that can change one by one, each with a path, a text and a place in the file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..document import Mapping as MappingNode
from ..document import Node, Scalar, Sequence
from ..expressions import syntax
from ..expressions.printer import show
from ..expressions.syntax import Tree
from ..findings import Position
from ..json_text import encode
from ..meaning import Forms
from ..rubric import Rubric


@dataclass(frozen=True, eq=False)
class Part:
    """A piece of a rubric. Two of one meaning are the same, whatever their text.

    `topic` is the family of changes that it belongs to, `form` gives the canonical form of a value such as its own.
    The `parts` inside are compared one by one where both sides have the same `shape`; `make` puts a value together from
    those of its parts, in their order, and `order` is the topic of a change of that order. By one of its `names` a part
    is found again under another key.
    """

    context: "Context"
    topic: str
    path: str
    value: Any
    text: str
    node: Node | None
    form: Callable[[Any], Any]
    parts: Mapping[str, "Part"] = field(default_factory=dict)
    make: Callable[[Mapping[str, Any]], Any] | None = None
    shape: str = ""
    order: str = ""
    names: tuple[str, ...] = ()

    @cached_property
    def meaning(self) -> str:
        return encode(self.form(self.value))

    @property
    def position(self) -> Position | None:
        return self.context.rubric.document.position(self.node) if self.node is not None else None


class Context:
    """The rubric that parts belong to, and what is common to making them."""

    def __init__(self, rubric: Rubric):
        self.rubric = rubric
        self.forms = Forms(rubric)

    def leaf(
        self,
        topic: str,
        path: str,
        value: Any,
        node: Node | None,
        *,
        text: str,
        form: Callable[[Any], Any] | None = None,
    ) -> Part:
        """A part that changes as a whole."""
        return Part(self, topic, path, value, text, node, form or self.forms.of)

    def whole(
        self,
        topic: str,
        path: str,
        value: Any,
        node: Node | None,
        parts: Mapping[str, Part],
        make: Callable[[Mapping[str, Any]], Any],
        *,
        form: Callable[[Any], Any] | None = None,
        shape: str = "",
        order: str = "",
        text: str | None = None,
    ) -> Part:
        """A part made of others; its text is theirs where none is given."""
        shown = text if text is not None else summary(parts)
        return Part(self, topic, path, value, shown, node, form or self.forms.of, parts, make, shape, order)

    def section(
        self,
        path: str,
        members: Mapping[Any, Any],
        part: Callable[[Any], Part],
        *,
        form: Callable[[Any], Any] | None = None,
        order: str = "",
    ) -> Part:
        """Named members of one kind."""
        parts = {name: part(member) for name, member in members.items()}
        return self.whole("section", path, members, self.at(path), parts, dict, form=form, order=order)

    def attribute(
        self,
        topic: str,
        path: str,
        value: Any,
        owner: Node,
        *,
        text: str | None = None,
        form: Callable[[Any], Any] | None = None,
    ) -> Part:
        """A plain value that stands in the document under the keys of its path; where left out, at its owner."""
        node = self.at(path)
        shown = text if text is not None else written(node) if node is not None else plain_text(value)
        return self.leaf(topic, path, value, owner if node is None else node, text=shown, form=form)

    def at(self, path: str) -> Node | None:
        """The node of the document under the keys of a path."""
        node: Node | None = self.rubric.document.root
        for key in path.split("."):
            node = node.get(key) if isinstance(node, MappingNode) else None
        return node


def plain_text(value: Any) -> str:
    """A value that nobody wrote, as its author would have."""
    return value if isinstance(value, str) else encode(value)


def written(node: Node) -> str:
    """A node as its author wrote it, on one line."""
    if isinstance(node, Scalar):
        plain = not isinstance(node.value, str) or node.style == "plain"
        return node.text if plain else encode(node.text)
    if isinstance(node, Sequence):
        return f"[{', '.join(written(item) for item in node.items)}]"
    return "{" + ", ".join(f"{entry.key.text}: {written(entry.value)}" for entry in node.entries) + "}"


def summary(parts: Mapping[str, Part]) -> str:
    """Parts on one line, each with the last word of its path."""
    return ", ".join(f"{part.path.rpartition('.')[2]}: {part.text}" for part in parts.values())


def source(tree: Tree | None) -> Node | None:
    """The node that an expression was written in."""
    return tree.source if isinstance(tree, syntax.Placed) else None


def shown(tree: Tree | None) -> str:
    return "nothing" if tree is None else show(tree)


def present(**parts: Part | None) -> dict[str, Part]:
    """The parts that are there."""
    return {name: part for name, part in parts.items() if part is not None}
