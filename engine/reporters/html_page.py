"""One HTML page that needs nothing else: no script, no network, light and dark.

Every text of a report is escaped; the page's own policy refuses scripts and anything from elsewhere besides.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from . import human, view
from .summary import Summary, plain
from .summary_view import FIGURES, figure_rows, summary_title
from .waterfall import waterfall

MOST_ROWS = 1000
LONGEST_VALUE = 2000
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STATES = {"held": "✓ held", "failed": "✗ failed", "inconclusive": "? inconclusive", "unreached": "– not reached"}


def one(report: Mapping[str, Any], *, color: bool = False) -> str:
    """The page of one case: the score, its waterfall, and tables of all that the report says."""
    chart = waterfall(report)
    body = [
        _head(report),
        _section("How the score came about", f'<div class="wide">{chart}</div>') if chart else "",
        _metrics(report),
        _gates(report),
        _caps(report),
        _values(report),
        _diagnostics(report),
        _warnings(report),
        _footer(report),
    ]
    case = "" if report["case"] is None else f", {report['case']}"
    return _page(f"{view.title(report)}{case}: {report['outcome']}", body)


def many(reports: Iterable[Mapping[str, Any]], summary: Summary | Mapping[str, Any]) -> Iterator[str]:
    """The page of many cases: the summary, then a row a case. The rows are kept until the last report is in."""
    rows = [_case_row(report) for report in reports]
    found = plain(summary)
    body = [*_summary(found), _table("Cases", ["case", "outcome", "score", "why"], rows, range(2, 3), len(rows))]
    yield _page(summary_title(found), [*body, _footer(found) if found["rubric"] else ""])


def summary(summary: Summary | Mapping[str, Any]) -> str:
    """The page of the summary alone."""
    return "".join(many((), summary))


# ---------------------------------------------------------------- markup


def _text(text: str) -> str:
    return escape(human.clean(text))


def _page(title: str, body: Iterable[str]) -> str:
    style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    head = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>{_text(title)}</title>",
        f"<style>\n{style}</style>",
        "</head>",
        "<body>",
        "<main>",
    ]
    return "\n".join([*head, *filter(None, body), "</main>", "</body>", "</html>"]) + "\n"


def _section(title: str, content: str) -> str:
    return f"<section>\n<h2>{_text(title)}</h2>\n{content}\n</section>"


def _table(
    title: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: range = range(0),
    limit: int = MOST_ROWS,
) -> str:
    """A titled table, nothing where it has no rows. Cells are markup; the first of a row is its heading. Columns that
    are empty are left out.
    """
    if not rows:
        return ""
    used = [column for column in range(len(headings)) if column == 0 or any(row[column] for row in rows)]
    kinds = {column: ' class="number"' if column in numbers else "" for column in used}
    head = "".join(f'<th scope="col"{kinds[column]}>{_text(headings[column])}</th>' for column in used)
    lines = ['<div class="wide">', "<table>", f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for row in rows[:limit]:
        cells = "".join(f"<td{kinds[column]}>{row[column]}</td>" for column in used[1:])
        lines.append(f'<tr><th scope="row">{row[0]}</th>{cells}</tr>')
    lines += ["</tbody>", "</table>", "</div>"]
    if len(rows) > limit:
        lines.append(f"<p>And {len(rows) - limit} more; the JSON report has all of them.</p>")
    return _section(title, "\n".join(lines))


def _outcome(outcome: str) -> str:
    return f'<span class="outcome {outcome}">{outcome}</span>'


# ---------------------------------------------------------------- one case


def _head(report: Mapping[str, Any]) -> str:
    case = "" if report["case"] is None else f" <small>{_text(report['case'])}</small>"
    score = "no score" if report["score"] is None else f"score <strong>{human.number(report['score'])}</strong>"
    lines = [f"<h1>{_text(view.title(report))}{case}</h1>", f"<p>{_outcome(report['outcome'])} {score}</p>"]
    if "error" in report:
        kind, message = _text(report["error"]["kind"]), report["error"]["message"]
        shown = "<br>".join(_text(line) for line in message.split("\n"))
        lines.append(f"<p><strong>{kind}</strong>: {shown}</p>")
    replaced = view.replacement(report)
    return "\n".join(["<header>", *lines, *([f"<p>{_text(replaced)}</p>"] if replaced else []), "</header>"])


def _metrics(report: Mapping[str, Any]) -> str:
    rows = [
        [_text(part.metric), *map(human.number, part.numbers), _text(group.name), _text(part.note)]
        for group in view.groups(report)
        for part in group.parts
    ]
    for id, metric in view.loose_metrics(report).items():
        rows.append([_text(id), human.number(metric["value"]), "", "", "", _text(view.metric_note(metric))])
    return _table("Metrics", ["metric", "value", "weight", "contribution", "of", "besides"], rows, range(1, 4))


def _gates(report: Mapping[str, Any]) -> str:
    rows = [
        [
            _text(gate["id"]),
            f'<span class="{view.gate_state(gate)}">{_STATES[view.gate_state(gate)]}</span>',
            _text(view.gate_reason(gate)),
            _text(gate.get("stage", "")),
        ]
        for gate in report["gates"]
    ]
    return _table("Gates", ["gate", "state", "because", "stage"], rows)


def _caps(report: Mapping[str, Any]) -> str:
    rows = [[_text(cap["id"]), _text(view.cap_reason(cap))] for cap in report["caps"]]
    return _table("Caps", ["cap", "effect"], rows)


def _values(report: Mapping[str, Any]) -> str:
    scores = [[_text(group.name), human.number(group.value)] for group in view.groups(report)]
    lines = human.outline(view.other_values(report), limit=LONGEST_VALUE)
    rows = [[_text(line.path), _text(line.text)] for line in lines if line.text is not None]
    return _table("Values", ["name", "value"], [*scores, *rows])


def _diagnostics(report: Mapping[str, Any]) -> str:
    rows = [[_text(place or "case"), _text(reason)] for place, reason in map(view.diagnosis, report["diagnostics"])]
    return _table("Diagnostics", ["where", "what"], rows)


def _warnings(report: Mapping[str, Any]) -> str:
    rows = [[_text(each["id"]), _text(each["message"])] for each in report.get("warnings", ())]
    return _table("Warnings", ["warning", "message"], rows)


def _footer(report: Mapping[str, Any]) -> str:
    rubric = report["rubric"]
    digest = f"<code>{_text(rubric['sha256'])}</code>"
    return f"<footer>{_text(view.title(report))}, SHA-256 {digest}, engine {_text(report['engine'])}</footer>"


# ---------------------------------------------------------------- many cases


def _case_row(report: Mapping[str, Any]) -> list[str]:
    outcome, score = _outcome(report["outcome"]), human.number(report["score"])
    return [_text(view.case_name(report)), outcome, score, _text(view.reason(report))]


def _summary(summary: Mapping[str, Any]) -> Iterator[str]:
    outcomes = " ".join(f"<li>{_outcome(outcome)} {count}</li>" for outcome, count in summary["outcomes"].items())
    title = _text(view.title(summary)) if summary["rubric"] else "No cases"
    cases = human.plural(summary["count"], "case")
    yield f'<header>\n<h1>{title} <small>{cases}</small></h1>\n<ul class="outcomes">{outcomes}</ul>\n</header>'
    figures = [[_text(name), *numbers] for name, *numbers in figure_rows(summary)]
    yield _table("Score and metrics", ["", *FIGURES.values()], figures, range(1, len(FIGURES) + 1))
    states = ("failed", "inconclusive", "unreached", "held")
    gates = [[_text(gate["id"]), *(str(gate[state]) for state in states)] for gate in summary["gates"]]
    yield _table("Gates", ["gate", "failed", "inconclusive", "not reached", "held"], gates, range(1, 5))
    errors = [[_text(kind), str(count)] for kind, count in summary["errors"].items()]
    yield _table("Errors", ["kind", "cases"], errors, range(1, 2))
