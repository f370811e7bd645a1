"""From the events of a YAML parser to the tree, and what it may not hold: tags, anchors, duplicate keys, depth.

PyYAML splits the text into events and decides nothing more. The nesting of a file is a list here, never the call
stack, so that no file can exhaust it.
"""

from collections.abc import Callable
from typing import Any, cast
from unicodedata import is_normalized

from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from .characters import Characters, Extent, odd_space_in, refuse_odd_space
from .faults import Faults, shown_text
from .nodes import Mapping, Node, Scalar, Sequence, Style, new_entry, new_scalar
from .scalars import MAYBE_NO_TEXT, UnreadableNumber, read_plain
from .traps import CUT_HINT, find_cut

MAX_DEPTH = 64
"""Levels of mappings and lists inside one another."""

_STYLES: dict[str | None, Style] = {
    "": "plain",
    None: "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}
_NO_ANCHORS = "write the value out where it is used, or give it a name in the rubric"


class Frame:
    """A mapping or list that is still open; the items of a mapping are key, value, key, ..."""

    __slots__ = ("column", "flow", "items", "line", "mapping")

    def __init__(self, mapping: bool, flow: bool, line: int, column: int):
        self.mapping, self.flow, self.line, self.column = mapping, flow, line, column
        self.items: list[Node] = []


class TreeBuilder:
    """Builds one tree. `frames` are the collections open so far, for whoever explains a syntax error.

    `extents` are those of the quoted and block scalars, if the file has white space that only they may hold.
    """

    def __init__(self, faults: Faults, characters: Characters, only_ascii: bool):
        self.faults = faults
        self.frames: list[Frame] = []
        self.roots: list[Node] = []
        self.extents: list[Extent] = []
        self._items = self.roots
        self._odd_spaces = characters.odd_spaces
        self._keep_extents = characters.odd_spaces or characters.tabs
        self._only_ascii = only_ascii
        self._documents = 0
        self._handlers: dict[type, Callable[[Any], bool | None]] = {
            MappingStartEvent: self._open,
            SequenceStartEvent: self._open,
            MappingEndEvent: self._close_mapping,
            SequenceEndEvent: self._close_sequence,
            AliasEvent: self._alias,
            DocumentStartEvent: self._start_document,
            StreamEndEvent: lambda event: True,
        }

    def read(self, next_event: Callable[[], Any]) -> None:
        """Read events to the end, or to where reading on makes no sense: a second document, too much depth."""
        handlers, items, odd_spaces = self._handlers, self._items, self._odd_spaces
        while True:
            event = next_event()
            kind = type(event)
            if kind is not ScalarEvent:
                if kind in handlers and handlers[kind](event):
                    return
                items = self._items
                continue
            text = event.value
            if event.style or event.tag or event.anchor or odd_spaces or text[:1] in MAYBE_NO_TEXT:
                self._scalar(event)
            else:
                mark = event.start_mark
                items.append(new_scalar(text, text, mark.line + 1, mark.column + 1, "plain"))

    def _scalar(self, event: Any) -> None:
        """Any scalar, with all its questions; most are plain texts and never get here."""
        text, style, mark = event.value, _STYLES[event.style], event.start_mark
        line, column, value = mark.line + 1, mark.column + 1, text
        if event.anchor is not None or event.tag is not None:
            self._refuse_properties(event)
        if style == "plain":
            try:
                value = read_plain(text)
            except UnreadableNumber as fault:
                self.faults.add(fault.id, fault.message, line, column, fault.hint)
            if self._odd_spaces:
                self._check_spaces(text, line, column)
            if text == "" and self.frames and self.frames[-1].mapping and len(self._items) % 2:
                line, column = self._items[-1].line, self._items[-1].column
        elif self._keep_extents:
            self.extents.append(((mark.line, mark.column), (event.end_mark.line, event.end_mark.column)))
        self._items.append(new_scalar(value, text, line, column, style))

    def _check_spaces(self, text: str, line: int, column: int) -> None:
        offset = odd_space_in(text)
        if offset is not None:
            refuse_odd_space(text[offset], line, column + offset, self.faults)

    def _open(self, event: Any) -> bool:
        mark = event.start_mark
        if event.anchor is not None or event.tag is not None:
            self._refuse_properties(event)
        if len(self.frames) >= MAX_DEPTH:
            message = f"mappings and lists are nested more than {MAX_DEPTH} levels deep"
            self.faults.add("too-deep", message, mark.line + 1, mark.column + 1, "is a bracket never closed?")
            return True
        frame = Frame(type(event) is MappingStartEvent, bool(event.flow_style), mark.line + 1, mark.column + 1)
        self.frames.append(frame)
        self._items = frame.items
        return False

    def _leave(self) -> Frame:
        frame = self.frames.pop()
        self._items = self.frames[-1].items if self.frames else self.roots
        return frame

    def _close_mapping(self, event: Any) -> None:
        frame = self._leave()
        keys, values = frame.items[::2], frame.items[1::2]
        if not (frame.flow and self._report_cut(frame)):
            distinct = {key.value for key in keys if type(key) is Scalar}
            if len(distinct) < len(keys) or "<<" in distinct or not self._only_ascii:
                _refuse_keys(keys, self.faults)
        entries = tuple(map(new_entry, cast("list[Scalar]", keys), values))
        self._items.append(Mapping(entries, frame.line, frame.column, frame.flow))

    def _close_sequence(self, event: Any) -> None:
        frame = self._leave()
        if frame.flow:
            self._report_cut(frame)
        self._items.append(Sequence(tuple(frame.items), frame.line, frame.column, frame.flow))

    def _report_cut(self, frame: Frame) -> bool:
        cut = find_cut(frame.items, frame.mapping, self.faults.lines)
        if cut:
            message = f"this expression was cut at a comma by {'{...}' if frame.mapping else '[...]'}"
            self.faults.add("comma-trap", message, cut.line, cut.column, CUT_HINT)
        return cut is not None

    def _refuse_properties(self, event: Any) -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if event.anchor is not None:
            message = f"a rubric may not hold anchors ({shown_text('&' + event.anchor)})"
            self.faults.add("anchor", message, line, column, f"{_NO_ANCHORS}; quote a text that begins with `&`")
        if event.tag is not None:
            hint = "remove it; quote a text that begins with `!`"
            self.faults.add("tag", "a rubric may not hold YAML tags (`!...`)", line, column, hint)

    def _alias(self, event: Any) -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        message = f"a rubric may not hold aliases ({shown_text('*' + event.anchor)})"
        self.faults.add("alias", message, line, column, f"{_NO_ANCHORS}; quote a text that begins with `*`")
        self._items.append(Scalar(f"*{event.anchor}", f"*{event.anchor}", line, column, "plain"))

    def _start_document(self, event: Any) -> bool:
        self._documents += 1
        if self._documents > 1:
            line, column = event.start_mark.line + 1, event.start_mark.column + 1
            message = "a second document begins here; a rubric is one document"
            self.faults.add("several-documents", message, line, column, "remove it, or move it to a file of its own")
        return self._documents > 1


def _refuse_keys(keys: list[Node], faults: Faults) -> None:
    """Keys that are no names: collections, merges, letters in pieces, and whatever equals an earlier key."""
    earlier: dict[Any, Scalar] = {}
    for key in keys:
        if not isinstance(key, Scalar):
            hint = "a key is a name, a text or a number; quote a text that begins with a bracket"
            faults.add("key-not-scalar", "a key cannot be a mapping or a list", key.line, key.column, hint)
        elif key.value == "<<" and key.style == "plain":
            hint = "write the merged keys out"
            faults.add("merge-key", "a rubric may not hold merge keys (`<<`)", key.line, key.column, hint)
        elif not is_normalized("NFC", key.text):
            message = f"the key {shown_text(key.text)} is not in composed form (Unicode NFC)"
            hint = "write an accented letter as one character, not as a letter and its accent"
            faults.add("key-not-normalized", message, key.line, key.column, hint)
        elif key.value in earlier:
            _refuse_duplicate(key, earlier[key.value], faults)
        else:
            earlier[key.value] = key


def _refuse_duplicate(key: Scalar, first: Scalar, faults: Faults) -> None:
    same = "was already given" if key.text == first.text else f"is the same as {shown_text(first.text)}"
    message = f"the key {shown_text(key.text)} {same} on line {first.line}"
    faults.add("duplicate-key", message, key.line, key.column, "rename one of the two, or remove it")
