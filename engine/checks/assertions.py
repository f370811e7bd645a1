"""Rubrics and parts of them that assert nothing."""

from collections.abc import Iterator

from ..findings import Finding
from .facts import Facts


def empty_rubric(facts: Facts) -> Iterator[Finding]:
    """A rubric without score and gates, which no entry can fail. One that only exports values measures, and may."""
    rubric = facts.rubric
    written = facts.value("score") is not None and facts.value("gates") is not None
    if rubric.score or rubric.gates or written or (rubric.values and not rubric.metrics):
        return
    message = "the rubric asserts nothing: it has neither a score nor a gate, so every entry passes"
    at = facts.key("metrics") or facts.key("rubric") or rubric.document.root
    yield facts.finding("asserts-nothing", message, at, "add 'score:' or 'gates:'")


def empty_requirements(facts: Facts) -> Iterator[Finding]:
    """Preconditions, gates and stages that hold whatever happens, because they require nothing."""
    rubric = facts.rubric
    for precondition in rubric.preconditions.values():
        if not precondition.requirements and facts.complete:
            message = f"the precondition '{precondition.name}' requires nothing"
            path = f"preconditions.{precondition.name}"
            yield facts.finding("asserts-nothing", message, precondition.key, "write a condition", node=path)
    for gate in rubric.gates:
        if gate.value is None and gate.none is None and not gate.requirements and facts.complete:
            message = f"the gate '{gate.name}' requires nothing"
            yield facts.finding("asserts-nothing", message, gate.key, "write a condition", node=f"gates.{gate.name}")


def empty_examples(facts: Facts) -> Iterator[Finding]:
    """Examples that expect nothing."""
    for example in facts.rubric.examples.values():
        if not example.expected and facts.complete:
            message = f"the example '{example.name}' expects nothing"
            at, path = facts.part_key(example.key, "expected"), f"examples.{example.name}"
            yield facts.finding("asserts-nothing", message, at, "write the score it must give", node=path)
