"""What every section's reader shares: findings with positions, known keys, texts, ids."""

import re
from collections.abc import Iterable

from ..document import Document, Entry, Mapping, Node, Scalar, Sequence
from ..expressions.parser import KEYWORDS
from ..findings import Finding, suggestion

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")


def described(node: Node) -> str:
    """A node as a person would name it in a message."""
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return "nothing" if node.value is None else f"'{node.text}'"


class Builder:
    """Collects the findings of one document while its sections are read."""

    def __init__(self, document: Document):
        self.document = document
        self.findings: list[Finding] = []

    def report(self, id: str, message: str, node: Node, hint: str | None = None, *, offset: int = 0) -> None:
        self.findings.append(self.document.finding(id, message, node, offset=offset, hint=hint))

    def entries(self, node: Node | None, what: str) -> tuple[Entry, ...]:
        """The members of a mapping; nothing, with a finding, where something else stands."""
        if node is None:
            return ()
        if isinstance(node, Mapping):
            return node.entries
        hint = "give each member a name: 'name: ...'" if isinstance(node, Sequence) else None
        self.report("wrong-shape", f"{what} is a mapping, not {described(node)}", node, hint)
        return ()

    def known(
        self, node: Node | None, keys: Iterable[str], what: str, *, required: Iterable[str] = ()
    ) -> dict[str, Node]:
        """The values of a mapping whose keys are all known, by key."""
        keys = list(keys)
        found: dict[str, Node] = {}
        for entry in self.entries(node, what):
            name = entry.key.text
            if name in keys:
                found[name] = entry.value
            else:
                hint = suggestion(name, keys) or f"known keys: {', '.join(keys)}"
                self.report("unknown-key", f"{what} has no key '{name}'", entry.key, hint)
        if isinstance(node, Mapping):
            for name in required:
                if name not in found:
                    self.report("missing-key", f"{what} needs '{name}:'", node)
        return found

    def text(self, node: Node | None, what: str) -> str | None:
        """A text; null where nothing stands."""
        if node is None:
            return None
        if isinstance(node, Scalar) and isinstance(node.value, str):
            return node.value
        self.report("wrong-shape", f"{what} is a text, not {described(node)}", node)
        return None

    def word(self, node: Node | None, known: Iterable[str], what: str, default: str) -> str:
        """One of a few words."""
        if node is None:
            return default
        known = list(known)
        if isinstance(node, Scalar) and node.text in known:
            return node.text
        hint = suggestion(node.text, known) if isinstance(node, Scalar) else None
        self.report("unknown-word", f"{what} is one of {', '.join(known)}, not {described(node)}", node, hint)
        return default

    def number(self, node: Node | None, what: str, default: float) -> float:
        if node is None:
            return default
        if isinstance(node, Scalar) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            return node.value
        self.report("wrong-shape", f"{what} is a number, not {described(node)}", node)
        return default

    def boolean(self, node: Node | None, what: str) -> bool:
        if node is None:
            return False
        if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        self.report("wrong-shape", f"{what} is true or false, not {described(node)}", node)
        return False

    def name(self, key: Scalar, what: str) -> str:
        """A name that expressions can use."""
        name = key.text
        if not _NAME.match(name):
            hint = "names are letters, digits and _, and do not begin with a digit"
            self.report("bad-name", f"{what} cannot be called '{name}'", key, hint)
        elif name in KEYWORDS:
            self.report("bad-name", f"{what} cannot be called '{name}': it is a word of the language", key)
        return name

    def id(self, key: Scalar, what: str) -> str:
        """A name that only reports use; it may have hyphens."""
        if not _ID.match(key.text):
            self.report("bad-name", f"{what} cannot be called '{key.text}'", key, "use letters, digits, _ and -")
        return key.text
