"""What examples expect of the parts of a report: names that it has, and answers that they can give."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import document
from ..document import Entry
from ..expressions import syntax
from ..expressions.types import Type
from ..findings import Finding, suggestion
from ..rubric import Gate, Rubric
from ..verdict import labels
from .facts import Facts

_ABOUT_A_METRIC = ("value", "weight", "of", "measured")


def results(rubric: Rubric) -> Mapping[str, list[str]]:
    """The names under which a report has results."""
    return {
        "metrics": list(rubric.metrics),
        "values": [*rubric.score, *rubric.values],
        "gates": [gate.name for gate in rubric.gates],
        "caps": [cap.name for _, cap in rubric.caps],
    }


def expectation(facts: Facts, section: str, entry: Entry, path: str) -> Iterator[Finding]:
    """What is wrong with one expected metric, value, gate or cap."""
    name, known = entry.key.text, results(facts.rubric)[section]
    gate = next((gate for gate in facts.rubric.gates if gate.name == name.partition("[")[0]), None)
    if section == "gates" and gate is not None:
        yield from _gate(facts, gate, entry, path)
    elif name not in known:
        what = section.removesuffix("s")
        hint = suggestion(name, known) or f"{section}: {', '.join(known) or 'none'}"
        yield facts.finding(f"unknown-{what}", f"there is no {what} '{name}'", entry.key, hint, node=path)
    if section in ("gates", "caps"):
        yield from _answer(facts, section, entry, path)
    elif name in known:
        yield from _fields(facts, section, entry, path)


def _answer(facts: Facts, section: str, entry: Entry, path: str) -> Iterator[Finding]:
    """A gate held, did not, or neither; a cap applied or did not."""
    value = document.plain(entry.value)
    if not isinstance(value, bool) and (value is not None or section == "caps"):
        gate = "a gate holds (true), does not (false), or neither (null)"
        what = gate if section == "gates" else "a cap applies (true) or does not (false)"
        yield facts.finding("wrong-type", what, entry.value, "write true or false", node=path)


def _gate(facts: Facts, gate: Gate, entry: Entry, path: str) -> Iterator[Finding]:
    """A gate with `for` has results by member, and one of its own only where there are no members to hold."""
    name, bracket, rest = entry.key.text.partition("[")
    label = rest.removesuffix("]") if bracket else None
    if gate.each is None and label is not None:
        message = f"the gate '{name}' has no members: it has no 'for'"
        yield facts.finding("unknown-gate", message, entry.key, f"did you mean '{name}'?", node=path)
    elif gate.each is not None and (document.plain(entry.value) is True if label is None else not rest.endswith("]")):
        message = f"the gate '{name}' goes through members, and each has a result of its own"
        yield facts.finding("unknown-gate", message, entry.key, f"write {name}[label]", node=path)
    elif gate.each is not None and label is not None:
        known = _labels(facts, gate.each)
        if known is not None and label not in known:
            hint = suggestion(label, known) or f"members: {', '.join(known) or 'none'}"
            message = f"the gate '{name}' has no member '{label}'"
            yield facts.finding("unknown-gate", message, entry.key, hint, node=path)


def _labels(facts: Facts, each: syntax.Tree) -> Sequence[str] | None:
    """The labels of a gate's members, where no input decides them."""
    bare = syntax.bare(each)
    constant = facts.rubric.constants.get(bare.id) if isinstance(bare, syntax.Name) else None
    if constant is not None and constant.by is None:
        return [label for label, _ in labels(constant.value)] if isinstance(constant.value, (dict, list)) else None
    type_ = facts.type_of(each)
    return [name for name, _ in type_.fields] if type_.kind == "record" and not type_.open else None


def _fields(facts: Facts, section: str, entry: Entry, path: str) -> Iterator[Finding]:
    """The members of an expected record must be there in what is measured."""
    name = entry.key.text
    if not isinstance(entry.value, document.Mapping):
        return
    fields = _known_fields(facts.analysis.types.get(name), section)
    for member in entry.value.entries if fields is not None else ():
        if fields is not None and member.key.text not in fields:
            hint = suggestion(member.key.text, fields) or f"known fields: {', '.join(fields)}"
            message = f"'{name}' has no '{member.key.text}'"
            yield facts.finding("unknown-field", message, member.key, hint, node=path)


def _known_fields(type_: Type | None, section: str) -> list[str] | None:
    """What a report says of a metric, or the fields of a value; None where that is not known."""
    fields: Any = None
    if type_ is not None and type_.kind == "record" and not type_.open:
        fields = [name for name, _ in type_.fields]
    elif type_ is not None and type_.kind in ("number", "boolean") and section == "metrics":
        fields = []
    return [*fields, *(_ABOUT_A_METRIC if section == "metrics" else ())] if fields is not None else None
