"""From a rubric to what is known of it: every name resolved, every node in order, every expression's type.

Nodes are the things with an id of their own: fields of inputs, constants looked up by a value, `let`, metrics, scores.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from . import catalogue
from .expressions import syntax, types
from .expressions.inference import Inference, Knowledge, Problem, pair_arguments
from .expressions.syntax import Tree
from .expressions.types import Type
from .record_types import atom_type, optional_type
from .rubric import Constant, Input, Metric, Record, Rubric, Score

BARE_WORD_ROLES = ("field", "fields", "word")


@dataclass
class Analysis:
    """What is known of a rubric.

    `order` lists the ids of all nodes so that each comes after those it needs; `loops` those that need themselves.
    `uses` are the direct dependencies of each node, functions and records among them as `name()` and `record name`.
    """

    rubric: Rubric
    knowledge: Knowledge
    uses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    loops: tuple[tuple[str, ...], ...] = ()
    types: dict[str, Type] = field(default_factory=dict)
    record_types: dict[tuple[str, str], Type] = field(default_factory=dict)
    leaf_types: dict[int, Type] = field(default_factory=dict)

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


def has_fields(rubric: Rubric, declared: Input) -> bool:
    """Whether an input's fields are nodes of their own: one JSON or YAML object that a record describes."""
    return declared.record in rubric.records and declared.format in ("json", "yaml") and not declared.many


def visible_fields(record: Record) -> tuple[str, ...]:
    """The names that an entry of a record has: its fields, then what is derived."""
    return (*record.field_names, *record.derived)


# ---------------------------------------------------------------- who needs whom


class References:
    """The names that trees refer to."""

    def __init__(self, rubric: Rubric, knowledge: Knowledge):
        self.rubric = rubric
        self.knowledge = knowledge
        tables = {name for name, constant in rubric.constants.items() if constant.by}
        self.named = {*rubric.let, *rubric.metrics, *rubric.score, *tables}

    def of(self, *trees: Tree | None, local: Iterable[str] = ()) -> tuple[str, ...]:
        """The ids of what the trees need, each once, in the order of the text."""
        hidden = frozenset(local)
        found: dict[str, None] = {}
        for tree in trees:
            if tree is not None:
                found.update(dict.fromkeys(id for id in self._visit(tree) if id.split(".")[0] not in hidden))
        return tuple(found)

    def _visit(self, root: Tree) -> Iterator[str]:
        waiting = [root]
        while waiting:
            tree = waiting.pop()
            match tree:
                case syntax.Field(of=of, name=name) if self._input_field(of, name):
                    yield f"{syntax.bare(of).id}.{name}"  # type: ignore[union-attr]
                case syntax.Name(id=id):
                    yield from self._name(id)
                case syntax.Call(module=None, name=name) if name in self.rubric.functions:
                    yield f"{name}()"
                    waiting.extend(reversed(syntax.children(tree)))
                case syntax.Call():
                    waiting.extend(reversed(self._arguments(tree)))
                case _:
                    waiting.extend(reversed(syntax.children(tree)))

    def _input_field(self, of: Tree, name: str) -> bool:
        bare = syntax.bare(of)
        declared = self.rubric.inputs.get(bare.id) if isinstance(bare, syntax.Name) else None
        if declared is None or not has_fields(self.rubric, declared):
            return False
        return name in visible_fields(self.rubric.records[declared.record or ""])

    def _name(self, id: str) -> Iterator[str]:
        if id in self.rubric.inputs:
            yield from input_nodes(self.rubric, self.rubric.inputs[id])
        elif id in self.named:
            yield id
        elif id in self.rubric.functions:
            yield f"{id}()"

    def _arguments(self, call: syntax.Call) -> list[Tree]:
        """The arguments that are expressions: bare words are no names."""
        signature = self.knowledge.signature(call)
        pairs = pair_arguments(call, signature) if signature else ""
        if isinstance(pairs, str):
            return list(syntax.children(call))
        return [argument for parameter, argument in pairs if parameter.role not in BARE_WORD_ROLES]


def input_nodes(rubric: Rubric, declared: Input) -> tuple[str, ...]:
    """The ids of an input's nodes."""
    if has_fields(rubric, declared):
        record = rubric.records[declared.record or ""]
        return tuple(f"{declared.name}.{name}" for name in visible_fields(record))
    return (declared.name,)


def record_trees(record: Record) -> tuple[Tree, ...]:
    return (*record.becomes.values(), *record.derived.values(), *record.require.values())


