"""What a rubric says that nothing reads: inputs, constants, records, functions, values, steps, parameters."""

import re
from collections import Counter
from collections.abc import Iterator

from ..document import Node
from ..expressions.types import Type
from ..findings import Finding, suggestion
from .facts import Facts

_ROOTS = (
    "preconditions",
    "unmeasured",
    "metrics",
    "score",
    "gates",
    "warnings",
    "values",
    "artifacts",
    "controls",
)
_KINDS = {
    "inputs": "input",
    "constants": "constant",
    "records": "record",
    "functions": "function",
    "let": "value",
}
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def unused_names(facts: Facts) -> Iterator[Finding]:
    """Named parts that no metric, score, gate or report needs, not even by way of others."""
    used = facts.reached(facts.parts(*_ROOTS))
    used |= facts.reached(facts.parts("inputs"))  - set(facts.parts("inputs"))
    unused = [path for path in facts.parts(*_KINDS) if path not in used]
    for path in unused:
        section, _, name = path.partition(".")
        if _may_be_meant(facts, path.rpartition(".")[2]):
            continue
        readers = [other for other in unused if other != path and path in facts.readings[other].parts]
        only = f"only '{readers[0].rpartition('.')[2]}' reads" if readers else "nothing reads"
        besides = ", which is unused itself" if readers else ""
        message = f"{only} the {_KINDS[section]} '{name}'{besides}"
        yield facts.finding("unused", message, _key(facts, section, name), "remove it", node=path)


def _key(facts: Facts, section: str, name: str) -> Node:
    if section == "functions":
        return facts.rubric.functions[name].key
    return getattr(facts.rubric, section)[name].key


def _may_be_meant(facts: Facts, name: str) -> bool:
    """Whether some other fault of the file may be why a name seems unused."""
    misspelt = {unknown for reading in facts.readings.values() for unknown in reading.unknown}
    if any(suggestion(unknown, [name]) for unknown in misspelt):
        return True
    return not facts.complete and _mentions(facts)[name] > 1


def _mentions(facts: Facts) -> Counter[str]:
    """How often each word stands in the file: where some of it could not be read, a mention counts as a use."""
    return Counter(word for line in facts.rubric.document.lines for word in _WORD.findall(line))


# ---------------------------------------------------------------- names inside parts


def unused_derived_values(facts: Facts) -> Iterator[Finding]:
    """Values derived in a record that no expression reads and no report shows."""
    words = set().union(*(reading.words | reading.unknown.keys() for reading in facts.readings.values()))
    shown = _shown_fields(facts)
    for name in facts.rubric.records:
        for binding in facts.readings[f"records.{name}"].bindings:
            derived = binding.what == "derived value" and binding.node is not None
            if not derived or binding.read or binding.name in words or binding.name in shown:
                continue
            if not _may_be_meant(facts, binding.name):
                message = f"nothing reads '{binding.name}', which the record '{name}' derives"
                path = f"records.{name}.{binding.name}"
                yield facts.finding("unused", message, binding.node, "remove it", node=path)


def _shown_fields(facts: Facts) -> set[str]:
    """The fields of everything that a report shows as it is."""
    rubric = facts.rubric
    trees = [definition.tree for definition in rubric.values.values()]
    trees += [artifact.content for artifact in rubric.artifacts.values()]
    trees += [metric.value for metric in rubric.metrics.values()]
    trees += [gate.none for gate in rubric.gates if gate.none is not None]
    found: set[str] = set()
    waiting: list[Type] = [facts.type_of(tree) for tree in trees]
    while waiting:
        type_ = waiting.pop()
        found.update(name for name, _ in type_.fields)
        waiting += [inner for _, inner in type_.fields]
        waiting += [type_.element] if type_.element is not None else []
    return found


def unread_steps(facts: Facts) -> Iterator[Finding]:
    """Steps before a `result`, and columns beside a `value`, that nothing reads."""
    for path, reading in facts.readings.items():
        for binding in reading.bindings:
            if not binding.must_be_read or binding.read or binding.node is None or binding.what == "parameter":
                continue
            if not _may_be_meant(facts, binding.name):
                message = f"nothing reads the {binding.what} '{binding.name}'"
                hint = "only `result` comes out; read it there, or remove it"
                hint = "only `value` comes out; read it there, or remove it" if binding.what == "column" else hint
                yield facts.finding("unused", message, facts.key_of(binding.node), hint, node=path)


def unread_parameters(facts: Facts) -> Iterator[Finding]:
    """Parameters that their function does not read, unless it is handed on and has to take what it is given."""
    handed_on = set().union(*(reading.handed_on for reading in facts.readings.values()))
    for name, definition in facts.rubric.functions.items():
        for binding in facts.readings[f"functions.{name}"].bindings:
            if not binding.must_be_read or binding.what != "parameter" or binding.read or name in handed_on:
                continue
            if not _may_be_meant(facts, binding.name):
                message = f"the function '{name}' does not read its parameter '{binding.name}'"
                at, path = binding.offset, f"functions.{name}"
                yield facts.finding("unused", message, definition.key, "remove it", offset=at, severity="warning", node=path)
