"""Links: paths of fields that lead through records which know them, to files that can be gone into."""

from collections.abc import Iterator

from ..findings import Finding, suggestion
from ..rubric import Input, Link, Record
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
    record = facts.rubric.records.get(declared.record or "")
    for at, part in enumerate(link.path):
        reached = ".".join(link.path[: at + 1])
        passed = declared.links.get(reached) if at + 1 < len(link.path) else None
        if passed is not None and passed.format not in _HOLDS_FIELDS:
            message = f"nothing is read of the {passed.format} that '{reached}' names, so no link leads on from there"
            return "useless-link", message, link.key
        if record is None:
            return None
        if part == "*":
            return "unknown-field", f"'*' stands for the entries of a map, which '{record.name}' is not", link.key
        if part not in record.field_names:
            hint = suggestion(part, record.field_names) or f"fields: {', '.join(record.field_names)}"
            return "unknown-field", f"the record '{record.name}' has no field '{part}'", link.key, hint
        record = _after(facts, record, part, link.path[at + 1 : at + 2])
    return None


def _after(facts: Facts, record: Record, part: str, following: tuple[str, ...]) -> Record | None:
    """The record that the next part of a path is a field of; None where that is not known."""
    rule = next(rule for rule in record.fields if part in rule.names)
    atom = rule.type.atoms[0] if len(rule.type.atoms) == 1 else None
    while atom is not None and atom.kind == "list" and atom.element is not None and len(atom.element.atoms) == 1:
        atom = atom.element.atoms[0]
    if atom is None or atom.kind == "map" or following == ("*",):
        return None
    return facts.rubric.records.get(atom.name or "")
