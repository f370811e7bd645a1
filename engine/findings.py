"""What is wrong with a rubric, said to the person who must fix it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text file; line and column count from 1, columns in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: `id` names its kind (`unknown-key`), `node` the rubric's own id of what is at fault."""

    id: str
    message: str
    position: Position | None = None
    hint: str | None = None
    severity: Severity = "error"
    node: str | None = None
    line_text: str | None = None

    def render(self) -> str:
        """The finding as a person reads it: place, sentence, the line with a caret, a hint."""
        place = f"{self.position}: " if self.position else ""
        parts = [f"{place}{self.severity}: {self.message} [{self.id}]"]
        if self.position and self.line_text is not None:
            before = self.line_text[: self.position.column - 1]
            padding = "".join("\t" if character == "\t" else " " for character in before)
            parts += [f"    {self.line_text}", f"    {padding}^"]
        if self.hint:
            parts.append(f"    hint: {self.hint}")
        return "\n".join(parts)


class RubricError(Exception):
    """A rubric (or a file beside it) that cannot be used, with every finding of the one run."""

    def __init__(self, findings: Sequence[Finding]):
        self.findings = tuple(findings)
        super().__init__("\n".join(finding.render() for finding in self.findings))


def suggestion(wrong: str, known: Iterable[str], *, nearness: float = 0.6) -> str | None:
    """`did you mean 'x'?` for the nearest known name, or None when nothing is near (1 is equal, 0 nothing alike)."""
    near = get_close_matches(wrong, sorted(known), n=1, cutoff=nearness)
    return f"did you mean '{near[0]}'?" if near else None
