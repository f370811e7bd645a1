"""What compiled expressions need while a case runs: node values, bounded work, and faults that find their origin.

The state `s` of a case is a list: `s[0]` the case's `Frame`, then a slot for the value of each named node.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..tables.loops import weight
from ..tables.table import ColumnList
from . import pixels, values
from .columns import memberwise_alone
from .equality import canonical
from .signatures import Parameter, Signature, resolve

MAX_STEPS = 50_000_000
STEPS_A_ROW = 200


class _Unset:
    def __repr__(self) -> str:
        return "not yet evaluated"


UNSET = _Unset()


class StepLimit(Exception):
    """A case asked for more work than any case may take. Counted, not timed, so that it is the same everywhere."""


class Faulty(Protocol):
    """A primitive's own way to say which argument is unusable."""

    argument: str
    reason: str


@dataclass
class Frame:
    """One case while it runs. `evaluate` gives the value of a node by its slot, `fault` takes what went wrong:
    the sentence, and the inputs from which the unusable value came.
    """

    evaluate: Callable[[list, int], Any]
    fault: Callable[[str, frozenset[str]], None]
    steps: int = field(default=MAX_STEPS)

    def pay(self, cost: int) -> None:
        """Count steps of work. Raises `StepLimit` where none are left."""
        self.steps -= cost
        if self.steps < 0:
            raise StepLimit

    def allow(self, rows: int) -> None:
        """Some more steps for each row of a file of rows, since large files are no fault."""
        self.steps += STEPS_A_ROW * rows


def need(s: list, slot: int) -> Any:
    """The value of a named node that has not been asked for yet."""
    value = s[slot] = s[0].evaluate(s, slot)
    return value


# ---------------------------------------------------------------- work


def pay(s: list, cost: int) -> None:
    """Count the steps of a piece of code that is about to run."""
    s[0].pay(cost)


def spend(s: list, of: Any, cost: int) -> Any:
    """`of`, after its members have been paid for at `cost` steps each; of a text, eight characters are a member."""
    size = len(of) if type(of) is list else size_of(of)
    if size:
        s[0].pay(size * cost)
    return of


def weigh(s: list, of: Any) -> Any:
    """`of`, after everything inside it has been paid for, however deep."""
    if hasattr(of, "rows"):
        weigh(s, values.field(of.rows, of.name))
    elif type(of) is ColumnList:
        s[0].pay(weight(of))
    elif isinstance(of, (list, dict, str)):
        pay, waiting = s[0].pay, [of]
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                pay(len(value) >> 3)
                continue
            pay(3 * len(value) + values.VISIT)
            members = value.values() if isinstance(value, dict) else value
            waiting += [member for member in members if isinstance(member, (list, dict, str))]
    return of


