"""What a report says of its score, for the formats that show how the score came about."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from . import human

Report = Mapping[str, Any]
GateState = Literal["held", "failed", "inconclusive", "unreached"]
LIMITS = ("at_least", "at_most", "above", "below")


@dataclass(frozen=True, slots=True)
class Part:
    """A metric in a score group; `contribution` is its value times its weight, None where the value is null."""

    metric: str
    value: float | None
    weight: float
    contribution: float | None
    note: str

    @property
    def numbers(self) -> tuple[float | None, float, float | None]:
        """Value, weight, contribution."""
        return self.value, self.weight, self.contribution


@dataclass(frozen=True, slots=True)
class Group:
    """A score group: its value, the metrics weighted in it (none where it is a formula), the caps that apply to it."""

    name: str
    value: float | None
    parts: tuple[Part, ...]
    caps: tuple[Mapping[str, Any], ...]

    @property
    def before_caps(self) -> float | None:
        """The sum of the contributions; None where there are none, or one is null."""
        contributions = [part.contribution for part in self.parts]
        return None if not contributions or None in contributions else math.fsum(contributions)  # type: ignore[arg-type]

    @property
    def lost(self) -> float:
        """What the caps took."""
        if self.before_caps is None or self.value is None or human.near(self.before_caps, self.value):
            return 0.0
        return self.before_caps - self.value


def groups(report: Report) -> tuple[Group, ...]:
    """The score groups in the order of the rubric; the last is the score, unless a gate replaces it."""
    weighted = {metric["of"] for metric in report["metrics"].values() if _weighted(metric)}
    capped = {cap["on"] for cap in report["caps"]}
    scores = {node["id"] for node in report.get("nodes", ()) if node["kind"] == "score"}
    known = weighted | capped | scores
    return tuple(_group(report, name) for name in report["values"] if name in known)


def _weighted(metric: Mapping[str, Any]) -> bool:
    """Whether a score group weighs a metric; a metric that is a record may have a field of either name."""
    return "weight" in metric and "of" in metric


def _group(report: Report, name: str) -> Group:
    weighted = {id: metric for id, metric in report["metrics"].items() if _weighted(metric) and metric["of"] == name}
    parts = tuple(_part(id, metric) for id, metric in weighted.items())
    caps = tuple(cap for cap in report["caps"] if cap["on"] == name and cap["applied"])
    return Group(name, report["values"][name], parts, caps)


def _part(id: str, metric: Mapping[str, Any]) -> Part:
    value, weight = metric["value"], metric["weight"]
    return Part(id, value, weight, None if value is None else value * weight, metric_note(metric))


def metric_note(metric: Mapping[str, Any]) -> str:
    """What a metric carries besides its value: the mean that was measured before credit, the bounds of an interval."""
    shown = {name: member for name, member in metric.items() if name not in ("value", "weight", "of")}
    return ", ".join(f"{human.clean(name)} {human.value(member)}" for name, member in shown.items())


def loose_metrics(report: Report) -> dict[str, Mapping[str, Any]]:
    """The metrics that have no weight in a score group."""
    return {id: metric for id, metric in report["metrics"].items() if not _weighted(metric)}


def other_values(report: Report) -> dict[str, Any]:
    """The values that are no score group."""
    scores = {group.name for group in groups(report)}
    return {name: value for name, value in report["values"].items() if name not in scores}


def gate_state(gate: Mapping[str, Any]) -> GateState:
    """A gate that was reached and is neither held nor failed straddles its limit."""
    if not gate.get("reached", True):
        return "unreached"
    if gate["held"] is None:
        return "inconclusive"
    return "held" if gate["held"] else "failed"


def gate_reason(gate: Mapping[str, Any]) -> str:
    """Why a gate held or did not, with the margin to its limit and the first members of a list that should be empty."""
    details = []
    if gate.get("margin") is not None:
        details.append(f"margin {human.number(gate['margin'])}")
    if gate.get("members"):
        more = f" and {gate['more']} more" if gate.get("more") else ""
        details.append(f"members {human.value(gate['members'])}{more}")
    return human.clean(gate["because"]) + (f" ({', '.join(details)})" if details else "")


def cap_reason(cap: Mapping[str, Any]) -> str:
    """`applies: composite at most 0.5`, and why."""
    because = f" ({human.clean(cap['because'])})" if cap["applied"] and cap.get("because") else ""
    return f"{'applies' if cap['applied'] else 'does not apply'}: {cap_effect(cap)}{because}"


def cap_effect(cap: Mapping[str, Any]) -> str:
    """`composite at most 0.5`; only the score group where the limit is not known."""
    limit = "" if cap["at_most"] is None else f" at most {human.value(cap['at_most'])}"
    return human.clean(cap["on"]) + limit


def diagnosis(diagnostic: Mapping[str, Any]) -> tuple[str, str]:
    """The place, `prediction events[3]`, empty where there is none; and what is wrong there."""
    place = " ".join(human.clean(part) for part in (diagnostic["input"], diagnostic["path"]) if part)
    return place, human.clean(diagnostic["reason"])


def replacing_gate(report: Report) -> Mapping[str, Any] | None:
    """The gate that puts another number in the score's place: the first that did not hold and has one."""
    for gate in report["gates"]:
        if gate["held"] is not True and gate.get("reached", True) and "otherwise" in gate:
            return gate
    return None


def replacement(report: Report) -> str | None:
    """`gate quality_floor puts 0 in the place of 0.5`."""
    gate, found = replacing_gate(report), groups(report)
    if gate is None:
        return None
    instead = f" in the place of {human.number(found[-1].value)}" if found else ""
    return f"gate {human.clean(gate['id'])} puts {human.value(gate['otherwise'])}{instead}"


def title(report: Report) -> str:
    """`speech 1.2`: the rubric."""
    rubric = report["rubric"]
    return f"{human.clean(rubric['name'])} {human.clean(rubric['version'])}"


def case_name(report: Report) -> str:
    """The id of the case, `case` where it has none."""
    return "case" if report["case"] is None else human.clean(report["case"])


def reason(report: Report) -> str:
    """Why a case did not pass, on one line: its error, or the first gate that did not hold; else nothing."""
    if "error" in report:
        return f"{human.clean(report['error']['kind'])}: {human.clean(report['error']['message'])}"
    failing = [gate for gate in report["gates"] if gate_state(gate) in ("failed", "inconclusive")]
    if not failing:
        return ""
    more = f" (and {human.plural(len(failing) - 1, 'more gate')})" if len(failing) > 1 else ""
    return f"{human.clean(failing[0]['id'])}: {human.clean(failing[0]['because'])}{more}"
