"""The canonical form of a rubric: rubrics of one form report the same of every case.

Left out is what no run reports: comments, layout, positions, how numbers are spelt, the names of parameters and of
steps behind a `result`, the order of independent parts, the texts about a rubric, and its examples.
"""

import hashlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import cache, cached_property
from itertools import groupby
from types import MappingProxyType
from typing import Any

from . import catalogue
from .expressions import syntax
from .expressions.inference import Knowledge, pair_arguments
from .expressions.signatures import signature_of
from .expressions.syntax import Tree
from .json_text import encode
from .rubric import (
    Constant,
    Control,
    FieldRule,
    FieldType,
    FunctionDefinition,
    Gate,
    Precondition,
    Record,
    Rubric,
    Score,
    Stage,
)

_NOT_RULES = ("document", "title", "about", "references", "errata", "status", "examples", "stages", "score")
_NOT_MEANT = ("key", "node", "keys", "text", "about")
_Names = Mapping[str, int]


def canonical(rubric: Rubric) -> dict[str, Any]:
    """The rules of a rubric as plain data, see above."""
    return Forms(rubric).of(rubric)


def digest(rubric: Rubric) -> str:
    """SHA-256 of the canonical form as JSON in UTF-8, in hexadecimal."""
    return hashlib.sha256(encode(canonical(rubric)).encode()).hexdigest()