def weighing(s: list, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose results are weighed, because whoever calls it looks at all that is inside them."""
    return lambda *arguments: weigh(s, function(*arguments))


def paying(s: list, function: Callable[..., Any], cost: int) -> Callable[..., Any]:
    """A function that pays for each call, because whoever calls it may do so more often than once a member."""
    pay = s[0].pay

    def paid(*arguments: Any) -> Any:
        pay(cost)
        return function(*arguments)

    return paid


def groups(s: list, rows: list, by: Sequence[str], cost: int) -> list[tuple[dict, list]]:
    """Rows by equal fields, in order of first appearance; each group is paid for at `cost` steps, each row at one."""
    found: dict[Any, tuple[dict, list]] = {}
    for row in spend(s, rows, 1):
        key = {name: weigh(s, values.field(row, name)) for name in by}
        found.setdefault(canonical(list(key.values())), (key, []))[1].append(row)
    s[0].pay(len(found) * cost)
    return list(found.values())


def advance(
    s: list, rows: Any, streams: Mapping[str, Any], origins: Mapping[str, frozenset[str]], cost: int
) -> Iterator[tuple] | None:
    """The number of each step and the next member of every stream: null from where a stream ends or cannot go on.
    Null where the number of rows is no number that a table may have.
    """
    if type(rows) not in (int, float) or not 0 <= rows <= values.MAX_RANGE or rows != int(rows):
        return None
    members = [_members(s, name, stream, origins[name]) for name, stream in streams.items()]
    return _steps(s, int(rows), members, cost)


def _steps(s: list, rows: int, members: Sequence[Iterator[Any]], cost: int) -> Iterator[tuple]:
    for number in range(rows):
        s[0].pay(cost)
        yield (number, *map(next, members))


def _members(s: list, name: str, stream: Any, origins: frozenset[str]) -> Iterator[Any]:
    if not isinstance(stream, (str, dict)) and hasattr(stream, "__iter__"):
        try:
            yield from stream
        except Exception as error:
            fault_taker(f"stream '{name}'", {"": origins})(s, error)
    while True:
        yield None


def kept(row: dict[str, Any], pictures: set[str]) -> dict[str, Any]:
    """What outlives the step: all but the columns that ever held a picture, whose names are put to `pictures`."""
    pictures.update(name for name, value in row.items() if pixels.holds(value))
    return {name: value for name, value in row.items() if name not in pictures}


def settled(rows: list[dict[str, Any]], pictures: set[str]) -> list[dict[str, Any]]:
    """The rows, all without the columns that hold pictures."""
    for row in rows:
        for name in pictures & row.keys():
            del row[name]
    return rows


def column_of(column: Callable[[list, str], Any], rows: Any, name: str) -> Any:
    """A column that remembers its table; null where there is no table."""
    return column(rows, name) if isinstance(rows, list) else None


def function_value(s: list, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the rubric as a value that is handed on."""
    return lambda *arguments: function(s, *arguments)


# ---------------------------------------------------------------- calls

Check = tuple[int, tuple[type, ...]]
_NOTHING = type(None)
_CLASSES: Mapping[str, tuple[type, ...]] = {
    "number": (int, float),
    "text": (str,),
    "boolean": (bool,),
    "list": (list,),
    "map": (dict,),
    "record": (dict,),
}


def _admits(parameter: Parameter) -> tuple[type, ...] | None:
    """The classes that a value argument may have; `object` for everything but null, None for everything."""
    if parameter.role == "column":
        return (object,)
    if parameter.role != "value":
        return None
    classes = _CLASSES.get(resolve(parameter.annotation).kind)
    if classes is None:
        return None if parameter.nullable else (object,)
    return (*classes, _NOTHING) if parameter.nullable else classes


def admitted(value: Any, classes: tuple[type, ...]) -> bool:
    if value is None:
        return _NOTHING in classes
    if type(value) is bool:
        return bool in classes or object in classes
    return isinstance(value, classes)


def checks(parameters: Sequence[Parameter], doubtful: Sequence[int] | None) -> list[Check]:
    """What to look at when a call is made; only at the arguments in `doubtful` places where that is given."""
    found = []
    for position, parameter in enumerate(parameters):
        classes = _admits(parameter)
        if classes is not None and (doubtful is None or position in doubtful):
            found.append((position, classes))
    return found


def guarded(
    signature: Signature, parameters: Sequence[Parameter], doubtful: Sequence[int] | None = None
) -> Callable[..., Any]:
    """A built-in function that is null where an argument is null, or of a kind it cannot take."""
    function, looked_at = signature.function, checks(parameters, doubtful)

    def call(*arguments: Any, **named: Any) -> Any:
        everything = (*arguments, *named.values()) if named else arguments
        for position, classes in looked_at:
            if not admitted(everything[position], classes):
                return None
        return function(*arguments, **named)

    return call


def over_columns(function: Callable[..., Any], call: Callable[..., Any], name: str, label: str) -> Callable[..., Any]:
    """A built-in function over numbers that takes each member of a list in its first parameter, `name`."""

    def columnwise(*arguments: Any, **named: Any) -> Any:
        first = arguments[0] if arguments else named[name]
        if pixels.is_picture(first):
            return pixels.pixelwise_alone(label, first)
        if not isinstance(first, list):
            return call(*arguments, **named)
        others, named = arguments[1:], {known: value for known, value in named.items() if known != name}
        if any(type(other) not in (int, float) for other in (*others, *named.values())):
            return None
        return memberwise_alone(
            lambda member: function(member, *others, **named) if type(member) in (int, float) else None, first
        )

    return columnwise


def size_of(value: Any) -> int:
    """How many members a value has; of a text, eight characters are a member."""
    if isinstance(value, (list, dict)):
        return len(value)
    if type(value) is str:
        return len(value) >> 3
    return len(value.rows) if hasattr(value, "rows") else 0


def fault_taker(label: str, blames: Mapping[str, frozenset[str]]) -> Callable[[list, Exception], None]:
    """Takes what a primitive raises: a fault is told to the case, with the inputs from which the argument at fault
    comes; whatever says nothing of an argument may come from any. What is no fault goes on its way.
    """
    everywhere = frozenset().union(*blames.values()) if blames else frozenset()

    def take(s: list, error: Exception) -> None:
        argument = getattr(error, "argument", None)
        faults = (ValueError, TypeError, ArithmeticError, LookupError)
        if isinstance(error, StepLimit) or (argument is None and not isinstance(error, faults)):
            raise error
        s[0].fault(f"{label}: {error}", blames.get(argument, everywhere) if argument else everywhere)

    return take
