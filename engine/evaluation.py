"""One case: read the inputs, fill the nodes that are asked for, let gates and caps decide, report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import verdict
from .case import STEP_LIMIT, Case
from .catalogue import InstrumentFault
from .exporting import exported, summary
from .expressions.runtime import UNSET, StepLimit
from .expressions.syntax import Tree, bare
from .faults import InfrastructureFault
from .inputs import read_inputs
from .places import identity_of
from .plan import Plan
from .records import shown
from .report import CaseError, MetricResult, NodeResult, Report, RubricId
from .rubric import Precondition, Warning

MAX_COMBINATIONS = 1_000_000
"""Of the members of the lists that one precondition or warning goes through."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run a case. `every_stage`: go on after a failed gate. `keep_nodes`: report every named value."""

    every_stage: bool = False
    keep_nodes: bool = True
    artifacts: tuple[str, ...] = ()


def evaluate_case(
    plan: Plan,
    id: RubricId,
    values: Mapping[str, Any],
    *,
    engine: str,
    case: str | None = None,
    folder: Path | None = None,
    options: Options | None = None,
) -> tuple[Report, Mapping[str, Any]]:
    """The report of a case, and the content of the artifacts that were asked for.

    Raises `CallFault` where the call itself is wrong; everything else is in the report.
    """
    options, running = options or Options(), None
    try:
        raw = read_inputs(plan.rubric, values, folder)
        running = Case(plan, raw.values, raw.files)
        everything = list(plan.rubric.inputs.values())
        running.read_whole([declared for declared in everything if declared.origin != "candidate"])
        _preconditions(running)
        running.read_whole([declared for declared in everything if declared.origin == "candidate"])
        report = _report(running, id, engine, case, options)
        contents = {name: exported(running.leaf(plan.rubric.artifacts[name].content)) for name in options.artifacts}
        return report, contents
    except InstrumentFault as fault:
        return Report(id, engine, case, "error", None, error=CaseError("instrument", str(fault))), {}
    except InfrastructureFault as fault:
        return Report(id, engine, case, "error", None, error=CaseError(fault.kind, fault.message)), {}
    finally:
        if running is not None:
            running.end()


def _preconditions(running: Case) -> None:
    for precondition in running.plan.rubric.preconditions.values():
        for names, places in _every_combination(running, precondition):
            for number, tree in enumerate(precondition.requirements, 1):
                if running.leaf(tree, *names) is not True:
                    part = f" (part {number})" if len(precondition.requirements) > 1 else ""
                    at = f" at {_which(running, precondition, names, places)}" if names else ""
                    raise InfrastructureFault(
                        "precondition", f"precondition '{precondition.name}'{part} does not hold{at}"
                    )


def _which(running: Case, precondition: Precondition, names: tuple, places: tuple[int, ...]) -> str:
    """What a precondition did not hold for: of each list it goes through the member, with its place, from 0."""
    found = []
    for (name, tree), member, place in zip(precondition.each, names, places, strict=True):
        files = running.files.get(str(getattr(bare(tree), "id", "")), ())
        file = files[place] if place < len(files) else None
        single = None if isinstance(member, (Mapping, list)) else shown(member)
        found.append(" ".join(part for part in (f"{name}[{place}]", file or identity_of(member) or single) if part))
    return ", ".join(found)


def _every_combination(running: Case, precondition: Precondition) -> list[tuple[tuple, tuple[int, ...]]]:
    """What a precondition goes through; it does not hold where that cannot be known."""
    try:
        return _combinations(running, precondition.each)
    except (StepLimit, _NoList) as fault:
        raise InfrastructureFault("precondition", f"precondition '{precondition.name}': {_reason(fault)}") from None


class _NoList(Exception):
    """What should be gone through is null."""


def _reason(fault: Exception) -> str:
    return STEP_LIMIT if isinstance(fault, StepLimit) else "what it goes through is no list"


def _combinations(running: Case, bindings: Sequence[tuple[str, Tree]]) -> list[tuple[tuple, tuple[int, ...]]]:
    """Every combination of the named lists, and the places of its members in them; later lists may depend on earlier
    names. Raises `StepLimit`, `_NoList`.
    """
    found: list[tuple[tuple, tuple[int, ...]]] = [((), ())]
    for _, tree in bindings:
        longer: list[tuple[tuple, tuple[int, ...]]] = []
        for names, places in found:
            members = running.leaf(tree, *names)
            if not isinstance(members, list):
                raise _NoList
            longer += [((*names, member), (*places, place)) for place, member in enumerate(members)]
            if len(longer) > MAX_COMBINATIONS:
                raise StepLimit
        found = longer
    return found


def _report(running: Case, id: RubricId, engine: str, case: str | None, options: Options) -> Report:
    rubric = running.plan.rubric
    gates, reached = verdict.decide(running, rubric.stages, every_stage=options.every_stage)
    complete = reached or options.every_stage
    metrics = {name: _metric_result(running, name, complete) for name in rubric.metrics}
    scores = {name: running.value(name) if complete else _known(running, name) for name in rubric.score}
    score = verdict.final_score(list(scores.values())[-1] if scores else None, gates)
    values = {name: verdict.number_of(value) for name, value in scores.items()}
    values |= {name: running.leaf(definition.tree) for name, definition in rubric.values.items() if complete}
    return Report(
        id,
        engine,
        case,
        verdict.outcome(gates, scores, score),
        score,
        metrics,
        {name: exported(value) for name, value in values.items()},
        gates,
        tuple(verdict.cap_results(running, complete)),
        running.all_diagnostics(),
        tuple(_warnings(running)) if complete else (),
        tuple(_nodes(running)) if options.keep_nodes else (),
    )


def _known(running: Case, name: str) -> Any:
    """A node's value if something asked for it, else null."""
    value = running.slots[running.plan.slots[name]]
    return None if value is UNSET else value


def _metric_result(running: Case, name: str, complete: bool) -> MetricResult:
    value = running.value(name) if complete else _known(running, name)
    fields = {part: exported(member) for part, member in value.items()} if isinstance(value, dict) else {}
    weight, of = running.plan.weight_of(name)
    return MetricResult(
        verdict.number_of(value),
        weight,
        of,
        exported(running.measured.get(name)),
        fields,
        running.plan.metrics[name].full is not None,
    )


def _warnings(running: Case) -> list[dict[str, str]]:
    found = []
    for warning in running.plan.rubric.warnings.values():
        try:
            for names, _ in _combinations(running, warning.each):
                if warning.when is None or running.leaf(warning.when, *names) is True:
                    found.append({"id": warning.name, "message": _said(running, warning, names)})
        except (StepLimit, _NoList) as fault:
            found.append({"id": warning.name, "message": f"not decided: {_reason(fault)}"})
    return found


def _said(running: Case, warning: Warning, names: tuple) -> str:
    """The sentence of a warning, with `{name}` and `{name.field}` filled in."""
    known = dict(zip((name for name, _ in warning.each), names, strict=True))
    return verdict.filled(warning.say, known, running)


def _nodes(running: Case) -> list[NodeResult]:
    return [
        NodeResult(described.id, described.kind, summary(_value(running, described.id)), *described.written)
        for described in running.plan.described
    ]


def _value(running: Case, id: str) -> Any:
    """The value of a node or a constant; null for what has none: a function, a record, a gate."""
    constant = running.plan.rubric.constants.get(id)
    if constant is not None and not constant.by:
        return constant.value
    return _known(running, id) if id in running.plan.slots else None
