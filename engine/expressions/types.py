"""What is known about a value before it exists: its kind, its range, its fields, the inputs it comes from."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Kind = Literal["any", "null", "number", "text", "boolean", "list", "map", "record", "function"]
NOWHERE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Type:
    """An abstract value. `low` and `high` bound numbers, `element` types the members of lists and maps,
    `fields` those of records, `words` are all values it can have, where they are few. `origins` names the inputs
    from which a value of this type may come; the members of a collection have their own. `entries` names the lists of
    inputs that this very value may be, each as (input, record, field), of which `malformed` tells something.
    """

    kind: Kind = "any"
    nullable: bool = False
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    element: "Type | None" = None
    fields: tuple[tuple[str, "Type"], ...] = ()
    words: tuple | None = None
    origins: frozenset[str] = field(default=NOWHERE)
    open: bool = False  # a record that may hold other fields too
    entries: frozenset[tuple[str, str | None, str | None]] = frozenset()

    def member(self, name: str) -> "Type | None":
        return next((type_ for known, type_ in self.fields if known == name), None)

    def or_null(self, nullable: bool = True) -> "Type":
        return self if not nullable or self.nullable else replace(self, nullable=True)

    def never_null(self) -> "Type":
        return replace(self, nullable=False) if self.nullable else self

    def coming_from(self, origins: frozenset[str]) -> "Type":
        return self if origins <= self.origins else replace(self, origins=self.origins | origins)

    def __str__(self) -> str:
        text = self.kind
        if self.kind in ("list", "map") and self.element is not None and self.element.kind != "any":
            text = f"{self.kind} of {self.element}"
        elif self.kind == "record" and self.fields:
            names = [name for name, _ in self.fields]
            text = f"record of {', '.join(names[:6])}{', ...' if len(names) > 6 else ''}"
        return f"{text} or null" if self.nullable and self.kind not in ("any", "null") else text


ANY = Type("any", nullable=True)
NULL = Type("null", nullable=True)
NUMBER = Type("number")
TEXT = Type("text")
BOOLEAN = Type("boolean")
FUNCTION = Type("function")


def number(low: float = -math.inf, high: float = math.inf, *, whole: bool = False, nullable: bool = False) -> Type:
    return Type("number", nullable=nullable, low=low, high=high, whole=whole)


def list_of(element: Type, *, nullable: bool = False) -> Type:
    return Type("list", nullable=nullable, element=element)


def map_of(element: Type, *, nullable: bool = False) -> Type:
    return Type("map", nullable=nullable, element=element)


def record_of(fields: Mapping[str, Type], *, nullable: bool = False) -> Type:
    return Type("record", nullable=nullable, fields=tuple(fields.items()))


def all_origins(type_: Type) -> frozenset[str]:
    """The inputs from which a value or anything inside it may come."""
    found, waiting = set(), [type_]
    while waiting:
        current = waiting.pop()
        found |= current.origins
        waiting += [inner for _, inner in current.fields]
        waiting += [current.element] if current.element is not None else []
    return frozenset(found)


def elements(type_: Type) -> Type:
    """The type of a list's members."""
    return type_.element if type_.kind in ("list", "map") and type_.element is not None else ANY


def _join_fields(a: Type, b: Type) -> Type:
    fields = {}
    for name in dict.fromkeys([*(known for known, _ in a.fields), *(known for known, _ in b.fields)]):
        here, there = a.member(name), b.member(name)
        fields[name] = join(here, there) if here and there else (here or there or ANY).or_null()
    return Type("record", fields=tuple(fields.items()), open=a.open or b.open)


def join(a: Type, b: Type) -> Type:
    """The least that is true of a value which is either the one or the other."""
    if a is b or a == b:
        return a
    nullable, origins = a.nullable or b.nullable, a.origins | b.origins
    if a.kind == "null" or b.kind == "null":
        other = b if a.kind == "null" else a
        return replace(other, nullable=True, origins=origins)
    if a.kind != b.kind:
        return Type("any", nullable=nullable, origins=all_origins(a) | all_origins(b))
    words = tuple(dict.fromkeys([*a.words, *b.words])) if a.words is not None and b.words is not None else None
    if a.kind == "record":
        return replace(_join_fields(a, b), nullable=nullable, origins=origins)
    element = join(a.element, b.element) if a.element and b.element else a.element or b.element
    return Type(
        a.kind,
        nullable=nullable,
        low=min(a.low, b.low),
        high=max(a.high, b.high),
        whole=a.whole and b.whole,
        element=element,
        words=words,
        origins=origins,
        entries=a.entries | b.entries,
    )


def join_all(types: Iterable[Type]) -> Type | None:
    """The join of several types; None of none."""
    joined: Type | None = None
    for type_ in types:
        joined = type_ if joined is None else join(joined, type_)
    return joined


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of one type could be a value of the other; nullability is not looked at."""
    if "any" in (given.kind, wanted.kind) or given.kind == "null":
        return True
    if given.kind == "record" and wanted.kind == "map":
        return True
    if given.kind != wanted.kind:
        return False
    if given.kind in ("list", "map") and given.element and wanted.element:
        return fits(given.element, wanted.element)
    return True
