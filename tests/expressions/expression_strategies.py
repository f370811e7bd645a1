"""Random values and random trees, mostly well typed, for comparing interpreters."""

from typing import Any

from hypothesis import strategies as st

from rubric.engine.expressions import syntax

# ---------------------------------------------------------------- values

INTERESTING = (
    *(0, 1, -1, 2, 3, 10, 2**53, -(2**53), 2**53 - 1, 0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 0.1, 1e-9, 1.0),
    *(1e16, 1e200, -1e200, 1e308, -1e308, 1.7976931348623157e308, -1.7976931348623157e308, 5e-324, 1e-300),
)
integers = st.integers(-(2**53), 2**53)
floats = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.one_of(st.sampled_from(INTERESTING), st.integers(-5, 12), integers, floats)
texts = st.one_of(st.sampled_from(("", "a", "b", "ab", "B", "é", "10")), st.text(max_size=4))
booleans = st.booleans()


def or_null(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.one_of(values, values, st.none())


singles = st.one_of(numbers, texts, booleans, st.none())
anything = st.recursive(
    singles,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(("a", "b", "x", "items")), inner, max_size=3)
    ),
    max_leaves=6,
)
records = st.fixed_dictionaries({"a": numbers, "b": texts, "c": or_null(numbers), "d": st.lists(numbers, max_size=3)})

# What stands under each name, by the kind of value that a name has.
NAMES: dict[str, dict[str, st.SearchStrategy]] = {
    "number": {"n": numbers, "m": or_null(numbers), "i": st.integers(0, 4), "share": st.floats(0, 1)},
    "text": {"t": texts, "u": or_null(texts)},
    "boolean": {"b": booleans, "c": or_null(booleans)},
    "numbers": {
        "xs": st.lists(numbers, max_size=4),
        "ys": st.lists(or_null(numbers), max_size=4),
        "pair": st.lists(numbers, min_size=2, max_size=2),
    },
    "texts": {"ts": st.lists(texts, max_size=4), "us": or_null(st.lists(or_null(texts), max_size=3))},
    "booleans": {"bs": st.lists(or_null(booleans), min_size=2, max_size=2)},
    "record": {"r": records, "q": or_null(records)},
    "records": {"rows": st.lists(records, max_size=3)},
    "map": {"d": st.dictionaries(st.sampled_from(("a", "b", "x")), numbers, max_size=3)},
    "any": {"z": st.none(), "w": anything, "v": st.lists(anything, max_size=3)},
}
KINDS = tuple(NAMES)
FUNCTIONS = {
    "twice": (("p",), "p + p"),
    "instead": (("p", "q0"), "p ?? q0"),
    "near": (("p", "q0"), "abs(p - q0) <= 1"),
    "each_of": (("list", "what"), "map(list, what)"),
}


def names_in(tree: syntax.Tree) -> set[str]:
    return {node.id for node in syntax.walk(tree) if isinstance(node, syntax.Name)}


@st.composite
def scenes(draw) -> tuple[syntax.Tree, dict[str, Any]]:
    """A tree with a value for each name that it uses."""
    tree = draw(trees())
    known = {name: values for kind in NAMES.values() for name, values in kind.items()}
    return tree, {name: draw(known[name]) for name in sorted(names_in(tree)) if name in known}


# ---------------------------------------------------------------- trees


def _number(value: float) -> syntax.Tree:
    literal = syntax.Number(abs(value))
    return syntax.Unary("-", literal) if value < 0 else literal


literals = {
    "number": st.builds(_number, numbers),
    "text": st.builds(syntax.Text, texts),
    "boolean": st.builds(syntax.Boolean, booleans),
}


@st.composite
def trees(draw, kind: str | None = None, depth: int = 3, local: tuple[tuple[str, str], ...] = ()) -> syntax.Tree:
    """A tree that should give a value of a kind, now and then one that should not; `local` are names by their kinds."""
    kind = kind or draw(st.sampled_from(KINDS))
    chance = draw(st.integers(0, 99))
    if chance == 50:
        return syntax.Null()
    if chance in (51, 52):
        kind = draw(st.sampled_from(KINDS))
    if depth == 0 or 53 <= chance <= 65:
        return draw(_leaf(kind, local))
    makers = _MAKERS[kind] if chance < 80 else (_conditional, _instead, _member)
    return draw(st.sampled_from(makers))(draw, kind, depth - 1, local)


def _leaf(kind: str, local: tuple[tuple[str, str], ...]) -> st.SearchStrategy:
    names = [*(name for name, known in local if known == kind), *NAMES[kind]]
    found = st.builds(syntax.Name, st.sampled_from(names))
    return st.one_of(literals.get(kind, found), found, found)


