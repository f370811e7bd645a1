"""Which records can be read by column; of each field the type to read it with, and which of its cells are valid."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..expressions.values import EXACT_INTEGER
from ..rubric import Atom, FieldRule, Record
from .cells import Cells

if TYPE_CHECKING:
    import polars

MAX_PATTERN_TEXT = 4096
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
# What a number, a truth value, a list or an object looks like once it was read as a text.
_LIKE_ANOTHER_KIND = r"\A(?:-?[0-9][0-9.eE+-]*\z|true\z|false\z|[\[{])"
_LIKE_ANOTHER_LITERAL = re.compile(_LIKE_ANOTHER_KIND.replace(r"\z", r"\Z"))

Read = Literal["text", "boolean", "integer", "number"]


@dataclass(frozen=True, slots=True)
class ColumnField:
    """A field that can be read by column. `valid` says of each cell that is not null whether it is surely valid, if it
    is of the kind that is read; with `surely`, a valid one can be of no other.
    """

    name: str
    read: Read
    optional: str | None
    valid: "Callable[[polars.Series], polars.Series]"
    surely: bool = False

    @property
    def may_be_null(self) -> bool:
        """Whether nothing is wrong with a row that has no value here."""
        return self.optional in ("nothing", "absent", "omitted")

    def like_another_kind(self, values: "polars.Series") -> "polars.Series | None":
        """The texts that may have been numbers, truth values, lists or objects; None where there surely are none."""
        if self.read != "text" or self.surely:
            return None
        found = values.str.contains(_LIKE_ANOTHER_KIND)
        return found if found.any() else None


def column_fields(record: Record) -> tuple[ColumnField, ...] | None:
    """The fields of a record whose rows can be read by column; None where they cannot."""
    if record.becomes or record.require:
        return None
    fields = [_column_field(rule) for rule in record.fields]
    return tuple(found for found in fields if found is not None) if None not in fields and fields else None


def _column_field(rule: FieldRule) -> ColumnField | None:
    if len(rule.names) != 1 or not _PLAIN_NAME.match(rule.names[0]):
        return None
    found = _reading(rule.type.atoms)
    if found is None:
        return None
    literals = [atom.literal for atom in rule.type.atoms]
    surely = not any(literal is None or _LIKE_ANOTHER_LITERAL.match(str(literal)) for literal in literals)
    return ColumnField(rule.names[0], found[0], rule.type.optional, found[1], surely)


def _reading(atoms: tuple[Atom, ...]) -> "tuple[Read, Callable[[polars.Series], polars.Series]] | None":
    literals = [atom.literal for atom in atoms if atom.kind == "literal"]
    if literals and len(literals) == len(atoms):
        if all(isinstance(literal, str) for literal in literals):
            return "text", _one_of(literals)
        if all(type(literal) in (int, float) for literal in literals):
            return ("integer" if all(type(literal) is int for literal in literals) else "number"), _one_of(literals)
        return None
    return _of_kind(atoms[0]) if len(atoms) == 1 else None


def _of_kind(atom: Atom) -> "tuple[Read, Callable[[polars.Series], polars.Series]] | None":
    match atom.kind:
        case "text" if atom.pattern:
            return "text", _matching(atom.pattern)
        case "text":
            return "text", lambda values: values.str.contains(r"\S")
        case "string" | "boolean":
            return ("text" if atom.kind == "string" else "boolean"), lambda values: values.is_not_null()
        case "number" | "integer":
            return ("integer" if atom.kind == "integer" else "number"), _within(atom)
        case _:
            return None


def _one_of(literals: list[Any]) -> "Callable[[polars.Series], polars.Series]":
    return lambda values: values.is_in(literals)


def _matching(pattern: str) -> "Callable[[polars.Series], polars.Series]":
    """Python's regular expressions are not those of polars, so each different text is looked at by Python."""
    compiled = re.compile(pattern)

    def valid(values: "polars.Series") -> "polars.Series":
        different = values.unique().drop_nulls().to_list()
        matched = [text for text in different if len(text) <= MAX_PATTERN_TEXT and compiled.fullmatch(text)]
        return values.is_not_null() if len(matched) == len(different) else values.is_in(matched)

    return valid


def _within(atom: Atom) -> "Callable[[polars.Series], polars.Series]":
    low = -EXACT_INTEGER if atom.low is None else max(atom.low, -EXACT_INTEGER)
    high = EXACT_INTEGER if atom.high is None else min(atom.high, EXACT_INTEGER)

    def valid(values: "polars.Series") -> "polars.Series":
        lower = values > low if atom.low_open else values >= low
        upper = values < high if atom.high_open else values <= high
        return lower & upper

    return valid


def no_cells(field: ColumnField, size: int) -> Cells:
    """A column of nulls."""
    import polars

    return Cells(polars.repeat(None, size, dtype=series_type(field.read), eager=True))


def series_type(read: Read) -> Any:
    import polars

    types: Mapping[str, Any] = {
        "text": polars.String,
        "boolean": polars.Boolean,
        "integer": polars.Int64,
        "number": polars.Float64,
    }
    return types[read]
