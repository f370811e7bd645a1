"""Operators that take a column as a whole, where most others go through it member by member."""

from collections.abc import Iterator

from ..expressions import syntax, types
from ..expressions.syntax import Tree
from ..findings import Finding
from ..meaning import trees
from .facts import Facts

_SINGLE = ("number", "text", "boolean")


def whole_columns(facts: Facts) -> Iterator[Finding]:
    """Columns of numbers that `+` joins, and columns that `==` and `!=` compare with a single value."""
    for root in trees(facts.rubric):
        if not facts.faulty(root):
            yield from _inside(facts, root)


def _inside(facts: Facts, root: Tree) -> Iterator[Finding]:
    waiting: list[tuple[Tree, Tree]] = [(root, root)]
    while waiting:
        tree, place = waiting.pop()
        place = tree if isinstance(tree, syntax.Placed) else place
        waiting += [(child, place) for child in syntax.children(tree)]
        match tree:
            case syntax.Binary(operator="+") if _numbers(facts, tree.left) and _numbers(facts, tree.right):
                message = "'+' joins two columns into one; it does not add their numbers"
                hint = "add them row by row: map(rows, r -> r.a + r.b)"
                yield facts.finding("whole-column", message, place, hint, offset=tree.at, severity="warning")
            case syntax.Comparison(first=first, rest=rest):
                for (operator, right), left in zip(rest, (first, *(side for _, side in rest)), strict=False):
                    if operator in ("==", "!=") and _one_is_a_column(facts, left, right):
                        message = f"'{operator}' takes a column as a whole, so this is one answer, not one a row"
                        hint = f"ask row by row, map(rows, r -> r.a {operator} ...), or count(rows, r -> ...)"
                        yield facts.finding("whole-column", message, place, hint, offset=tree.at, severity="warning")


def _is_column(tree: Tree) -> bool:
    return isinstance(syntax.bare(tree), syntax.Field)


def _numbers(facts: Facts, tree: Tree) -> bool:
    type_ = facts.type_of(tree)
    return _is_column(tree) and type_.kind == "list" and types.elements(type_).kind == "number"


def _one_is_a_column(facts: Facts, left: Tree, right: Tree) -> bool:
    kinds = {True: facts.type_of(left).kind, False: facts.type_of(right).kind}
    return any(
        kinds[is_left] == "list" and kinds[not is_left] in _SINGLE and _is_column(left if is_left else right)
        for is_left in (True, False)
    )
