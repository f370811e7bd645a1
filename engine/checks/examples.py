"""Examples and controls: the names in them, and ceilings that say something."""

from collections.abc import Iterable, Iterator

from .. import document
from ..document import Entry, Node
from ..findings import Finding, suggestion
from ..number_types import as_number
from ..rubric import Control, Example
from .expectations import expectation, results
from .facts import Facts

_OUTCOMES = ("pass", "fail", "inconclusive", "error")
_EXPECTED = ("outcome", "score", "metrics", "values", "gates", "caps")


def examples(facts: Facts) -> Iterator[Finding]:
    """Examples with inputs or results that the rubric does not have."""
    for example in facts.rubric.examples.values():
        path = f"examples.{example.name}"
        for entry in facts.entries("examples", example.name, "inputs"):
            if entry.key.text not in facts.rubric.inputs:
                yield _unknown(facts, "input", entry, facts.rubric.inputs, path)
        for declared in facts.rubric.inputs.values():
            given = declared.name in example.inputs or declared.has_default or declared.may_be_empty
            if not given and facts.complete:
                message = f"the example '{example.name}' lacks the input '{declared.name}'"
                yield facts.finding("missing-key", message, facts.part_key(example.key, "inputs"), node=path)
        for entry in facts.entries("examples", example.name, "expected"):
            yield from _expected(facts, entry, path)
        yield from _tolerance(facts, example, path)


def _unknown(facts: Facts, what: str, entry: Entry, known: Iterable[str], path: str) -> Finding:
    known = list(known)
    hint = suggestion(entry.key.text, known) or f"{what}s: {', '.join(known) or 'none'}"
    return facts.finding(f"unknown-{what}", f"there is no {what} '{entry.key.text}'", entry.key, hint, node=path)


def _expected(facts: Facts, entry: Entry, path: str) -> Iterator[Finding]:
    name, known = entry.key.text, results(facts.rubric).get(entry.key.text)
    if name not in _EXPECTED:
        hint = suggestion(name, _EXPECTED) or f"known keys: {', '.join(_EXPECTED)}"
        yield facts.finding("unknown-key", f"'expected' has no key '{name}'", entry.key, hint, node=path)
    elif name == "outcome" and document.plain(entry.value) not in _OUTCOMES:
        message = f"the outcome is one of {', '.join(_OUTCOMES)}"
        hint = suggestion(str(document.plain(entry.value)), _OUTCOMES)
        yield facts.finding("unknown-word", message, entry.value, hint, node=path)
    elif name == "score" and not facts.rubric.score and document.plain(entry.value) is not None:
        message = "a score is expected, but the rubric has none"
        yield facts.finding("limits", message, entry.key, "leave it out", node=path)
    elif known is not None and not isinstance(entry.value, document.Mapping):
        message = f"'{name}' is a mapping from names to what they must be"
        yield facts.finding("wrong-shape", message, entry.value, node=path)
    elif known is not None:
        for member in facts.entries(*path.split(".", 1), "expected", name) if facts.complete else ():
            yield from expectation(facts, name, member, path)


def _tolerance(facts: Facts, example: Example, path: str) -> Iterator[Finding]:
    if example.tolerance < 0:
        message = f"the tolerance of the example '{example.name}' is below 0, so nothing could be near enough"
        yield facts.finding("limits", message, facts.part(example.key, "tolerance"), node=path)


# ---------------------------------------------------------------- controls


def controls(facts: Facts) -> Iterator[Finding]:
    """Controls that make what no candidate hands in, and ceilings that nothing or everything stays under."""
    for control in facts.rubric.controls.values():
        path = f"controls.{control.name}"
        for entry in facts.entries("controls", control.name, "inputs"):
            declared = facts.rubric.inputs.get(entry.key.text)
            if declared is None:
                yield _unknown(facts, "input", entry, facts.rubric.inputs, path)
            elif declared.origin != "candidate":
                message = f"a control is an entry, but '{declared.name}' comes from: {declared.origin}"
                yield facts.finding("limits", message, entry.key, "make what a candidate hands in", node=path)
        yield from _made(facts, control, path)
        yield from _ceiling(facts, control, facts.part(control.key, "at_most"), path)


def _made(facts: Facts, control: Control, path: str) -> Iterator[Finding]:
    """A control makes every input of a candidate, and cannot read one."""
    inputs = facts.rubric.inputs
    wrong = any(name not in inputs or inputs[name].origin != "candidate" for name in control.inputs)
    for declared in inputs.values():
        needed = declared.origin == "candidate" and not declared.has_default and not declared.may_be_empty
        if needed and declared.name not in control.inputs and facts.complete and not wrong:
            message = f"the control '{control.name}' does not make '{declared.name}'"
            yield facts.finding("missing-key", message, facts.part_key(control.key, "inputs"), node=path)
    for part in sorted(facts.candidates & facts.reached([path])):
        message = f"the control '{control.name}' reads '{part.partition('.')[2]}', but there is no entry for it to read"
        hint = "make it from reference and operator material"
        yield facts.finding("limits", message, facts.part_key(control.key, "inputs"), hint, node=path)


def _ceiling(facts: Facts, control: Control, at: Node, path: str) -> Iterator[Finding]:
    scores = list(facts.rubric.score)
    score = as_number(facts.analysis.types.get(scores[-1])) if scores else None
    if not scores and facts.complete:
        message = f"the control '{control.name}' has a ceiling, but there is no score to stay under it"
        yield facts.finding("limits", message, at, "add 'score:', or remove the control", node=path)
    elif score is not None and score.kind == "number" and control.at_most >= score.high:
        message = f"the score is at most {score.high:.12g}, so every entry stays under this ceiling"
        yield facts.finding("limits", message, at, "say what the control may earn", node=path)
    elif score is not None and score.kind == "number" and control.at_most < score.low:
        message = f"the score is at least {score.low:.12g}, so no entry stays under this ceiling"
        yield facts.finding("limits", message, at, "say what the control may earn", node=path)
