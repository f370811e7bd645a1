"""Cases for the rubrics of clip quality, with values made by an independent implementation."""

import copy
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from expected import differences

from rubric.engine import load
from rubric.engine.loading import LoadedRubric

FOLDER = Path(__file__).parent / "clips"
CASES = [
    json.loads(line)
    for file in ("sample.jsonl", "review.jsonl")
    for line in (FOLDER / file).read_text(encoding="utf-8").splitlines()
]


@pytest.fixture(scope="module")
def rubrics() -> dict[str, LoadedRubric]:
    return {name: load(name) for name in ("clip-sample-2", "clips-review-2")}


def run(rubric: LoadedRubric, inputs: dict) -> dict:
    return rubric.run_case(inputs, folder=FOLDER).to_dict()


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict, rubrics: dict[str, LoadedRubric]) -> None:
    report = run(rubrics[case["rubric"]], case["inputs"])
    assert report["outcome"] == case["expected"]["outcome"], report.get("error")
    assert list(differences(case["expected"].get("values", {}), report["values"])) == []


# ---------------------------------------------------------------- laws


def scored(rubric: str) -> list[dict]:
    return [case for case in CASES if case["rubric"] == rubric and case["expected"]["outcome"] == "pass"]


def shuffled(members: list, draw: random.Random) -> list:
    return draw.sample(members, len(members))


@pytest.mark.parametrize("case", scored("clips-review-2"), ids=lambda case: case["id"])
def test_no_order_of_cases_runs_slots_files_or_ratings_changes_a_figure(case, rubrics) -> None:
    draw, inputs = random.Random(case["id"]), copy.deepcopy(case["inputs"])
    for part in ("cases", "runs", "slots"):
        inputs["index"][part] = shuffled(inputs["index"][part], draw)
    inputs["submissions"] = shuffled(inputs["submissions"], draw)
    for ballot in inputs["submissions"]:
        ballot["ratings"] = shuffled(ballot["ratings"], draw)
    rubric = rubrics["clips-review-2"]
    assert run(rubric, inputs)["values"] == run(rubric, case["inputs"])["values"]


@pytest.mark.parametrize("case", scored("clip-sample-2"), ids=lambda case: case["id"])
def test_no_order_of_turns_shots_or_moments_changes_a_figure(case, rubrics) -> None:
    draw, inputs = random.Random(case["id"]), copy.deepcopy(case["inputs"])
    for side, part in (("reference", "speakers"), ("reference", "focus"), ("reference", "highlights")):
        if part in inputs[side]:
            inputs[side][part] = shuffled(inputs[side][part], draw)
    for part in ("speakers", "focus"):
        if part in inputs["prediction"]:
            inputs["prediction"][part] = shuffled(inputs["prediction"][part], draw)
    rubric = rubrics["clip-sample-2"]
    assert run(rubric, inputs)["values"] == run(rubric, case["inputs"])["values"]


@pytest.mark.parametrize("case", scored("clip-sample-2"), ids=lambda case: case["id"])
def test_returning_a_clip_twice_never_raises_recall(case, rubrics) -> None:
    rubric, inputs = rubrics["clip-sample-2"], copy.deepcopy(case["inputs"])
    before = run(rubric, inputs)["values"]["highlights"]
    if before is None or not inputs["prediction"]["highlights"]:
        return
    inputs["prediction"]["highlights"] *= 2
    inputs["settings"] = {"topK": 100, "iouThreshold": before["iou_threshold"]}
    once = copy.deepcopy(inputs)
    once["prediction"]["highlights"] = case["inputs"]["prediction"]["highlights"]
    assert run(rubric, inputs)["values"]["highlights"]["recall"] == run(rubric, once)["values"]["highlights"]["recall"]


