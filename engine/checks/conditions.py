"""Which answers a condition can have: true, false, null, as far as the ranges of its parts tell."""

from collections.abc import Callable

from ..expressions import syntax, values
from ..expressions.syntax import Tree
from ..expressions.types import Type
from .facts import Answer, Answers, Facts

EVERY: Answers = frozenset({True, False, None})


def answers(facts: Facts, tree: Tree) -> Answers:
    """A set that holds every answer the condition can have; names are followed to what they stand for."""
    if not facts.answers:
        for id in facts.analysis.order:
            if id in facts.rubric.let:
                facts.answers[id] = _answers(facts, facts.rubric.let[id].tree)
    return _answers(facts, tree)


def _answers(facts: Facts, tree: Tree) -> Answers:
    tree = syntax.bare(tree)
    match tree:
        case syntax.Boolean(value=value):
            return frozenset({value})
        case syntax.Null():
            return _null(facts)
        case syntax.Unary(operator="not", operand=operand):
            return frozenset(values.opposite(answer) for answer in _answers(facts, operand))
        case syntax.Binary(operator="and" | "or" as operator, left=left, right=right):
            both = values.both if operator == "and" else values.either
            return _combined(both, _answers(facts, left), _answers(facts, right))
        case syntax.Comparison():
            return _comparison(facts, tree)
        case syntax.Name(id=id) if id in facts.answers:
            return facts.answers[id]
    return _known(facts, facts.type_of(tree))


def _null(facts: Facts) -> Answers:
    """Where parts of the rubric could not be read, null stands in for what was written there."""
    return frozenset({None}) if facts.complete else EVERY


def _known(facts: Facts, type_: Type) -> Answers:
    if type_.kind == "null":
        return _null(facts)
    if type_.kind != "boolean":
        return EVERY
    found = frozenset(type_.words if type_.words is not None else (True, False))
    return found | {None} if type_.nullable else found


def _combined(operator: Callable[[Answer, Answer], Answer], left: Answers, right: Answers) -> Answers:
    return frozenset(operator(a, b) for a in left for b in right)


def _comparison(facts: Facts, tree: syntax.Comparison) -> Answers:
    found: Answers = frozenset({True})
    left = facts.type_of(tree.first)
    for operator, operand in tree.rest:
        right = facts.type_of(operand)
        found = _combined(values.both, found, _link(operator, left, right))
        left = right
    return found - {True} if True not in _ends(facts, tree) else found


def _ends(facts: Facts, tree: syntax.Comparison) -> Answers:
    """Of `a < x <= b`, whether `a < b`: what is between them is as good as any."""
    operators = {operator for operator, _ in tree.rest}
    if len(tree.rest) == 1 or not (operators <= {"<", "<="} or operators <= {">", ">="}):
        return EVERY
    return _link(min(operators, key=len), facts.type_of(tree.first), facts.type_of(tree.rest[-1][1]))


def _link(operator: str, left: Type, right: Type) -> Answers:
    if operator in ("==", "!="):
        equal = _equality(left, right)
        return equal if operator == "==" else frozenset(not answer for answer in equal)
    if left.kind != "number" or right.kind != "number" or operator not in _ORDERS:
        return EVERY
    found: Answers = frozenset(_ORDERS[operator](left, right))
    return found | {None} if left.nullable or right.nullable else found


def _equality(left: Type, right: Type) -> frozenset[bool]:
    """Whether two values can be equal and can differ. Null equals only null."""
    if "any" in (left.kind, right.kind) or (left.nullable and right.nullable):
        return frozenset({True, False})
    if left.words is not None and right.words is not None:
        pairs = {values.equal(a, b) for a in left.words for b in right.words}
        return frozenset(pairs | {False} if left.nullable or right.nullable else pairs)
    apart = left.high < right.low or right.high < left.low
    return frozenset({False} if left.kind == right.kind == "number" and apart else {True, False})


def _below(left: Type, right: Type) -> set[bool]:
    """`left < right`: whether it can be true, and whether it can be false."""
    return {answer for answer, can in ((True, left.low < right.high), (False, left.high >= right.low)) if can}


def _at_most(left: Type, right: Type) -> set[bool]:
    return {answer for answer, can in ((True, left.low <= right.high), (False, left.high > right.low)) if can}


_ORDERS: dict[str, Callable[[Type, Type], set[bool]]] = {
    "<": _below,
    "<=": _at_most,
    ">": lambda left, right: _below(right, left),
    ">=": lambda left, right: _at_most(right, left),
}
