"""Values, functions and records that need themselves."""

from collections.abc import Iterator

from ..document import Scalar
from ..findings import Finding
from .facts import Facts


def cycles(facts: Facts) -> Iterator[Finding]:
    """Each loop, shown from the part that stands first in the file."""
    for loop in facts.analysis.loops:
        ids = loop[:-1]
        keys = [key_of(facts, id) for id in ids]
        first = min(range(len(ids)), key=lambda position: (keys[position].line, keys[position].column))
        shown = [*ids[first:], *ids[:first], ids[first]]
        message = f"{shown[0]} needs itself: {' -> '.join(shown)}"
        yield facts.finding("cycle", message, keys[first], "let one of them do without the next", node=_path(ids[first]))


def key_of(facts: Facts, id: str) -> Scalar:
    """Where a node, function or record is written."""
    rubric = facts.rubric
    if id.endswith("()"):
        return rubric.functions[id[:-2]].key
    if id.startswith("record "):
        return rubric.records[id.removeprefix("record ")].key
    name, _, part = id.partition(".")
    if part:
        return rubric.records[rubric.inputs[name].record or ""].keys[part]
    sections = (rubric.let, rubric.metrics, rubric.score, rubric.constants, rubric.inputs)
    return next(section[name].key for section in sections if name in section)


def _path(id: str) -> str:
    return f"functions.{id[:-2]}" if id.endswith("()") else id.replace("record ", "records.")
