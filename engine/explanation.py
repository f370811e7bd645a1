"""Why a report says what it says: formulas as their author wrote them, then with the values put in, down to the inputs.

Everything is read from the report alone, so that an old report explains itself without its rubric.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .explanation_parts import Explainer, Part, gate_line, part_of
from .faults import CallFault
from .findings import suggestion
from .input_files import MAX_BYTES, refusal
from .json_text import JsonFault, decode, text_of
from .reporters import human, view

SECTIONS = ("inputs", "constants", "records", "functions", "let", "metrics", "score", "gates", "caps", "values")


def explain_file(path: Path, node: str | None = None, case: str | None = None) -> str:
    """Why a report in a file says what it says; of a file with many reports, that of the case. Raises `CallFault`."""
    reports = _reports(path)
    if case is not None:
        reports = [report for report in reports if report.get("case") == case]
        if not reports:
            raise CallFault(f"{path} holds no report of a case '{case}'")
    if len(reports) != 1:
        names = ", ".join(str(report.get("case")) for report in reports[:5])
        raise CallFault(f"{path} holds {len(reports)} reports; choose one with --case: {names}, ...")
    return explain_report(reports[0], node)


def _reports(path: Path) -> Sequence[Mapping[str, Any]]:
    """The reports in a file: one, a document of many, or one a line."""
    refused = refusal(path, MAX_BYTES)
    if refused is not None:
        raise CallFault(f"the report {path} {refused}")
    try:
        text = text_of(path.read_bytes())
        found: Any
        try:
            found = decode(text)
        except JsonFault:
            found = [decode(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        reason = error if isinstance(error, JsonFault) else getattr(error, "strerror", None) or error
        raise CallFault(f"the report {path} cannot be read: {reason}") from None
    if isinstance(found, dict) and isinstance(found.get("reports"), list):
        found = found["reports"]
    members = found if isinstance(found, list) else [found]
    reports = [member for member in members if isinstance(member, dict) and "report" in member]
    if not reports or len(reports) < len(members):
        raise CallFault(f"{path} holds no report of a run")
    return reports


def explain_report(report: Mapping[str, Any], node: str | None = None) -> str:
    """Why a report says what it says of a node; by default of the score, and what gates and caps made of it.

    A report of many cases has no formulas; of it what can be said is said, and how to get the rest. Raises `CallFault`
    for a node that there is not, and for what is no report.
    """
    try:
        return _explained(report, node)
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise CallFault(f"this is no report that can be explained: {type(error).__name__} {error}") from None


def _explained(report: Mapping[str, Any], node: str | None) -> str:
    if "error" in report:
        error = report["error"]
        reason = f"There is no score: {human.clean(error['message'])} ({human.clean(error['kind'])})"
        return _finished([_title(report), "", reason])
    parts = {part.id: part for part in map(part_of, report.get("nodes", ()))}
    if not parts:
        return _finished([_title(report), "", *_without_formulas(report, node)])
    explainer = Explainer(report, parts)
    if node is None:
        return _finished([_title(report), *_effects(report), *explainer.whole()])
    return _finished(explainer.explained(_found(report, parts, node), _member_of(node)))


def _finished(lines: Sequence[str]) -> str:
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def _title(report: Mapping[str, Any]) -> str:
    score = f", score {human.number(report['score'])}" if report["score"] is not None else ""
    case = f", case {human.clean(report['case'])}" if report["case"] is not None else ""
    return f"{view.title(report)}{case}: {human.clean(report['outcome'])}{score}"


# ---------------------------------------------------------------- which part is asked for


def _found(report: Mapping[str, Any], parts: Mapping[str, Part], asked: str) -> list[str]:
    """The ids of the parts that a name stands for: `quality`, `score.quality`, `truth.fps`; `truth` with its fields."""
    section, _, rest = asked.partition(".")
    names = [rest] if section in SECTIONS and rest else [asked]
    names += [name.partition("[")[0] for name in names if name.endswith("]")]
    if asked == "score" and asked not in parts:
        names = [part.id for part in parts.values() if part.kind == "score"][-1:]
    forms = [asked, *(form for name in names for form in _forms(name, section if section in SECTIONS else ""))]
    fields = [id for id in parts for name in names if id.startswith(f"{name}.") and parts[id].kind == "field"]
    found = [form for form in dict.fromkeys([*forms, *fields]) if form in parts]
    if found:
        return found
    known = [id.removesuffix("()").removeprefix("record ").removeprefix("gates.").removeprefix("caps.") for id in parts]
    hint = suggestion(asked, known) or suggestion(rest, known) or f"it has: {', '.join(_main(report))}"
    raise CallFault(f"the report has no '{asked}'; {hint}")


def _forms(name: str, section: str) -> list[str]:
    """The ids that a name may have in a report."""
    special = {"functions": f"{name}()", "records": f"record {name}"}
    special |= {known: f"{known}.{name}" for known in ("gates", "caps", "values")}
    return [special.get(section, name)] if section else [name, *special.values()]


def _member_of(asked: str) -> str | None:
    """`thumbnail` of `bases[thumbnail]`."""
    return asked[asked.index("[") + 1 : -1] if asked.endswith("]") and "[" in asked else None


def _main(report: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys([*report["metrics"], *report["values"], *(gate["id"] for gate in report["gates"])]))


def _effects(report: Mapping[str, Any]) -> Iterator[str]:
    """What gates and caps made of the score."""
    replacement = view.replacement(report)
    if replacement:
        yield f"{replacement}."
    for cap in report["caps"]:
        if cap["applied"]:
            yield f"cap {human.clean(cap['id'])} {view.cap_reason(cap)}."


# ---------------------------------------------------------------- a report without formulas


def _without_formulas(report: Mapping[str, Any], node: str | None) -> Iterator[str]:
    """What a report of many cases says of a node, or of its score."""
    section, _, rest = (node or "").partition(".")
    asked = rest if section in SECTIONS and rest else node
    lines = list(_figures(report, asked))
    if not lines:
        hint = suggestion(asked or "", _main(report)) or f"it has: {', '.join(_main(report))}"
        raise CallFault(f"the report has no '{node}'; {hint}")
    yield from lines
    yield ""
    yield "This report has no formulas, because it is one of many. To get them, run the rubric on this case alone:"
    rubric = f"{human.clean(report['rubric']['name'])}-{human.clean(report['rubric']['version'])}"
    yield f"rubric run {rubric} NAME=PATH ... --format json --out report.json"


def _figures(report: Mapping[str, Any], asked: str | None) -> Iterator[str]:
    for group in view.groups(report):
        if asked in (None, group.name):
            yield f"{human.clean(group.name)} = {human.number(group.value)}"
            rows = [
                (f"  {part.metric}", human.number(part.value), f"× {part.weight:g} = {human.number(part.contribution)}")
                for part in group.parts
            ]
            yield from human.columns(rows)
    for name, metric in report["metrics"].items():
        if asked == name or (asked is None and "weight" not in metric):
            yield f"{human.clean(name)} = {human.value(metric)}"
    groups = {group.name for group in view.groups(report)}
    for name, value in report["values"].items():
        if name not in groups and asked in (None, name):
            yield f"{human.clean(name)} = {human.value(value)}"
    for cap in report["caps"]:
        if asked in (None, cap["id"]):
            yield f"cap {human.clean(cap['id'])} {view.cap_reason(cap)}"
    for gate in report["gates"]:
        if asked in (None, gate["id"], gate["id"].partition("[")[0]):
            yield gate_line(gate)
