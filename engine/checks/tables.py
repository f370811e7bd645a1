"""Constants looked up by a value: what they are looked up by, and whether they have an entry for all it can be."""

from collections.abc import Iterator
from typing import Any

from ..analysis import literal_type
from ..document import Entry
from ..expressions.types import Type
from ..expressions.values import equal
from ..findings import Finding, suggestion
from ..rubric import Constant
from .facts import Facts

_SCALARS = ("number", "text", "boolean", "any")


def tables(facts: Facts) -> Iterator[Finding]:
    """Each table against the values that its key can have."""
    for constant in facts.rubric.constants.values():
        if constant.by is None:
            continue
        if constant.by not in facts.plain_names:
            message = f"nothing is called '{constant.by}', by which '{constant.name}' is looked up"
            hint = suggestion(constant.by, facts.plain_names) or "a table is looked up by the name of one value"
            yield _finding(facts, constant, "unknown-name", message, hint)
            continue
        by = _type(facts, constant.by)
        if by.kind not in _SCALARS:
            message = f"'{constant.name}' is looked up by '{constant.by}', which is a {by}"
            yield _finding(facts, constant, "by-table", message, "a key is a number, a text, true or false")
        else:
            yield from _entries(facts, constant, _possible(by))


def _finding(facts: Facts, constant: Constant, id: str, message: str, hint: str) -> Finding:
    return facts.finding(id, message, facts.part(constant.key, "by"), hint, node=f"constants.{constant.name}")


def _type(facts: Facts, name: str) -> Type:
    section, _, _ = facts.plain_names[name][0].partition(".")
    if section == "let" or name in facts.analysis.types:
        return facts.analysis.types.get(name, Type())
    return facts.analysis.input_type(name) if section == "inputs" else literal_type(facts.rubric.constants[name].value)


def _possible(by: Type) -> tuple | None:
    """The values that a key can have, where they are few."""
    if by.words is None and by.kind == "boolean":
        return (True, False)
    return by.words


def _entries(facts: Facts, constant: Constant, possible: tuple | None) -> Iterator[Finding]:
    entries = [entry for entry in facts.entries("constants", constant.name) if entry.key.text != "by"]
    if not entries:
        yield _finding(facts, constant, "by-table", f"the table '{constant.name}' has no entry", "write one a line")
        return
    if possible is None:
        return
    missing = [value for value in possible if not any(equal(entry.key.value, value) for entry in entries)]
    if missing:
        listed = ", ".join(_shown(value) for value in missing)
        message = f"'{constant.name}' has no entry for {listed}, which '{constant.by}' can be"
        yield facts.finding("by-table", message, constant.key, "add one", node=f"constants.{constant.name}")
    for entry in entries:
        if not any(equal(entry.key.value, value) for value in possible):
            yield _never(facts, constant, entry, possible)


def _never(facts: Facts, constant: Constant, entry: Entry, possible: tuple) -> Finding:
    message = f"'{constant.by}' is never {_shown(entry.key.value)}, so this entry of '{constant.name}' is never read"
    can_be = [_shown(value) for value in possible]
    hint = suggestion(_shown(entry.key.value), can_be) or f"it can be {', '.join(can_be)}"
    path = f"constants.{constant.name}"
    return facts.finding("by-table", message, entry.key, hint, severity="warning", node=path)


def _shown(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
