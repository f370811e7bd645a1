"""Rubrics in prose: expressions, types and sections in words, author's notes, single names, and the bundled pages."""

import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest

from rubric.engine.building.fields import parse_type
from rubric.engine.expressions.builtins import BUILTINS
from rubric.engine.expressions.parser import parse
from rubric.engine.expressions.signatures import signature_of
from rubric.engine.faults import CallFault
from rubric.engine.loading import bundled_names, load, load_text
from rubric.engine.prose import explain_rubric, stale_pages
from rubric.engine.prose.field_types import in_words
from rubric.engine.prose.markdown import plain, table
from rubric.engine.prose.notes import comment_of
from rubric.engine.prose.page import LAST_WORD, READING, command_of
from rubric.engine.prose.phrases import clause, code, listed, noun
from rubric.engine.prose.templates import CLAUSES, NOUNS

DATA = Path(__file__).parent / "data_explain"
PAGES = Path(__file__).parent.parent.parent / "docs" / "rubrics"
HEAD = "rubric: r\nversion: '1'\nlanguage: 1\n"
INPUT = HEAD + "inputs: {x: {from: candidate, record: e}}\nrecords: {e: {fields: {n: number, m: number or nothing}}}\n"


@pytest.fixture(scope="module")
def race():
    return load(DATA / "race.yaml")


def page(loaded, node=None):
    return explain_rubric(loaded.rubric, loaded.analysis, node)


# ---------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("expression", "phrase"),
    [
        ("3", "3"),
        ('"a"', '`"a"`'),
        ("null", "nothing"),
        ("a.b", "`a.b`"),
        ("a * (1 - b) / 2", "`a * (1 - b) / 2`"),
        ("max(0, 1 - a)", "`max(0, 1 - a)`"),
        ("max(scores)", "the greatest of `scores`"),
        ("min(count(a), 3)", "the least of the number of `a` and 3"),
        ("f(a, b=1)", "`f(a, b=1)`"),
        ("text.words(s, drop=articles)", "`text.words(s, drop=articles)`"),
        ("a ?? 0", "`a`, or 0 where that is missing"),
        ("a ?? b / c", "`a`, or where that is missing `b / c`"),
        ('a ?? ""', "`a`, or an empty text where that is missing"),
        ("(a ?? 0) + (b ?? 0)", "`a` (0 where missing) plus `b` (0 where missing)"),
        ("round(a ?? b * c)", "(`a`, or where that is missing `b * c`), rounded to a whole number"),
        ("round(count(a) / 3, 2)", "(the number of `a` divided by 3), rounded to 2 decimals"),
        ("1 if a == b else c ?? 0", "1 if `a` equals `b`, otherwise `c`, or 0 where that is missing"),
        ("a if b > 1 else null", "`a`, but only if `b` is above 1"),
        ("(a ?? b).id", "the `id` of (`a`, or where that is missing `b`)"),
        ("[a, b, count(c)]", "`a`, `b` and the number of `c`"),
        ("[]", "nothing at all"),
        ("1..n", "the whole numbers from 1 to `n`"),
        ("-count(a)", "minus the number of `a`"),
        ("a == b", "whether `a` equals `b`"),
        ("count(rows, r -> r.ok)", "the number of members `r` of `rows` for which `r.ok` is true"),
        ("count(rows, ok)", "the number of members of `rows` for which `ok` holds"),
        ("filter(rows, where=r -> r.n < 2)", "those members `r` of `rows` for which `r.n` is below 2"),
        (
            "share(rows, r -> f(r)) ?? 1",
            "the share of members `r` of `rows` for which `f(r)` holds, or 1 where that is missing",
        ),
        ("mean(rows, r -> r.n)", "the mean over `rows` of `n`"),
        ("map(rows, r -> r.n + 1)", "`r.n + 1` for each member `r` of `rows`"),
        ("skip(sort(rows, r -> r.n), 1)", "all but the first of `rows` in order of `n`"),
        ("last_of_each(rows, r -> r.n)", "`rows`, but of those with the same `n` only the last"),
        ("only(rows, r -> r.id == name)", "the only member `r` of `rows` for which `r.id` equals `name`"),
        ("lookup(rows, r -> r.id, name)", "the only one of `rows` whose `id` is `name`"),
        ("credit(x, full=3, zero=12)", "the credit for `x`, full at 3 and none at 12"),
        ("first(sort(rows, r -> r.n))", "the first of `rows` in order of `n`"),
        ("percentile(times, 95)", "the 95th percentile of `times`"),
        ("malformed(x.rows)", "the number of malformed `x.rows`"),
    ],
)
def test_values_in_words(expression, phrase):
    assert noun(parse(expression)) == phrase


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("a >= 0", "`a` is at least 0"),
        ("0 <= a < b", "`a` is at least 0 and below `b`"),
        ("a < b <= c", "`a` is below `b` and `b` is at most `c`"),
        ("a != b", "`a` differs from `b`"),
        ("a == null", "`a` is missing"),
        ("a != null", "`a` is there"),
        ("a in words", "`a` is one of `words`"),
        ("a not in words", "`a` is none of `words`"),
        ("a in [1, 2, 3]", "`a` is 1, 2 or 3"),
        ("a not in [1, 2]", "`a` is neither 1 nor 2"),
        ("f(a)", "`f(a)` holds"),
        ("not f(a)", "`f(a)` does not hold"),
        ("not a.b", "`a.b` is not true"),
        ("not (a > b)", "it is not so that `a` is above `b`"),
        ("a > 1 and b > 2", "`a` is above 1 and `b` is above 2"),
        ("f(a) or g(a) or a > 1", "`f(a)` holds, or `g(a)` holds, or `a` is above 1"),
        ("a > 1 and (b or c)", "`a` is above 1 and (`b` is true or `c` is true)"),
        ("(a > 1) == (b == 1)", "`a` is above 1 exactly where `b` equals 1"),
        ("all(rows, r -> r.n > 0)", "for every member `r` of `rows` `r.n` is above 0"),
        ("any(rows, r -> f(r))", "there is a member `r` of `rows` for which `f(r)` holds"),
        ("all(flags)", "all of `flags` hold"),
        ("true", "always"),
    ],
)
def test_conditions_in_words(expression, words):
    assert clause(parse(expression)) == words


