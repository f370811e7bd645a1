"""Reports in every format: exact texts of reports made by hand, and what no report, however hostile, can do to a reader."""

import copy
import json
import math
import re
import statistics
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt
from rubric.engine import json_text
from rubric.engine.findings import Finding, Position
from rubric.engine.loading import load_text
from rubric.engine.reporters import REPORTERS, findings, human, text, view, waterfall
from rubric.engine.reporters.summary import Summary, summarize

ROOT = Path(__file__).parents[2]
EXPECTED = ROOT / "tests" / "reporters"
SCHEMA = Draft202012Validator(json.loads((ROOT / "schemas" / "report.schema.json").read_text(encoding="utf-8")))
RUBRIC = {"name": "demo", "version": "1.2", "sha256": "0123456789abcdef" * 4}


def report(**changes: Any) -> dict[str, Any]:
    """A report with something of everything; the numbers agree with each other."""
    return {
        "report": 1,
        "rubric": RUBRIC,
        "engine": "0.1.0",
        "case": "c1",
        "outcome": "fail",
        "score": 0,
        "metrics": {
            "events": {"value": 0.8, "weight": 0.5, "of": "quality"},
            "delay": {"value": 0.9, "weight": 0.5, "of": "quality", "measured": 4.0},
            "recall": {"value": 1 / 3, "lower": 0.25, "upper": 0.5},
        },
        "values": {"quality": 0.75, "total": 0.6, "counts": {"tp": 3, "fp": 0}, "map": "platt"},
        "gates": [
            {"id": "ids_present", "held": True, "because": "there is none", "stage": "cheap"},
            {
                "id": "floor[a]",
                "held": False,
                "because": "0.6 is not at least 0.65",
                "stage": "cheap",
                "value": 0.6,
                "at_least": 0.65,
                "margin": -0.05,
                "otherwise": 0,
            },
            {"id": "lower", "held": None, "because": "0.5 to 0.7 straddles the limit 0.6", "stage": "cheap"},
            {"id": "decodes", "held": None, "because": "not reached: an earlier gate did not hold", "reached": False},
        ],
        "caps": [
            {"id": "slow", "on": "quality", "applied": True, "at_most": 0.75, "because": "too slow"},
            {"id": "weak", "on": "total", "applied": False, "at_most": 0.25},
        ],
        "diagnostics": [
            {"input": "prediction", "path": "events[3]", "reason": "'t' is -1, number >= 0 was expected"},
            {"input": None, "path": "", "reason": "<b>|`\x1b[31m"},
        ],
        "warnings": [{"id": "few", "message": "only 3 rows"}],
        "nodes": [
            {"id": "total", "kind": "score", "value": 0.6, "formula": "quality * 0.8", "at": "d.yaml:9:3", "uses": []}
        ],
        **changes,
    }


def passed(**changes: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"gates": [], "caps": [], "diagnostics": [], "warnings": []}
    found = report(**{**nothing, "outcome": "pass", "score": 0.6, "case": "c2", **changes})
    return {name: value for name, value in found.items() if name != "nodes"}


def broken(**changes: Any) -> dict[str, Any]:
    error = {"kind": "reference", "message": "input 'truth': t.json does not exist"}
    return passed(outcome="error", score=None, metrics={}, values={}, case="c3", error=error, **changes)


