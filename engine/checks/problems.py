"""What inference found: names, fields, arguments and types that cannot be right."""

import re
from collections.abc import Iterator

from ..document import Mapping, Node, Scalar, Sequence
from ..expressions.inference import Problem
from ..findings import Finding
from .facts import Facts

_ARGUMENT = re.compile(r"\b([A-Za-z_][A-Za-z0-9_]*)\s*=(?!=)")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def problems(facts: Facts) -> Iterator[Finding]:
    """One finding for each problem; those that only follow from another are left out."""
    deep = 0
    for problem in facts.analysis.problems:
        deep += problem.id == "too-deep"
        if problem.id == "too-deep" and (facts.knowledge.recursive or deep > 1):
            continue
        if problem.source is None:
            yield Finding(problem.id, problem.message, hint=problem.hint)
        else:
            place, offset = _place(facts, problem)
            hint = problem.hint or _hint(facts, problem)
            yield facts.finding(problem.id, problem.message, place, hint, offset=offset)


def _place(facts: Facts, problem: Problem) -> tuple[Node, int]:
    """The very word that is wrong: inference knows the value of an argument and the block of a `by`."""
    source = problem.source
    if problem.id == "unknown-argument" and problem.at == 0:
        return facts.key_of(source), 0
    if problem.id == "unknown-argument" and isinstance(source, Scalar):
        named = [match for match in _ARGUMENT.finditer(source.text, 0, problem.at) if _quoted(match[1], problem)]
        return source, named[-1].start() if named else problem.at
    if problem.id == "unknown-field" and isinstance(source, Mapping) and (by := source.get("by")) is not None:
        words = by.items if isinstance(by, Sequence) else (by,)
        wrong = [word for word in words if isinstance(word, Scalar) and _quoted(word.text, problem)]
        return (wrong[0] if wrong else by), 0
    return source, problem.at


def _quoted(word: str, problem: Problem) -> bool:
    return f"'{word}'" in problem.message


def _hint(facts: Facts, problem: Problem) -> str | None:
    if problem.id != "unknown-name" or not isinstance(problem.source, Scalar):
        return None
    word = _WORD.match(problem.source.text, problem.at)
    for kind, section in (("metric", facts.rubric.metrics), ("score", facts.rubric.score)):
        if word and word.group() in section:
            return f"it is a {kind}, which only metrics, scores, gates, warnings, values and artifacts can read"
    return None