def test_words_are_of_functions_and_name_their_parameters():
    blanks = {"member", "a_member", "members", "holds", "each"}
    for name, phrases in {**NOUNS, **CLAUSES}.items():
        parameters = {parameter.name for parameter in signature_of(BUILTINS[name], name).parameters}
        for phrase in phrases:
            used = {blank for _, blank, _, _ in Formatter().parse(phrase) if blank}
            assert used <= parameters | blanks, name


def test_a_function_without_words_reads_as_it_is():
    assert noun(parse("unheard_of(a, b -> b > 1)")) == "`unheard_of(a, b -> b > 1)`"


def test_code_holds_whatever_it_is_given():
    assert code("a") == "`a`"
    assert code("a`b") == "``a`b``"
    assert code("`") == "`` ` ``"


def test_lists():
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


# ---------------------------------------------------------------- types


@pytest.mark.parametrize(
    ("type_", "words"),
    [
        ("text", "a text that is not blank"),
        ("string or nothing", "a text, maybe empty; may be absent or null"),
        ("number >= 0 or absent", "a number of at least 0; may be absent, but not null"),
        (
            "list of text or omitted",
            "a list of texts that are not blank; may be absent, but not null; "
            "where it is absent it counts as missing, not as empty",
        ),
        ("number > 0.5", "a number above 0.5"),
        ("number <= 3", "a number of at most 3"),
        ("number < 3", "a number below 3"),
        ("integer from 1 to 8", "a whole number from 1 to 8"),
        ("boolean", "true or false"),
        ("any or nothing", "anything; may be absent or null"),
        ("1 | 2 | 3", "1, 2 or 3"),
        ("train | test", "`train` or `test`"),
        ("text matching [a-z]+", "a text of the pattern `[a-z]+` as a whole"),
        ("event", "one [`event`](#event)"),
        ("list of event or nothing", "a list of [`event`](#event) entries; may be absent or null"),
        ("list of number", "a list of numbers"),
        ("map of string | number", "an object whose values are texts or numbers"),
    ],
)
def test_types_in_words(type_, words):
    assert in_words(parse_type(type_, {"event"})) == words


