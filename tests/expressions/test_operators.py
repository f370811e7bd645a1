"""The rules of the operators, as tables. Every row holds with known types and with unknown ones."""

import pytest
from expression_harness import Compiled, run

from rubric.engine.expressions.types import ANY, NUMBER, Type

A, B = {"a": 1, "b": [2]}, {"b": [2.0], "a": 1.0}


def rows(*table):
    return pytest.mark.parametrize(("text", "values", "expected"), table, ids=[row[0] + str(row[1]) for row in table])


def check(text, values, expected):
    found = run(text, **values)
    assert repr(found) == repr(expected)


# ---------------------------------------------------------------- null


@pytest.mark.parametrize(
    "text", ["x + 1", "1 + x", "x - 1", "1 - x", "x * 0", "0 * x", "x / 1", "0 / x", "x ** 0", "-x"]
)
def test_null_stays_null_through_arithmetic(text):
    assert run(text, x=None) is None


@pytest.mark.parametrize(
    "text", ["x < 1", "1 < x", "x <= 1", "x > 1", "x >= 1", "x < x", "x <= x", '"a" < x', "x in [1]"]
)
def test_null_stays_null_through_ordering_and_membership(text):
    assert run(text, x=None) is None


@pytest.mark.parametrize(
    "text", ["x.a", "x[0]", 'x["a"]', "[1][x]", "x..3", "1..x", "x + [1]", '"a" + x', "not x", "abs(x)"]
)
def test_null_stays_null_through_access(text):
    assert run(text, x=None) is None


@rows(
    ("x ?? 1", {"x": None}, 1),
    ("x ?? 1", {"x": 0}, 0),
    ("x ?? 1", {"x": False}, False),
    ("x ?? 1", {"x": []}, []),
    ("x ?? y ?? 3", {"x": None, "y": None}, 3),
    ("x ?? y ?? 3", {"x": None, "y": 2}, 2),
    ("x ?? null", {"x": None}, None),
)
def test_in_place_of_null(text, values, expected):
    check(text, values, expected)


# ---------------------------------------------------------------- arithmetic


@rows(
    ("x + y", {"x": 1, "y": 2}, 3),
    ("x + y", {"x": 1, "y": 2.0}, 3.0),
    ("x + y", {"x": 0.1, "y": 0.2}, 0.30000000000000004),
    ("x - y", {"x": 1, "y": 2}, -1),
    ("x * y", {"x": 3, "y": 2}, 6),
    ("x * y", {"x": 3, "y": 0.5}, 1.5),
    ("x / y", {"x": 6, "y": 3}, 2.0),
    ("x / y", {"x": 1, "y": 3}, 0.3333333333333333),
    ("x / y", {"x": 1, "y": 0}, None),
    ("x / y", {"x": 0, "y": 0}, None),
    ("x / y", {"x": 1.0, "y": -0.0}, None),
    ("x / y", {"x": 1e300, "y": 1e-300}, None),
    ("x / y", {"x": 5e-324, "y": 2}, 0.0),
    ("x + y", {"x": 1e308, "y": 1e308}, None),
    ("x - y", {"x": -1e308, "y": 1e308}, None),
    ("x * y", {"x": 1e200, "y": -1e200}, None),
    ("x + y < 1", {"x": 1e308, "y": 1e308}, None),
    ("(x + y) - y", {"x": 1e308, "y": 1e308}, None),
    ("x + y", {"x": True, "y": 1}, None),
    ("x * y", {"x": "2", "y": 2}, None),
    ("-x", {"x": 0.0}, -0.0),
    ("-x", {"x": 0}, 0),
    ("-x", {"x": True}, None),
    ("x + y", {"x": "a", "y": "b"}, "ab"),
    ("x + y", {"x": "a", "y": 1}, None),
    ("x + y", {"x": [1], "y": ["b"]}, [1, "b"]),
    ("x + y", {"x": [], "y": []}, []),
    ("x + y", {"x": [1], "y": "b"}, None),
    ("x + y", {"x": {"a": 1}, "y": {"b": 1}}, None),
)
def test_arithmetic(text, values, expected):
    check(text, values, expected)


