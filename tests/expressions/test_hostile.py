"""No text, however hostile, escapes, hangs or shows a traceback."""

import string
from bisect import bisect_left

import pytest
from expression_harness import Compiled, Inferred, run
from hypothesis import given, settings
from hypothesis import strategies as st
from test_printer import trees as any_trees

from rubric.engine.expressions import syntax
from rubric.engine.expressions.inference import Inference, Knowledge
from rubric.engine.expressions.levels import MAX_LEVELS
from rubric.engine.expressions.parser import MAX_CHARACTERS, MAX_DEPTH, ExpressionError, parse
from rubric.engine.expressions.printer import show
from rubric.engine.expressions.runtime import MAX_STEPS, STEPS_A_ROW, Frame, StepLimit
from rubric.engine.expressions.types import ANY, NUMBER, Type


def refusal(text: str) -> ExpressionError | None:
    """How a text is refused, or None where it is an expression; nothing else may happen."""
    try:
        parse(text)
    except ExpressionError as error:
        return error
    return None


# ---------------------------------------------------------------- texts

PIECES = (
    *("a", "b.c", "f(", "(", ")", "[", "]", ",", " ", "1", "1.5", "1e9", '"t"', "'", '"', "\\", "+", "-", "**", "/"),
    *("==", "=", "<", "not ", " in ", " and ", " or ", " if ", " else ", "??", "..", "->", "x -> x", "null", "true"),
    *(
        "&",
        "|",
        "!",
        "{",
        "}",
        ":",
        ";",
        "?",
        "%",
        "#",
        "é",
        "\n",
        "\t",
        "\x00",
        "\u200b",
        "😀",
        "__class__",
        "lambda ",
    ),
)


@settings(max_examples=250, deadline=None)
@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)))
def test_any_text_is_an_expression_or_is_refused_with_a_sentence(text):
    error = refusal(text)
    if error is not None:
        assert error.message
        assert 0 <= error.at <= len(text)
        assert "\n" not in error.message + (error.hint or "")
        assert not any(name in error.message for name in ("Token", "lark", "__ANON", "$END", "Traceback"))


@settings(max_examples=150, deadline=None)
@given(any_trees(), st.data())
def test_a_slip_in_an_expression_is_refused_or_is_another_expression(tree, data):
    text = show(tree)
    at = data.draw(st.integers(0, len(text)))
    width = data.draw(st.integers(0, 3))
    slip = data.draw(st.one_of(st.just(""), st.sampled_from(PIECES), st.text(string.printable, max_size=2)))
    refusal(text[:at] + slip + text[at + width :])


@pytest.mark.parametrize(
    "text",
    [
        "(" * 9_999,
        "[" * 9_999,
        "(" * 4_999 + "]" * 4_999,
        "[" * 4_999 + "]" * 4_999,
        "f(" * 3_000 + ")" * 3_000,
        "x[" * 3_000 + "0" + "]" * 3_000,
        "-" * 9_999 + "1",
        "not " * 2_000 + "a",
        "a" + ".b" * 4_000,
        "a" + "[0]" * 3_000,
        "a if b else " * 800 + "c",
        "2 ** " * 1_500 + "2",
        "x -> " * 1_500 + "x",
        "1 + " * 2_000,
        '"' + "a" * 9_000,
        '"' + "\\" * 9_000,
        "\\" * 9_000,
        "a" * (MAX_CHARACTERS + 1),
        "1" * 100_000,
        "(" * 100_000,
        "1" * 401,
        "1e999999",
        "1e-999999",
        "\ud800",
        '"\\ud800"',
        "\ufeffa",
    ],
)
def test_endless_texts_are_refused(text):
    assert refusal(text) is not None


def test_bounds_of_an_expression():
    assert show(parse("(" * 4_999 + "a" + ")" * 4_999)) == "a"
    assert parse("a" * MAX_CHARACTERS) == syntax.Name("a" * MAX_CHARACTERS)
    assert run(" + ".join(["1"] * (MAX_DEPTH + 1))) == MAX_DEPTH + 1
    error = refusal(" + ".join(["1"] * (MAX_DEPTH + 2)))
    assert error is not None
    assert "more than 100 operations inside one another" in error.message
    assert run("[" + "1, " * 3_000 + "]") == [1] * 3_000
    assert run("0" + " <= 0" * 1_500) is True
    assert run("x" + " <= x" * 1_500, x=None) is None
    assert run("min(" + "7, " * 2_000 + "7)") == 7


