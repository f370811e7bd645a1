"""Records, the names of records, and schemas."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from ..findings import Finding, suggestion
from ..rubric import Atom, FieldType
from .facts import Facts

_KINDS = ("text", "string", "boolean", "any", "number", "integer")


def unknown_records(facts: Facts) -> Iterator[Finding]:
    """Inputs that name a record which is not there, or which nothing looks at."""
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


def unknown_types(facts: Facts) -> Iterator[Finding]:
    """Fields whose type names a record or type that is not there: an unknown word is a literal, which few mean."""
    known = [*_KINDS, *facts.rubric.records]
    for record in facts.rubric.records.values():
        for rule in record.fields:
            at = facts.value("records", record.name, "fields", rule.key.text) or rule.key
            for id, message, hint in _unknown(rule.type, known):
                yield facts.finding(id, message, at, hint, node=f"records.{record.name}.{rule.names[0]}")


def _unknown(type_: FieldType, known: list[str]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with the words of a type: id, message, hint."""
    for atom in type_.atoms:
        word = _only_word(atom)
        if word is not None:
            message = f"there is no record '{word}' for the members of this {atom.kind}"
            yield "unknown-record", message, suggestion(word, known) or "name a record, or a type such as text"
        near = suggestion(atom.literal, known) if isinstance(atom.literal, str) else None
        if near and any(other.kind != "literal" for other in type_.atoms):
            yield "unknown-record", f"there is no type or record '{atom.literal}'", near
        if atom.kind == "record" and len(type_.atoms) > 1:
            message = f"the record '{atom.name}' cannot be one of several alternatives"
            yield "bad-type", message, "give it a field of its own, or say 'any'"
        if atom.element is not None:
            yield from _unknown(atom.element, known)


def _only_word(atom: Atom) -> str | None:
    """The word that is all that a list or map may hold: no author wants that, they mean a record."""
    members = atom.element.atoms if atom.element is not None else ()
    return members[0].literal if len(members) == 1 and isinstance(members[0].literal, str) else None


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
            hint = suggestion(declared.schema, _bundled()) or f"name a file, or one of: {', '.join(_bundled())}"
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
