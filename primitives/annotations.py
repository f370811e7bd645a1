"""Words for the signatures of primitives.

A primitive's signature is its contract: the engine reads it to check calls in rubrics when they are loaded.

* A parameter annotated `X` never sees null: the call is null where the argument is. `X | None` receives null.
* `Field` and `Fields` are names of fields of the rows given in the same call; a rubric writes them as bare words.
* `Literal["a", "b"]` is one of the words, also written bare.
* `Callable[..., R]` takes a lambda or the name of a function of the rubric.
* `Share`, `Count` and `NonNegative` state the range of a number, from which the attainable range of a score follows.
* `Column` takes a column of a table together with the table; a rubric writes `rows.source`.
* `@rules(...)` says which arguments need others, so that a call that can never work is found where it is written.
"""

from collections.abc import Callable, Mapping, Sequence
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


@dataclass(frozen=True)
class ArgumentRule:
    """What a call must heed that gives `argument`: as this `word`, where the rule has one.

    It gives one of `needs` too, where there are any, and none of `excludes`; a list written out has `members`.
    `because` ends the sentence that says so. Null and an empty list are not given.
    """

    argument: str
    because: str
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    word: str | None = None
    members: int | None = None


F = TypeVar("F", bound=Callable[..., Any])


def rules(*declared: ArgumentRule) -> Callable[[F], F]:
    """Declares rules for the arguments of a primitive, which stays the function that it is."""

    def declare(function: F) -> F:
        vars(function)["argument_rules"] = declared
        return function

    return declare


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
