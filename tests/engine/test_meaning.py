"""The canonical form: the same for every way of writing the same rules, another for every other rule."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric.engine.building import build
from rubric.engine.comparison.differences import differences
from rubric.engine.comparison.outline import outline
from rubric.engine.document import plain, read_document
from rubric.engine.meaning import canonical, digest
from rubric.engine.rubric import Rubric

PANEL = Path(__file__).parent.parent / "comparison" / "panel-1.yaml"
BASE = PANEL.read_text(encoding="utf-8")


def built(text: str) -> Rubric:
    """A rubric of the right shape; whether its names lead anywhere is no matter of meaning."""
    rubric, findings = build(read_document(text, "r.yaml"))
    assert not findings, findings[0].render()
    return rubric


@pytest.fixture(scope="module")
def base() -> Rubric:
    return built(BASE)


# ---------------------------------------------------------------- the same rules in another dress

UNORDERED = (
    *((section,) for section in ("inputs", "constants", "records", "functions", "preconditions", "let", "metrics")),
    *((section,) for section in ("warnings", "values", "artifacts", "controls")),
    ("constants", "tolerance"),
    ("constants", "size"),
    ("constants", "penalties", "late"),
    *(("records", name, "fields") for name in ("truth", "mark", "entry", "rating")),
    ("records", "entry", "require"),
    ("let", "pairs", "with"),
    ("metrics", "rated"),
    ("metrics", "rated", "credit"),
    ("score", "quality", "weighted"),
    ("score", "quality", "caps"),
    ("gates", "floor"),
    ("controls", "copy", "inputs"),
    (),
)
LAMBDA = re.compile(r"\b([a-z]+) ->")


def shuffled(tree: Any, random: random.Random) -> Any:
    """The rubric with the members of maps whose order means nothing in another order."""
    for path in UNORDERED:
        part = tree
        for key in path:
            part = part[key]
        members = list(part.items())
        random.shuffle(members)
        part.clear()
        part.update(members)
    return tree


def mapped(tree: Any, change: Callable[[str], str]) -> Any:
    """The rubric with every text changed."""
    if isinstance(tree, dict):
        return {key: mapped(value, change) for key, value in tree.items()}
    if isinstance(tree, list):
        return [mapped(value, change) for value in tree]
    return change(tree) if isinstance(tree, str) else tree


def renamed(name: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        for parameter in LAMBDA.findall(text):
            text = re.sub(rf"\b{parameter}\b", name, text)
        return text

    return change


@settings(max_examples=20, deadline=None)
@given(
    st.randoms(use_true_random=False), st.booleans(), st.sampled_from(["a", "item_2", "_x"]), st.sampled_from([60, 999])
)
def test_order_layout_and_names_of_parameters_mean_nothing(random, flow: bool, name: str, width: int) -> None:
    tree = mapped(shuffled(plain(read_document(BASE, "r.yaml").root), random), renamed(name))
    text = yaml.safe_dump(tree, sort_keys=False, default_flow_style=flow, width=width, allow_unicode=True)
    other = built(f"# a comment\n{text}")
    assert canonical(other) == canonical(built(BASE))
    assert not list(differences(outline(built(BASE)), outline(other)))


# ---------------------------------------------------------------- other rules in the same dress

NUMBER = re.compile(r"(?<![\w.\"'-])\d+(?:\.\d+)?(?![\w.])")
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|<|>|\+|\*|and|or|if|\?\?)(?= )")
WORD = re.compile(r"(?<=\")[a-z! ]+(?=\")")
FIELD = re.compile(r"(?<=[a-z]\.)[a-z_]+(?=[ )\],}])")
OTHER = {
    "<=": "<",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "<": "<=",
    ">": ">=",
    "+": "-",
    "*": "/",
    "and": "or",
    "or": "and",
}
OTHER |= {"??": "+"}


def mutants(pattern: re.Pattern[str], other: Callable[[str], str]) -> Iterator[str]:
    """The base with one token after another replaced."""
    start = BASE.index("inputs:")
    for match in pattern.finditer(BASE, start):
        if not BASE[: match.start()].rpartition("\n")[2].lstrip().startswith("#"):
            yield f"{BASE[: match.start()]}{other(match[0])}{BASE[match.end() :]}"


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        (NUMBER, lambda number: "0.75" if number != "0.75" else "0.8"),
        (OPERATOR, lambda word: OTHER.get(word, word)),
        (WORD, lambda word: word + "x"),
        (FIELD, lambda name: name + "x"),
    ],
    ids=["numbers", "operators", "words", "fields"],
)
def test_every_token_means_something(pattern: re.Pattern[str], other: Callable[[str], str], base: Rubric) -> None:
    before, tried = outline(base), 0
    for text in mutants(pattern, other):
        rubric, findings = build(read_document(text, "r.yaml"))
        if findings or text == BASE:
            continue
        tried += 1
        after = outline(rubric)
        line = next(new for old, new in zip(BASE.split("\n"), text.split("\n"), strict=True) if old != new)
        assert before.meaning != after.meaning, line
        assert list(differences(before, after)), line
    assert tried >= 4


# ---------------------------------------------------------------- one by one


def meaning_of(expression: str, *, functions: str = "f(x, y): x + y", constants: str = "c: 1", values: str = "") -> str:
    """The digest of a rubric that says little but an expression."""
    text = f"""
