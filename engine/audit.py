"""What in a rubric's rules can be gamed, and what can never matter: what is known without a case, and the controls."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .analysis import Analysis
from .batch import case_sources
from .controls import ControlResult, run_controls
from .expressions import types
from .expressions.types import Type
from .faults import CallFault, InfrastructureFault
from .findings import Finding
from .json_text import JsonFault, decode, encode
from .loading import LoadedRubric
from .number_types import as_number


@dataclass(frozen=True, slots=True)
class Attainable:
    """The least and the most that a metric or score can be, as far as that is known; None where it is not."""

    name: str
    least: float | None
    most: float | None
    can_be_null: bool
    moves: float | None = None  # how far it can move its score: weight x range

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.name,
            "least": self.least,
            "most": self.most,
            "can_be_null": self.can_be_null,
            "moves": self.moves,
        }


@dataclass(frozen=True, slots=True)
class Audit:
    rubric: str
    findings: tuple[Finding, ...]
    scores: tuple[Attainable, ...]
    metrics: tuple[Attainable, ...]
    without_influence: tuple[str, ...]
    controls: tuple[ControlResult, ...]
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return all(control.passed for control in self.controls) and not self.failures


def audit_rubric(rubric: LoadedRubric, cases: Path | None = None) -> Audit:
    """Audit a rubric; with cases, score its controls on each."""
    analysis = rubric.analysis
    metrics = tuple(_metric(rubric, name) for name in rubric.rubric.metrics)
    controls, failures = _on_cases(rubric, cases) if cases is not None else ((), ())
    return Audit(
        rubric.rubric.id,
        tuple(finding for finding in rubric.findings if finding.severity == "warning"),
        tuple(_attainable(name, analysis.types[name]) for name in rubric.rubric.score),
        metrics,
        tuple(_without_influence(analysis, metrics)),
        controls,
        failures,
    )


def _attainable(name: str, type_: Type | None, moves: float | None = None) -> Attainable:
    type_ = as_number(type_) or types.ANY
    number = type_.kind == "number"
    least = type_.low if number and math.isfinite(type_.low) else None
    most = type_.high if number and math.isfinite(type_.high) else None
    return Attainable(name, least, most, type_.nullable or not number, moves)


def _metric(rubric: LoadedRubric, name: str) -> Attainable:
    type_ = rubric.analysis.earned[name] or types.ANY
    weight, _ = rubric.plan.weight_of(name)
    spread = type_.high - type_.low
    moves = weight * spread if weight is not None and type_.kind == "number" and math.isfinite(spread) else None
    return _attainable(name, type_, moves)


def _without_influence(analysis: Analysis, metrics: tuple[Attainable, ...]) -> Iterator[str]:
    """Metrics that can only have one value, or whose weight is 0 and that nothing else reads."""
    readers = {need for id, needs in analysis.uses.items() if id not in analysis.rubric.inputs for need in needs}
    for metric in metrics:
        constant = metric.least is not None and metric.least == metric.most
        if constant or (metric.moves == 0 and metric.name not in readers):
            yield metric.name


def _on_cases(rubric: LoadedRubric, path: Path) -> tuple[tuple[ControlResult, ...], tuple[str, ...]]:
    results, failures = [], []
    for source in case_sources(path, rubric.rubric.inputs):
        try:
            case = decode(source.text) if source.text is not None else {"id": source.id, "inputs": source.inputs}
            id, folder = str(case["id"]), Path(source.folder) if source.folder else None
            results += [result for result, _ in run_controls(rubric, id, case["inputs"], folder)]
        except (JsonFault, KeyError, TypeError, CallFault, InfrastructureFault) as fault:
            failures.append(f"case {source.number}: {fault}")
    return tuple(results), tuple(failures)


# ---------------------------------------------------------------- as text


def render(audit: Audit, format: str) -> str:
    """The audit for people, or as JSON."""
    if format == "json":
        return encode(_as_dict(audit), indent=2)
    return "\n".join(_lines(audit, "- " if format == "markdown" else "  "))


def _lines(audit: Audit, bullet: str) -> Iterator[str]:
    yield f"{audit.rubric}"
    for score in audit.scores:
        yield f"{bullet}score {score.name}: {_range(score)}"
    for metric in audit.metrics:
        moves = f"; moves its score by at most {metric.moves:.6g}" if metric.moves is not None else ""
        yield f"{bullet}metric {metric.name}: {_range(metric)}{moves}"
    for name in audit.without_influence:
        yield f"{bullet}metric {name} has no influence"
    for finding in audit.findings:
        yield f"{bullet}{finding.position}: {finding.message}"
    yield from _control_lines(audit, bullet)


def _range(one: Attainable) -> str:
    least = "unknown" if one.least is None else f"{one.least:.6g}"
    most = "unknown" if one.most is None else f"{one.most:.6g}"
    return f"from {least} to {most}{', or null' if one.can_be_null else ''}"


def _control_lines(audit: Audit, bullet: str) -> Iterator[str]:
    for control in audit.controls:
        score = "null" if control.score is None else f"{control.score:.6g}"
        verdict = "ok" if not control.exceeds else "EXCEEDS" if control.known_violation is None else "known violation"
        if control.error:
            score, verdict = "error", control.error
        limit = f"{score} of at most {control.at_most:.6g}"
        yield f"{bullet}control {control.control} on {control.case}: {limit}: {verdict}"
    yield from (f"{bullet}{failure}" for failure in audit.failures)


def _as_dict(audit: Audit) -> dict[str, Any]:
    return {
        "rubric": audit.rubric,
        "scores": [score.to_dict() for score in audit.scores],
        "metrics": [metric.to_dict() for metric in audit.metrics],
        "without_influence": list(audit.without_influence),
        "findings": [{"id": f.id, "at": str(f.position), "message": f.message} for f in audit.findings],
        "controls": [
            {
                "id": control.control,
                "case": control.case,
                "score": control.score,
                "at_most": control.at_most,
                "exceeds": control.exceeds,
                "known_violation": control.known_violation,
                "error": control.error,
            }
            for control in audit.controls
        ],
        "failures": list(audit.failures),
    }
