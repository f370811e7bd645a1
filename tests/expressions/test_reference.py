"""The compiled form of an expression agrees with a slow, direct interpreter, whatever is known about its types."""

import pytest
from expression_harness import Compiled, conforms, known_type
from expression_strategies import FUNCTIONS, INTERESTING, scenes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference_evaluator import evaluate

from rubric.engine.expressions import types
from rubric.engine.expressions.parser import parse
from rubric.engine.expressions.types import ANY

PARSED = {name: (parameters, parse(body)) for name, (parameters, body) in FUNCTIONS.items()}
KNOWLEDGE = {
    "exact": known_type,
    "wide": lambda value: types.widened(known_type(value)),
    "nullable": lambda value: types.widened(known_type(value)).or_null(),
    "unknown": lambda value: ANY,
}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(scenes())
def test_compiled_expressions_agree_with_the_reference(scene):
    """And every value is of the type that was inferred for it."""
    tree, values = scene
    expected = repr(evaluate(tree, values, PARSED))
    for known in KNOWLEDGE.values():
        compiled = Compiled(tree, {name: known(value) for name, value in values.items()}, PARSED)
        value = compiled.run(values)
        assert repr(value) == expected, compiled.source
        assert conforms(value, compiled.type), compiled.type


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "**", "..", "<", "<=", ">", ">=", "==", "!="])
def test_operators_agree_on_all_pairs_of_interesting_numbers(operator):
    tree = parse(f"x {operator} y" if operator != ".." else "first(x..y)")
    wide = Compiled(tree, dict.fromkeys("xy", types.NUMBER))
    unknown = Compiled(tree, dict.fromkeys("xy", ANY))
    for x in INTERESTING:
        for y in INTERESTING:
            expected = evaluate(tree, {"x": x, "y": y})
            for compiled in (wide, unknown):
                found = compiled.run({"x": x, "y": y})
                assert repr(found) == repr(expected), (x, operator, y)
                assert conforms(found, compiled.type)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(("+", "-", "*", "/", "**")), st.sampled_from(INTERESTING), st.sampled_from(INTERESTING))
def test_operators_agree_on_numbers_that_inference_knows(operator, x, y):
    tree = parse(f"x {operator} y")
    compiled = Compiled(tree, {"x": known_type(x), "y": known_type(y)})
    found = compiled.run({"x": x, "y": y})
    assert repr(found) == repr(evaluate(tree, {"x": x, "y": y}))
    assert conforms(found, compiled.type)