WRAPPINGS = {
    "negative": "-({})",
    "sum": "({}) + 1",
    "sum on the right": "1 + ({})",
    "power": "({}) ** 1",
    "not": "not ({})",
    "choice": "({}) if c else 0",
    "test": "0 if ({}) else 1",
    "other choice": "0 if c else ({})",
    "comparison": "({}) < 1",
    "chain": "0 < ({}) < 1",
    "equality": "({}) == [1]",
    "membership": "({}) in xs",
    "list": "[{}]",
    "index": "xs[{}]",
    "field": "({}).a",
    "instead": "({}) ?? 1",
    "and": "({}) and c",
    "or": "c or ({})",
    "call": "f({})",
    "handed on": "g({}, f)",
    "round": "round({}, 1)",
    "smallest": "min(1, {})",
    "range": "count(1..({}))",
}


@pytest.mark.parametrize("wrapping", WRAPPINGS.values(), ids=WRAPPINGS)
def test_the_deepest_expressions_run(wrapping):
    functions = {"f": (("p",), "p"), "g": (("p", "q"), "first(map([p], q))")}
    texts = ["x"]
    for _ in range(MAX_DEPTH + 1):
        texts.append(wrapping.format(texts[-1]))
    deepest = bisect_left(texts, True, key=lambda text: refusal(text) is not None) - 1
    assert deepest > 30
    run(texts[deepest], functions, x=1, c=True, xs=[1, 2])


def test_functions_inside_functions_inside_functions_run():
    text = "x"
    for depth in range(49):
        text = f"map(xs, y{depth} -> {text})"
    assert refusal(f"map(xs, y -> map(xs, z -> {text}))") is not None
    assert run(f"count({text})", x=1, xs=[1]) == 1


# ---------------------------------------------------------------- nothing of Python


@pytest.mark.parametrize(
    "text",
    [
        "().__class__",
        "lambda: 0",
        "[c for c in ().__class__.__base__.__subclasses__()]",
        'f"{x}"',
        "x := 1",
        "import os",
        "print('a'); x",
        "x\ny",
        "`x`",
        "{}.get",
        "*x",
        "...",
        "await x",
        "1 if",
        "'%s' % x",
    ],
)
def test_python_is_refused(text):
    assert refusal(text) is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__import__('os')", "there is no function '__import__'"),
        ("eval('1')", "there is no function 'eval'"),
        ("open('/etc/passwd')", "there is no function 'open'"),
        ("getattr(x, '__class__')", "there is no function 'getattr'"),
        ("os.system('true')", "there is no module 'os'"),
        ("x.__class__()", "'x' is a value and has no functions"),
        ("x.upper()", "'x' is a value and has no functions"),
        ("__builtins__", "nothing is called '__builtins__' here"),
        ("s", "nothing is called 's' here"),
        ("U", "nothing is called 'U' here"),
        ("b_count", "nothing is called 'b_count' here"),
        ("v_x", "nothing is called 'v_x' here"),
        ("map(xs, print)", "'each' of map(...) is a function"),
    ],
)
def test_names_of_python_and_of_the_engine_are_not_there(text, message):
    knowledge = Knowledge({}, lambda module, name: None, lambda: {"text": ["words"]})
    scope = {"x": NUMBER, "xs": Type("list", element=NUMBER)}
    Inference(knowledge, scope.get, lambda: scope).infer(parse(text), {})
    assert message in [problem.message for problem in knowledge.problems.values()]


@pytest.mark.parametrize("name", ["__class__", "__dict__", "get", "append", "keys", "steps", "denominator", "real"])
@pytest.mark.parametrize("value", [1, 1.5, "t", True, None, [1], {"a": 1}])
def test_no_attribute_of_a_value_is_a_field(name, value):
    expected = [None] if isinstance(value, list) else None
    for known in (ANY, ANY.never_null()):
        assert Compiled(f"x.{name}", {"x": known}).run({"x": value}) == expected
        assert Compiled(f'x["{name}"]', {"x": known}).run({"x": value}) is None


def test_compiled_code_reaches_no_more_of_python_than_it_needs():
    compiled = Compiled("x + 1", {"x": ANY})
    harmless = "Exception abs bool dict float int isinstance len list max min round set str type zip"
    assert sorted(compiled.namespace["__builtins__"]) == harmless.split()


def test_compiled_source_holds_no_text_of_the_author():
    text = 'map([{}], xy_zzy -> xy_zzy.plugh + "\\"; quux = 1 #")'.format("12345")
    source = Compiled(text, {"x": ANY}).source
    assert not any(written in source for written in ("plugh", "quux", "12345"))
    with pytest.raises(ValueError, match="was not checked"):
        Compiled(syntax.Steps((("a b", syntax.Null()),)), {})


# ---------------------------------------------------------------- functions without end


def chain(links: int, body: str, last: str = "x") -> dict[str, tuple[tuple[str, ...], str]]:
    """f0 to f{links}, each calling the next as `body` says."""
    functions = {f"f{i}": (("x",), body.replace("NEXT", f"f{i + 1}")) for i in range(links)}
    return {**functions, f"f{links}": (("x",), last)}


