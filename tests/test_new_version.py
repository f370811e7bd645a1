"""A new version of a benchmark is a new file: five rules of witness changed in YAML alone, each with cases by hand."""

import json
from pathlib import Path

import pytest

from rubric.engine import diff, load
from rubric.engine.loading import LoadedRubric
from rubric.engine.selftest import test_rubric as self_test

ROOT = Path(__file__).parent.parent
TRIAL = Path(__file__).parent / "rubrics" / "trial"
CASES = [json.loads(line) for line in (TRIAL / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
# what the rules are about, the parts that differ from 1.6, the cases that 1.6 scores otherwise
RULES = {
    "the version": ({"version"}, set()),
    "no deduplication of events": (
        {"constants.repeat_window", "let.told_events", "let.event_pairs.predicted"},
        {"repeat-costs", "repeat-pays"},
    ),
    "shots by time only": ({"records.shot.fields.id", "let.cut_pairs.same_if_given"}, {"shots-other-ids"}),
    "on-screen text without the role": ({"records.caption.fields.role", "let.text_pairs.same"}, {"text-other-role"}),
    "points inside the video": (
        {f"records.{record}.require.not_after_the_end" for record in ("event", "sound", "error")},
        {"points-outside"},
    ),
    "dialogue for the largest total credit": ({"let.line_pairs.prefer"}, {"dialogue-total"}),
}


@pytest.fixture(scope="module")
def old() -> LoadedRubric:
    return load(ROOT / "rubrics" / "witness-1.6.yaml")


@pytest.fixture(scope="module")
def trial() -> LoadedRubric:
    return load(TRIAL / "witness-1.7-trial.yaml", strict=True)  # a warning would be an error


def test_validates_without_findings(trial: LoadedRubric) -> None:
    assert list(trial.findings) == []
    assert (trial.id.name, trial.id.version) == ("witness", "1.7-trial")


def test_examples_and_controls_hold(trial: LoadedRubric) -> None:
    assert self_test(trial).passed


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict, trial: LoadedRubric) -> None:
    report = trial.run_case(case["inputs"], case=case["id"], folder=TRIAL).to_dict()
    found = {
        "score": report["score"],
        "metrics": {name: metric["value"] for name, metric in report["metrics"].items()},
        "values": report["values"],
        "gates": {gate["id"]: gate["held"] for gate in report["gates"]},
    }
    for part, expected in case["expected"].items():
        mine = {name: found[part][name] for name in expected} if isinstance(expected, dict) else found[part]
        assert mine == pytest.approx(expected, rel=1e-9, abs=1e-9), part


def test_only_the_intended_rules_differ(old: LoadedRubric, trial: LoadedRubric) -> None:
    paths = [change.path for change in diff(old, trial)]
    assert sorted(paths) == sorted(path for parts, _ in RULES.values() for path in parts)


def test_every_rule_moves_a_case_and_no_other_moves(old: LoadedRubric) -> None:
    scores = {case["id"]: old.run_case(case["inputs"], folder=TRIAL).to_dict()["score"] for case in CASES}
    moved = {case["id"] for case in CASES if scores[case["id"]] != pytest.approx(case["expected"]["score"], abs=1e-9)}
    assert moved == {case for _, cases in RULES.values() for case in cases}
