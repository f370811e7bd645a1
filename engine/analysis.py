"""From a rubric to what is known of it: every name resolved, every node in order, every expression's type.

Nodes are the things with an id of their own: fields of inputs, constants looked up by a value, `let`, metrics, scores.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from . import catalogue
from .dependencies import (
    References,
    graph_of,
    has_fields,
    input_nodes,
    input_of,
    metric_trees,
    names_before,
    nested_records,
    order,
    record_trees,
    score_trees,
    visible_fields,
)
from .expressions import types
from .expressions.inference import Inference, Knowledge, Problem
from .expressions.syntax import Tree
from .expressions.types import Type
from .number_types import as_number, earning
from .record_types import atom_type, optional_type
from .rubric import Constant, FieldRule, Input, Metric, Record, Rubric, Score

__all__ = [
    "Analysis",
    "References",
    "analyse",
    "has_fields",
    "input_nodes",
    "metric_trees",
    "nested_records",
    "record_trees",
    "score_trees",
    "visible_fields",
]


@dataclass
class Analysis:
    """What is known of a rubric.

    `order` lists the ids of all nodes so that each comes after those it needs; `loops` those that need themselves.
    `uses` are the direct dependencies of each node, functions and records among them as `name()` and `record name`.
    `uncapped` are the types of the scores before their caps, `earned` the numbers that metrics count as in a score;
    None where nothing is known of one.
    """

    rubric: Rubric
    knowledge: Knowledge
    uses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    loops: tuple[tuple[str, ...], ...] = ()
    types: dict[str, Type] = field(default_factory=dict)
    record_types: dict[tuple[str, str], Type] = field(default_factory=dict)
    leaf_types: dict[int, Type] = field(default_factory=dict)
    uncapped: dict[str, Type] = field(default_factory=dict)
    earned: dict[str, Type | None] = field(default_factory=dict)

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(self.knowledge.problems.values())

    def input_type(self, name: str) -> Type:
        """The type of a whole input."""
        declared = self.rubric.inputs[name]
        if not has_fields(self.rubric, declared):
            return self.types.get(name, types.ANY)
        record = self.rubric.records[declared.record or ""]
        members = {part: self.types.get(f"{name}.{part}", types.ANY) for part in visible_fields(record)}
        return types.record_of(members).coming_from(frozenset({name}))


# ---------------------------------------------------------------- what everything is


class _Scope:
    """The names that one part of a rubric sees, with their types."""

    def __init__(self, analysis: Analysis, *, measured: bool):
        self.analysis = analysis
        self.measured = measured

    def __call__(self, name: str) -> Type | None:
        rubric = self.analysis.rubric
        if name in rubric.inputs:
            return self.analysis.input_type(name)
        constant = rubric.constants.get(name)
        if constant is not None and not constant.by:
            return literal_type(constant.value)
        if name in rubric.let or constant is not None:
            return self.analysis.types.get(name, types.ANY)
        if self.measured and (name in rubric.metrics or name in rubric.score):
            return self.analysis.types.get(name, types.ANY)
        return None

    def names(self) -> tuple[str, ...]:
        rubric = self.analysis.rubric
        measured = (*rubric.metrics, *rubric.score) if self.measured else ()
        return (*rubric.inputs, *rubric.constants, *rubric.let, *measured)


def literal_type(value: Any) -> Type:
    """The type of a constant's plain value."""
    if isinstance(value, bool):
        return Type("boolean", words=(value,))
    if isinstance(value, (int, float)):
        return Type("number", low=value, high=value, whole=isinstance(value, int), words=(value,))
    if isinstance(value, str):
        return Type("text", words=(value,))
    if isinstance(value, list):
        return types.list_of(types.join_all(literal_type(member) for member in value) or types.ANY)
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return types.record_of({key: literal_type(member) for key, member in value.items()})
        return types.map_of(types.join_all(literal_type(member) for member in value.values()) or types.ANY)
    return types.NULL


def _total(bounds: list[float], unknown: float) -> float:
    """The sum of bounds, rounded once; `unknown` where they have none."""
    try:
        return math.fsum(bounds)
    except (ValueError, OverflowError):
        return unknown


