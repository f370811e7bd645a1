"""Cases of a file that say what their reports must hold, as examples in a rubric do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .cases import CaseSource, case_of, case_sources
from .faults import CallFault, InfrastructureFault
from .json_text import decode, encode
from .loading import LoadedRubric
from .selftest import ExampleResult, differences

TOLERANCE = 1e-9
"""Where a case has no `tolerance`: relative above 1, absolute below."""


@dataclass(frozen=True, slots=True)
class CasesResult:
    """`cases` are those that expect something, of `count` in all."""

    rubric: str
    count: int
    cases: tuple[ExampleResult, ...]

    @property
    def passed(self) -> bool:
        return bool(self.cases) and not any(case.differences for case in self.cases)


def test_cases(rubric: LoadedRubric, path: Path) -> CasesResult:
    """Compare the report of every case with the case's `expected`. Raises `CallFault` where the file cannot be read."""
    sources = list(case_sources(path, rubric.rubric.inputs))
    results = tuple(result for source in sources if (result := _tested(rubric, source)) is not None)
    return CasesResult(rubric.rubric.id, len(sources), results)


def _tested(rubric: LoadedRubric, source: CaseSource) -> ExampleResult | None:
    try:
        id, inputs = case_of(source)
        case = decode(source.text) if source.text else {}
        if "expected" not in case:
            return None
        expected, tolerance = case["expected"], case.get("tolerance", TOLERANCE)
        wrong = _misshapen(expected, tolerance)
        if wrong is not None:
            return ExampleResult(id, (wrong,))
        folder = Path(source.folder) if source.folder else None
        report = rubric.run_case(inputs, case=id, folder=folder)
        return ExampleResult(id, tuple(differences(expected, tolerance, report)))
    except (CallFault, InfrastructureFault, ValueError) as fault:
        return ExampleResult(source.id or source.place, (str(fault),))


def _misshapen(expected: Any, tolerance: Any) -> str | None:
    if not isinstance(expected, Mapping):
        return "'expected' is a mapping of what the report must say, such as {\"score\": 0.5}"
    if not isinstance(tolerance, (int, float)) or isinstance(tolerance, bool) or not tolerance >= 0:
        return f"'tolerance' is a number of at least 0, not {encode(tolerance)}"
    return None


def render(results: list[CasesResult], format: str) -> str:
    """The results for people, or as JSON."""
    if format == "json":
        return encode([_as_dict(result) for result in results], indent=2)
    return "\n".join(line for result in results for line in _lines(result, "- " if format == "markdown" else "  "))


def _lines(result: CasesResult, bullet: str) -> Iterator[str]:
    good = len([case for case in result.cases if not case.differences])
    verdict = "passed" if result.passed else "FAILED"
    yield f"{result.rubric}: {verdict}; {good} of {len(result.cases)} cases give what they expect"
    for case in result.cases:
        yield from (f"{bullet}case {case.example}: {difference}" for difference in case.differences)
    if len(result.cases) < result.count:
        yield f"{bullet}of {result.count} cases, {result.count - len(result.cases)} expect nothing"


def _as_dict(result: CasesResult) -> dict[str, Any]:
    return {
        "rubric": result.rubric,
        "passed": result.passed,
        "count": result.count,
        "cases": [{"id": case.example, "differences": list(case.differences)} for case in result.cases],
    }
