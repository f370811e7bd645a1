"""One case: read the inputs, fill the nodes that are asked for, let gates and caps decide, report."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import verdict
from .expressions import builtins, syntax
from .expressions.runtime import UNSET, Frame, StepLimit, need
from .expressions.values import table_value
from .faults import InfrastructureFault
from .inputs import Invalid, read_inputs
from .plan import MetricCode, Plan, ScoreCode
from .records import Fault, read_entries, shown
from .report import CaseError, Diagnostic, MetricResult, NodeResult, Report, RubricId
from .rubric import Input, Warning

STEP_LIMIT = "the work that one case may take is used up"


@dataclass(frozen=True, slots=True)
class Options:
    """How to run a case. `every_stage`: go on after a failed gate. `keep_nodes`: report every named value."""

    every_stage: bool = False
    keep_nodes: bool = True
    artifacts: tuple[str, ...] = ()


@dataclass
class Case:
    """The state of one case while it runs: the slots of the nodes, and what is to be said besides."""

    plan: Plan
    raw: Mapping[str, Any]
    slots: list[Any] = field(default_factory=list)
    invalid: set[str] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    measured: dict[str, Any] = field(default_factory=dict)
    running: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.slots = [Frame(self.evaluate, self.fault), *[UNSET] * len(self.plan.slots)]

    # ------------------------------------------------------------ faults

    def candidates(self, origins: frozenset[str]) -> list[str]:
        return [name for name in sorted(origins) if self.plan.rubric.inputs[name].origin == "candidate"]

    def fault(self, message: str, origins: frozenset[str]) -> None:
        """A value that cannot be used: a candidate's is null with a reason, any other stops the case."""
        blamed = self.candidates(origins)
        if not blamed:
            kind = min((self.plan.rubric.inputs[name].origin for name in origins), default="rubric")
            raise InfrastructureFault(kind, f"{self._where()}{message}")
        self.diagnostics.append(Diagnostic(blamed[0], "", f"{self._where()}{message}"))

    def _where(self) -> str:
        return f"{self.plan.names[self.running[-1]]}: " if self.running else ""

    def diagnose(self, declared: Input) -> Callable[[str, str], None]:
        """Takes what is wrong with an input's parts: named in the report, or an end to the case."""
        if declared.origin == "candidate":
            return lambda path, reason: self.diagnostics.append(Diagnostic(declared.name, path, reason))

        def refuse(path: str, reason: str) -> None:
            place = f"input '{declared.name}'" + (f", {path}" if path else "")
            raise InfrastructureFault(declared.origin, f"{place}: {reason}")

        return refuse

    # ------------------------------------------------------------ nodes

    def evaluate(self, s: list, slot: int) -> Any:
        """The value of a node. Work past the limit of a case makes the node null, or stops the case."""
        name = self.plan.names[slot]
        self.running.append(slot)
        try:
            return _KINDS[self.plan.kinds[slot]](self, s, name)
        except StepLimit:
            self.fault(STEP_LIMIT, self.plan.origins.get(name, frozenset()))
            return None
        finally:
            self.running.pop()

    def value(self, name: str) -> Any:
        """The value of a node by its id."""
        slot = self.plan.slots[name]
        found = self.slots[slot]
        return found if found is not UNSET else need(self.slots, slot)

    def leaf(self, tree: syntax.Tree | None, *names: Any) -> Any:
        """The value of an expression that is no node."""
        if tree is None:
            return None
        try:
            return self.plan.leaves[id(tree)](self.slots, *names)
        except StepLimit:
            self.fault(STEP_LIMIT, frozenset(self.plan.rubric.inputs))
            return None

    def _let(self, s: list, name: str) -> Any:
        return self.plan.let[name](s)

    def _table(self, s: list, name: str) -> Any:
        constant, by = self.plan.tables[name]
        return table_value(constant.value, by(s))

    # ------------------------------------------------------------ inputs

    def _input(self, s: list, name: str) -> Any:
        declared, raw = self.plan.rubric.inputs[name], self.raw[name]
        if isinstance(raw, Invalid):
            self.refuse_input(declared, "", raw.reason)
            return None
        reader = self.plan.rows.get(name)
        if reader is None:
            return raw
        if isinstance(raw, list):
            return read_entries(s, raw, "", reader, self.diagnose(declared))
        entry = reader.code(s, raw, "", self.diagnose(declared))
        if isinstance(entry, Fault):
            self.refuse_input(declared, "", entry.reason)
            return None
        return entry

    def _whole(self, s: list, name: str) -> Any:
        root = self.plan.roots[name]
        if name in self.invalid:
            return None
        return {part: self.value(f"{name}.{part}") for part in (*root.fields, *root.derived)}

    def _field(self, s: list, id: str) -> Any:
        """A field of an input's own record, read where it is first asked for."""
        name, _, part = id.partition(".")
        root, raw = self.plan.roots[name], self.raw[name]
        if name in self.invalid:
            return None
        if part in root.derived:
            return root.derived[part](s, _Fields(self, name))
        declared = self.plan.rubric.inputs[name]
        entry: dict[str, Any] = {}
        reason = root.fields[part](s, raw, entry, "", self.diagnose(declared))
        if reason is not None:
            self.refuse_input(declared, part, reason)
            return None
        became = root.becomes.get(part)
        if became is not None and entry[part] is not None:
            was, entry[part] = entry[part], became(s, _Fields(self, name, entry))
            if entry[part] is None:
                self.refuse_input(declared, part, f"{shown(was)} stands for nothing, or for several things")
        return entry[part]

    def refuse_input(self, declared: Input, path: str, reason: str) -> None:
        """An input that as a whole cannot be used."""
        if declared.origin != "candidate":
            place = f"input '{declared.name}'" + (f", {path}" if path else "")
            raise InfrastructureFault(declared.origin, f"{place}: {reason}")
        if declared.name not in self.invalid:
            self.invalid.add(declared.name)
            self.diagnostics.append(Diagnostic(declared.name, path, reason))

    def read_everything(self) -> None:
        """Read all inputs whole, so that whatever is wrong with them is said, asked for or not."""
        for declared in self.plan.rubric.inputs.values():
            root = self.plan.roots.get(declared.name)
            if root is not None:
                self._check_shape(declared, root)
        for declared in self.plan.rubric.inputs.values():
            root = self.plan.roots.get(declared.name)
            if root is None:
                self.value(declared.name)
                continue
            for part in (*root.fields, *root.derived):
                self.value(f"{declared.name}.{part}")
            for step in root.require if declared.name not in self.invalid else ():
                if step(self.slots, _Fields(self, declared.name)) is not True:
                    self._withdraw(declared, f"breaks the rule '{step.name}'")

    def _check_shape(self, declared: Input, root) -> None:
        """What can be said of an input before any of its entries is read."""
        raw = self.raw[declared.name]
        if isinstance(raw, Invalid):
            self.refuse_input(declared, "", raw.reason)
        elif not isinstance(raw, dict):
            self.refuse_input(declared, "", f"is {shown(raw)}, an object was expected")
        else:
            for name, reader in root.fields.items():
                if reader.names[0] == name and reader.shallow:
                    reason = reader(self.slots, raw, {}, "", _ignore)
                    if reason is not None:
                        present = next((known for known in reader.names if known in raw), name)
                        self.refuse_input(declared, present, reason)

    def _withdraw(self, declared: Input, reason: str) -> None:
        self.refuse_input(declared, "", reason)
        root = self.plan.roots[declared.name]
        for part in (*root.fields, *root.derived):
            self.slots[self.plan.slots[f"{declared.name}.{part}"]] = None

    # ------------------------------------------------------------ metrics and scores

    def _zeroed(self) -> bool:
        inputs = self.plan.rubric.inputs
        return any(inputs[name].when_invalid == "zero" for name in self.invalid)

    def _metric(self, s: list, name: str) -> Any:
        code = self.plan.metrics[name]
        if self._zeroed():
            return 0
        value = self._pipeline(s, name, code)
        if value is None and code.if_null is not None:
            value = code.if_null(s)
        return value

    def _pipeline(self, s: list, name: str, code: MetricCode) -> Any:
        """value -> where -> credit -> mean."""
        value = code.value(s)
        if code.where is not None and isinstance(value, list):
            kept = code.where(s)
            value = [v for v, keep in zip(value, kept, strict=False) if keep is True] if isinstance(kept, list) else None
        if isinstance(value, bool):
            value = int(value)
        self.measured[name] = builtins.mean(value) if isinstance(value, list) else value
        if code.full is not None and code.zero is not None:
            value = self._credited(value, code.full(s), code.zero(s))
        return builtins.mean(value) if isinstance(value, list) else value

    def _credited(self, value: Any, full: Any, zero: Any) -> Any:
        if isinstance(value, list):
            return [self._credited(member, full, zero) for member in value]
        numbers = all(type(member) in (int, float) for member in (value, full, zero))
        return builtins.credit(value, full=full, zero=zero) if numbers else None

    def _score(self, s: list, name: str) -> Any:
        code = self.plan.scores[name]
        value = code.value(s) if code.value is not None else self._weighted(code)
        for cap in self.caps(code):
            if cap is not None and type(value) in (int, float) and value > cap:
                value = cap
        return value

    def _weighted(self, code: ScoreCode) -> float | None:
        """Products are added exactly, so that the order of metrics never shows."""
        parts = [verdict.number_of(self.value(metric)) for metric, _ in code.weights]
        if any(part is None for part in parts):
            return None
        return math.fsum(part * weight for part, (_, weight) in zip(parts, code.weights, strict=True))  # type: ignore[operator]

    def caps(self, code: ScoreCode) -> list[float | None]:
        """The limit of each cap that applies, None for each that does not."""
        return [at_most(self.slots) if when(self.slots) is True else None for when, at_most in code.caps]


