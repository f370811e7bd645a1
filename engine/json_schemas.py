"""The JSON Schemas that ship, and the one that follows from a rubric's records for one of its inputs."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from .analysis import nested_records
from .expressions.printer import show
from .faults import CallFault
from .findings import suggestion
from .input_schemas import schema_path
from .json_text import encode
from .link_paths import linked_fields
from .loading import LoadedRubric, bundled_names, find, load
from .records import MAX_PATTERN_TEXT
from .rubric import Atom, FieldRule, FieldType, Input, Link, Record, Rubric

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SHIPPED = {"rubric": "rubric.schema.json", "report": "report.schema.json"}
Schema = dict[str, Any]

_NULL: Schema = {"type": "null"}


def schema_text(name: str | None, input: str | None) -> str:
    """A JSON Schema (2020-12) as text: of the language by default, of reports (`report`), or of a rubric's input.

    Raises `CallFault` for what is none of these, `RubricError` for a rubric that has faults.
    """
    name = name or "rubric"
    if name not in SHIPPED:
        return _text_of_input(_loaded(name), name, input)
    if input is not None:
        raise CallFault(f"'{name}' has no inputs; give the name of a rubric before '{input}'")
    return files("rubric.schemas").joinpath(SHIPPED[name]).read_text(encoding="utf-8")


def _loaded(name: str) -> LoadedRubric:
    known = (*SHIPPED, *bundled_names())
    if name not in known and not Path(name).exists() and Path(name).suffix not in (".yaml", ".yml"):
        hint = suggestion(name, known) or f"known: {', '.join(known)}, and paths of rubrics"
        raise CallFault(f"there is no schema and no rubric '{name}'; {hint}")
    return load(find(name))


def _text_of_input(loaded: LoadedRubric, name: str, input: str | None) -> str:
    inputs = loaded.rubric.inputs
    if input is None:
        raise CallFault(f"name an input: rubric schema {name} {' | '.join(inputs)}")
    if input not in inputs:
        hint = suggestion(input, inputs) or f"its inputs are: {', '.join(inputs)}"
        raise CallFault(f"{loaded.rubric.id} has no input '{input}'; {hint}")
    declared = inputs[input]
    if declared.record is not None:
        return encode(input_schema(loaded.rubric, declared), indent=2) + "\n"
    if declared.schema is not None:
        return schema_path(declared.schema, loaded.path.parent).read_text(encoding="utf-8")
    raise CallFault(f"no record of {loaded.rubric.id} says what the input '{input}' looks like")


# ---------------------------------------------------------------- inputs and records


def input_schema(rubric: Rubric, declared: Input) -> Schema:
    """What an input must look like, as far as a JSON Schema can say it; each record is one of the `$defs`.

    An input that it refuses has faults for the engine too. The converse holds where no record has `becomes` or
    `require`, for these are expressions over other inputs; the descriptions tell them.
    """
    reached = _reached(rubric.records, declared.record or "")
    definitions = {name: record_schema(rubric.records[name]) for name in reached}
    for (record, field), link in linked_fields(rubric, declared).items():
        properties = definitions[record]["properties"]
        properties[field] = _path(properties[field], link)
    return {
        "$schema": DIALECT,
        "title": f"{rubric.id}: {declared.name}",
        "description": _about(rubric, declared),
        "$ref": f"#/$defs/{declared.record}",
        "$defs": definitions,
    }


def _path(held: Schema, link: Link) -> Schema:
    """A field that names files: what they hold is described where the schema says what the field becomes."""
    missing = ", which may be missing" if link.may_be_missing else ""
    told = f"The path of a file ({link.format}){missing}, from the folder of this one. It holds: {held['description']}"
    path = {"type": "string", "pattern": r"\S"}
    return {"description": told, **({"type": "array", "items": path} if held.get("type") == "array" else path)}


def _reached(records: Mapping[str, Record], root: str) -> list[str]:
    """A record's name and those of the records inside it, the outer before the inner."""
    reached = [root]
    for name in reached:
        reached += [inner for inner in nested_records(records[name]) if inner not in reached]
    return reached


def _about(rubric: Rubric, declared: Input) -> str:
    what = f"The input '{declared.name}' of {rubric.id}, from the {declared.origin}."
    if declared.format == "jsonl":
        what = f"One line of the input '{declared.name}' of {rubric.id}, from the {declared.origin}."
    elif declared.many:
        what = f"One file of the input '{declared.name}' of {rubric.id}, from the {declared.origin}."
    return f"{what} Numbers are finite 64-bit floats; other keys than those described are allowed and not looked at."


