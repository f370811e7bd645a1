"""Arithmetic and ordering of what is known to be numbers, and of columns of numbers, as Python source."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import ranges, types
from .types import Type
from .values import EXACT_INTEGER

if TYPE_CHECKING:
    from .compiler import Compiler

Operand = tuple[str, Type]
MEMBER_WORK = 5  # steps for each member that an operator makes
HELPERS = ("bounded",)
_LIMIT = str(EXACT_INTEGER)


def unless_null(c: "Compiler", operands: list[Operand], build: Callable[..., str]) -> str:
    """What `build` makes of the sources of operands, null where one is; only those that can be are looked at."""
    tests, sources = [], []
    for source, type_ in operands:
        if type_.nullable:
            held = c.fresh("t")
            tests.append(f"({held} := {source}) is None")
            source = held
        sources.append(source)
    built = build(*sources)
    return f"(None if {' or '.join(tests)} else {built})" if tests else f"({built})"


def calculation(c: "Compiler", operator: str, left: Operand, right: Operand) -> str | None:
    """`+ - * /` or an ordering of two numbers, or member by member of columns; None where that is not known."""
    kinds = (left[1].kind, right[1].kind)
    if kinds == ("number", "number"):
        return _of_numbers(c, operator, left, right)
    if "list" in kinds and set(kinds) <= {"list", "number"} and not (operator == "+" and kinds == ("list", "list")):
        members = [types.elements(type_) if type_.kind == "list" else type_ for _, type_ in (left, right)]
        if all(member.kind == "number" for member in members):
            return _of_columns(c, operator, left, right, members)
    return None


def _of_numbers(c: "Compiler", operator: str, left: Operand, right: Operand) -> str:
    if operator not in "+-*/":
        return unless_null(c, [left, right], lambda x, y: f"{x} {operator} {y}")
    return unless_null(c, [left, right], lambda x, y: _finished(c, operator, (x, left[1]), (y, right[1])))


def _finished(c: "Compiler", operator: str, left: Operand, right: Operand) -> str:
    """The result as a number of the language; nothing is done where the ranges say that it is one."""
    (x, a), (y, b) = left, right
    divides = operator == "/" and b.low <= 0 <= b.high
    if divides:
        y = c.fresh("t")
    low, high, may_fail = ranges.arithmetic(operator, a, b)
    small = not (may_fail and not divides) and low > -EXACT_INTEGER and high < EXACT_INTEGER
    held = c.fresh("t")
    result = f"{x} {operator} {y}"
    finished = result if small else f"{held} if -{_LIMIT} <= ({held} := {result}) <= {_LIMIT} else bounded({held})"
    return f"(None if ({y} := {right[0]}) == 0 else {finished})" if divides else f"({finished})"


def _of_columns(c: "Compiler", operator: str, left: Operand, right: Operand, members: list[Type]) -> str:
    a, b, x, y = c.fresh("t"), c.fresh("t"), c.fresh("m"), c.fresh("m")
    either_null = f"({a} := {left[0]}) is None or ({b} := {right[0]}) is None"
    if left[1].kind == right[1].kind:
        loop, refused = f"for {x}, {y} in zip({a}, {b})", f"{either_null} or len({a}) != len({b})"
    elif left[1].kind == "list":
        loop, refused, y = f"for {x} in {a}", either_null, b
    else:
        loop, refused, x = f"for {y} in {b}", either_null, a
    one, other = members  # a single null is refused before the loop begins
    one = one if left[1].kind == "list" else one.never_null()
    other = other if right[1].kind == "list" else other.never_null()
    result = _of_numbers(c, operator, (x, one), (y, other))
    return f"(None if {refused} else spend(s, [{result} {loop}], {MEMBER_WORK}))"


def function_of_numbers(c: "Compiler", name: str, sources: list[str], given: list[Type]) -> str | None:
    """A built-in function of numbers by Python's own; None where that is not known to be the same."""
    if any(type_.kind != "number" for type_ in given):
        return None
    if name in ("min", "max") and len(given) > 1 and not any(type_.nullable for type_ in given):
        return f"{name}({', '.join(sources)})"
    if name == "abs" and len(given) == 1:
        return unless_null(c, [(sources[0], given[0])], lambda x: f"abs({x})")
    if name in ("round", "ceil", "floor") and len(given) == 1:
        return unless_null(c, [(sources[0], given[0])], lambda x: _whole(c, f"{name}({x})", given[0]))
    return None


def _whole(c: "Compiler", result: str, given: Type) -> str:
    """A whole number, which past 2^53 is a float."""
    if given.low > 1 - EXACT_INTEGER and given.high < EXACT_INTEGER - 1:
        return result
    held = c.fresh("t")
    return f"({held} if -{_LIMIT} <= ({held} := {result}) <= {_LIMIT} else bounded({held}))"
