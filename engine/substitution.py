"""Formulas with the values put in: the text of an expression in which names that have a value are that value."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from .expressions import syntax
from .expressions.parser import ExpressionError, parse
from .expressions.printer import show
from .expressions.syntax import Tree
from .reporters import human

LONGEST_TEXT = 40
_LABEL = re.compile(r"(\s*(?:- )?(?:[A-Za-z_][\w |]*(?:\([\w, ]*\))?: )?)(.*)\Z", re.DOTALL)


def split_label(line: str) -> tuple[str, str]:
    """A line of a formula as its margin with its label, and the expression."""
    match = _LABEL.match(line)
    return (match[1], match[2]) if match else ("", line)


def parsed(expression: str) -> Tree | None:
    """The tree of an expression; None for what is none, such as the header of a block."""
    try:
        return parse(expression)
    except ExpressionError:
        return None


def replaced(tree: Tree, give: Callable[[Tree], Tree | None]) -> Tree:
    """The tree in which each node that `give` has another for is that one; the outermost comes first."""
    found = give(tree)
    if found is not None:
        return found

    def inner(value: Any) -> Any:
        if isinstance(value, syntax.Tree):
            return replaced(value, give)
        return tuple(inner(member) for member in value) if isinstance(value, tuple) else value

    return replace(tree, **{part.name: inner(getattr(tree, part.name)) for part in fields(tree) if part.name != "at"})


def with_values(tree: Tree, values: Mapping[str, Any]) -> str | None:
    """The text of a tree with the values of `name` and `name.field` in their places; None where there are none.

    Lists and records stay names: they would be long, and the list of an input knows more than its members.
    """
    filled = valued(tree, values)
    return None if filled == tree else show(filled)


def valued(tree: Tree, values: Mapping[str, Any]) -> Tree:
    """The tree with the values in the places of names, as `with_values` shows it."""
    return replaced(tree, lambda node: _value_at(node, values))


def with_arguments(tree: Tree, arguments: Mapping[str, Tree]) -> Tree:
    """The body of a function with the arguments of a call in place of its parameters."""
    return replaced(tree, lambda node: arguments.get(node.id) if isinstance(node, syntax.Name) else None)


def calls(tree: Tree, name: str) -> Iterator[syntax.Call]:
    """The calls of a function of the rubric inside a tree, in the order of the text."""
    for node in syntax.walk(tree):
        if isinstance(node, syntax.Call) and node.module is None and node.name == name:
            yield node


def arguments_of(call: syntax.Call, parameters: tuple[str, ...], hidden: frozenset[str]) -> dict[str, Tree]:
    """The arguments by parameter, without those that depend on a name which has no value of its own here."""
    given = {**dict(zip(parameters, call.positional, strict=False)), **dict(call.named)}
    return {name: tree for name, tree in given.items() if not hidden & _names(tree)}


def lambda_names(tree: Tree) -> frozenset[str]:
    """The parameters of all lambdas inside a tree."""
    return frozenset(name for node in syntax.walk(tree) if isinstance(node, syntax.Lambda) for name in node.parameters)


def _names(tree: Tree) -> set[str]:
    return {node.id for node in syntax.walk(tree) if isinstance(node, syntax.Name)}


def _value_at(node: Tree, values: Mapping[str, Any]) -> Tree | None:
    path = _path(node)
    if not path:
        return None
    for length in range(len(path), 0, -1):
        id, rest = ".".join(path[:length]), path[length:]
        if id in values:
            return _literal(_member(values[id], rest))
    return None


def _path(node: Tree) -> list[str]:
    """`a.b.c` as its names; nothing for any other node."""
    names: list[str] = []
    while isinstance(node, syntax.Field):
        names.append(node.name)
        node = node.of
    return [node.id, *reversed(names)] if isinstance(node, syntax.Name) else []


def _member(value: Any, path: list[str]) -> Any:
    for name in path:
        if not isinstance(value, Mapping) or name not in value:
            return ...
        value = value[name]
    return value


def _literal(value: Any) -> Tree | None:
    """A number, truth value, null or short text as an expression; None for anything else."""
    if value is None:
        return syntax.Null()
    if isinstance(value, bool):
        return syntax.Boolean(value)
    if isinstance(value, (int, float)):
        number = syntax.Number(abs(value), human.number(abs(value)))
        return syntax.Unary("-", number) if value < 0 else number
    if isinstance(value, str):
        return syntax.Text(value) if len(value) <= LONGEST_TEXT and not is_size(value) else None
    return None


_SIZE = re.compile(r"a list of \d+\Z")


def is_size(value: Any) -> bool:
    """Whether a report gives a long list by its size, `a list of 11`."""
    return isinstance(value, str) and bool(_SIZE.match(value))
