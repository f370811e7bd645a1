"""What compiled expressions need while a case runs: node values, bounded work, and faults that find their origin.

The state `s` of a case is a list: `s[0]` the case's `Frame`, then a slot for the value of each named node.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .signatures import Parameter, Signature, plain, resolve

MAX_STEPS = 100_000_000


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


def need(s: list, slot: int) -> Any:
    """The value of a named node that has not been asked for yet."""
    value = s[slot] = s[0].evaluate(s, slot)
    return value


def spend(s: list, of: Any, cost: int) -> Any:
    """`of`, after its members have been paid for at `cost` steps each."""
    if isinstance(of, (list, dict)):
        frame = s[0]
        frame.steps -= len(of) * cost
        if frame.steps < 0:
            raise StepLimit
    return of


def loop(s: list, of: Any, cost: int) -> Iterable[Any]:
    """The members of a list, paid for; nothing where there is no list."""
    return spend(s, of, cost) if isinstance(of, list) else ()


def function_value(s: list, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the rubric as a value that is handed on."""
    return lambda *arguments: function(s, *arguments)


_CLASSES: Mapping[str, tuple[type, ...]] = {
    "number": (int, float),
    "text": (str,),
    "boolean": (bool,),
    "list": (list,),
    "map": (dict,),
    "record": (dict,),
}


def _admits(parameter: Parameter) -> tuple[type, ...] | None:
    """The classes a value argument may have; None for any."""
    if parameter.role != "value":
        return None
    classes = _CLASSES.get(resolve(parameter.annotation).kind)
    if classes is not None and parameter.nullable:
        return (*classes, type(None))
    return classes if classes is not None or parameter.nullable else (object,)


def _refused(value: Any, classes: tuple[type, ...], nullable: bool) -> bool:
    if value is None:
        return not nullable
    return not isinstance(value, classes) or (isinstance(value, bool) and bool not in classes and object not in classes)


def _checks(parameters: Sequence[Parameter]) -> list[tuple[int, tuple[type, ...], bool]]:
    found = []
    for position, parameter in enumerate(parameters):
        classes = _admits(parameter)
        if classes is not None:
            found.append((position, classes, parameter.nullable))
    return found


def guarded(signature: Signature, parameters: Sequence[Parameter]) -> Callable[..., Any]:
    """A built-in function that is null where an argument is null, or of a kind it cannot take."""
    function, checks = signature.function, _checks(parameters)

    def call(*arguments: Any, **named: Any) -> Any:
        everything = (*arguments, *named.values())
        for position, classes, nullable in checks:
            if _refused(everything[position], classes, nullable):
                return None
        return function(*arguments, **named)

    return call


def call_guarded(
    signature: Signature, parameters: Sequence[Parameter], blames: Mapping[str, frozenset[str]]
) -> Callable[..., Any]:
    """A primitive that is null where an argument is, whose results are values of the language, and whose faults are
    told to the case together with the inputs from which the argument at fault comes.
    """
    function, label, checks = signature.function, signature.label, _checks(parameters)
    everywhere = frozenset().union(*blames.values()) if blames else frozenset()

    def call(s: list, *arguments: Any, **named: Any) -> Any:
        everything = (*arguments, *named.values())
        for position, classes, nullable in checks:
            if _refused(everything[position], classes, nullable):
                return None
        try:
            return plain(function(*arguments, **named))
        except StepLimit:
            raise
        except Exception as error:
            argument = getattr(error, "argument", None)
            if argument is None and not isinstance(error, (ValueError, TypeError, ArithmeticError, LookupError)):
                raise
            s[0].fault(f"{label}: {error}", blames.get(argument, everywhere) if argument else everywhere)
            return None

    return call
