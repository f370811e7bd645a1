"""The words that say what a record's field may hold: `number >= 0 or absent`, `list of event`, `0 | 1`."""

import re

from ..document import Node, Scalar
from ..findings import suggestion
from ..rubric import Atom, FieldType
from .builder import Builder, described

_OPTIONAL = re.compile(r"(?s)(.*?),?\s+or\s+(nothing|absent|omitted|null)\s*\Z")
_BOUND = re.compile(r"(>=|>|<=|<)\s*(-?[0-9.]+(?:[eE][+-]?[0-9]+)?)\Z")
_BETWEEN = re.compile(r"from\s+(-?[0-9.]+)\s+to\s+(-?[0-9.]+)\Z")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_OTHER_LANGUAGES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "num": "number",
    "bool": "boolean",
    "date": "text",
    "list": "list of ...",
    "array": "list of ...",
    "dict": "map of ...",
    "object": "map of ...",
    "map": "map of ...",
}
_KINDS = ("text", "string", "boolean", "any", "number", "integer")


class _Fault(ValueError):
    def __init__(self, message: str, hint: str | None = None):
        super().__init__(message)
        self.message, self.hint = message, hint


def field_type(builder: Builder, node: Node, records: set[str]) -> FieldType:
    """The type that a text names; `any`, with a finding, where it names none."""
    anything = FieldType((Atom("any"),), "nothing")
    if not isinstance(node, Scalar):
        builder.report("bad-type", f"a field's type is a text, not {described(node)}", node)
        return anything
    text = str(node.value) if isinstance(node.value, str) else node.text
    try:
        return parse_type(text, records)
    except _Fault as fault:
        builder.report("bad-type", fault.message, node, fault.hint)
        return anything


def parse_type(text: str, records: set[str]) -> FieldType:
    match = _OPTIONAL.match(text)
    body, optional = (match[1], match[2]) if match else (text, None)
    return FieldType(_alternatives(body.strip(), records), optional, text.strip())  # type: ignore[arg-type]


def _alternatives(text: str, records: set[str]) -> tuple[Atom, ...]:
    for collection in ("list", "map"):
        if text.startswith(f"{collection} of "):
            element = parse_type(text[len(collection) + 4 :].strip(), records)
            name = element.atoms[0].name if len(element.atoms) == 1 and element.atoms[0].kind == "record" else None
            return (Atom(collection, name=name, element=element),)
    if text.startswith("text matching "):
        return (Atom("text", pattern=_pattern(text[len("text matching ") :].strip())),)
    parts = [part.strip() for part in text.split("|")]
    atoms = tuple(_atom(part, records, alone=len(parts) == 1) for part in parts)
    if len(atoms) > 1 and any(atom.kind == "record" for atom in atoms):
        raise _Fault("a record cannot be one of several alternatives", "give each shape a field of its own")
    return atoms


def _atom(text: str, records: set[str], *, alone: bool) -> Atom:
    head, _, rest = text.partition(" ")
    if head in ("number", "integer") and rest:
        return _bounded(head, rest.strip())
    if text in _KINDS:
        return Atom(text)  # type: ignore[arg-type]
    if text in records:
        return Atom("record", name=text)
    if _NUMBER.match(text):
        return Atom("literal", literal=int(text) if text.lstrip("-").isdigit() else float(text))
    if text in _OTHER_LANGUAGES:
        raise _Fault(f"there is no type or record '{text}'", f"did you mean '{_OTHER_LANGUAGES[text]}'?")
    if text in ("true", "false", "null"):
        raise _Fault(f"'{text}' is no type", "write 'boolean' for true or false, 'or nothing' for null")
    if not _WORD.match(text):
        raise _Fault(f"'{text}' is no type", "types: text, string, boolean, any, number, integer, list of R, map of T")
    near = suggestion(text, [*_KINDS, *records], nearness=0.8)
    if alone and near:
        raise _Fault(f"there is no type or record '{text}'", near)
    return Atom("literal", literal=text)


def _bounded(kind: str, rest: str) -> Atom:
    between = _BETWEEN.match(rest)
    if between:
        low, high = float(between[1]), float(between[2])
        if low > high:
            raise _Fault(f"no number is from {between[1]} to {between[2]}")
        return Atom(kind, low=low, high=high)  # type: ignore[arg-type]
    bound = _BOUND.match(rest)
    if not bound:
        raise _Fault(f"'{rest}' is no bound", f"write '{kind} >= 0', '{kind} > 0' or '{kind} from 0 to 1'")
    value, strict = float(bound[2]), len(bound[1]) == 1
    if bound[1][0] == ">":
        return Atom(kind, low=value, low_open=strict)  # type: ignore[arg-type]
    return Atom(kind, high=value, high_open=strict)  # type: ignore[arg-type]


_NESTED_REPEAT = re.compile(r"[+*}]\)?[+*{]|\([^()]*[+*|}][^()]*\)[+*{]|\\[1-9]|\(\?")


def _pattern(text: str) -> str:
    """A pattern that is matched against whole texts in time proportional to their length."""
    if _NESTED_REPEAT.search(text) or len(re.findall(r"[+*{]", text)) > 3:
        hint = "no repeats inside repeats, no references, no look-around, at most three repeats"
        raise _Fault(f"the pattern '{text}' could take very long on a hostile text", hint)
    try:
        re.compile(text)
    except re.error as error:
        raise _Fault(f"the pattern '{text}' is no regular expression: {error.msg}") from None
    return text