class Forms:
    """The canonical forms of a rubric's parts; the rubric says which argument of a call is which.

    Equal parts of two rubrics have equal forms. Forms hold `true` beside 1, so compare their JSON.
    """

    def __init__(self, rubric: Rubric):
        self.rubric = rubric
        self.knowledge = Knowledge({}, catalogue.signature, catalogue.names)
        self.parameters = {name: known.function.parameters for name, known in rubric.functions.items()}
        self.tree = _TreeForm(self)

    def of(self, value: Any) -> Any:
        """The form of any part of a rubric."""
        kind = type(value)
        if kind is str or value is None:
            return value
        if kind in _FORMS:
            return _FORMS[kind](self, value)
        if kind is syntax.Placed or kind in _TREES:
            return self.tree.of(value)
        if is_dataclass(value):
            return {name: self.of(getattr(value, name)) for name in _meant(kind)}
        if isinstance(value, (dict, MappingProxyType)):
            return self.unordered((encode(self.of(key)), member) for key, member in value.items())
        return [self.of(member) for member in value] if isinstance(value, (list, tuple)) else _plain(value)

    def unordered(self, pairs: Any) -> dict[str, Any]:
        """Named members whose order means nothing."""
        return {name: self.of(member) for name, member in sorted(pairs, key=lambda pair: pair[0])}

    def ordered(self, members: Mapping[Any, Any]) -> list[list[Any]]:
        """Named members whose order means something."""
        return [[self.of(name), self.of(member)] for name, member in members.items()]

    # ------------------------------------------------------------ sections

    def _rubric(self, rubric: Rubric) -> dict[str, Any]:
        sections = {part.name: getattr(rubric, part.name) for part in fields(rubric) if part.name not in _NOT_RULES}
        form = {name: self.of(section) for name, section in sections.items()}
        return form | {"score": self.scores(rubric.score), "gates": self.stages(rubric.stages)}

    def scores(self, scores: Mapping[str, Score]) -> dict[str, Any]:
        """Score groups: of their order, only which is the last means something."""
        return {"groups": self.of(scores), "last": list(scores)[-1] if scores else None}

    def stages(self, stages: Sequence[Stage]) -> dict[str, Any]:
        """Gates: the order of stages means something, and that of gates which replace the score, as the first does."""
        gates = [gate for stage in stages for gate in stage.gates if gate.otherwise is not None]
        runs = groupby(gates, lambda gate: encode(self.of(gate.otherwise)))
        return {
            "stages": [[stage.name, self.unordered((gate.name, gate) for gate in stage.gates)] for stage in stages],
            "first": [sorted(gate.name for gate in run) for _, run in runs],
        }

    def _constant(self, constant: Constant) -> Any:
        walked = constant.by is None and constant.name in self._walked
        return {"by": constant.by, "value": self.in_order(constant.value) if walked else self.of(constant.value)}

    def in_order(self, value: Any) -> Any:
        """Plain data whose members some expression goes through, so that their order shows."""
        if isinstance(value, Mapping):
            return [[self.of(key), self.in_order(member)] for key, member in value.items()]
        return [self.in_order(member) for member in value] if isinstance(value, list) else self.of(value)

    @cached_property
    def _walked(self) -> frozenset[str]:
        """The constants that stand in an expression as wholes, not only as `constant.member` or `constant[key]`."""
        maps = {name for name, constant in self.rubric.constants.items() if isinstance(constant.value, Mapping)}
        found: set[str] = set()
        waiting: list[Tree] = list(trees(self.rubric)) if maps else []
        while waiting:
            tree = waiting.pop()
            if isinstance(tree, syntax.Name) and tree.id in maps:
                found.add(tree.id)
            within = isinstance(tree, (syntax.Field, syntax.Index)) and isinstance(syntax.bare(tree.of), syntax.Name)
            waiting += syntax.children(tree)[1:] if within else syntax.children(tree)
        return frozenset(found)

    def _record(self, record: Record) -> dict[str, Any]:
        return {
            "fields": self.unordered((encode(sorted(rule.names)), rule) for rule in record.fields),
            "becomes": self.ordered(record.becomes),
            "derived": self.ordered(record.derived),
            "require": self.of(record.require),
            "when_invalid": record.when_invalid,
        }

    def _field(self, rule: FieldRule) -> dict[str, Any]:
        return {"names": list(rule.names), "type": self.of(rule.type), "optional": rule.type.optional}

    def _type(self, type_: FieldType) -> list[Any]:
        """Alternatives in no order; whether the field must be there is said by the field."""
        return sorted((self._atom(atom) for atom in type_.atoms), key=encode)

    def _atom(self, atom: Any) -> dict[str, Any]:
        parts = {part.name: getattr(atom, part.name) for part in fields(atom) if part.name != "element"}
        form = {name: self.of(value) for name, value in parts.items()}
        return form | ({"element": [self.of(atom.element), atom.element.optional]} if atom.element else {})

    def _function(self, definition: FunctionDefinition) -> dict[str, Any]:
        return {
            "parameters": len(definition.function.parameters),
            "body": self.tree.inside(definition.function.parameters, definition.function.body),
        }

    def _precondition(self, precondition: Precondition) -> list[Any]:
        return self.tree.bound(precondition.each, precondition.requirements)

    def _score(self, score: Score) -> dict[str, Any]:
        return {
            "value": self.of(score.value),
            "weights": self.unordered((weight.metric, weight.value) for weight in score.weights),
            "caps": self.unordered((cap.name, cap) for cap in score.caps),
        }

    def _gate(self, gate: Gate) -> dict[str, Any]:
        form = {name: self.of(getattr(gate, name)) for name in _meant(Gate)}
        return form | {"decide_on": sorted(set(gate.decide_on))}

    def _control(self, control: Control) -> dict[str, Any]:
        return {
            "inputs": self.of(control.inputs),
            "at_most": self.of(control.at_most),
            "violated": control.known_violation is not None,
        }


_FORMS: Mapping[type, Callable[[Forms, Any], Any]] = {
    Rubric: Forms._rubric,
    Constant: Forms._constant,
    Record: Forms._record,
    FieldRule: Forms._field,
    FieldType: Forms._type,
    FunctionDefinition: Forms._function,
    Precondition: Forms._precondition,
    Score: Forms._score,
    Gate: Forms._gate,
    Control: Forms._control,
}


@cache
def _meant(kind: type) -> tuple[str, ...]:
    """The attributes of a part that mean something."""
    return tuple(part.name for part in fields(kind) if part.name not in _NOT_MEANT)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return str(value.normalize())
    return float(value) + 0.0 if isinstance(value, (int, float)) and not isinstance(value, bool) else value


@cache
def _defaults(function: Callable[..., Any]) -> Mapping[str, str]:
    """The form, as JSON, of each argument that says what holds without it: `prefer: nearest`, `of: true`, null."""
    parameters = inspect.signature(function).parameters.values()
    known = {parameter.name: parameter for parameter in signature_of(function, "").parameters}
    given = [parameter for parameter in parameters if parameter.default is not inspect.Parameter.empty]
    return {part.name: encode([_default(part.default, known[part.name].role)]) for part in given}


