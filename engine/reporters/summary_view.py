"""What a summary says, for the formats that are for people."""

from collections.abc import Mapping, Sequence
from typing import Any

from . import human
from .view import title

FIGURES = {
    "scored": "scored",
    "null": "null",
    "errors": "errors",
    "mean_of_scored": "mean of scored",
    "mean_unscored_as_zero": "mean, unscored as 0",
    "median_of_scored": "median",
    "min_of_scored": "min",
    "max_of_scored": "max",
}
"""The columns of a summary's table: key and heading."""


def figure_rows(summary: Mapping[str, Any]) -> list[list[str]]:
    """A row for the score, where there is one, and a row a metric; the cells in the order of `FIGURES`."""
    rows = {"score": summary["score"]} if summary["score"] is not None else {}
    named = [*rows.items(), *summary["metrics"].items()]
    return [[human.clean(name), *(human.number(row[figure]) for figure in FIGURES)] for name, row in named]


def summary_title(summary: Mapping[str, Any]) -> str:
    """`3 cases of speech 1.2: 1 pass, 1 fail, 0 inconclusive, 1 error`."""
    of = f" of {title(summary)}" if summary["rubric"] else ""
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in summary["outcomes"].items())
    return f"{human.plural(summary['count'], 'case')}{of}: {outcomes}"


def failed_gates(summary: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The gates that failed in a case, the most often failed first."""
    return [gate for gate in summary["gates"] if gate["failed"]]
