"""The faults of one document, gathered while its text and its tree are read."""

from collections.abc import Sequence

from ..findings import Finding, Position

MAX_FINDINGS = 100
"""Reading stops here: whoever has a hundred faults to mend will read the file again anyway."""

LONGEST_LINE_SHOWN = 1000
"""Characters; a longer line is named by its number but not printed, so that a report stays small whatever it reads."""

_LONGEST_TEXT_SHOWN = 60


class TooManyFaults(Exception):
    """MAX_FINDINGS have been gathered."""


class Faults:
    """Findings about one file, each kept once; `lines` are the lines of the file as messages show them."""

    def __init__(self, name: str, lines: Sequence[str]):
        self.lines = lines
        self._name = name
        self._findings: dict[Finding, None] = {}

    def add(self, id: str, message: str, line: int, column: int, hint: str | None = None) -> None:
        """One more; raises TooManyFaults when it was the last that is reported."""
        position = Position(self._name, line, column)
        self._findings[Finding(id, message, position, hint, line_text=shown_line(self.lines, line))] = None
        if len(self._findings) >= MAX_FINDINGS:
            raise TooManyFaults

    def in_file_order(self) -> list[Finding]:
        """The findings from the top of the file to its end."""
        return sorted(self._findings, key=lambda finding: (finding.position, finding.id))


def shown_line(lines: Sequence[str], line: int) -> str | None:
    """Line number `line` (from 1) for a message, or None where there is none or it is too long to print."""
    text = lines[line - 1] if line <= len(lines) else None
    return text if text is not None and len(text) <= LONGEST_LINE_SHOWN else None


def shown_text(text: str) -> str:
    """A text of the file for a message: in backquotes, on one line, not too long."""
    short = text if len(text) <= _LONGEST_TEXT_SHOWN else text[:_LONGEST_TEXT_SHOWN] + "..."
    return f"`{short if short.isprintable() else repr(short)[1:-1]}`"
