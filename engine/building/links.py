"""`links` of an input: which of its fields are paths, and what the files there hold."""

import re

from ..document import Node
from ..rubric import Link
from .builder import Builder

LINKED = ("json", "jsonl", "yaml", "text", "file")
_PATH = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]*|\*)(?:\.(?:[A-Za-z_][A-Za-z0-9_]*|\*))*")


def links(builder: Builder, node: Node | None, what: str) -> dict[str, Link]:
    """The links of an input by their paths, as written."""
    found = {}
    for entry in builder.entries(node, f"'links' of {what}"):
        name = f"link '{entry.key.text}' of {what}"
        if not _PATH.fullmatch(entry.key.text):
            hint = "write fields joined by points, as in 'cases.reference'; * stands for every entry of a map"
            builder.report("bad-name", f"the {name} is no path of fields", entry.key, hint)
            continue
        members = builder.known(entry.value, ("format", "may_be_missing"), name, required=("format",))
        found[entry.key.text] = Link(
            tuple(entry.key.text.split(".")),
            entry.key,
            builder.word(members.get("format"), LINKED, f"'format' of {name}", "json"),
            builder.boolean(members.get("may_be_missing"), f"'may_be_missing' of {name}"),
        )
    return found
