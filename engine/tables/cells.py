"""One column of a table: values of one kind, or null.

A polars series holds the values. Numbers are 64-bit integers no larger than 2^53, or 64-bit floats of which `whole`
says which ones are integers to the language, since 1 and 1.0 are written differently.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..expressions.values import EXACT_INTEGER

if TYPE_CHECKING:
    import polars

_KINDS = {"String": "text", "Boolean": "boolean", "Int64": "number", "Float64": "number"}


class NotColumnar(Exception):
    """Something that columns cannot hold or do exactly; rows can."""


@dataclass(frozen=True, slots=True)
class Cells:
    values: "polars.Series"
    whole: "polars.Series | None" = None

    @property
    def kind(self) -> str:
        """`text`, `boolean` or `number`."""
        return _KINDS[str(self.values.dtype)]

    @property
    def are_integers(self) -> bool:
        return str(self.values.dtype) == "Int64"

    def floats(self) -> "polars.Series":
        return self.values.cast(_polars().Float64) if self.are_integers else self.values

    def wholes(self) -> "polars.Series":
        """Which numbers are integers."""
        if self.whole is not None:
            return self.whole
        return _polars().repeat(self.are_integers, len(self.values), dtype=_polars().Boolean, eager=True)

    def picked(self, places: "polars.Series") -> "Cells":
        whole = self.whole.gather(places) if self.whole is not None else None
        return Cells(self.values.gather(places), whole)

    def to_list(self) -> list[Any]:
        listed = self.values.to_list()
        if self.whole is None or not self.whole.any():
            return listed
        integers = self.whole.to_list()
        return [
            int(value) if whole and value is not None else value for value, whole in zip(listed, integers, strict=True)
        ]


def joined(parts: list[Cells]) -> Cells:
    """Parts of one column, one below the other."""
    polars = _polars()
    mixed = any(part.whole is not None for part in parts) or len({part.values.dtype for part in parts}) > 1
    if not mixed:
        return Cells(polars.concat([part.values for part in parts], rechunk=True))
    values = polars.concat([part.floats() for part in parts], rechunk=True)
    return Cells(values, polars.concat([part.wholes() for part in parts], rechunk=True))


def replaced(cells: Cells, places: list[int], members: list[Any]) -> Cells:
    """The column with other members at some places. Raises `NotColumnar` where it cannot hold one exactly."""
    if not places:
        return cells
    polars, kinds = _polars(), {type(member) for member in members} - {type(None)}
    if any(type(member) is int and not -EXACT_INTEGER <= member <= EXACT_INTEGER for member in members):
        raise NotColumnar
    at = polars.Series(places, dtype=polars.UInt32)
    kind = cells.kind
    if kind != "number":
        if not kinds <= {str if kind == "text" else bool}:
            raise NotColumnar
        return Cells(_scattered(cells.values, at, members))
    if not kinds <= {int, float}:
        raise NotColumnar
    if cells.are_integers and float not in kinds:
        return Cells(_scattered(cells.values, at, members))
    if not cells.are_integers and cells.whole is None and int not in kinds:
        return Cells(_scattered(cells.values, at, members))
    values = [float(member) if member is not None else None for member in members]
    wholes = [type(member) is int for member in members]
    return Cells(_scattered(cells.floats(), at, values), _scattered(cells.wholes(), at, wholes))


def _scattered(series: "polars.Series", at: "polars.Series", members: list[Any]) -> "polars.Series":
    try:
        return series.clone().scatter(at, _polars().Series(members, dtype=series.dtype))
    except UnicodeEncodeError:  # half a surrogate pair, which only Python's texts can hold
        raise NotColumnar from None


def _polars():
    import polars

    return polars