@pytest.mark.parametrize("stage", ["words", "speakers", "focus", "highlights"])
@pytest.mark.parametrize("case", scored("clip-sample-2")[::4], ids=lambda case: case["id"])
def test_a_stage_left_out_is_null_and_touches_no_other(case, stage, rubrics) -> None:
    rubric, inputs = rubrics["clip-sample-2"], copy.deepcopy(case["inputs"])
    before = run(rubric, inputs)["values"]
    inputs["prediction"].pop(stage, None)
    assert run(rubric, inputs)["values"] == {**before, stage: None}


def test_words_of_equal_times_may_swap_where_they_are_equal(rubrics) -> None:
    words = [{"text": text, "start": 1, "end": end} for text, end in (("a", 2), ("a", 2), ("b", 3))]
    sample = {"sourceSha256": "0" * 64, "durationSec": 9, "words": words}
    swapped = {**sample, "words": [words[1], words[0], words[2]]}
    rubric = rubrics["clip-sample-2"]
    values = [run(rubric, {"reference": sample, "prediction": output})["values"] for output in (sample, swapped)]
    assert values[0] == values[1]


# ---------------------------------------------------------------- what else a review must notice


def ledger(**clip: Any) -> dict:
    return {
        "schemaVersion": 2,
        "experimentId": "e",
        "topK": 1,
        "minimumReviewers": 2,
        "cases": [{"id": "a", "split": "test", "tags": [], "sourceSha256": "a" * 64}],
        "runs": ["r"],
        "slots": [{"id": "s", "runId": "r", "caseId": "a", "rank": 1, "status": "rendered", **clip}],
    }


CLIP = b"moving pictures"


@pytest.mark.parametrize(
    ("content", "outcome", "warned"), [(CLIP, "pass", False), (b"other pictures", "error", False), (None, "pass", True)]
)
def test_a_clip_that_was_exchanged_stops_the_summary(rubrics, tmp_path, content, outcome, warned) -> None:

    index = tmp_path / "review-index.json"
    index.write_text(json.dumps(ledger(file="s.mp4", sha256=hashlib.sha256(CLIP).hexdigest())), encoding="utf-8")
    if content is not None:
        (tmp_path / "s.mp4").write_bytes(content)
    report = rubrics["clips-review-2"].run_case({"index": str(index)}).to_dict()
    assert report["outcome"] == outcome
    assert ("clips_unchecked" in [warning["id"] for warning in report["warnings"]]) == warned
    if outcome == "error":
        assert report["error"]["message"].endswith("slots[0] ('s'): breaks the rule 'clip_is_the_packaged_one'")


def test_a_fault_names_the_file_the_clip_and_the_rule(rubrics, tmp_path) -> None:
    rating = {
        "id": "s",
        "verdict": "reject",
        "repairSeconds": 3,
        "sourceCompared": True,
        "severeDefects": [],
        "scores": dict.fromkeys(
            ["hook", "coherence", "payoff", "speakerChoice", "framing", "captions", "audio", "overall"], 3
        ),
        "notes": "",
    }
    for name, seconds in (("ann", None), ("bo", 3)):
        ballot = {"schemaVersion": 2, "experimentId": "e", "reviewer": name}
        ballot["ratings"] = [{**rating, "repairSeconds": seconds}]
        (tmp_path / f"{name}.json").write_text(json.dumps(ballot), encoding="utf-8")
    inputs = {"index": ledger(), "submissions": ["ann.json", "bo.json"]}
    report = rubrics["clips-review-2"].run_case(inputs, folder=tmp_path).to_dict()
    assert report["error"]["message"] == (
        "input 'submissions', bo.json, ratings[0] ('s'): breaks the rule 'reject_without_repair'"
    )
    inputs["index"]["slots"][0]["status"] = "not-returned"
    inputs["submissions"].pop()
    report = rubrics["clips-review-2"].run_case(inputs, folder=tmp_path).to_dict()
    assert report["error"]["message"] == (
        "precondition 'rated_clips_are_rendered' does not hold at ballot[0] ann.json, rating[0] 's'"
    )
