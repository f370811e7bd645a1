"""Markdown (the GitHub dialect) for comments and job summaries.

Texts that are not plain words stand in code spans, where neither markup nor HTML nor mentions nor links work.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import human, view
from .summary import Summary, plain
from .summary_view import FIGURES, failed_gates, figure_rows, summary_title

MOST_DIAGNOSTICS = 10
MOST_VALUES = 40

_HARMLESS = re.compile(
    r"(?![->=+])(?!.*(?:://|www\.))"  # no list, quotation or underline; no address that becomes a link
    r"(?:[A-Za-z0-9 .,;:()'\"/%+=>?-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|\[[0-9]+\](?![(\[:]))*",
    re.IGNORECASE,
)
_BACKQUOTES = re.compile("`+")
_STATES = {"held": "✓", "failed": "✗", "inconclusive": "?", "unreached": "–"}


def one(report: Mapping[str, Any], *, color: bool = False) -> str:
    """The report of one case."""
    sections = [
        _head(report),
        *_groups(report),
        _metrics(report),
        _listed("Gates", [_gate(gate) for gate in report["gates"]]),
        _listed("Caps", [_cap(cap) for cap in report["caps"]]),
        _values(report),
        _diagnostics(report),
        _listed("Warnings", [f"{_text(each['id'])}: {_text(each['message'])}" for each in report.get("warnings", ())]),
    ]
    return _joined(sections)


def many(reports: Iterable[Mapping[str, Any]], summary: Summary | Mapping[str, Any]) -> Iterator[str]:
    """A table with a row a case, then the summary."""
    before = _table(["case", "outcome", "score", "why"], (), range(2, 3))
    for report in reports:
        cells = [_cell(view.case_name(report)), report["outcome"], human.number(report["score"])]
        yield "\n".join([*before, _row([*cells, _cell(view.reason(report))])]) + "\n"
        before = []
    yield ("" if before else "\n") + _summary(plain(summary))


def summary(summary: Summary | Mapping[str, Any]) -> str:
    """The summary: outcomes, a table of the score and the metrics, the gates that failed most, the errors."""
    return _summary(plain(summary))


# ---------------------------------------------------------------- markup


def _text(text: str) -> str:
    """Words as they are, anything else as a code span."""
    text = human.clean(text)
    if _HARMLESS.fullmatch(text):
        return text
    fence = "`" * (1 + max(map(len, _BACKQUOTES.findall(text)), default=0))
    padding = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def _cell(text: str) -> str:
    """A text in a table, where a bar would end the cell even in a code span."""
    return _text(text.replace("|", "\\x7c"))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: range) -> list[str]:
    rule = ["---:" if column in numbers else "---" for column in range(len(headings))]
    return [_row(headings), _row(rule), *map(_row, rows)]


def _listed(title: str, items: Sequence[str]) -> list[str]:
    return [f"## {title}", "", *(f"- {item}" for item in items)] if items else []


def _limited(items: Sequence[str], limit: int, noun: str) -> list[str]:
    more = len(items) - limit
    return [*items[:limit], *([f"and {human.plural(more, f'more {noun}')}"] if more > 0 else [])]


def _joined(sections: Iterable[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


# ---------------------------------------------------------------- one case


def _head(report: Mapping[str, Any]) -> list[str]:
    score = "" if report["score"] is None else f", score {human.number(report['score'])}"
    lines = [f"# {_text(view.title(report))}: {report['outcome']}{score}"]
    if report["case"] is not None:
        lines += ["", f"Case {_text(report['case'])}"]
    if "error" in report:
        lines += ["", f"**{_text(report['error']['kind'])}**: {_text(report['error']['message'])}"]
    replaced = view.replacement(report)
    return [*lines, *(["", f"{_text(replaced)}"] if replaced else [])]


def _groups(report: Mapping[str, Any]) -> Iterator[list[str]]:
    for group in view.groups(report):
        lines = [f"## {_text(group.name)}: {human.number(group.value)}"]
        if group.parts:
            notes = any(part.note for part in group.parts)
            headings = ["metric", "value", "weight", "contribution", *(["besides"] if notes else [])]
            lines += ["", *_table(headings, [_part(part, notes) for part in group.parts], range(1, 4))]
        if group.caps:
            lines += ["", *(f"- cap {_text(cap['id'])}: {_text(view.cap_effect(cap))}" for cap in group.caps)]
        yield lines


def _part(part: view.Part, notes: bool) -> list[str]:
    return [_cell(part.metric), *map(human.number, part.numbers), *([_cell(part.note)] if notes else [])]


def _metrics(report: Mapping[str, Any]) -> list[str]:
    loose = view.loose_metrics(report)
    rows = [[_cell(id), human.number(metric["value"]), _cell(view.metric_note(metric))] for id, metric in loose.items()]
    return ["## Metrics", "", *_table(["metric", "value", "besides"], rows, range(1, 2))] if rows else []


def _gate(gate: Mapping[str, Any]) -> str:
    return f"{_STATES[view.gate_state(gate)]} {_text(gate['id'])}: {_text(view.gate_reason(gate))}"


def _cap(cap: Mapping[str, Any]) -> str:
    return f"{_text(cap['id'])} {_text(view.cap_reason(cap))}"


def _values(report: Mapping[str, Any]) -> list[str]:
    lines = [
        f"{_text(line.path)}: {_text(line.text)}"
        for line in human.outline(view.other_values(report))
        if line.text is not None
    ]
    return _listed("Values", _limited(lines, MOST_VALUES, "value"))


def _diagnostics(report: Mapping[str, Any]) -> list[str]:
    found = [
        f"{_text(place or 'case')}: {_text(reason)}" for place, reason in map(view.diagnosis, report["diagnostics"])
    ]
    return _listed("Diagnostics", _limited(found, MOST_DIAGNOSTICS, "diagnostic"))


# ---------------------------------------------------------------- many cases


def _summary(summary: Mapping[str, Any]) -> str:
    rows = [[_cell(name), *numbers] for name, *numbers in figure_rows(summary)]
    gates = [f"{_text(gate['id'])}: {gate['failed']} of {summary['count']}" for gate in failed_gates(summary)]
    errors = [f"{_text(kind)}: {human.plural(count, 'case')}" for kind, count in summary["errors"].items()]
    sections = [
        [_text(summary_title(summary))],
        _table(["", *FIGURES.values()], rows, range(1, len(FIGURES) + 1)) if rows else [],
        _listed("Gates that failed most", gates),
        _listed("Errors", errors),
    ]
    return _joined(sections)
