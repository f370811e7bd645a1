"""The comma trap: an expression that `{...}` or `[...]` cut into pieces at its commas.

`{value: f(a, 1, 8)}` is sound YAML. It reads as the three keys `value`, `1` and `8)`, two of them without a value, and
whoever meets those pieces later can only say something baffling about them.
"""

import re
from collections.abc import Sequence as Items

from .nodes import Node, Scalar
from .places import places

CUT_HINT = "put the whole expression in quotes, or write it on a line of its own"

_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_NOTHING_MORE = re.compile(r"[ \t]*(?:#.*)?")
_COLON = re.compile(r"[ \t]*:")


def find_cut(items: Items[Node], mapping: bool, lines: Items[str]) -> Scalar | None:
    """The first piece of a cut expression in a flow collection, or None; `items` of a mapping are key, value, key, ...

    A piece is cut when a bracket in it stays open and the rest follows: a piece without a colon, or one that closes
    more than it opens. In a mapping, whatever lacks its colon is itself such a rest.
    """
    if not any(map(_is_suspect, items)):
        return None
    pieces = _pieces(items, lines) if mapping else [(item, True) for item in items]
    opened: Scalar | None = None
    previous: Scalar | None = None
    for piece, lacks_colon in pieces:
        balance = bracket_balance(piece)
        if opened and (lacks_colon or balance < 0):
            return opened
        if mapping and lacks_colon and (previous or balance < 0):
            return previous or as_text(piece)
        opened = opened or (as_text(piece) if balance > 0 else None)
        previous = None if lacks_colon else as_text(piece)
    return None


def _is_suspect(node: Node) -> bool:
    return type(node) is Scalar and (node.text == "" or "(" in node.text or ")" in node.text)


def open_piece(items: Items[Node]) -> Scalar | None:
    """The first piece in which a bracket stays open."""
    return next((item for item in items if isinstance(item, Scalar) and bracket_balance(item) > 0), None)


def bracket_balance(node: Node) -> int:
    """Brackets opened less brackets closed in a plain text, quoted parts aside; 0 for everything else."""
    text = as_text(node)
    if text is None or not any(bracket in text.text for bracket in "()[]{}"):
        return 0
    bare = _QUOTED.sub("", text.text)
    return sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))


def as_text(node: Node) -> Scalar | None:
    """The node, if it is a string without quotes."""
    return node if isinstance(node, Scalar) and node.style == "plain" and isinstance(node.value, str) else None


def _pieces(items: Items[Node], lines: Items[str]) -> list[tuple[Node, bool]]:
    """For each entry what may be cut: its value, or, where no colon was written, its key."""
    pieces: list[tuple[Node, bool]] = []
    for key, value in zip(items[::2], items[1::2], strict=True):
        lacks_colon = (
            isinstance(value, Scalar) and value.text == "" and value.style == "plain" and not _has_colon(key, lines)
        )
        pieces.append((key, True) if lacks_colon else (value, False))
    return pieces


def _has_colon(key: Node, lines: Items[str]) -> bool:
    if not isinstance(key, Scalar):
        return False
    row, offset = _end(key, lines)
    while _NOTHING_MORE.fullmatch(lines[row], offset) and row + 1 < len(lines):
        row, offset = row + 1, 0
    return _COLON.match(lines[row], offset) is not None


def _end(key: Scalar, lines: Items[str]) -> tuple[int, int]:
    """The row and offset, both from 0, at which the source of a key has ended."""
    if key.style == "plain" and lines[key.line - 1].startswith(key.text, key.column - 1):
        return key.line - 1, key.column - 1 + len(key.text)
    *_, (line, column) = places(lines, key)
    return line - 1, column - 1 + (key.style != "plain")
