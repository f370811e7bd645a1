"""Who needs whom in a rubric, and in which order all of it can be looked at."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from .expressions import syntax
from .expressions.inference import Knowledge, pair_arguments
from .expressions.syntax import Tree
from .rubric import Input, Metric, Record, Rubric, Score

BARE_WORD_ROLES = ("field", "fields", "word")


def has_fields(rubric: Rubric, declared: Input) -> bool:
    """Whether an input's fields are nodes of their own: one JSON or YAML object that a record describes."""
    return declared.record in rubric.records and declared.format in ("json", "yaml") and not declared.many


def visible_fields(record: Record) -> tuple[str, ...]:
    """The names that an entry of a record has: its fields, then what is derived."""
    return (*record.field_names, *record.derived)


def names_before(record: Record, part: str) -> tuple[str, ...]:
    """The names that the expression of a field or a derived value sees: the fields, and what is derived above it."""
    derived = tuple(record.derived)
    return (*record.field_names, *derived[: derived.index(part) if part in record.derived else 0])


class References:
    """The names that trees refer to."""

    def __init__(self, rubric: Rubric, knowledge: Knowledge):
        self.rubric = rubric
        self.knowledge = knowledge
        self.named = {*rubric.let, *(name for name, constant in rubric.constants.items() if constant.by)}
        self.measured = frozenset({*rubric.metrics, *rubric.score} - rubric.let.keys() - rubric.inputs.keys())

    def of(
        self,
        *trees: Tree | None,
        local: Iterable[str] = (),
        nodes: Mapping[str, str] = MappingProxyType({}),
        measured: bool = True,
    ) -> tuple[str, ...]:
        """The ids of what the trees need, each once, in the order of the text. `measured`: they see metrics, scores.

        `local` names hide those of the rubric; `nodes` are the ids of those among them that are nodes themselves.
        """
        hidden = frozenset(local) if measured else self.measured.union(local)
        found: dict[str, None] = {}
        for tree in trees:
            if tree is not None:
                found.update(dict.fromkeys(self._visit(tree, hidden, nodes)))
        return tuple(found)

    def _visit(self, root: Tree, hidden: frozenset[str], nodes: Mapping[str, str]) -> Iterator[str]:
        waiting = [root]
        while waiting:
            tree = waiting.pop()
            match tree:
                case syntax.Field(of=of, name=name) if self._input_field(of, name, hidden):
                    yield f"{syntax.bare(of).id}.{name}"  # type: ignore[union-attr]
                case syntax.Name(id=id) if id in hidden:
                    if id in nodes:
                        yield nodes[id]
                case syntax.Name(id=id):
                    yield from self._name(id)
                    if id in self.rubric.functions and id not in syntax.given_names(root):
                        yield f"{id}()"
                case syntax.Call(module=None, name=name) if name in self.rubric.functions:
                    yield f"{name}()"
                    waiting.extend(reversed(syntax.children(tree)))
                case syntax.Call():
                    waiting.extend(reversed(self._arguments(tree)))
                case _:
                    waiting.extend(reversed(syntax.children(tree)))

    def _input_field(self, of: Tree, name: str, hidden: frozenset[str]) -> bool:
        bare = syntax.bare(of)
        seen = isinstance(bare, syntax.Name) and bare.id not in hidden
        declared = self.rubric.inputs.get(bare.id) if seen else None  # type: ignore[union-attr]
        if declared is None or not has_fields(self.rubric, declared):
            return False
        return name in visible_fields(self.rubric.records[declared.record or ""])

    def _name(self, id: str) -> Iterator[str]:
        if id in self.rubric.inputs:
            yield from input_nodes(self.rubric, self.rubric.inputs[id])
        elif id in self.named or id in self.measured:
            yield id

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


def input_of(rubric: Rubric, id: str) -> tuple[Input, str | None]:
    """The input that a node is, or whose field it is, and the name of the field."""
    if id in rubric.inputs:
        return rubric.inputs[id], None
    owners = (declared for declared in rubric.inputs.values() if id in input_nodes(rubric, declared))
    declared = next(owners)
    return declared, id[len(declared.name) + 1 :]


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


def graph_of(rubric: Rubric, knowledge: Knowledge) -> dict[str, tuple[str, ...]]:
    """What each node, function (`name()`) and record (`record name`) needs directly."""
    references = References(rubric, knowledge)
    graph: dict[str, tuple[str, ...]] = {}
    for name, definition in rubric.functions.items():
        function = definition.function
        graph[f"{name}()"] = references.of(function.body, local=function.parameters, measured=False)
    for name, record in rubric.records.items():
        inner = tuple(f"record {nested}" for nested in nested_records(record) if nested in rubric.records)
        fields = visible_fields(record)
        graph[f"record {name}"] = inner + references.of(*record_trees(record), local=fields, measured=False)
    for declared in rubric.inputs.values():
        graph |= _input_graph(rubric, declared, references)
    for name, constant in rubric.constants.items():
        if constant.by:
            graph[name] = references.of(syntax.Name(constant.by), measured=False)
    for name, definition in rubric.let.items():
        graph[name] = references.of(definition.tree, measured=False)
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

    def needs(part: str, tree: Tree | None) -> tuple[str, ...]:
        nodes = {name: f"{declared.name}.{name}" for name in names_before(record, part) if name != part}
        return references.of(tree, local=visible_fields(record), nodes=nodes, measured=False)

    for rule in record.fields:
        nested = tuple(f"record {name}" for name in nested_records(record, rule.names) if name in rubric.records)
        for name in rule.names:
            graph[f"{declared.name}.{name}"] = nested + needs(name, record.becomes.get(name))
    own = tuple(f"{declared.name}.{name}" for name in record.field_names)
    for name, tree in record.derived.items():
        if name in record.field_names:
            continue  # one name for two things, which is reported
        graph[f"{declared.name}.{name}"] = tuple(dict.fromkeys(own + needs(name, tree)))
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
