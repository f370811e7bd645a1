"""Raw values -> entries, by the rules of a record; what breaks them is malformed, left out, named and counted."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .expressions.values import EXACT_INTEGER
from .input_files import row_of
from .inputs import Invalid, Unreadable
from .json_text import MAX_DEPTH
from .rubric import Atom, FieldRule, FieldType, Record
from .table_files import TextRow, typed, typed_fields
from .tables.cells import NotColumnar
from .tables.raw_rows import RawRows
from .tables.reading import ByColumn, read_by_column
from .tables.table import Table

MAX_PATTERN_TEXT = 4096
GREATEST = 1.7976931348623157e308
NOT_PLAIN = "holds a number that is not finite, or is nested too deeply"
_SPACE_IN_PYTHON_ALONE = frozenset("\x1c\x1d\x1e\x1f")  # the property White_Space of Unicode lacks these
Diagnose = Callable[..., None]  # (path, reason), of a field of a table also its name


class Entries(list):
    """The entries that are well-formed; how many were not; of a table, which rows hold no object, and which rows break
    the type of each field.
    """

    __slots__ = ("faults", "malformed", "unreadable")

    def __init__(self, members: Sequence[Any] = (), malformed: int = 0):
        super().__init__(members)
        self.malformed = malformed
        self.unreadable: list[dict[str, Any]] = []
        self.faults: dict[str, list[dict[str, Any]]] = {}

    def __reduce__(self):
        return (Entries, (list(self), self.malformed))

    def noting(self, number: int, diagnose: "Diagnose") -> "Diagnose":
        """Takes what is wrong with the row of that number, and keeps it by the field that it is wrong with."""

        def note(path: str, reason: str, field: str | None = None) -> None:
            diagnose(path, reason)
            if field is not None:
                self.faults.setdefault(field, []).append({"row": number, "reason": reason})

        return note


class Fault:
    """In place of a value that breaks a rule: the sentence that says so."""

    __slots__ = ("reason",)

    def __init__(self, reason: str):
        self.reason = reason


def shown(value: Any) -> str:
    """A raw value as a message shows it, however large it is."""
    if isinstance(value, str):
        return f"'{value[:40]}...'" if len(value) > 40 else f"'{value}'"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return _shown_number(value)
    return "a list" if isinstance(value, list) else "an object"


def _shown_number(value: float) -> str:
    if value != value:
        return "NaN"
    if abs(value) > GREATEST:
        return "a number past any float"
    return repr(value) if isinstance(value, float) or abs(value) <= EXACT_INTEGER else "an integer past 2^53"


def plain(value: Any) -> bool:
    """Whether a raw value has only finite numbers, and no more levels than JSON may have."""
    layer = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[Any] = []
        for current in layer:
            if isinstance(current, dict):
                inner += current.values()
            elif isinstance(current, list):
                inner += current
            elif isinstance(current, (int, float)) and not abs(current) <= GREATEST:
                return False
        if not inner:
            return True
        layer = inner
    return False


def _number(atom: Atom) -> Callable[[Any], bool]:
    low = -GREATEST if atom.low is None else atom.low
    high = GREATEST if atom.high is None else atom.high
    whole, low_open, high_open = atom.kind == "integer", atom.low_open, atom.high_open

    def accepts(value: Any) -> bool:
        if type(value) not in (int, float) or not low <= value <= high:
            return False
        if (low_open and value == low) or (high_open and value == high):
            return False
        return not whole or value == math.floor(value)

    return accepts


def _literal(wanted: Any) -> Callable[[Any], bool]:
    if isinstance(wanted, str):
        return lambda value: value == wanted and isinstance(value, str)
    return lambda value: type(value) in (int, float) and value == wanted


def _matching(pattern: str) -> Callable[[Any], bool]:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and len(value) <= MAX_PATTERN_TEXT and bool(compiled.fullmatch(value))


def _is_blank(text: str) -> bool:
    return not text.strip() and _SPACE_IN_PYTHON_ALONE.isdisjoint(text)


def _accepts(atom: Atom) -> Callable[[Any], bool]:
    match atom.kind:
        case "text":
            if atom.pattern:
                return _matching(atom.pattern)
            return lambda value: type(value) is str and not _is_blank(value)
        case "string":
            return lambda value: type(value) is str
        case "boolean":
            return lambda value: type(value) is bool
        case "number" | "integer":
            return _number(atom)
        case "literal":
            return _literal(atom.literal)
        case _:
            return plain


@dataclass(frozen=True, slots=True)
class Step:
    """A compiled expression over an entry: what it needs of the entry, and the code."""

    name: str
    needs: tuple[str, ...]
    code: Callable[..., Any]

    def __call__(self, s: list, entry: Mapping[str, Any]) -> Any:
        return self.code(s, *[entry[name] for name in self.needs])


Reader = Callable[[list, Any, str, Diagnose], Any]


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Reads one field: `read` gives the value, or a `Fault`."""

    names: tuple[str, ...]
    optional: str | None
    read: Reader
    empty: Callable[[], Any]
    shallow: bool  # whether it can be read before anything else is known

    def __call__(
        self, s: list, raw: Mapping[str, Any], entry: dict[str, Any], path: str, diagnose: Diagnose
    ) -> str | None:
        """Put the field into the entry; the sentence that says what is wrong, or None."""
        for name in self.names:
            if name in raw:
                break
        else:
            for name in self.names:
                entry[name] = self.empty()
            return None if self.optional not in (None, "null") else f"'{' or '.join(self.names)}' is missing"
        value = raw[name]
        if len(self.names) > 1:
            for other in self.names:
                entry[other] = None
        if value is None and self.optional in ("nothing", "null"):
            entry[name] = self.empty()
            return None
        read = self.read(s, value, f"{path}.{name}" if path else name, diagnose)
        if type(read) is Fault:
            entry[name] = None
            return f"'{name}' {read.reason}"
        entry[name] = read
        return None


