"""A syntax tree -> the text that parses to it, with no more brackets than needed."""

import re

from . import syntax
from .syntax import Tree

_LEVELS = {"or": 2, "and": 3, "??": 6, "..": 7, "+": 8, "-": 8, "*": 9, "/": 9, "**": 11}
_CONDITIONAL, _NOT, _COMPARISON, _SIGN, _POSTFIX, _ATOM = 1, 4, 5, 10, 12, 13


_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]')


def _quoted(text: str) -> str:
    """A text in double quotes; what cannot be seen is escaped."""
    escape = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + _ESCAPED.sub(lambda match: escape.get(match[0]) or f"\\u{ord(match[0]):04x}", text) + '"'


def _level(tree: Tree) -> int:
    match tree:
        case syntax.Binary():
            return _LEVELS[tree.operator]
        case syntax.Conditional() | syntax.Lambda():
            return _CONDITIONAL
        case syntax.Comparison():
            return _COMPARISON
        case syntax.Unary():
            return _NOT if tree.operator == "not" else _SIGN
        case syntax.Field() | syntax.Index() | syntax.Call():
            return _POSTFIX
        case _:
            return _ATOM


def _inside(tree: Tree, least: int) -> str:
    tree = syntax.bare(tree)
    text = show(tree)
    return text if _level(tree) >= least else f"({text})"


def _binary(tree: syntax.Binary) -> str:
    level = _LEVELS[tree.operator]
    if tree.operator == "**":
        return f"{_inside(tree.left, _POSTFIX)} ** {_inside(tree.right, _SIGN)}"
    if tree.operator == "..":
        return f"{_inside(tree.left, level + 1)}..{_inside(tree.right, level + 1)}"
    return f"{_inside(tree.left, level)} {tree.operator} {_inside(tree.right, level + 1)}"


def _call(tree: syntax.Call) -> str:
    arguments = [show(argument) for argument in tree.positional]
    arguments += [f"{name}={show(value)}" for name, value in tree.named]
    return f"{tree.label}({', '.join(arguments)})"


def _lambda(tree: syntax.Lambda) -> str:
    names = tree.parameters[0] if len(tree.parameters) == 1 else f"({', '.join(tree.parameters)})"
    return f"{names} -> {show(tree.body)}"


def _block(tree: Tree) -> str:
    """Blocks have no text form of their own; this one is for reading and for comparing, not for parsing."""
    match tree:
        case syntax.Steps():
            members = [f"{name}: {show(value)}" for name, value in tree.members]
            members += [f"result: {show(tree.result)}"] if tree.result is not None else []
            return "{" + "; ".join(members) + "}"
        case syntax.ForEach():
            names = ", ".join(f"{name} in {show(value)}" for name, value in tree.names)
            parts = [f"for each {names}: {_block(tree.columns)}"]
            for label in ("where", "key", "value"):
                part = getattr(tree, label)
                parts += [f"{label} {show(part)}"] if part is not None else []
            return "; ".join(parts)
        case syntax.Group():
            return f"group {show(tree.of)} by {', '.join(tree.by)}: {_block(tree.columns)}"
        case syntax.InStep():
            names = ", ".join(f"{name} of {show(value)}" for name, value in tree.names)
            return f"{show(tree.rows)} steps with {names}: {_block(tree.columns)}"
    raise TypeError(f"no text for {type(tree).__name__}")


def show(tree: Tree) -> str:
    """The text of a tree. For trees without blocks, `parse(show(tree)) == tree`."""
    match tree:
        case syntax.Placed():
            return show(tree.body)
        case syntax.Number():
            return tree.text or repr(tree.value)
        case syntax.Text():
            return _quoted(tree.value)
        case syntax.Boolean():
            return "true" if tree.value else "false"
        case syntax.Null():
            return "null"
        case syntax.Name():
            return tree.id
        case syntax.Items():
            return f"[{', '.join(show(item) for item in tree.items)}]"
        case syntax.Unary():
            space, least = (" ", _NOT) if tree.operator == "not" else ("", _SIGN)
            return f"{tree.operator}{space}{_inside(tree.operand, least)}"
        case syntax.Binary():
            return _binary(tree)
        case syntax.Comparison():
            rest = "".join(f" {operator} {_inside(operand, _COMPARISON + 1)}" for operator, operand in tree.rest)
            return _inside(tree.first, _COMPARISON + 1) + rest
        case syntax.Conditional():
            then, test = _inside(tree.then, _CONDITIONAL + 1), _inside(tree.test, _CONDITIONAL + 1)
            return f"{then} if {test} else {_inside(tree.otherwise, _CONDITIONAL)}"
        case syntax.Field():
            return f"{_inside(tree.of, _POSTFIX)}.{tree.name}"
        case syntax.Index():
            return f"{_inside(tree.of, _POSTFIX)}[{show(tree.key)}]"
        case syntax.Call():
            return _call(tree)
        case syntax.Lambda():
            return _lambda(tree)
        case _:
            return _block(tree)