_KINDS: dict[str, Callable[[Case, list, str], Any]] = {
    "let": Case._let,
    "table": Case._table,
    "metric": Case._metric,
    "score": Case._score,
    "input": Case._input,
    "whole": Case._whole,
    "field": Case._field,
}


def _ignore(path: str, reason: str) -> None:
    """Entries are diagnosed when they are read."""


class _Fields(dict):
    """The fields of an input's own record, each read when it is asked for."""

    def __init__(self, case: Case, name: str, known: Mapping[str, Any] | None = None):
        super().__init__(known or {})
        self.case, self.name = case, name

    def __missing__(self, part: str) -> Any:
        return self.case.value(f"{self.name}.{part}")


# ---------------------------------------------------------------- a whole case


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
    options = options or Options()
    try:
        running = Case(plan, read_inputs(plan.rubric, values, folder).values)
        running.read_everything()
        _preconditions(running)
        report = _report(running, id, engine, case, options)
        contents = {name: running.leaf(plan.rubric.artifacts[name].content) for name in options.artifacts}
        return report, contents
    except InfrastructureFault as fault:
        return Report(id, engine, case, "error", None, error=CaseError(fault.kind, fault.message)), {}


def _preconditions(running: Case) -> None:
    for precondition in running.plan.rubric.preconditions.values():
        for names in _combinations(running, precondition.each):
            for number, tree in enumerate(precondition.requirements, 1):
                if running.leaf(tree, *names) is not True:
                    part = f" (part {number})" if len(precondition.requirements) > 1 else ""
                    at = f" at {', '.join(shown(name) for name in names)}" if names else ""
                    raise InfrastructureFault("precondition", f"precondition '{precondition.name}'{part} does not hold{at}")