@rows(
    ("x ** y", {"x": 2, "y": 10}, 1024),
    ("x ** y", {"x": 2, "y": 2.0}, 4.0),
    ("x ** y", {"x": 2, "y": -1}, 0.5),
    ("x ** y", {"x": 2, "y": 0.5}, 1.4142135623730951),
    ("x ** y", {"x": 2.0, "y": 3}, 8.0),
    ("x ** y", {"x": -2, "y": 3}, -8),
    ("x ** y", {"x": -2, "y": 0.5}, None),
    ("x ** y", {"x": 0, "y": 0}, 1),
    ("x ** y", {"x": 0, "y": -1}, None),
    ("x ** y", {"x": 0.0, "y": -2.5}, None),
    ("x ** y", {"x": 10, "y": 400}, None),
    ("x ** y", {"x": 0.1, "y": 2}, 0.010000000000000002),
    ("x ** y", {"x": 3, "y": 33}, 5559060566555523),
    ("x ** y", {"x": 2, "y": 53}, 2**53),
    ("x ** y", {"x": 2, "y": 54}, 2.0**54),
    ("x ** y", {"x": -1, "y": 2**53}, 1.0),
    ("x ** y", {"x": 1.1, "y": 10}, 2.5937424601000023),
    ("x ** y", {"x": 1e200, "y": 2}, None),
    ("x ** y", {"x": 1e-200, "y": 2}, 0.0),
    ("x ** y", {"x": 2, "y": 2000}, None),
    ("2 ** 3 ** 2", {}, 512),
    ("-2 ** 2", {}, -4),
    ("(-2) ** 2", {}, 4),
    ("2 ** -1", {}, 0.5),
    ("2 * 3 ** 2", {}, 18),
    ("-x ** 2", {"x": 3}, -9),
    ("2 ** -x ** 2", {"x": 1}, 0.5),
)
def test_powers(text, values, expected):
    check(text, values, expected)


@rows(
    ("x + 1", {"x": 2**53 - 1}, 2**53),
    ("x + 1", {"x": 2**53}, 9007199254740992.0),
    ("x + 2", {"x": 2**53}, 9007199254740994.0),
    ("-x - 2", {"x": 2**53}, -9007199254740994.0),
    ("x * x", {"x": 2**53}, 8.112963841460668e31),
    ("x - 1 == x - 2", {"x": 2**53}, False),
    ("9007199254740993 == 9007199254740992", {}, True),
    ("9007199254740993", {}, 9007199254740992.0),
    ("9007199254740992", {}, 9007199254740992),
)
def test_whole_numbers_past_two_to_the_53_are_floats(text, values, expected):
    check(text, values, expected)


@rows(
    ("1..3", {}, [1, 2, 3]),
    ("3..3", {}, [3]),
    ("3..2", {}, []),
    ("-1..1", {}, [-1, 0, 1]),
    ("0..k - 1", {"k": 2}, [0, 1]),
    ("x..y", {"x": 1.0, "y": 2.0}, [1, 2]),
    ("x..y", {"x": 1.5, "y": 3}, None),
    ("x..y", {"x": 1, "y": 2.5}, None),
    ("x..y", {"x": True, "y": 3}, None),
    ("x..y", {"x": "a", "y": 3}, None),
    ("x..y", {"x": 1e300, "y": 1e300}, None),
    ("count(x..y)", {"x": 2**53 - 1, "y": 2**53}, 2),
    ("count(1..1000000)", {}, 1_000_000),
    ("1..1000001", {}, None),
    ("count(1000000..1)", {}, 0),
)
def test_ranges(text, values, expected):
    check(text, values, expected)


