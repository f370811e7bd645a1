"""Entries that break their record: each list of a candidate's entries needs a count of them, else they cost nothing."""

from collections.abc import Iterator

from ..document import Node
from ..expressions import syntax
from ..expressions.types import Type
from ..findings import Finding
from ..rubric import Rubric
from .facts import Facts

_COUNTERS = ("malformed", "unreadable")  # the functions of the language that tell how many entries were left out
Entries = tuple[str, str | None, str | None]


def uncounted_entries(facts: Facts) -> Iterator[Finding]:
    """Lists of a candidate's entries that the rules read while nothing counts what was left out of them."""
    counted = {entries for call, _ in _counts(facts) for entries in _argument(facts, call).entries}
    read = {entries for type_ in facts.knowledge.types.values() for entries in type_.entries}
    for entries in sorted(read - counted, key=str):
        name, record, field = entries
        declared = facts.rubric.inputs.get(name)
        if declared is None or declared.origin != "candidate":
            continue
        written = _written(facts.rubric, entries)
        key = declared.key if record is None else facts.rubric.records[record].keys[field or ""]
        message = f"malformed entries of {written} cost nothing: they are left out, and nothing counts them"
        hint = f"count malformed({written}) with what is wrong, or show it under 'values'"
        yield facts.finding("unused", message, key, hint, node=f"inputs.{name}")


def _written(rubric: Rubric, entries: Entries) -> str:
    name, record, field = entries
    if record is None:
        return name
    return f"{name}.{field}" if rubric.inputs[name].record == record else f"{record}.{field}"


def useless_counts(facts: Facts) -> Iterator[Finding]:
    """Calls that count malformed entries where there can be none."""
    inputs = facts.rubric.inputs
    for call, source in _counts(facts):
        type_ = _argument(facts, call)
        named = [inputs[name] for name, _, _ in sorted(type_.entries, key=str) if name in inputs]
        if any(declared.origin == "candidate" for declared in named) or type_.kind not in ("list", "null"):
            continue
        message = f"this list is not one that an input was read into, so {call.name}(...) never finds anything"
        hint = f"name the list of the input itself, as in {call.name}(INPUT.FIELD)"
        if named:
            message = f"a malformed entry of '{named[0].name}' stops the case, so {call.name}(...) never finds anything"
            hint = f"'{named[0].name}' comes from: {named[0].origin}; only a candidate's entries are counted"
        yield facts.finding("unused", message, source, hint, offset=call.at)


def _counts(facts: Facts) -> Iterator[tuple[syntax.Call, Node]]:
    for reading in facts.readings.values():
        for call, source in reading.calls:
            if call.label in _COUNTERS and call.name not in facts.rubric.functions:
                yield call, source


def _argument(facts: Facts, call: syntax.Call) -> Type:
    return facts.type_of(next(iter(syntax.children(call)), None))
