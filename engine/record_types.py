"""What a record's field types tell inference."""

import math
from collections.abc import Callable
from dataclasses import replace

from .expressions import types
from .expressions.types import Type
from .rubric import Atom, FieldType


def atom_type(atom: Atom, record: Callable[[str], Type]) -> Type:
    """The type of one alternative; `record` gives the type of a record's entries."""
    match atom.kind:
        case "text" | "string":
            return types.TEXT
        case "boolean":
            return types.BOOLEAN
        case "number" | "integer":
            low = -math.inf if atom.low is None else atom.low
            high = math.inf if atom.high is None else atom.high
            return types.number(low, high, whole=atom.kind == "integer")
        case "literal":
            return _literal(atom.literal)
        case "record":
            return record(atom.name or "")
        case "list" | "map":
            inner = atom.element
            joined = types.join_all(atom_type(member, record) for member in inner.atoms) if inner else None
            element = optional_type(joined or types.ANY, inner, False) if inner else types.ANY
            return types.list_of(element) if atom.kind == "list" else types.map_of(element)
        case _:
            return types.ANY


def _literal(value) -> Type:
    if isinstance(value, str):
        return Type("text", words=(value,))
    return Type("number", low=value, high=value, whole=isinstance(value, int), words=(value,))


def optional_type(type_: Type, declared: FieldType, several: bool) -> Type:
    """A field that may be absent can be null, except lists and maps that are empty then; one of several can too."""
    empty = type_.kind in ("list", "map") and declared.optional in ("nothing", "absent")
    return replace(type_, nullable=True) if (declared.optional and not empty) or several else type_
