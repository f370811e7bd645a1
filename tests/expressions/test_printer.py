"""Trees as text: parsing the text of a tree gives the tree, whatever the tree."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric.engine.expressions import syntax
from rubric.engine.expressions.parser import KEYWORDS, parse
from rubric.engine.expressions.printer import show

names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,3}", fullmatch=True).filter(lambda name: name not in KEYWORDS)
fields = st.one_of(names, st.sampled_from(sorted(KEYWORDS)))
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
leaves = st.one_of(
    st.builds(syntax.Number, st.integers(0, 2**53)),
    st.builds(syntax.Number, st.floats(min_value=0, allow_nan=False, allow_infinity=False)),
    st.builds(syntax.Text, texts),
    st.builds(syntax.Boolean, st.booleans()),
    st.just(syntax.Null()),
    st.builds(syntax.Name, names),
)
BINARY = ("+", "-", "*", "/", "**", "..", "and", "or", "??")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")


def larger(inner: st.SearchStrategy) -> st.SearchStrategy:
    parameters = st.lists(names, min_size=1, max_size=3, unique=True).map(tuple)
    arguments = st.one_of(inner, st.builds(syntax.Lambda, parameters, inner))
    different = st.lists(names, max_size=2, unique=True)
    named = st.tuples(different, arguments, arguments).map(lambda drawn: tuple(zip(drawn[0], drawn[1:], strict=False)))
    rest = st.lists(st.tuples(st.sampled_from(COMPARISONS), inner), min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(syntax.Items, st.lists(inner, max_size=3).map(tuple)),
        st.builds(syntax.Unary, st.sampled_from(("-", "not")), inner),
        st.builds(syntax.Binary, st.sampled_from(BINARY), inner, inner),
        st.builds(syntax.Comparison, inner, rest),
        st.builds(syntax.Conditional, inner, inner, inner),
        st.builds(syntax.Field, inner, fields),
        st.builds(syntax.Index, inner, inner),
        st.builds(syntax.Call, st.one_of(st.none(), names), names, st.lists(arguments, max_size=2).map(tuple), named),
    )


nested = st.recursive(leaves, larger, max_leaves=12)


@st.composite
def trees(draw) -> syntax.Tree:
    """Any tree that has a text, whether it means anything or not."""
    return draw(nested)


@settings(max_examples=200, deadline=None)
@given(trees())
def test_the_text_of_a_tree_parses_to_the_tree(tree):
    assert parse(show(tree)) == tree


@settings(max_examples=50, deadline=None)
@given(trees())
def test_the_text_says_the_same_with_brackets_around(tree):
    assert parse(f"(\n {show(tree)}\t)") == tree


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("(a)", "a"),
        ("((a + b)) + c", "a + b + c"),
        ("a + (b + c)", "a + (b + c)"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a * b) + c", "a * b + c"),
        ("a * (b + c)", "a * (b + c)"),
        ("(-2) ** 2", "(-2) ** 2"),
        ("-(2 ** 2)", "-2 ** 2"),
        ("2 ** (3 ** 2)", "2 ** 3 ** 2"),
        ("(2 ** 3) ** 2", "(2 ** 3) ** 2"),
        ("2 ** (-1)", "2 ** -1"),
        ("not (a and b)", "not (a and b)"),
        ("(not a) and b", "not a and b"),
        ("not (a == b)", "not a == b"),
        ("(not a) == b", "(not a) == b"),
        ("(a < b) == c", "(a < b) == c"),
        ("a < b == c", "a < b == c"),
        ("(a ?? b) < c", "a ?? b < c"),
        ("a ?? (b < c)", "a ?? (b < c)"),
        ("(a if b else c) + 1", "(a if b else c) + 1"),
        ("a if b else (c if d else e)", "a if b else c if d else e"),
        ("(a if b else c) if d else e", "(a if b else c) if d else e"),
        ("1 .. n+1", "1..n + 1"),
        ("(1..n)[0]", "(1..n)[0]"),
        ("+a", "a"),
        ("f( x , y = 1, )", "f(x, y=1)"),
        ("count(xs, x->x>1)", "count(xs, x -> x > 1)"),
        ("'it\\'s'", '"it\'s"'),
        ('"a\\n\\u00e9\\\\"', '"a\\né\\\\"'),
        ('"\\ud83d\\ude00"', '"😀"'),
        ("0.10", "0.10"),
        ("1e-3", "1e-3"),
        ("a not in b", "a not in b"),
    ],
)
def test_no_more_brackets_than_needed(written, shown):
    assert show(parse(written)) == shown
    assert parse(shown) == parse(written)


def test_blocks_are_shown_for_reading():
    steps = syntax.Steps((("a", parse("x + 1")), ("b", parse("a * 2"))), parse("b"))
    assert show(steps) == "{a: x + 1; b: a * 2; result: b}"
    each = syntax.ForEach((("x", parse("xs")),), syntax.Steps((("a", parse("x")),)), where=parse("x > 1"))
    assert show(each) == "for each x in xs: {a: x}; where x > 1"
    group = syntax.Group(parse("rows"), ("k",), syntax.Steps((("n", parse("count(v)")),)))
    assert show(group) == "group rows by k: {n: count(v)}"
    assert show(syntax.Placed(parse("a"), source=object())) == "a"
