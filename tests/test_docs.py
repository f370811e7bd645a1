"""The documentation is true: its snippets are read by the engine, its tables are evaluated, its commands run."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from rubric.engine import RubricError
from rubric.engine.analysis import analyse
from rubric.engine.building import build
from rubric.engine.document import read_document
from rubric.engine.evaluation import evaluate_case
from rubric.engine.expressions.builtins import BUILTINS
from rubric.engine.json_schemas import schema_text
from rubric.engine.loading import load, load_text
from rubric.engine.plan import make_plan
from rubric.engine.report import RubricId
from rubric.engine.selftest import test_rubric as self_test
from rubric.engine.verdict import holds

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TUTORIAL = ROOT / "tests" / "rubrics" / "tutorial"
PAGES = ("language.md", "authoring.md")
HEAD = 'rubric: r\nversion: "1"\nlanguage: 1\n'


@dataclass(frozen=True)
class Snippet:
    """A fenced block: the words after its fence, its text, and where it stands."""

    words: tuple[str, ...]
    text: str
    place: str


def snippets(page: str) -> Iterator[Snippet]:
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if start is None:
                start = number
                continue
            words = tuple(lines[start - 1].removeprefix("```").split())
            yield Snippet(words, "\n".join(lines[start : number - 1]) + "\n", f"{page}:{start}")
            start = None


def marked(*words: str) -> list[Any]:
    found = [snippet for page in PAGES for snippet in snippets(page) if snippet.words[: len(words)] == words]
    return [pytest.param(snippet, id=snippet.place) for snippet in found]


# ---------------------------------------------------------------- snippets


def test_every_block_says_what_it_is():
    kinds = {"rubric", "refused", "comment", "workflow", "pre-commit", "context", "file"}
    for page in PAGES:
        for snippet in snippets(page):
            assert snippet.words[0] in ("yaml", "json", "sh", "text", "python"), snippet.place
            assert set(snippet.words[1:2]) <= kinds, snippet.place


@pytest.mark.parametrize("snippet", marked("yaml", "rubric"))
def test_a_whole_rubric_validates_and_gives_what_its_examples_say(snippet: Snippet):
    loaded = load_text(snippet.text, snippet.place)
    assert loaded.findings == ()
    result = self_test(loaded)
    assert result.examples
    assert [example.differences for example in result.examples] == [()] * len(result.examples)


@pytest.mark.parametrize("snippet", [p for p in marked("yaml") if len(p.values[0].words) == 1])
def test_a_part_of_a_rubric_has_the_right_shape(snippet: Snippet):
    _, findings = build(read_document(HEAD + snippet.text, snippet.place))
    assert [finding.render() for finding in findings] == []


@pytest.mark.parametrize("snippet", marked("yaml", "refused"))
def test_what_is_refused_is_refused(snippet: Snippet):
    with pytest.raises(RubricError, match="comma"):
        load_text(HEAD + snippet.text, snippet.place)


@pytest.mark.parametrize("snippet", [*marked("yaml", "workflow"), *marked("yaml", "pre-commit")])
def test_configurations_are_yaml(snippet: Snippet):
    assert yaml.safe_load(snippet.text)


# ---------------------------------------------------------------- tables


def tables(page: str) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Each table: where it stands, its head, its rows."""
    rows: list[list[str]] = []
    lines = [*(DOCS / page).read_text(encoding="utf-8").splitlines(), ""]
    for number, line in enumerate(lines, 1):
        if line.startswith("|"):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            yield f"{page}:{number - len(rows)}", rows[0], rows[2:]
            rows = []


def test_the_rows_of_tables_have_the_cells_of_their_heads():
    for page in PAGES:
        for place, head, rows in tables(page):
            assert {len(row) for row in rows} == {len(head)}, place


def examples() -> Iterator[Any]:
    """Each expression of a table, with the value that stands beside it."""
    for place, head, rows in tables("language.md"):
        if "value" not in head or not {"expression", "example"} & set(head):
            continue
        left = next(head.index(name) for name in ("expression", "example") if name in head)
        for row in rows:
            expressions, values = (re.findall(r"`([^`]+)`", row[at]) for at in (left, head.index("value")))
            assert len(expressions) == len(values) > 0, f"{place}: {row}"
            for expression, value in zip(expressions, values, strict=True):
                yield pytest.param(expression, value, id=f"{place} {expression}")


CONTEXT = json.loads(next(snippet.text for snippet in snippets("language.md") if "context" in snippet.words))


def evaluated(expression: str) -> tuple[Any, list[str]]:
    """The value of an expression over the names of the page, and what is wrong with it before it runs."""
    data = {
        **{"rubric": "r", "version": "1", "language": 1, "values": {"it": expression}},
        "inputs": {name: {"from": "candidate", "default": value} for name, value in CONTEXT.items()},
    }
    rubric, findings = build(read_document(json.dumps(data), "table.yaml"))
    analysis = analyse(rubric)
    wrong = [*(finding.message for finding in findings), *(problem.message for problem in analysis.problems)]
    report, _ = evaluate_case(make_plan(analysis), RubricId("r", "1", ""), {}, engine="")
    assert report.error is None
    return report.values["it"], wrong


@pytest.mark.parametrize(("expression", "value"), examples())
def test_the_value_beside_an_expression_is_its_value(expression: str, value: str):
    found, wrong = evaluated(expression)
    if value == "refused":
        assert wrong
        return
    assert wrong == [] or expression in ("first(rows).id",)
    assert (found, type(found)) == (json.loads(value), type(json.loads(value)))


def test_every_function_of_the_language_has_a_row_with_its_arguments():
    rows = [row[0] for _, head, rows in tables("language.md") if head[0] == "function" for row in rows]
    calls = [call for row in rows for call in re.findall(r"`([^`]+)`", row)]
    assert list(dict.fromkeys(call.partition("(")[0] for call in calls)) == sorted(
        BUILTINS, key=lambda name: [call.partition("(")[0] for call in calls].index(name)
    )
    assert set(BUILTINS) == {call.partition("(")[0] for call in calls}


def test_every_key_of_the_language_is_in_the_reference():
    text = (DOCS / "language.md").read_text(encoding="utf-8")
    waiting, keys = [json.loads(schema_text(None, None))], set()
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            keys |= current.get("properties", {}).keys()
            waiting += [member for name, member in current.items() if name != "enum"]
        elif isinstance(current, list):
            waiting += current
    missing = [key for key in sorted(keys - {"in_step"}) if not re.search(rf"`{key}[`:, ]|^ *{key}:", text, re.M)]
    assert missing == []


def test_the_table_of_tolerant_words():
    rows = next(rows for _, head, rows in tables("language.md") if head[1].startswith("value 0.65"))
    for gate, answer in rows:
        word = gate.strip("`").partition(":")[0]
        assert holds(0.6499999999999999, word, 0.65) == (answer == "holds"), gate


def test_links_lead_somewhere():
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)]+)\)", text):
            path, _, anchor = target.partition("#")
            if "://" in target:
                continue
            linked = (DOCS / path) if path else DOCS / page
            assert linked.exists(), f"{page}: {target}"
            if anchor:
                headings = re.findall(r"(?m)^#+ (.*)$", linked.read_text(encoding="utf-8"))
                anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
                assert anchor in anchors, f"{page}: {target}"
