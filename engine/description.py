"""What can be explained of a rubric: each named part with its formula, its place, and what it needs."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from . import formulas
from .analysis import Analysis, References, metric_trees, record_trees, visible_fields
from .document import Node
from .expressions import syntax
from .expressions.syntax import Tree
from .rubric import FieldRule, Gate, Input, Metric, Record, Score


@dataclass(frozen=True, slots=True)
class Described:
    """A part as a report describes it; `written` is the formula, where it stands, and the ids of what it needs.

    Functions go by `name()`, records by `record name`, gates, caps and values that are no nodes by `gates.name` and so
    on; everything else by its own id. Formulas have a line a part, see `formulas`.
    """

    id: str
    kind: str
    written: tuple[str, str, tuple[str, ...]]


class _Names(References):
    """The names that trees refer to, constants among them."""

    def __init__(self, analysis: Analysis):
        super().__init__(analysis.rubric, analysis.knowledge)
        self.named = {*self.named, *analysis.rubric.constants}


def describe(analysis: Analysis) -> tuple[Described, ...]:
    """Every part of a rubric that an explanation can show, each after those it needs."""
    return tuple(_Describer(analysis).parts())


class _Describer:
    def __init__(self, analysis: Analysis):
        self.rubric = analysis.rubric
        self.analysis = analysis
        self.names = _Names(analysis)

    def parts(self) -> Iterator[Described]:
        for name, constant in self.rubric.constants.items():
            if not constant.by:
                yield self._part(name, "constant", formulas.constant(constant), constant.key, ())
        for id in self.analysis.order:
            yield self._node(id)
        for _, cap in self.rubric.caps:
            yield self._part(_cap_id(cap.name), "cap", formulas.cap(cap), cap.key, self.names.of(cap.when, cap.at_most))
        for gate in self.rubric.gates:
            yield self._part(f"gates.{gate.name}", "gate", formulas.gate(gate), gate.key, self._gate_needs(gate))
        for name, definition in self.rubric.values.items():
            if syntax.bare(definition.tree) != syntax.Name(name):
                formula, needs = formulas.written(definition.tree), self.names.of(definition.tree)
                yield self._part(f"values.{name}", "value", formula, definition.key, needs)

    def _part(self, id: str, kind: str, formula: str, key: Node, needs: tuple[str, ...]) -> Described:
        position = self.rubric.document.position(key)
        place = f"{PurePath(position.file).name}:{position.line}:{position.column}"
        return Described(id, kind, (formula, place, tuple(dict.fromkeys(needs))))

    def _node(self, id: str) -> Described:
        rubric = self.rubric
        if id in rubric.let:
            tree, key = rubric.let[id].tree, rubric.let[id].key
            return self._part(id, "let", formulas.written(tree), key, self.names.of(tree, measured=False))
        if id in rubric.metrics:
            metric = rubric.metrics[id]
            return self._part(id, "metric", formulas.metric(metric), metric.key, self._metric_needs(metric))
        if id in rubric.score:
            score = rubric.score[id]
            return self._part(id, "score", formulas.score(score), score.key, self._score_needs(score))
        if id in rubric.constants:
            constant = rubric.constants[id]
            return self._part(id, "table", formulas.constant(constant), constant.key, self.analysis.uses[id])
        if id.endswith("()"):
            function = rubric.functions[id.removesuffix("()")]
            needs = self.names.of(function.function.body, local=function.function.parameters, measured=False)
            return self._part(id, "function", formulas.function(function), function.key, needs)
        if id.startswith("record "):
            record = rubric.records[id.removeprefix("record ")]
            needs = (*self.analysis.uses[id], *self._constants(*record_trees(record), local=record))
            return self._part(id, "record", formulas.record(record), record.key, needs)
        name, _, part = id.partition(".")
        return self._field(id, rubric.inputs[name], part) if part else self._input(rubric.inputs[name])

    def _constants(self, *trees: Tree, local: Record) -> tuple[str, ...]:
        constants = self.rubric.constants
        return tuple(id for id in self.names.of(*trees, local=visible_fields(local)) if id in constants)

    def _metric_needs(self, metric: Metric) -> tuple[str, ...]:
        return self.names.of(*metric_trees(metric), self.rubric.unmeasured)

    def _score_needs(self, score: Score) -> tuple[str, ...]:
        weighted = tuple(weight.metric for weight in score.weights)
        return (*weighted, *self.names.of(score.value), *(_cap_id(cap.name) for cap in score.caps))

    def _gate_needs(self, gate: Gate) -> tuple[str, ...]:
        trees = (gate.each, gate.value, gate.limit, *gate.requirements, gate.none, gate.otherwise)
        return self.names.of(*trees, local=("each",))

    def _input(self, declared: Input) -> Described:
        of = f" of {declared.record}" if declared.record else ""
        many = "a list of files, each " if declared.many else ""
        needs = self.analysis.uses[declared.name]
        return self._part(declared.name, "input", f"{many}{declared.format}{of}", declared.key, needs)

    def _field(self, id: str, declared: Input, part: str) -> Described:
        """A field of an input's own record: its type, what it becomes, or how it is derived."""
        record = self.rubric.records[declared.record or ""]
        trees = [tree for trees in (record.becomes, record.derived) if (tree := trees.get(part)) is not None]
        needs = (*self.analysis.uses[id], *self._constants(*trees, local=record))
        if part in record.derived:
            return self._part(id, "field", formulas.written(record.derived[part]), record.keys[part], needs)
        rule = _rule(record, part)
        lines = [rule.type.text, *(formulas.entry("becomes", formulas.written(tree)) for tree in trees)]
        return self._part(id, "field", "\n".join(lines), rule.key, needs)


def _rule(record: Record, part: str) -> FieldRule:
    return next(rule for rule in record.fields if part in rule.names)


def _cap_id(name: str) -> str:
    return f"caps.{name}"
