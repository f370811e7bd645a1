"""Every expression of a rubric, wherever it stands, and what all of them together call."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from .document import Document
from .expressions import syntax
from .rubric import Rubric


def trees_of(part: Any) -> Iterator[syntax.Tree]:
    """The expressions inside a part of a rubric, or inside a whole one, in its order."""
    if isinstance(part, syntax.Tree):
        yield part
    elif isinstance(part, Mapping):
        yield from trees_of(tuple(part.values()))
    elif isinstance(part, (list, tuple)):
        for member in part:
            yield from trees_of(member)
    elif is_dataclass(part) and not isinstance(part, Document):
        for field in fields(part):
            yield from trees_of(getattr(part, field.name))


def primitives_called(rubric: Rubric) -> list[str]:
    """The primitives that a rubric calls, `module.name`, sorted."""
    return sorted({call.label for call in _calls(rubric) if call.module is not None})


def functions_called(rubric: Rubric) -> list[str]:
    """The functions without a module that a rubric calls, its own among them, sorted."""
    return sorted({call.name for call in _calls(rubric) if call.module is None})


def _calls(rubric: Rubric) -> Iterator[syntax.Call]:
    nodes = (node for tree in trees_of(rubric) for node in syntax.walk(tree))
    return (node for node in nodes if isinstance(node, syntax.Call))
