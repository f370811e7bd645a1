"""Tables and columns as lists: to whoever goes through them lists of rows and of values, kept by column."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .cells import Cells, NotColumnar
from .lazy import LazyList

if TYPE_CHECKING:
    import polars


class ColumnList(LazyList):
    """The values of one field of a table."""

    __slots__ = ("cells",)

    def __init__(self, cells: Cells):
        super().__init__(len(cells.values))
        self.cells = cells

    def made(self) -> Iterable[Any]:
        return self.cells.to_list()


@dataclass(frozen=True, slots=True)
class Frame:
    """The columns that tables share, and what was found out about them once."""

    columns: Mapping[str, Cells]
    codes: dict[str, "polars.Series"] = field(default_factory=dict)


class Table(LazyList):
    """Rows of a frame: those at `places`, or all. `faults`, `malformed` and `unreadable` as `Entries` have them."""

    __slots__ = ("_known", "faults", "frame", "malformed", "places", "unreadable")

    def __init__(self, frame: Frame, size: int, places: "polars.Series | None" = None):
        super().__init__(size)
        self.frame = frame
        self.places = places
        self.malformed = 0
        self.unreadable: list[dict[str, Any]] = []
        self.faults: dict[str, list[dict[str, Any]]] = {}
        self._known: dict[str, Cells] = {}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.frame.columns)

    def cells(self, name: str) -> Cells:
        """A column of these rows. Raises `NotColumnar` where there is none of that name."""
        whole = self.frame.columns.get(name)
        if whole is None:
            raise NotColumnar
        if self.places is None:
            return whole
        if name not in self._known:
            self._known[name] = whole.picked(self.places)
        return self._known[name]

    def codes(self, name: str) -> "polars.Series":
        """A whole number for each row, the same where the field is equal; null where that is null."""
        known = self.frame.codes.get(name)
        if known is None:
            known = self.frame.codes[name] = _codes(self.frame.columns[name])
        return known if self.places is None else known.gather(self.places)

    def column(self, name: str) -> list[Any]:
        """What the rows hold in a field, as a list."""
        return ColumnList(self.cells(name)) if name in self.frame.columns else [None] * len(self)

    def chosen(self, places: "polars.Series") -> "Table":
        """The rows at some places of this table, in that order."""
        inner = places if self.places is None else self.places.gather(places)
        return Table(self.frame, len(places), inner)

    def where(self, condition: "polars.Series") -> "Table":
        """The rows for which a condition is true."""
        places = condition.fill_null(False).arg_true()
        if len(places) < len(self):
            return self.chosen(places)
        same = Table(self.frame, len(self), self.places)
        same._known = self._known
        return same

    def made(self) -> Iterable[dict[str, Any]]:
        names = self.names
        columns = [self.cells(name).to_list() for name in names]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _codes(cells: Cells) -> "polars.Series":
    """An integer itself, of other values the place where it first occurs. Not of floats: 0.0 and -0.0 are equal."""
    import polars

    if cells.are_integers:
        return cells.values
    if cells.kind == "number":
        raise NotColumnar
    values = cells.values.alias("value").to_frame().with_columns(place=polars.int_range(len(cells.values)))
    first = values.select(polars.col("place").first().over("value")).to_series()
    return first.set(cells.values.is_null(), None) if cells.values.null_count() else first
