"""Names that hide other names, and names given twice: nothing may mean two things."""

from collections.abc import Iterator

from ..document import Node, Scalar
from ..expressions.builtins import BUILTINS
from ..findings import Finding
from .facts import Facts
from .names import Binding

_HINT = "give one of them another name"


def hidden_names(facts: Facts) -> Iterator[Finding]:
    """Parameters, steps, columns and other inner names that hide a name from outside."""
    for path, reading in facts.readings.items():
        for binding in reading.bindings:
            always = not binding.given and not binding.shown
            if binding.hides is not None and binding.node is not None and (always or binding.read):
                message = f"the {binding.what} '{binding.name}' hides {binding.hides}"
                place = _place(facts, binding)
                offset = binding.offset if place is binding.node else 0
                yield facts.finding("shadowing", message, place, _HINT, offset=offset, node=path)


def _place(facts: Facts, binding: Binding) -> Node:
    """Steps, columns and the names of `for_each` stand in keys, all other names in the text itself."""
    if binding.what == "member":
        return facts.part_key(binding.node, "for")  # type: ignore[arg-type]
    named_by_key = binding.what in ("step", "column", "for_each name")
    return facts.key_of(binding.node) if named_by_key else binding.node  # type: ignore[return-value]


def repeated_names(facts: Facts) -> Iterator[Finding]:
    """One name for two inputs, constants, values, metrics or scores; one id for two gates."""
    rubric = facts.rubric
    seen: dict[str, tuple[str, Scalar]] = {}
    sections = {"input": rubric.inputs, "constant": rubric.constants, "value": rubric.let}
    for kind, members in {**sections, "metric": rubric.metrics, "score": rubric.score}.items():
        for name, member in members.items():
            first = seen.setdefault(name, (kind, member.key))
            if first[1] is not member.key:
                there = rubric.document.position(first[1]).line
                message = f"the {kind} '{name}' has the name of the {first[0]} in line {there}"
                yield facts.finding("shadowing", message, member.key, _HINT)
    gates: dict[str, Scalar] = {}
    for gate in rubric.gates:
        if gates.setdefault(gate.name, gate.key) is not gate.key:
            message = f"the gate '{gate.name}' stands in line {gates[gate.name].line} already"
            yield facts.finding("shadowing", message, gate.key, _HINT, node=f"gates.{gate.name}")


def functions_like_builtins(facts: Facts) -> Iterator[Finding]:
    """Functions called like one of the language, which they would replace; functions given twice."""
    seen: set[str] = set()
    for entry in facts.entries("functions"):
        name = entry.key.text.partition("(")[0].strip()
        if name in BUILTINS:
            message = f"the function '{name}' hides the one that the language has"
            yield facts.finding("shadowing", message, entry.key, "give it another name", node=f"functions.{name}")
        elif name in seen:
            message = f"there are two functions '{name}'"
            yield facts.finding("shadowing", message, entry.key, _HINT, node=f"functions.{name}")
        seen.add(name)
