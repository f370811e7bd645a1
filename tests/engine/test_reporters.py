"""Reports in every format: exact texts of reports made by hand."""

import copy
import json
import math
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from report_examples import ALL, EXPECTED, broken, passed, report, texts_of

from rubric.engine import json_text
from rubric.engine.reporters import REPORTERS, human, text, view
from rubric.engine.reporters.summary import Summary, summarize


def test_the_formats() -> None:
    assert list(REPORTERS) == ["text", "json", "jsonl", "markdown", "html", "junit"]
    assert len(REPORTERS) == 6
    with pytest.raises(KeyError):
        REPORTERS["pdf"]


def test_every_text_ends_with_one_newline_and_is_the_same_twice() -> None:
    for (format, once), (_, again) in zip(texts_of(ALL), texts_of(copy.deepcopy(ALL)), strict=True):
        assert once == again, format
        assert once.removesuffix("\n") == once.rstrip("\n") != once, format


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
    assert "x floor[a]" in found
    assert "0.8       x 0.5" not in found
    assert "0.8  x 0.5" in found
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
    assert page.count("is null") == 1000
    assert "And 250 more" in page
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
    assert found is not None
    assert found["id"] == "straddling"
    assert view.replacing_gate(report(gates=gates[:3])) is None


def test_a_metric_with_fields_named_like_ours_is_no_part_of_a_score() -> None:
    odd = report(metrics={"m": {"value": 1, "of": "quality"}})
    assert [group.parts for group in view.groups(odd)] == [(), ()]
    assert list(view.loose_metrics(odd)) == ["m"]
