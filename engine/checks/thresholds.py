"""Limits between the few values that a number can have, which therefore mean another number than they say."""

import math
from collections.abc import Iterator
from fractions import Fraction

from ..expressions import syntax
from ..expressions.syntax import Tree
from ..expressions.types import Type
from ..findings import Finding
from ..number_types import as_number
from ..rubric import Gate
from ..verdict import TOLERANCE, holds
from .facts import Facts

_MAX_NAMES = 20


def unreachable_thresholds(facts: Facts) -> Iterator[Finding]:
    """Gates whose limit is no value that the number can have, and not harmlessly so.

    Of the shares 0, 1/3, 2/3 and 1 only 1 is at least 0.67, though 2/3 may have been meant; 0.66 is harmless.
    """
    for gate in facts.rubric.gates:
        limit = as_number(facts.type_of(gate.limit))
        if gate.value is None or gate.limit is None or limit is None or limit.kind != "number":
            continue
        if limit.low != limit.high or not math.isfinite(limit.low):
            continue
        if not facts.faulty(gate.value) and gate.decide_on == ("point",):
            yield from _between(facts, gate, gate.value, gate.limit, limit.low)


def _between(facts: Facts, gate: Gate, value: Tree, at: Tree, limit: float) -> Iterator[Finding]:
    possible = [Fraction(number) for number in _values(facts, value, 0)]
    whole = not possible and _whole(as_number(facts.type_of(value))) and limit != int(limit)
    if whole:
        possible = [Fraction(math.floor(limit)), Fraction(math.ceil(limit))]
    passing = [number for number in possible if holds(float(number), gate.word or "", limit)]
    met = any(math.isclose(number, limit, rel_tol=TOLERANCE) for number in possible)
    if not met and passing and (whole or (len(possible) > 2 and len(passing) == 1)):
        listed = "a whole number" if whole else f"one of {', '.join(map(str, possible))}"
        message = f"the value of the gate '{gate.name}' is {listed}, never {limit:.12g}"
        upward = gate.word in ("at_least", "above")
        meant = f"it means {'at_least' if upward else 'at_most'}: {passing[0]}; write that"
        hint = meant if whole else f"of these, only {passing[0]} passes"
        yield facts.finding("unreachable-threshold", message, at, hint, severity="warning", node=f"gates.{gate.name}")


def _whole(type_: Type | None) -> bool:
    return type_ is not None and type_.kind == "number" and type_.whole


def _values(facts: Facts, tree: Tree, names: int) -> list[Fraction]:
    """The few values that an expression can have, from the smallest; none where they are not known."""
    tree = syntax.bare(tree)
    type_ = facts.type_of(tree)
    if type_.kind == "number" and type_.words is not None and len(type_.words) > 1:
        return sorted({Fraction(word) for word in type_.words})
    if isinstance(tree, syntax.Call) and tree.label == "share" and len(tree.positional) == 1 and not tree.named:
        of = syntax.bare(tree.positional[0])
        parts = len(of.items) if isinstance(of, syntax.Items) else 0
        return [Fraction(part, parts) for part in range(parts + 1)] if parts else []
    if isinstance(tree, syntax.Name) and names < _MAX_NAMES:
        return _named(facts, tree.id, names + 1)
    return []


def _named(facts: Facts, name: str, names: int) -> list[Fraction]:
    rubric = facts.rubric
    if name in rubric.let:
        return _values(facts, rubric.let[name].tree, names)
    metric = rubric.metrics.get(name)
    if metric is None or metric.full is not None or metric.if_null is not None or rubric.unmeasured is not None:
        return []
    return _values(facts, metric.value, names)