rubric: r
version: "1"
language: 1
inputs: {{}}
constants:
  {constants}
functions:
  {functions}
let:
  x: {expression}
{values}
"""
    return digest(built(text))


SAME = [
    ("1", "1.0"),
    ("0.50", "5e-1"),
    ("f(1, 2)", "f(y=2, x=1)"),
    ("f(1, y=2)", "f(1, 2)"),
    ("filter(c, a -> a > 1)", "filter(c, b -> b > 1)"),
    ("filter(c, a -> a > 1)", "filter(where=b -> b > 1, of=c)"),
    ("map(c, a -> map(c, b -> a + b))", "map(c, p -> map(c, q -> p + q))"),
    ("credit(c, full=1, zero=0)", "credit(c, zero=0, full=1)"),
    ("text.normalize(c, form=NFC, case=keep, keep=c)", 'text.normalize(c, keep=c, case="keep", form="NFC")'),
    ("(1 + 2) + 3", "1 + 2 + 3"),
    ("{a: c, result: a + 1}", "{b: c, result: b + 1}"),
    ("{use: f, with: {x: 1, y: 2}}", "f(1, 2)"),
    ("{for_each: {a: c}, columns: {}, value: a + 1}", "{for_each: {b: c}, columns: {}, value: b + 1}"),
    ("{for_each: {a: c}, columns: {d: a}, value: d}", "{for_each: {b: c}, columns: {e: b}, value: e}"),
]
DIFFERENT = [
    ("1", "true"),
    ("1", '"1"'),
    ("null", '"null"'),
    ("c", '"c"'),
    ("-1", "1"),
    ("f(1, 2)", "f(2, 1)"),
    ("max(1, c)", "max(c, 1)"),
    ("1 + (2 + 3)", "1 + 2 + 3"),
    ("filter(c, a -> a > 1)", "filter(c, a -> c > 1)"),
    ("map(c, a -> map(c, b -> a - b))", "map(c, a -> map(c, b -> b - a))"),
    ("[1, 2]", "[2, 1]"),
    ("1 < c < 2", "1 < c and c < 2"),
    ("c.a", 'c["a"]'),
    ("{a: 1}", "{b: 1}"),
    ("{a: 1, b: 2}", "{b: 2, a: 1}"),
    ("{a: c, result: a + 1}", "{a: c, b: a + 1}"),
    ("{for_each: {a: c}, columns: {d: a}}", "{for_each: {b: c}, columns: {d: b}}"),
    ("{for_each: {a: c}, columns: {d: a}}", "{for_each: {a: c}, columns: {e: a}}"),
    ("{for_each: {a: c, b: c}, columns: {}}", "{for_each: {b: c, a: c}, columns: {}}"),
    ("{group: c, by: [a, b], columns: {}}", "{group: c, by: [b, a], columns: {}}"),
    ("{when: c, a: 1}", "{a: 1}"),
    ("matching.pair(c, c, same=[a], at=t, within=1)", "matching.pair(c, c, same=[b], at=t, within=1)"),
]


def quoted(expression: str) -> str:
    return expression if expression.startswith("{") else "'" + expression.replace("'", "''") + "'"


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_expression(one: str, other: str) -> None:
    assert meaning_of(quoted(one)) == meaning_of(quoted(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_expression(one: str, other: str) -> None:
    assert meaning_of(quoted(one)) != meaning_of(quoted(other))


def test_bare_words_are_no_names_whatever_is_bound_around_them() -> None:
    sort = "map(c, {0} -> matching.pair({0}, c, same=[a], at=t, within=1))"
    assert meaning_of(quoted(sort.format("p"))) == meaning_of(quoted(sort.format("a")))


def test_the_names_of_a_function_s_parameters_mean_nothing() -> None:
    assert meaning_of("f(1, y=2)") == meaning_of("f(1, b=2)", functions="f(a, b): a + b")
    assert meaning_of("f(1, y=2)") != meaning_of("f(1, a=2)", functions="f(b, a): a + b")


def test_the_order_of_a_map_counts_where_something_goes_through_it() -> None:
    one, other = "c: {a: 1, b: 2}", "c: {b: 2, a: 1}"
    assert meaning_of("c.a + c.b", constants=one) == meaning_of("c.a + c.b", constants=other)
    assert meaning_of("sum(values(c))", constants=one) != meaning_of("sum(values(c))", constants=other)
    one, other = "c: {by: d, 1: 1, 2: 2}", "c: {2: 2, 1: 1, by: d}"
    assert meaning_of("c", constants=one) == meaning_of("c", constants=other)


def test_keys_of_other_types_are_other_keys() -> None:
    keys = ["1", '"1"', "true", '"true"', "null", '"null"', "1.5"]
    assert len({meaning_of("c[1]", constants=f"c: {{{key}: 0}}") for key in keys}) == len(keys)
    assert meaning_of("c[1]", constants="c: {1: 0}") == meaning_of("c[1]", constants="c: {1.0: 0}")


def test_a_null_that_is_written_differs_from_nothing_written() -> None:
    metric = "unmeasured: 0\nmetrics:\n  m: {{value: x{}}}"
    assert meaning_of("1", values=metric.format("")) != meaning_of("1", values=metric.format(", if_null: null"))


def test_texts_about_a_rubric_and_its_examples_mean_nothing() -> None:
    about = "title: T\nabout: A\nstatus: frozen\nreferences: [b]\nexamples:\n  e: {inputs: {}, expected: {score: 1}}"
    assert meaning_of("1", values=about) == meaning_of("1")


def test_a_value_listed_by_its_name_is_the_value_of_that_name() -> None:
    assert meaning_of("1", values="values: [x, c]") == meaning_of("1", values="values: {c: c, x: x}")


def test_gates_are_ordered_only_as_far_as_that_shows() -> None:
    def gates(*lines: str) -> str:
        return meaning_of("1", values="\n  ".join(["gates:", *lines]))

    a, b, c = "a: x > 0", "b: {require: x > 1, otherwise: 0}", "c: {require: x > 2, otherwise: 0}"
    d = "d: {require: x > 3, otherwise: 0.5}"
    assert gates(a, b) == gates(b, a)
    assert gates(b, c) == gates(c, b)
    assert gates(b, d) != gates(d, b)
    assert gates(b, c, d) == gates(c, b, d)
    assert gates(b, d, c) != gates(b, c, d)
    assert gates("s: {a: x > 0}", "t: {b: x > 1}") != gates("t: {b: x > 1}", "s: {a: x > 0}")
    assert gates("s: {a: x > 0, b: x > 1}") == gates("s: {b: x > 1, a: x > 0}")
    assert gates(a, "s: {b: x > 1}") != gates("s: {b: x > 1}", a)


def test_the_digest_does_not_depend_on_the_hash_seed() -> None:
    code = "import sys; from rubric.engine.loading import load; print(load(sys.argv[1]).id.sha256)"
    found = set()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        line = [sys.executable, "-c", code, str(PANEL)]
        found.add(subprocess.run(line, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(found) == 1


PAIR = "matching.pair(x, c, same=[a], {})"


@pytest.mark.parametrize(
    ("written", "left_out"),
    [
        (PAIR.format("prefer=nearest, malformed=0"), "matching.pair(x, c, same=[a])"),
        (PAIR.format("at=null, interval=[], credit=null"), "matching.pair(x, c, same=[a])"),
        ("statistics.proportion(c, of=true, confidence=0.9)", "statistics.proportion(c, confidence=0.9)"),
    ],
)
def test_a_default_that_is_written_out_changes_nothing(written: str, left_out: str) -> None:
    assert meaning_of(f"'{written}'") == meaning_of(f"'{left_out}'")


@pytest.mark.parametrize("other", ["prefer=credit", "malformed=1", "at=a", "same_if_given=[b]"])
def test_what_is_no_default_means_something(other: str) -> None:
    assert meaning_of(f"'{PAIR.format(other)}'") != meaning_of("'matching.pair(x, c, same=[a])'")
    assert meaning_of("'statistics.proportion(c, of=1, confidence=0.9)'") != meaning_of(
        "'statistics.proportion(c, confidence=0.9)'"
    )
