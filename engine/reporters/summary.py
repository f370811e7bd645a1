"""What many reports say together. Reports are added one by one; of each number only its eight bytes are kept."""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from .view import gate_state

OUTCOMES = ("pass", "fail", "inconclusive", "error")
_STATES = ("failed", "inconclusive", "unreached", "held")


def _mean(values: array, count: int) -> float:
    try:
        return math.fsum(values) / count
    except OverflowError:
        return math.fsum(value / count for value in values)


def _median(values: array) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else ordered[middle - 1] / 2 + ordered[middle] / 2


class _Numbers:
    """The numbers of a metric, or of the score."""

    def __init__(self) -> None:
        self.values = array("d")

    def add(self, value: Any) -> None:
        if isinstance(value, (int, float)):
            self.values.append(value)

    def to_dict(self, cases: int, errors: int) -> dict[str, Any]:
        values = self.values
        return {
            "scored": len(values),
            "null": cases - errors - len(values),
            "errors": errors,
            "mean_of_scored": _mean(values, len(values)) if values else None,
            "mean_unscored_as_zero": _mean(values, cases) if cases else None,
            "median_of_scored": _median(values) if values else None,
            "min_of_scored": min(values) if values else None,
            "max_of_scored": max(values) if values else None,
        }


class Summary:
    """A running summary of the reports of one rubric.

    No case leaves the denominator: for the score and for each metric, `scored`, `null` and `errors` add up to the
    number of cases, and `mean_unscored_as_zero` divides by all of them, with 0 for what is null or an error. The
    figures `..._of_scored` are of the cases that have the number, and None where none has.
    """

    def __init__(self) -> None:
        self._rubric: Mapping[str, Any] | None = None
        self._engine: str | None = None
        self._outcomes = dict.fromkeys(OUTCOMES, 0)
        self._score = _Numbers()
        self._decided_without_score = False
        self._metrics: dict[str, _Numbers] = {}
        self._gates: dict[str, Counter[str]] = {}
        self._errors: Counter[str] = Counter()

    def add(self, report: Mapping[str, Any]) -> None:
        """One more report, as `Report.to_dict()` gives it."""
        if self._rubric is None:
            self._rubric, self._engine = dict(report["rubric"]), report["engine"]
        self._outcomes[report["outcome"]] += 1
        if "error" in report:
            self._errors[report["error"]["kind"]] += 1
            return
        self._score.add(report["score"])
        self._decided_without_score |= report["score"] is None and report["outcome"] in ("pass", "fail")
        for name, metric in report["metrics"].items():
            self._metrics.setdefault(name, _Numbers()).add(metric["value"])
        for id, state in _gate_states(report["gates"]).items():
            self._gates.setdefault(id, Counter())[state] += 1

    def to_dict(self) -> dict[str, Any]:
        """The summary so far. `score` is None where cases were decided and none has a score; a gate with members counts
        once a case, by its own id; gates stand in the order of how often they failed.
        """
        cases, errors = sum(self._outcomes.values()), self._outcomes["error"]
        has_score = bool(self._score.values) or not self._decided_without_score
        gates = sorted(self._gates.items(), key=lambda gate: -gate[1]["failed"])
        return {
            "rubric": self._rubric,
            "engine": self._engine,
            "count": cases,
            "outcomes": dict(self._outcomes),
            "score": self._score.to_dict(cases, errors) if has_score else None,
            "metrics": {name: numbers.to_dict(cases, errors) for name, numbers in self._metrics.items()},
            "gates": [{"id": id, **{state: states[state] for state in _STATES}} for id, states in gates],
            "errors": dict(sorted(self._errors.items(), key=lambda error: (-error[1], error[0]))),
        }


def summarize(reports: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The summary of reports."""
    summary = Summary()
    for report in reports:
        summary.add(report)
    return summary.to_dict()


def plain(summary: Summary | Mapping[str, Any]) -> Mapping[str, Any]:
    """The dictionary of a summary that is, or is no longer, being filled."""
    return summary.to_dict() if isinstance(summary, Summary) else summary


def _gate_states(gates: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """One state a gate: the worst of its members'."""
    found: dict[str, str] = {}
    for gate in gates:
        id, state = gate["id"].partition("[")[0], gate_state(gate)
        found[id] = min(found.get(id, state), state, key=_STATES.index)
    return found
