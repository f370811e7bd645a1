"""Blocks: mappings in an expression's place, tables and groups; compiled and by the reference."""

import pytest
from expression_harness import Compiled, Inferred, conforms
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_evaluator import evaluate

from rubric.engine.expressions import syntax, types
from rubric.engine.expressions.inference import MAX_LISTS
from rubric.engine.expressions.parser import parse
from rubric.engine.expressions.runtime import StepLimit
from rubric.engine.expressions.types import ANY, NUMBER, TEXT


def steps(result: str | None = None, **members: str | syntax.Tree) -> syntax.Steps:
    parsed = {name: parse(part) if isinstance(part, str) else part for name, part in members.items()}
    return syntax.Steps(tuple(parsed.items()), parse(result) if result is not None else None)


def for_each(columns: syntax.Steps, *, where=None, key=None, value=None, **names: str) -> syntax.ForEach:
    lists = tuple((name, parse(part)) for name, part in names.items())
    parts = {name: parse(part) for name, part in {"where": where, "key": key, "value": value}.items() if part}
    return syntax.ForEach(lists, columns, **parts)


def group(of: str, *by: str, **columns: str) -> syntax.Group:
    return syntax.Group(parse(of), by, steps(**columns))


ROW = types.record_of({"k": TEXT.or_null(), "v": NUMBER, "w": NUMBER.or_null()})
BLOCKS = {
    "a record": steps(a="x + 1", b="a * 2"),
    "a result": steps("a + b", a="x + 1", b="a * 2"),
    "records inside": steps(a=steps(b="x", c=steps("b + 1", d="b")), e="a.c"),
    "nothing": steps(),
    "a row each": for_each(steps(double="r.v * 2"), r="rows"),
    "a row a pair": for_each(steps(sum="r.v + n"), r="rows", n="1..2"),
    "a later list by an earlier name": for_each(steps(m="n"), r="rows", n="0..count(rows) - 1"),
    "where": for_each(steps(double="r.v * 2"), r="rows", where="double > x"),
    "by key": for_each(steps(double="r.v * 2"), r="rows", key="r.k"),
    "a value each": for_each(steps(double="r.v * 2"), r="rows", value="double + x"),
    "a value by key": for_each(steps(), r="rows", key="r.k", value="r.v", where="r.w != null"),
    "no columns": for_each(steps(), r="rows"),
    "groups": group("rows", "k", n="count(v)", total="sum(v)", least="min(w)"),
    "groups by several": group("rows", "k", "w", n="count(v)"),
    "groups of chosen rows": group("filter(rows, r -> r.v > 0)", "k", n="count(v)", mean="mean(w)"),
    "a table of a table": for_each(steps(n="g.n + x"), g="rows", where="g.n == null"),
    "steps in a table": for_each(steps(a=steps("b + 1", b="r.v"), c="a + 1"), r="rows"),
    "a list that is none": for_each(steps(a="r"), r="x"),
}
rows = st.lists(
    st.fixed_dictionaries(
        {
            "k": st.sampled_from(("a", "b", "", None)),
            "v": st.integers(-3, 3),
            "w": st.one_of(st.none(), st.sampled_from((0, 1, 1.0, 2.5))),
        }
    ),
    max_size=5,
)


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
@settings(max_examples=15, deadline=None)
@given(st.one_of(rows, rows, st.none()), st.integers(-2, 2))
def test_blocks_agree_with_the_reference(block, rows, x):
    values = {"rows": rows, "x": x}
    table = types.list_of(ROW, nullable=rows is None)
    expected = evaluate(block, values)
    for known in ({"rows": table, "x": NUMBER}, {"rows": table.or_null(), "x": ANY}):
        compiled = Compiled(block, known)
        assert compiled.run(values) == expected
        assert conforms(expected, compiled.type)


def test_a_table_over_null_is_null():
    assert Compiled(BLOCKS["a row each"], {"rows": ANY, "x": ANY}).run({"rows": None, "x": 1}) is None
    inner = for_each(steps(), r="rows", m="r.w")
    assert Compiled(inner, {"rows": ANY}).run({"rows": [{"w": [1]}, {"w": None}]}) is None
    assert Compiled(BLOCKS["groups"], {"rows": types.list_of(ROW).or_null()}).run({"rows": None}) is None


def test_rows_hold_their_names_then_their_columns():
    found = Compiled(for_each(steps(a="n + 1"), r="rows", n="1..1"), {"rows": ANY}).run({"rows": [5]})
    assert [list(row) for row in found] == [["r", "n", "a"]]
    found = Compiled(BLOCKS["groups by several"], {"rows": types.list_of(ROW)}).run(
        {"rows": [{"k": "a", "v": 1, "w": 2}]}
    )
    assert found == [{"k": "a", "w": 2, "n": 1}]


def test_groups_are_of_equal_values_in_order_of_first_appearance():
    rows = [{"k": k, "v": v, "w": None} for k, v in (("b", 1), (None, 2), ("b", 3), ("a", 4), (None, 5))]
    found = Compiled(group("rows", "k", vs="v"), {"rows": types.list_of(ROW)}).run({"rows": rows})
    assert found == [{"k": "b", "vs": [1, 3]}, {"k": None, "vs": [2, 5]}, {"k": "a", "vs": [4]}]


def test_work_in_blocks_is_counted():
    names = {f"n{i}": "1..100" for i in range(4)}
    for block in (for_each(steps(a="n0"), **names), for_each(steps(a="1..100000", b="a", c="a"), r="1..1000")):
        with pytest.raises(StepLimit):
            Compiled(block, {}).run({}, steps=500_000)
    many = [{"k": str(i), "v": i, "w": None} for i in range(1_000)]
    slow = group("rows", "k", a=" + ".join(["count(v)"] * 90))
    with pytest.raises(StepLimit):
        Compiled(slow, {"rows": types.list_of(ROW)}).run({"rows": many}, steps=100_000)
    large = syntax.Group(parse("map(rows, r -> r)"), ("k",), steps(n="count(v)"))
    shared = types.record_of({"k": types.list_of(NUMBER), "v": NUMBER})
    keyed = [{"k": list(range(10_000)), "v": 1}] * 100
    with pytest.raises(StepLimit):
        Compiled(large, {"rows": types.list_of(shared)}).run({"rows": keyed}, steps=1_000_000)


def test_more_lists_than_python_can_nest_are_refused():
    names = {f"n{i}": "1..1" for i in range(MAX_LISTS + 1)}
    messages = [problem.message for problem in Inferred(for_each(steps(), **names), {}).problems]
    assert messages == ["a block goes through 16 lists at most"]
    names.popitem()
    assert len(Compiled(for_each(steps(), **names), {}).run({})) == 1


def test_deep_blocks_run():
    block = steps("x")
    for _ in range(60):
        block = steps("a", a=block)
    assert Compiled(block, {"x": NUMBER}).run({"x": 7}) == 7
