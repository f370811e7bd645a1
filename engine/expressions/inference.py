"""What an expression can be, found without running it: one abstract interpretation that answers every question.

It finds names, fields, functions and arguments that do not exist, operands that cannot be what an operator needs,
the range of every number, whether a value can be null, and from which inputs it may come.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..findings import suggestion
from . import hints, operator_types, syntax, types
from .builtins import BUILTINS
from .call_types import SignatureCall, pair_arguments
from .levels import MAX_LEVELS, Levels
from .signatures import Signature, signature_of
from .syntax import Tree
from .types import Type

__all__ = ["Function", "Inference", "Knowledge", "Problem", "pair_arguments"]

MAX_INSTANCES = 10_000
EXACT_INSTANCES = 24  # of one function; further calls are looked at without ranges and words
MAX_LISTS = 16  # that one block goes through


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the rubric."""

    name: str
    parameters: tuple[str, ...]
    body: Tree


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that cannot be right, at a character of the text in `source`."""

    id: str
    message: str
    source: Any
    at: int
    hint: str | None = None


@dataclass
class Knowledge:
    """What inference has learnt so far about a rubric's expressions.

    `types` and `blames` are kept by the identity of the tree node, joined over all the ways in which it is reached.
    """

    functions: Mapping[str, Function]
    primitives: Callable[[str, str], Signature | None]
    modules: Callable[[], Mapping[str, Iterable[str]]]
    types: dict[int, Type] = field(default_factory=dict)
    blames: dict[int, dict[str, frozenset[str]]] = field(default_factory=dict)
    problems: dict[tuple, Problem] = field(default_factory=dict)
    instances: dict[tuple, Type] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    recursive: frozenset[str] = frozenset()  # functions that call themselves, which is reported; looked at once

    @cached_property
    def levels(self) -> Levels:
        return Levels(self.functions)

    def signature(self, call: syntax.Call) -> Signature | None:
        """The built-in function or primitive that a call names."""
        if call.module is not None:
            return self.primitives(call.module, call.name)
        function = BUILTINS.get(call.name)
        return signature_of(function, call.name) if function else None


class Inference:
    """Infers the types of the expressions of one place (`scope` gives the types of the names visible there)."""

    def __init__(self, knowledge: Knowledge, scope: Callable[[str], Type | None], visible: Callable[[], Iterable[str]]):
        self.knowledge = knowledge
        self.scope = scope
        self.visible = visible
        self.source: Any = None
        self.level = 0

    def problem(self, id: str, message: str, at: int | Tree, hint: str | None = None) -> Type:
        """Notes a problem at a character of the text that is being looked at, or at a tree wherever it was written."""
        source = at.source if isinstance(at, syntax.Placed) else self.source
        offset = at if isinstance(at, int) else at.at
        found = Problem(id, message, source, offset, hint)
        self.knowledge.problems.setdefault((id, id_of(source), offset, message), found)
        return types.ANY

    def infer(self, tree: Tree, names: Mapping[str, Type]) -> Type:
        """The type of a tree in which `names` are the types of parameters and steps."""
        self.level += 1
        type_ = _RULES[type(tree)](self, tree, names)
        self.level -= 1
        known = self.knowledge.types.get(id(tree))
        self.knowledge.types[id(tree)] = type_ if known is None else types.join(known, type_)
        return type_

    # ------------------------------------------------------------ leaves

    def _placed(self, tree: syntax.Placed, names) -> Type:
        before, self.source = self.source, tree.source
        try:
            return self.infer(tree.body, names)
        finally:
            self.source = before

    def _number(self, tree: syntax.Number, names) -> Type:
        whole = isinstance(tree.value, int)
        return Type("number", low=tree.value, high=tree.value, whole=whole, words=(tree.value,))

    def _text(self, tree: syntax.Text, names) -> Type:
        return Type("text", words=(tree.value,))

    def _boolean(self, tree: syntax.Boolean, names) -> Type:
        return Type("boolean", words=(tree.value,))

    def _null(self, tree: syntax.Null, names) -> Type:
        return types.NULL

    def _name(self, tree: syntax.Name, names) -> Type:
        type_ = names.get(tree.id) or self.scope(tree.id)
        if type_ is not None:
            return type_
        hint = hints.unknown_name(tree.id, [*names, *self.visible()], self.knowledge.functions)
        return self.problem("unknown-name", f"nothing is called '{tree.id}' here", tree.at, hint)

    def _items(self, tree: syntax.Items, names) -> Type:
        element = types.join_all(self.infer(item, names) for item in tree.items)
        return types.list_of(element) if element is not None else Type("list")

    # ------------------------------------------------------------ operators

    def wants(self, type_: Type, kinds: tuple[str, ...], operator: str, at: int | Tree) -> None:
        operator_types.wants(self.problem, type_, kinds, operator, at)

    def _unary(self, tree: syntax.Unary, names) -> Type:
        operand = self.infer(tree.operand, names)
        rule = operator_types.opposite if tree.operator == "not" else operator_types.negated
        return rule(self.problem, operand, tree.at)

    def _binary(self, tree: syntax.Binary, names) -> Type:
        left, right = self.infer(tree.left, names), self.infer(tree.right, names)
        match tree.operator:
            case "and" | "or":
                return operator_types.logical(self.problem, tree.operator, left, right, tree.at)
            case "??":
                return self._instead(tree, left, right)
            case "..":
                return operator_types.counted_up(self.problem, left, right, tree.at)
        return operator_types.arithmetic(self.problem, tree.operator, left, right, tree.at)

    def _instead(self, tree: syntax.Binary, left: Type, right: Type) -> Type:
        if not left.nullable:
            message = "the left side of '??' is never null, so the right side has no effect"
            self.problem("never-null", message, tree.at, "leave '??' out")
        joined = types.join(left.never_null(), right) if left.kind != "null" else right
        return joined.noted(right.nullable, joined.origins | left.origins | right.origins)

    def _comparison(self, tree: syntax.Comparison, names) -> Type:
        operands = [self.infer(tree.first, names), *(self.infer(operand, names) for _, operand in tree.rest)]
        return operator_types.compared(self.problem, [operator for operator, _ in tree.rest], operands, tree.at)

    def _conditional(self, tree: syntax.Conditional, names) -> Type:
        test = self.infer(tree.test, names)
        self.wants(test, ("boolean",), "if", tree.at)
        joined = types.join(self.infer(tree.then, names), self.infer(tree.otherwise, names))
        return joined.coming_from(types.all_origins(test))

    # ------------------------------------------------------------ access

    def _field(self, tree: syntax.Field, names) -> Type:
        of = self.infer(tree.of, names)
        return self.field_of(of, tree.name, tree.at)

    def field_of(self, of: Type, name: str, at: int | Tree) -> Type:
        match of.kind:
            case "record":
                member = of.member(name)
                if member is None and not of.open:
                    known = [known for known, _ in of.fields]
                    hint = suggestion(name, known) or f"known fields: {', '.join(known) or 'none'}"
                    return self.problem("unknown-field", f"there is no field '{name}'", at, hint)
                return (member or types.ANY).or_null(of.nullable).coming_from(of.origins)
            case "list":
                return replace(
                    types.list_of(self.field_of(types.elements(of), name, at)), nullable=of.nullable
                ).coming_from(of.origins)
            case "map":
                return types.elements(of).or_null().coming_from(of.origins)
            case "any" | "null":
                return types.ANY.coming_from(of.origins)
        return self.problem("wrong-type", f"a {of} has no fields, so '.{name}' means nothing", at)

    def _index(self, tree: syntax.Index, names) -> Type:
        of, key = self.infer(tree.of, names), self.infer(tree.key, names)
        origins = types.all_origins(of) | types.all_origins(key)
        if of.kind not in ("list", "map", "record", "any", "null"):
            return self.problem("wrong-type", f"a {of} has no members, so [...] means nothing", tree.at)
        if of.kind == "list":
            self.wants(key, ("number",), "[...]", tree.key.at)
        element = types.join_all(type_ for _, type_ in of.fields) if of.kind == "record" else types.elements(of)
        return (element or types.ANY).or_null().coming_from(origins)

    # ------------------------------------------------------------ calls

    def _call(self, tree: syntax.Call, names) -> Type:
        if tree.module is None and tree.name in self.knowledge.functions:
            return self._rubric_function(tree, names)
        signature = self.knowledge.signature(tree)
        if signature is None:
            return self._unknown_function(tree, names)
        return SignatureCall(self, tree, signature, names).infer()

    def _unknown_function(self, tree: syntax.Call, names) -> Type:
        for argument in (*tree.positional, *(value for _, value in tree.named)):
            if not isinstance(syntax.bare(argument), syntax.Lambda):
                self.infer(argument, names)
        visible, functions = [*names, *self.visible()], self.knowledge.functions
        message, hint = hints.unknown_function(tree, visible, functions, self.knowledge.modules())
        return self.problem("unknown-function", message, tree.at, hint)

    def _rubric_function(self, tree: syntax.Call, names) -> Type:
        function = self.knowledge.functions[tree.name]
        given: dict[str, Type] = {}
        for position, argument in enumerate(tree.positional):
            type_ = self.argument(argument, names)
            if position < len(function.parameters):
                given[function.parameters[position]] = type_
        fits = len(tree.positional) <= len(function.parameters)
        if not fits:
            self._wrong_count(tree, len(function.parameters))
        for name, argument in tree.named:
            type_ = self.argument(argument, names)
            if name not in function.parameters or name in given:
                self.wrong_name(tree, name, argument, function.parameters, name in given)
                fits = False
            given[name] = type_
        missing = [name for name in function.parameters if name not in given]
        if missing:
            if fits:
                self.problem("wrong-arity", f"{tree.name}(...) lacks {', '.join(missing)}", tree.at)
            return types.ANY
        return self.instance(function, tuple(given[name] for name in function.parameters), tree.at)

    def argument(self, tree: Tree, names: Mapping[str, Type]) -> Type:
        """An argument of a rubric's function: a value, or the bare name of a function that is handed on."""
        inner = syntax.bare(tree)
        name = inner.id if isinstance(inner, syntax.Name) and inner.id not in names else None
        if name is not None and name in self.knowledge.functions and self.scope(name) is None:
            return Type("function", words=(name,))
        return self.infer(tree, names)

    def _wrong_count(self, tree: syntax.Call, most: int) -> None:
        given = len(tree.positional)
        self.problem("wrong-arity", f"{tree.label}(...) takes at most {most} unnamed arguments, not {given}", tree.at)

    def wrong_name(self, tree: syntax.Call, name: str, value: Tree, known: Iterable[str], twice: bool) -> None:
        """A named argument that the function does not have, or has been given before; `value` is where it stands."""
        known = list(known)
        message = (
            f"{tree.label}(...) is given '{name}' twice" if twice else f"{tree.label}(...) has no argument '{name}'"
        )
        hint = None if twice else suggestion(name, known) or f"arguments: {', '.join(known) or 'none'}"
        self.problem("unknown-argument", message, value, hint)

    def instance(self, function: Function, given: tuple[Type, ...], at: int) -> Type:
        """The result of a function for arguments of these types; each combination is looked at once."""
        knowledge, recursive = self.knowledge, function.name in self.knowledge.recursive
        if recursive:
            given = tuple(types.ANY for _ in given)
        elif knowledge.counts.get(function.name, 0) >= EXACT_INSTANCES:
            given = tuple(types.widened(type_) for type_ in given)
        key = (function.name, given)
        known = knowledge.instances.get(key)
        if known is not None:
            return known
        if recursive:
            knowledge.instances[key] = types.ANY
        elif self._too_much(function, at):
            return types.ANY
        knowledge.counts[function.name] = knowledge.counts.get(function.name, 0) + 1
        before = self.source
        result = knowledge.instances[key] = self.infer(
            function.body, dict(zip(function.parameters, given, strict=True))
        )
        self.source = before
        return result

    def _too_much(self, function: Function, at: int) -> bool:
        """Whether a call leads deeper, or functions are called in more different ways, than can be looked at."""
        if self.level + self.knowledge.levels.of_function(function.name) > MAX_LEVELS:
            message = f"with the functions it calls, this nests deeper than {MAX_LEVELS} levels"
            self.problem("too-deep", message, at, "let functions call fewer others in turn")
            return True
        if len(self.knowledge.instances) >= MAX_INSTANCES:
            message = f"functions are called with more than {MAX_INSTANCES} different kinds of arguments"
            self.problem("too-deep", message, at, "let functions call fewer others in turn")
            return True
        return False

    def _lambda(self, tree: syntax.Lambda, names) -> Type:
        return self.problem("misplaced-lambda", "'->' stands only where an argument wants a function", tree.at)

    def lambda_result(self, tree: syntax.Lambda, given: list[Type], names: Mapping[str, Type]) -> Type:
        return self.infer(tree.body, {**names, **dict(zip(tree.parameters, given, strict=False))})

    # ------------------------------------------------------------ blocks

    def _steps(self, tree: syntax.Steps, names) -> Type:
        inner = dict(names)
        fields: dict[str, Type] = {}
        for name, value in tree.members:
            inner[name] = fields[name] = self.argument(value, inner)
        if tree.result is not None:
            return self.infer(tree.result, inner)
        return types.record_of(fields)

    def _for_each(self, tree: syntax.ForEach, names) -> Type:
        inner, nullable, origins = dict(names), False, frozenset()
        if len(tree.names) > MAX_LISTS:
            self.problem("too-deep", f"a block goes through {MAX_LISTS} lists at most", tree.at)
        for name, value in tree.names:
            of = self.infer(value, inner)
            if of.kind not in ("list", "any", "null"):
                self.problem("wrong-type", f"'{name}' needs a list to go through, but this is a {of}", value)
            inner[name] = types.elements(of).coming_from(of.origins)
            nullable |= of.nullable or of.kind != "list"
            origins |= types.all_origins(of)
        row = self.infer(tree.columns, inner)
        loops = {name: inner[name] for name, _ in tree.names}
        inner |= dict(row.fields)
        if tree.where is not None:
            condition = self.infer(tree.where, inner)
            self.wants(condition, ("boolean",), "where", tree.where)
            origins |= types.all_origins(condition)
        if tree.value is not None:
            row = self.infer(tree.value, inner)
        else:
            row = types.record_of({**loops, **dict(row.fields)})
        if tree.key is not None:
            origins |= types.all_origins(self.infer(tree.key, inner))
            return replace(types.map_of(row), nullable=nullable, origins=origins)
        return replace(types.list_of(row), nullable=nullable, origins=origins)

    def _group(self, tree: syntax.Group, names) -> Type:
        of = self.infer(tree.of, names)
        row = types.elements(of)
        if row.kind == "record":
            fields = {name: types.list_of(type_) for name, type_ in row.fields}
            by = {name: self.field_of(row, name, tree.at) for name in tree.by}
            columns = self.infer(tree.columns, {**names, **fields})
            row = types.record_of({**by, **dict(columns.fields)})
        else:
            self.problem("wrong-type", f"'group' needs a list of records, but this is a {of}", tree.at)
        return replace(types.list_of(row), nullable=of.nullable or of.kind != "list", origins=types.all_origins(of))

    def _in_step(self, tree: syntax.InStep, names) -> Type:
        inner, origins = {**names, syntax.STEP: types.number(0, math.inf, whole=True)}, frozenset()
        for name, value in tree.names:
            of = self.infer(value, names)
            if of.kind not in ("list", "any", "null"):
                self.problem("wrong-type", f"'{name}' needs a list or a stream, but this is a {of}", value)
            inner[name] = types.elements(of).or_null().coming_from(types.all_origins(of))
            origins |= types.all_origins(of)
        rows = self.infer(tree.rows, names)
        self.wants(rows, ("number",), "rows", tree.rows)
        columns = self.infer(tree.columns, inner)
        row = types.record_of({syntax.STEP: inner[syntax.STEP], **dict(columns.fields)})
        return replace(types.list_of(row), nullable=True, origins=origins | types.all_origins(rows))


def id_of(source: Any) -> int:
    return id(source)


_RULES: dict[type, Callable[[Inference, Any, Mapping[str, Type]], Type]] = {
    syntax.Placed: Inference._placed,
    syntax.Number: Inference._number,
    syntax.Text: Inference._text,
    syntax.Boolean: Inference._boolean,
    syntax.Null: Inference._null,
    syntax.Name: Inference._name,
    syntax.Items: Inference._items,
    syntax.Unary: Inference._unary,
    syntax.Binary: Inference._binary,
    syntax.Comparison: Inference._comparison,
    syntax.Conditional: Inference._conditional,
    syntax.Field: Inference._field,
    syntax.Index: Inference._index,
    syntax.Call: Inference._call,
    syntax.Lambda: Inference._lambda,
    syntax.Steps: Inference._steps,
    syntax.ForEach: Inference._for_each,
    syntax.Group: Inference._group,
    syntax.InStep: Inference._in_step,
}