# ---------------------------------------------------------------- columns


@rows(
    ("x * 2", {"x": [1, 2.5]}, [2, 5.0]),
    ("2 * x", {"x": [1, 2.5]}, [2, 5.0]),
    ("x - y", {"x": [5, 7], "y": [1, 2]}, [4, 5]),
    ("x / y", {"x": [1, 1], "y": [2, 0]}, [0.5, None]),
    ("x ** 2", {"x": [1, 3]}, [1, 9]),
    ("-x", {"x": [1, None, "a"]}, [-1, None, None]),
    ("x + 1", {"x": [1, None, "a", True]}, [2, None, None, None]),
    ("1 + x", {"x": [1]}, [2]),
    ("x + y", {"x": [1], "y": [2]}, [1, 2]),
    ("x - y", {"x": [1, 2], "y": [1]}, None),
    ("x - y", {"x": [], "y": []}, []),
    ("x * null", {"x": [1]}, None),
    ("x * y", {"x": [1, 2], "y": "a"}, [None, None]),
    ("x * y", {"x": [[1], 2], "y": 2}, [None, 4]),
    ("x * y", {"x": [2], "y": [[1]]}, [None]),
    ("x < 2", {"x": [1, 2, None]}, [True, False, None]),
    ("2 >= x", {"x": [1, 3]}, [True, False]),
    ("x <= y", {"x": [1, 2], "y": [1, 1]}, [True, False]),
    ("x > y", {"x": [1], "y": [1, 1]}, None),
    ('x > "a"', {"x": ["b", "a", 1]}, [True, False, None]),
    ("x < null", {"x": [1]}, None),
    ("0 < x < 3", {"x": [0, 1, 3, None]}, [False, True, False, None]),
    ("x and y", {"x": [True, True, False, None], "y": [True, None, None, False]}, [True, None, False, False]),
    ("x or y", {"x": [True, False, False, None], "y": [None, None, False, True]}, [True, None, False, True]),
    ("x and y", {"x": [True], "y": [True, True]}, None),
    ("x and true", {"x": [True, None, 1]}, [True, None, None]),
    ("false and x", {"x": [True, None]}, [False, False]),
    ("true or x", {"x": [True, None]}, [True, True]),
    ("null and x", {"x": [True, False]}, [None, False]),
    ("x and y", {"x": [[True]], "y": False}, [None]),
    ("not x", {"x": [True, False, None, 1, [True]]}, [False, True, None, None, None]),
    ("x == y", {"x": [1, 2], "y": [1.0, 2]}, True),
    ("x != 1", {"x": [1, 1]}, True),
    ("x in y", {"x": [1], "y": [[1]]}, True),
    ("(x if c else y) * 2", {"x": [1], "y": 3, "c": False}, 6),
    ("(x if c else y) * 2", {"x": [1], "y": 3, "c": True}, [2]),
    ("(x ?? y) * 2", {"x": None, "y": [1]}, [2]),
    ("count(filter(x > 1, b -> b))", {"x": [1, 2, 3]}, 2),
    ("mean(rows.a - rows.b)", {"rows": [{"a": 3, "b": 1}, {"a": 5, "b": 1}]}, 3.0),
    ("x if y > 1 else 0", {"x": 1, "y": [2]}, 0),
)
def test_operators_go_through_columns_member_by_member(text, values, expected):
    check(text, values, expected)


# ---------------------------------------------------------------- comparison


