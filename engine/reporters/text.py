"""Text for a person at a terminal: the score and how it came about, at a glance."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import human, view
from .summary import Summary, plain
from .summary_view import FIGURES, failed_gates, figure_rows, summary_title

MOST_DIAGNOSTICS = 10
MOST_VALUES = 40

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "magenta": "35"}
_COLORS = {"pass": "green", "fail": "red", "inconclusive": "yellow", "error": "magenta"}
_MARKS = {"held": "\N{CHECK MARK}", "failed": "\N{BALLOT X}", "inconclusive": "?", "unreached": "-"}
_PLAIN_MARKS = {"held": "+", "failed": "x", "inconclusive": "?", "unreached": "-"}
_STATE_COLORS = {"held": "green", "failed": "red", "inconclusive": "yellow", "unreached": "dim"}


@dataclass(frozen=True, slots=True)
class _Style:
    color: bool
    ascii: bool

    def paint(self, text: str, *names: str) -> str:
        return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m" if self.color and text else text

    def mark(self, state: str) -> str:
        return self.paint((_PLAIN_MARKS if self.ascii else _MARKS)[state], _STATE_COLORS[state])

    @property
    def times(self) -> str:
        return "x" if self.ascii else "\N{MULTIPLICATION SIGN}"


def one(report: Mapping[str, Any], *, color: bool = False, ascii: bool = False) -> str:
    """The report of one case. With `ascii`, the marks and signs are ASCII, and all other characters escapes."""
    style = _Style(color, ascii)
    sections = [
        _head(report, style),
        _scores(report, style),
        _metrics(report),
        _gates(report, style),
        _caps(report, style),
        _values(report),
        _diagnostics(report),
        _warnings(report),
    ]
    return _finished("\n\n".join("\n".join(section) for section in sections if section), ascii)


def many(
    reports: Iterable[Mapping[str, Any]], summary: Summary | Mapping[str, Any], *, color: bool = False
) -> Iterator[str]:
    """A line a case, then the summary."""
    style, empty = _Style(color, False), True
    for report in reports:
        outcome, score = report["outcome"], human.number(report["score"])
        shown = style.paint(f"{outcome:<12}", _COLORS[outcome])
        yield f"{shown}  {score:>10}  {view.case_name(report)}  {view.reason(report)}".rstrip() + "\n"
        empty = False
    yield ("" if empty else "\n") + _summary(plain(summary))


def summary(summary: Summary | Mapping[str, Any]) -> str:
    """The summary: outcomes, a table of the score and the metrics, the gates that failed most, the errors."""
    return _summary(plain(summary))


def _finished(text: str, ascii: bool = False) -> str:
    return (text.encode("ascii", "backslashreplace").decode() if ascii else text) + "\n"


def _titled(title: str, lines: Sequence[str]) -> list[str]:
    return [title, *(f"  {line}" for line in lines)] if lines else []


def _limited(lines: Sequence[str], limit: int, noun: str) -> list[str]:
    more = len(lines) - limit
    return [*lines[:limit], *([f"... and {human.plural(more, f'more {noun}')}"] if more > 0 else [])]


# ---------------------------------------------------------------- one case


def _head(report: Mapping[str, Any], style: _Style) -> list[str]:
    outcome = style.paint(report["outcome"].upper(), "bold", _COLORS[report["outcome"]])
    score = "" if report["score"] is None else f"  score {style.paint(human.number(report['score']), 'bold')}"
    case = "" if report["case"] is None else f", {view.case_name(report)}"
    lines = [f"{outcome}{score}  {style.paint(f'{view.title(report)}{case}', 'dim')}"]
    if "error" in report:
        kind, message = report["error"]["kind"], report["error"]["message"]
        first, *rest = [human.clean(line) for line in message.split("\n")]
        lines += [f"  {human.clean(kind)}: {first}", *(f"  {line}" for line in rest)]
    replaced = view.replacement(report)
    return [*lines, *([f"  {replaced}"] if replaced else [])]


def _scores(report: Mapping[str, Any], style: _Style) -> list[str]:
    """Each score group, its metrics as value x weight = contribution, and what caps took."""
    lines: list[str] = []
    for group in view.groups(report):
        lines.append(f"{style.paint(human.clean(group.name), 'bold')}  {human.number(group.value)}")
        rows = [_part(part, style) for part in group.parts]
        lines += [f"  {line}" for line in human.columns(rows)]
        for cap in group.caps:
            lost = f"  (it takes {human.number(group.lost)})" if group.lost and len(group.caps) == 1 else ""
            lines.append(f"  {style.mark('failed')} cap {human.clean(cap['id'])}: {view.cap_effect(cap)}{lost}")
    return lines


def _part(part: view.Part, style: _Style) -> list[str]:
    value, weight = human.number(part.value), human.number(part.weight)
    return [
        human.clean(part.metric),
        value,
        f"{style.times} {weight}",
        f"= {human.number(part.contribution)}",
        part.note,
    ]


def _metrics(report: Mapping[str, Any]) -> list[str]:
    """The metrics without a weight."""
    loose = view.loose_metrics(report)
    rows = [[human.clean(id), human.number(metric["value"]), view.metric_note(metric)] for id, metric in loose.items()]
    return _titled("metrics", human.columns(rows))


def _gates(report: Mapping[str, Any], style: _Style) -> list[str]:
    rows = [[human.clean(gate["id"]), view.gate_reason(gate)] for gate in report["gates"]]
    marks = [style.mark(view.gate_state(gate)) for gate in report["gates"]]
    return _titled("gates", _marked(marks, rows))


def _caps(report: Mapping[str, Any], style: _Style) -> list[str]:
    rows = [[human.clean(cap["id"]), view.cap_reason(cap)] for cap in report["caps"]]
    marks = [style.mark("failed" if cap["applied"] else "unreached") for cap in report["caps"]]
    return _titled("caps", _marked(marks, rows))


def _marked(marks: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"{mark} {line}" for mark, line in zip(marks, human.columns(rows), strict=True)]


def _values(report: Mapping[str, Any]) -> list[str]:
    lines = list(human.outline(view.other_values(report)))
    rows = [["  " * line.depth + line.name, line.text or ""] for line in lines]
    return _titled("values", _limited(human.columns(rows), MOST_VALUES, "line"))


def _diagnostics(report: Mapping[str, Any]) -> list[str]:
    lines = [f"{place}: {reason}" if place else reason for place, reason in map(view.diagnosis, report["diagnostics"])]
    return _titled("diagnostics", _limited(lines, MOST_DIAGNOSTICS, "diagnostic"))


def _warnings(report: Mapping[str, Any]) -> list[str]:
    warnings = report.get("warnings", ())
    return _titled("warnings", [f"{human.clean(each['id'])}: {human.clean(each['message'])}" for each in warnings])


# ---------------------------------------------------------------- many cases


def _summary(summary: Mapping[str, Any]) -> str:
    rows = figure_rows(summary)
    right = frozenset(range(1, len(FIGURES) + 1))
    table = human.columns([["", *FIGURES.values()], *rows], right) if rows else []
    gates = [
        [human.clean(gate["id"]), f"failed in {gate['failed']} of {human.plural(summary['count'], 'case')}"]
        for gate in failed_gates(summary)
    ]
    errors = [[human.clean(kind), human.plural(count, "case")] for kind, count in summary["errors"].items()]
    sections = [
        [summary_title(summary)],
        table,
        _titled("gates that failed most", human.columns(gates)),
        _titled("errors", human.columns(errors)),
    ]
    return _finished("\n\n".join("\n".join(section) for section in sections if section))
