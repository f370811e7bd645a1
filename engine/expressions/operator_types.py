"""What an operator gives for operands of known types, and which operands it cannot take.

`problem(id, message, at, hint)` takes what is wrong. Over lists, arithmetic, ordering and logic go member by member.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..findings import suggestion
from . import ranges, types
from .syntax import Tree
from .types import Type

Problem = Callable[..., Type]
Single = Callable[[Type, Type], Type]


def wants(problem: Problem, type_: Type, kinds: tuple[str, ...], operator: str, at: int | Tree) -> None:
    """Report an operand that cannot be of any of the kinds."""
    if type_.kind not in ("any", "null", *kinds):
        wanted = " or ".join(kinds)
        problem("wrong-type", f"'{operator}' needs a {wanted}, but this is a {type_}", at)


def _anything(*operands: Type) -> Type:
    """A result of which nothing is known but where it comes from."""
    return types.ANY.coming_from(frozenset().union(*(types.all_origins(operand) for operand in operands)))


def _column(element: Type, nullable: bool, origins: frozenset[str]) -> Type:
    return types.list_of(element, nullable=nullable).coming_from(origins)


def _members(type_: Type) -> Type:
    """What stands in place of an operand when its list is taken member by member."""
    return types.elements(type_) if type_.kind == "list" else type_


def _memberwise(single: Single, left: Type, right: Type, *, null_is_known: bool = False) -> Type | None:
    """What an operator gives where an operand is a list, or may be one; None where none is.

    `null_is_known`: a single null is an operand like others, else the whole is null beside it.
    """
    kinds = (left.kind, right.kind)
    if "list" not in kinds:
        return _anything(left, right) if "any" in kinds else None
    two = kinds == ("list", "list")
    missing = any(side.nullable for side in (left, right) if side.kind == "list")
    if null_is_known and missing and not two:
        return _anything(left, right)
    member = single(_members(left), _members(right)).or_null(missing)
    nullable = two or "any" in kinds or (not null_is_known and (left.nullable or right.nullable))
    return _column(member, nullable, left.origins | right.origins)


# ---------------------------------------------------------------- arithmetic


def negated(problem: Problem, operand: Type, at: int) -> Type:
    """The type of `-x`."""
    if operand.kind == "list":
        return _column(_negated(problem, _members(operand), at), operand.nullable, operand.origins)
    return _anything(operand) if operand.kind == "any" else _negated(problem, operand, at)


def _negated(problem: Problem, operand: Type, at: int) -> Type:
    wants(problem, operand, ("number",), "-", at)
    nullable = operand.nullable or operand.kind != "number"
    return Type("number", nullable, -operand.high, -operand.low, operand.whole, origins=operand.origins)


def arithmetic(problem: Problem, operator: str, left: Type, right: Type, at: int) -> Type:
    """The type of `left operator right`."""
    if operator == "+" and not {left.kind, right.kind}.isdisjoint(("list", "text")):
        joined = _joined(problem, left, right, at)
        if joined is not None:
            return joined
    column = _memberwise(lambda a, b: _number(problem, operator, a, b, at), left, right)
    return column if column is not None else _number(problem, operator, left, right, at)


def _joined(problem: Problem, left: Type, right: Type, at: int) -> Type | None:
    """The type of `+` where a side is a text or a list; None where a list takes a number each."""
    one, other = (left, right) if left.kind in ("list", "text") else (right, left)
    wants(problem, other, ("list", "number") if one.kind == "list" else ("text",), "+", at)
    if one.kind == "list" and other.kind == "any":
        return _column(types.ANY, True, types.all_origins(left) | types.all_origins(right))
    if one.kind != other.kind:
        return None if one.kind == "list" and other.kind == "number" else _anything(left, right)
    if one.kind == "text":
        return types.MADE_TEXT.noted(True, left.origins | right.origins)
    return replace(types.join(left, right), nullable=True, entries=frozenset())


def _number(problem: Problem, operator: str, left: Type, right: Type, at: int) -> Type:
    for side in (left, right):
        wants(problem, side, ("number",), operator, at)
    known = left.kind == right.kind == "number"
    low, high, may_fail = ranges.arithmetic(operator, left, right)
    whole = left.whole and right.whole and operator in "+-*"
    nullable = left.nullable or right.nullable or not known or may_fail
    return Type("number", nullable, low, high, whole, origins=left.origins | right.origins)


def counted_up(problem: Problem, left: Type, right: Type, at: int) -> Type:
    """The type of `left..right`."""
    for side in (left, right):
        wants(problem, side, ("number",), "..", at)
    element = types.number(left.low, max(left.low, right.high), whole=True)
    return _column(element, True, left.origins | right.origins)


# ---------------------------------------------------------------- logic


def logical(problem: Problem, operator: str, left: Type, right: Type, at: int) -> Type:
    """The type of `left and right`, `left or right`."""

    def single(a: Type, b: Type) -> Type:
        for side in (a, b):
            wants(problem, side, ("boolean",), operator, at)
        known = a.kind == b.kind == "boolean"
        return Type("boolean", a.nullable or b.nullable or not known, origins=a.origins | b.origins)

    column = _memberwise(single, left, right, null_is_known=True)
    return column if column is not None else single(left, right)


def opposite(problem: Problem, operand: Type, at: int) -> Type:
    """The type of `not x`."""

    def single(a: Type) -> Type:
        wants(problem, a, ("boolean",), "not", at)
        return Type("boolean", a.nullable or a.kind != "boolean", origins=a.origins)

    if operand.kind == "list":
        return _column(single(_members(operand)), operand.nullable, operand.origins)
    return _anything(operand) if operand.kind == "any" else single(operand)


# ---------------------------------------------------------------- comparison


def compared(problem: Problem, operators: Sequence[str], operands: Sequence[Type], at: int) -> Type:
    """The type of a chain of comparisons: of each link, and of them all joined by `and`."""
    chain: Type | None = None
    for operator, left, right in zip(operators, operands, operands[1:], strict=False):
        answer = link(problem, operator, left, right, at)
        chain = answer if chain is None else logical(problem, "and", chain, answer, at)
    origins = frozenset().union(*(types.all_origins(operand) for operand in operands))
    return (chain or types.BOOLEAN).coming_from(origins)


def link(problem: Problem, operator: str, left: Type, right: Type, at: int) -> Type:
    """The type of one comparison."""
    if operator in ("==", "!="):
        _check_equality(problem, operator, left, right, at)
        return types.BOOLEAN
    if operator in ("in", "not in"):
        wants(problem, right, ("list", "map", "record", "text"), operator, at)
        return Type("boolean", left.nullable or right.nullable or _in_can_fail(left, right))
    column = _memberwise(lambda a, b: _ordered(problem, operator, a, b, at), left, right)
    return column if column is not None else _ordered(problem, operator, left, right, at)


def _in_can_fail(left: Type, right: Type) -> bool:
    """Whether `in` can be null though neither side is."""
    if right.kind == "list":
        return types.elements(right).nullable
    return left.kind != "text" or right.kind not in ("map", "record", "text")


def _ordered(problem: Problem, operator: str, left: Type, right: Type, at: int) -> Type:
    for side in (left, right):
        wants(problem, side, ("number", "text"), operator, at)
    if {left.kind, right.kind} == {"number", "text"}:
        problem("wrong-type", f"'{operator}' compares a {left.kind} with a {right.kind}", at)
    known = left.kind == right.kind and left.kind in ("number", "text")
    return Type("boolean", left.nullable or right.nullable or not known, origins=left.origins | right.origins)


def _check_equality(problem: Problem, operator: str, left: Type, right: Type, at: int) -> None:
    """Report an equality that can never hold."""
    answer = "always" if operator == "!=" else "never"
    if not types.fits(left, right) and not types.fits(right, left):
        if not (left.nullable and right.nullable):
            hint = None
            if "list" in (left.kind, right.kind):
                hint = f"'{operator}' takes a list as a whole; member by member it is map(of, x -> x {operator} ...)"
            problem("never-equal", f"a {left.kind} and a {right.kind}: '{operator}' is {answer} true", at, hint)
        return
    for one, other in ((left, right), (right, left)):
        if one.words is not None and other.words is not None and len(one.words) == 1:
            _check_word(problem, operator, answer, one, other, at)
            return


def _check_word(problem: Problem, operator: str, answer: str, one: Type, other: Type, at: int) -> None:
    word = (one.words or ("",))[0]
    possible = other.words or ()
    if one.kind != "text" or other.kind != "text" or word in possible:
        return
    known = ", ".join(str(known) for known in possible)
    hint = suggestion(str(word), map(str, possible)) or f"known values: {known}"
    problem("never-equal", f"'{word}' is none of the possible values, so '{operator}' is {answer} true", at, hint)
