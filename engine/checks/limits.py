"""Parts of metrics and gates that cannot do what they say."""

from collections.abc import Iterator

from ..expressions.types import Type
from ..findings import Finding
from ..rubric import Gate
from .facts import Facts


def bounds(facts: Facts) -> Iterator[Finding]:
    """Gates that decide on a lower or upper bound of a value that has none."""
    for gate in facts.rubric.gates:
        type_ = facts.type_of(gate.value)
        wanted = [bound for bound in gate.decide_on if bound != "point"]
        if wanted and not facts.faulty(gate.value):
            yield from _missing_bounds(facts, gate, type_, wanted)


def _missing_bounds(facts: Facts, gate: Gate, type_: Type, wanted: list[str]) -> Iterator[Finding]:
    if type_.kind in ("any", "map") or (type_.kind == "record" and type_.open):
        return
    missing = [bound for bound in wanted if type_.member(bound) is None]
    if missing:
        listed = " and no ".join(f"'{bound}'" for bound in missing)
        message = f"the gate '{gate.name}' decides on a bound, but its value, a {type_}, has no {listed}"
        hint = "name a value with bounds, such as an interval, or leave 'decide_on' out"
        yield facts.finding("limits", message, facts.part(gate.key, "decide_on"), hint, node=f"gates.{gate.name}")


def replacements(facts: Facts) -> Iterator[Finding]:
    """Gates that say what the score becomes, in a rubric without a score."""
    for gate in facts.rubric.gates:
        if gate.otherwise is not None and not facts.rubric.score:
            message = f"the gate '{gate.name}' says what the score is otherwise, but there is no score"
            at = facts.part_key(gate.key, "otherwise")
            yield facts.finding("limits", message, at, "leave 'otherwise' out", node=f"gates.{gate.name}")


def credits(facts: Facts) -> Iterator[Finding]:
    """Credit that is full and zero at the same point."""
    for metric in facts.rubric.metrics.values():
        full, zero = facts.type_of(metric.full), facts.type_of(metric.zero)
        if full.words is not None and full.words == zero.words and len(full.words) == 1 and metric.zero is not None:
            message = f"the credit of '{metric.name}' is full and zero at the same point, {full.words[0]}"
            hint = "credit runs between two different points"
            yield facts.finding("limits", message, metric.zero, hint, node=f"metrics.{metric.name}")


def replaced_nulls(facts: Facts) -> Iterator[Finding]:
    """Metrics that say what null counts as, though their value is never null."""
    for metric in facts.rubric.metrics.values():
        type_ = facts.type_of(metric.value)
        curved = metric.full is not None
        if metric.if_null is not None and type_.kind == "number" and not type_.nullable and not curved:
            message = f"the metric '{metric.name}' is never null, so 'if_null' has no effect"
            at = facts.part_key(metric.key, "if_null")
            yield facts.finding("never-null", message, at, "leave 'if_null' out", node=f"metrics.{metric.name}")
