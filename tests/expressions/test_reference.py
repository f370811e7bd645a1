"""The compiled form of an expression agrees with a slow, direct interpreter, whatever is known about its types."""

from expression_harness import Compiled, conforms, known_type
from expression_strategies import FUNCTIONS, scenes
from hypothesis import HealthCheck, given, settings
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
