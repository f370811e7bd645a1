"""A YAML file to a tree in which every key and value knows its line and column. Nothing after this touches YAML.

What YAML offers and a rubric must not hold is refused here, as much of it as possible in one run: duplicate keys, tags,
anchors, merge keys, several documents, tabs, NaN and infinities, bytes that are not UTF-8, and the comma trap.
"""

import os
import re
import stat
from contextlib import suppress
from os import PathLike
from pathlib import Path

from yaml.error import YAMLError

from ..findings import Finding, Position, RubricError, suggestion
from .builder import TreeBuilder
from .characters import Characters, look_over, printable, refuse_characters, refuse_white_space
from .faults import LONGEST_LINE_SHOWN, Faults, TooManyFaults, shown_line, shown_text
from .loader import LOADER
from .nodes import Document, Mapping, Node, Scalar
from .places import Place
from .syntax import SyntaxFault, explain

MAX_BYTES = 4 * 1024 * 1024
"""Of one file, 4 MiB: some fifty times the longest rubric a person would read."""

_BEGINNING = "begin with `rubric: ` and its name"
_MAX_ATTEMPTS = 10
_DIRECTIVE = re.compile(r"\A(?:[ \t]*(?:#.*)?\n)*(%.*)")


def read_file(path: str | PathLike[str]) -> Document:
    """The document in a file, by the name of its path. Raises RubricError for whatever is wrong with either."""
    name = os.fspath(path)
    try:
        mode = os.stat(name).st_mode
        if stat.S_ISDIR(mode):
            raise _refusal("unreadable-file", "this is a folder, not a file", name, hint="name a file inside it")
        if not stat.S_ISREG(mode):
            raise _refusal("unreadable-file", "this is not a regular file", name)
        with open(name, "rb") as file:
            source = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _refusal("unreadable-file", "there is no such file", name, hint=_near(Path(name))) from None
    except OSError as error:
        raise _refusal("unreadable-file", f"the file cannot be read: {error.strerror}", name) from None
    except ValueError:
        raise _refusal("unreadable-file", "this is no name of a file", name) from None
    return read_document(source, name)


def read_document(source: bytes | str, name: str) -> Document:
    """The document in `source` (UTF-8), called `name` in messages. Raises RubricError with every finding of one run."""
    text = _decode(source, name)
    characters = look_over(text)
    faults = Faults(name, tuple((printable(text) if characters.forbidden else text).split("\n")))
    root = None
    with suppress(TooManyFaults):
        root = _read_root(text, characters, faults)
    findings = faults.in_file_order()
    if findings or root is None:
        raise RubricError(findings)
    return Document(root, name, tuple(faults.lines))


def _refusal(
    id: str, message: str, name: str, place: Place = (1, 1), hint: str | None = None, line_text: str | None = None
) -> RubricError:
    return RubricError([Finding(id, message, Position(name, *place), hint, line_text=line_text)])


def _near(path: Path) -> str | None:
    """`did you mean 'x'?` for a file of a similar name in the same folder."""
    try:
        return suggestion(path.name, os.listdir(path.parent))
    except (OSError, ValueError):
        return None


def _decode(source: bytes | str, name: str) -> str:
    """The text without its byte-order mark, every line break a line feed."""
    if len(source) > MAX_BYTES:
        message = f"the file is larger than {MAX_BYTES // 1024**2} MiB, the most that is read"
        raise _refusal("file-too-large", message, name)
    text = source if isinstance(source, str) else _decode_bytes(source, name)
    return _with_line_feeds(text.removeprefix("\ufeff"))


def _decode_bytes(source: bytes, name: str) -> str:
    head = source[:64]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or 0 < len(head) <= head.count(0) * 2:
        raise _refusal("encoding", "the file is UTF-16 or UTF-32; a rubric is UTF-8", name, hint="save it as UTF-8")
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError as error:
        before = _with_line_feeds(source[: error.start].decode("utf-8").removeprefix("\ufeff"))
        place = before.count("\n") + 1, len(before) - before.rfind("\n")
        rest = source[error.start : error.start + LONGEST_LINE_SHOWN].decode("utf-8", "replace")
        line = before[before.rfind("\n") + 1 :] + _with_line_feeds(rest).partition("\n")[0]
        byte = source[error.start]
        latin = f", which is {shown_text(chr(byte))} in Latin-1" if byte >= 0xA1 else ""
        message = f"the byte 0x{byte:02X} is not UTF-8{latin}"
        raise _refusal(
            "encoding", message, name, place, "save the file as UTF-8", shown_line([printable(line)], 1)
        ) from None


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _read_root(text: str, characters: Characters, faults: Faults) -> Mapping | None:
    """The top level, or None where a fault says why there is none."""
    if characters.forbidden:
        refuse_characters(text, faults)
        return None
    roots = _parse(_without_directives(text, faults), characters, faults)
    if roots is None:
        return None
    root = roots[0] if roots else None
    if root is None or (isinstance(root, Scalar) and root.text == "" and root.style == "plain"):
        faults.add(
            "empty-file", "the file holds only comments" if "#" in text else "the file is empty", 1, 1, _BEGINNING
        )
    elif not isinstance(root, Mapping):
        faults.add("top-level", "the top level must be a mapping", root.line, root.column, _BEGINNING)
    return root if isinstance(root, Mapping) else None


def _without_directives(text: str, faults: Faults) -> str:
    """The text with the directives at its start blanked out, each a fault."""
    while match := _DIRECTIVE.match(text):
        line = text.count("\n", 0, match.start(1)) + 1
        faults.add("directive", "a rubric may not hold YAML directives (`%...`)", line, 1, "remove this line")
        text = text[: match.start(1)] + text[match.end(1) :]
    return text


def _parse(text: str, characters: Characters, faults: Faults) -> list[Node] | None:
    """The roots that could be read, or None after a syntax error.

    A line that cannot be parsed is left out, and the text read again, so that one run finds the next one too.
    """
    sound = True
    for _ in range(_MAX_ATTEMPTS):
        builder = TreeBuilder(faults, characters, text.isascii())
        fault = _read_events(text, builder, faults)
        if characters.tabs or characters.odd_spaces:
            refuse_white_space(builder.extents, fault.place[0] - 1 if fault else len(faults.lines), faults)
        if fault is None:
            return builder.roots if sound and not builder.frames else None
        faults.add(fault.id, fault.message, *fault.place, fault.hint)
        if fault.rest is None:
            return None
        text, sound = _leave_out(text, fault.rest), False
    return None


def _read_events(text: str, builder: TreeBuilder, faults: Faults) -> SyntaxFault | None:
    loader = LOADER(text)
    try:
        builder.read(loader.get_event)
    except YAMLError as error:
        return explain(error, builder.frames, faults.lines)
    finally:
        loader.dispose()
    return None


def _leave_out(text: str, rest: Place) -> str:
    """The text without what follows `rest` on its line."""
    lines = text.split("\n")
    lines[rest[0] - 1] = lines[rest[0] - 1][: rest[1] - 1]
    return "\n".join(lines)