def record_schema(record: Record) -> Schema:
    """An object with the fields of a record."""
    properties: Schema = {}
    for rule in record.fields:
        properties[rule.names[0]] = {"description": f"{rule.type.text}.", **type_schema(rule.type)}
        properties |= {name: {"description": _after(rule, name)} for name in rule.names[1:]}
    schema: Schema = {"type": "object", "properties": properties}
    if record.becomes or record.derived or record.require:
        schema = {"type": "object", "description": _unsaid(record), "properties": properties}
    required = [rule.names[0] for rule in record.fields if len(rule.names) == 1 and _required(rule.type)]
    if required:
        schema["required"] = required
    alternatives = [part for rule in record.fields if len(rule.names) > 1 for part in _alternatives(rule)]
    return schema | ({"allOf": alternatives} if alternatives else {})


def _unsaid(record: Record) -> str:
    """The rules of a record that no JSON Schema can hold."""
    rules = [f"'{name}' becomes {show(tree)}, and null there is a fault" for name, tree in record.becomes.items()]
    rules += [f"'{name}' is {show(tree)}" for name, tree in record.derived.items()]
    rules += [f"it is required that {show(tree)} ({name})" for name, tree in record.require.items()]
    return f"Besides what this schema says: {'; '.join(rules)}."


def _after(rule: FieldRule, name: str) -> str:
    earlier = rule.names[: rule.names.index(name)]
    return f"{rule.type.text}. Counts only where there is no {' and no '.join(repr(other) for other in earlier)}."


def _alternatives(rule: FieldRule) -> Iterator[Schema]:
    """Of several fields the first that is present counts, so a later one is looked at only where no earlier one is."""
    if _required(rule.type):
        yield {"anyOf": [{"required": [name]} for name in rule.names]}
    for position in range(1, len(rule.names)):
        earlier: Schema = {"anyOf": [{"required": [name]} for name in rule.names[:position]]}
        later: Schema = {"properties": {rule.names[position]: type_schema(rule.type)}}
        yield {"if": earlier["anyOf"][0] if position == 1 else earlier, "else": later}


# ---------------------------------------------------------------- types


def _required(type_: FieldType) -> bool:
    return type_.optional in (None, "null")


def type_schema(type_: FieldType) -> Schema:
    """What a field of this type may hold, null included where that is fine."""
    schema = _one_of(type_.atoms)
    return _or_null(schema) if type_.optional in ("nothing", "null") else schema


def _one_of(atoms: tuple[Atom, ...]) -> Schema:
    literals = [atom.literal for atom in atoms if atom.kind == "literal"]
    schemas = [{"enum": literals}] if literals else []
    schemas += [_KINDS[atom.kind](atom) for atom in atoms if atom.kind != "literal"]
    if len(schemas) == 1:
        return schemas[0]
    if all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def _or_null(schema: Schema) -> Schema:
    if not schema:
        return schema
    if "enum" in schema:
        return {"enum": [*schema["enum"], None]}
    if "anyOf" in schema:
        return {"anyOf": [*schema["anyOf"], _NULL]}
    if "type" in schema:
        known = schema["type"]
        return {**schema, "type": [*(known if isinstance(known, list) else [known]), "null"]}
    return {"anyOf": [schema, _NULL]}


def _number(atom: Atom) -> Schema:
    schema: Schema = {"type": atom.kind}
    if atom.low is not None:
        schema["exclusiveMinimum" if atom.low_open else "minimum"] = _short(atom.low)
    if atom.high is not None:
        schema["exclusiveMaximum" if atom.high_open else "maximum"] = _short(atom.high)
    return schema


def _short(bound: float) -> float:
    return int(bound) if bound == int(bound) else bound


def _text(atom: Atom) -> Schema:
    if atom.pattern is None:
        return {"type": "string", "pattern": r"\S"}
    return {"type": "string", "pattern": f"^(?:{atom.pattern})$", "maxLength": MAX_PATTERN_TEXT}


def _record(atom: Atom) -> Schema:
    return {"$ref": f"#/$defs/{atom.name}"}


def _list(atom: Atom) -> Schema:
    """Null members are fine where the members may be missing, except that an entry of a record is never null."""
    return {"type": "array", "items": _record(atom) if atom.name else _member(atom)}


def _map(atom: Atom) -> Schema:
    return {"type": "object", "additionalProperties": _member(atom)}


def _member(atom: Atom) -> Schema:
    if atom.element is None:
        return {}
    schema = _one_of(atom.element.atoms)
    return _or_null(schema) if atom.element.optional else schema


_KINDS = {
    "text": _text,
    "string": lambda atom: {"type": "string"},
    "boolean": lambda atom: {"type": "boolean"},
    "any": lambda atom: {},
    "number": _number,
    "integer": _number,
    "record": _record,
    "list": _list,
    "map": _map,
}
