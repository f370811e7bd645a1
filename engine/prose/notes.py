"""The author's comments beside the parts of a rubric: they mean nothing to the engine and much to a reader."""

from ..document import Document, Scalar
from .markdown import plain


def beside(document: Document, key: Scalar) -> str:
    """The comment at the end of a key's line, where the key is the first thing on it; empty where there is none."""
    line = document.lines[key.line - 1]
    return plain(comment_of(line)) if not line[: key.column - 1].strip() else ""


def above(document: Document, key: Scalar) -> str:
    """The comment on the lines right above a key, as deep as it; rulers do not count."""
    found: list[str] = []
    for number in range(key.line - 2, -1, -1):
        line = document.lines[number]
        text = line.strip()
        if not text.startswith("#") or len(line) - len(line.lstrip()) != key.column - 1 or _is_ruler(text):
            break
        found.insert(0, text.lstrip("#").strip())
    return plain(" ".join(found))


def note(document: Document, key: Scalar) -> str:
    """What the author says of a part, above it or beside it."""
    return " ".join(part for part in (above(document, key), beside(document, key)) if part)


def _is_ruler(text: str) -> bool:
    return text.startswith(("# ---", "#---", "# ===")) or not text.strip("# -=")


def comment_of(line: str) -> str:
    """The comment on a line of YAML: after a `#` that follows white space outside quotes."""
    quote, before = "", " "
    for place, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'" and before in " [{,:(":
            quote = character
        elif character == "#" and before in " \t":
            return line[place:].lstrip("#").strip()
        before = character
    return ""
