"""What is wrong with a rubric: each family of findings a pure function from what is known of it."""

from ..analysis import Analysis
from ..findings import Finding
from .facts import Facts
from .problems import problems


def check(analysis: Analysis, *, complete: bool) -> list[Finding]:
    """Every finding about a rubric. Where its shape is wrong (`complete` is false), what is unused is not looked for."""
    return list(problems(Facts(analysis, complete=complete)))