def _combinations(running: Case, bindings) -> list[tuple]:
    """Every combination of the named lists; later lists may depend on earlier names."""
    found: list[tuple] = [()]
    for _, tree in bindings:
        found = [(*names, member) for names in found for member in running.leaf(tree, *names) or ()]
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
        {name: verdict.exported(value) for name, value in values.items()},
        gates,
        tuple(verdict.cap_results(running, complete)),
        tuple(running.diagnostics),
        tuple(_warnings(running)) if complete else (),
        tuple(_nodes(running)) if options.keep_nodes else (),
    )


def _known(running: Case, name: str) -> Any:
    """A node's value if something asked for it, else null."""
    value = running.slots[running.plan.slots[name]]
    return None if value is UNSET else value


def _metric_result(running: Case, name: str, complete: bool) -> MetricResult:
    value = running.value(name) if complete else _known(running, name)
    fields = {part: verdict.exported(member) for part, member in value.items()} if isinstance(value, dict) else {}
    weight, of = running.plan.weight_of(name)
    return MetricResult(
        verdict.number_of(value),
        weight,
        of,
        verdict.exported(running.measured.get(name)),
        fields,
        running.plan.metrics[name].full is not None,
    )


def _warnings(running: Case) -> list[dict[str, str]]:
    found = []
    for warning in running.plan.rubric.warnings.values():
        for names in _combinations(running, warning.each):
            if warning.when is None or running.leaf(warning.when, *names) is True:
                found.append({"id": warning.name, "message": _said(warning, names)})
    return found


def _said(warning: Warning, names: tuple) -> str:
    """The sentence of a warning, with `{name}` and `{name.field}` filled in."""
    known = dict(zip((name for name, _ in warning.each), names, strict=True))
    return verdict.filled(warning.say, known)


def _nodes(running: Case) -> list[NodeResult]:
    return [
        NodeResult(described.id, described.kind, verdict.summary(_value(running, described.id)), *described.written)
        for described in running.plan.described
    ]


def _value(running: Case, id: str) -> Any:
    """The value of a node or a constant; null for what has none: a function, a record, a gate."""
    constant = running.plan.rubric.constants.get(id)
    if constant is not None and not constant.by:
        return constant.value
    return _known(running, id) if id in running.plan.slots else None
