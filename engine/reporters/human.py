"""Numbers, values and strangers' texts as people read them, in every format that is for people."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

LONGEST_VALUE = 160
"""Characters of a value on one line."""

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters: escape sequences of terminals, all but three refused by XML
    "\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069"  # reorder what stands around them
    "\u2028\u2029"  # line ends to some readers
    "\ud800-\udfff\ufffe\uffff]"  # no characters at all
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def clean(text: str) -> str:
    r"""A text on one line that no terminal, browser or XML reader takes for more than text: what is not printable is
    written as an escape, such as `\x1b` or `\u202e`. Markup is left to the format.
    """
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return _SHORT.get(found[0]) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def number(value: float | None) -> str:
    """Six significant digits, and whole numbers whole: `0.333333`, `29900`, `null`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if 1e6 <= abs(value) < 1e15 or value == 0:
        return f"{value + 0.0:.0f}"
    return f"{value:.6g}"


def value(value: Any, limit: int = LONGEST_VALUE) -> str:
    """A value on one line: texts in quotes, `[1, 2]`, `{tp: 3, fp: 0}`, cut at `limit` characters."""
    text = _value(value, limit)
    return text if len(text) <= limit else text[:limit] + "..."


def _value(value: Any, limit: int) -> str:
    if isinstance(value, str):
        return f'"{clean(value)}"'
    if isinstance(value, Mapping):
        return "{" + _joined((f"{clean(name)}: {_value(member, limit)}" for name, member in value.items()), limit) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + _joined((_value(member, limit) for member in value), limit) + "]"
    return number(value)


def _joined(parts: Iterator[str], limit: int) -> str:
    """The parts that are needed to reach the limit, so that a list of a million costs no more than is shown."""
    text = ""
    for part in parts:
        text += f", {part}" if text else part
        if len(text) > limit:
            break
    return text


class Line(NamedTuple):
    """A value, or a record whose members follow one level deeper (`text` is None)."""

    depth: int
    path: str
    name: str
    text: str | None


def outline(
    values: Mapping[str, Any], *, limit: int = LONGEST_VALUE, depth: int = 0, parent: str = ""
) -> Iterator[Line]:
    """Values line by line; a record that fits stands on one line, another is opened. Lists are cut at `limit`."""
    for name, member in values.items():
        path = f"{parent}{clean(name)}"
        if isinstance(member, Mapping) and len(value(member)) > LONGEST_VALUE:
            yield Line(depth, path, clean(name), None)
            yield from outline(member, limit=limit, depth=depth + 1, parent=f"{path}.")
        else:
            yield Line(depth, path, clean(name), value(member, limit))


def columns(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset(), gap: str = "  ") -> list[str]:
    """Rows of cells as aligned lines; the columns whose numbers are in `right` end at the same place."""
    count = max((len(row) for row in rows), default=0)
    widths = [max((len(row[column]) for row in rows if column < len(row)), default=0) for column in range(count)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        lines.append(gap.join(cells).rstrip())
    return lines


def plural(count: int, noun: str, several: str | None = None) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun if count == 1 else several or noun + 's'}"


def near(a: float, b: float) -> bool:
    """Whether two numbers differ by no more than the rounding of the sums that made them."""
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
