"""The JSON Schema of reports: what the engine writes is valid, what it never writes is not."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from report_examples import ALL, RUBRIC, passed, report, texts_of

from rubric.engine.loading import load, load_text

FILE = Path(__file__).parents[2] / "schemas" / "report.schema.json"
SCHEMA = Draft202012Validator(json.loads(FILE.read_text(encoding="utf-8")))
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


def test_reports_of_a_bundled_rubric_are_valid() -> None:
    rubric = load("witness-1.5")
    case, inputs, folder = rubric.example_inputs()
    found = rubric.run_case(inputs, case=case, folder=folder).to_dict()
    SCHEMA.validate(found)
    assert all(text for _, text in texts_of([found]))


def test_reports_of_these_tests_are_valid() -> None:
    for each in (*ALL, passed(case=None), passed(score=None, outcome="inconclusive")):
        SCHEMA.validate(each)


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
