"""Weighted scores: what they weigh, and whether the weights add to 1."""

from collections.abc import Iterator
from decimal import Decimal

from ..findings import Finding, suggestion
from .facts import Facts


def weights(facts: Facts) -> Iterator[Finding]:
    """Weights of one score that do not add to exactly 1, in decimal."""
    for score in facts.rubric.score.values():
        written = facts.entries("score", score.name, "weighted")
        if score.value is not None or len(written) != len(score.weights):
            continue
        total = sum((weight.value for weight in score.weights), Decimal(0))
        if total != 1:
            message = f"the weights of '{score.name}' add to {total.normalize():f}, not to 1"
            more = f"{abs(1 - total).normalize():f}"
            hint = f"{more} is missing" if total < 1 else f"{more} is too much"
            at = facts.part_key(score.key, "weighted")
            yield facts.finding("weights", message, at, hint, node=f"score.{score.name}")


def weighed_metrics(facts: Facts) -> Iterator[Finding]:
    """Weights of what is no metric and no score, and weights of 0."""
    rubric = facts.rubric
    known = {*rubric.metrics, *rubric.score}
    for score in rubric.score.values():
        for weight in score.weights:
            if weight.metric not in known:
                message = f"there is no metric '{weight.metric}' to give a weight to"
                if weight.metric in facts.plain_names:
                    message = f"'{weight.metric}' is no metric; only metrics and scores have weights"
                hint = suggestion(weight.metric, known) or f"metrics: {', '.join(rubric.metrics) or 'none'}"
                yield facts.finding("unknown-metric", message, weight.key, hint, node=f"score.{score.name}")
            elif weight.value == 0:
                message = f"'{weight.metric}' weighs 0 in '{score.name}', so it moves nothing there"
                yield facts.finding("weights", message, weight.node, severity="warning", node=f"score.{score.name}")


def metrics_without_influence(facts: Facts) -> Iterator[Finding]:
    """Metrics that no score, gate, warning, value or artifact reads."""
    outcomes = facts.parts("score", "gates", "warnings", "values", "artifacts")
    reached = facts.reached(outcomes)
    for metric in facts.rubric.metrics.values():
        path = f"metrics.{metric.name}"
        if path not in reached and facts.sound:
            message = f"the metric '{metric.name}' has no influence: no score, gate, cap or value reads it"
            hint = "give it a weight, or remove it"
            yield facts.finding("no-influence", message, metric.key, hint, severity="warning", node=path)
