"""Operators as Python source: Python's own where the types say that it comes to the same, else those of `values`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import number_source, operator_types, syntax, types
from .number_source import MEMBER_WORK, calculation, unless_null
from .syntax import Tree
from .types import Type

if TYPE_CHECKING:
    from .compiler import Compiler

_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "**": "power"}
_ORDERING = {"<": "less", "<=": "at_most", ">": "more", ">=": "at_least"}
_LOGIC = {"and": ("False", "both"), "or": ("True", "either")}
_EQUAL_IN_PYTHON = (("number", "number"), ("boolean", "boolean"))
_PAY = "s[0].pay"

HELPERS = (
    *number_source.HELPERS,
    *_ARITHMETIC.values(),
    *_ORDERING.values(),
    *("negate", "opposite", "both", "both_of", "either", "count_up"),
    *("equal", "equal_texts", "contains", "field", "index", "table_value"),
)


def sure(type_: Type, *kinds: str) -> bool:
    """Whether a value is of one of these kinds and never null."""
    return type_.kind in kinds and not type_.nullable


def maybe_column(type_: Type) -> bool:
    return type_.kind in ("list", "any")


def _paid(source: str, *operands: Type) -> str:
    """The source, its result paid for where that may be a list or a text."""
    singles = all(operand.kind in ("number", "boolean", "null") for operand in operands)
    return source if singles else f"spend(s, {source}, {MEMBER_WORK})"


# ---------------------------------------------------------------- arithmetic and logic


def unary(c: "Compiler", tree: syntax.Unary, names: frozenset[str], level: int) -> str:
    operand, type_ = c.expression(tree.operand, names, level), c.type_of(tree.operand)
    if tree.operator == "not":
        return f"(not {operand})" if sure(type_, "boolean") else _paid(f"opposite({operand})", type_)
    if type_.kind == "number":
        return unless_null(c, [(operand, type_)], lambda x: f"-{x}")
    return _paid(f"negate({operand})", type_)


def binary(c: "Compiler", tree: syntax.Binary, names: frozenset[str], level: int) -> str:
    left, right = c.expression(tree.left, names, level), c.expression(tree.right, names, level)
    match tree.operator:
        case "??":
            held = c.fresh("t")
            return f"({held} if ({held} := {left}) is not None else {right})"
        case "and" | "or":
            return _logical(c, tree, left, right)
        case "..":
            return f"spend(s, count_up({left}, {right}), {MEMBER_WORK})"
    return _arithmetic(c, tree, left, right)


def _arithmetic(c: "Compiler", tree: syntax.Binary, left: str, right: str) -> str:
    a, b = c.type_of(tree.left), c.type_of(tree.right)
    known = calculation(c, tree.operator, (left, a), (right, b)) if tree.operator != "**" else None
    return known or _paid(f"{_ARITHMETIC[tree.operator]}({left}, {right})", a, b)


def _logical(c: "Compiler", tree: syntax.Binary, left: str, right: str) -> str:
    a, b = c.type_of(tree.left), c.type_of(tree.right)
    deciding, function = _LOGIC[tree.operator]
    if sure(a, "boolean") and sure(b, "boolean"):
        return f"({left} {tree.operator} {right})"
    if maybe_column(a) or maybe_column(b):
        return f"spend(s, {function}({left}, {right}), {MEMBER_WORK})"
    held = c.fresh("t")
    return f"({deciding} if ({held} := {left}) is {deciding} else {function}({held}, {right}))"


def conditional(c: "Compiler", tree: syntax.Conditional, names: frozenset[str], level: int) -> str:
    test = c.expression(tree.test, names, level)
    then, otherwise = c.expression(tree.then, names, level), c.expression(tree.otherwise, names, level)
    test = test if sure(c.type_of(tree.test), "boolean") else f"({test}) is True"
    return f"({then} if {test} else {otherwise})"


# ---------------------------------------------------------------- comparison


def comparison(c: "Compiler", tree: syntax.Comparison, names: frozenset[str], level: int) -> str:
    """A chain; an operand between two comparisons is held, so that it is evaluated once."""
    left, a = c.expression(tree.first, names, level), c.type_of(tree.first)
    links, kinds = [], []
    for position, (operator, operand) in enumerate(tree.rest):
        right, b = c.expression(operand, names, level), c.type_of(operand)
        if position < len(tree.rest) - 1:
            held = c.fresh("t")
            links.append(_link(c, operator, left, a, f"({held} := {right})", b, held=True))
            left = held
        else:
            links.append(_link(c, operator, left, a, right, b, held=False))
        kinds.append(operator_types.link(_unsaid, operator, a, b, tree.at))
        a = b
    if len(links) == 1:
        return links[0]
    if all(sure(kind, "boolean") for kind in kinds):
        return f"({' and '.join(links)})"
    return _paid(f"both_of({', '.join(links)})", *kinds)


def _unsaid(*problem: object) -> Type:
    return types.ANY


def _link(c: "Compiler", operator: str, left: str, a: Type, right: str, b: Type, *, held: bool) -> str:
    if operator in ("==", "!="):
        return _equality(operator, left, a, right, b)
    if operator in ("in", "not in"):
        found = _membership(left, a, right, b)
        return found if operator == "in" else f"(not {found})" if _sure_answer(a, b) else f"opposite({found})"
    known = calculation(c, operator, (left, a), (right, b))
    if known is not None and (not held or (sure(a, "number") and sure(b, "number"))):
        return known
    if sure(a, "text") and sure(b, "text") and not (a.long or b.long):
        return f"({left} {operator} {right})"
    if not maybe_column(a) and not maybe_column(b) and not (a.long or b.long):
        return f"{_ORDERING[operator]}({left}, {right})"
    return f"spend(s, {_ORDERING[operator]}(spend(s, {left}, 1), spend(s, {right}, 1)), {MEMBER_WORK})"


def _equality(operator: str, left: str, a: Type, right: str, b: Type) -> str:
    if right == "None" or left == "None":
        other = left if right == "None" else right
        return f"({other} is {'not ' if operator == '!=' else ''}None)"
    kinds = (a.kind, b.kind)
    short = kinds == ("text", "text") and not (a.long and b.long)
    if short or kinds in _EQUAL_IN_PYTHON:
        return f"({left} {operator} {right})"
    function = "equal_texts" if kinds == ("text", "text") else "equal"
    return f"({'not ' if operator == '!=' else ''}{function}({left}, {right}, {_PAY}))"


def _sure_answer(a: Type, b: Type) -> bool:
    return not operator_types.link(_unsaid, "in", a, b, 0).nullable


def _membership(left: str, a: Type, right: str, b: Type) -> str:
    if _sure_answer(a, b) and b.kind in ("map", "record"):
        return f"({left} in {right})"
    alike = b.kind == "list" and types.elements(b).kind == a.kind and a.kind in ("text", "number")
    if alike and _sure_answer(a, b) and not a.long:
        return f"({left} in spend(s, {right}, 1))"
    return f"contains({left}, {right}, {_PAY})"


# ---------------------------------------------------------------- access


def field(c: "Compiler", tree: syntax.Field, names: frozenset[str], level: int) -> str:
    of = syntax.bare(tree.of)
    if isinstance(of, syntax.Name) and of.id not in names:
        source = c.reference(of.id, tree.name)
        if source:
            return source
    inner, type_, name = c.expression(of, names, level), c.type_of(of), c.constant(tree.name)
    if type_.kind in ("record", "map"):
        return f"{inner}.get({name})" if not type_.nullable else unless_null(c, [(inner, type_)], _getting(name))
    row = types.elements(type_)
    if type_.kind == "list" and row.kind in ("record", "map"):
        return _column_of(c, inner, row, name)
    return f"field({inner}, {name}, {_PAY})"


def _column_of(c: "Compiler", of: str, row: Type, name: str) -> str:
    """The field of every row of a table."""
    table, one = c.fresh("t"), c.fresh("m")
    member = f"None if {one} is None else {one}.get({name})" if row.nullable else f"{one}.get({name})"
    column = f"{table}.column({name}) if type({table}) is Table else [{member} for {one} in {table}]"
    return f"(None if ({table} := {of}) is None else spend(s, {column}, 2))"


def _getting(key: str) -> Callable[[str], str]:
    return lambda of: f"{of}.get({key})"


def index(c: "Compiler", tree: syntax.Index, names: frozenset[str], level: int) -> str:
    of, key = c.expression(tree.of, names, level), c.expression(tree.key, names, level)
    if c.type_of(tree.of).kind in ("record", "map") and sure(c.type_of(tree.key), "text"):
        return unless_null(c, [(of, c.type_of(tree.of))], _getting(key))
    return f"index({of}, {key}, {_PAY})"


def is_single(c: "Compiler", tree: Tree) -> bool:
    """Whether a value is one that costs nothing to look at: a number, a boolean, null or a text that was not made."""
    return looks_single(c.type_of(tree))


def looks_single(type_: Type) -> bool:
    return type_.kind in ("number", "boolean", "null") or (type_.kind == "text" and not type_.long)
