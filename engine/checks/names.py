"""Which part of a rubric reads which names, and which names it gives itself: steps, parameters, columns.

One walk over every expression, in the scopes of the language, serves all checks that are about names.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..analysis import Analysis, metric_trees, nested_records, record_trees
from ..dependencies import BARE_WORD_ROLES
from ..document import Node, Scalar
from ..expressions import syntax, types
from ..expressions.inference import pair_arguments
from ..expressions.syntax import Tree
from ..rubric import Gate, Record, Rubric, Score

_FIELD_ROLES = BARE_WORD_ROLES[:2]
_BLANK = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z_][A-Za-z0-9_]*)*\}")


@dataclass(eq=False, slots=True)
class Binding:
    """A name that an expression gives. `must_be_read`: nothing else can come of it, so that unread it is a mistake.

    A `given` name stands in the data, and the key of a record that comes out (`shown`) is wanted for itself: such
    names hide others only where they are read.
    """

    name: str
    what: str
    node: Node | None
    offset: int = 0
    hides: str | None = None
    given: bool = False
    shown: bool = False
    must_be_read: bool = False
    read: bool = False


@dataclass(slots=True)
class Reading:
    """What one part of a rubric reads: parts by their path (`let.near`), words that name fields, names of nothing.

    `handed_on` are functions given to others by their bare name, `calls` all calls with the text they stand in.
    """

    path: str
    parts: dict[str, None] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    unknown: dict[str, None] = field(default_factory=dict)
    bindings: list[Binding] = field(default_factory=list)
    handed_on: set[str] = field(default_factory=set)
    calls: list[tuple[syntax.Call, Any]] = field(default_factory=list)


Scope = Mapping[str, Binding]


def plain_names(rubric: Rubric) -> dict[str, tuple[str, ...]]:
    """The paths of every name that expressions can read anywhere: one, unless a name was given twice."""
    return _paths({"inputs": rubric.inputs, "constants": rubric.constants, "let": rubric.let})


def measured_names(rubric: Rubric) -> dict[str, tuple[str, ...]]:
    """The paths of every name that metrics, scores, gates and what comes after them can read."""
    sections = {"inputs": rubric.inputs, "constants": rubric.constants, "let": rubric.let}
    return _paths({**sections, "metrics": rubric.metrics, "score": rubric.score})


def _paths(sections: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for section, members in sections.items():
        for name in members:
            found[name] = (*found.get(name, ()), f"{section}.{name}")
    return found


def placeholders(text: str) -> Iterator[tuple[str, int]]:
    """The names in the blanks `{name.field}` of a sentence, and where each stands."""
    for match in _BLANK.finditer(text):
        yield match[1], match.start(1)


def read_everything(analysis: Analysis) -> dict[str, Reading]:
    """What every part of a rubric reads, by its path."""
    return {reading.path: reading for reading in _Parts(analysis).readings()}


class _Walk:
    """The walk over the expressions of one part."""

    def __init__(self, analysis: Analysis, reading: Reading, names: Mapping[str, tuple[str, ...]]):
        self.knowledge = analysis.knowledge
        self.functions = analysis.rubric.functions
        self.reading = reading
        self.names = names
        self.source: Any = None

    def bind(self, binding: Binding, scope: Scope) -> Binding:
        """Notes a name, and what it hides."""
        outer = scope.get(binding.name)
        if outer is not None and outer.given and binding.what == "column":
            pass  # a column may be called like the field of the rows that it sums up
        elif outer is not None:
            binding.hides = f"the {outer.what} around it"
        elif binding.name in self.names:
            binding.hides = _called(self.names[binding.name][0])
        self.reading.bindings.append(binding)
        return binding

    def visit(self, tree: Tree | None, scope: Scope) -> None:
        if tree is None:
            return
        rule = _RULES.get(type(tree))
        if rule is not None:
            rule(self, tree, scope)
            return
        for child in syntax.children(tree):
            self.visit(child, scope)

    def _placed(self, tree: syntax.Placed, scope: Scope) -> None:
        before, self.source = self.source, tree.source
        self.visit(tree.body, scope)
        self.source = before

    def _name(self, tree: syntax.Name, scope: Scope) -> None:
        binding = scope.get(tree.id)
        if binding is not None:
            self._read(binding, tree)
        elif tree.id in self.names:
            self.reading.parts.update(dict.fromkeys(self.names[tree.id]))
        elif tree.id in self.functions:
            self.reading.parts[f"functions.{tree.id}"] = None
            self.reading.handed_on.add(tree.id)
        else:
            self.reading.unknown[tree.id] = None

    def _read(self, binding: Binding, tree: syntax.Name) -> None:
        if binding.given:
            self.reading.words.add(tree.id)
            if not binding.read:
                binding.node, binding.offset = self.source, tree.at
        binding.read = True

    def _field(self, tree: syntax.Field, scope: Scope) -> None:
        self.reading.words.add(tree.name)
        self.visit(tree.of, scope)

    def _index(self, tree: syntax.Index, scope: Scope) -> None:
        key = syntax.bare(tree.key)
        if isinstance(key, syntax.Text):
            self.reading.words.add(key.value)
        else:
            of = self.knowledge.types.get(id(tree.of), types.ANY)
            self.reading.words.update(name for name, _ in of.fields)
        self.visit(tree.of, scope)
        self.visit(tree.key, scope)

    def _call(self, tree: syntax.Call, scope: Scope) -> None:
        self.reading.calls.append((tree, self.source))
        signature = None
        if tree.module is None and tree.name in self.functions:
            self.reading.parts[f"functions.{tree.name}"] = None
        else:
            signature = self.knowledge.signature(tree)
            if signature is None:
                self.reading.unknown[tree.name] = None
        pairs = pair_arguments(tree, signature) if signature is not None else ""
        if isinstance(pairs, str):
            for child in syntax.children(tree):
                self.visit(child, scope)
            return
        for parameter, argument in pairs:
            if parameter.role in _FIELD_ROLES:
                found = (node for node in syntax.walk(argument) if isinstance(node, syntax.Name))
                self.reading.words.update(node.id for node in found)
            elif parameter.role not in BARE_WORD_ROLES:
                self.visit(argument, scope)

    def _lambda(self, tree: syntax.Lambda, scope: Scope) -> None:
        text = self.source.text if isinstance(self.source, Scalar) else ""
        inner = dict(scope)
        for name in tree.parameters:
            match = re.compile(rf"\b{re.escape(name)}\b").search(text, tree.at)
            at = match.start() if match else tree.at
            inner[name] = self.bind(Binding(name, "parameter", self.source, at), inner)
        self.visit(tree.body, inner)

    def _steps(self, tree: syntax.Steps, scope: Scope) -> None:
        inner = self.steps(tree, scope, "step", must_be_read=tree.result is not None)
        self.visit(tree.result, inner)

    def steps(self, tree: syntax.Steps, scope: Scope, what: str, *, must_be_read: bool) -> dict[str, Binding]:
        """The scope after the members of a mapping. A member that only repeats a name hides nothing: `x: x`."""
        inner = dict(scope)
        for name, value in tree.members:
            self.visit(value, inner)
            node = value.source if isinstance(value, syntax.Placed) else self.source
            binding = Binding(name, what, node, shown=not must_be_read, must_be_read=must_be_read)
            if syntax.bare(value) == syntax.Name(name):
                self.reading.bindings.append(binding)
            else:
                self.bind(binding, inner)
            inner[name] = binding
        return inner

    def each(self, names: Iterable[tuple[str, Tree]], scope: Scope) -> dict[str, Binding]:
        """The scope in which every name goes through its list."""
        inner = dict(scope)
        for name, value in names:
            self.visit(value, inner)
            node = value.source if isinstance(value, syntax.Placed) else self.source
            inner[name] = self.bind(Binding(name, "for_each name", node), inner)
        return inner

    def _for_each(self, tree: syntax.ForEach, scope: Scope) -> None:
        inner = self.each(tree.names, scope)
        inner = self.steps(tree.columns, inner, "column", must_be_read=tree.value is not None)
        for part in (tree.where, tree.value, tree.key):
            self.visit(part, inner)

    def _group(self, tree: syntax.Group, scope: Scope) -> None:
        self.visit(tree.of, scope)
        self.reading.words.update(tree.by)
        row = types.elements(self.knowledge.types.get(id(tree.of), types.ANY))
        inner = dict(scope)
        for name, _ in row.fields:
            inner[name] = self.bind(Binding(name, "field of the rows", self.source, given=True), scope)
        self.steps(tree.columns, inner, "column", must_be_read=False)

    def _in_step(self, tree: syntax.InStep, scope: Scope) -> None:
        for _, value in tree.names:
            self.visit(value, scope)
        self.visit(tree.rows, scope)
        inner = dict(scope)
        inner[syntax.STEP] = self.bind(Binding(syntax.STEP, "number of the step", self.source, given=True), scope)
        for name, value in tree.names:
            node = value.source if isinstance(value, syntax.Placed) else self.source
            inner[name] = self.bind(Binding(name, "stream", node), inner)
        self.steps(tree.columns, inner, "column", must_be_read=False)


_RULES: dict[type, Callable[[_Walk, Any, Scope], None]] = {
    syntax.Placed: _Walk._placed,
    syntax.Name: _Walk._name,
    syntax.Field: _Walk._field,
    syntax.Index: _Walk._index,
    syntax.Call: _Walk._call,
    syntax.Lambda: _Walk._lambda,
    syntax.Steps: _Walk._steps,
    syntax.ForEach: _Walk._for_each,
    syntax.Group: _Walk._group,
    syntax.InStep: _Walk._in_step,
}


def _called(path: str) -> str:
    section, _, name = path.partition(".")
    kinds = {"inputs": "input", "constants": "constant", "let": "value", "metrics": "metric", "score": "score"}
    return f"the {kinds[section]} '{name}'"


class _Parts:
    """The parts of a rubric, each with the names it sees."""

    def __init__(self, analysis: Analysis):
        self.analysis = analysis
        self.rubric = analysis.rubric
        self.plain = plain_names(self.rubric)
        self.measured = measured_names(self.rubric)

    def readings(self) -> Iterator[Reading]:
        rubric = self.rubric
        yield from self._data()
        for name, definition in rubric.functions.items():
            yield self._function(f"functions.{name}", definition)
        for name, precondition in rubric.preconditions.items():
            yield self._each(f"preconditions.{name}", precondition.each, precondition.requirements, measured=False)
        for name, definition in rubric.let.items():
            yield self._trees(f"let.{name}", [definition.tree], measured=False)
        yield self._trees("unmeasured", [rubric.unmeasured])
        for name, metric in rubric.metrics.items():
            yield self._trees(f"metrics.{name}", metric_trees(metric))
        for name, score in rubric.score.items():
            yield self._score(f"score.{name}", score)
        for gate in rubric.gates:
            yield self._gate(f"gates.{gate.name}", gate)
        for name, warning in rubric.warnings.items():
            yield self._each(f"warnings.{name}", warning.each, [warning.when], measured=True)
        for name, definition in rubric.values.items():
            yield self._trees(f"values.{name}", [definition.tree])
        for name, artifact in rubric.artifacts.items():
            yield self._trees(f"artifacts.{name}", [artifact.content])
        for name, control in rubric.controls.items():
            yield self._trees(f"controls.{name}", list(control.inputs.values()), measured=False)

    def _start(self, path: str, measured: bool) -> tuple[Reading, _Walk]:
        reading = Reading(path)
        return reading, _Walk(self.analysis, reading, self.measured if measured else self.plain)

    def _trees(self, path: str, trees: Iterable[Tree | None], *, measured: bool = True) -> Reading:
        reading, walk = self._start(path, measured)
        for tree in trees:
            walk.visit(tree, {})
        return reading

    def _data(self) -> Iterator[Reading]:
        """Inputs, constants and records."""
        records = self.rubric.records
        for name, declared in self.rubric.inputs.items():
            reading = Reading(f"inputs.{name}")
            if declared.record in records:
                reading.parts[f"records.{declared.record}"] = None
            elif declared.record is not None:
                reading.unknown[declared.record] = None
            yield reading
        for name, constant in self.rubric.constants.items():
            by = syntax.Name(constant.by) if constant.by else None
            yield self._trees(f"constants.{name}", [by], measured=False)
        for name, record in records.items():
            yield self._record(f"records.{name}", record)

    def _record(self, path: str, record: Record) -> Reading:
        reading, walk = self._start(path, measured=False)
        nested = (f"records.{name}" for name in nested_records(record) if name in self.rubric.records)
        reading.parts.update(dict.fromkeys(nested))
        scope: dict[str, Binding] = {}
        for name in record.field_names:
            scope[name] = walk.bind(Binding(name, "field", record.keys.get(name), given=True), scope)
        for name in (name for name in record.derived if name not in scope):
            scope[name] = walk.bind(Binding(name, "derived value", record.keys.get(name)), scope)
        for tree in record_trees(record):
            walk.visit(tree, scope)
        return reading

    def _function(self, path: str, definition: Any) -> Reading:
        reading, walk = self._start(path, measured=False)
        function, text = definition.function, definition.key.text
        scope: dict[str, Binding] = {}
        for name in dict.fromkeys(function.parameters):
            match = re.compile(rf"\b{re.escape(name)}\b").search(text, text.find("("))
            at = match.start() if match else 0
            scope[name] = walk.bind(Binding(name, "parameter", definition.key, at, must_be_read=True), scope)
        walk.visit(function.body, scope)
        return reading

    def _each(
        self, path: str, names: Iterable[tuple[str, Tree]], trees: Iterable[Tree | None], *, measured: bool
    ) -> Reading:
        reading, walk = self._start(path, measured)
        scope = walk.each(names, {})
        for tree in trees:
            walk.visit(tree, scope)
        return reading

    def _score(self, path: str, score: Score) -> Reading:
        caps = [tree for cap in score.caps for tree in (cap.when, cap.at_most)]
        reading = self._trees(path, [score.value, *caps])
        for weight in score.weights:
            reading.parts.update(dict.fromkeys(self.measured.get(weight.metric, ())))
        return reading

    def _gate(self, path: str, gate: Gate) -> Reading:
        reading, walk = self._start(path, measured=True)
        walk.visit(gate.each, {})
        walk.visit(gate.otherwise, {})
        each = {"each": walk.bind(Binding("each", "member", gate.key), {})} if gate.each is not None else {}
        for tree in (gate.value, gate.limit, gate.none, *gate.requirements):
            walk.visit(tree, each)
        for name, _ in placeholders(gate.because or ""):
            if name in self.rubric.constants:
                reading.parts[f"constants.{name}"] = None
        return reading
