"""What stands where a number must: its range, and findings where no number can come of it."""

from collections.abc import Iterator

from ..expressions import types
from ..expressions.syntax import Tree
from ..findings import Finding
from ..number_types import as_number
from .facts import Facts


def numbers(facts: Facts) -> Iterator[Finding]:
    """Metrics, scores, limits and credits that can never be a number."""
    for what, tree, path in _wanted(facts):
        type_ = facts.type_of(tree)
        if path.startswith("metrics.") and type_.kind == "list":
            type_ = types.elements(type_)
        number = as_number(type_)
        if number is not None and number.kind == "null" and type_.kind != "null" and not facts.faulty(tree):
            message = f"{what} is a number, but this is a {type_}"
            hint = "a record counts as its member 'value'" if type_.kind == "record" else None
            yield facts.finding("wrong-type", message, tree, hint, node=path)


def _wanted(facts: Facts) -> Iterator[tuple[str, Tree, str]]:
    """Where a number must stand. A metric without weight and credit may be an interval: gates read its bounds."""
    rubric = facts.rubric
    weighed = {weight.metric for score in rubric.score.values() for weight in score.weights}
    for metric in rubric.metrics.values():
        interval = facts.type_of(metric.value).kind == "record" and metric.full is None and metric.name not in weighed
        for part in ("full", "zero", "if_null") if interval else ("value", "full", "zero", "if_null"):
            what = f"the metric '{metric.name}'" if part == "value" else f"'{part}' of the metric '{metric.name}'"
            yield from _given(what, getattr(metric, part), f"metrics.{metric.name}")
    yield from _given("'unmeasured'", rubric.unmeasured, "unmeasured")
    for score in rubric.score.values():
        yield from _given(f"the score '{score.name}'", score.value, f"score.{score.name}")
    for score, cap in rubric.caps:
        yield from _given(f"'at_most' of the cap '{cap.name}'", cap.at_most, f"score.{score.name}.caps.{cap.name}")
    for gate in rubric.gates:
        for part in ("value", "limit", "otherwise") if "point" in gate.decide_on else ("limit", "otherwise"):
            what = f"'{gate.word if part == 'limit' else part}' of the gate '{gate.name}'"
            yield from _given(what, getattr(gate, part), f"gates.{gate.name}")


def _given(what: str, tree: Tree | None, path: str) -> Iterator[tuple[str, Tree, str]]:
    if tree is not None:
        yield what, tree, path


def lists(facts: Facts) -> Iterator[Finding]:
    """Gates over what is no list: `none` and `for`; and `where` of a metric that is one number."""
    for gate in facts.rubric.gates:
        for part, tree, kinds in (("none", gate.none, ("list",)), ("for", gate.each, ("list", "map", "record"))):
            type_ = facts.type_of(tree)
            if tree is not None and type_.kind not in (*kinds, "any", "null") and not facts.faulty(tree):
                message = f"'{part}' of the gate '{gate.name}' is a list, but this is a {type_}"
                yield facts.finding("wrong-type", message, tree, node=f"gates.{gate.name}")
    for metric in facts.rubric.metrics.values():
        value, where = facts.type_of(metric.value), facts.type_of(metric.where)
        if metric.where is None or facts.faulty(metric.where) or facts.faulty(metric.value):
            continue
        if value.kind not in ("list", "any", "null"):
            message = f"'where' drops rows, but the metric '{metric.name}' is one {value}"
            yield facts.finding("wrong-type", message, metric.where, "give it a column", node=f"metrics.{metric.name}")
        elif where.kind not in ("list", "any", "null") or types.elements(where).kind not in ("boolean", "any", "null"):
            message = f"'where' of the metric '{metric.name}' is a condition on each row, but this is a {where}"
            yield facts.finding("wrong-type", message, metric.where, node=f"metrics.{metric.name}")
