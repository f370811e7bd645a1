"""Packages for blind review: what they hold, what they hide, and what is refused. Expected values by hand."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.primitives.faults import ArgumentFault
from rubric.primitives.review import package

FORM: dict[str, Any] = {
    "keep": ["system", "note"],
    "clip": "film",
    "source": "from",
    "interval": "part",
    "experiment": {"schemaVersion": 1, "about": None},
    "documents": {"all_scores": [1]},
    "verdicts": {
        "yes": {"label": "Yes", "defects": False, "repair": "zero"},
        "no": {"label": "No", "defects": True, "repair": "none"},
    },
    "defects": {"loud": "Too loud"},
    "dimensions": {"look": "Look", "sound": "Sound"},
    "required": ["look"],
    "scale": [1, 3],
    "seed": "s",
}


def medium(name: str) -> dict[str, Any]:
    return {"path": f"/secret/{name}", "name": name, "extension": ".mp4", "bytes": 3, "sha256": name * 4}


def row(system: str, film: str | None = None, **more: Any) -> dict[str, Any]:
    return {"system": system, "note": None, "film": medium(film) if film else None, "from": None, "part": None, **more}


def plan(made: dict[str, Any]) -> dict[str, Any]:
    text = made["review.html"]["text"]
    return json.loads(re.search(r'id="package">(.*?)</script>', text, re.DOTALL)[1])


ROWS = [row("a", "x"), row("b"), row("b", "y", **{"from": medium("whole"), "part": {"start": 1, "end": 2.5}}, note="n")]


def test_the_ledger_has_every_row_and_no_null() -> None:
    made = package(ROWS, **FORM)
    index = made["review-index.json"]["json"]
    first, second, third = index["slots"]
    assert set(index) == {"schemaVersion", "experimentId", "slots"}
    assert first == {"id": first["id"], "system": "a", "file": f"{first['id']}.mp4", "sha256": "xxxx"}
    assert second == {"id": second["id"], "system": "b"}
    assert third["note"] == "n"
    assert made[first["file"]] == {"file": "/secret/x", "sha256": "xxxx"}
    assert made["all-scores.json"] == {"json": [1]}
    key = made["private-key.json"]["json"]
    assert [entry["label"] for entry in key] == ["Video 1", "Video 2"]
    assert {entry["source"] for entry in key} == {"x", "y"}


def test_the_page_knows_files_and_parts_alone() -> None:
    made = package(ROWS, **FORM)
    shown = {clip["file"]: clip["source"] for clip in plan(made)["clips"]}
    first, _, third = made["review-index.json"]["json"]["slots"]
    assert shown[first["file"]] is None
    assert shown[third["file"]]["interval"] == [1, 2.5]
    assert made[shown[third["file"]]["file"]] == {"file": "/secret/whole", "sha256": "whole" * 4}
    assert [clip["id"] for clip in plan(made)["clips"]] == sorted(clip["id"] for clip in plan(made)["clips"])
    assert [d["required"] for d in plan(made)["dimensions"]] == [True, False]


def test_two_clips_of_one_source_share_its_copy() -> None:
    rows = [row("a", name, **{"from": medium("whole")}) for name in ("x", "y")]
    assert len([name for name in package(rows, **FORM) if name.startswith("source-")]) == 1


def test_names_without_a_seed_are_new_each_time() -> None:
    unseeded = FORM | {"seed": None}
    names = [slot["id"] for _ in range(3) for slot in package(ROWS, **unseeded)["review-index.json"]["json"]["slots"]]
    assert len(set(names)) == 9
    assert all(re.fullmatch("[0-9a-f]{32}", name) for name in names)


def test_names_with_a_seed_depend_on_it_and_on_the_content() -> None:
    assert package(ROWS, **FORM) == package(ROWS, **FORM)
    others = [package(ROWS[:2], **FORM), package(ROWS, **(FORM | {"seed": "t"})), package(ROWS, **FORM)]
    assert len({made["review-index.json"]["json"]["experimentId"] for made in others}) == 3


def test_names_with_a_seed_do_not_depend_on_where_the_files_lie() -> None:
    moved = json.loads(json.dumps(ROWS).replace("/secret/", "/elsewhere/"))
    assert sorted(package(ROWS, **FORM)) == sorted(package(moved, **FORM))


@given(st.text(max_size=30))
def test_no_text_breaks_out_of_the_page(text: str) -> None:
    label = f"{text}</script><script>alert(1)</script><!-- {{style}} &amp;"
    made = package(ROWS, **(FORM | {"defects": {"d": label}}))
    assert plan(made)["defects"] == [{"id": "d", "label": label}]
    assert made["review.html"]["text"].count("</script>") == 2


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        ({"scale": [1]}, "scale"),
        ({"scale": [3, 1]}, "scale"),
        ({"scale": [0.5, 2]}, "scale"),
        ({"scale": [1, 20]}, "scale"),
        ({"required": ["taste"]}, "required"),
        ({"verdicts": {"yes": "Yes"}}, "verdicts"),
        ({"verdicts": {"yes": {"label": "Yes", "defects": False, "repair": "some"}}}, "verdicts"),
        ({"verdicts": {"yes": {"label": "Yes", "defects": 0, "repair": "any"}}}, "verdicts"),
        ({"slots": [row("a", film=None) | {"film": "x.mp4"}]}, "clip"),
        ({"slots": [row("a") | {"film": {"path": "x", "sha256": None}}]}, "clip"),
        ({"slots": [row("a") | {"from": "whole.mp4"}]}, "source"),
        ({"slots": [5]}, "slots"),
    ],
)
def test_refused(change: dict[str, Any], argument: str) -> None:
    with pytest.raises(ArgumentFault) as raised:
        package(**({"slots": ROWS} | FORM | change))
    assert raised.value.argument == argument