def _conditional(draw, kind, depth, local):
    then, otherwise = draw(trees(kind, depth, local)), draw(trees(kind, depth, local))
    return syntax.Conditional(draw(trees("boolean", depth, local)), then, otherwise)


def _instead(draw, kind, depth, local):
    if draw(booleans):
        return syntax.Call(None, "instead", (draw(trees(kind, depth, local)), draw(trees(kind, depth, local))))
    return syntax.Binary("??", draw(trees(kind, depth, local)), draw(trees(kind, depth, local)))


_LISTS = {"number": "numbers", "text": "texts", "boolean": "booleans", "record": "records", "any": "any"}


def _member(draw, kind, depth, local):
    of = draw(trees(_LISTS.get(kind, "any"), depth, local))
    how = draw(st.sampled_from(("first", "last", "[]", "only")))
    return syntax.Index(of, draw(trees("number", depth, local))) if how == "[]" else syntax.Call(None, how, (of,))


def _function(draw, given: str, kind: str, depth, local) -> syntax.Lambda:
    name = f"e{len(local)}"
    return syntax.Lambda((name,), draw(trees(kind, depth, (*local, (name, given)))))


def _arithmetic(draw, kind, depth, local):
    operator = draw(st.sampled_from(("+", "-", "*", "/", "**", "+", "-", "*", "/")))
    other = kind if kind == "number" else draw(st.sampled_from(("number", "numbers")))
    sides = [draw(trees(kind, depth, local)), draw(trees(other, depth, local))]
    return syntax.Binary(operator, *(sides if draw(booleans) else reversed(sides)))


def _negative(draw, kind, depth, local):
    return syntax.Unary("-", draw(trees(kind, depth, local)))


def _over_numbers(draw, kind, depth, local):
    x = draw(trees(kind, depth, local))
    name = draw(st.sampled_from(("abs", "ceil", "floor", "round", "sqrt", "credit", "round", "twice")))
    if name == "credit":
        parts = (("full", draw(trees("number", 0, local))), ("zero", draw(trees("number", 0, local))))
        return syntax.Call(None, name, (x,), parts)
    if name == "round" and draw(booleans):
        return syntax.Call(None, name, (x, draw(trees("number", 0, local))))
    return syntax.Call(None, name, (x,))


def _of_a_list(draw, kind, depth, local):
    name = draw(st.sampled_from(("sum", "mean", "median", "min", "max", "count", "share", "percentile", "count_where")))
    if name == "share":
        return syntax.Call(None, name, (draw(trees("booleans", depth, local)),))
    if name == "count_where":
        where = _function(draw, "record", "boolean", depth, local)
        return syntax.Call(None, "count", (draw(trees("records", depth, local)), where))
    of = draw(trees("numbers", depth, local))
    others = (draw(trees("number", 0, local)),) if name == "percentile" else ()
    if name == "mean" and draw(booleans):
        others = (_function(draw, "number", "number", depth, local),)
    return syntax.Call(None, name, (of, *others))


def _of_several(draw, kind, depth, local):
    parts = [draw(trees("number", depth, local)) for _ in range(draw(st.integers(1, 3)))]
    return syntax.Call(None, draw(st.sampled_from(("min", "max"))), tuple(parts))


def _field_of(field):
    def make(draw, kind, depth, local):
        return syntax.Field(draw(trees("record", depth, local)), field)

    return make


def _column_of(field):
    def make(draw, kind, depth, local):
        return syntax.Field(draw(trees("records", depth, local)), field)

    return make


def _compared(draw, kind, depth, local):
    if kind == "booleans":
        operator = draw(st.sampled_from(("<", "<=", ">", ">=")))
        sides = (
            draw(trees("numbers", depth, local)),
            draw(trees(draw(st.sampled_from(("number", "numbers"))), 0, local)),
        )
        return syntax.Comparison(sides[0], ((operator, sides[1]),))
    of = draw(st.sampled_from(("number", "text", "any", "numbers", "record")))
    operators = (
        st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
        if of in ("number", "text")
        else st.sampled_from(("==", "!="))
    )
    rest = [(draw(operators), draw(trees(of, depth, local))) for _ in range(draw(st.sampled_from((1, 1, 2, 3))))]
    return syntax.Comparison(draw(trees(of, depth, local)), tuple(rest))


def _within(draw, kind, depth, local):
    item, among = draw(st.sampled_from((("number", "numbers"), ("text", "texts"), ("text", "text"), ("text", "map"))))
    operator = draw(st.sampled_from(("in", "not in")))
    return syntax.Comparison(draw(trees(item, depth, local)), ((operator, draw(trees(among, depth, local))),))


