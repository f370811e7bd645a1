"""Gates and caps that can only come out one way, by the ranges of what they look at."""

import math
from collections.abc import Iterator

from ..expressions import syntax
from ..expressions.syntax import Tree
from ..expressions.types import Type
from ..findings import Finding
from ..number_types import as_number, bound_of
from ..rubric import Cap, Gate, Score
from ..verdict import holds
from .conditions import answers
from .facts import Facts

_WORDS = {"at_least": "at least", "at_most": "at most", "above": "above", "below": "below"}
_TOO_EASY = "a gate that always holds asserts nothing; move its limit, or remove it"
_TOO_HARD = "no entry could ever pass; check the limit and its unit"


def gates(facts: Facts) -> Iterator[Finding]:
    """Gates that cannot fail and gates that cannot hold."""
    for gate in facts.rubric.gates:
        for number, tree in enumerate(gate.requirements, 1):
            part = f"part {number} of " if len(gate.requirements) > 1 else ""
            yield from _requirement(facts, gate, part, tree)
        if gate.value is not None and gate.limit is not None and gate.word is not None:
            yield from _limited(facts, gate, gate.value, gate.word, gate.limit)
        if gate.none is not None:
            yield from _none(facts, gate, gate.none)


def _finding(facts: Facts, id: str, message: str, at: Tree, gate: Gate) -> Finding:
    hint = _TOO_EASY if id == "gate-cannot-fail" else _TOO_HARD
    return facts.finding(id, message, at, hint, node=f"gates.{gate.name}")


def _requirement(facts: Facts, gate: Gate, part: str, tree: Tree) -> Iterator[Finding]:
    possible, what = answers(facts, tree), f"{part}the gate '{gate.name}'"
    if facts.faulty(tree):
        return
    if possible == {True}:
        yield _finding(facts, "gate-cannot-fail", f"{what} cannot fail: its condition is always true", tree, gate)
    elif True not in possible:
        yield _finding(facts, "gate-cannot-hold", f"{what} cannot hold: its condition is never true", tree, gate)


def _none(facts: Facts, gate: Gate, tree: Tree) -> Iterator[Finding]:
    written = syntax.bare(tree)
    if isinstance(written, syntax.Items) and not written.items:
        yield _finding(facts, "gate-cannot-fail", f"the gate '{gate.name}' cannot fail: its list is empty", tree, gate)
    elif isinstance(written, syntax.Items):
        message = f"the gate '{gate.name}' cannot hold: its list is never empty"
        yield _finding(facts, "gate-cannot-hold", message, tree, gate)


# ---------------------------------------------------------------- a value and a limit


def _limited(facts: Facts, gate: Gate, value: Tree, word: str, limit: Tree) -> Iterator[Finding]:
    if facts.faulty(value) or facts.faulty(limit):
        return
    bounds = [bound_of(facts.type_of(value), bound) for bound in gate.decide_on]
    known = as_number(facts.type_of(limit))
    numbers = [type_ for type_ in (*bounds, known) if type_ is not None and type_.kind == "number"]
    if facts.complete and "null" in (facts.type_of(value).kind, facts.type_of(limit).kind):
        message = f"the gate '{gate.name}' cannot hold: null holds nothing"
        yield _finding(facts, "gate-cannot-hold", message, limit, gate)
    if known is None or len(numbers) <= len(bounds):
        return
    because = f"it wants {_WORDS[word]} {_range(known)}, and its value is {_range(numbers[0])}"
    if any(not _can_hold(type_, word, known) for type_ in numbers[:-1]):
        yield _finding(facts, "gate-cannot-hold", f"the gate '{gate.name}' cannot hold: {because}", limit, gate)
    elif all(not _can_fail(type_, word, known) for type_ in numbers[:-1]):
        unless = " unless its value is null" if any(type_.nullable for type_ in numbers) else ""
        message = f"the gate '{gate.name}' cannot fail{unless}: {because}"
        yield _finding(facts, "gate-cannot-fail", message, limit, gate)


def _can_hold(value: Type, word: str, limit: Type) -> bool:
    """Whether the value that fits best holds against the limit that is easiest."""
    upward = word in ("at_least", "above")
    return holds(value.high, word, limit.low) if upward else holds(value.low, word, limit.high)


def _can_fail(value: Type, word: str, limit: Type) -> bool:
    upward = word in ("at_least", "above")
    return not (holds(value.low, word, limit.high) if upward else holds(value.high, word, limit.low))


def _range(type_: Type) -> str:
    if type_.low == type_.high:
        return f"{type_.low:.12g}"
    low, high = (f"{bound:.12g}" if math.isfinite(bound) else None for bound in (type_.low, type_.high))
    if low and high:
        return f"{low} to {high}"
    return f"{low} or more" if low else f"{high} or less" if high else "any number"


# ---------------------------------------------------------------- caps


def caps(facts: Facts) -> Iterator[Finding]:
    """Caps whose condition is never true, and caps that are no lower than the score they bound."""
    for score, cap in facts.rubric.caps:
        if not facts.faulty(cap.when) and True not in answers(facts, cap.when):
            message = f"the cap '{cap.name}' cannot apply: its condition is never true"
            yield _cap(facts, message, cap.when, score, cap)
        limit, value = as_number(facts.type_of(cap.at_most)), as_number(facts.analysis.uncapped.get(score.name))
        if limit is None or value is None or limit.kind == "null" or value.kind == "null" or facts.faulty(cap.at_most):
            continue
        if limit.low >= value.high:
            message = f"the cap '{cap.name}' cannot lower '{score.name}', which is at most {value.high:.12g}"
            yield _cap(facts, message, cap.at_most, score, cap)


def _cap(facts: Facts, message: str, at: Tree, score: Score, cap: Cap) -> Finding:
    path = f"score.{score.name}.caps.{cap.name}"
    return facts.finding("cap-cannot-apply", message, at, "move its limit or its condition, or remove it", node=path)
