"""What no report, however hostile, does to whoever reads it."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from report_examples import RUBRIC, Page, report, texts_of

from rubric.engine.reporters import REPORTERS
from rubric.engine.reporters.summary import summarize

SCHEMA = Path(__file__).parents[2] / "schemas" / "report.schema.json"
HOSTILE = [
    "</style></script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]></failure><!-- & &amp; &#0;",
    "\x00\x08\x0b\x1b]0;title\x07\x7f\x85\u2028\u202e\ufeff\ufffe\uffff",
    "\ud800 \udfff half",
    "``` ` | [a](http://x.test) ![i](b) <b> @all #1 www.x.test",
    "# no\n- list\r\n| a | b |\n|---|---|\n",
    "::error file=x::y%0A",
    "\\",
]
anything = st.sampled_from(HOSTILE) | st.text(st.characters(exclude_categories=[]), min_size=1, max_size=20)
numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6)


@st.composite
def hostile_reports(draw: Callable[[Any], Any]) -> dict[str, Any]:
    metric = {"value": draw(numbers), "weight": 0.5, "of": draw(st.sampled_from(["quality", "total"]))}
    gate = {"id": draw(anything), "held": draw(st.sampled_from([True, False, None])), "because": draw(anything)}
    gate |= {"members": [draw(anything)], "otherwise": draw(st.integers(0, 1))} if draw(st.booleans()) else {}
    return report(
        rubric={**RUBRIC, "name": draw(anything), "version": draw(anything)},
        engine=draw(anything),
        case=draw(st.none() | anything),
        score=draw(numbers),
        metrics={draw(anything): metric, draw(anything): {"value": draw(numbers), draw(anything): draw(anything)}},
        values={"quality": draw(numbers), "total": draw(numbers), draw(anything): {draw(anything): [draw(anything)]}},
        gates=[gate],
        caps=[{"id": draw(anything), "on": "total", "applied": draw(st.booleans()), "at_most": draw(numbers)}],
        diagnostics=[{"input": draw(st.none() | anything), "path": draw(anything), "reason": draw(anything)}],
        warnings=[{"id": draw(anything), "message": draw(anything)}],
    )


def hostile_error(report: Mapping[str, Any], message: str) -> dict[str, Any]:
    return {**report, "outcome": "error", "score": None, "error": {"kind": message, "message": message}}


HTML = {"html", "head", "meta", "title", "style", "body", "main", "header", "section", "footer", "div", "span", "small"}
HTML |= {"h1", "h2", "p", "br", "strong", "code", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
HTML |= {"svg", "desc", "g", "line", "rect", "text"}


@settings(max_examples=60, deadline=None)
@given(hostile_reports(), anything)
def test_no_report_becomes_markup(found: dict[str, Any], message: str) -> None:
    reports = [found, hostile_error(found, message)]
    for format, source in texts_of(reports):
        source.encode("utf-8")
        if format == "html":
            assert {tag for tag, _ in Page(source).tags} <= HTML
        elif format == "junit":
            ElementTree.fromstring(source)
        elif format in ("text", "markdown"):
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\ud800-\udfff]", source)


MARKDOWN = {"h1", "h2", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "strong"}


@settings(max_examples=60, deadline=None)
@given(hostile_reports(), anything)
def test_no_report_becomes_markdown(found: dict[str, Any], message: str) -> None:
    """Rendered by an independent implementation, with raw HTML allowed, there is only what the template has."""
    render = MarkdownIt("commonmark", {"html": True}).enable("table").render
    for format, source in texts_of([found, hostile_error(found, message)]):
        if format == "markdown":
            page = Page(render(source))
            assert {tag for tag, _ in page.tags} <= MARKDOWN
            cells = [len(re.findall("<t[hd]", row)) for row in render(source).split("<tr>")[1:]]
            assert 0 not in cells


def test_a_stranger_moves_no_cell() -> None:
    hostile = report(
        case="a | b", metrics={"a|b": {"value": 1}}, gates=[{"id": "g", "held": False, "because": "x | `y"}]
    )
    source = "".join(REPORTERS["markdown"].many([hostile], summarize([hostile])))
    assert "| `a \\x7c b` | fail | 0 | ``g: x \\x7c `y`` |" in source


@settings(max_examples=30, deadline=None)
@given(hostile_reports())
def test_hostile_reports_are_valid(found: dict[str, Any]) -> None:
    """So that what is shown above to be harmless is what a report can hold."""
    Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(found)
