"""176 cases for two versions, with values made by an independent scorer: see `witness/README.md`."""

import json
import math
import re
from pathlib import Path

import pytest

from rubric.engine import load
from rubric.engine.loading import LoadedRubric

FOLDER = Path(__file__).parent / "witness"
CASES = [json.loads(line) for line in (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
VERSIONS = ("witness-1.5", "witness-1.6")
TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def rubrics() -> dict[str, LoadedRubric]:
    return {version: load(version) for version in VERSIONS}


def close(expected: float | None, found: float | None) -> bool:
    if expected is None or found is None:
        return expected is found
    return math.isclose(expected, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict, version: str, rubrics: dict[str, LoadedRubric]) -> None:
    report = rubrics[version].run_case(case["inputs"], case=case["id"], folder=FOLDER).to_dict()
    expected = case["expected"][version]
    if "outcome" in expected:
        assert report["outcome"] == expected["outcome"]
    if "score" in expected:
        assert close(expected["score"], report["score"])
    for name, value in expected.get("metrics", {}).items():
        assert close(value, report["metrics"][name]["value"]), name
    for name, value in expected.get("values", {}).items():
        assert close(value, report["values"][name]), name
    held = {gate["id"]: gate["held"] for gate in report["gates"]}
    assert {name: held[name] for name in expected.get("gates", {})} == expected.get("gates", {})
    if "diagnosed" in expected:
        parts = {re.split(r"[.\[]", diagnostic["path"], maxsplit=1)[0] for diagnostic in report["diagnostics"]}
        assert parts == set(expected["diagnosed"])