def nested_records(record: Record, names: Iterable[str] | None = None) -> tuple[str, ...]:
    """The names of the records inside a record's fields."""
    found: dict[str, None] = {}
    for rule in record.fields:
        waiting = list(rule.type.atoms) if names is None or set(names) & set(rule.names) else []
        while waiting:
            atom = waiting.pop(0)
            if atom.kind == "record" and atom.name:
                found[atom.name] = None
            waiting += atom.element.atoms if atom.element else ()
    return tuple(found)


def metric_trees(metric: Metric) -> tuple[Tree | None, ...]:
    return (metric.value, metric.where, metric.full, metric.zero, metric.if_null)


def score_trees(score: Score) -> tuple[Tree | None, ...]:
    return (score.value, *(tree for cap in score.caps for tree in (cap.when, cap.at_most)))


def _graph(analysis: Analysis) -> dict[str, tuple[str, ...]]:
    rubric, references = analysis.rubric, References(analysis.rubric, analysis.knowledge)
    graph: dict[str, tuple[str, ...]] = {}
    for name, definition in rubric.functions.items():
        function = definition.function
        graph[f"{name}()"] = references.of(function.body, local=function.parameters)
    for name, record in rubric.records.items():
        inner = tuple(f"record {nested}" for nested in nested_records(record) if nested in rubric.records)
        graph[f"record {name}"] = inner + references.of(*record_trees(record), local=visible_fields(record))
    for declared in rubric.inputs.values():
        graph |= _input_graph(rubric, declared, references)
    for name, constant in rubric.constants.items():
        if constant.by:
            graph[name] = references.of(syntax.Name(constant.by))
    for name, definition in rubric.let.items():
        graph[name] = references.of(definition.tree)
    for name, metric in rubric.metrics.items():
        graph[name] = references.of(*metric_trees(metric), rubric.unmeasured)
    for name, score in rubric.score.items():
        graph[name] = (*(weight.metric for weight in score.weights), *references.of(*score_trees(score)))
    known = graph.keys()
    return {id: tuple(need for need in needs if need in known) for id, needs in graph.items()}


def _input_graph(rubric: Rubric, declared: Input, references: References) -> dict[str, tuple[str, ...]]:
    if not has_fields(rubric, declared):
        return {declared.name: (f"record {declared.record}",) if declared.record in rubric.records else ()}
    record = rubric.records[declared.record or ""]
    graph: dict[str, tuple[str, ...]] = {}
    for rule in record.fields:
        nested = tuple(f"record {name}" for name in nested_records(record, rule.names) if name in rubric.records)
        for name in rule.names:
            becoming = references.of(record.becomes.get(name), local=visible_fields(record))
            graph[f"{declared.name}.{name}"] = nested + becoming
    own = tuple(f"{declared.name}.{name}" for name in record.field_names)
    for name, tree in record.derived.items():
        graph[f"{declared.name}.{name}"] = own + references.of(tree, local=visible_fields(record))
    return graph


