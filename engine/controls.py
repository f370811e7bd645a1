"""Adversarial entries made from a case's own reference material, and what they score."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .evaluation import Case, Options
from .faults import InfrastructureFault
from .inputs import Invalid, read_input
from .loading import ENGINE_VERSION, LoadedRubric
from .report import CaseError, Report
from .rubric import Control
from .verdict import TOLERANCE


@dataclass(frozen=True, slots=True)
class ControlResult:
    """What a control scored on one case, against its ceiling. A null score is no reward, so it stays under."""

    control: str
    case: str
    score: float | None
    at_most: float
    known_violation: str | None
    error: str | None = None

    @property
    def exceeds(self) -> bool:
        return self.score is not None and self.score > self.at_most + TOLERANCE * max(1.0, abs(self.at_most))

    @property
    def passed(self) -> bool:
        return self.error is None and (not self.exceeds or self.known_violation is not None)


def control_inputs(
    rubric: LoadedRubric, control: Control, inputs: Mapping[str, Any], folder: Path | None
) -> dict[str, Any]:
    """The inputs of a case with the candidate's replaced by what the control makes.

    Raises `InfrastructureFault` where the reference or operator inputs cannot be read.
    """
    declared = rubric.rubric.inputs
    raw = {
        name: Invalid("made by a control") if one.origin == "candidate" else read_input(one, inputs, folder)
        for name, one in declared.items()
    }
    running = Case(rubric.plan, raw)
    made = {name: _without_nulls(running.leaf(tree)) for name, tree in control.inputs.items()}
    kept = {name: value for name, value in inputs.items() if declared[name].origin != "candidate"}
    return {**kept, **made}


def _without_nulls(value: Any) -> Any:
    """An entry as a candidate would write it: members that are null are left out."""
    if isinstance(value, Mapping):
        return {key: _without_nulls(member) for key, member in value.items() if member is not None}
    return [_without_nulls(member) for member in value] if isinstance(value, list) else value


def run_controls(
    rubric: LoadedRubric, case: str, inputs: Mapping[str, Any], folder: Path | None
) -> Iterator[tuple[ControlResult, Report]]:
    """Every control of a rubric, made from one case and scored on it."""
    for control in rubric.rubric.controls.values():
        try:
            made = control_inputs(rubric, control, inputs, folder)
        except InfrastructureFault as fault:
            stopped = Report(rubric.id, ENGINE_VERSION, case, "error", None, error=CaseError(fault.kind, fault.message))
            yield ControlResult(control.name, case, None, control.at_most, control.known_violation, str(fault)), stopped
            continue
        report = rubric.run_case(made, case=f"{case}:{control.name}", folder=folder, options=Options(keep_nodes=False))
        error = report.error.message if report.error else None
        yield ControlResult(control.name, case, report.score, control.at_most, control.known_violation, error), report
