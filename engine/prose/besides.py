"""What a report says besides, what the rules were tried on, and what the primitives do that the rules call."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .. import catalogue
from ..expressions import syntax
from ..expressions.builtins import BUILTINS
from ..json_text import encode
from ..rubric import Control, Rubric
from ..trees import functions_called, primitives_called
from .definitions import definition, in_words
from .markdown import Section, capital, plain, sentence
from .phrases import ARITHMETIC, clause, code, each_of, listed

CATALOGUE = "../primitives.md"


def values(rubric: Rubric) -> Section:
    """Names stand together in one sentence, expressions each in its own."""
    names = [name for name, part in rubric.values.items() if _is_name(part.tree, name)]
    items = {name: [] if name in names else definition(name, part.tree) for name, part in rubric.values.items()}
    introduction = [f"Besides the score, the report gives {listed(map(code, names))}."] if names else []
    shown = {name: lines for name, lines in items.items() if lines}
    if not shown and names:
        shown = {names[0]: introduction}
        introduction = []
    return Section("values", "What the report gives besides", shown, introduction)


def _is_name(tree: syntax.Tree, name: str) -> bool:
    return syntax.bare(tree) == syntax.Name(name)


def warnings(rubric: Rubric) -> Section:
    rows = {}
    for name, warning in rubric.warnings.items():
        each = f"for {each_of(warning.each)}" if warning.each else ""
        when = f"where {clause(warning.when)}" if warning.when is not None else ""
        rows[name] = [
            code(name),
            capital(sentence(", ".join(part for part in (each, when) if part))),
            plain(warning.say),
        ]
    introduction = ["A warning changes no score and no outcome."]
    return Section("warnings", "What the report warns of", rows, introduction, ("Warning", "When", "What it says"))


def artifacts(rubric: Rubric) -> Section:
    items = {}
    for name, artifact in rubric.artifacts.items():
        when = ", made only where the outcome is pass," if artifact.when_passed else ""
        phrase, below = in_words(artifact.content)
        folder = ", a folder," if artifact.format == "folder" else ""
        items[name] = [
            f"**{code(name)}**{folder}{when} holds {phrase}{':' if below else '.'}",
            *(["", *below] if below else []),
        ]
    return Section("artifacts", "Files that can be made", items, ["Made only where the run is asked to."])


# ---------------------------------------------------------------- what the rules were tried on


def examples(rubric: Rubric) -> Section:
    rows = {
        name: [code(name), plain(example.about or ""), "; ".join(_expected(example.expected))]
        for name, example in rubric.examples.items()
    }
    introduction = ["Small cases that come with the rubric, with what each must give."]
    return Section("examples", "Examples", rows, introduction, ("Example", "What it is", "What it gives"))


def _expected(expected: Mapping[str, Any]) -> Iterator[str]:
    for name, value in expected.items():
        if isinstance(value, Mapping):
            yield ", ".join(f"{code(str(member))} {_shown(known)}" for member, known in value.items())
        else:
            yield f"{name} {_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "holds" if value else "does not hold"
    return value if isinstance(value, str) else encode(value)


def controls(rubric: Rubric) -> Section:
    rows = {name: _control(control) for name, control in rubric.controls.items()}
    introduction = [
        "Entries that try to earn without doing the work, made from the reference material of each example. "
        "None may score more than its ceiling."
    ]
    head = ("Control", "What is entered", "Ceiling", "Known violation")
    return Section("controls", "Controls", rows, introduction, head)


def _control(control: Control) -> list[str]:
    entered = plain(control.about) if control.about else f"Values for {listed(map(code, control.inputs))}."
    return [code(control.name), entered, f"{control.at_most:g}", plain(control.known_violation or "")]


# ---------------------------------------------------------------- what is called


def primitives(rubric: Rubric) -> Section:
    """The primitives and the functions of arithmetic that formulas on the page name; controls show no formulas."""
    shown = replace(rubric, controls={})
    rows = {label: [_linked(label), _described(label)] for label in primitives_called(shown)}
    called = functions_called(shown)
    rows |= {name: [_linked(name), _first(inspect.getdoc(BUILTINS[name]))] for name in ARITHMETIC if name in called}
    return Section("primitives", "Functions named above", rows, head=("Function", "What it gives"))


def _linked(label: str) -> str:
    return f"[{code(label)}]({CATALOGUE}#{label.replace('.', '')})"


def _described(label: str) -> str:
    module, _, name = label.partition(".")
    function = catalogue.functions(module).get(name)
    return _first(inspect.getdoc(function)) if function is not None else ""


def _first(documented: str | None) -> str:
    """The first paragraph of a description."""
    return sentence((documented or "").split("\n\n")[0])
