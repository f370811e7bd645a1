"""What may never turn the release gate: more rows of a base that fails, rows that crash, the order of rows, copies."""

import json
import random

import pytest
from columns import NEVER, report
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric.engine import load

GATE = load("detector-release-1")
BASES = 520  # of each class
MOST_FAILING = 4  # of the real ones, with which the gate still passes; one more, and an upper bound is above 0.02
SOME = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def row(base: int, label: int, view: str, score: float, name: str = "") -> dict:
    domain = {"source": f"camera {base % 3}"} if label == 0 else {"generatorFamily": f"family {base % 3}"}
    return {
        "id": f"{label}-{base}-{view}{name}",
        "baseId": f"{label}-{base}",
        "split": "test",
        "label": label,
        "score": score,
        "modelSha256": "ab" * 32,
        "preprocessingVersion": "1",
        "resolutionGroup": view,
        "evaluationMode": "deployed",
        **domain,
    }


def evidence(failing: int) -> list[dict]:
    """Both views of every base; of the first so many real ones the thumbnail is called AI."""
    wrong = {(base, 0, "thumbnail") for base in range(failing)}
    return [
        row(base, label, view, 0.9 if (label == 1) != ((base, label, view) in wrong) else 0.1)
        for label in (0, 1)
        for base in range(BASES)
        for view in ("full-res", "thumbnail")
    ]


def outcome(rows: list[dict]) -> str:
    return GATE.run_case({"rows": rows}).outcome


def test_where_the_gate_turns() -> None:
    assert outcome(evidence(MOST_FAILING)) == "pass"
    assert outcome(evidence(MOST_FAILING + 1)) == "fail"


SCORES = st.sampled_from([0.0, 0.1, 0.6499999999999999, 0.65, 0.9, 1.0, None, float("nan"), "0.1", True, -1, 2])


@SOME
@given(st.lists(st.tuples(st.integers(0, MOST_FAILING), SCORES, st.sampled_from(["add", "replace", "crash", "empty"]))))
def test_nothing_done_to_failing_bases_makes_the_gate_pass(changes) -> None:
    rows: list = evidence(MOST_FAILING + 1)
    for number, (base, score, change) in enumerate(changes):
        place = 2 * base + 1  # of the row that is wrong
        if change == "add":
            rows.append(row(base, 0, "thumbnail", score, f"-{number}"))
        elif change == "replace" and score not in (0.0, 0.1, 0.6499999999999999):
            rows[place] = rows[place] | {"score": score} if isinstance(rows[place], dict) else rows[place]
        elif change == "crash" and isinstance(rows[place], dict):
            rows[place] = {name: value for name, value in rows[place].items() if name != "score"} | {"error": "crashed"}
        elif change == "empty":
            rows[place] = None
    assert outcome(rows) == "fail"


@SOME
@given(st.integers(0, 2 * MOST_FAILING), st.integers(), st.booleans())
def test_the_order_of_rows_changes_no_byte(tmp_path_factory, failing, seed, by_column) -> None:
    rows = evidence(failing)
    shuffled = random.Random(seed).sample(rows, len(rows))
    found = []
    for name, content in (("a", rows), ("b", shuffled)):
        path = tmp_path_factory.getbasetemp() / f"{name}.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in content), encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            found.append(report(GATE, {"rows": str(path)}, patch, from_bytes=0 if by_column else NEVER))
    assert found[0] == found[1]


@SOME
@given(st.sampled_from([0, MOST_FAILING, MOST_FAILING + 1]), st.lists(st.integers(0, 4 * BASES - 1), min_size=1))
def test_copies_of_derivatives_change_no_decision(failing, places) -> None:
    rows = evidence(failing)
    copies = [rows[place] | {"id": f"copy {number}"} for number, place in enumerate(places)]
    one, more = GATE.run_case({"rows": rows}), GATE.run_case({"rows": rows + copies})
    assert [(gate.id, gate.held) for gate in one.gates] == [(gate.id, gate.held) for gate in more.gates]
    assert one.metrics == more.metrics
    assert one.outcome == more.outcome
