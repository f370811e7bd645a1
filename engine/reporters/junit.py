"""JUnit XML for continuous integration.

One report is a suite: a test case a gate, and one for the score. Many reports are a suite with a test case each. A
gate that failed is a failure, and so is what is inconclusive (its type says so); outcome `error` is an error; a gate
that was not reached is skipped. Numbers stand as properties, exact, as JSON writes them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as xml

from ..json_text import encode
from . import human, view
from .summary import Summary, plain

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def one(report: Mapping[str, Any], *, color: bool = False) -> str:
    """The report of one case."""
    suites = xml.Element("testsuites")
    suite = xml.SubElement(suites, "testsuite", name=_suite_name(report))
    _properties(suite, report)
    class_name = view.case_name(report)
    for gate in report["gates"]:
        _gate(xml.SubElement(suite, "testcase", classname=class_name, name=human.clean(gate["id"])), gate)
    _score(xml.SubElement(suite, "testcase", classname=class_name, name="score"), report)
    _output(suite, report)
    _count(suites, suite)
    xml.indent(suites)
    return _HEAD + xml.tostring(suites, encoding="unicode") + "\n"


def many(reports: Iterable[Mapping[str, Any]], summary: Summary | Mapping[str, Any]) -> Iterator[str]:
    """A suite with a test case for each report. Its counts stand first, so the cases are kept until the last is in."""
    cases = [_case(report) for report in reports]
    found = plain(summary)
    name = _suite_name(found) if found["rubric"] else "no cases"
    suite = xml.Element("testsuite", name=name)
    outcomes = found["outcomes"]
    counts = (found["count"], outcomes["fail"] + outcomes["inconclusive"], outcomes["error"])
    suite.attrib |= dict(zip(("tests", "failures", "errors"), map(str, counts), strict=True))
    opening, closing = xml.tostring(suite, encoding="unicode", short_empty_elements=False).split("></")
    yield f"{_HEAD}<testsuites>\n{opening}>\n"
    yield from cases
    yield f"</{closing}\n</testsuites>\n"


def summary(summary: Summary | Mapping[str, Any]) -> str:
    """A suite that only has its counts."""
    return "".join(many((), summary))


def _suite_name(report: Mapping[str, Any]) -> str:
    return view.title(report).replace(" ", "-")


# ---------------------------------------------------------------- elements


def _properties(parent: xml.Element, report: Mapping[str, Any]) -> None:
    """The score, the metrics and the values."""
    found = {"outcome": report["outcome"], "rubric.sha256": report["rubric"]["sha256"], "engine": report["engine"]}
    numbers = {"score": report["score"]}
    numbers |= {f"metrics.{id}": metric["value"] for id, metric in report["metrics"].items()}
    numbers |= {f"values.{name}": value for name, value in report["values"].items()}
    properties = xml.SubElement(parent, "properties")
    for name, text in {**found, **{name: encode(value) for name, value in numbers.items()}}.items():
        xml.SubElement(properties, "property", name=human.clean(name), value=human.clean(text))


def _gate(case: xml.Element, gate: Mapping[str, Any]) -> None:
    state, reason = view.gate_state(gate), view.gate_reason(gate)
    if state == "unreached":
        xml.SubElement(case, "skipped", message=reason)
    elif state != "held":
        xml.SubElement(case, "failure", type="gate" if state == "failed" else state, message=reason)


def _score(case: xml.Element, report: Mapping[str, Any]) -> None:
    """An error, or a failure that no gate accounts for."""
    if "error" in report:
        _error(case, report)
    elif report["outcome"] != "pass" and not view.reason(report):
        xml.SubElement(case, "failure", type=report["outcome"], message=f"score {human.number(report['score'])}")


def _error(case: xml.Element, report: Mapping[str, Any]) -> None:
    error = report["error"]
    xml.SubElement(case, "error", type=human.clean(error["kind"]), message=human.clean(error["message"]))


def _case(report: Mapping[str, Any]) -> str:
    """The element of one case among many."""
    case = xml.Element("testcase", classname=_suite_name(report), name=view.case_name(report))
    _properties(case, report)
    if "error" in report:
        _error(case, report)
    elif report["outcome"] != "pass":
        reason = view.reason(report) or f"score {human.number(report['score'])}"
        failure = xml.SubElement(case, "failure", type=report["outcome"], message=reason)
        failing = [gate for gate in report["gates"] if view.gate_state(gate) in ("failed", "inconclusive")]
        failure.text = "\n".join(f"{human.clean(gate['id'])}: {view.gate_reason(gate)}" for gate in failing)
    _output(case, report)
    xml.indent(case)
    return xml.tostring(case, encoding="unicode") + "\n"


def _output(parent: xml.Element, report: Mapping[str, Any]) -> None:
    """The diagnostics and warnings."""
    lines = [f"{place}: {reason}" if place else reason for place, reason in map(view.diagnosis, report["diagnostics"])]
    lines += [f"{human.clean(each['id'])}: {human.clean(each['message'])}" for each in report.get("warnings", ())]
    if lines:
        xml.SubElement(parent, "system-out").text = "\n".join(lines)


def _count(*elements: xml.Element) -> None:
    last = elements[-1]
    counts = {
        "tests": len(last.findall("testcase")),
        "failures": len(last.findall("testcase/failure")),
        "errors": len(last.findall("testcase/error")),
        "skipped": len(last.findall("testcase/skipped")),
    }
    for element in elements:
        element.attrib |= {name: str(count) for name, count in counts.items()}