def _logical(draw, kind, depth, local):
    other = kind if kind == "boolean" else draw(st.sampled_from(("boolean", "booleans")))
    sides = [draw(trees(kind, depth, local)), draw(trees(other, depth, local))]
    operator = draw(st.sampled_from(("and", "or")))
    return syntax.Binary(operator, *(sides if draw(booleans) else reversed(sides)))


def _negated(draw, kind, depth, local):
    return syntax.Unary("not", draw(trees(kind, depth, local)))


def _all_or_any(draw, kind, depth, local):
    name = draw(st.sampled_from(("all", "any")))
    if draw(booleans):
        return syntax.Call(None, name, (draw(trees("booleans", depth, local)),))
    where = _function(draw, "record", "boolean", depth, local)
    return syntax.Call(None, name, (draw(trees("records", depth, local)), where))


def _near(draw, kind, depth, local):
    return syntax.Call(None, "near", (draw(trees("number", depth, local)), draw(trees("number", depth, local))))


def _string(draw, kind, depth, local):
    return syntax.Call(None, "string", (draw(trees(draw(st.sampled_from(KINDS)), depth, local)),))


def _joined(draw, kind, depth, local):
    return syntax.Binary("+", draw(trees(kind, depth, local)), draw(trees(kind, depth, local)))


_ELEMENTS = {"numbers": "number", "texts": "text", "booleans": "boolean", "records": "record", "any": "any"}


def _listed(draw, kind, depth, local):
    element = _ELEMENTS[kind]
    return syntax.Items(tuple(draw(trees(element, depth, local)) for _ in range(draw(st.integers(0, 3)))))


def _counted(draw, kind, depth, local):
    return syntax.Binary("..", draw(trees("number", 0, local)), draw(trees("number", 0, local)))


def _mapped(draw, kind, depth, local):
    source = draw(st.sampled_from(("numbers", "texts", "records")))
    of = draw(trees(source, depth, local))
    name = draw(st.sampled_from(("map", "each_of")))
    if name == "each_of":
        return syntax.Call(None, name, (of, syntax.Name("twice")))
    return syntax.Call(None, name, (of, _function(draw, _ELEMENTS[source], _ELEMENTS[kind], depth, local)))


def _shortened(draw, kind, depth, local):
    of, element = draw(trees(kind, depth, local)), _ELEMENTS[kind]
    name = draw(
        st.sampled_from(
            (
                "filter",
                "sort",
                "sort_by",
                "take",
                "skip",
                "distinct",
                "first_of_each",
                "last_of_each",
                "repeat",
                "flatten",
            )
        )
    )
    if name in ("take", "skip", "repeat"):
        return syntax.Call(None, name, (of, draw(trees("number", 0, local))))
    if name in ("sort", "distinct"):
        return syntax.Call(None, name, (of,))
    if name == "flatten":
        return syntax.Call(None, name, (syntax.Items((of, draw(trees(kind, depth, local)))),))
    result = "boolean" if name == "filter" else draw(st.sampled_from(KINDS))
    return syntax.Call(None, name.removesuffix("_by"), (of, _function(draw, element, result, depth, local)))


def _looked_up(draw, kind, depth, local):
    of, by = draw(trees("records", depth, local)), _function(draw, "record", "any", depth, local)
    return syntax.Call(None, "lookup", (of, by, draw(trees("any", depth, local))))


def _of_a_map(draw, kind, depth, local):
    of = draw(trees("map", depth, local))
    if kind == "text":
        return syntax.Call(None, "key_of_least", (of, _function(draw, "number", "number", depth, local)))
    return syntax.Call(None, {"texts": "keys", "numbers": "values"}[kind], (of,))


def _by_key(draw, kind, depth, local):
    return syntax.Index(draw(trees("map", depth, local)), draw(trees("text", depth, local)))


_MAKERS = {
    "number": (
        _arithmetic,
        _arithmetic,
        _negative,
        _over_numbers,
        _of_a_list,
        _of_several,
        _field_of("a"),
        _field_of("c"),
        _by_key,
    ),
    "text": (_string, _joined, _field_of("b"), _of_a_map),
    "boolean": (_compared, _compared, _within, _logical, _logical, _negated, _all_or_any, _near),
    "numbers": (
        _arithmetic,
        _negative,
        _over_numbers,
        _joined,
        _listed,
        _counted,
        _mapped,
        _shortened,
        _column_of("a"),
        _field_of("d"),
        _of_a_map,
    ),
    "texts": (_joined, _listed, _mapped, _shortened, _column_of("b"), _of_a_map),
    "booleans": (_compared, _logical, _negated, _listed, _mapped, _shortened),
    "record": (_looked_up,),
    "records": (_listed, _joined, _shortened),
    "map": (lambda draw, kind, depth, local: syntax.Name("d"),),
    "any": (_listed, _mapped, _shortened, _field_of("nothing")),
}
