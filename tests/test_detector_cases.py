"""Cases for the four detector rubrics, with values made by an independent implementation: small files only."""

import json
from pathlib import Path

import pytest
from expected import differences

from rubric.engine import load
from rubric.engine.loading import LoadedRubric

FOLDER = Path(__file__).parent / "detector"
CASES = [json.loads(line) for line in (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def rubrics() -> dict[str, LoadedRubric]:
    return {name: load(name) for name in sorted({case["rubric"] for case in CASES})}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict, rubrics: dict[str, LoadedRubric]) -> None:
    report = rubrics[case["rubric"]].run_case(case["inputs"], case=case["id"], folder=FOLDER).to_dict()
    expected, tolerance = case["expected"], case.get("tolerance", 1e-9)
    assert report["outcome"] == expected.get("outcome", report["outcome"]), report.get("error")
    for part in ("metrics", "values"):
        for name, value in expected.get(part, {}).items():
            found = report[part].get(name)
            if part == "metrics" and not isinstance(value, dict):
                found = (found or {}).get("value")
            assert list(differences(value, found, f"{part}.{name}", tolerance)) == []
    if "failed_gates" in expected:
        failed = {gate["id"] for gate in report["gates"] if gate["held"] is not True}
        assert failed == set(expected["failed_gates"])