def analyse(rubric: Rubric) -> Analysis:
    """Infer everything about a rubric whose shape is right."""
    functions = {name: definition.function for name, definition in rubric.functions.items()}
    knowledge = Knowledge(functions, catalogue.signature, catalogue.names)
    analysis = Analysis(rubric, knowledge)
    analysis.uses = graph_of(rubric, knowledge)
    analysis.order, analysis.loops = order(analysis.uses)
    knowledge.recursive = frozenset(id[:-2] for loop in analysis.loops for id in loop if id.endswith("()"))
    _Inferrer(analysis).run()
    return analysis


def _numbered(row: Type) -> Type:
    """The type of a row of a file of rows: it has its number in `row`, unless the record has a field of that name."""
    if row.kind != "record" or row.member("row") is not None:
        return row
    return replace(row, fields=(*row.fields, ("row", types.number(1, whole=True).coming_from(row.origins))))


class _Inferrer:
    def __init__(self, analysis: Analysis):
        self.analysis = analysis
        self.rubric = analysis.rubric
        self.plain = _Scope(analysis, measured=False)
        self.measured = _Scope(analysis, measured=True)

    def inference(self, scope: _Scope) -> Inference:
        return Inference(self.analysis.knowledge, scope, scope.names)

    def infer(self, tree: Tree | None, scope: _Scope, names: Mapping[str, Type] | None = None) -> Type:
        if tree is None:
            return types.NULL
        type_ = self.inference(scope).infer(tree, names or {})
        self.analysis.leaf_types[id(tree)] = type_
        return type_

    def run(self) -> None:
        for id in self.analysis.order:
            if not id.endswith("()") and not id.startswith("record "):
                self.analysis.types[id] = self._node(id)
        self._leaves()
        self._unreached()

    # ------------------------------------------------------------ nodes

    def _node(self, id: str) -> Type:
        rubric = self.rubric
        if id in rubric.let:
            return self.infer(rubric.let[id].tree, self.plain)
        if id in rubric.metrics:
            return self._metric(rubric.metrics[id])
        if id in rubric.score:
            return self._score(rubric.score[id])
        if id in rubric.constants and rubric.constants[id].by:
            return self._table(rubric.constants[id])
        declared, part = input_of(rubric, id)
        return self._input(declared) if part is None else self._input_field(declared, part)

    def _table(self, constant: Constant) -> Type:
        by = self.plain(constant.by or "") or types.ANY
        joined = types.join_all(literal_type(member) for member in constant.value.values()) or types.ANY
        covered = by.words is not None and all(word in constant.value for word in by.words) and not by.nullable
        return joined.or_null(not covered).coming_from(by.origins)

    def _metric(self, metric: Metric) -> Type:
        value = self.infer(metric.value, self.measured)
        self.infer(metric.where, self.measured)
        for curve in (metric.full, metric.zero):
            self.infer(curve, self.measured)
        if value.kind == "list":
            value = types.elements(value).or_null().coming_from(value.origins)
        if value.kind == "boolean":
            value = types.number(0, 1, nullable=value.nullable).coming_from(value.origins)
        if metric.full is not None:
            value = types.number(0, 1, nullable=value.nullable).coming_from(value.origins)
        if metric.if_null is not None or self.rubric.unmeasured is not None:
            tree = metric.if_null if metric.if_null is not None else self.rubric.unmeasured
            instead = self.infer(tree, self.measured)
            self._earn(metric.name, value, instead)
            value = earning(value, instead)
        else:
            self._earn(metric.name, value)
        return self._zeroed(value)

    def _earn(self, name: str, value: Type, instead: Type | None = None) -> None:
        """What a metric counts as: its number, `instead` where it is null, 0 where an input makes it that."""
        number = as_number(value)
        if number is not None and instead is not None and number.nullable:
            other = as_number(instead)
            number = types.join(number.never_null(), other) if other is not None else None
        known = number is not None
        self.analysis.earned[name] = self._zeroed(number).coming_from(types.all_origins(value)) if known else None

    def _zeroed(self, value: Type) -> Type:
        """An invalid input can make every metric 0; of one that is a record, the `value`, and the rest null."""
        if not any(declared.when_invalid == "zero" for declared in self.rubric.inputs.values()):
            return value
        if value.kind == "record":
            fields = [
                (name, self._zeroed(type_) if name == "value" else type_.or_null()) for name, type_ in value.fields
            ]
            return replace(value, fields=tuple(fields))
        return types.join(value, types.number(0, 0, whole=True)) if value.kind == "number" else value

    def _score(self, score: Score) -> Type:
        value = self._weighted(score) if score.value is None else self.infer(score.value, self.measured)
        self.analysis.uncapped[score.name] = value
        for cap in score.caps:
            self.infer(cap.when, self.measured)
            limit = self.infer(cap.at_most, self.measured)
            if value.kind == "number" and limit.kind == "number":
                value = replace(value, low=min(value.low, limit.low), nullable=value.nullable or limit.nullable)
        return value

    def _weighted(self, score: Score) -> Type:
        parts = [(self._counted(weight.metric), float(weight.value)) for weight in score.weights]
        bounds = [(part.low * factor, part.high * factor) if factor else (0.0, 0.0) for part, factor in parts]
        return Type(
            "number",
            nullable=any(part.nullable or part.kind != "number" for part, _ in parts),
            low=_total([low for low, _ in bounds], -math.inf),
            high=_total([high for _, high in bounds], math.inf),
            origins=frozenset().union(*(types.all_origins(part) for part, _ in parts)),
        )

    def _counted(self, name: str) -> Type:
        """The type of what a weight stands beside: the number of a metric, or an earlier score group."""
        earned = self.analysis.earned.get(name)
        return earned if earned is not None else self.measured(name) or types.ANY

    # ------------------------------------------------------------ inputs

    def _input(self, declared: Input) -> Type:
        origins = frozenset({declared.name})
        record = self.rubric.records.get(declared.record or "")
        nullable = declared.origin == "candidate"
        if record is not None:
            row = self.record(record, declared)
            if declared.format == "jsonl":
                row = _numbered(row)
            listed = declared.format == "jsonl" or declared.many
            whole = replace(types.list_of(row), entries=frozenset({(declared.name, None, None)})) if listed else row
            return replace(whole, nullable=nullable, origins=origins)
        if declared.format == "jsonl" or declared.many:
            return replace(types.list_of(types.ANY), nullable=nullable, origins=origins)
        if declared.format in ("text", "file"):
            return Type("text", nullable=nullable, origins=origins)
        return types.ANY.coming_from(origins)

    def _input_field(self, declared: Input, part: str) -> Type:
        """The fields of an input's record are nodes, so the input's own record is looked at one field at a time."""
        record = self.rubric.records[declared.record or ""]
        members = self._members(declared, names_before(record, part))
        if part in record.derived:
            return self.infer(record.derived[part], self.plain, members).or_null(declared.origin == "candidate")
        rule = next(rule for rule in record.fields if part in rule.names)
        type_ = self.field(rule, part, record, declared)
        if part in record.becomes:
            became = self.infer(record.becomes[part], self.plain, {**members, part: type_.never_null()})
            type_ = became.or_null(type_.nullable)
        return type_.or_null(declared.origin == "candidate").coming_from(frozenset({declared.name}))

    def _members(self, declared: Input, names: Iterable[str]) -> dict[str, Type]:
        """What is known so far of fields and derived values of an input's own record."""
        return {name: self.analysis.types.get(f"{declared.name}.{name}", types.ANY) for name in names}

    def field(self, rule: FieldRule, name: str, record: Record, declared: Input) -> Type:
        """The type of one field of a record as read from an input."""
        atoms = rule.type.atoms
        joined = types.join_all(atom_type(atom, lambda known: self._entry(known, declared)) for atom in atoms)
        type_ = optional_type(joined or types.ANY, rule.type, len(rule.names) > 1)
        if len(atoms) == 1 and atoms[0].kind == "list" and atoms[0].name in self.rubric.records:
            type_ = replace(type_, entries=frozenset({(declared.name, record.name, name)}))
        return type_.coming_from(frozenset({declared.name}))

    def _entry(self, name: str, declared: Input) -> Type:
        return self.record(self.rubric.records[name], declared)

    def record(self, record: Record, declared: Input) -> Type:
        """The type of an entry of a record as read from an input."""
        key = (record.name, declared.name)
        if key not in self.analysis.record_types:
            self.analysis.record_types[key] = types.ANY  # a record inside itself is a loop, reported elsewhere
            self.analysis.record_types[key] = self._record(record, declared)
        return self.analysis.record_types[key]

    def _record(self, record: Record, declared: Input) -> Type:
        null = record.when_invalid == "field_is_null"
        members = {
            name: self.field(rule, name, record, declared).or_null(null)
            for rule in record.fields
            for name in rule.names
        }
        for name, tree in record.becomes.items():
            was = members.get(name, types.ANY)
            became = self.infer(tree, self.plain, {**members, name: was.never_null()})
            members[name] = became.never_null().or_null(was.nullable)
        for name, tree in record.derived.items():
            members[name] = self.infer(tree, self.plain, members)
        for tree in record.require.values():
            self._condition(tree, self.plain, members)
        return types.record_of(members).coming_from(frozenset({declared.name}))

    # ------------------------------------------------------------ everything that nothing else needs

    def _condition(self, tree: Tree | None, scope: _Scope, names: Mapping[str, Type] | None = None) -> None:
        if tree is not None:
            type_ = self.infer(tree, scope, names)
            if type_.kind not in ("boolean", "any", "null"):
                message = f"a condition is true or false, but this is a {type_}"
                self.inference(scope).problem("wrong-type", message, tree)

    def _each(self, bindings: Iterable[tuple[str, Tree]], scope: _Scope) -> dict[str, Type]:
        names: dict[str, Type] = {}
        for name, tree in bindings:
            of = self.infer(tree, scope, names)
            if of.kind not in ("list", "any", "null"):
                message = f"'{name}' needs a list to go through, but this is a {of}"
                self.inference(scope).problem("wrong-type", message, tree)
            names[name] = types.elements(of).coming_from(of.origins)
        return names

    def _leaves(self) -> None:
        rubric = self.rubric
        for declared in rubric.inputs.values():
            if has_fields(rubric, declared):
                record = rubric.records[declared.record or ""]
                for tree in record.require.values():
                    self._condition(tree, self.plain, self._members(declared, visible_fields(record)))
        for precondition in rubric.preconditions.values():
            names = self._each(precondition.each, self.plain)
            for tree in precondition.requirements:
                self._condition(tree, self.plain, names)
        for gate in rubric.gates:
            self._gate(gate)
        for score in rubric.score.values():
            for cap in score.caps:
                self._condition(cap.when, self.measured)
        for warning in rubric.warnings.values():
            names = self._each(warning.each, self.measured)
            self._condition(warning.when, self.measured, names)
        for definition in rubric.values.values():
            self.infer(definition.tree, self.measured)
        for artifact in rubric.artifacts.values():
            self.infer(artifact.content, self.measured)
        for control in rubric.controls.values():
            for tree in control.inputs.values():
                self.infer(tree, self.plain)

    def _gate(self, gate) -> None:
        names: dict[str, Type] = {}
        if gate.each is not None:
            of = self.infer(gate.each, self.measured)
            names = {"each": types.elements(of).coming_from(of.origins)}
        self.infer(gate.otherwise, self.measured)
        for tree in (gate.value, gate.limit, gate.none):
            self.infer(tree, self.measured, names)
        for tree in gate.requirements:
            self._condition(tree, self.measured, names)

    def _unreached(self) -> None:
        """Functions and records that nothing reaches are looked at too, with arguments of which nothing is known."""
        reached = {name for name, _ in self.analysis.knowledge.instances}
        for name, definition in self.rubric.functions.items():
            if name not in reached:
                given = tuple(types.ANY for _ in definition.function.parameters)
                inference = self.inference(self.plain)
                inference.source = definition.key
                inference.instance(definition.function, given, 0)
        read = {name for name, _ in self.analysis.record_types}
        read |= {declared.record for declared in self.rubric.inputs.values() if has_fields(self.rubric, declared)}
        for name, record in self.rubric.records.items():
            if name not in read:
                self.record(record, Input("", record.key, "operator", "json"))
