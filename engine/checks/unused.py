"""What a rubric says that nothing reads: inputs, constants, records, functions, values, steps, parameters."""

from collections.abc import Iterator

from ..document import Node
from ..expressions import syntax
from ..expressions.types import Type
from ..findings import Finding
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


def unused_names(facts: Facts) -> Iterator[Finding]:
    """Named parts that no metric, score, gate or report needs, not even by way of others."""
    used = facts.reached(facts.parts(*_ROOTS))
    used |= facts.reached(facts.parts("inputs")) - set(facts.parts("inputs"))
    unused = [path for path in facts.parts(*_KINDS) if path not in used]
    for path in unused:
        section, _, name = path.partition(".")
        if facts.may_be_meant(path.rpartition(".")[2]):
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


# ---------------------------------------------------------------- names inside parts


def unused_derived_values(facts: Facts) -> Iterator[Finding]:
    """Values derived in a record that no expression reads and no report shows."""
    words = set().union(*(reading.words | reading.unknown.keys() for reading in facts.readings.values()))
    shown = _shown_fields(facts)
    for name in facts.rubric.records:
        for binding in facts.readings[f"records.{name}"].bindings:
            if binding.what != "derived value" or binding.node is None or binding.read:
                continue
            if binding.name not in words and binding.name not in shown and not facts.may_be_meant(binding.name):
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
    seen: set[int] = set()
    waiting: list[Type] = [facts.type_of(tree) for tree in trees]
    while waiting:
        type_ = waiting.pop()
        if id(type_) in seen:
            continue
        seen.add(id(type_))
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
            if not facts.may_be_meant(binding.name):
                message = f"nothing reads the {binding.what} '{binding.name}'"
                out = "value" if binding.what == "column" else "result"
                hint = f"only '{out}' comes out; read it there, or remove it"
                yield facts.finding("unused", message, facts.key_of(binding.node), hint, node=path)


def unread_parameters(facts: Facts) -> Iterator[Finding]:
    """Parameters that their function does not read, unless it is handed on and has to take what it is given."""
    handed_on = set().union(*(reading.handed_on for reading in facts.readings.values()))
    for name, definition in facts.rubric.functions.items():
        for binding in facts.readings[f"functions.{name}"].bindings:
            if not binding.must_be_read or binding.what != "parameter" or binding.read or name in handed_on:
                continue
            called = any(
                isinstance(tree, syntax.Call) and tree.label == binding.name
                for tree in syntax.walk(definition.function.body)
            )
            if not called and not facts.may_be_meant(binding.name):
                message = f"the function '{name}' does not read its parameter '{binding.name}'"
                key, at = definition.key, binding.offset
                yield facts.finding(
                    "unused", message, key, "remove it", offset=at, severity="warning", node=f"functions.{name}"
                )
