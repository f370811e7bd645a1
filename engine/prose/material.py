"""What comes in, and what it must look like: inputs, constants, records, preconditions."""

from collections.abc import Iterator, Mapping

from ..dependencies import has_fields, nested_records
from ..formulas import data
from ..json_text import encode
from ..rubric import Constant, FieldRule, Input, Record, Rubric
from . import field_types, notes
from .definitions import in_words
from .markdown import Section, capital, sentence, table
from .phrases import clause, code, each_of, listed, noun

_FROM = {
    "reference": "the benchmark (reference)",
    "operator": "whoever runs the scoring (operator)",
    "candidate": "the candidate",
}
_FORMATS = {
    "json": "a JSON file",
    "jsonl": "a JSON Lines file",
    "yaml": "a YAML file",
    "text": "a text file",
    "file": "a file",
    "folder": "a folder",
}


def inputs(rubric: Rubric) -> Section:
    rows = {name: _input(rubric, declared) for name, declared in rubric.inputs.items()}
    return Section(
        "inputs",
        "What comes in",
        rows,
        head=("Input", "From", "What it is", "Where it is not given", "Where it cannot be used", "Note"),
    )


def _input(rubric: Rubric, declared: Input) -> list[str]:
    note = notes.note(rubric.document, declared.key)
    return [code(declared.name), _FROM[declared.origin], _what(declared), _absent(declared), _unusable(declared), note]


def _what(declared: Input) -> str:
    what = _FORMATS[declared.format]
    if declared.many:
        what = f"a list of files, each {what}"
    if declared.format == "folder":
        files = (f"{code(name)} ({' '.join(map(code, source.values()))})" for name, source in declared.folder.items())
        what += f" with {listed(files)}"
    if declared.record:
        lines = " a line" if declared.format == "jsonl" else ""
        what += f": one {field_types.record_link(declared.record)}{lines}"
    if declared.links:
        what += f"; {_links(declared)}"
    return f"{what}, as the schema {code(declared.schema)} says" if declared.schema else what


def _links(declared: Input) -> str:
    """Which fields name files, in words."""
    named = (
        f"{code(name)} {_FORMATS[link.format]}{' that may be missing' if link.may_be_missing else ''}"
        for name, link in declared.links.items()
    )
    return f"of its fields, these name files: {listed(named)}"


def _absent(declared: Input) -> str:
    if declared.has_default:
        return f"{code(encode(declared.default))} stands for it" if declared.default is not None else "it is null"
    return "the list is empty" if declared.may_be_empty else "nothing is scored"


def _unusable(declared: Input) -> str:
    if declared.origin != "candidate":
        return "there is no score (infrastructure error)"
    return "every metric is 0" if declared.when_invalid == "zero" else "it is null, and with it what depends on it"


# ---------------------------------------------------------------- constants


def constants(rubric: Rubric) -> Section:
    rows = {
        name: [code(name), value_of(constant), notes.note(rubric.document, constant.key)]
        for name, constant in rubric.constants.items()
    }
    return Section("constants", "Constants", rows, head=("Name", "Value", "Note"))


def value_of(constant: Constant) -> str:
    """A constant's value as it is written; of a table, a value for each value of another name."""
    if constant.by is None:
        value = data(constant.node)
        return value if isinstance(constant.value, (int, float)) else _plain(constant.value, value)
    members = (f"{data(entry.value)} at {entry.key.text}" for entry in constant.node.entries if entry.key.text != "by")  # type: ignore[union-attr]
    return f"by {code(constant.by)}: {', '.join(members)}"


def _plain(value: object, text: str) -> str:
    if isinstance(value, list) and value and all(isinstance(member, str) for member in value):
        return ", ".join(code(member) for member in value)
    if isinstance(value, dict):
        return ", ".join(f"{code(str(name))} {encode(member)}" for name, member in value.items())
    return code(text)


# ---------------------------------------------------------------- records


def records(rubric: Rubric) -> Section:
    places = places_of(rubric)
    items = {name: _record(rubric, record, places.get(name, {})) for name, record in rubric.records.items()}
    above = notes.above(rubric.document, _section_key(rubric, "records")) if rubric.records else ""
    return Section("records", "What an entry must look like", items, introduction=[above] if above else [])


