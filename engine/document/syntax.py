"""What a YAML parser stumbled over, said to the person who wrote the line.

Almost every such error in a rubric is an expression that YAML reads as something else, so that is looked for first.
"""

import re
from collections.abc import Sequence as Items
from dataclasses import dataclass
from typing import Any

from yaml.parser import ParserError

from .builder import Frame
from .characters import ODD_SPACE_HINT, TAB_MESSAGE, odd_space_in, odd_space_message
from .faults import shown_text
from .nodes import Scalar
from .places import Place
from .traps import CUT_HINT, as_text, open_piece

_BEFORE_VALUE = re.compile(r"[^\[{\"'#]*(?::|-) +")
_QUOTE_IT = "put the value in quotes"


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """A finding to be. `rest` is where the part begins that can be left out, up to its line's end, to read on."""

    id: str
    message: str
    place: Place
    hint: str
    rest: Place | None = None


@dataclass(frozen=True, slots=True)
class _Sentence:
    """How one kind of parser error is told: `pattern` is looked for in "context: problem"; `{c}` is the character."""

    pattern: str
    message: str
    hint: str
    id: str = "yaml-syntax"
    at_context: bool = False
    escape: bool = False


_SENTENCES = (
    _Sentence("nesting depth", "brackets are nested too deep", "is a bracket never closed?", "too-deep"),
    _Sentence("cannot start any token", "a value cannot begin with {c}", _QUOTE_IT),
    _Sentence("scanning an (?:alias|anchor)", "a value cannot begin with {c}", _QUOTE_IT, at_context=True),
    _Sentence(
        "scanning a tag|parsing a tag|undefined tag handle",
        "a rubric may not hold YAML tags (`!...`)",
        "remove it; quote a text that begins with `!`",
        "tag",
        at_context=True,
    ),
    _Sentence(
        "directive",
        "a line that begins with `%` is a YAML directive; a rubric may not hold one",
        "remove it, or put the text in quotes",
        "directive",
        at_context=True,
    ),
    _Sentence(
        "scanning a block scalar",
        "a value that begins with {c} announces a text on the lines below, so nothing may follow it here",
        "put an expression in quotes; begin a long text on the next line",
        at_context=True,
    ),
    _Sentence(
        "unexpected end of stream|unexpected document",
        "the quote that opens here is never closed",
        "close it; in single quotes an apostrophe is written twice",
        at_context=True,
    ),
    _Sentence(
        "escape|hex|Unicode",
        "double quotes know no such escape",
        "write a backslash as `\\\\`, or use single quotes, in which it stands for itself",
        escape=True,
    ),
    _Sentence(
        "could not find expected ':'",
        "this is neither `key: value` nor an item `- value`",
        "is a colon missing, or the space after it? A text that goes on is indented more than its key",
        at_context=True,
    ),
    _Sentence(
        "mapping values are not allowed",
        "a colon stands where no key can be",
        "put a value that holds `: ` in quotes; indent a key exactly as its neighbours",
    ),
    _Sentence(
        "sequence entries are not allowed",
        "a list cannot begin here",
        "write each item `- value` on a line of its own below the key; put a value that begins with `- ` in quotes",
    ),
    _Sentence("mapping keys are not allowed", "a value cannot begin with `? `", _QUOTE_IT),
    _Sentence("node content", "a value is missing before {c}", "write the value, or `null`"),
    _Sentence(
        "document start",
        "the file goes on after its top level has ended",
        "indent a key of the top level as the others are; put a value that begins with a bracket or quote in quotes",
    ),
    _Sentence(
        "block (?:mapping|collection|sequence)",
        "this line fits neither what stands above it nor a new key",
        "indent it exactly as its neighbours; put a value that begins with a bracket or quote in quotes",
    ),
)


@dataclass(frozen=True, slots=True)
class _Stumble:
    """Where a parser stopped: the collections then open, the place it gives, and the one it had come from."""

    frames: Items[Frame]
    lines: Items[str]
    problem: Place
    context: Place

    @property
    def frame(self) -> Frame | None:
        return self.frames[-1] if self.frames else None

    @property
    def flow(self) -> Frame | None:
        """The innermost collection, if it is a `{...}` or `[...]`."""
        return self.frame if self.frame and self.frame.flow else None

    def line(self, place: Place) -> str:
        return self.lines[place[0] - 1]

    def character(self, place: Place) -> str:
        character = self.line(place)[place[1] - 1 : place[1]]
        return shown_text(character) if character else "the end of the line"

    def is_at_end(self) -> bool:
        """Whether nothing follows the problem."""
        rest = (self.line(self.problem)[self.problem[1] - 1 :], *self.lines[self.problem[0] :])
        return not any(line.strip() for line in rest)

    def rest(self, place: Place) -> Place | None:
        """What can be left out because of a fault in a value at `place`: its outermost bracket, if on this line."""
        outermost = next(((frame.line, frame.column) for frame in self.frames if frame.flow), place)
        return outermost if outermost[0] == self.problem[0] else None


