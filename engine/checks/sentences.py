"""Blanks `{name}` in the sentences of gates and warnings."""

from collections.abc import Iterable, Iterator

from ..document import Node
from ..findings import Finding, suggestion
from .facts import Facts
from .names import placeholders


def blanks(facts: Facts) -> Iterator[Finding]:
    """Blanks that nothing fills, which would be shown as they are written."""
    rubric = facts.rubric
    for gate in rubric.gates:
        known = [*rubric.constants, *(["each"] if gate.each is not None else [])]
        if gate.because:
            yield from _unfilled(facts, gate.because, facts.part(gate.key, "because"), known, f"gates.{gate.name}")
    for warning in rubric.warnings.values():
        known = [name for name, _ in warning.each]
        yield from _unfilled(facts, warning.say, facts.part(warning.key, "say"), known, f"warnings.{warning.name}")


def _unfilled(facts: Facts, text: str, at: Node, known: Iterable[str], path: str) -> Iterator[Finding]:
    for name, offset in placeholders(text):
        if name not in known:
            hint = suggestion(name, known) or f"names that can stand here: {', '.join(known) or 'none'}"
            message = f"nothing fills the blank '{{{name}}}'"
            yield facts.finding("unknown-name", message, at, hint, offset=offset, node=path)
