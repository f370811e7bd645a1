"""Words for the signatures of primitives.

A primitive's signature is its contract: the engine reads it to check calls in rubrics when they are loaded.

* A parameter annotated `X` never sees null: the call is null where the argument is. `X | None` receives null.
* `Field` and `Fields` are names of fields of the rows given in the same call; a rubric writes them as bare words.
* `Literal["a", "b"]` is one of the words, also written bare.
* `Callable[..., R]` takes a lambda or the name of a function of the rubric.
* `Share`, `Count` and `NonNegative` state the range of a number, from which the attainable range of a score follows.
* `Column` takes a column of a table together with the table; a rubric writes `rows.source`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Generic, TypeVar


@dataclass(frozen=True)
class Range:
    """Bounds of a number, both included; None is unbounded."""

    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class FieldName:
    """Marks a string that names a field of the rows in the same call."""

    names_field: bool = True


Share = Annotated[float, Range(0, 1)]
Count = Annotated[int, Range(0, None)]
NonNegative = Annotated[float, Range(0, None)]

Field = Annotated[str, FieldName()]
Fields = Annotated[Sequence[str], FieldName()]

Row = Mapping[str, Any]
Rows = Sequence[Row]

R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class Column(Generic[R]):
    """The field `name` of a table's rows. `Column[R]` carries the type of a row to the other parameters of a call."""

    rows: Sequence[R]
    name: str
    remembers_its_table: ClassVar[bool] = True

    @property
    def values(self) -> list[Any]:
        """The field's value in each row, null where a row lacks it."""
        return [row.get(self.name) for row in self.rows]
