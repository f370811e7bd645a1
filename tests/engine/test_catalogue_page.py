"""The catalogue: every function is in it, in the language's words, and the page of the documentation is fresh."""

import re
from pathlib import Path

import pytest

from rubric.engine import catalogue
from rubric.engine.catalogue_page import describe, page
from rubric.engine.expressions.builtins import BUILTINS
from rubric.engine.faults import CallFault

PAGE = Path(__file__).parents[2] / "docs" / "primitives.md"


def test_the_page_of_the_documentation_is_fresh():
    fresh = PAGE.read_text(encoding="utf-8") == page()
    assert fresh, "run: python -m rubric.engine.catalogue_page > docs/primitives.md"


def test_without_a_name_every_function_has_a_line():
    lines = describe(None).splitlines()
    expected = [*BUILTINS, *(f"{module}.{name}" for module, names in catalogue.names().items() for name in names)]
    assert [line.split("`")[1].partition("(")[0] for line in lines if line.startswith("- ")] == expected
    assert "- `text.lower(text)` — The text in full lower case, which is not case folding: sharp s stays." in lines
    assert lines[0] == "**language**"


def test_every_line_has_a_description():
    for line in describe(None).splitlines():
        assert not line.startswith("- ") or re.fullmatch(r"- `[^`]+\)` — \S.*", line), line


@pytest.mark.parametrize("module", ["language", *catalogue.names()])
def test_a_module_has_its_docstring_and_its_functions(module: str):
    text = describe(module)
    assert text.startswith(f"# {module}\n\n")
    names = BUILTINS if module == "language" else catalogue.functions(module)
    assert [line[3:].rpartition(".")[2] for line in text.splitlines() if line.startswith("## ")] == list(names)
    owner = catalogue.module(module)
    assert owner is None or (owner.__doc__ or "").splitlines()[0] in text


def test_a_function_is_described_in_the_languages_words():
    assert describe("statistics.wilson").startswith(
        """\
# statistics.wilson

`statistics.wilson(successes, n, confidence=...)`

- `successes`: whole number of at least 0
- `n`: whole number of at least 0
- `confidence`: number from 0 to 1
- gives record or null
  - `lower`: number from 0 to 1
  - `upper`: number from 0 to 1

The score interval of a proportion (Wilson 1927), two-sided, without continuity correction.
"""
    )


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("sequences.first_of_bursts", "`sequences.first_of_bursts(of, same=..., at=..., within=..., exempt=null)`"),
        ("sequences.first_of_bursts", "- `of`: list of records"),
        ("sequences.first_of_bursts", "- `same`: fields of the rows"),
        ("sequences.first_of_bursts", "- `at`: a field of the rows"),
        ("sequences.first_of_bursts", "- `within`: number of at least 0"),
        (
            "sequences.first_of_bursts",
            "- `exempt`: a function of (record) that gives true or false or null; null if left out",
        ),
        ("sequences.first_of_bursts", "- gives list of records"),
        ("matching.pair", "- `prefer`: one of the words `nearest`, `credit`; nearest if left out"),
        ("matching.pair", "- `same`: fields of the rows; [] if left out"),
        ("matching.pair", "  - `credit`: number or null"),
        ("text.words", "- `drop`: list of texts; [] if left out"),
        ("text.words", "- gives list of texts"),
        ("text.join", "- `texts`: list of (texts or nulls)"),
        ("statistics.f_beta", "- gives number from 0 to 1 or null"),
        ("statistics.cluster_bootstrap", "- `whole`: list of (numbers or nulls) or number"),
        ("language.min", "`min(of, ...)`"),
        ("language.min", "- `of`: any number of values"),
        ("language.credit", "`credit(x, full=..., zero=...)`"),
        ("language.round", "- gives number or null"),
        ("language.lookup", "- `key`: any value"),
    ],
)
def test_the_words_of_signatures(name: str, line: str):
    assert line in describe(name).splitlines()


def test_records_show_their_computed_fields():
    assert "  - `rate`: number of at least 0 or null" in describe("text.word_errors").splitlines()


def test_underlined_headings_in_docstrings_do_not_become_headings():
    assert "**Conventions**" in describe("matching")
    assert not re.search(r"(?m)^[-=]{3,}$", page())


@pytest.mark.parametrize(("short", "full"), [("filter", "language.filter"), ("wilson", "statistics.wilson")])
def test_a_function_is_found_without_its_module(short: str, full: str):
    assert describe(short) == describe(full)


def test_a_name_of_the_language_and_of_a_module_is_the_languages():
    assert describe("mean") == describe("language.mean") != describe("statistics.mean")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("txt", "did you mean 'text'?"),
        ("text.wrods", "did you mean 'text.words'?"),
        ("fliter", "did you mean 'filter'?"),
        ("zzzz", "modules: language, "),
    ],
)
def test_unknown_names_are_told_apart(name: str, hint: str):
    with pytest.raises(CallFault, match=re.escape(f"there is no module and no function '{name}'; {hint}")):
        describe(name)
