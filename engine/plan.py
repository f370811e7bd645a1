"""A checked rubric, compiled: a slot for every named node, and the code that fills it when it is asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .analysis import Analysis, has_fields, input_nodes, record_trees
from .description import Described, describe
from .expressions import syntax
from .expressions.compiler import Compiler
from .expressions.syntax import Tree
from .record_code import by_column, define_record
from .records import FieldReader, Readers, RecordReader, Step
from .rubric import Constant, Input, Metric, Record, Rubric, Score

Code = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class RootReader:
    """How the fields of an input's own record are read: each is a node."""

    fields: Mapping[str, FieldReader]
    becomes: Mapping[str, Step]
    derived: Mapping[str, Step]
    require: tuple[Step, ...]
    shallow: tuple[FieldReader, ...]  # of fields that can be read before anything else is known


@dataclass(frozen=True, slots=True)
class RootField:
    """A node that is a field of an input's own record: read or derived."""

    input: Input
    name: str
    root: RootReader
    reader: FieldReader | None
    becomes: Step | None
    derived: Step | None


@dataclass(frozen=True, slots=True)
class MetricCode:
    metric: Metric
    value: Code
    where: Code | None
    full: Code | None
    zero: Code | None
    if_null: Code | None


@dataclass(frozen=True, slots=True)
class ScoreCode:
    score: Score
    value: Code | None
    weights: tuple[tuple[str, float], ...]
    caps: tuple[tuple[Code, Code], ...]


@dataclass
class Plan:
    """The code of a rubric. Made once, used for every case; holds no value of any case."""

    rubric: Rubric
    analysis: Analysis
    slots: Mapping[str, int]
    kinds: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    let: Mapping[str, Code] = field(default_factory=dict)
    tables: Mapping[str, tuple[Constant, Code]] = field(default_factory=dict)
    metrics: Mapping[str, MetricCode] = field(default_factory=dict)
    scores: Mapping[str, ScoreCode] = field(default_factory=dict)
    roots: Mapping[str, RootReader] = field(default_factory=dict)
    rows: Mapping[str, RecordReader] = field(default_factory=dict)
    leaves: Mapping[int, Code] = field(default_factory=dict)

    def leaf(self, tree: Tree | None) -> Code | None:
        """The code of an expression that is no node: of a gate, a cap, a warning."""
        return None if tree is None else self.leaves[id(tree)]

    def weight_of(self, metric: str) -> tuple[float | None, str | None]:
        """The weight of a metric and the score group that it has it in; the first, if several."""
        for name, code in self.scores.items():
            for known, weight in code.weights:
                if known == metric:
                    return weight, name
        return None, None

    @cached_property
    def described(self) -> tuple[Described, ...]:
        """Everything that an explanation can show, each after what it needs."""
        return describe(self.analysis)

    @cached_property
    def root_fields(self) -> Mapping[str, RootField]:
        """The nodes that are a field of an input's own record."""
        return {id: self._root_field(*id.split(".", 1)) for id in self.slots if "." in id}

    def _root_field(self, name: str, part: str) -> RootField:
        root, declared = self.roots[name], self.rubric.inputs[name]
        return RootField(declared, part, root, root.fields.get(part), root.becomes.get(part), root.derived.get(part))

    @cached_property
    def origins(self) -> Mapping[str, frozenset[str]]:
        """The inputs that each node depends on, through everything it needs."""
        found: dict[str, frozenset[str]] = {}
        for id in self.analysis.order:
            own = id.partition(".")[0]
            start = frozenset({own}) if own in self.rubric.inputs else frozenset()
            needs = self.analysis.uses[id]
            found[id] = start.union(*(found.get(need, frozenset()) for need in needs))
        return found

    @cached_property
    def blameless(self) -> frozenset[str]:
        """The nodes that read nothing of a candidate's."""
        inputs = self.rubric.inputs
        return frozenset(
            id for id, names in self.origins.items() if all(inputs[name].origin != "candidate" for name in names)
        )


def make_plan(analysis: Analysis) -> Plan:
    """Compile everything that a checked rubric says."""
    return _Planner(analysis).plan()


