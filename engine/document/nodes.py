"""The tree of a YAML document, in which every key and value knows its place."""

from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from ..findings import Finding, Position, Severity
from .faults import shown_line
from .places import places

Style = Literal["plain", "single", "double", "literal", "folded"]
Plain = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, number, boolean or null. `line` and `column` (from 1) are where its source begins.

    `text` is the scalar before it was read as a number or word (`0.10`, `True`); for a string it is the string.
    A value that is not written (`a:`) has an empty text, the value None, and the place of its key.
    """

    value: Plain
    text: str
    line: int
    column: int
    style: Style


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value` of a mapping."""

    key: Scalar
    value: "Node"


@dataclass(frozen=True, slots=True)
class Mapping:
    """Entries in file order, no key twice; `flow` when written as `{...}`."""

    entries: tuple[Entry, ...]
    line: int
    column: int
    flow: bool

    def get(self, key: Plain) -> "Node | None":
        """The value under `key`, or None where there is no such key; `true` is not `1`."""
        for entry in self.entries:
            if entry.key.value == key and isinstance(entry.key.value, bool) == isinstance(key, bool):
                return entry.value
        return None

    def keys(self) -> tuple[Plain, ...]:
        """The values of the keys, in file order."""
        return tuple(entry.key.value for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Items in file order; `flow` when written as `[...]`."""

    items: tuple["Node", ...]
    line: int
    column: int
    flow: bool


Node = Scalar | Mapping | Sequence


_new = object.__new__
_set_value, _set_text, _set_line, _set_column, _set_style = (
    vars(Scalar)[name].__set__ for name in ("value", "text", "line", "column", "style")
)
_set_key, _set_entry_value = vars(Entry)["key"].__set__, vars(Entry)["value"].__set__


def new_scalar(value: Plain, text: str, line: int, column: int, style: Style) -> Scalar:
    """`Scalar(...)` at a third of its cost: files hold thousands, and a frozen dataclass is slow to fill."""
    scalar = _new(Scalar)
    _set_value(scalar, value)
    _set_text(scalar, text)
    _set_line(scalar, line)
    _set_column(scalar, column)
    _set_style(scalar, style)
    return scalar


def new_entry(key: Scalar, value: Node) -> Entry:
    """`Entry(key, value)`, for the same reason."""
    entry = _new(Entry)
    _set_key(entry, key)
    _set_entry_value(entry, value)
    return entry


@dataclass(frozen=True)
class Document:
    """One YAML file: its tree, the name it goes by in messages, and its lines as they were written."""

    root: Mapping
    name: str
    lines: tuple[str, ...]

    def position(self, node: Node, offset: int = 0) -> Position:
        """Where character `offset` of a scalar's value stands in the file; `len(value)` is the place after its end.

        Escapes, folding and indentation are followed in every style. An offset beyond the end counts as the end; a
        mapping or list stands where it begins, whatever the offset.
        """
        if not isinstance(node, Scalar) or node.text == "":
            return Position(self.name, node.line, node.column)
        line, column = next(
            islice(places(self.lines, node), min(offset, len(node.text)), None), (node.line, node.column)
        )
        return Position(self.name, line, column)

    def finding(
        self,
        id: str,
        message: str,
        node: Node,
        *,
        offset: int = 0,
        hint: str | None = None,
        severity: Severity = "error",
        node_path: str | None = None,
    ) -> Finding:
        """A finding about `node` (or about character `offset` of its value), with its place and line filled in."""
        position = self.position(node, offset)
        return Finding(id, message, position, hint, severity, node_path, shown_line(self.lines, position.line))


def plain(node: Node) -> Any:
    """The bare value of a tree: dicts, lists, strings, numbers, booleans and None."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return {entry.key.value: plain(entry.value) for entry in node.entries}
