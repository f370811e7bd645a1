"""What inference found: names, fields, arguments and types that cannot be right."""

from collections.abc import Iterator

from ..document import Node
from ..expressions.inference import Problem
from ..findings import Finding
from .facts import Facts


def problems(facts: Facts) -> Iterator[Finding]:
    """One finding for each problem; those that only follow from another are left out."""
    for problem in facts.analysis.problems:
        if problem.id == "too-deep" and facts.knowledge.recursive:
            continue
        if problem.source is None:
            yield Finding(problem.id, problem.message, hint=problem.hint)
        else:
            place = _place(facts, problem)
            offset = problem.at if place is problem.source else 0
            yield facts.finding(problem.id, problem.message, place, problem.hint, offset=offset)


def _place(facts: Facts, problem: Problem) -> Node:
    """A named argument that is wrong is shown at its name, where `with:` gives it a line of its own."""
    if problem.id == "unknown-argument" and problem.at == 0:
        return facts.key_of(problem.source)
    return problem.source
