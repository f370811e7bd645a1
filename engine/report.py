"""The report of one case: plain frozen data, and its strict JSON form with keys in a fixed order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

REPORT_VERSION = 1
Outcome = Literal["pass", "fail", "inconclusive", "error"]


@dataclass(frozen=True, slots=True)
class RubricId:
    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class MetricResult:
    """`value` is what the metric earns; `measured` the mean before credit, where there is a credit curve;
    `fields` what else a metric that is a record carries, such as `lower` and `upper`. `weight` is the part it has in
    the score group `of`.
    """

    value: Any
    weight: float | None = None
    of: str | None = None
    measured: Any = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    has_credit: bool = False

    def to_dict(self) -> dict[str, Any]:
        found = {"value": self.value}
        if self.weight is not None:
            found |= {"weight": self.weight, "of": self.of}
        if self.has_credit:
            found["measured"] = self.measured
        return found | {name: value for name, value in self.fields.items() if name not in found}


@dataclass(frozen=True, slots=True)
class GateResult:
    """`held` is None where the gate was not reached, or is inconclusive (`straddles`).

    `value` and `margin` are those of the bound that decides. `more` members are not listed.
    """

    id: str
    held: bool | None
    because: str
    stage: str | None = None
    reached: bool = True
    value: Any = None
    word: str | None = None
    limit: Any = None
    margin: float | None = None
    otherwise: Any = None
    members: tuple[Any, ...] = ()
    more: int = 0
    straddles: bool = False

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"id": self.id, "held": self.held, "because": self.because}
        if self.stage is not None:
            found["stage"] = self.stage
        if not self.reached:
            found["reached"] = False
        if self.word is not None:
            found |= {"value": self.value, self.word: self.limit, "margin": self.margin}
        if self.members:
            found["members"] = list(self.members)
        if self.more:
            found["more"] = self.more
        if self.otherwise is not None:
            found["otherwise"] = self.otherwise
        return found


@dataclass(frozen=True, slots=True)
class CapResult:
    id: str
    on: str
    applied: bool
    at_most: Any
    because: str | None = None

    def to_dict(self) -> dict[str, Any]:
        found = {"id": self.id, "on": self.on, "applied": self.applied, "at_most": self.at_most}
        return found | ({"because": self.because} if self.because else {})


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something about an input that did not stop the case. `path` is empty for the input as a whole."""

    input: str | None
    path: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        return {"input": self.input, "path": self.path, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class NodeResult:
    """A named part on the way to the score: the author's formula, where it stands, what it needs, what came out."""

    id: str
    kind: str
    value: Any
    formula: str
    at: str
    uses: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "value": self.value,
            "formula": self.formula,
            "at": self.at,
            "uses": list(self.uses),
        }


@dataclass(frozen=True, slots=True)
class CaseError:
    kind: str
    message: str


@dataclass(frozen=True)
class Report:
    """What a rubric says of one case."""

    rubric: RubricId
    engine: str
    case: str | None
    outcome: Outcome
    score: float | None
    metrics: Mapping[str, MetricResult] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    gates: tuple[GateResult, ...] = ()
    caps: tuple[CapResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    warnings: tuple[Mapping[str, str], ...] = ()
    nodes: tuple[NodeResult, ...] = ()
    error: CaseError | None = None

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data; `nodes` only where the run kept them."""
        found: dict[str, Any] = {
            "report": REPORT_VERSION,
            "rubric": {"name": self.rubric.name, "version": self.rubric.version, "sha256": self.rubric.sha256},
            "engine": self.engine,
            "case": self.case,
            "outcome": self.outcome,
            "score": self.score,
            "metrics": {name: metric.to_dict() for name, metric in self.metrics.items()},
            "values": dict(self.values),
            "gates": [gate.to_dict() for gate in self.gates],
            "caps": [cap.to_dict() for cap in self.caps],
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
            "warnings": [dict(warning) for warning in self.warnings],
        }
        if self.nodes:
            found["nodes"] = [node.to_dict() for node in self.nodes]
        if self.error is not None:
            found["error"] = {"kind": self.error.kind, "message": self.error.message}
        return found

    def explain(self, node: str | None = None) -> str:
        """Why a node (by default the score) has its value, as text, down to the inputs."""
        from .explanation import explain_report

        return explain_report(self.to_dict(), node)