def _section_key(rubric: Rubric, name: str):
    return next(entry.key for entry in rubric.document.root.entries if entry.key.text == name)


def _record(rubric: Rubric, record: Record, places: Mapping[str, str]) -> list[str]:
    note = notes.note(rubric.document, record.key)
    lines = [f"### {code(record.name)}", ""]
    lines += [sentence(capital(note)), ""] if note else []
    lines += table(("Field", "What it holds", "Note"), (field_row(rubric, record, rule) for rule in record.fields))
    lines += _derived(rubric, record)
    lines += _required(rubric, record)
    return [*lines, "", *(f"{text}" for text in _faults(rubric, record, places))]


def field_row(rubric: Rubric, record: Record, rule: FieldRule) -> list[str]:
    """A field's name, what it may hold, and what else is said of it."""
    holds = field_types.in_words(rule.type)
    if len(rule.names) > 1:
        holds += "; the first of these that is there counts"
    becoming = [record.becomes[name] for name in rule.names if name in record.becomes]
    for tree in becoming:
        holds += f"; what is given becomes {noun(tree)}, and where that is nothing the entry breaks this record"
    return [field_types.names(rule.names), holds, notes.beside(rubric.document, rule.key)]


def _derived(rubric: Rubric, record: Record) -> list[str]:
    """What is worked out of the fields."""
    if not record.derived:
        return []
    lines = ["", "Worked out from these:", ""]
    for name, tree in record.derived.items():
        phrase, below = in_words(tree)
        note = notes.beside(rubric.document, record.keys[name])
        lines += [f"- {code(name)}: {phrase}{f' ({note})' if note else ''}{':' if below else ''}"]
        lines += [f"  {line}" for line in below]
    return lines


def _required(rubric: Rubric, record: Record) -> list[str]:
    if not record.require:
        return []
    return ["", "It must hold:", "", *(f"- {code(name)}: {clause(tree)}" for name, tree in record.require.items())]


def _faults(rubric: Rubric, record: Record, places: Mapping[str, str]) -> Iterator[str]:
    """What becomes of an entry that breaks its record, by where it stands."""
    roots = [place for place in places if place in rubric.inputs and has_fields(rubric, rubric.inputs[place])]
    entries = [place for place in places if place not in roots]
    yours = [code(place) for place in entries if places[place] == "candidate"]
    theirs = [code(place) for place in entries if places[place] != "candidate"]
    said = []
    for place in roots:
        said.append(f"Where {code(place)} breaks this, {_unusable(rubric.inputs[place])}.")
    if yours and record.when_invalid == "field_is_null":
        said.append(f"In {listed(yours)}, a field that breaks this is named in the report and counts as missing.")
    elif yours:
        said.append(f"In {listed(yours)}, an entry that breaks this is malformed: left out, named and counted.")
    if theirs:
        said.append(f"In {listed(theirs)}, a fault is an infrastructure error: there is no score.")
    if said:
        yield " ".join(said)


def places_of(rubric: Rubric) -> dict[str, dict[str, str]]:
    """For each record, where its entries stand: `truth.events`, with whom they come from."""
    found: dict[str, dict[str, str]] = {}
    for declared in rubric.inputs.values():
        waiting = [(declared.record or "", declared.name)]
        while waiting:
            name, place = waiting.pop(0)
            if name not in rubric.records or place in found.get(name, {}) or place.count(".") > 8:
                continue
            found.setdefault(name, {})[place] = declared.origin
            for rule in rubric.records[name].fields:
                waiting += [
                    (inner, f"{place}.{rule.names[0]}") for inner in nested_records(rubric.records[name], rule.names)
                ]
    return found


# ---------------------------------------------------------------- preconditions


def preconditions(rubric: Rubric) -> Section:
    items = {}
    for name, precondition in rubric.preconditions.items():
        parts = [clause(tree) for tree in precondition.requirements]
        each = f"for {each_of(precondition.each)}, " if precondition.each else ""
        items[name] = [code(name), capital(sentence(f"{each}{'; '.join(parts)}"))]
    return Section(
        "preconditions",
        "What must hold before anything is scored",
        items,
        introduction=[
            "Of reference and operator material. Where it does not hold there is no score (infrastructure error)."
        ],
        head=("Precondition", "What must hold"),
    )
