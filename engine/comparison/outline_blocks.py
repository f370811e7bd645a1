"""The parts of expressions: those written over several lines change line by line, others as a whole."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..document import Mapping as MappingNode
from ..document import Node
from ..expressions import syntax
from ..expressions.syntax import Tree
from .parts import Context, Part, shown, source

Make = Callable[[Mapping[str, Any]], Tree]
Block = tuple[str, dict[str, Part], Make]
STREAM = "stream "
COLUMN = "column "


def tree_part(context: Context, topic: str, path: str, tree: Tree, node: Node | None = None) -> Part:
    """An expression or block; `node` is where it stands, by default where it is written."""
    where = node if node is not None else source(tree)
    if not isinstance(source(tree), MappingNode):
        return context.leaf(topic, path, tree, source(tree), text=shown(tree))
    shape, parts, make = _block(context, path, syntax.bare(tree))

    def placed(values: Mapping[str, Any]) -> Tree:
        return syntax.Placed(make(values), source(tree))

    if not parts:
        return context.leaf(topic, path, tree, where, text=shown(tree))
    return context.whole(topic, path, tree, where, parts, placed, shape=shape, order="step order", text=shown(tree))


def optional_tree(context: Context, topic: str, path: str, tree: Tree | None) -> Part | None:
    return None if tree is None else tree_part(context, topic, path, tree)


def bindings(context: Context, topic: str, path: str, each: tuple[tuple[str, Tree], ...]) -> Part:
    """What a block goes through."""
    text = ", ".join(f"{name} in {shown(tree)}" for name, tree in each)
    return context.leaf(topic, path, each, source(each[0][1]) if each else None, text=text)


def requirements(context: Context, topic: str, path: str, trees: tuple[Tree, ...]) -> Part:
    """Conditions that must all hold."""
    node = source(trees[0]) if trees else None
    return context.leaf(topic, path, trees, node, text="; ".join(shown(tree) for tree in trees))


def _block(context: Context, path: str, tree: Tree) -> Block:
    match tree:
        case syntax.Conditional():
            return _when(context, path, tree)
        case syntax.Steps():
            return _steps(context, path, tree)
        case syntax.Call():
            return _call(context, path, tree)
        case syntax.ForEach():
            return _for_each(context, path, tree)
        case syntax.Group():
            return _group(context, path, tree)
        case syntax.InStep():
            return _in_step(context, path, tree)
    return "", {}, lambda values: tree


def _named(
    context: Context, topic: str, path: str, members: Iterable[tuple[str, Tree]], before: str = ""
) -> dict[str, Part]:
    return {f"{before}{name}": tree_part(context, topic, f"{path}.{name}", tree) for name, tree in members}


def _when(context: Context, path: str, tree: syntax.Conditional) -> Block:
    """A block that counts only where a condition holds."""
    shape, parts, make = _block(context, path, syntax.bare(tree.then))
    condition = tree_part(context, "clause", f"{path}.when", tree.test)

    def made(values: Mapping[str, Any]) -> Tree:
        inner = make({name: value for name, value in values.items() if name != "when"})
        return syntax.Conditional(values["when"], inner, tree.otherwise)

    return f"when {shape}", {"when": condition, **parts}, made


def _steps(context: Context, path: str, tree: syntax.Steps) -> Block:
    parts = _named(context, "step", path, tree.members)
    if tree.result is not None:
        parts["result"] = tree_part(context, "step", f"{path}.result", tree.result)

    def made(values: Mapping[str, Any]) -> Tree:
        members = tuple((name, value) for name, value in values.items() if name != "result")
        return syntax.Steps(members, values.get("result"))

    return "record" if tree.result is None else "steps", parts, made


def _call(context: Context, path: str, tree: syntax.Call) -> Block:
    parts = _named(context, "argument", path, tree.named)
    return f"call {tree.label}", parts, lambda values: replace(tree, named=tuple(values.items()))


def _columns(values: Mapping[str, Any]) -> syntax.Steps:
    members = ((name.removeprefix(COLUMN), value) for name, value in values.items() if name.startswith(COLUMN))
    return syntax.Steps(tuple(members))


def _for_each(context: Context, path: str, tree: syntax.ForEach) -> Block:
    parts = {"for_each": bindings(context, "loop", f"{path}.for_each", tree.names)}
    parts |= _named(context, "column", path, tree.columns.members, COLUMN)
    clauses = {label: getattr(tree, label) for label in ("where", "key", "value")}
    parts |= _named(context, "clause", path, ((label, part) for label, part in clauses.items() if part is not None))

    def made(values: Mapping[str, Any]) -> Tree:
        found = {label: values.get(label) for label in clauses}
        return replace(tree, names=values["for_each"], columns=_columns(values), **found)

    return "table", parts, made


def _group(context: Context, path: str, tree: syntax.Group) -> Block:
    parts = {
        "group": tree_part(context, "clause", f"{path}.group", tree.of),
        "by": context.leaf("clause", f"{path}.by", tree.by, source(tree.of), text=f"[{', '.join(tree.by)}]"),
    }
    parts |= _named(context, "column", path, tree.columns.members, COLUMN)
    return "groups", parts, lambda values: replace(tree, of=values["group"], by=values["by"], columns=_columns(values))


def _in_step(context: Context, path: str, tree: syntax.InStep) -> Block:
    parts = _named(context, "loop", f"{path}.in_step", tree.names, STREAM)
    parts["rows"] = tree_part(context, "clause", f"{path}.rows", tree.rows)
    parts |= _named(context, "column", path, tree.columns.members, COLUMN)

    def made(values: Mapping[str, Any]) -> Tree:
        streams = ((name, value) for name, value in values.items() if name.startswith(STREAM))
        names = tuple((name.removeprefix(STREAM), value) for name, value in streams)
        return replace(tree, names=names, rows=values["rows"], columns=_columns(values))

    return "steps of streams", parts, made