def _default(value: Any, role: str) -> Any:
    if role == "word":
        return ["word", value]
    if value is None:
        return ["null"]
    if isinstance(value, str):
        return ["text", value]
    return ["list", *(_default(member, role) for member in value)] if isinstance(value, tuple) else _plain(value)


def trees(rubric: Rubric) -> Iterator[Tree]:
    """Every expression of a rubric, outermost."""
    waiting: list[Any] = [getattr(rubric, part.name) for part in fields(rubric) if part.name != "document"]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is syntax.Placed or kind in _TREES:
            yield part
        elif kind is tuple or kind is list:
            waiting += part
        elif kind is dict or kind is MappingProxyType:
            waiting += part.values()
        elif is_dataclass(part):
            waiting += [getattr(part, name) for name in _meant(kind)]


class _TreeForm:
    """The forms of expressions. Names that an expression binds itself, and that nothing outside sees, are numbered."""

    def __init__(self, forms: Forms):
        self.forms = forms

    def of(self, tree: Tree, names: _Names | None = None) -> Any:
        """The form of a tree in which `names` are bound."""
        tree = syntax.bare(tree)
        return _TREES[type(tree)](self, tree, names or {})

    def bind(self, names: _Names, *added: str) -> _Names:
        """Numbered by how much is bound around them, so that the order of independent parts does not show."""
        first = max(names.values(), default=-1) + 1
        return {**names, **{name: first + number for number, name in enumerate(added)}}

    def inside(self, parameters: Sequence[str], body: Tree, names: _Names | None = None) -> Any:
        return self.of(body, self.bind(names or {}, *parameters))

    def bound(self, each: Sequence[tuple[str, Tree]], trees: Sequence[Tree], names: _Names | None = None) -> list[Any]:
        """Loops, the later ones within the earlier, and what stands inside them all."""
        names, lists = names or {}, []
        for name, tree in each:
            lists.append(self.of(tree, names))
            names = self.bind(names, name)
        return [lists, [self.of(tree, names) for tree in trees]]

    def _leaf(self, tree: Any, names: _Names) -> Any:
        return _plain(tree.value)

    def _text(self, tree: syntax.Text, names: _Names) -> Any:
        return ["text", tree.value]

    def _null(self, tree: syntax.Null, names: _Names) -> Any:
        """A null that is written: with `if_null: null` a metric is null, without it is what `unmeasured` says."""
        return ["null"]

    def _name(self, tree: syntax.Name, names: _Names) -> Any:
        return ["bound", names[tree.id]] if tree.id in names else ["name", tree.id]

    def _items(self, tree: syntax.Items, names: _Names) -> Any:
        return ["list", *(self.of(item, names) for item in tree.items)]

    def _unary(self, tree: syntax.Unary, names: _Names) -> Any:
        return [tree.operator, self.of(tree.operand, names)]

    def _binary(self, tree: syntax.Binary, names: _Names) -> Any:
        return [tree.operator, self.of(tree.left, names), self.of(tree.right, names)]

    def _comparison(self, tree: syntax.Comparison, names: _Names) -> Any:
        return ["compare", self.of(tree.first, names), *([word, self.of(side, names)] for word, side in tree.rest)]

    def _conditional(self, tree: syntax.Conditional, names: _Names) -> Any:
        return ["if", *(self.of(part, names) for part in (tree.test, tree.then, tree.otherwise))]

    def _field(self, tree: syntax.Field, names: _Names) -> Any:
        return ["field", self.of(tree.of, names), tree.name]

    def _index(self, tree: syntax.Index, names: _Names) -> Any:
        return ["index", self.of(tree.of, names), self.of(tree.key, names)]

    def _lambda(self, tree: syntax.Lambda, names: _Names) -> Any:
        return ["->", len(tree.parameters), self.inside(tree.parameters, tree.body, names)]

    # ------------------------------------------------------------ calls

    def _call(self, tree: syntax.Call, names: _Names) -> Any:
        if tree.module is None and tree.name in self.forms.parameters:
            return ["call", tree.name, self._by_position(tree, names)]
        signature = self.forms.knowledge.signature(tree)
        pairs = pair_arguments(tree, signature) if signature else ""
        if isinstance(pairs, str):
            named = {name: self.of(value, names) for name, value in sorted(tree.named, key=lambda pair: pair[0])}
            return ["call", tree.label, [self.of(value, names) for value in tree.positional], named]
        found: dict[str, list[Any]] = {}
        for parameter, argument in pairs:
            found.setdefault(parameter.name, []).append(self._argument(parameter.role, argument, names))
        defaults = _defaults(signature.function) if signature else {}
        said = {name: form for name, form in found.items() if encode(form) != defaults.get(name)}
        return ["call", tree.label, dict(sorted(said.items()))]

    def _by_position(self, tree: syntax.Call, names: _Names) -> dict[str, Any]:
        """The arguments of a rubric's function by the place of the parameter, whose name means nothing."""
        parameters = self.forms.parameters[tree.name]
        found = {str(number): value for number, value in enumerate(tree.positional)}
        found |= {str(parameters.index(name)) if name in parameters else name: value for name, value in tree.named}
        return {place: self.of(value, names) for place, value in sorted(found.items())}

    def _argument(self, role: str, argument: Tree, names: _Names) -> Any:
        """Bare words, of fields or of a choice, are no names, whatever is bound around them."""
        bare = syntax.bare(argument)
        if role == "word":
            return ["word", bare.id if isinstance(bare, syntax.Name) else getattr(bare, "value", None)]
        return self.of(argument, {} if role in ("field", "fields") else names)

    # ------------------------------------------------------------ blocks

    def _steps(self, tree: syntax.Steps, names: _Names) -> Any:
        members = []
        for name, value in tree.members:
            form = self.of(value, names)
            members.append([name, form] if tree.result is None else [form])
            names = names if tree.result is None else self.bind(names, name)
        return ["steps", members, *([self.of(tree.result, names)] if tree.result is not None else [])]

    def _for_each(self, tree: syntax.ForEach, names: _Names) -> Any:
        """A row has the names that it goes through and its columns, unless a `value` stands for it."""
        inner, local = names, tree.value is not None
        lists, columns = [], []
        for part, found in ((tree.names, lists), (tree.columns.members, columns)):
            for name, value in part:
                form = self.of(value, inner)
                found.append([form] if local else [name, form])
                inner = self.bind(inner, name) if local else inner
        clauses = {label: getattr(tree, label) for label in ("where", "key", "value")}
        forms = {label: self.of(part, inner) for label, part in clauses.items() if part is not None}
        return ["for each", lists, columns, forms]

    def _group(self, tree: syntax.Group, names: _Names) -> Any:
        return ["group", self.of(tree.of, names), list(tree.by), self.of(tree.columns, names)]

    def _in_step(self, tree: syntax.InStep, names: _Names) -> Any:
        streams = [[name, self.of(value, names)] for name, value in tree.names]
        return ["in step", streams, self.of(tree.rows, names), self.of(tree.columns, names)]


_TREES: Mapping[type, Callable[[_TreeForm, Any, _Names], Any]] = {
    syntax.Number: _TreeForm._leaf,
    syntax.Boolean: _TreeForm._leaf,
    syntax.Text: _TreeForm._text,
    syntax.Null: _TreeForm._null,
    syntax.Name: _TreeForm._name,
    syntax.Items: _TreeForm._items,
    syntax.Unary: _TreeForm._unary,
    syntax.Binary: _TreeForm._binary,
    syntax.Comparison: _TreeForm._comparison,
    syntax.Conditional: _TreeForm._conditional,
    syntax.Field: _TreeForm._field,
    syntax.Index: _TreeForm._index,
    syntax.Lambda: _TreeForm._lambda,
    syntax.Call: _TreeForm._call,
    syntax.Steps: _TreeForm._steps,
    syntax.ForEach: _TreeForm._for_each,
    syntax.Group: _TreeForm._group,
    syntax.InStep: _TreeForm._in_step,
}
