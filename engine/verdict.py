"""What gates and caps make of the numbers: held or not, the final score, the outcome."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .exporting import exported, listed
from .expressions.values import field
from .records import shown
from .report import CapResult, GateResult, Outcome
from .rubric import Gate, Stage

if TYPE_CHECKING:
    from .case import Case

TOLERANCE = 1e-9  # relative; of the words of gates and caps, never of operators
_SENTENCES = {"at_least": "at least", "at_most": "at most", "above": "above", "below": "below"}


def number_of(value: Any) -> Any:
    """The number a metric or score stands for: itself, or the `value` of a record; null for anything else."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, bool):
        return int(value)
    return value + 0 if isinstance(value, (int, float)) else None


def holds(value: float, word: str, limit: float) -> bool:
    """A tolerant comparison: what is equal but for rounding counts as equal."""
    equal = value == limit or math.isclose(value, limit, rel_tol=TOLERANCE, abs_tol=0.0)
    match word:
        case "at_least":
            return value >= limit or equal
        case "at_most":
            return value <= limit or equal
        case "above":
            return value > limit and not equal
        case _:
            return value < limit and not equal


# ---------------------------------------------------------------- gates


def decide(running: "Case", stages: Sequence[Stage], *, every_stage: bool) -> tuple[tuple[GateResult, ...], bool]:
    """Every gate's result, and whether every stage was entered. A stage is entered once all gates before it held."""
    results: list[GateResult] = []
    open_, reached = True, True
    for stage in stages:
        enter = open_ or every_stage or stage.name is None
        reached = reached and enter
        for gate in stage.gates:
            results += _gate(running, gate, stage.name) if enter else [_unreached(gate, stage.name)]
        open_ = open_ and all(result.held for result in results)
    return tuple(results), reached


def _unreached(gate: Gate, stage: str | None) -> GateResult:
    return GateResult(gate.name, None, "not reached: an earlier gate did not hold", stage, reached=False)


def _gate(running: "Case", gate: Gate, stage: str | None) -> list[GateResult]:
    if gate.each is None:
        return [_decided(running, gate, gate.name, stage, ())]
    of = running.leaf(gate.each)
    if not isinstance(of, (dict, list)):
        return [GateResult(gate.name, False, f"what it goes through is {shown(of)}", stage)]
    return [_decided(running, gate, f"{gate.name}[{label}]", stage, (member,)) for label, member in labels(of)]


def labels(of: Mapping[Any, Any] | Sequence[Any]) -> list[tuple[str, Any]]:
    """The members that a gate goes through, each with the label that it has in the report."""
    if isinstance(of, Mapping):
        return [(str(key), member) for key, member in of.items()]
    return [(_label(member, number), member) for number, member in enumerate(of)]


def _label(member: Any, number: int) -> str:
    for part in ("id", "name"):
        if isinstance(member, Mapping) and isinstance(member.get(part), str):
            return member[part]
    return str(number)


def _decided(running: "Case", gate: Gate, id: str, stage: str | None, names: tuple) -> GateResult:
    if gate.value is not None:
        return _limited(running, gate, id, stage, names)
    if gate.none is not None:
        return _empty(running, gate, id, stage, names)
    failed = [n for n, tree in enumerate(gate.requirements, 1) if running.leaf(tree, *names) is not True]
    if failed:
        parts = f"part {', '.join(map(str, failed))} does not hold" if len(gate.requirements) > 1 else "does not hold"
        return GateResult(
            id, False, _because(running, gate, names) or parts, stage, otherwise=_otherwise(running, gate)
        )
    return GateResult(id, True, "holds", stage, otherwise=_otherwise(running, gate))


def _otherwise(running: "Case", gate: Gate) -> Any:
    return running.leaf(gate.otherwise)


def _because(running: "Case", gate: Gate, names: tuple) -> str | None:
    return filled(gate.because, {"each": names[0]} if names else {}, running) if gate.because else None


