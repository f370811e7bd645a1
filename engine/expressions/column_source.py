"""Conditions over the rows of a table, and groups of them, as Python source that goes through columns.

Beside each loop over rows there is a function that does the same by column where the list is a table that has them.
It gives None where that is not possible, and then the loop runs. Both pay the same.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..tables import loops, operations
from ..tables.cells import NotColumnar
from ..tables.table import Table
from . import syntax
from .syntax import Tree

if TYPE_CHECKING:
    from .compiler import Compiler

HELPERS = {
    "Table": Table,
    "NotColumnar": NotColumnar,
    **{f"c_{name}": getattr(loops, name) for name in ("filter_", "count", "each", "grouped", "weight_of_texts")},
    **{
        f"c_{name}": getattr(operations, name)
        for name in (
            *("compare", "equal", "unequal", "both", "either", "opposite", "choose", "or_else"),
            *("calculate", "square", "negate"),
        )
    },
}
_ORDERING = ("<", "<=", ">", ">=")
_GROUPED = ("all", "any")


class _Declined(Exception):
    """There is no source by column."""


class _ByColumn:
    """The source of one condition. `cell` gives the source of a column where a tree is a field of the row."""

    def __init__(self, c: "Compiler", names: frozenset[str], cell: Callable[[Tree], str | None]):
        self.c = c
        self.names = names
        self.cell = cell

    def source(self, tree: Tree) -> str:
        tree = syntax.bare(tree)
        if (column := self.cell(tree)) is not None:
            self._must_be_single(tree)
            return column
        rule = _RULES.get(type(tree))
        if rule is None:
            raise _Declined
        return rule(self, tree)

    def _must_be_single(self, tree: Tree) -> None:
        """Only single values that cost nothing to look at are kept by column."""
        type_ = self.c.type_of(tree)
        if type_.kind not in ("number", "text", "boolean", "null") or type_.long:
            raise _Declined

    def literal(self, tree: Any) -> str:
        return self.c.constant(tree.value)

    def null(self, tree: syntax.Null) -> str:
        return "None"

    def name(self, tree: syntax.Name) -> str:
        """A parameter or a constant: what has its value already."""
        self._must_be_single(tree)
        if id(tree) in self.c.inlined:
            raise _Declined
        source = self.c.expression(tree, self.names, 0)
        if tree.id not in self.names and source.startswith("("):
            raise _Declined
        return source

    def unary(self, tree: syntax.Unary) -> str:
        return f"c_{'opposite' if tree.operator == 'not' else 'negate'}({self.source(tree.operand)})"

    def binary(self, tree: syntax.Binary) -> str:
        left = self.source(tree.left)
        match tree.operator:
            case "and" | "or" | "??":
                function = {"and": "both", "or": "either", "??": "or_else"}[tree.operator]
                return f"c_{function}({left}, {self.source(tree.right)})"
            case "+" | "-" | "*" | "/" if all(self._is_number(side) for side in (tree.left, tree.right)):
                return f"c_calculate({tree.operator!r}, {left}, {self.source(tree.right)})"
            case "**" if isinstance(power := syntax.bare(tree.right), syntax.Number) and type(power.value) is int:
                if power.value == 2:
                    return f"c_square({left})"
        raise _Declined

    def _is_number(self, tree: Tree) -> bool:
        return self.c.type_of(tree).kind == "number"

    def comparison(self, tree: syntax.Comparison) -> str:
        operands = [self.source(tree.first), *(self.source(operand) for _, operand in tree.rest)]
        links = [self._link(operator, operands[at], operands[at + 1]) for at, (operator, _) in enumerate(tree.rest)]
        joined = links[0]
        for link in links[1:]:
            joined = f"c_both({joined}, {link})"
        return joined

    def _link(self, operator: str, left: str, right: str) -> str:
        if operator in _ORDERING:
            return f"c_compare({operator!r}, {left}, {right})"
        if operator in ("==", "!="):
            return f"c_{'equal' if operator == '==' else 'unequal'}({left}, {right})"
        raise _Declined

    def conditional(self, tree: syntax.Conditional) -> str:
        return f"c_choose({self.source(tree.test)}, {self.source(tree.then)}, {self.source(tree.otherwise)})"


_RULES: dict[type, Callable[[_ByColumn, Any], str]] = {
    syntax.Number: _ByColumn.literal,
    syntax.Text: _ByColumn.literal,
    syntax.Boolean: _ByColumn.literal,
    syntax.Null: _ByColumn.null,
    syntax.Name: _ByColumn.name,
    syntax.Unary: _ByColumn.unary,
    syntax.Binary: _ByColumn.binary,
    syntax.Comparison: _ByColumn.comparison,
    syntax.Conditional: _ByColumn.conditional,
}


def by_column(c: "Compiler", name: str, function: syntax.Lambda, table: str, cost: int, names: frozenset[str]) -> str:
    """The source of a call that gives what a loop would, None where it cannot; empty where none can be made."""
    row = function.parameters[0]
    outer = names - {row}

    def cell(tree: Tree) -> str | None:
        of = syntax.bare(tree.of) if isinstance(tree, syntax.Field) else None
        if isinstance(of, syntax.Name) and of.id == row:
            return f"rows.cells({tree.name!r})"  # type: ignore[union-attr]
        if isinstance(tree, syntax.Name) and tree.id == row:
            raise _Declined
        return None

    try:
        source = _ByColumn(c, outer, cell).source(function.body)
    except _Declined:
        return ""
    free = c.free(function.body, outer)
    helper = {"filter": "filter_", "count": "count"}.get(name, "each")
    defined = _definition(c, free, ["rows"], [f"found = c_{helper}(rows, {source})"], [f"spend(s, rows, {cost})"])
    return f"{defined}({', '.join(['s', *map(c.local, free), table])})"


def _definition(c: "Compiler", free: list[str], given: list[str], tries: list[str], then: list[str]) -> str:
    name = c.fresh("x")
    lines = ["try:", *(f"    {line}" for line in tries), "except NotColumnar:", "    return None", *then]
    body = "\n".join(f"    {line}" for line in [*lines, "return found"])
    c.definitions.append(f"def {name}({', '.join(['s', *map(c.local, free), *given])}):\n{body}\n")
    return name


# ---------------------------------------------------------------- the derived fields of a record


def derived_columns(c: "Compiler", name: str, fields: Sequence[str], derived: Mapping[str, Tree]) -> None:
    """Define a function `name(columns)` that adds the derived fields to the columns of a record, by name, unless
    one of them cannot be had by column.
    """
    lines, known = [], set(fields)

    def cell(tree: Tree) -> str | None:
        return f"columns[{tree.id!r}]" if isinstance(tree, syntax.Name) and tree.id in known else None

    try:
        for field, tree in derived.items():
            lines.append(f"columns[{field!r}] = {_ByColumn(c, frozenset(), cell).source(tree)}")
            known.add(field)
    except _Declined:
        return
    body = "\n".join(f"    {line}" for line in [*lines, "return columns"])
    c.definitions.append(f"def {name}(columns):\n{body}\n")


# ---------------------------------------------------------------- groups


def grouped(c: "Compiler", tree: syntax.Group, table: str, cost: int, fields: list[str]) -> str:
    """The source of a call that gives the rows of a group block, None where it cannot; empty where none can be made."""
    own = c.knowledge.functions
    aggregates = [_aggregate(name, value, fields, own) for name, value in tree.columns.members]
    taken = {*tree.by, *fields}
    if any(one is None or one[0] in taken for one in aggregates) or len(set(tree.by)) < len(tree.by):
        return ""
    per_row = 1 + 2 * len({one[2] for one in aggregates if one is not None and one[2] is not None})
    per_row += sum(1 for one in aggregates if one is not None and one[2] is not None)
    by, wanted = c.constant(tuple(tree.by)), c.constant(tuple(aggregates))
    then = [
        f"s[0].pay({per_row} * len(rows) + {cost} * len(found))",
        f"for name in {by}: s[0].pay(c_weight_of_texts(rows.cells(name)))",
    ]
    defined = _definition(c, [], ["rows"], [f"found = c_grouped(rows, {by}, {wanted})"], then)
    return f"{defined}(s, {table})"


def _aggregate(name: str, tree: Tree, fields: list[str], own: Container[str]) -> loops.Aggregate | None:
    """What a column of a group is: its name, function, field, and what stands for null."""
    tree, default = syntax.bare(tree), None
    if isinstance(tree, syntax.Binary) and tree.operator == "??":
        literal = syntax.bare(tree.right)
        if not isinstance(literal, (syntax.Number, syntax.Text, syntax.Boolean)):
            return None
        tree, default = syntax.bare(tree.left), literal.value
    of = _argument(tree, _GROUPED, own)
    if isinstance(tree, syntax.Call) and isinstance(of, syntax.Name) and of.id in fields:
        return name, tree.name, of.id, default
    counted = _argument(tree, ("count",), own)
    if isinstance(counted, syntax.Name) and counted.id == "rows" and "rows" not in fields:
        return name, "count", None, default
    inner = _argument(counted, ("distinct",), own) if counted is not None else None
    if isinstance(inner, syntax.Name) and inner.id in fields:
        return name, "distinct", inner.id, default
    return None


def _argument(tree: Tree, functions: tuple[str, ...], own: Container[str]) -> Tree | None:
    """The one argument of a call of a built-in function."""
    if not isinstance(tree, syntax.Call) or tree.module is not None or tree.name not in functions or tree.name in own:
        return None
    return syntax.bare(tree.positional[0]) if len(tree.positional) == 1 and not tree.named else None