def test_a_long_chain_of_functions_is_refused_however_it_is_reached():
    functions = chain(400, "NEXT(x)")
    backwards = "[" + ", ".join(f"f{i}(1)" for i in range(400, -1, -1)) + "]"
    for text in ("f0(1)", backwards):
        messages = [problem.message for problem in Inferred(text, {}, functions).problems]
        assert messages
        assert all(f"nests deeper than {MAX_LEVELS} levels" in message for message in messages)


@pytest.mark.parametrize(
    "body", ["NEXT(x)", "NEXT(x + 1)", "first(map([x], y -> NEXT(y)))", "NEXT(first(map([x], g)))"]
)
def test_the_longest_chain_of_functions_that_is_not_refused_runs(body):
    def functions(links: int):
        return {**chain(links, body), "g": (("p",), "p")}

    links = bisect_left(range(200), True, key=lambda n: bool(Inferred("f0(1)", {}, functions(n)).problems)) - 1
    assert links > 30
    assert Compiled("f0(1)", {}, functions(links)).run({}) is not None
    below = links // 2
    assert Compiled(" + ".join(["1"] * 70 + ["f0(1)"]), {}, functions(below)).run({}) is not None


def test_functions_that_call_themselves_do_not_hang_inference():
    for functions in ({"f": (("x",), "f(x) + 1")}, {"f": (("x",), "g(x)"), "g": (("x",), "f([x])")}):
        assert Inferred("f(1)", {}, functions).problems


def test_doubling_calls_are_stopped():
    with pytest.raises(StepLimit):
        Compiled("f0(1)", {}, chain(30, "NEXT(x) + NEXT(x)")).run({})
    with pytest.raises(StepLimit):
        Compiled("map(1..1000, f0)", {}, chain(16, "NEXT(x) + NEXT(x)")).run({})
    cheap = Compiled("f0(1)", {}, chain(30, "NEXT(x) if x > 0 else NEXT(x) + NEXT(x)"))
    assert cheap.run({}) == 1
    assert cheap.steps < 20_000


def test_doubling_types_are_looked_at_in_bounded_time():
    for body in ("NEXT([x]) == NEXT([[x]])", "NEXT(x + 1) + NEXT(x + 2)", "NEXT(x.a) == NEXT(x.b)"):
        Inferred("f0(1)", {}, chain(30, body))


# ---------------------------------------------------------------- work without end

LONG = list(range(2_000))
ROWS = [{"a": i, "b": [i]} for i in range(500)]
NESTED = [[i] * 50 for i in range(40)]
ENDLESS = {
    "ranges in ranges": "count(1..1000, a -> count(1..1000, b -> a == b) > 1)",
    "a range each": "count(1..1000, a -> count(1..1000) > 5)",
    "ranges kept": "map(1..1000, a -> 1..1000)",
    "membership": "count(1..1000, a -> -1 in xs)",
    "membership of lists": "count(1..1000, a -> [1, 2] in map(nested, n -> take(n, 2)))",
    "equality": "count(1..1000, a -> xs == ys)",
    "equality inside": "count(1..1000, a -> nested == map(nested, n -> map(n, e -> e)))",
    "distinct": "count(1..1000, a -> count(distinct(nested)) == 1)",
    "first of each": "first_of_each(1..1000, a -> nested)",
    "last of each": "last_of_each(1..1000, a -> xs)",
    "look-ups": "count(1..1000, a -> lookup(rows, r -> r.b, a) == null)",
    "long lists joined": "map(1..1000, a -> xs + xs)",
    "long texts joined": "map(1..1000, a -> t + t)",
    "long texts equal": "count(1..100000, a -> t + a0 == u + a0)",
    "long texts ordered": "count(1..100000, a -> t + a0 < u + a0)",
    "long texts sorted": "sort(1..100000, a -> t + a0)",
    "text in text": 'count(1..100000, a -> "b" in t)',
    "columns": "map(1..1000, a -> xs * 2)",
    "columns compared": "map(1..1000, a -> xs > 2)",
    "columns of logic": "map(1..1000, a -> (xs > 2) and (xs < 9))",
    "columns not": "map(1..1000, a -> not (xs > 2))",
    "columns rounded": "map(1..1000, a -> round(xs))",
    "fields": "map(1..1000, a -> rows.a)",
    "fields inside": "map(1..1000, a -> [rows, rows].a)",
    "flattened": "map(1..1000, a -> flatten([xs, xs]))",
    "repeated": "map(1..1000, a -> repeat(xs, 100))",
    "sorted": "map(1..1000, a -> sort(xs))",
    "summed": "map(1..1000, a -> sum(xs))",
    "extremes": "map(1..1000, a -> max(xs))",
    "percentiles": "map(1..1000, a -> median(xs))",
    "taken": "map(1..1000, a -> take(xs, 2000))",
    "filtered": "map(1..1000, a -> filter(xs, x -> x > a))",
    "keys": "map(1..1000, a -> keys(d))",
    "rows made": "map(1..100000, a -> [a, [a], [a, [a]]])",
    "strings": "map(1..100000, a -> string(a) + string(a))",
    "functions handed on": "apply(1..1000, slow)",
}
VALUES = {
    "xs": LONG,
    "ys": list(LONG),
    "rows": ROWS,
    "nested": NESTED,
    "t": "a" * 9_999,
    "u": "a" * 9_998 + "b",
    "a0": "x",
    "d": {str(i): i for i in range(500)},
}
SLOW = " + ".join(["p"] * 90)
HANDED = {"apply": (("of", "what"), "map(of, what)"), "slow": (("p",), SLOW)}


