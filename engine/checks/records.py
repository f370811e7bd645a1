"""Records, the names of records, and schemas."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from ..findings import Finding, suggestion
from ..rubric import Atom, FieldRule
from .facts import Facts

_KINDS = ("text", "string", "boolean", "any", "number", "integer")


def unknown_records(facts: Facts) -> Iterator[Finding]:
    """Inputs and fields that name a record which is not there."""
    records = facts.rubric.records
    for declared in facts.rubric.inputs.values():
        if declared.record is None:
            continue
        at, path = facts.part(declared.key, "record"), f"inputs.{declared.name}"
        if declared.record not in records:
            hint = suggestion(declared.record, records) or f"records: {', '.join(records) or 'none'}"
            yield facts.finding("unknown-record", f"there is no record '{declared.record}'", at, hint, node=path)
        elif declared.format in ("text", "file", "folder"):
            message = f"a {declared.format} has no fields, so the record '{declared.record}' is never looked at"
            yield facts.finding("unknown-record", message, at, "leave 'record' out, or give a format", node=path)
    for record in records.values():
        for rule in record.fields:
            at = facts.part(record.key, "fields")
            yield from _fields(facts, record.name, rule)


def _fields(facts: Facts, record: str, rule: FieldRule) -> Iterator[Finding]:
    at = facts.value("records", record, "fields", rule.key.text) or rule.key
    path = f"records.{record}.{rule.names[0]}"
    for atom in _all_atoms(rule):
        if atom.kind in ("list", "map") and (word := _only_word(atom)) is not None:
            hint = suggestion(word, [*_KINDS, *facts.rubric.records])
            message = f"there is no record '{word}' for the members of this {atom.kind}"
            yield facts.finding("unknown-record", message, at, hint or "name a record, or a type such as text", node=path)
    for atoms in _alternatives(rule):
        kinds = [atom for atom in atoms if atom.kind != "literal"]
        for atom in atoms:
            if kinds and isinstance(atom.literal, str) and (hint := suggestion(atom.literal, [*_KINDS, *facts.rubric.records])):
                message = f"there is no type or record '{atom.literal}'"
                yield facts.finding("unknown-record", message, at, hint, node=path)
            elif atom.kind == "record" and len(atoms) > 1:
                message = f"the record '{atom.name}' cannot be one of several alternatives"
                yield facts.finding("bad-type", message, at, "give it a field of its own, or say 'any'", node=path)


def _all_atoms(rule: FieldRule) -> Iterator[Atom]:
    for atoms in _alternatives(rule):
        yield from atoms


def _alternatives(rule: FieldRule) -> Iterator[tuple[Atom, ...]]:
    """The alternatives of a field's type, then those of its members, and so on inwards."""
    waiting = [rule.type]
    while waiting:
        type_ = waiting.pop(0)
        yield type_.atoms
        waiting += [atom.element for atom in type_.atoms if atom.element is not None]


def _only_word(atom: Atom) -> str | None:
    """The word that is all a collection may hold: no author wants that, they mean a record."""
    members = atom.element.atoms if atom.element is not None else ()
    literal = members[0].literal if len(members) == 1 and members[0].kind == "literal" else None
    return literal if isinstance(literal, str) else None


def becoming(facts: Facts) -> Iterator[Finding]:
    """Values that a field is to become, where there is no such field."""
    for record in facts.rubric.records.values():
        for name in record.becomes:
            if name not in record.field_names:
                at = facts.key("records", record.name, "becomes", name) or record.key
                hint = suggestion(name, record.field_names) or f"fields: {', '.join(record.field_names)}"
                message = f"the record '{record.name}' has no field '{name}' that could become something"
                yield facts.finding("unknown-field", message, at, hint, node=f"records.{record.name}.{name}")


def unknown_schemas(facts: Facts) -> Iterator[Finding]:
    """Inputs that name a schema which neither comes with the package nor lies beside the rubric."""
    for declared in facts.rubric.inputs.values():
        if declared.schema is not None and not _schema_exists(facts, declared.schema):
            hint = suggestion(declared.schema, _bundled()) or f"name a file, or one of: {', '.join(_bundled()) or 'none'}"
            at, path = facts.part(declared.key, "schema"), f"inputs.{declared.name}"
            yield facts.finding("unknown-schema", f"there is no schema '{declared.schema}'", at, hint, node=path)


def _bundled() -> list[str]:
    names = (file.name for file in files("rubric.schemas").iterdir())
    return sorted(name.removesuffix(".schema.json") for name in names if name.endswith(".schema.json"))


def _schema_exists(facts: Facts, name: str) -> bool:
    beside = Path(facts.rubric.document.name).parent
    try:
        return name in _bundled() or (beside / name).is_file() or (beside / f"{name}.schema.json").is_file()
    except (OSError, ValueError):
        return False
