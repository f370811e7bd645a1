"""Links: paths of fields that lead through records which know them, to files that can be gone into."""

from collections.abc import Iterator

from ..findings import Finding, suggestion
from ..link_paths import steps
from ..rubric import Input, Link
from .facts import Facts

_HOLDS_FIELDS = ("json", "jsonl", "yaml")


def links(facts: Facts) -> Iterator[Finding]:
    """Links of inputs that hold no fields, links that lead nowhere, and links through what is never opened."""
    for declared in facts.rubric.inputs.values():
        for link in declared.links.values():
            found = _fault(facts, declared, link)
            if found is not None:
                yield facts.finding(*found, node=f"inputs.{declared.name}.links.{'.'.join(link.path)}")


def _fault(facts: Facts, declared: Input, link: Link) -> tuple | None:
    if declared.format not in _HOLDS_FIELDS:
        return "useless-link", f"a {declared.format} has no fields that could be paths", link.key, "leave 'links' out"
    for at, (record, part) in enumerate(steps(facts.rubric, declared, link)):
        reached = ".".join(link.path[: at + 1])
        passed = declared.links.get(reached) if at + 1 < len(link.path) else None
        if passed is not None and passed.format not in _HOLDS_FIELDS:
            message = f"nothing is read of the {passed.format} that '{reached}' names, so no link leads on from there"
            return "useless-link", message, link.key
        if record is None:
            continue
        if part == "*":
            return "unknown-field", f"'*' stands for the entries of a map, which '{record.name}' is not", link.key
        if part not in record.field_names:
            hint = suggestion(part, record.field_names) or f"fields: {', '.join(record.field_names)}"
            return "unknown-field", f"the record '{record.name}' has no field '{part}'", link.key, hint
    return None
