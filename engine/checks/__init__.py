"""What is wrong with a rubric: each family of findings a pure function from what is known of it."""

from ..analysis import Analysis
from ..findings import Finding


def check(analysis: Analysis, *, complete: bool) -> list[Finding]:
    """Every finding about a rubric. Where its shape is wrong (`complete` is false), what is unused is not looked for."""
    found = []
    for problem in analysis.problems:
        if problem.source is None:
            found.append(Finding(problem.id, problem.message, hint=problem.hint))
        else:
            found.append(analysis.rubric.document.finding(problem.id, problem.message, problem.source, offset=problem.at, hint=problem.hint))
    return found
