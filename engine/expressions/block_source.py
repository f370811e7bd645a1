"""Blocks as Python source: each a function of its own, with the names around it as parameters."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import column_source, syntax, types
from .call_source import argument
from .syntax import Tree

if TYPE_CHECKING:
    from .compiler import Compiler

HELPERS = ("groups", "advance", "kept", "settled")
Names = frozenset[str]
STEP_WORK = 1000  # of a step, whose pictures are gone through pixel by pixel


def _block(c: "Compiler", tree: Tree, names: Names, lines: list[str]) -> str:
    arguments, name = c.state_and(c.free(tree, names)), c.fresh("b")
    body = "\n".join(f"    {line}" for line in lines)
    c.definitions.append(f"def {name}({arguments}):\n{body}\n")
    return f"{name}({arguments})"


def _assignments(c: "Compiler", steps: syntax.Steps, names: Names, indent: str) -> tuple[list[str], Names]:
    lines = []
    for name, value in steps.members:
        lines.append(f"{indent}{c.local(name)} = {argument(c, value, names, 0)}")
        names = names | {name}
    return lines, names


def _lazily(tree: syntax.Steps, names: Names) -> dict[int, Tree]:
    """Where the one use of a step stands, if nothing repeats it: there it is evaluated, and only if it is needed."""
    steps = {name: value for name, value in tree.members if syntax.children(syntax.bare(value))}
    if tree.result is None or not names.isdisjoint(name for name, _ in tree.members):
        return {}
    everywhere = [node for part in syntax.children(tree) for node in syntax.walk(part) if isinstance(node, syntax.Name)]
    uses = [node.id for node in everywhere]
    once = [node for node in _evaluated_once(syntax.children(tree)) if uses.count(node.id) == 1 and node.id in steps]
    return {id(node): steps[node.id] for node in once}


def _evaluated_once(trees: Sequence[Tree]) -> list[syntax.Name]:
    """The names in some trees that stand in no function and no block, which may evaluate them again and again."""
    found, waiting = [], list(trees)
    while waiting:
        node = waiting.pop()
        if isinstance(node, syntax.Name):
            found.append(node)
        elif not isinstance(node, (syntax.Lambda, syntax.Steps, syntax.ForEach, syntax.Group, syntax.InStep)):
            waiting += syntax.children(node)
    return found


def _record(c: "Compiler", members: Sequence[str]) -> str:
    return "{" + ", ".join(f"{name!r}: {c.local(name)}" for name in members) + "}"


def _columns(tree: syntax.ForEach | syntax.Group | syntax.InStep) -> list[str]:
    return [name for name, _ in tree.columns.members]


def steps(c: "Compiler", tree: syntax.Steps, names: Names, level: int) -> str:
    c.inlined |= (lazily := _lazily(tree, names))
    kept = [(name, value) for name, value in tree.members if not any(value is step for step in lazily.values())]
    lines, inner = _assignments(c, syntax.Steps(tuple(kept)), names, "")
    if tree.result is not None:
        lines.append(f"return {c.expression(tree.result, inner, 0)}")
    else:
        lines.append(f"return {_record(c, [name for name, _ in tree.members])}")
    return _block(c, tree, names, lines)


def for_each(c: "Compiler", tree: syntax.ForEach, names: Names, level: int) -> str:
    """A loop for each list; null where one of them is."""
    cost = c.cost(tree.columns) + 1
    lines, indent, inner = ["out = {}" if tree.key is not None else "out = []"], "", names
    for name, value in tree.names:
        of = c.fresh("l")
        lines.append(f"{indent}{of} = {c.expression(value, inner, 0)}")
        lines.append(f"{indent}if not isinstance({of}, list): return None")
        lines.append(f"{indent}for {c.local(name)} in spend(s, {of}, {cost}):")
        indent, inner = indent + "    ", inner | {name}
    assignments, inner = _assignments(c, tree.columns, inner, indent)
    lines += assignments
    if tree.where is not None:
        lines.append(f"{indent}if ({c.expression(tree.where, inner, 0)}) is not True: continue")
    lines += [indent + line for line in _row(c, tree, inner)]
    return _block(c, tree, names, [*lines, "return out"])


def _row(c: "Compiler", tree: syntax.ForEach, names: Names) -> list[str]:
    """What is kept of one round."""
    if tree.value is not None:
        row = c.expression(tree.value, names, 0)
    else:
        row = _record(c, [*(name for name, _ in tree.names), *_columns(tree)])
    if tree.key is None:
        return [f"out.append({row})"]
    key = c.fresh("t")
    return [f"{key} = {c.expression(tree.key, names, 0)}", f"if isinstance({key}, str): out[{key}] = {row}"]


def group(c: "Compiler", tree: syntax.Group, names: Names, level: int) -> str:
    """A row a group; null where there is no list. In the columns the fields of the rows are lists."""
    element = c.type_of(tree.of).element
    fields = [name for name, _ in element.fields] if element is not None else []
    used = {node.id for node in syntax.walk(tree.columns) if isinstance(node, syntax.Name)}
    of, by, cost = c.fresh("l"), c.constant(tree.by), c.cost(tree.columns) + 1
    lines = [
        f"{of} = {c.expression(tree.of, names, 0)}",
        f"if not isinstance({of}, list): return None",
        *_by_column(c, column_source.grouped(c, tree, of, cost, fields), of),
        "out = []",
        f"for key, rows in groups(s, {of}, {by}, {cost}):",
    ]
    lines += [f"    {c.local(name)} = field(rows, {name!r}, s[0].pay)" for name in fields if name in used]
    assignments, _ = _assignments(c, tree.columns, names | set(fields), "    ")
    members = "".join(f", {name!r}: {c.local(name)}" for name in _columns(tree))
    lines += [*assignments, "    out.append({**key" + members + "})", "return out"]
    return _block(c, tree, names, lines)


def _by_column(c: "Compiler", source: str, of: str) -> list[str]:
    """The groups of a table that has columns."""
    found = c.fresh("t")
    return [f"if type({of}) is Table and ({found} := {source}) is not None: return {found}"] if source else []


def in_step(c: "Compiler", tree: syntax.InStep, names: Names, level: int) -> str:
    """A row a step; null where their number is. Of what a step finds, pictures are let go with it."""
    cost = c.cost(tree.columns) + STEP_WORK
    origins = {name: types.all_origins(c.type_of(value)) for name, value in tree.names}
    streams = ", ".join(f"{name!r}: {c.expression(value, names, 0)}" for name, value in tree.names)
    locals_ = ", ".join(c.local(name) for name in (syntax.STEP, *(name for name, _ in tree.names)))
    steps_ = c.fresh("l")
    lines = [
        f"{steps_} = advance(s, {c.expression(tree.rows, names, 0)}, {{{streams}}}, {c.constant(origins)}, {cost})",
        f"if {steps_} is None: return None",
        "out, pictures = [], set()",
        f"for {locals_} in {steps_}:",
    ]
    assignments, _ = _assignments(c, tree.columns, names | {syntax.STEP, *(name for name, _ in tree.names)}, "    ")
    row = _record(c, [syntax.STEP, *_columns(tree)])
    lines += [*assignments, f"    out.append(kept({row}, pictures))", "return settled(out, pictures)"]
    return _block(c, tree, names, lines)