class _Planner:
    def __init__(self, analysis: Analysis):
        self.analysis = analysis
        self.rubric = analysis.rubric
        self.slots: dict[str, int] = {}
        self.kinds: dict[int, str] = {}
        self._number_slots()
        self.constants: dict[str, str] = {}
        self.compiler = Compiler(analysis.knowledge, self.reference)
        self.pending: dict[int, str] = {}
        self.readers = Readers(self.rubric.records)

    @property
    def root_records(self) -> list[Record]:
        """The records whose fields are nodes."""
        inputs = [declared for declared in self.rubric.inputs.values() if has_fields(self.rubric, declared)]
        return [self.rubric.records[declared.record or ""] for declared in inputs]

    def _number_slots(self) -> None:
        kinds = {
            **dict.fromkeys(self.rubric.let, "let"),
            **{name: "table" for name, constant in self.rubric.constants.items() if constant.by},
            **dict.fromkeys(self.rubric.metrics, "metric"),
            **dict.fromkeys(self.rubric.score, "score"),
        }
        for declared in self.rubric.inputs.values():
            kinds |= {id: "field" if "." in id else "input" for id in input_nodes(self.rubric, declared)}
            if has_fields(self.rubric, declared):
                kinds[declared.name] = "whole"
        for number, (id, kind) in enumerate(kinds.items(), 1):
            self.slots[id], self.kinds[number] = number, kind

    def reference(self, name: str, field_name: str | None) -> str:
        """The source of a global name, or of an input's field; empty where the field is no node of its own."""
        id = f"{name}.{field_name}" if field_name is not None else name
        if id in self.slots:
            return f"(s[{self.slots[id]}] if s[{self.slots[id]}] is not U else need(s, {self.slots[id]}))"
        if field_name is not None:
            return ""
        if name not in self.constants:
            self.constants[name] = self.compiler.constant(self.rubric.constants[name].value)
        return self.constants[name]

    # ------------------------------------------------------------ first: the source of everything

    def _define(self, tree: Tree | None, names: Sequence[str] = ()) -> None:
        if tree is not None and id(tree) not in self.pending:
            self.pending[id(tree)] = self.compiler.define(tree, names)

    def _define_all(self) -> None:
        rubric = self.rubric
        for name, record in rubric.records.items():
            define_record(self.compiler, record, self.readers.fields[name])
        for record in self.root_records:
            for tree in record_trees(record):
                self._define(tree, self._needs(record, tree))
        for definition in rubric.functions.values():
            self.compiler.define_function(definition.function)
        for definition in (*rubric.let.values(), *rubric.values.values()):
            self._define(definition.tree)
        for constant in rubric.constants.values():
            if constant.by:
                self._define(self._by(constant))
        for metric in rubric.metrics.values():
            for tree in (metric.value, metric.where, metric.full, metric.zero, metric.if_null):
                self._define(tree)
        self._define(rubric.unmeasured)
        for score in rubric.score.values():
            self._define(score.value)
            for cap in score.caps:
                self._define(cap.when)
                self._define(cap.at_most)
        self._define_outer()

    def _define_outer(self) -> None:
        for gate in self.rubric.gates:
            self._define(gate.each)
            self._define(gate.otherwise)
            each = ("each",) if gate.each is not None else ()
            for tree in (gate.value, gate.limit, gate.none, *gate.requirements):
                self._define(tree, each)
        for precondition in self.rubric.preconditions.values():
            self._define_each(precondition.each, precondition.requirements)
        for warning in self.rubric.warnings.values():
            self._define_each(warning.each, (warning.when,))
        for artifact in self.rubric.artifacts.values():
            self._define(artifact.content)
        for control in self.rubric.controls.values():
            for tree in control.inputs.values():
                self._define(tree)

    def _define_each(self, bindings: Sequence[tuple[str, Tree]], trees: Sequence[Tree | None]) -> None:
        names: list[str] = []
        for name, tree in bindings:
            self._define(tree, tuple(names))
            names.append(name)
        for tree in trees:
            self._define(tree, tuple(names))

    def _by(self, constant: Constant) -> Tree:
        return self._names.setdefault(constant.name, syntax.Name(constant.by or ""))

    @cached_property
    def _names(self) -> dict[str, Tree]:
        return {}

    def _needs(self, record: Record, tree: Tree) -> tuple[str, ...]:
        """The fields of an entry that an expression reads."""
        used = {node.id for node in syntax.walk(tree) if isinstance(node, syntax.Name)}
        return tuple(name for name in (*record.field_names, *record.derived) if name in used)

    # ------------------------------------------------------------ then: the code

    def plan(self) -> Plan:
        self._define_all()
        namespace = self.compiler.compiled()
        codes = {tree: namespace[name] for tree, name in self.pending.items()}

        def steps(record: Record) -> Callable[[Mapping[str, Tree]], list[Step]]:
            return lambda trees: [
                Step(name, self._needs(record, tree), codes[id(tree)]) for name, tree in trees.items()
            ]

        for name, reader in self.readers.records.items():
            reader.code = namespace[f"r_{name}"]
            reader.by_column = by_column(self.rubric.records[name], namespace)
        roots, rows = {}, {}
        for declared in self.rubric.inputs.values():
            record = self.rubric.records.get(declared.record or "")
            if record is not None and has_fields(self.rubric, declared):
                roots[declared.name] = _root(self.readers, record, steps(record))
            elif record is not None:
                rows[declared.name] = self.readers.records[record.name]
        return self._assembled(codes, roots, rows)

    def _assembled(self, codes: Mapping[int, Code], roots, rows) -> Plan:
        rubric = self.rubric

        def code(tree: Tree | None) -> Code | None:
            return None if tree is None else codes[id(tree)]

        return Plan(
            rubric,
            self.analysis,
            self.slots,
            self.kinds,
            {number: node for node, number in self.slots.items()},
            {name: codes[id(definition.tree)] for name, definition in rubric.let.items()},
            {c.name: (c, codes[id(self._by(c))]) for c in rubric.constants.values() if c.by},
            {
                name: MetricCode(
                    metric,
                    codes[id(metric.value)],
                    code(metric.where),
                    code(metric.full),
                    code(metric.zero),
                    code(metric.if_null if metric.if_null is not None else rubric.unmeasured),
                )
                for name, metric in rubric.metrics.items()
            },
            {
                name: ScoreCode(
                    score,
                    code(score.value),
                    tuple((weight.metric, float(weight.value)) for weight in score.weights),
                    tuple((codes[id(cap.when)], codes[id(cap.at_most)]) for cap in score.caps),
                )
                for name, score in rubric.score.items()
            },
            roots,
            rows,
            codes,
        )


def _root(readers: Readers, record: Record, steps: Callable[[Mapping[str, Tree]], list[Step]]) -> RootReader:
    return RootReader(
        {name: reader for names, reader in readers.fields[record.name].items() for name in names},
        {step.name: step for step in steps(record.becomes)},
        {step.name: step for step in steps(record.derived)},
        tuple(steps(record.require)),
        tuple(reader for reader in readers.fields[record.name].values() if reader.shallow),
    )
