"""The functions of the language, as tables: ordinary, empty, with a null inside, null itself, of a wrong kind.

Every row holds with known types and with unknown ones. Expected values are by hand.
"""

import math
from fractions import Fraction

import pytest
from expression_harness import Compiled, Inferred, run
from hypothesis import given
from hypothesis import strategies as st

from rubric.engine.expressions.builtins import BUILTINS
from rubric.engine.expressions.equality import canonical
from rubric.engine.expressions.types import ANY

ROWS = [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "a", "v": 3}]
TABLE = {
    "abs": [
        ("abs(-2)", {}, 2),
        ("abs(x)", {"x": -2.5}, 2.5),
        ("abs(x)", {"x": -0.0}, 0.0),
        ("abs(x)", {"x": None}, None),
        ("abs(x)", {"x": "a"}, None),
        ("abs(x)", {"x": True}, None),
        ("abs(x)", {"x": [-1, None, "a", [1]]}, [1, None, None, None]),
    ],
    "ceil": [
        ("ceil(1.2)", {}, 2),
        ("ceil(-1.2)", {}, -1),
        ("ceil(x)", {"x": 1e300}, 1e300),
        ("ceil(x)", {"x": 2}, 2),
        ("ceil(x)", {"x": None}, None),
        ("ceil(x)", {"x": [0.1]}, [1]),
    ],
    "floor": [
        ("floor(1.8)", {}, 1),
        ("floor(-1.2)", {}, -2),
        ("floor(x)", {"x": -1e300}, -1e300),
        ("floor(x)", {"x": {}}, None),
        ("floor(x)", {"x": [0.9, None]}, [0, None]),
    ],
    "round": [
        ("round(0.5)", {}, 0),
        ("round(1.5)", {}, 2),
        ("round(2.5)", {}, 2),
        ("round(x)", {"x": -0.5}, 0),
        ("round(x)", {"x": -1.5}, -2),
        ("round(x)", {"x": 3}, 3),
        ("round(x, 1)", {"x": 0.25}, 0.2),
        ("round(x, 1)", {"x": 0.35}, 0.3),
        ("round(x, 2)", {"x": 2.675}, 2.67),
        ("round(x, 1)", {"x": 2}, 2.0),
        ("round(x, digits=-1)", {"x": 25}, 20.0),
        ("round(x, 400)", {"x": 0.1}, 0.1),
        ("round(x, -400)", {"x": 0.1}, 0.0),
        ("round(x, -308)", {"x": 1.7976931348623157e308}, None),
        ("round(x, y)", {"x": 1.25, "y": None}, None),
        ("round(x, y)", {"x": 1.25, "y": "a"}, None),
        ("round(x)", {"x": None}, None),
        ("round(x)", {"x": [0.5, 1.5, None]}, [0, 2, None]),
        ("round(x, 1)", {"x": [0.25, "a"]}, [0.2, None]),
        ("round(x, y)", {"x": [0.25], "y": None}, None),
        ("round(digits=1, x=x)", {"x": 0.25}, 0.2),
        ("round(digits=1, x=x)", {"x": [0.25]}, [0.2]),
    ],
    "sqrt": [
        ("sqrt(9)", {}, 3.0),
        ("sqrt(x)", {"x": 0}, 0.0),
        ("sqrt(x)", {"x": -1}, None),
        ("sqrt(x)", {"x": None}, None),
        ("sqrt(x)", {"x": [4, -4, None]}, [2.0, None, None]),
    ],
    "credit": [
        ("credit(x, full=3, zero=12)", {"x": 3}, 1.0),
        ("credit(x, full=3, zero=12)", {"x": 2}, 1.0),
        ("credit(x, full=3, zero=12)", {"x": 12}, 0.0),
        ("credit(x, full=3, zero=12)", {"x": 13}, 0.0),
        ("credit(x, full=3, zero=12)", {"x": 7.5}, 0.5),
        ("credit(x, full=12, zero=3)", {"x": 3}, 0.0),
        ("credit(x, full=12, zero=3)", {"x": 12}, 1.0),
        ("credit(x, full=0.9, zero=0.5)", {"x": 0.9}, 1.0),
        ("credit(x, full=3, zero=3)", {"x": 3}, None),
        ("credit(x, full=y, zero=3)", {"x": 3, "y": None}, None),
        ("credit(x, full=3, zero=12)", {"x": None}, None),
        ("credit(x, full=3, zero=12)", {"x": "a"}, None),
        ("credit(x, full=y, zero=-y)", {"x": 0, "y": 1.5e308}, 0.5),
        ("credit(x, full=3, zero=12)", {"x": [3, 7.5, None]}, [1.0, 0.5, None]),
    ],
    "min": [
        ("min(2, 1, 3)", {}, 1),
        ("min(x)", {"x": [2, 1, 3]}, 1),
        ("min(x)", {"x": []}, None),
        ("min(x)", {"x": [1, None]}, None),
        ("min(x)", {"x": [1, "a"]}, None),
        ("min(x)", {"x": None}, None),
        ("min(x)", {"x": 5}, 5),
        ("min(x, 1)", {"x": None}, None),
        ("min(x, 1)", {"x": True}, None),
        ("min(x, 1)", {"x": [0]}, None),
    ],
    "max": [
        ("max(2, 1, 3.5)", {}, 3.5),
        ("max(x)", {"x": [2, 1, 3]}, 3),
        ("max(x)", {"x": []}, None),
        ("max(0, x)", {"x": -1}, 0),
        ("max(0, x)", {"x": None}, None),
    ],
    "count": [
        ("count(x)", {"x": [1, None]}, 2),
        ("count(x)", {"x": []}, 0),
        ("count(x)", {"x": None}, None),
        ("count(x)", {"x": "abc"}, None),
        ("count(x)", {"x": {"a": 1}}, None),
        ("count(x, e -> e > 1)", {"x": [1, 2, None]}, 1),
        ("count(x, e -> e)", {"x": [True, False, None, 1]}, 1),
        ("count(x, e -> null)", {"x": [1]}, 0),
        ("count(where=e -> e > 1, of=x)", {"x": [1, 2]}, 1),
    ],
    "filter": [
        ("filter(x, e -> e > 1)", {"x": [1, 2, None]}, [2]),
        ("filter(x, e -> e > 1)", {"x": []}, []),
        ("filter(x, e -> e > 1)", {"x": None}, None),
        ("filter(x, e -> e)", {"x": 3}, None),
    ],
    "map": [
        ("map(x, e -> e * 2)", {"x": [1, None]}, [2, None]),
        ("map(x, e -> e)", {"x": []}, []),
        ("map(x, e -> e)", {"x": None}, None),
        ("map(x, e -> map(x, f -> e + f))", {"x": [1, 2]}, [[2, 3], [3, 4]]),
    ],
    "all": [
        ("all(x)", {"x": [True, True]}, True),
        ("all(x)", {"x": [True, None]}, None),
        ("all(x)", {"x": [False, None]}, False),
        ("all(x)", {"x": []}, True),
        ("all(x)", {"x": None}, None),
        ("all(x)", {"x": [1]}, None),
        ("all(x, e -> e > 0)", {"x": [1, 2]}, True),
    ],
    "any": [
        ("any(x)", {"x": [False, True]}, True),
        ("any(x)", {"x": [False, None]}, None),
        ("any(x)", {"x": [True, None]}, True),
        ("any(x)", {"x": []}, False),
        ("any(x)", {"x": None}, None),
        ("any(x, e -> e > 1)", {"x": [1, 2]}, True),
    ],
    "share": [
        ("share(x)", {"x": [True, False, True]}, 2 / 3),
        ("share(x)", {"x": [True, None]}, None),
        ("share(x)", {"x": []}, None),
        ("share(x)", {"x": None}, None),
        ("share(x)", {"x": [1]}, None),
        ("share(x, e -> e > 1)", {"x": [1, 2, 3, 4]}, 0.75),
    ],
    "sum": [
        ("sum(x)", {"x": [1, 2]}, 3),
        ("sum(x)", {"x": [1, 2.0]}, 3.0),
        ("sum(x)", {"x": [0.1] * 10}, 1.0),
        ("sum(x)", {"x": [1e16, 1, -1e16]}, 1.0),
        ("sum(x)", {"x": []}, 0),
        ("sum(x)", {"x": [1, None]}, None),
        ("sum(x)", {"x": [1, True]}, None),
        ("sum(x)", {"x": None}, None),
        ("sum(x)", {"x": [1e308, 1e308]}, None),
        ("sum(x)", {"x": [1e308, 1e308, -1e308]}, 1e308),
        ("sum(x)", {"x": [2**53, 1]}, 9007199254740992.0),
    ],
    "mean": [
        ("mean(x)", {"x": [1, 2]}, 1.5),
        ("mean(x)", {"x": []}, None),
        ("mean(x)", {"x": [1, None]}, None),
        ("mean(x)", {"x": None}, None),
        ("mean(x)", {"x": [1e308, 1e308]}, 1e308),
        ("mean(x, e -> e * 2)", {"x": [1, 2]}, 3.0),
        ("mean(x, e -> e.v)", {"x": ROWS}, 2.0),
        ("mean(x, e -> null)", {"x": [1]}, None),
    ],
    "median": [
        ("median(x)", {"x": [3, 1, 2]}, 2.0),
        ("median(x)", {"x": [4, 1, 2, 3]}, 2.5),
        ("median(x)", {"x": []}, None),
        ("median(x)", {"x": [1, None]}, None),
        ("median(x)", {"x": None}, None),
        ("median(x)", {"x": [-1.5e308, 1.5e308]}, 0.0),
    ],
    "percentile": [
        ("percentile(x, 0)", {"x": [3, 1]}, 1.0),
        ("percentile(x, 100)", {"x": [3, 1]}, 3.0),
        ("percentile(x, 25)", {"x": [0, 10]}, 2.5),
        ("percentile(x, 7)", {"x": list(range(101))}, 7.0),
        ("percentile(x, 101)", {"x": [1]}, None),
        ("percentile(x, -1)", {"x": [1]}, None),
        ("percentile(x, q)", {"x": [1], "q": None}, None),
        ("percentile(x, 50)", {"x": []}, None),
        ("percentile(x, 50)", {"x": ["a"]}, None),
    ],
    "sort": [
        ("sort(x)", {"x": [2, 1.5, 10]}, [1.5, 2, 10]),
        ("sort(x)", {"x": ["b", 1, None, True, "B", [0], 0.5]}, [0.5, 1, "B", "b", True, [0], None]),
        ("sort(x)", {"x": []}, []),
        ("sort(x)", {"x": None}, None),
        ("sort(x, e -> -e)", {"x": [1, 3, None]}, [3, 1, None]),
        ("sort(x, e -> e.k).v", {"x": ROWS}, [1, 3, 2]),
        ("sort(x, e -> 0)", {"x": [2, 1]}, [2, 1]),
    ],
    "first": [("first(x)", {"x": [1, 2]}, 1), ("first(x)", {"x": []}, None), ("first(x)", {"x": None}, None)],
    "last": [("last(x)", {"x": [1, 2]}, 2), ("last(x)", {"x": []}, None), ("last(x)", {"x": "ab"}, None)],
    "take": [
        ("take(x, 2)", {"x": [1, 2, 3]}, [1, 2]),
        ("take(x, 9)", {"x": [1]}, [1]),
        ("take(x, 0)", {"x": [1]}, []),
        ("take(x, n)", {"x": [1], "n": -1}, []),
        ("take(x, n)", {"x": [1, 2], "n": 1.9}, [1]),
        ("take(x, n)", {"x": [1], "n": 1e300}, [1]),
        ("take(x, n)", {"x": [1], "n": None}, None),
        ("take(x, 1)", {"x": None}, None),
    ],
    "skip": [
        ("skip(x, 1)", {"x": [1, 2, 3]}, [2, 3]),
        ("skip(x, n)", {"x": [1], "n": -1}, [1]),
        ("skip(x, n)", {"x": [1], "n": 1e300}, []),
        ("skip(x, 1)", {"x": []}, []),
        ("skip(x, n)", {"x": [1], "n": True}, None),
    ],
    "only": [
        ("only(x)", {"x": [7]}, 7),
        ("only(x)", {"x": [7, 8]}, None),
        ("only(x)", {"x": []}, None),
        ("only(x, e -> e > 7)", {"x": [7, 8]}, 8),
        ("only(x, e -> e > 6)", {"x": [7, 8]}, None),
        ("only(x, e -> e > 6)", {"x": None}, None),
    ],
    "distinct": [
        ("distinct(x)", {"x": [1, 2, 1.0, None, True, "1", 2]}, [1, 2, True, "1"]),
        ("distinct(x)", {"x": [[1], [1.0], [True], {"a": 1}, {"a": 1.0}]}, [[1], [True], {"a": 1}]),
        ("distinct(x)", {"x": []}, []),
        ("distinct(x)", {"x": None}, None),
    ],
    "first_of_each": [
        ("first_of_each(x, e -> e.k).v", {"x": ROWS}, [1, 2]),
        ("first_of_each(x, e -> e)", {"x": [None, 1, None]}, [None, 1]),
        ("first_of_each(x, e -> e)", {"x": []}, []),
        ("first_of_each(x, e -> e)", {"x": None}, None),
    ],
    "last_of_each": [
        ("last_of_each(x, e -> e.k).v", {"x": ROWS}, [3, 2]),
        ("last_of_each(x, e -> e)", {"x": [1, 1.0]}, [1.0]),
        ("last_of_each(x, e -> e)", {"x": {"a": 1}}, None),
    ],
    "repeat": [
        ("repeat(x, 2)", {"x": [1, None]}, [1, None, 1, None]),
        ("repeat(x, n)", {"x": [1], "n": 0}, []),
        ("repeat(x, n)", {"x": [1], "n": -3}, []),
        ("repeat(x, n)", {"x": [1], "n": 2.9}, [1, 1]),
        ("repeat(x, n)", {"x": [], "n": 1e300}, []),
        ("repeat(x, n)", {"x": [1], "n": 1e300}, None),
        ("repeat(x, n)", {"x": [1], "n": None}, None),
        ("repeat(x, 2)", {"x": None}, None),
    ],
    "flatten": [
        ("flatten(x)", {"x": [[1], [], None, [2, [3]], 4]}, [1, 2, [3]]),
        ("flatten(x)", {"x": []}, []),
        ("flatten(x)", {"x": None}, None),
    ],
    "lookup": [
        ('lookup(x, e -> e.k, "b").v', {"x": ROWS}, 2),
        ('lookup(x, e -> e.k, "a")', {"x": ROWS}, None),
        ('lookup(x, e -> e.k, "c")', {"x": ROWS}, None),
        ("lookup(x, e -> e, 1.0)", {"x": [1, True]}, 1),
        ("lookup(x, e -> e, k)", {"x": [1, None], "k": None}, None),
        ("lookup(x, e -> e.k, k).v", {"x": [{"v": 1}, {"k": 2, "v": 2}], "k": None}, 1),
        ("lookup(x, e -> e, 1)", {"x": None}, None),
    ],
    "malformed": [("malformed(x)", {"x": [1]}, 0), ("malformed(x)", {"x": None}, None)],
    "keys": [
        ("keys(x)", {"x": {"b": 1, "a": None}}, ["b", "a"]),
        ("keys(x)", {"x": {}}, []),
        ("keys(x)", {"x": None}, None),
        ("keys(x)", {"x": [1]}, None),
    ],
    "values": [
        ("values(x)", {"x": {"b": 1, "a": None}}, [1, None]),
        ("values(x)", {"x": {}}, []),
        ("values(x)", {"x": None}, None),
        ("values(x)", {"x": "a"}, None),
    ],
    "key_of_least": [
        ("key_of_least(x, v -> v)", {"x": {"a": 2, "b": 1, "c": 1}}, "b"),
        ("key_of_least(x, v -> v)", {"x": {"a": None, "b": 5}}, "b"),
        ("key_of_least(x, v -> v)", {"x": {"a": None}}, None),
        ("key_of_least(x, v -> v)", {"x": {}}, None),
        ("key_of_least(x, v -> v)", {"x": None}, None),
    ],
    "string": [
        ("string(x)", {"x": "é"}, "é"),
        ("string(x)", {"x": 12}, "12"),
        ("string(x)", {"x": 12.0}, "12.0"),
        ("string(x)", {"x": 0.1}, "0.1"),
        ("string(x)", {"x": 1e22}, "1e+22"),
        ("string(x)", {"x": True}, "true"),
        ("string(x)", {"x": None}, None),
        ("string(x)", {"x": [1]}, None),
        ("string(x)", {"x": {}}, None),
    ],
}  # fmt: skip
TESTED_ELSEWHERE = {"unreadable", "invalid", "missing", "repeated"}  # of tables that know their rows