class RecordReader:
    """Reads an entry of one record: `code(s, raw, path, diagnose)` gives it, or the fault that makes it malformed.

    The code is compiled with all of the rubric, so it is set last.
    """

    __slots__ = ("by_column", "code", "field_is_null", "typed_fields")

    def __init__(self, record: Record) -> None:
        self.field_is_null = record.when_invalid == "field_is_null"
        self.code: Callable[[list, Any, str, Diagnose], dict[str, Any] | Fault] = _not_compiled
        self.by_column: ByColumn | None = None
        self.typed_fields = typed_fields(record)


def _not_compiled(s: list, raw: Any, path: str, diagnose: Diagnose) -> Fault:
    raise RuntimeError("the rubric is not compiled yet")


def read_table(s: list, raw: list, path: str, read: RecordReader, diagnose: Diagnose) -> Entries | Table:
    """The rows of a file of rows, each with its number, from 1, in the field `row`."""
    if isinstance(raw, RawRows):
        table = _table_by_column(s, raw, path, read, diagnose)
        if table is not None:
            return table
    entries = Entries()
    rows = _Rows(s, path, read, entries)
    for number, member in enumerate(raw, 1):
        entry = rows.read(number, member, diagnose)
        if entry is not None:
            entry.setdefault("row", number)
            entries.append(entry)
    return entries


class _Rows:
    """Reads rows one by one, and notes on a table what is wrong with them."""

    def __init__(self, s: list, path: str, read: RecordReader, table: Entries):
        self.s, self.path, self.code, self.table = s, path, read.code, table
        self.typed_fields = read.typed_fields

    def read(self, number: int, member: Any, diagnose: Diagnose) -> dict[str, Any] | None:
        place, table = f"{self.path}[{number - 1}]", self.table
        if type(member) is TextRow:
            member = typed(member, self.typed_fields)
        entry = _unreadable(member) or self.code(self.s, member, place, table.noting(number, diagnose))
        if not isinstance(entry, Fault):
            return entry
        diagnose(place, entry.reason)
        table.malformed += 1
        if not isinstance(member, dict):
            table.unreadable.append({"row": number, "reason": entry.reason})
        return None


def _table_by_column(s: list, raw: RawRows, path: str, read: RecordReader, diagnose: Diagnose) -> Table | None:
    """The same by column, where that can be; nothing is said before all of it is known to be."""
    if read.by_column is None:
        return None
    said: list[tuple[str, str]] = []
    noted = Entries()
    rows = _Rows(s, path, read, noted)

    def read_row(number: int, member: Any) -> dict[str, Any] | None:
        return rows.read(number, member, lambda place, reason: said.append((place, reason)))

    try:
        table = read_by_column(raw, read.by_column, lambda line, number: row_of(line.decode(), number), read_row)
    except NotColumnar:
        return None
    for place, reason in said:
        diagnose(place, reason)
    raw.let_go()
    table.faults, table.malformed, table.unreadable = noted.faults, noted.malformed, noted.unreadable
    return table


def _unreadable(member: Any) -> Fault | None:
    return Fault(member.reason) if isinstance(member, Unreadable) else None


def read_entries(s: list, raw: Any, path: str, read: RecordReader, diagnose: Diagnose) -> Entries:
    """The entries of a list; what is no list is one malformed entry."""
    if not isinstance(raw, list):
        diagnose(path, f"is {shown(raw)}, a list was expected")
        return Entries((), 1)
    entries, code, note = Entries(), read.code, diagnose
    for position, member in enumerate(raw):
        if read.field_is_null:
            note = entries.noting(position + 1, diagnose)
        place = f"{path}[{position}]"
        entry = code(s, member, place, note) if type(member) is dict else _no_entry(member)
        if type(entry) is Fault:
            diagnose(place, entry.reason)
            entries.malformed += 1
        else:
            entries.append(entry)
    return entries