@rows(
    ("x < y", {"x": 1, "y": 1.5}, True),
    ("x < y", {"x": 1, "y": 1.0}, False),
    ("x <= y", {"x": 1, "y": 1.0}, True),
    ("x > y", {"x": -0.0, "y": 0}, False),
    ("x >= y", {"x": -0.0, "y": 0}, True),
    ("x < y", {"x": 2**53 - 1, "y": 2.0**53}, True),
    ("x < y", {"x": "a", "y": "b"}, True),
    ("x < y", {"x": "B", "y": "a"}, True),
    ("x < y", {"x": "a", "y": "ab"}, True),
    ("x < y", {"x": "é", "y": "z"}, False),
    ("x < y", {"x": "1", "y": 2}, None),
    ("x < y", {"x": True, "y": 2}, None),
    ("x < y", {"x": False, "y": True}, None),
    ("x < y", {"x": {"a": 1}, "y": {"a": 2}}, None),
    ("x < y", {"x": 0.1 + 0.2, "y": 0.3}, False),
)
def test_ordering(text, values, expected):
    check(text, values, expected)


@rows(
    ("x == y", {"x": None, "y": None}, True),
    ("x == y", {"x": None, "y": 0}, False),
    ("x == y", {"x": None, "y": False}, False),
    ("x == y", {"x": 1, "y": 1.0}, True),
    ("x == y", {"x": 0, "y": -0.0}, True),
    ("x == y", {"x": True, "y": 1}, False),
    ("x == y", {"x": False, "y": 0}, False),
    ("x == y", {"x": True, "y": True}, True),
    ("x == y", {"x": "1", "y": 1}, False),
    ("x == y", {"x": "é", "y": "e\u0301"}, False),
    ("x == y", {"x": [1, 2], "y": [1.0, 2.0]}, True),
    ("x == y", {"x": [1, 2], "y": [2, 1]}, False),
    ("x == y", {"x": [1], "y": [True]}, False),
    ("x == y", {"x": [[True], 1], "y": [[1], 1]}, False),
    ("x == y", {"x": [None], "y": [None]}, True),
    ("x == y", {"x": [], "y": {}}, False),
    ("x == y", {"x": A, "y": B}, True),
    ("x == y", {"x": {"a": 1}, "y": {"a": 1, "b": None}}, False),
    ("x == y", {"x": {"a": True}, "y": {"a": 1}}, False),
    ("x == null", {"x": None}, True),
    ("x == null", {"x": 0}, False),
    ("null != x", {"x": ""}, True),
    ("x != y", {"x": 1, "y": True}, True),
    ("x != y", {"x": A, "y": B}, False),
    ("x == y", {"x": 2**53 - 1, "y": 2.0**53}, False),
)
def test_equality_is_total(text, values, expected):
    check(text, values, expected)


@rows(
    ("0 <= x < 1", {"x": 0}, True),
    ("0 <= x < 1", {"x": 1}, False),
    ("0 <= x < 1", {"x": None}, None),
    ("1 < x < y", {"x": 0, "y": None}, False),
    ("1 < x < y", {"x": 2, "y": None}, None),
    ("x == y == z", {"x": 1, "y": 1, "z": 1}, True),
    ("x == y == z", {"x": True, "y": True, "z": 1}, False),
    ("x != y != z", {"x": 1, "y": 2, "z": 1}, True),
    ("1 < x in y", {"x": 2, "y": [2]}, True),
    ("x < y == true", {"x": 1, "y": 2}, False),
    ("(x < y) == true", {"x": 1, "y": 2}, True),
)
def test_chains_join_their_comparisons_by_and(text, values, expected):
    check(text, values, expected)


@pytest.mark.parametrize("known", [NUMBER, NUMBER.or_null(), ANY])
def test_a_chain_evaluates_its_operands_once(known):
    asked = []

    def ask(x):
        asked.append(x)
        return x

    def evaluated(text, **values):
        asked.clear()
        compiled = Compiled(text, {**dict.fromkeys(values, known), "ask": ANY}, {"f": (("p",), "p")})
        compiled.namespace["f_f"] = lambda s, p: ask(p)
        return compiled.run({**values, "ask": None}), list(asked)

    assert evaluated("0 < f(x) < f(y) < 9", x=1, y=2) == (True, [1, 2])
    assert evaluated("f(x) == f(y) == f(x)", x=1, y=1) == (True, [1, 1, 1])
    assert evaluated("0 < f(x) in [1, 2]", x=2) == (True, [2])