# ---------------------------------------------------------------- notes and Markdown


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("a: 1 # seconds", "seconds"),
        ("a: '#1'  # one", "one"),
        ('a: {b: "x # y"}', ""),
        ("a: it's # late", "late"),
        ("a: b#c", ""),
        ("# all", "all"),
        ('a: f(x, " # ") + 1   # sum', "sum"),
    ],
)
def test_comments_are_found_outside_quotes(line, comment):
    assert comment_of(line) == comment


def test_notes_stand_beside_their_part(race):
    text = page(race)
    assert "| `allowed` | by `class`: 0.50 at 1, 0.250 at 2 | seconds |\n" in text
    assert "| `track` | `length` 400, `lanes` 8 | the track, in metres |\n" in text
    assert "is at most `allowed`. *One lap is right where its time is near.*\n" in text


def test_rulers_are_no_notes():
    loaded = load_text(INPUT + "constants:\n  # ------- limits\n  a: 1\n  b: 2 # two\nscore: {total: x.n * a * b}\n")
    assert "| `a` | 1 |  |\n| `b` | 2 | two |\n" in page(loaded)


def test_authors_texts_are_no_markup():
    assert plain("a <b> *c* [d](e)\n `<f>`") == r"a \<b> \*c\* \[d](e) `<f>`"


def test_tables_escape_bars_and_leave_out_empty_columns():
    assert table(("A", "B", "C"), [("x|y", "", "1\n2"), ("`a | b`", "", "")]) == [
        "| A | C |",
        "| --- | --- |",
        r"| x\|y | 1 2 |",
        r"| `a \| b` |  |",
    ]


# ---------------------------------------------------------------- pages


def test_the_whole_page(race):
    assert page(race) == (DATA / "race.md").read_text(encoding="utf-8")


def test_a_small_rubric_has_a_small_page():
    assert page(load_text(INPUT + "metrics: {m: x.n}\nscore: {total: m}\n", "r-1.yaml")) == (
        "<!-- Generated by `rubric explain r-1`. Edit the rubric, not this page. -->\n"
        "\n"
        "# r, version 1\n"
        "\n"
        "Status: draft. The rules are `r-1.yaml`.\n"
        "\n"
        f"{READING} {LAST_WORD}\n"
        "\n"
        "## What comes in\n"
        "\n"
        "| Input | From | What it is | Where it is not given | Where it cannot be used |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| `x` | the candidate | a JSON file: one [`e`](#e) | nothing is scored | "
        "it is null, and with it what depends on it |\n"
        "\n"
        "## What an entry must look like\n"
        "\n"
        "### `e`\n"
        "\n"
        "| Field | What it holds |\n"
        "| --- | --- |\n"
        "| `n` | a number |\n"
        "| `m` | a number; may be absent or null |\n"
        "\n"
        "Where `x` breaks this, it is null, and with it what depends on it.\n"
        "\n"
        "## What is measured\n"
        "\n"
        "| Metric | What it is |\n"
        "| --- | --- |\n"
        "| `m` | `x.n` |\n"
        "\n"
        "A metric that cannot be measured is null; then so is the score, and the outcome is inconclusive.\n"
        "\n"
        "## The score\n"
        "\n"
        "**`total`**, the score, is `m`.\n"
    )


def test_a_metric_that_may_be_null_is_said_to_be():
    text = page(load_text(INPUT + "metrics: {m: x.m}\nscore: {total: m}\n"))
    assert "A metric that cannot be measured is null; then so is the score, and the outcome is inconclusive.\n" in text
    assert "counts as 0.\n" in page(load_text(INPUT + "unmeasured: 0\nmetrics: {m: x.m}\nscore: {total: m}\n"))


def test_gates_that_decide_on_bounds_say_so():
    text = page(
        load_text(
            INPUT + "metrics:\n  p:\n    use: statistics.wilson\n    with: {successes: x.n, n: 10, confidence: 0.95}\n"
            "gates: {g: {value: p, at_least: 0.5, decide_on: [lower, upper]}}\n"
        )
    )
    assert (
        "| `g` | The lower bound and upper bound of `p` is at least 0.5; "
        "where the bounds lie on both sides of the limit the outcome is inconclusive. |\n"
    ) in text