def _no_entry(member: Any) -> Fault:
    """What is wrong with a member that is no object."""
    return _unreadable(member) or Fault(f"is {shown(member)}, an object was expected")


def read_plain(raw: Any, rows: bool, path: str, diagnose: Diagnose) -> Any:
    """A value that no record describes, as it comes; null where it is not plain. Of rows, those that are plain."""
    if rows and isinstance(raw, list):
        faults = [_plain_fault(member) for member in raw]
        for position, reason in enumerate(faults):
            if reason is not None:
                diagnose(f"{path}[{position}]", reason)
        kept = [member for member, reason in zip(raw, faults, strict=True) if reason is None]
        return Entries(kept, len(raw) - len(kept))
    reason = _plain_fault(raw)
    if reason is None:
        return raw
    diagnose(path, reason)
    return None


def _plain_fault(raw: Any) -> str | None:
    if isinstance(raw, (Invalid, Unreadable)):
        return raw.reason
    return None if plain(raw) else NOT_PLAIN


class Readers:
    """Makes the readers of a rubric's records and of their fields, each once."""

    def __init__(self, records: Mapping[str, Record]):
        self.records = {name: RecordReader(record) for name, record in records.items()}
        self.fields = {
            name: {rule.names: self.field(rule) for rule in record.fields} for name, record in records.items()
        }

    def field(self, rule: FieldRule) -> FieldReader:
        shallow = not any(atom.kind == "record" or atom.name for atom in rule.type.atoms)
        return FieldReader(rule.names, rule.type.optional, self.value(rule.type), _empty(rule.type), shallow)

    def value(self, type_: FieldType) -> Reader:
        """What reads a value of a field's type."""
        atom = type_.atoms[0]
        if len(type_.atoms) == 1 and atom.kind in ("list", "map", "record"):
            return {"list": self._list, "map": self._map, "record": self._record}[atom.kind](atom)
        accepted = [_accepts(atom) for atom in type_.atoms]
        expected = _expected(type_)

        def read(s: list, value: Any, path: str, diagnose: Diagnose) -> Any:
            for accepts in accepted:
                if accepts(value):
                    return float(value) if type(value) is int and abs(value) > EXACT_INTEGER else value
            return Fault(f"is {shown(value)}, {expected} was expected")

        return read

    def _record(self, atom: Atom) -> Reader:
        reader = self.records[atom.name or ""]
        return lambda s, value, path, diagnose: reader.code(s, value, path, diagnose)

    def _list(self, atom: Atom) -> Reader:
        if atom.name is not None:
            reader = self.records[atom.name]
            return lambda s, value, path, diagnose: read_entries(s, value, path, reader, diagnose)
        element = self.value(atom.element) if atom.element else None

        def read(s: list, value: Any, path: str, diagnose: Diagnose) -> Any:
            if not isinstance(value, list):
                return Fault(f"is {shown(value)}, a list was expected")
            places = ((f"{path}[{position}]", member) for position, member in enumerate(value))
            members = [read for _, read in _members(s, places, element, atom.element, diagnose)]
            return Entries(members, len(value) - len(members))

        return read

    def _map(self, atom: Atom) -> Reader:
        element = self.value(atom.element) if atom.element else None

        def read(s: list, value: Any, path: str, diagnose: Diagnose) -> Any:
            if not isinstance(value, dict):
                return Fault(f"is {shown(value)}, an object was expected")
            places = ((f"{path}.{key}", member) for key, member in value.items())
            return {
                place[len(path) + 1 :]: read for place, read in _members(s, places, element, atom.element, diagnose)
            }

        return read


def _members(s, places, element: Reader | None, type_: FieldType | None, diagnose) -> Iterator[tuple[str, Any]]:
    """The members of a collection that are what they should be; the others are diagnosed."""
    for place, member in places:
        if member is None and type_ is not None and type_.optional:
            yield place, None
            continue
        read = element(s, member, place, diagnose) if element else member
        if type(read) is Fault:
            diagnose(place, read.reason)
        else:
            yield place, read


def _empty(type_: FieldType) -> Callable[[], Any]:
    """What an absent field is: an empty list or map where it would be one, except after `omitted` or `null`."""
    kind = type_.atoms[0].kind if len(type_.atoms) == 1 and type_.optional not in ("omitted", "null") else None
    return {"list": Entries, "map": dict}.get(kind or "", lambda: None)


def _expected(type_: FieldType) -> str:
    words = re.sub(r",?\s+or\s+(nothing|absent|omitted|null)\Z", "", type_.text)
    return {
        "text": "a text that is not blank",
        "string": "a text",
        "number": "a finite number",
        "any": "a value of finite numbers",
    }.get(words, words.replace(" | ", " or "))
