"""What an audit says of the least and the most that metrics and scores can be."""

import dataclasses

import pytest

from rubric.engine.audit import audit_rubric
from rubric.engine.findings import RubricError
from rubric.engine.loading import load_text

RATES = """
rubric: rates
version: "1"
language: 1
inputs: {{rows: {{from: candidate, format: jsonl, record: row{zero}}}}}
constants: {{confidence: 0.95}}
records: {{row: {{fields: {{spam: boolean, caught: boolean}}}}}}
let: {{spam: "filter(rows, r -> r.spam)"}}
metrics: {{caught: "statistics.proportion(spam.caught, confidence=confidence)"}}
{unmeasured}
score:
  total: {{weighted: {{caught: 1}}, caps: {{few: {{when: malformed(rows) > 2, at_most: {cap}}}}}}}
gates: {{readable: {{value: malformed(rows), at_most: 0}}}}
"""


def ranges(*, cap: float = 0.5, unmeasured: str = "", zero: str = "") -> dict[str, tuple]:
    rubric = load_text(RATES.format(cap=cap, unmeasured=unmeasured, zero=zero))
    audit = audit_rubric(rubric)
    return {one.name: (one.least, one.most, one.can_be_null) for one in (*audit.scores, *audit.metrics)}


def test_a_record_has_the_range_of_its_value() -> None:
    """A proportion is a share; null where there is no spam."""
    assert ranges() == {"total": (0, 1, True), "caught": (0, 1, True)}
    assert ranges(unmeasured="unmeasured: 2")["caught"] == (0, 2, False)
    assert ranges(unmeasured="unmeasured: 0", zero=", when_invalid: zero")["total"] == (0, 1, False)


def test_a_metric_says_how_far_it_moves_its_score() -> None:
    (caught,) = audit_rubric(load_text(RATES.format(cap=0.5, unmeasured="", zero=""))).metrics
    assert dataclasses.astuple(caught) == ("caught", 0, 1, True, 1)


def test_a_cap_above_a_rate_cannot_apply() -> None:
    with pytest.raises(RubricError, match="the cap 'few' cannot lower 'total', which is at most 1"):
        load_text(RATES.format(cap=1.5, unmeasured="", zero=""))
