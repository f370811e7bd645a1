"""Values, functions and records that need themselves."""

from collections.abc import Iterator

from ..dependencies import input_of
from ..document import Scalar
from ..findings import Finding
from .facts import Facts


def cycles(facts: Facts) -> Iterator[Finding]:
    """Each loop, shown from the part that stands first in the file."""
    for loop in facts.analysis.loops:
        ids = loop[:-1]
        if facts.repeated & set(ids):
            continue  # which of the two is meant is not known
        keys = [key_of(facts, id) for id in ids]
        first = min(range(len(ids)), key=lambda position: (keys[position].line, keys[position].column))
        shown = [*ids[first:], *ids[:first], ids[first]]
        message = f"{shown[0]} needs itself: {' -> '.join(shown)}"
        hint = "let one of them do without the next"
        yield facts.finding("cycle", message, keys[first], hint, node=_path(ids[first]))


def key_of(facts: Facts, id: str) -> Scalar:
    """Where a node, function or record is written."""
    rubric = facts.rubric
    if id.endswith("()"):
        return rubric.functions[id[:-2]].key
    if id.startswith("record "):
        return rubric.records[id.removeprefix("record ")].key
    for section in (rubric.let, rubric.metrics, rubric.score, rubric.constants):
        if id in section:
            return section[id].key
    declared, part = input_of(rubric, id)
    return declared.key if part is None else rubric.records[declared.record or ""].keys[part]


def _path(id: str) -> str:
    return f"functions.{id[:-2]}" if id.endswith("()") else id.replace("record ", "records.")