def texts_of(reports: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Every text that every format makes of these reports."""
    for format, reporter in REPORTERS.items():
        for each in reports:
            yield format, reporter.one(each)
        yield format, "".join(reporter.many(iter(reports), summarize(reports)))
        yield format, reporter.summary(summarize(reports))


ALL = [report(), passed(), broken()]


def test_the_formats() -> None:
    assert list(REPORTERS) == ["text", "json", "jsonl", "markdown", "html", "junit"]
    assert len(REPORTERS) == 6
    with pytest.raises(KeyError):
        REPORTERS["pdf"]


def test_every_text_ends_with_one_newline_and_is_the_same_twice() -> None:
    for (format, once), (_, again) in zip(texts_of(ALL), texts_of(copy.deepcopy(ALL)), strict=True):
        assert once == again, format
        assert once.endswith("\n") and not once.endswith("\n\n"), format


def test_a_report_reads_the_same_from_a_file() -> None:
    stored = [json.loads(json_text.encode(each)) for each in ALL]
    assert list(texts_of(stored)) == list(texts_of(ALL))


# ---------------------------------------------------------------- text


def test_text() -> None:
    assert REPORTERS["text"].one(report()) == EXPECTED.joinpath("report.txt").read_text(encoding="utf-8")


def test_text_of_a_case_that_passes() -> None:
    assert REPORTERS["text"].one(passed(case=None, metrics={}, values={"n": 12345678.9}, score=None)) == (
        "PASS  demo 1.2\n\nvalues\n  n  12345679\n"
    )


def test_text_of_an_error_keeps_its_lines() -> None:
    error = {"kind": "operator", "message": "it fails\nat \x07 once"}
    assert REPORTERS["text"].one({**broken(), "error": error}) == (
        "ERROR  demo 1.2, c3\n  operator: it fails\n  at \\x07 once\n"
    )


def test_text_in_ascii() -> None:
    found = text.one(report(case="d\N{LATIN SMALL LETTER E WITH ACUTE}"), ascii=True)
    assert found.isascii()
    assert "x floor[a]" in found and "0.8       x 0.5" not in found and "0.8  x 0.5" in found
    assert "demo 1.2, d\\xe9" in found


def test_color_is_only_paint() -> None:
    colored = REPORTERS["text"].one(report(), color=True)
    assert "\x1b[1;31mFAIL\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]+m", "", colored) == REPORTERS["text"].one(report())


def test_long_lists_are_cut() -> None:
    many = [{"input": "p", "path": f"rows[{n}]", "reason": "is null"} for n in range(25)]
    found = REPORTERS["text"].one(passed(diagnostics=many))
    assert "p rows[9]: is null\n  ... and 15 more diagnostics\n" in found
    assert "- p rows[9]: is null\n- and 15 more diagnostics\n" in REPORTERS["markdown"].one(passed(diagnostics=many))
    page = REPORTERS["html"].one(passed(diagnostics=many * 50))
    assert page.count("is null") == 1000 and "And 250 more" in page
    wide = {f"v{n}": n for n in range(50)}
    assert "... and 10 more lines" in REPORTERS["text"].one(passed(values=wide, metrics={}))


def test_large_records_are_opened() -> None:
    by_source = {f"camera-{n}": {"count": n, "recall": n / 3} for n in range(8)}
    found = REPORTERS["text"].one(passed(values={"by_source": by_source}, metrics={}))
    assert "  by_source\n    camera-0  {count: 0, recall: 0}\n    camera-1  {count: 1, recall: 0.333333}\n" in found
    assert "- by_source.camera-1: `{count: 1, recall: 0.333333}`\n" in REPORTERS["markdown"].one(
        passed(values={"by_source": by_source}, metrics={})
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (3, "3"),
        (29900.0, "29900"),
        (1 / 3, "0.333333"),
        (-0.0, "0"),
        (1234567.8, "1234568"),
        (1e20, "1e+20"),
        (1e-7, "1e-07"),
        ("a\n", '"a\\n"'),
        ([1, "x", None], '[1, "x", null]'),
        ({"tp": 1, "rate": 0.5}, "{tp: 1, rate: 0.5}"),
        (list(range(1000)), str(list(range(1000)))[:160] + "..."),
    ],
)
def test_values_for_people(value: Any, shown: str) -> None:
    assert human.value(value) == shown


# ---------------------------------------------------------------- Markdown, JSON, JUnit


def test_markdown() -> None:
    assert REPORTERS["markdown"].one(report()) == EXPECTED.joinpath("report.md").read_text(encoding="utf-8")


def test_json_is_exact() -> None:
    found = REPORTERS["json"].one(report())
    assert json.loads(found) == report()
    assert list(json.loads(found)) == list(report())
    assert found.startswith('{\n  "report": 1,\n  "rubric": {\n    "name": "demo",')
    assert '"value": 0.3333333333333333,' in found


def test_json_lines_is_one_line() -> None:
    found = REPORTERS["jsonl"].one(report())
    assert found.count("\n") == 1
    assert json.loads(found) == report()


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_json_refuses_nan(format: str) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        REPORTERS[format].one(report(score=math.nan))


def test_junit() -> None:
    assert REPORTERS["junit"].one(report()) == EXPECTED.joinpath("report.xml").read_text(encoding="utf-8")


def test_junit_of_an_error() -> None:
    (suite,) = ElementTree.fromstring(REPORTERS["junit"].one(broken()))
    assert suite.attrib == {"name": "demo-1.2", "tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    error = suite.find("testcase/error")
    assert error is not None
    assert error.attrib == {"type": "reference", "message": "input 'truth': t.json does not exist"}


def test_junit_of_a_score_that_is_null() -> None:
    (suite,) = ElementTree.fromstring(REPORTERS["junit"].one(passed(outcome="inconclusive", score=None)))
    failure = suite.find("testcase[@name='score']/failure")
    assert failure is not None
    assert failure.attrib == {"type": "inconclusive", "message": "score null"}


# ---------------------------------------------------------------- many cases


@pytest.mark.parametrize("format", ["text", "markdown", "junit"])
def test_many(format: str) -> None:
    suffix = {"text": "txt", "markdown": "md", "junit": "xml"}[format]
    found = "".join(REPORTERS[format].many(ALL, summarize(ALL)))
    assert found == EXPECTED.joinpath(f"many.{suffix}").read_text(encoding="utf-8")


def test_json_of_many_is_one_document() -> None:
    for reports in (ALL, ALL[:1], []):
        whole = {"reports": reports, "summary": summarize(reports)}
        found = "".join(REPORTERS["json"].many(iter(reports), summarize(reports)))
        assert found == json_text.encode(whole, indent=2) + "\n"


def test_json_lines_of_many_streams() -> None:
    endless = iter(lambda: passed(), None)
    assert json.loads(next(REPORTERS["jsonl"].many(endless, {}))) == passed()


@pytest.mark.parametrize("format", list(REPORTERS))
def test_the_summary_may_be_filled_by_the_reports(format: str) -> None:
    summary = Summary()

    def counted() -> Iterator[dict[str, Any]]:
        for each in ALL:
            summary.add(each)
            yield each

    found = "".join(REPORTERS[format].many(counted(), summary))
    assert found == "".join(REPORTERS[format].many(ALL, summarize(ALL)))
    assert REPORTERS[format].summary(summary) == REPORTERS[format].summary(summarize(ALL))


def test_no_cases() -> None:
    for format, found in texts_of([]):
        assert format in ("jsonl", "json") or "ases" in found


# ---------------------------------------------------------------- the summary


def test_summary() -> None:
    low = passed(score=0.2, metrics={"events": {"value": None}, "recall": {"value": 1}})
    assert summarize([report(), low, broken(), passed()]) == {
        "rubric": RUBRIC,
        "engine": "0.1.0",
        "count": 4,
        "outcomes": {"pass": 2, "fail": 1, "inconclusive": 0, "error": 1},
        "score": {
            "scored": 3,
            "null": 0,
            "errors": 1,
            "mean_of_scored": math.fsum([0, 0.2, 0.6]) / 3,
            "mean_unscored_as_zero": 0.2,
            "median_of_scored": 0.2,
            "min_of_scored": 0.0,
            "max_of_scored": 0.6,
        },
        "metrics": {
            "events": {
                "scored": 2,
                "null": 1,
                "errors": 1,
                "mean_of_scored": 0.8,
                "mean_unscored_as_zero": 0.4,
                "median_of_scored": 0.8,
                "min_of_scored": 0.8,
                "max_of_scored": 0.8,
            },
            "delay": {
                "scored": 2,
                "null": 1,
                "errors": 1,
                "mean_of_scored": 0.9,
                "mean_unscored_as_zero": 0.45,
                "median_of_scored": 0.9,
                "min_of_scored": 0.9,
                "max_of_scored": 0.9,
            },
            "recall": {
                "scored": 3,
                "null": 0,
                "errors": 1,
                "mean_of_scored": math.fsum([1 / 3, 1, 1 / 3]) / 3,
                "mean_unscored_as_zero": math.fsum([1 / 3, 1, 1 / 3]) / 4,
                "median_of_scored": 1 / 3,
                "min_of_scored": 1 / 3,
                "max_of_scored": 1.0,
            },
        },
        "gates": [
            {"id": "floor", "failed": 1, "inconclusive": 0, "unreached": 0, "held": 0},
            {"id": "ids_present", "failed": 0, "inconclusive": 0, "unreached": 0, "held": 1},
            {"id": "lower", "failed": 0, "inconclusive": 1, "unreached": 0, "held": 0},
            {"id": "decodes", "failed": 0, "inconclusive": 0, "unreached": 1, "held": 0},
        ],
        "errors": {"reference": 1},
    }


def test_a_gate_with_members_counts_once_a_case() -> None:
    members = [{"id": f"floor[{n}]", "held": n != 1, "because": ""} for n in range(3)]
    found = summarize([report(gates=members), report(gates=members[:1])])
    assert found["gates"] == [{"id": "floor", "failed": 1, "inconclusive": 0, "unreached": 0, "held": 1}]


def test_a_rubric_without_score_has_no_mean_score() -> None:
    assert summarize([passed(score=None), broken()])["score"] is None
    assert summarize([broken()])["score"]["mean_unscored_as_zero"] == 0.0
    assert summarize([passed(score=None), passed(score=1)])["score"]["mean_unscored_as_zero"] == 0.5


@given(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_the_figures_are_those_of_the_library(scores: list[float | None]) -> None:
    """Median, minimum and maximum as `statistics` has them; every case is in the denominator."""
    found = summarize([passed(score=score) for score in scores] + [broken()])["score"]
    scored = [score for score in scores if score is not None]
    if not scored:
        assert found is None
        return
    assert found["scored"] + found["null"] + found["errors"] == len(scores) + 1
    assert found["min_of_scored"] == min(scored)
    assert found["max_of_scored"] == max(scored)
    halves = [score / 2 for score in scored]
    assert found["median_of_scored"] / 2 == pytest.approx(statistics.median(halves), rel=1e-15, abs=1e-300)
    exact = float(sum(map(Fraction, scored)) / len(scored))
    assert found["mean_of_scored"] == pytest.approx(exact, rel=1e-12, abs=1e-300)


# ---------------------------------------------------------------- HTML and the waterfall


class Page(HTMLParser):
    """The elements of a page, every one closed where it must be."""

    VOID = frozenset({"meta", "br", "rect", "line"})

    def __init__(self, source: str):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def count(self, tag: str) -> int:
        return [name for name, _ in self.tags].count(tag)


def pages() -> list[str]:
    return [found for format, found in texts_of(ALL) if format == "html"]


def test_pages_are_well_formed_and_need_nothing_else() -> None:
    for source in pages():
        page = Page(source)
        assert not {"script", "link", "img", "iframe", "object", "a", "use", "image"} & {tag for tag, _ in page.tags}
        assert not re.search(r"https?:|//|url\(|@import|\bon[a-z]+=", source.replace("<!doctype", ""))
        assert not {name for _, attributes in page.tags for name in attributes} & {"src", "href", "style"}
        assert "prefers-color-scheme: dark" in source and "color-scheme: light dark" in source


def test_pages_can_be_read_aloud() -> None:
    page = Page(REPORTERS["html"].one(report()))
    assert ("html", {"lang": "en"}) in page.tags
    drawing = dict(page.tags)["svg"]
    assert drawing["role"] == "img" and drawing["aria-labelledby"] == "waterfall-title waterfall-text"
    names = [attributes.get("id") for _, attributes in page.tags]
    assert "waterfall-title" in names and "waterfall-text" in names
    assert all(attributes["scope"] in ("col", "row") for tag, attributes in page.tags if tag == "th")
    assert page.count("tr") == sum(attributes.get("scope") == "row" for _, attributes in page.tags) + page.count(
        "thead"
    )


def test_the_steps_of_the_waterfall() -> None:
    bars = [(bar.label, bar.kind, bar.start, bar.end, bar.note, bar.possible) for bar in waterfall.bars(report())]
    assert bars == [
        ("events", "part", 0.0, 0.4, "0.8 × 0.5 = 0.4", 0.5),
        ("delay", "part", 0.4, 0.8500000000000001, "0.9 × 0.5 = 0.45", 0.9),
        ("cap slow", "loss", 0.8500000000000001, 0.75, "−0.1", None),
        ("quality", "total", 0, 0.75, "0.75", None),
        ("total", "total", 0, 0.6, "0.6", None),
        ("gate floor[a]", "loss", 0.6, 0, "−0.6", None),
        ("score", "score", 0, 0, "0", None),
    ]


def test_the_waterfall_itself() -> None:
    assert waterfall.waterfall(report()) + "\n" == EXPECTED.joinpath("waterfall.svg").read_text(encoding="utf-8")


def test_a_null_metric_leaves_its_place_empty() -> None:
    metrics = {"a": {"value": None, "weight": 0.5, "of": "q"}, "b": {"value": 1, "weight": 0.5, "of": "q"}}
    bars = waterfall.bars(passed(outcome="inconclusive", score=None, metrics=metrics, values={"q": None}))
    assert [(bar.label, bar.start, bar.end, bar.possible) for bar in bars] == [
        ("a", 0.0, None, 0.5),
        ("b", 0.0, 0.5, 0.5),
        ("q", 0, None, None),
        ("score", 0, None, None),
    ]


def test_nothing_to_draw() -> None:
    assert waterfall.waterfall(broken()) == ""
    assert "svg" not in REPORTERS["html"].one(broken())


@pytest.mark.parametrize("score", [-3.5, 0, 1.0000000000000002, 87, 1e300, 1e308, -1e308, 5e-324])
def test_any_score_has_an_axis(score: float) -> None:
    drawn = waterfall.waterfall(passed(score=score, metrics={}, values={}))
    numbers = [float(found) for found in re.findall(r' (?:x|x1|x2|width)="([^"]*)"', drawn)]
    assert all(0 <= number <= waterfall.WIDTH for number in numbers)
    assert 2 <= drawn.count('class="tick"') <= 9


# ---------------------------------------------------------------- hostile texts

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


@settings(max_examples=60, deadline=None)
@given(hostile_reports(), anything)
def test_no_report_becomes_markup(found: dict[str, Any], message: str) -> None:
    reports = [found, hostile_error(found, message)]
    for format, source in texts_of(reports):
        source.encode("utf-8")
        if format == "html":
            Page(source)
            assert not re.search(r"<(script|img|b>|!--)", source)
        elif format == "junit":
            ElementTree.fromstring(source)
        elif format in ("text", "markdown"):
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e\ud800-\udfff]", source)


MARKUP = {"h1", "h2", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "code", "strong"}


@settings(max_examples=60, deadline=None)
@given(hostile_reports(), anything)
def test_no_report_becomes_markdown(found: dict[str, Any], message: str) -> None:
    """Rendered by an independent implementation, with raw HTML allowed, there is only what the template has."""
    render = MarkdownIt("commonmark", {"html": True}).enable("table").render
    for format, source in texts_of([found, hostile_error(found, message)]):
        if format == "markdown":
            page = Page(render(source))
            assert {tag for tag, _ in page.tags} <= MARKUP
            cells = [len(re.findall("<t[hd]", row)) for row in render(source).split("<tr>")[1:]]
            assert 0 not in cells


def test_a_stranger_moves_no_cell() -> None:
    hostile = report(
        case="a | b", metrics={"a|b": {"value": 1}}, gates=[{"id": "g", "held": False, "because": "x | `y"}]
    )
    source = "".join(REPORTERS["markdown"].many([hostile], summarize([hostile])))
    assert "| `a \\x7c b` | fail | 0 | ``g: x \\x7c `y`` |" in source


# ---------------------------------------------------------------- findings

FINDINGS = [
    Finding(
        "unknown-key",
        "there is no key 'wieght'",
        Position("rubrics/a b.yaml", 3, 5),
        "did you mean 'weight'?",
        node="metrics.events",
        line_text="    wieght: 1",
    ),
    Finding("dead-gate", "100% of cases, at least:\nall", severity="warning"),
]


def test_findings_as_text() -> None:
    assert findings.render(FINDINGS, ["a", "b"], "text") == (
        "rubrics/a b.yaml:3:5: error: there is no key 'wieght' [unknown-key]\n"
        "        wieght: 1\n"
        "        ^\n"
        "    hint: did you mean 'weight'?\n"
        "\n"
        "warning: 100% of cases, at least:\nall [dead-gate]\n"
        "\n"
        "1 error, 1 warning in 2 rubrics\n"
    )
    assert findings.render([], ["a"], "text") == "1 rubric checked, nothing found\n"


def test_findings_in_color() -> None:
    colored = findings.render(FINDINGS, ["a"], "text", color=True)
    assert colored.startswith("rubrics/a b.yaml:3:5: \x1b[1;31merror\x1b[0m: there is")
    assert re.sub(r"\x1b\[[0-9;]+m", "", colored) == findings.render(FINDINGS, ["a"], "text")


def test_findings_obey_no_escape_sequence() -> None:
    hostile = Finding("x", "\x1b[2J\ud800", Position("a\x1b.yaml", 1, 1), line_text="\x9b1m")
    found = findings.render([hostile], ["a"], "text")
    assert "a\\x1b.yaml:1:1: error: \\x1b[2J\\ud800 [x]\n    \\x9b1m\n    ^\n" in found


def test_findings_as_json() -> None:
    found = json.loads(findings.render(FINDINGS, ["a"], "json"))
    assert found["errors"] == 1 and found["warnings"] == 1
    assert found["findings"][0] == {
        "id": "unknown-key",
        "severity": "error",
        "message": "there is no key 'wieght'",
        "hint": "did you mean 'weight'?",
        "node": "metrics.events",
        "file": "rubrics/a b.yaml",
        "line": 3,
        "column": 5,
    }
    assert found["findings"][1]["file"] is None


def test_findings_for_github() -> None:
    assert findings.render(FINDINGS, ["a"], "github") == (
        "::error file=rubrics/a b.yaml,line=3,col=5,title=unknown-key::there is no key 'wieght'%0Ahint: did you mean "
        "'weight'?\n"
        "::warning title=dead-gate::100%25 of cases, at least:%0Aall\n"
    )
    odd = Finding("x", "m", Position("a:b,c%.yaml", 1, 2))
    assert findings.render([odd], ["a"], "github") == "::error file=a%3Ab%2Cc%25.yaml,line=1,col=2,title=x::m\n"
    assert findings.render([], ["a"], "github") == ""


def test_findings_as_sarif() -> None:
    log = json.loads(findings.render(FINDINGS, ["a"], "sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["rules"]) == ("rubric", [{"id": "dead-gate"}, {"id": "unknown-key"}])
    assert run["results"] == [
        {
            "ruleId": "unknown-key",
            "ruleIndex": 1,
            "level": "error",
            "message": {"text": "there is no key 'wieght'\nhint: did you mean 'weight'?"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "rubrics/a%20b.yaml"},
                        "region": {"startLine": 3, "startColumn": 5},
                    },
                    "logicalLocations": [{"fullyQualifiedName": "metrics.events"}],
                }
            ],
        },
        {
            "ruleId": "dead-gate",
            "ruleIndex": 0,
            "level": "warning",
            "message": {"text": "100% of cases, at least:\nall"},
        },
    ]


# ---------------------------------------------------------------- the schema

DEMO = """\
rubric: demo
version: "1"
language: 1
inputs:
  truth: {from: reference, record: limits}
  entry: {from: candidate, record: answer}
records:
  limits: {fields: {limit: number}}
  answer: {fields: {a: number, b: number, items: list of string}}
metrics:
  curve: {value: entry.a, credit: {full: 4, zero: 0}}
  plain: entry.b
score:
  base:
    weighted: {curve: 0.75, plain: 0.25}
    caps:
      weak: {when: curve < 0.5, at_most: 0.1}
gates:
  cheap:
    empty: {none: entry.items}
  slow:
    floor: {value: base, at_least: truth.limit, otherwise: 0}
values: {count: count(entry.items)}
warnings:
  low: {when: entry.b < 0.2, say: b is low}
"""

CASES = {
    "pass": ({"a": 3, "b": 0.5, "items": []}, 0.4),
    "capped and failed": ({"a": 0, "b": 0.1, "items": []}, 0.4),
    "stage not reached": ({"a": 3, "b": 0.5, "items": ["x", "\ud800<b>"]}, 0.4),
    "malformed": ({"a": "z", "b": None}, 0.4),
    "error": ({"a": 3, "b": 0.5, "items": []}, "none"),
}


@pytest.fixture(scope="module")
def real_reports() -> dict[str, dict[str, Any]]:
    """Reports of the engine itself."""
    rubric = load_text(DEMO)
    return {name: rubric.run(entry=entry, truth={"limit": limit}).to_dict() for name, (entry, limit) in CASES.items()}


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)


def test_reports_of_the_engine_are_valid(real_reports: dict[str, dict[str, Any]]) -> None:
    assert [each["outcome"] for each in real_reports.values()] == ["pass", "fail", "fail", "fail", "error"]
    for name, each in real_reports.items():
        assert [error.message for error in SCHEMA.iter_errors(each)] == [], name
    assert list(texts_of(list(real_reports.values()))) == list(texts_of(list(real_reports.values())))


def test_reports_of_these_tests_are_valid() -> None:
    for each in (*ALL, passed(case=None), passed(score=None, outcome="inconclusive")):
        SCHEMA.validate(each)


@settings(max_examples=30, deadline=None)
@given(hostile_reports())
def test_hostile_reports_are_valid(found: dict[str, Any]) -> None:
    """So that what is shown above to be harmless is what a report can hold."""
    SCHEMA.validate(found)


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in report().items() if key != name}


REQUIRED = sorted(set(report()) - {"warnings", "nodes"})
MUTATIONS = {
    **{f"no {name}": without(name) for name in REQUIRED},
    "wrong outcome": report(outcome="passed"),
    "outcome null": report(outcome=None),
    "NaN score": report(score=math.nan),
    "infinite score": report(score=-math.inf),
    "boolean score": report(score=True),
    "text score": report(score="1"),
    "NaN metric": report(metrics={"a": {"value": math.nan}}),
    "NaN deep inside": report(values={"a": [{"b": math.inf}]}),
    "metric without value": report(metrics={"a": {"weight": 1, "of": "b"}}),
    "weight without group": report(metrics={"a": {"value": 1, "weight": 1}}),
    "held is a word": report(gates=[{"id": "a", "held": "yes", "because": ""}]),
    "not reached, yet held": report(gates=[{"id": "a", "held": True, "because": "", "reached": False}]),
    "limit without value": report(gates=[{"id": "a", "held": True, "because": "", "at_least": 1}]),
    "unknown key of a gate": report(gates=[{"id": "a", "held": True, "because": "", "atleast": 1}]),
    "cap without limit": report(caps=[{"id": "a", "on": "b", "applied": False}]),
    "diagnostic without path": report(diagnostics=[{"input": "a", "reason": "b"}]),
    "unknown key": report(time=1),
    "another format": report(report=2),
    "short hash": report(rubric={**RUBRIC, "sha256": "0123"}),
    "error without a reason": report(outcome="error", score=None),
    "error with a score": report(outcome="error", error={"kind": "a", "message": "b"}),
    "a reason without an error": report(error={"kind": "a", "message": "b"}),
    "no object": [],
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_mutations_are_refused(name: str) -> None:
    assert not SCHEMA.is_valid(MUTATIONS[name])


# ---------------------------------------------------------------- what a report says of its score


def test_the_replacing_gate_is_the_first_that_did_not_hold() -> None:
    def gate(id: str, held: bool | None, **more: Any) -> dict[str, Any]:
        return {"id": id, "held": held, "because": "", **more}

    gates = [
        gate("held", True, otherwise=0.1),
        gate("silent", False),
        gate("unreached", None, otherwise=0.2, reached=False),
        gate("straddling", None, otherwise=0.3),
        gate("later", False, otherwise=0.4),
    ]
    found = view.replacing_gate(report(gates=gates))
    assert found is not None and found["id"] == "straddling"
    assert view.replacing_gate(report(gates=gates[:3])) is None


def test_a_metric_with_fields_named_like_ours_is_no_part_of_a_score() -> None:
    odd = report(metrics={"m": {"value": 1, "of": "quality"}})
    assert [group.parts for group in view.groups(odd)] == [(), ()]
    assert list(view.loose_metrics(odd)) == ["m"]
