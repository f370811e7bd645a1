"""The tests that a rubric carries: examples with the numbers they must give, controls that must not pay.

And the coverage of the rules: gates, caps and metrics that come out the same in every example and control, so that no
test would notice if they were wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .controls import ControlResult, run_controls
from .json_text import encode
from .loading import LoadedRubric
from .report import Report


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """`differences` are sentences; none where the example gives what it must."""

    example: str
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TestResult:
    rubric: str
    examples: tuple[ExampleResult, ...]
    controls: tuple[ControlResult, ...]
    stale_violations: tuple[str, ...]
    unmoved: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return (
            not any(example.differences for example in self.examples)
            and all(control.passed for control in self.controls)
            and not self.stale_violations
        )


def test_rubric(rubric: LoadedRubric) -> TestResult:
    """Run every example, and every control on every example."""
    examples, controls, reports = [], [], []
    for example in rubric.rubric.examples.values():
        folder = rubric.path.parent
        report = rubric.run_case(example.inputs, case=example.name, folder=folder)
        examples.append(ExampleResult(example.name, tuple(differences(example.expected, example.tolerance, report))))
        reports.append(report)
        for result, control_report in run_controls(rubric, example.name, example.inputs, folder):
            controls.append(result)
            reports.append(control_report)
    stale = tuple(_stale(rubric, controls))
    return TestResult(rubric.rubric.id, tuple(examples), tuple(controls), stale, tuple(unmoved(reports)))


def _stale(rubric: LoadedRubric, results: Sequence[ControlResult]) -> Iterator[str]:
    """Controls whose known violation no example shows any more."""
    for control in rubric.rubric.controls.values():
        own = [result for result in results if result.control == control.name]
        if control.known_violation and own and not any(result.exceeds for result in own):
            yield control.name


# ---------------------------------------------------------------- expected values


def differences(wanted: Mapping[str, Any], tolerance: float, report: Report) -> Iterator[str]:
    """How a report differs from what is expected of it, a sentence each."""
    found = report.to_dict()
    if found.get("error") and wanted.get("outcome") != "error":
        yield f"error: {found['error']['message']}"
        return
    shown: dict[str, Any] = {
        "outcome": found["outcome"],
        "score": found["score"],
        "metrics": found["metrics"],
        "values": found["values"],
        "gates": {gate["id"]: gate["held"] for gate in found["gates"]},
        "caps": {cap["id"]: cap["applied"] for cap in found["caps"]},
    }
    for name, expected in wanted.items():
        yield from _differs(name, expected, shown.get(name), tolerance)


def _differs(place: str, expected: Any, found: Any, tolerance: float) -> Iterator[str]:
    if isinstance(expected, Mapping):
        for key, member in expected.items():
            inner = found.get(key) if isinstance(found, Mapping) else None
            if place == "metrics" and not isinstance(member, Mapping) and isinstance(inner, Mapping):
                inner = inner.get("value")
            yield from _differs(f"{place}.{key}", member, inner, tolerance)
    elif not _same(expected, found, tolerance):
        yield f"{place}: expected {encode(expected)}, found {encode(found)}"


def _same(expected: Any, found: Any, tolerance: float) -> bool:
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (expected, found))
    if numbers:
        return abs(expected - found) <= tolerance * max(1.0, abs(expected))
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(_same(a, b, tolerance) for a, b in zip(expected, found, strict=True))
    return type(expected) is type(found) and expected == found


# ---------------------------------------------------------------- coverage of the rules


def unmoved(reports: Sequence[Report]) -> Iterator[str]:
    """The rules whose outcome is the same in every report."""
    outcomes: dict[str, set[str]] = {}
    for report in reports:
        for name, metric in report.metrics.items():
            outcomes.setdefault(f"metrics.{name}", set()).add(encode(metric.value))
        for gate in report.gates:
            outcomes.setdefault(f"gates.{gate.id.partition('[')[0]}", set()).add(encode(gate.held))
        for cap in report.caps:
            outcomes.setdefault(f"score.{cap.on}.caps.{cap.id}", set()).add(encode(cap.applied))
    yield from (name for name, seen in outcomes.items() if len(seen) == 1)


# ---------------------------------------------------------------- as text


def render(results: Sequence[TestResult], format: str) -> str:
    """The results for people, or as JSON."""
    if format == "json":
        return encode([_as_dict(result) for result in results], indent=2)
    lines = [line for result in results for line in _lines(result, "- " if format == "markdown" else "  ")]
    return "\n".join(lines)


def _lines(result: TestResult, bullet: str) -> Iterator[str]:
    good = len([example for example in result.examples if not example.differences])
    under = len([control for control in result.controls if control.passed])
    verdict = "passed" if result.passed else "FAILED"
    yield (
        f"{result.rubric}: {verdict}; {good} of {len(result.examples)} examples, "
        f"{under} of {len(result.controls)} controls"
    )
    for example in result.examples:
        yield from (f"{bullet}example {example.example}: {difference}" for difference in example.differences)
    for control in result.controls:
        if control.error:
            yield f"{bullet}control {control.control} on {control.case}: {control.error}"
        elif control.exceeds:
            known = f" (known: {control.known_violation})" if control.known_violation else ""
            yield (
                f"{bullet}control {control.control} on {control.case}: "
                f"scores {control.score:.6g}, above {control.at_most:.6g}{known}"
            )
    for name in result.stale_violations:
        yield f"{bullet}control {name}: its known violation occurs in no example any more; remove 'known_violation'"
    for rule in result.unmoved:
        yield f"{bullet}never moved by an example or control: {rule}"
    if not result.examples:
        yield f"{bullet}the rubric has no examples"


def _as_dict(result: TestResult) -> dict[str, Any]:
    return {
        "rubric": result.rubric,
        "passed": result.passed,
        "examples": [{"id": example.example, "differences": list(example.differences)} for example in result.examples],
        "controls": [
            {
                "id": control.control,
                "case": control.case,
                "score": control.score,
                "at_most": control.at_most,
                "passed": control.passed,
                "known_violation": control.known_violation if control.exceeds else None,
                "error": control.error,
            }
            for control in result.controls
        ],
        "stale_violations": list(result.stale_violations),
        "never_moved": list(result.unmoved),
    }
