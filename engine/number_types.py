"""The number that a value stands for, where a metric, a weight or a limit wants one."""

from dataclasses import replace

from .expressions import types
from .expressions.types import Type


def as_number(type_: Type | None) -> Type | None:
    """The number that a value stands for: itself, 0 or 1 for a boolean, the `value` of a record.

    Null where it stands for none; None where nothing is known.
    """
    if type_ is None or type_.kind in ("any", "map"):
        return None
    if type_.kind == "number":
        return type_
    if type_.kind == "boolean":
        return types.number(0, 1, whole=True, nullable=type_.nullable)
    return _member(type_, "value") if type_.kind == "record" else types.NULL


def earning(type_: Type, instead: Type) -> Type:
    """A metric that earns something else where it is null, or, being a record, where its `value` is."""
    inner = type_.member("value") if type_.kind == "record" else None
    if inner is not None and inner.nullable:
        fields = ((name, earning(inner, instead) if name == "value" else member) for name, member in type_.fields)
        type_ = replace(type_, fields=tuple(fields))
    return types.join(type_.never_null(), instead) if type_.nullable else type_


def _member(type_: Type, name: str) -> Type | None:
    member = type_.member(name)
    if member is None:
        return None if type_.open else types.NULL
    inner = as_number(member) if member.kind != "record" else types.NULL
    return replace(inner, nullable=True) if inner is not None and type_.nullable else inner


def bound_of(type_: Type, bound: str) -> Type | None:
    """The lower or upper bound of a record with such fields; of a plain number, itself."""
    return _member(type_, bound) if type_.kind == "record" and bound != "point" else as_number(type_)