def explain(error: Exception, frames: Items[Frame], lines: Items[str]) -> SyntaxFault:
    """The fault behind a parser's `error`; `frames` are the collections that were open when it came."""
    problem = _place(getattr(error, "problem_mark", None), lines) or (1, 1)
    context = _place(getattr(error, "context_mark", None), lines) or problem
    stumble = _Stumble(frames, lines, problem, context)
    fault = _cut(stumble, isinstance(error, ParserError))
    if fault is None and isinstance(error, ParserError):
        fault = _run_on(stumble) or _unclosed(stumble)
    return fault or _translate(error, stumble)


def _place(mark: Any, lines: Items[str]) -> Place | None:
    """The place of a parser's mark, which may lie beyond the last line."""
    if mark is None or mark.line < len(lines):
        return mark and (mark.line + 1, mark.column + 1)
    return len(lines), len(lines[-1]) + 1


def _cut(stumble: _Stumble, whole: bool) -> SyntaxFault | None:
    """The comma trap, where the pieces are no YAML: `{require: x >= t[k]}`; `whole` when all before was read."""
    flow = stumble.flow
    if flow is None or not flow.items or stumble.is_at_end():
        return None
    last, opened = flow.items[-1], open_piece(flow.items)
    piece = opened or (as_text(last) if whole else None)
    if piece is None or piece.line != stumble.problem[0]:
        return None
    where = stumble.character(stumble.problem) if piece is last and whole else "a comma"
    message = f"this expression was cut at {where} by {'{...}' if flow.mapping else '[...]'}"
    place = piece.line, piece.column
    return SyntaxFault("comma-trap", message, place, CUT_HINT, stumble.rest(place))


def _run_on(stumble: _Stumble) -> SyntaxFault | None:
    """A value that begins with a quote or bracket ends, and its line goes on: `value: [a, b] + c`."""
    frame = stumble.frame
    if frame is None or not frame.items or (frame.mapping and len(frame.items) % 2):
        return None
    last = frame.items[-1]
    if last.line != stumble.problem[0] or as_text(last) or stumble.is_at_end():
        return None
    message = f"the value that begins here ends before {stumble.character(stumble.problem)}, but its line goes on"
    hint = "put an expression that begins with a quote or a bracket in quotes as a whole"
    if isinstance(last, Scalar) and last.style == "single":
        hint += "; in single quotes an apostrophe is written twice"
    if frame.flow:
        hint += "; entries are separated by commas"
    place = last.line, last.column
    return SyntaxFault("yaml-syntax", message, place, hint, stumble.rest(place))


def _unclosed(stumble: _Stumble) -> SyntaxFault | None:
    flow = stumble.flow
    if flow is None:
        return None
    opening, closing = ("{", "}") if flow.mapping else ("[", "]")
    hint = "put an expression inside it in quotes"
    if stumble.is_at_end():
        message = f"the `{opening}` that opens here is never closed"
        return SyntaxFault("yaml-syntax", message, (flow.line, flow.column), hint)
    message = f"`,` or `{closing}` is missing before {stumble.character(stumble.problem)}"
    hint = f"is the `{opening}` of line {flow.line} closed? {hint.capitalize()}"
    return SyntaxFault("yaml-syntax", message, stumble.problem, hint)


def _translate(error: Exception, stumble: _Stumble) -> SyntaxFault:
    told = f"{getattr(error, 'context', None)}: {getattr(error, 'problem', None) or error}"
    return _white_space(told, stumble) or _tell(told, stumble)


def _white_space(told: str, stumble: _Stumble) -> SyntaxFault | None:
    if "tab character" in told or stumble.line(stumble.problem)[stumble.problem[1] - 1 :].startswith("\t"):
        count = sum(line.lstrip(" ").startswith("\t") for line in stumble.lines)
        hint = f"use spaces; {count} lines begin with a tab" if count > 1 else "use spaces"
        return SyntaxFault("tab", TAB_MESSAGE, stumble.problem, hint)
    margin = stumble.line(stumble.context)
    content = margin.lstrip(" ")
    offset = odd_space_in(content)
    if offset is None:
        return None
    place = stumble.context[0], len(margin) - len(content) + offset + 1
    return SyntaxFault("odd-space", odd_space_message(content[offset]), place, ODD_SPACE_HINT)


def _tell(told: str, stumble: _Stumble) -> SyntaxFault:
    for sentence in _SENTENCES:
        if re.search(sentence.pattern, told):
            place = stumble.context if sentence.at_context else stumble.problem
            if sentence.escape:
                place = _backslash(place, stumble.line(place))
            message = sentence.message.replace("{c}", stumble.character(place))
            before = _BEFORE_VALUE.match(stumble.line(place), 0, place[1] - 1)
            rest = (place[0], before.end() + 1) if before else None
            return SyntaxFault(sentence.id, message, place, sentence.hint, rest)
    return SyntaxFault("yaml-syntax", f"this is not YAML: {told}", stumble.problem, "put the text in quotes")


def _backslash(place: Place, line: str) -> Place:
    """Where the escape begins, in or behind which a parser stopped."""
    return place[0], line.rfind("\\", 0, place[1]) + 1 or place[1]
