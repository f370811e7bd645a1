"""Characters that a rubric may not hold, and white space that is not what it looks like."""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .faults import Faults

TAB_MESSAGE = "a tab stands where a space belongs"
ODD_SPACE_HINT = "replace it by a space, or put the text that needs it in quotes"
_LINE_END = sys.maxsize

Extent = tuple[tuple[int, int], tuple[int, int]]
"""Where a scalar begins and where it has ended: row and offset in the row, both from 0."""

_FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls; next line (U+0085) is a line break to some parsers only
    r"\u2028\u2029"  # line and paragraph separator: the same
    r"\u202a-\u202e\u2066-\u2069"  # change the order in which a line is shown
    r"\ufeff\ufffe\uffff\ud800-\udfff]"
)
_ODD = r"[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]"
_ODD_SPACE = re.compile(_ODD)
_ODD_IN_PLAIN_TEXT = re.compile(rf"^{_ODD}|{_ODD}(?:$|#)|(?:^[-?]|:){_ODD}")
_WHITE_SPACE = re.compile(rf"\t|^ *{_ODD}")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#")


@dataclass(frozen=True, slots=True)
class Characters:
    """Which kinds of unwelcome characters occur somewhere in a text."""

    forbidden: bool
    odd_spaces: bool
    tabs: bool


def look_over(text: str) -> Characters:
    """What there is to look for; most texts hold none of it, which `isprintable` tells several times faster."""
    if text.replace("\n", "").isprintable():
        return Characters(False, False, False)
    return Characters(_FORBIDDEN.search(text) is not None, _ODD_SPACE.search(text) is not None, "\t" in text)


def refuse_characters(text: str, faults: Faults) -> None:
    """One fault for each forbidden character, at its first place."""
    first: dict[str, int] = {}
    for match in _FORBIDDEN.finditer(text):
        first.setdefault(match.group(), match.start())
    counts = Counter(_FORBIDDEN.findall(text)) if first else {}
    for character, start in first.items():
        code = ord(character)
        message = f"the character U+{code:04X} cannot stand in a rubric"
        if counts[character] > 1:
            message += f" (it stands in {counts[character]} places)"
        line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
        faults.add(
            "control-character", message, line, column, f"remove it; in double quotes it is written \\u{code:04X}"
        )


def printable(text: str) -> str:
    """The text with each forbidden character replaced, so that no message moves a cursor or hides a line."""
    return _FORBIDDEN.sub("\ufffd", text)


def odd_space_in(text: str) -> int | None:
    """The offset of an odd space that changes what a plain scalar means: at an end, or after `:`, `-` or before `#`."""
    match = _ODD_IN_PLAIN_TEXT.search(text)
    return match.start() + next(at for at, found in enumerate(match.group()) if not found.isascii()) if match else None


def refuse_odd_space(character: str, line: int, column: int, faults: Faults) -> None:
    faults.add("odd-space", odd_space_message(character), line, column, ODD_SPACE_HINT)


def odd_space_message(character: str) -> str:
    return f"the character U+{ord(character):04X} stands where a space belongs, and is none to YAML"


def refuse_white_space(extents: Iterable[Extent], rows: int, faults: Faults) -> None:
    """Tabs, and odd spaces as indentation, in the first `rows` lines: allowed in texts and comments only.

    `extents` are the quoted and block scalars of the file. A tab between a key and its value is sound YAML and not
    read by every YAML parser.
    """
    covered = _by_row(extents)
    for row, line in enumerate(faults.lines[:rows]):
        for start, end in _outside_texts(line, covered.get(row, ())):
            for match in _WHITE_SPACE.finditer(line, start, end):
                if match.group() == "\t":
                    faults.add("tab", TAB_MESSAGE, row + 1, match.end(), "use spaces")
                else:
                    refuse_odd_space(line[match.end() - 1], row + 1, match.end(), faults)


def _by_row(extents: Iterable[Extent]) -> dict[int, list[tuple[int, int]]]:
    """For each row the offsets, from and to, between which its characters belong to a text."""
    covered: dict[int, list[tuple[int, int]]] = {}
    for (first, start), (last, end) in extents:
        for row in range(first, last + 1):
            span = (start if row == first else 0, end if row == last else _LINE_END)
            covered.setdefault(row, []).append(span)
    return covered


def _outside_texts(line: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts of a line between its quoted and block texts, up to its comment."""
    start = 0
    for text_start, text_end in (*spans, (len(line), len(line))):
        comment = _COMMENT.search(line, start, text_start)
        yield start, comment.start() if comment else text_start
        if comment:
            return
        start = text_end