@rows(
    ("x in y", {"x": 1, "y": [1.0, 2]}, True),
    ("x in y", {"x": 3, "y": [1, 2]}, False),
    ("x in y", {"x": 1, "y": [True]}, False),
    ("x in y", {"x": True, "y": [1, True]}, True),
    ("x in y", {"x": 1, "y": [True, 1]}, True),
    ("x in y", {"x": [1], "y": [[1.0]]}, True),
    ("x in y", {"x": {"a": 1}, "y": [{"a": 1}]}, True),
    ("x in y", {"x": 1, "y": []}, False),
    ("x in y", {"x": 1, "y": [None, 1]}, True),
    ("x in y", {"x": 1, "y": [None, 2]}, None),
    ("x in y", {"x": None, "y": [None]}, None),
    ("x in y", {"x": None, "y": []}, None),
    ("x in y", {"x": 1, "y": None}, None),
    ("x in y", {"x": "a", "y": {"a": None}}, True),
    ("x in y", {"x": "b", "y": {"a": None}}, False),
    ("x in y", {"x": 1, "y": {"a": None}}, None),
    ("x in y", {"x": "b", "y": "abc"}, True),
    ("x in y", {"x": "", "y": "abc"}, True),
    ("x in y", {"x": "B", "y": "abc"}, False),
    ("x in y", {"x": 1, "y": "1"}, None),
    ("x in y", {"x": 1, "y": 1}, None),
    ("x not in y", {"x": 1, "y": [2]}, True),
    ("x not in y", {"x": 1, "y": [1, None]}, False),
    ("x not in y", {"x": 1, "y": [2, None]}, None),
    ("x not in y", {"x": None, "y": [1]}, None),
)
def test_membership(text, values, expected):
    check(text, values, expected)


# ---------------------------------------------------------------- logic

LOGIC = [
    *((True, True, True, True), (True, False, False, True), (False, True, False, True), (False, False, False, False)),
    *((True, None, None, True), (None, True, None, True), (False, None, False, None), (None, False, False, None)),
    *((None, None, None, None), (1, True, None, True), (1, False, False, None), ("a", None, None, None)),
]


@pytest.mark.parametrize(("x", "y", "both", "either"), LOGIC)
def test_logic_has_three_values(x, y, both, either):
    assert run("x and y", x=x, y=y) is both
    assert run("x or y", x=x, y=y) is either


@rows(
    ("not x", {"x": True}, False),
    ("not x", {"x": False}, True),
    ("not x", {"x": None}, None),
    ("not x", {"x": 0}, None),
    ("not x == y", {"x": 1, "y": 2}, True),
    ("not x and y", {"x": True, "y": False}, False),
    ("x or y and z", {"x": True, "y": False, "z": False}, True),
    ("(x or y) and z", {"x": True, "y": False, "z": False}, False),
    ("not not x", {"x": True}, True),
)
def test_not_and_the_order_of_logic(text, values, expected):
    check(text, values, expected)


@rows(
    ("1 if x else 2", {"x": True}, 1),
    ("1 if x else 2", {"x": False}, 2),
    ("1 if x else 2", {"x": None}, 2),
    ("1 if x else 2", {"x": 1}, 2),
    ("1 if x else 2", {"x": "true"}, 2),
    ("1 if x else 2", {"x": [True]}, 2),
    ("1 if not x else 2", {"x": None}, 2),
    ("1 if x > 0 else 2 if x < 0 else 3", {"x": 0}, 3),
    ("1 if x > 0 else 2 if x < 0 else 3", {"x": -1}, 2),
    ("count([true, false, null, 1], b -> b)", {}, 1),
    ("filter([true, false, null, 1], b -> b)", {}, [True]),
)
def test_if_and_filters_hold_only_on_true(text, values, expected):
    check(text, values, expected)


