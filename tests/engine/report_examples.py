"""Reports made by hand, and readers of what reporters make of them."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from rubric.engine.reporters import REPORTERS
from rubric.engine.reporters.summary import summarize

EXPECTED = Path(__file__).parents[1] / "reporters"
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
