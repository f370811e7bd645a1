"""What a field of a record may hold, in words."""

from collections.abc import Iterable

from ..rubric import Atom, FieldType
from .phrases import code, listed

_KINDS = {
    "text": "a text that is not blank",
    "string": "a text, maybe empty",
    "boolean": "true or false",
    "any": "anything",
    "number": "a number",
    "integer": "a whole number",
}
_SEVERAL = {
    "text": "texts that are not blank",
    "string": "texts",
    "boolean": "truth values",
    "any": "anything",
    "number": "numbers",
    "integer": "whole numbers",
}
_OPTIONAL = {
    "nothing": "may be absent or null",
    "absent": "may be absent, but not null",
    "null": "may be null, but not absent",
    "omitted": "may be absent, but not null; where it is absent it counts as missing, not as empty",
}


def in_words(type_: FieldType) -> str:
    """`number >= 0 or absent`: a number of at least 0; may be absent, but not null."""
    words = _one_of(type_.atoms, several=False)
    return f"{words}; {_OPTIONAL[type_.optional]}" if type_.optional else words


def _one_of(atoms: tuple[Atom, ...], *, several: bool) -> str:
    literals = [atom for atom in atoms if atom.kind == "literal"]
    others = [_alone(atom, several) for atom in atoms if atom.kind != "literal"]
    return listed([*others, *(_literal(atom) for atom in literals)], "or")


def _literal(atom: Atom) -> str:
    return code(atom.literal) if isinstance(atom.literal, str) else f"{atom.literal:g}"


def _alone(atom: Atom, several: bool) -> str:
    match atom.kind:
        case "record":
            name = record_link(atom.name or "")
            return f"{name} entries" if several else f"one {name}"
        case "list" | "map":
            kind = {"list": "list of", "map": "object whose values are"}[atom.kind]
            inner = _one_of(atom.element.atoms, several=True) if atom.element else "anything"
            absent = "; members may be null" if atom.element and atom.element.optional else ""
            return f"{'' if several else 'a ' if atom.kind == 'list' else 'an '}{kind} {inner}{absent}"
        case "text" if atom.pattern:
            return f"{'texts' if several else 'a text'} of the pattern {code(atom.pattern)} as a whole"
        case "number" | "integer":
            return f"{(_SEVERAL if several else _KINDS)[atom.kind]}{_range(atom)}"
    return (_SEVERAL if several else _KINDS)[atom.kind]


def _range(atom: Atom) -> str:
    if atom.low is not None and atom.high is not None:
        return f" from {atom.low:g} to {atom.high:g}"
    if atom.low is not None:
        return f" above {atom.low:g}" if atom.low_open else f" of at least {atom.low:g}"
    if atom.high is not None:
        return f" below {atom.high:g}" if atom.high_open else f" of at most {atom.high:g}"
    return ""


def record_link(name: str) -> str:
    """A record's name, leading to what the page says of it."""
    return f"[{code(name)}](#{name.lower()})"


def names(of: Iterable[str]) -> str:
    """Names that mean one field, of which the first given counts."""
    return listed(map(code, of), "or")
