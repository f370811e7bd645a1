"""The page of a report and its waterfall: whole, self-contained, readable aloud."""

import re

import pytest
from report_examples import ALL, EXPECTED, Page, broken, passed, report, texts_of

from rubric.engine.reporters import REPORTERS, waterfall


def pages() -> list[str]:
    return [found for format, found in texts_of(ALL) if format == "html"]


def test_pages_are_well_formed_and_need_nothing_else() -> None:
    for source in pages():
        page = Page(source)
        assert not {"script", "link", "img", "iframe", "object", "a", "use", "image"} & {tag for tag, _ in page.tags}
        assert not re.search(r"https?:|//|url\(|@import|\bon[a-z]+=", source.replace("<!doctype", ""))
        assert not {name for _, attributes in page.tags for name in attributes} & {"src", "href", "style"}
        assert "prefers-color-scheme: dark" in source
        assert "color-scheme: light dark" in source


def test_pages_can_be_read_aloud() -> None:
    page = Page(REPORTERS["html"].one(report()))
    assert ("html", {"lang": "en"}) in page.tags
    drawing = dict(page.tags)["svg"]
    assert drawing["role"] == "img"
    assert drawing["aria-labelledby"] == "waterfall-title waterfall-text"
    names = [attributes.get("id") for _, attributes in page.tags]
    assert "waterfall-title" in names
    assert "waterfall-text" in names
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
