"""What is known about a value before it exists: its kind, its range, its fields, the inputs it comes from."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["any", "null", "number", "text", "boolean", "list", "map", "record", "function"]
NOWHERE: frozenset[str] = frozenset()
MAX_DEPTH = 64  # collections inside collections of which more is known than that they are there


@dataclass(frozen=True, slots=True)
class Type:
    """An abstract value. `low` and `high` bound numbers, `element` types the members of lists and maps,
    `fields` those of records, `words` are all values it can have, where they are few. `origins` names the inputs
    from which a value of this type may come; the members of a collection have their own. A list without `element` is
    empty. `entries` names the lists of inputs that this very value may be, each as (input, record, field), of which
    `malformed` tells something. `depth` counts the collections inside one another.
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
    long: bool = False  # a text that was made, and may be as long as any
    depth: int = field(default=0, compare=False)

    def member(self, name: str) -> "Type | None":
        return next((type_ for known, type_ in self.fields if known == name), None)

    def or_null(self, nullable: bool = True) -> "Type":
        return self if not nullable or self.nullable else self.noted(True, self.origins)

    def never_null(self) -> "Type":
        return self.noted(False, self.origins) if self.nullable else self

    def coming_from(self, origins: frozenset[str]) -> "Type":
        return self if origins <= self.origins else self.noted(self.nullable, self.origins | origins)

    def noted(self, nullable: bool, origins: frozenset[str]) -> "Type":
        """This type with another nullability and other origins. Spelt out: inference does it for every node."""
        return Type(
            self.kind,
            nullable,
            self.low,
            self.high,
            self.whole,
            self.element,
            self.fields,
            self.words,
            origins,
            self.open,
            self.entries,
            self.long,
            self.depth,
        )

    def __str__(self) -> str:
        text = self.kind
        if self.kind in ("list", "map") and self.element is not None and self.element.kind != "any":
            inner = str(self.element)
            text = f"{self.kind} of ({inner})" if self.element.nullable else f"{self.kind} of {inner}"
        elif self.kind == "record" and self.fields:
            names = [name for name, _ in self.fields]
            text = f"record of {', '.join(names[:6])}{', ...' if len(names) > 6 else ''}"
        return f"{text} or null" if self.nullable and self.kind not in ("any", "null") else text


ANY = Type("any", nullable=True)
NULL = Type("null", nullable=True)
NUMBER = Type("number")
TEXT = Type("text")
MADE_TEXT = Type("text", long=True)
BOOLEAN = Type("boolean")
FUNCTION = Type("function")


def number(low: float = -math.inf, high: float = math.inf, *, whole: bool = False, nullable: bool = False) -> Type:
    return Type("number", nullable=nullable, low=low, high=high, whole=whole)


def list_of(element: Type, *, nullable: bool = False) -> Type:
    inner = _bounded(element)
    return Type("list", nullable=nullable, element=inner, depth=inner.depth + 1)


def map_of(element: Type, *, nullable: bool = False) -> Type:
    inner = _bounded(element)
    return Type("map", nullable=nullable, element=inner, depth=inner.depth + 1)


def record_of(fields: Mapping[str, Type], *, nullable: bool = False) -> Type:
    inner = tuple((name, _bounded(type_)) for name, type_ in fields.items())
    return Type("record", nullable=nullable, fields=inner, depth=1 + max((t.depth for _, t in inner), default=0))


def _bounded(inner: Type) -> Type:
    """The type inside a collection, forgotten where nothing could follow it any more."""
    return inner if inner.depth < MAX_DEPTH else ANY.coming_from(all_origins(inner))


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
        here, there = a.member(name) or _absent(a), b.member(name) or _absent(b)
        fields[name] = join(here, there)
    return Type("record", fields=tuple(fields.items()), open=a.open or b.open, depth=max(a.depth, b.depth))


def _absent(record: Type) -> Type:
    """What a field is that a record does not name."""
    return ANY if record.open else NULL


def join(a: Type, b: Type) -> Type:
    """The least that is true of a value which is either the one or the other."""
    if a is b or a == b:
        return a
    nullable, origins = a.nullable or b.nullable, a.origins | b.origins
    if a.kind == "null" or b.kind == "null":
        other = b if a.kind == "null" else a
        return other.noted(True, origins)
    if a.kind != b.kind:
        return Type("any", nullable=nullable, origins=all_origins(a) | all_origins(b))
    words = tuple(dict.fromkeys([*a.words, *b.words])) if a.words is not None and b.words is not None else None
    if a.kind == "record":
        return _join_fields(a, b).noted(nullable, origins)
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
        depth=max(a.depth, b.depth),
        entries=a.entries | b.entries,
        long=a.long or b.long,
    )


def join_all(types: Iterable[Type]) -> Type | None:
    """The join of several types; None of none."""
    joined: Type | None = None
    for type_ in types:
        joined = type_ if joined is None else join(joined, type_)
    return joined


def widened(type_: Type) -> Type:
    """What is true of a value whatever it is exactly: without ranges and words."""
    return Type(
        type_.kind,
        type_.nullable,
        element=widened(type_.element) if type_.element is not None else None,
        fields=tuple((name, widened(inner)) for name, inner in type_.fields),
        words=type_.words if type_.kind == "function" else None,
        origins=type_.origins,
        open=type_.open,
        entries=type_.entries,
        long=type_.long,
        depth=type_.depth,
    )


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