def order(graph: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Every id after those it needs, and the loops that were cut to get there. Iterative: chains may be long."""
    done: dict[str, bool] = {}
    ordered: list[str] = []
    loops: list[tuple[str, ...]] = []
    for root in graph:
        path: list[tuple[str, Iterator[str]]] = []
        if root not in done:
            done[root] = False
            path.append((root, iter(graph[root])))
        while path:
            id, needs = path[-1]
            following = next((need for need in needs if not done.get(need, False)), None)
            if following is None:
                done[id] = True
                ordered.append(id)
                path.pop()
            elif following in done:
                ids = [known for known, _ in path]
                loops.append((*ids[ids.index(following) :], following))
            else:
                done[following] = False
                path.append((following, iter(graph[following])))
    return tuple(ordered), tuple(loops)


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


def analyse(rubric: Rubric) -> Analysis:
    """Infer everything about a rubric whose shape is right."""
    functions = {name: definition.function for name, definition in rubric.functions.items()}
    knowledge = Knowledge(functions, catalogue.signature, catalogue.names)
    analysis = Analysis(rubric, knowledge)
    analysis.uses = _graph(analysis)
    analysis.order, analysis.loops = order(analysis.uses)
    if any(id.endswith("()") for loop in analysis.loops for id in loop):
        return analysis
    _Inferrer(analysis).run()
    return analysis


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
        if id in rubric.constants:
            return self._table(rubric.constants[id])
        name, _, part = id.partition(".")
        declared = rubric.inputs[name]
        return self._input_field(declared, part) if part else self._input(declared)

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
            instead = self.infer(metric.if_null if metric.if_null is not None else self.rubric.unmeasured, self.measured)
            value = types.join(value.never_null(), instead) if value.nullable else value
        return self._zeroed(value)

    def _zeroed(self, value: Type) -> Type:
        """An invalid input can make every metric 0."""
        can = any(declared.when_invalid == "zero" for declared in self.rubric.inputs.values())
        return types.join(value, types.number(0, 0, whole=True)) if can and value.kind == "number" else value

    def _score(self, score: Score) -> Type:
        if score.value is not None:
            value = self.infer(score.value, self.measured)
        else:
            value = types.number(0, 0)
            for weight in score.weights:
                part = self.measured(weight.metric) or types.ANY
                factor = float(weight.value)
                bounds = types.number(part.low * factor, part.high * factor) if factor else types.number(0, 0)
                value = replace(
                    value,
                    low=value.low + bounds.low,
                    high=value.high + bounds.high,
                    nullable=value.nullable or part.nullable or part.kind != "number",
                    origins=value.origins | types.all_origins(part),
                )
        for cap in score.caps:
            self.infer(cap.when, self.measured)
            limit = self.infer(cap.at_most, self.measured)
            if value.kind == "number" and limit.kind == "number":
                value = replace(value, low=min(value.low, limit.low), nullable=value.nullable or limit.nullable)
        return value

    # ------------------------------------------------------------ inputs

    def _input(self, declared: Input) -> Type:
        origins = frozenset({declared.name})
        record = self.rubric.records.get(declared.record or "")
        nullable = declared.origin == "candidate"
        if record is not None:
            row = self.record(record, declared)
            listed = declared.format == "jsonl" or declared.many
            whole = types.list_of(row) if listed else row
            return replace(whole, nullable=nullable, origins=origins)
        if declared.format == "jsonl" or declared.many:
            return replace(types.list_of(types.ANY), nullable=nullable, origins=origins)
        if declared.format in ("text", "file"):
            return Type("text", nullable=nullable, origins=origins)
        return types.ANY.coming_from(origins)

    def _input_field(self, declared: Input, part: str) -> Type:
        """The fields of an input's record are nodes, so the input's own record is looked at one field at a time."""
        record = self.rubric.records[declared.record or ""]
        members = {name: self.analysis.types.get(f"{declared.name}.{name}", types.ANY) for name in visible_fields(record)}
        if part in record.derived:
            return self.infer(record.derived[part], self.plain, members).or_null(declared.origin == "candidate")
        rule = next(rule for rule in record.fields if part in rule.names)
        type_ = self.field(rule.type, declared, several=len(rule.names) > 1)
        if part in record.becomes:
            type_ = self.infer(record.becomes[part], self.plain, {**members, part: type_.never_null()}).or_null(type_.nullable)
        return type_.or_null(declared.origin == "candidate").coming_from(frozenset({declared.name}))

    def field(self, field_type, declared: Input, *, several: bool = False) -> Type:
        """The type of one field as read from an input."""
        joined = types.join_all(
            atom_type(atom, lambda name: self.record(self.rubric.records[name], declared)) for atom in field_type.atoms
        )
        return optional_type(joined or types.ANY, field_type, several).coming_from(frozenset({declared.name}))

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
            name: self.field(rule.type, declared, several=len(rule.names) > 1).or_null(null)
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
            inference = self.inference(scope)
            type_ = inference.infer(tree, names or {})
            self.analysis.leaf_types[id(tree)] = type_
            if type_.kind not in ("boolean", "any", "null"):
                inference.source = tree.source if isinstance(tree, syntax.Placed) else None
                inference.problem("wrong-type", f"a condition is true or false, but this is a {type_}", 0)

    def _each(self, bindings: Iterable[tuple[str, Tree]], scope: _Scope) -> dict[str, Type]:
        names: dict[str, Type] = {}
        for name, tree in bindings:
            of = self.infer(tree, scope, names)
            names[name] = types.elements(of).coming_from(of.origins)
        return names

    def _leaves(self) -> None:
        rubric = self.rubric
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
        for tree in (gate.value, gate.limit, gate.none, gate.otherwise):
            self.infer(tree, self.measured, names)
        for tree in gate.requirements:
            self._condition(tree, self.measured, names)

    def _unreached(self) -> None:
        """Functions and records that nothing reaches are looked at too, with arguments of which nothing is known."""
        reached = {name for name, _ in self.analysis.knowledge.instances}
        for name, definition in self.rubric.functions.items():
            if name not in reached:
                given = tuple(types.ANY for _ in definition.function.parameters)
                self.inference(self.plain).instance(definition.function, given, 0)
