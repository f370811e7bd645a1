"""Cases for the four detector rubrics, with values made by an independent implementation: small files only."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubric.engine import load
from rubric.engine.loading import LoadedRubric

FOLDER = Path(__file__).parent / "detector"
CASES = [json.loads(line) for line in (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def rubrics() -> dict[str, LoadedRubric]:
    return {name: load(name) for name in sorted({case["rubric"] for case in CASES})}


def differences(expected: Any, found: Any, tolerance: float, place: str) -> Iterator[str]:
    if isinstance(expected, dict):
        for key, member in expected.items():
            yield from differences(member, (found or {}).get(key), tolerance, f"{place}.{key}")
    elif isinstance(expected, (int, float)) and not isinstance(expected, bool):
        if found is None or abs(expected - found) > tolerance * max(1.0, abs(expected)):
            yield f"{place}: expected {expected}, found {found}"
    elif expected != found:
        yield f"{place}: expected {expected}, found {found}"


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
            assert list(differences(value, found, tolerance, f"{part}.{name}")) == []
    if "failed_gates" in expected:
        failed = {gate["id"] for gate in report["gates"] if gate["held"] is not True}
        assert failed == set(expected["failed_gates"])