# ---------------------------------------------------------------- which binds tighter


@rows(
    ("1 + 2 * 3", {}, 7),
    ("(1 + 2) * 3", {}, 9),
    ("10 - 4 - 3", {}, 3),
    ("16 / 4 / 2", {}, 2.0),
    ("2 * 3 / 4", {}, 1.5),
    ("-x * 2", {"x": 3}, -6),
    ("- - x", {"x": 3}, 3),
    ("x ?? 1 + 1", {"x": None}, 2),
    ("x ?? 1 + 1", {"x": 5}, 5),
    ("x ?? 0 < 1", {"x": None}, True),
    ("x ?? 5 < 1", {"x": None}, False),
    ("1 < x ?? 5", {"x": None}, True),
    ("count(1..2 + 1)", {}, 3),
    ("x ?? 1..2", {"x": None}, [1, 2]),
    ("1 + 1 == 2 and 2 < 3", {}, True),
    ("1 if true else 2 + 3", {}, 1),
    ("x.a + x.b[0]", {"x": {"a": 1, "b": [2]}}, 3),
    ("-x[0]", {"x": [3]}, -3),
    ("2 ** x[0]", {"x": [3]}, 8),
    ("not x in y", {"x": 1, "y": [2]}, True),
)
def test_precedence(text, values, expected):
    check(text, values, expected)


# ---------------------------------------------------------------- access


@rows(
    ("x.a", {"x": {"a": 1}}, 1),
    ("x.b", {"x": {"a": 1}}, None),
    ("x.a.b", {"x": {"a": {"b": 2}}}, 2),
    ("x.a", {"x": [{"a": 1}, {"b": 2}, None, 3]}, [1, None, None, None]),
    ("x.a", {"x": [[{"a": 1}], []]}, [[1], []]),
    ("x.a", {"x": []}, []),
    ("x.a", {"x": "text"}, None),
    ("x.in", {"x": {"in": 1}}, 1),
    ("x[0]", {"x": [7, 8]}, 7),
    ("x[1.0]", {"x": [7, 8]}, 8),
    ("x[2]", {"x": [7, 8]}, None),
    ("x[-1]", {"x": [7, 8]}, None),
    ("x[0.5]", {"x": [7, 8]}, None),
    ("x[true]", {"x": [7, 8]}, None),
    ('x["a"]', {"x": [7, 8]}, None),
    ('x["a b"]', {"x": {"a b": 1}}, 1),
    ('x["c"]', {"x": {"a b": 1}}, None),
    ("x[1]", {"x": {"1": 1}}, None),
    ("x[y]", {"x": {"a": 1}, "y": ["a"]}, None),
    ("x[0]", {"x": "text"}, None),
)
def test_access(text, values, expected):
    check(text, values, expected)


def test_tables_are_looked_up_by_equal_keys():
    table = {1: "one", 2.5: "more", False: "no", "t": "text"}
    compiled = Compiled("x[y]", {"x": ANY, "y": ANY})
    found = {key: compiled.run({"x": table, "y": key}) for key in ("t", "1", 2.5, 3, None)}
    assert found == {"t": "text", "1": None, 2.5: "more", 3: None, None: None}
    found = [compiled.run({"x": table, "y": key}) for key in (1, 1.0, True, 0, 0.0, False)]
    assert found == ["one", "one", None, None, None, "no"]


def test_records_of_known_fields_and_maps_are_read_alike():
    record = Type("record", fields=(("a", NUMBER),))
    for known in (record, record.or_null(), Type("map", element=NUMBER), ANY):
        compiled = Compiled('[x.a, x["a"]]', {"x": known})
        assert compiled.run({"x": {"a": 1}}) == [1, 1]
        if known.nullable:
            assert compiled.run({"x": None}) == [None, None]