def test_pages_name_the_command_that_made_them(race):
    assert command_of(race.rubric) == "rubric explain race.yaml"
    assert command_of(load("witness-1.5").rubric) == "rubric explain witness-1.5"


def test_pages_do_not_depend_on_the_hash_seed(race):
    program = (
        "from rubric.engine.loading import load; from rubric.engine.prose import explain_rubric; import sys;"
        f"r = load({str(DATA / 'race.yaml')!r}); sys.stdout.buffer.write(explain_rubric(r.rubric, r.analysis).encode())"
    )
    run = subprocess.run([sys.executable, "-c", program], env={"PYTHONHASHSEED": "1"}, capture_output=True, check=True)
    assert run.stdout.decode() == page(race)


# ---------------------------------------------------------------- one name


@pytest.mark.parametrize("name", ["told", "metrics.told"])
def test_one_name(race, name):
    assert page(race, name) == (
        "## What is measured\n"
        "\n"
        "| Metric | What it is |\n"
        "| --- | --- |\n"
        "| `told` | `laps_told / 4` |\n"
        "\n"
        "It uses `laps_told`.\n"
        "\n"
        "It is used by `total`.\n"
    )


def test_functions_in_steps(race):
    assert page(race, "total_of") == (
        "## How things are compared\n"
        "\n"
        "**`total_of(laps, most)`** is found in steps:\n"
        "\n"
        "- `counted`: the least of the number of `laps` and `most`\n"
        "- the result is `counted + 1`\n"
        "\n"
        "It is used by `laps_told`.\n"
    )


def test_constants_say_who_uses_them(race):
    assert page(race, "least").endswith("| `least` | 0.60 |\n\nIt is used by `gates.floor`.\n")


def test_a_field_of_an_input(race):
    assert page(race, "clock.length") == (
        "## `clock.length`, a field of `clock`\n"
        "\n"
        "| Field | What it holds |\n"
        "| --- | --- |\n"
        "| `length` | a number above 0 |\n"
        "\n"
        "It is used by `clock.half`.\n"
    )


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("rows", "What comes in"),
        ("allowed", "Constants"),
        ("records.lap", "What an entry must look like"),
        ("near", "How things are compared"),
        ("laps_there", "What must hold before anything is scored"),
        ("late", "What is worked out first"),
        ("total", "The score"),
        ("few_laps", "Caps"),
        ("gates.best", "Gates"),
        ("slow", "What the report warns of"),
        ("lanes", "What the report gives besides"),
        ("one", "Examples"),
        ("silent", "Controls"),
    ],
)
def test_names_of_every_section(race, name, title):
    assert page(race, name).startswith(f"## {title}\n")


def test_a_name_of_several_sections_shows_all(race):
    titles = [line for line in page(race, "clock").splitlines() if line.startswith("## ")]
    assert titles == ["## What comes in", "## What an entry must look like"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("qualty", "race-2 has nothing called 'qualty'; did you mean 'quality'?"),
        ("metrics.hit", "race-2 has nothing called 'metrics.hit'; did you mean 'hits'?"),
        (
            "zzz",
            "race-2 has nothing called 'zzz'; it has: clock, log, rows, notes, hits, size, told, quality, total, floor",
        ),
    ],
)
def test_an_unknown_name_is_refused_with_a_suggestion(race, name, message):
    with pytest.raises(CallFault) as caught:
        page(race, name)
    assert str(caught.value).startswith(message)


# ---------------------------------------------------------------- the bundled pages


def test_the_bundled_pages_are_current():
    assert [f"{stale.path.name} {stale.reason}: {stale.command}" for stale in stale_pages(PAGES)] == []


def test_stale_pages_are_named(tmp_path):
    first, *others = bundled_names()
    (tmp_path / f"{first}.md").write_text("old")
    (tmp_path / "gone-1.md").write_text("old")
    found = {stale.path.name: stale for stale in stale_pages(tmp_path)}
    assert list(found) == [*(f"{name}.md" for name in (first, *others)), "gone-1.md"]
    assert found[f"{first}.md"].reason == "is not what the rubric says now"
    assert found[f"{first}.md"].command == f"rubric explain {first} > {tmp_path / first}.md"
    assert {found[f"{name}.md"].reason for name in others} == {"is missing"}
    assert found["gone-1.md"].reason == "belongs to no bundled rubric"
