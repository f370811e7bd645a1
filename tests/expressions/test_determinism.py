"""Fixed expressions with their exact results: a Python version or a machine that computes otherwise shows here.

The results are Python's shortest texts of the values. Sums, means and products were checked with exact fractions.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from expression_harness import Compiled, known_type, run, types

from rubric.engine.expressions.types import ANY

STORED = json.loads(Path(__file__).with_name("results.json").read_text(encoding="utf-8"))
VALUES = STORED["values"]


@pytest.mark.parametrize(("text", "expected"), STORED["results"].items())
def test_results_are_the_stored_ones(text, expected):
    for given in ({name: known_type(value) for name, value in VALUES.items()}, dict.fromkeys(VALUES, ANY)):
        assert repr(Compiled(text, given).run(VALUES)) == expected


def test_stored_sums_are_the_exact_ones():
    tenths, weights, parts = VALUES["tenths"], VALUES["weights"], VALUES["parts"]
    assert float(sum(map(Fraction, tenths))) == run("sum(tenths)", tenths=tenths) == 1.0
    products = [w * p for w, p in zip(weights, parts, strict=True)]
    assert run("sum(weights * parts)", weights=weights, parts=parts) == float(sum(map(Fraction, products)))


def test_generated_code_does_not_depend_on_hashes_or_order_of_sets():
    text = "map(rows, r -> r.b + r.a * weight if r.a in allowed else fallback)"
    given = {"rows": ANY, "weight": types.NUMBER, "allowed": ANY, "fallback": types.NUMBER.or_null()}
    assert Compiled(text, given).source == Compiled(text, dict(reversed(given.items()))).source.replace(
        "v_fallback, v_allowed, v_weight, v_rows", "v_rows, v_weight, v_allowed, v_fallback"
    )