def _limited(running: "Case", gate: Gate, id: str, stage: str | None, names: tuple) -> GateResult:
    measured, limit = running.leaf(gate.value, *names), number_of(running.leaf(gate.limit, *names))
    decided = [_bound(measured, bound) for bound in gate.decide_on]
    word, value = gate.word or "at_least", _deciding(decided, limit)
    otherwise = _otherwise(running, gate)
    if limit is None or any(number is None for number in decided):
        reason = f"{'the limit' if limit is None else 'the value'} is null, and null holds nothing"
        return GateResult(id, False, reason, stage, True, value, word, limit, otherwise=otherwise)
    answers = {holds(number, word, limit) for number in decided}
    straddles = len(answers) > 1
    held = None if straddles else answers.pop()
    margin = (value - limit) if word in ("at_least", "above") else (limit - value)
    on = "" if gate.decide_on == ("point",) else f" ({' and '.join(gate.decide_on)} bound)"
    numbers = " to ".join(f"{number:.6g}" for number in decided)
    because = f"{numbers}{on} is {'between' if straddles else '' if held else 'not '}{_SENTENCES[word]} {limit:.6g}"
    if straddles:
        because = f"{numbers}{on} straddles the limit {limit:.6g}"
    elif not held:
        because = _because(running, gate, names) or because
    margin = exported(margin + 0.0)  # null where it outgrows a float
    return GateResult(id, held, because, stage, True, value, word, limit, margin, otherwise, straddles=straddles)


def _deciding(bounds: Sequence[Any], limit: Any) -> Any:
    """Of several bounds the one nearest to the limit: the first to change the answer if it moved."""
    if limit is None or None in bounds:
        return bounds[0]
    return min(bounds, key=lambda bound: abs(bound - limit))


def _bound(measured: Any, bound: str) -> Any:
    if isinstance(measured, Mapping):
        return number_of(measured.get("value" if bound == "point" else bound))
    return number_of(measured)


def _empty(running: "Case", gate: Gate, id: str, stage: str | None, names: tuple) -> GateResult:
    members, otherwise = running.leaf(gate.none, *names), _otherwise(running, gate)
    if not isinstance(members, list):
        return GateResult(id, False, f"what must be an empty list is {shown(members)}", stage, otherwise=otherwise)
    if not members:
        return GateResult(id, True, "there is none", stage, otherwise=otherwise)
    kept, more = listed(members)
    because = _because(running, gate, names) or f"there {'is' if len(members) == 1 else 'are'} {len(members)}"
    return GateResult(id, False, because, stage, otherwise=otherwise, members=kept, more=more)


# ---------------------------------------------------------------- caps, score, outcome


def cap_results(running: "Case", complete: bool) -> list[CapResult]:
    """Each cap, and whether it applied."""
    found = []
    for name, code in running.plan.scores.items():
        limits = running.caps(code) if complete else [None] * len(code.caps)
        for cap, limit in zip(code.score.caps, limits, strict=True):
            shown_limit = number_of(running.leaf(cap.at_most)) if complete else None
            found.append(CapResult(cap.name, name, limit is not None, shown_limit, cap.because))
    return found


def final_score(score: Any, gates: Sequence[GateResult]) -> float | None:
    """The last score group, or what the first failed gate that says so puts in its place."""
    for gate in gates:
        if gate.held is not True and gate.reached and gate.otherwise is not None:
            return number_of(gate.otherwise)
    return number_of(score)


def outcome(gates: Sequence[GateResult], scores: Mapping[str, Any], score: float | None) -> Outcome:
    """Fail where a gate did not hold; else inconclusive where one straddles its limit, or the score is null."""
    if any(gate.held is False for gate in gates):
        return "fail"
    if any(gate.straddles for gate in gates) or (scores and score is None):
        return "inconclusive"
    return "pass"


# ---------------------------------------------------------------- sentences


_BLANK = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)\}")


def filled(text: str, names: Mapping[str, Any], running: "Case | None" = None) -> str:
    """A sentence with `{name.field}` filled in; what is unknown stays as written."""

    def fill(match: re.Match[str]) -> str:
        first, *rest = match[1].split(".")
        constants = running.plan.rubric.constants if running is not None else {}
        if first in names:
            value = names[first]
        elif first in constants:
            value = constants[first].value
        else:
            return match[0]
        for part in rest:
            value = field(value, part)
        return value if isinstance(value, str) else str(exported(value)) if value is not None else "null"

    return _BLANK.sub(fill, text)
