"""Calls of functions and primitives: arguments, what is refused, faults and whom they concern, results."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from expression_harness import Compiled, Inferred, run

from rubric.engine.expressions import types
from rubric.engine.expressions.runtime import StepLimit
from rubric.engine.expressions.signatures import signature_of
from rubric.engine.expressions.types import ANY, NUMBER, TEXT, Type


@dataclass(frozen=True)
class Counts:
    hits: int
    rate: float
    parts: tuple[float, ...]

    @property
    def twice(self) -> int:
        return self.hits * 2


class Unusable(ValueError):
    def __init__(self, argument: str, reason: str):
        super().__init__(f"{argument}: {reason}")
        self.argument, self.reason = argument, reason


def half(x: float) -> float:
    return x / 2


def scaled(x: float, *, by: float = 1.0, plus: float | None = None) -> float:
    return x * by + (plus or 0)


def echo(x: Any) -> Any:
    return x


def odd_results(kind: str) -> Any:
    return {
        "nan": math.nan,
        "infinity": math.inf,
        "large": 2**60,
        "tuple": (1, (2.0, math.nan)),
        "counts": Counts(2, math.nan, (0.5, math.inf)),
        "numbers of numpy": np.float64(0.5),
        "booleans of numpy": np.bool_(True),
        "arrays": np.array([[1, 2], [3, 4]]),
        "nan of numpy": {"a": np.float64("nan")},
        "mapping": {"a": (1, math.nan), "b": {"c": math.inf}},
    }[kind]


def refuses(x: float, other: float = 0.0) -> float:
    if x < 0:
        raise Unusable("x", "must not be negative")
    if other < 0:
        raise ValueError("other is negative")
    return x


def broken(x: float) -> float:
    raise RuntimeError("the instrument is broken")


def asked(of: Sequence[float], test: Callable[[float, float], bool | None]) -> int:
    return sum(1 for a in of for b in of if test(a, b) is True)


def chosen(x: float, *, mode: Literal["up", "down"]) -> float:
    return x + 1 if mode == "up" else x - 1


def totals(rows: Sequence[Mapping[str, Any]]) -> float:
    return math.fsum(row["v"] for row in rows)


FUNCTIONS = (half, scaled, echo, odd_results, refuses, broken, asked, chosen, totals)
PRIMITIVES = {f"m.{function.__name__}": signature_of(function, f"m.{function.__name__}") for function in FUNCTIONS}


def compiled(text: str, **given: Type) -> Compiled:
    return Compiled(text, given, None, PRIMITIVES)


def called(text: str, **values: Any) -> Any:
    return compiled(text, **dict.fromkeys(values, ANY)).run(values)


def complaints(text: str, **given: Type) -> list[tuple[str, str | None]]:
    return [(p.message, p.hint) for p in Inferred(text, given, {"f": (("a", "b"), "a + b")}, PRIMITIVES).problems]


# ---------------------------------------------------------------- arguments


def test_arguments_go_to_their_parameters():
    assert called("m.scaled(2)") == 2.0
    assert called("m.scaled(2, by=3)") == 6.0
    assert called("m.scaled(plus=1, by=3, x=2)") == 7.0
    assert called("m.scaled(2, plus=x)", x=None) == 2.0
    assert called("m.chosen(1, mode=up)") == 2
    assert called('m.chosen(1, mode="down")') == 0
    assert run("f(b=1, a=x)", {"f": (("a", "b"), "a - b")}, x=3) == 2


@pytest.mark.parametrize("value", [None, "a", True, [1], {"a": 1}])
def test_a_primitive_is_null_where_an_argument_is_or_is_of_a_wrong_kind(value):
    assert called("m.half(x)", x=value) is None
    assert called("m.scaled(1, by=x)", x=value) is None
    assert called("m.totals(x)", x=value if not isinstance(value, list) else None) is None
    for known in (NUMBER.or_null(), ANY):
        assert compiled("m.half(x)", x=known).run({"x": None}) is None


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("f(1)", "f(...) lacks b", None),
        ("f(1, 2, 3)", "f(...) takes at most 2 unnamed arguments, not 3", None),
        ("f(1, c=2)", "f(...) has no argument 'c'", "arguments: a, b"),
        ("f(1, a=2)", "f(...) is given 'a' twice", None),
        ("m.half()", "m.half(...) lacks x", "arguments: x"),
        ("m.half(1, 2)", "m.half(...) takes at most 1 unnamed argument(s), not 2", "arguments: x"),
        ("m.scaled(1, 2)", "m.scaled(...) takes at most 1 unnamed argument(s), not 2", "arguments: x, by, plus"),
        ("m.scaled(1, buy=2)", "m.scaled(...) has no argument 'buy'", "did you mean 'by'?"),
        ("m.halve(1)", "there is no primitive 'm.halve'", "did you mean 'm.half'?"),
        ("n.half(1)", "there is no module 'n'", "modules: m"),
        ("x.half(1)", "'x' is a value and has no functions", "a function takes it: half(x)"),
        ("half(1)", "there is no function 'half'", "did you mean 'm.half'?"),
        ("cuont([1])", "there is no function 'cuont'", "did you mean 'count'?"),
        ("len([1])", "there is no function 'len'", "write count(list)"),
        ("avg([1])", "there is no function 'avg'", "write mean(list)"),
        ("m.chosen(1, mode=sideways)", "'mode' of m.chosen(...) is one of: up, down", None),
        ("m.half(t)", "'x' of m.half(...) is a number, but this is a text", None),
        ("m.asked([1], 2)", "'test' of m.asked(...) is a function", "write x -> ..., or the name of a function"),
        ("m.asked([1], a -> true)", "the function takes 1 argument(s), but m.asked(...) gives it 2", None),
        ("filter([1], a -> 1)", "the function gives a number, but filter(...) needs a boolean", None),
        ("a -> 1", "'->' stands only where an argument wants a function", None),
        ("f", "nothing is called 'f' here", "it is a function; call it, or give it where a function is wanted"),
        ("count", "nothing is called 'count' here", "it is a function; call it, or give it where a function is wanted"),
        ("None", "nothing is called 'None' here", "what is not there is null"),
        ("True", "nothing is called 'True' here", "write true"),
        ("tt", "nothing is called 'tt' here", "did you mean 't'?"),
        ("unheard", "nothing is called 'unheard' here", None),
        ("abs(t)", "'x' of abs(...) is a number, but this is a text", None),
        ("abs([t])", "'x' of abs(...) is a number, but this is a text", None),
        ("t.a", "a text has no fields, so '.a' means nothing", None),
        ("r.v.w", "a number has no fields, so '.w' means nothing", None),
        ("r.vv", "there is no field 'vv'", "did you mean 'v'?"),
        ("t[0]", "a text has no members, so [...] means nothing", None),
        ("t + 1", "'+' needs a text, but this is a number", None),
        ("[1] + t", "'+' needs a list or number, but this is a text", None),
        ("t * 2", "'*' needs a number, but this is a text", None),
        ("[t] * 2", "'*' needs a number, but this is a text", None),
        ("-t", "'-' needs a number, but this is a text", None),
        ("not x", "'not' needs a boolean, but this is a number", None),
        ("x and true", "'and' needs a boolean, but this is a number", None),
        ("[x] or true", "'or' needs a boolean, but this is a number", None),
        ("1 if x else 2", "'if' needs a boolean, but this is a number", None),
        ("1 if [true] else 2", "'if' needs a boolean, but this is a list of boolean", None),
        ("x < t", "'<' compares a number with a text", None),
        ("true < 2", "'<' needs a number or text, but this is a boolean", None),
        ("x == t", "a number and a text: '==' is never true", None),
        ("x != t", "a number and a text: '!=' is always true", None),
        ("1 in x", "'in' needs a list or map or record or text, but this is a number", None),
        ("x ?? 1", "the left side of '??' is never null, so the right side has no effect", "leave '??' out"),
        ("t..3", "'..' needs a number, but this is a text", None),
    ],
)
def test_what_is_wrong_is_said_when_a_rubric_is_loaded(text, message, hint):
    given = {"x": NUMBER, "t": TEXT, "r": types.record_of({"v": NUMBER})}
    assert (message, hint) in complaints(text, **given)


# ---------------------------------------------------------------- faults


def test_a_fault_about_an_argument_concerns_the_inputs_that_it_comes_from():
    given = {"x": NUMBER.coming_from(frozenset({"a"})), "y": NUMBER.coming_from(frozenset({"b"}))}
    about_x = compiled("m.refuses(x, y)", **given)
    assert about_x.run({"x": -1, "y": 0}) is None
    assert about_x.faults == [("m.refuses: x: must not be negative", frozenset({"a"}))]
    about_any = compiled("m.refuses(x, y)", **given)
    assert about_any.run({"x": 1, "y": -1}) is None
    assert about_any.faults == [("m.refuses: other is negative", frozenset({"a", "b"}))]
    assert compiled("m.refuses(x, y)", **given).type.nullable
    assert not compiled("m.refuses(1)").type.nullable


def test_what_is_no_fault_of_an_argument_is_not_hidden():
    with pytest.raises(RuntimeError, match="the instrument is broken"):
        called("m.broken(1)")


def test_a_limit_that_is_reached_inside_a_primitive_ends_the_work():
    long = compiled("m.asked(x, (a, b) -> a + b > 1)", x=types.list_of(NUMBER))
    assert long.run({"x": [1, 2]}) == 4
    assert not long.faults
    with pytest.raises(StepLimit):
        long.run({"x": [1] * 200}, steps=100_000)
    assert not long.faults


# ---------------------------------------------------------------- results


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("nan", None),
        ("infinity", None),
        ("large", float(2**60)),
        ("tuple", [1, [2.0, None]]),
        ("counts", {"hits": 2, "rate": None, "parts": [0.5, None], "twice": 4}),
        ("numbers of numpy", 0.5),
        ("booleans of numpy", True),
        ("arrays", [[1, 2], [3, 4]]),
        ("nan of numpy", {"a": None}),
        ("mapping", {"a": [1, None], "b": {"c": None}}),
    ],
)
def test_results_are_values_of_the_language(kind, expected):
    found = called(f'm.odd_results("{kind}")')
    assert repr(found) == repr(expected)


def test_rows_are_handed_through_as_they_are():
    rows = [{"v": 1, "said": ["a"]}, {"v": 0.5}]
    found = called("m.echo(x)", x=rows)
    assert found == rows
    assert found[1] is rows[1]


def test_results_are_inferred_from_annotations():
    assert compiled("m.half(1)").type.kind == "number"
    assert compiled("m.echo(1)").type.kind == "any"
    assert compiled("m.asked([1], (a, b) -> a < b)").type.whole
    fields = dict(compiled('m.odd_results("counts")').type.fields)
    assert fields == {}


# ---------------------------------------------------------------- types of operators


def inferred(text: str, **given: Type) -> str:
    return str(Inferred(text, given, {"f": (("a",), "a * 2")}, PRIMITIVES).type)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("xs * 2", "list of (number or null) or null"),
        ("s * 2", "list of number"),
        ("s + 1", "list of number"),
        ("s + s", "list of number or null"),
        ("s - s", "list of number or null"),
        ("s > 0.5", "list of boolean"),
        ("0 < s < 1", "list of boolean or null"),
        ("not (s > 0.5)", "list of boolean"),
        ("(s > 0.5) and b", "list of boolean"),
        ("(s > 0.5) and (s < 0.9)", "list of boolean or null"),
        ("-s", "list of number"),
        ("s / 0", "list of (number or null)"),
        ("s / 2", "list of number"),
        ("abs(s)", "list of number"),
        ("round(xs)", "list of number or null"),
        ("credit(s, full=1, zero=0)", "list of number"),
        ("a * 2", "any"),
        ("abs(a)", "any"),
        ("a and b", "any"),
        ("a == 1", "boolean"),
        ("t + t", "text or null"),
        ("b and c", "boolean or null"),
        ("s == s", "boolean"),
        ("1..3", "list of number or null"),
        ("f(s)", "list of number"),
    ],
)
def test_types(text, expected):
    share = types.number(0, 1)
    given = {"s": types.list_of(share), "xs": types.list_of(NUMBER).or_null(), "a": ANY, "t": TEXT}
    assert inferred(text, **given, b=types.BOOLEAN, c=types.BOOLEAN.or_null()) == expected


@pytest.mark.parametrize(
    ("text", "low", "high", "nullable"),
    [
        ("s + s", 0, 2, False),
        ("s - s", -1, 1, False),
        ("s * 3", 0, 3, False),
        ("1 / (s + 1)", 0.5, 1, False),
        ("1 / s", 0, math.inf, True),
        ("n + n", -math.inf, math.inf, True),
        ("n / (s + 1)", -math.inf, math.inf, False),
        ("max(0, n)", 0, math.inf, False),
        ("min(s, n)", -math.inf, 1, False),
        ("abs(n)", 0, math.inf, False),
        ("round(s * 10)", 0, 10, False),
        ("round(s, 1)", 0, 1, True),
        ("sqrt(s)", 0, 1, False),
        ("sqrt(n)", 0, math.inf, True),
        ("credit(n, full=3, zero=12)", 0, 1, False),
        ("credit(n, full=s, zero=1)", 0, 1, True),
        ("count([1]) + 1", 1, 2**40 + 1, False),
        ("mean([s, s])", 0, 1, True),
        ("-s", -1, 0, False),
        ("s ** 2", 0, math.inf, True),
        ("9007199254740992 + 1", 2.0**53, 2.0**53, False),
        ("1e308 * 10", -math.inf, math.inf, True),
    ],
)
def test_ranges_of_numbers(text, low, high, nullable):
    found = Inferred(text, {"s": types.number(0, 1), "n": NUMBER}).type
    assert (found.low, found.high, found.nullable) == (low, high, nullable)


def test_bounds_of_long_products_stay_numbers():
    text = " * ".join(["9007199254740992"] * 60) + " + 0.5"
    found = Inferred(text, {}).type
    assert (found.low, found.high) == (-math.inf, math.inf)
    assert Fraction(Inferred("9007199254740992 * 9007199254740992", {}).type.low) == 2**106