@pytest.mark.parametrize("known", [True, False], ids=["typed", "untyped"])
@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_work_is_counted(text, known):
    """Each would take far more than a hundred thousand steps: it is stopped, soon after it has taken as many."""
    types = {
        "xs": Type("list", element=NUMBER),
        "ys": Type("list", element=NUMBER),
        "t": Type("text"),
        "u": Type("text"),
        "a0": Type("text"),
        "d": Type("map", element=NUMBER),
    }
    given = {name: types.get(name, ANY) if known else ANY for name in VALUES}
    compiled = Compiled(text, given, HANDED)
    with pytest.raises(StepLimit):
        compiled.run(VALUES, steps=90_000)
    assert compiled.steps < 2_000_000


def test_what_grows_by_doubling_is_capped():
    text = "x"
    for _ in range(30):
        text = f"twice({text})"
    doubled = Compiled(text, {"x": ANY}, {"twice": (("x",), "x + x")})
    assert doubled.run({"x": "a"}) is None  # null long before it costs much
    with pytest.raises(StepLimit):
        doubled.run({"x": [1]})
    assert run("a + b", a="x" * 9_999_999, b="y") is not None
    assert run("a + b", a="x" * 10_000_000, b="y") is None
    assert Compiled("a + b", {"a": ANY, "b": ANY}).run({"a": [0] * 10_000_000, "b": [0]}, steps=10**9) is None
    assert run("repeat([1, 2], 5000001)") is None
    assert Compiled("count(repeat([1, 2], 5000000))", {}).run({}) == 10_000_000
    assert run("flatten(repeat([xs], 1001))", xs=[0] * 9_991) is None
    assert run("1..1000001") is None
    assert run("count(1..1000000)") == 1_000_000


def test_ordinary_work_on_large_lists_is_within_bounds():
    rows = [{"label": i % 2, "score": i / 200_000} for i in range(200_000)]
    row = Type("record", fields=(("label", NUMBER), ("score", NUMBER)))
    text = "share(rows, r -> r.label == 1 and r.score >= 0.5) + mean(rows.score)"
    compiled = Compiled(text, {"rows": Type("list", element=row)})
    assert compiled.run({"rows": rows}) == pytest.approx(0.25 + 0.4999975, abs=1e-12)
    assert compiled.steps < MAX_STEPS / 10


def test_files_of_rows_allow_more_work():
    frame = Frame(lambda s, slot: None, lambda message, origins: None)
    frame.allow(5)
    assert frame.steps == MAX_STEPS + 5 * STEPS_A_ROW


# ---------------------------------------------------------------- depth without end


def deep(levels: int) -> list:
    value: list = []
    for _ in range(levels):
        value = [value]
    return value


def test_deep_values_are_compared_without_recursion():
    one, other = deep(20_000), deep(20_000)
    assert run_untyped("x == y", x=one, y=other) is True
    assert run_untyped("x == y", x=one, y=[other]) is False
    assert run_untyped("count(distinct([x, y]))", x=one, y=other) == 1
    assert run_untyped("count(first_of_each([x, y], e -> e))", x=one, y=[other]) == 2
    assert run_untyped("[y] in [x, [y]]", x=one, y=other) is True
    assert run_untyped("x.a", x=deep(20)) == deep(20)
    assert run_untyped("count(x.a)", x=one) == 1
    assert run_untyped("-x", x=[one]) == [None]


def run_untyped(text: str, **values):
    return Compiled(text, dict.fromkeys(values, ANY)).run(values)


def test_types_of_deep_values_are_forgotten_not_followed():
    functions = {"f0": (("x",), "[x]")} | {f"f{i}": (("x",), f"f{i - 1}(f{i - 1}(x))") for i in range(1, 12)}
    compiled = Compiled("f11(x)", {"x": NUMBER}, functions)
    assert not compiled.problems
    assert compiled.type.depth <= 65
    assert compiled.run({"x": 1}) is not None
