"""Where each character of a YAML scalar's value stands in its file.

A value is not its source: quotes and escapes disappear, lines are folded, indentation is stripped. These walks read the
source again beside the value, which a parser has already found sound. Only messages need them, so they may be slow.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

Place = tuple[int, int]
"""Line and column, both from 1."""

_ESCAPE = re.compile(r"\\(?:x..|u.{4}|U.{8}|.)")
_LINE_FEEDS = re.compile(r"\n*")
_SPACES = re.compile(r" *")


class SourcedScalar(Protocol):
    """What is known of a scalar: its text, its style, and the place where its source begins."""

    @property
    def text(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def style(self) -> str: ...


def places(lines: Sequence[str], scalar: SourcedScalar) -> Iterator[Place]:
    """The place of every character of the scalar's value, in order, then the place after the last one."""
    line, column = scalar.line - 1, scalar.column - 1
    if scalar.style in ("literal", "folded"):
        walk = _block_places(lines, line, scalar.text)
    elif scalar.style == "plain":
        walk = _flow_places(lines, line, column, scalar.text, "")
    else:
        walk = _flow_places(lines, line, column + 1, scalar.text, "'" if scalar.style == "single" else '"')
    for row, offset in walk:
        yield row + 1, offset + 1


def _flow_places(lines: Sequence[str], row: int, column: int, text: str, quote: str) -> Iterator[Place]:
    """Plain and quoted scalars: line breaks fold to a space, or to as many line feeds as blank lines follow."""
    at, end = 0, _content_end(lines[row], column)
    while at < len(text):
        escaped_break = quote == '"' and column == end - 1 == len(lines[row]) - 1 and lines[row][column] == "\\"
        if column < end and not escaped_break:
            yield row, column
            column, at = column + _written_length(lines[row], column, quote), at + 1
            continue
        blank = _blank_lines_after(lines, row)
        if not blank and not escaped_break:
            yield row, column
        for number in range(blank):
            yield row + 1 + number, 0
        at += blank or not escaped_break
        row += blank + 1
        column = len(lines[row]) - len(lines[row].lstrip(" \t"))
        end = _content_end(lines[row], column)
    yield row, column


def _content_end(line: str, column: int) -> int:
    """The column at which the white space before a line break begins."""
    return max(len(line.rstrip(" \t")), column)


def _blank_lines_after(lines: Sequence[str], row: int) -> int:
    following = row + 1
    while not lines[following].strip(" \t"):
        following += 1
    return following - row - 1


def _written_length(line: str, column: int, quote: str) -> int:
    """How many source characters make the one character of the value that begins at `column`."""
    if quote == "'" and line[column] == "'":
        return 2
    escape = _ESCAPE.match(line, column) if quote == '"' else None
    return len(escape.group()) if escape else 1


def _block_places(lines: Sequence[str], header: int, text: str) -> Iterator[Place]:
    """Literal and folded scalars; the value itself tells which of their line breaks were folded away."""
    indent = _block_indent(lines, header, text)
    row, column, at = header + 1, indent, 0
    while at < len(text):
        if column < len(lines[row]):
            yield row, column
            column, at = column + 1, at + 1
            continue
        breaks = _breaks_ahead(lines, row, indent)
        written = max(_count_line_feeds(text, at), 1)
        for number in range(max(breaks - written, 0), breaks):
            yield row + number, max(len(lines[row + number]), indent)
        row, column, at = row + breaks, indent, at + min(written, breaks)
    yield row, column


def _block_indent(lines: Sequence[str], header: int, text: str) -> int:
    """Columns stripped from every line, told from the first line of the value that is not empty."""
    leading = _count_line_feeds(text, 0)
    row = header + 1 + leading
    if leading == len(text):
        return max((len(line) for line in lines[header + 1 : row + 1]), default=0)
    return _leading_spaces(lines[row], 0) - _leading_spaces(text, leading)


def _count_line_feeds(text: str, at: int) -> int:
    match = _LINE_FEEDS.match(text, at)
    return len(match.group()) if match else 0


def _leading_spaces(text: str, at: int) -> int:
    match = _SPACES.match(text, at)
    return len(match.group()) if match else 0


def _breaks_ahead(lines: Sequence[str], row: int, indent: int) -> int:
    """Line breaks from the end of row `row` to the next row with content, or to the end of the scalar."""
    following = row + 1
    while following < len(lines) - 1 and len(lines[following]) <= indent and not lines[following].strip(" "):
        following += 1
    return following - row