def test_every_function_is_in_the_table():
    assert set(TABLE) | TESTED_ELSEWHERE >= set(BUILTINS)
    assert set(TABLE) <= set(BUILTINS)


@pytest.mark.parametrize(("text", "values", "expected"), [row for rows in TABLE.values() for row in rows])
def test_functions(text, values, expected):
    assert repr(run(text, **values)) == repr(expected)


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "t", [], [None], [[1]], {}, {"a": None}])
@pytest.mark.parametrize("name", sorted(set(TABLE) - {"credit"}))
def test_no_value_makes_a_function_fail(name, value):
    """Whatever the argument is, there is a result; checked with a second argument of each kind where one is wanted."""
    calls = [f"{name}(x)", *(f"{name}(x, {second})" for second in ("x", "1", "e -> x")), f"{name}(x, e -> x, x)"]
    possible = [call for call in calls if not Inferred(call, {"x": ANY}).problems]
    assert possible
    for call in possible:
        Compiled(call, {"x": ANY}).run({"x": value})


numbers = st.one_of(st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False))


@given(st.lists(numbers, max_size=6))
def test_sums_do_not_depend_on_the_order(xs):
    exact = sum(map(Fraction, xs))
    found = run("sum(xs)", xs=xs)
    assert found == run("sum(xs)", xs=xs[::-1])
    assert found is None or math.isclose(found, exact, rel_tol=1e-15)


@given(numbers, numbers, numbers)
def test_credit_lies_between_nothing_and_all(x, full, zero):
    found = run("credit(x, full=full, zero=zero)", x=x, full=full, zero=zero)
    assert (found is None) == (full == zero)
    assert found is None or 0 <= found <= 1


@given(st.lists(numbers, min_size=1, max_size=6), st.floats(0, 100))
def test_percentiles_lie_between_the_extremes(xs, q):
    found = run("percentile(xs, q)", xs=xs, q=q)
    width = max(abs(x) for x in xs) * 1e-15
    assert min(xs) - width <= found <= max(xs) + width


nested = st.recursive(
    st.one_of(st.none(), st.booleans(), st.sampled_from((0, 1, 1.0, -0.0, 2, 0.5, "", "a", "list", "record"))),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)),
    max_leaves=5,
)


@given(nested, nested)
def test_keys_are_equal_exactly_for_equal_values(a, b):
    assert (canonical(a) == canonical(b)) == run("a == b", a=a, b=b)
    assert canonical(a) == canonical(a)
    if canonical(a) == canonical(b):
        assert hash(canonical(a)) == hash(canonical(b))
