"""What an expression can be, found without running it: one abstract interpretation that answers every question.

It finds names, fields, functions and arguments that do not exist, operands that cannot be what an operator needs,
the range of every number, whether a value can be null, and from which inputs it may come.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..findings import suggestion
from . import ranges, signatures, syntax, types
from .builtins import BUILTINS
from .signatures import Parameter, Signature, signature_of
from .syntax import Tree
from .types import Type

MAX_CALL_DEPTH = 32
MAX_INSTANCES = 20_000


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
    recursive: frozenset[str] = frozenset()  # functions that call themselves, which is reported; looked at once

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
        self.rows: Type | None = None
        self.call_depth = 0

    def problem(self, id: str, message: str, at: int | Tree, hint: str | None = None) -> Type:
        """Notes a problem at a character of the text that is being looked at, or at a tree wherever it was written."""
        source = at.source if isinstance(at, syntax.Placed) else self.source
        offset = at if isinstance(at, int) else at.at
        found = Problem(id, message, source, offset, hint)
        self.knowledge.problems.setdefault((id, id_of(source), offset, message), found)
        return types.ANY

    def infer(self, tree: Tree, names: Mapping[str, Type]) -> Type:
        """The type of a tree in which `names` are the types of parameters and steps."""
        type_ = _RULES[type(tree)](self, tree, names)
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
        hint = suggestion(tree.id, [*names, *self.visible()])
        if tree.id in self.knowledge.functions:
            hint = "it is a function; call it, or give it where a function is wanted"
        return self.problem("unknown-name", f"nothing is called '{tree.id}' here", tree.at, hint)

    def _items(self, tree: syntax.Items, names) -> Type:
        return types.list_of(types.join_all(self.infer(item, names) for item in tree.items) or types.ANY)

    # ------------------------------------------------------------ operators

    def _wants(self, type_: Type, kinds: tuple[str, ...], operator: str, at: int | Tree) -> None:
        if type_.kind not in ("any", "null", *kinds):
            wanted = " or ".join(kinds)
            self.problem("wrong-type", f"'{operator}' needs a {wanted}, but this is a {type_}", at)

    def _unary(self, tree: syntax.Unary, names) -> Type:
        operand = self.infer(tree.operand, names)
        if tree.operator == "not":
            self._wants(operand, ("boolean",), "not", tree.at)
            return Type("boolean", nullable=operand.nullable, origins=operand.origins)
        self._wants(operand, ("number",), "-", tree.at)
        nullable = operand.nullable or operand.kind != "number"
        return Type("number", nullable, -operand.high, -operand.low, operand.whole, origins=operand.origins)

    def _binary(self, tree: syntax.Binary, names) -> Type:
        left, right = self.infer(tree.left, names), self.infer(tree.right, names)
        origins, nullable = left.origins | right.origins, left.nullable or right.nullable
        match tree.operator:
            case "and" | "or":
                for side in (left, right):
                    self._wants(side, ("boolean",), tree.operator, tree.at)
                known = left.kind == right.kind == "boolean"
                return Type("boolean", nullable=nullable or not known, origins=origins)
            case "??":
                if not left.nullable:
                    message = "the left side of '??' is never null, so the right side has no effect"
                    self.problem("never-null", message, tree.at, "leave '??' out")
                joined = types.join(left.never_null(), right) if left.kind != "null" else right
                return replace(joined, nullable=right.nullable).coming_from(origins)
            case "..":
                for side in (left, right):
                    self._wants(side, ("number",), "..", tree.at)
                element = types.number(left.low, max(left.low, right.high), whole=True)
                return replace(types.list_of(element), nullable=True, origins=origins)
        return self._arithmetic(tree, left, right)

    def _arithmetic(self, tree: syntax.Binary, left: Type, right: Type) -> Type:
        origins, nullable = left.origins | right.origins, left.nullable or right.nullable
        if tree.operator == "+" and left.kind in ("list", "text"):
            self._wants(right, (left.kind,), "+", tree.at)
            both = types.join(left, right)
            return replace(both, nullable=nullable, words=None, entries=frozenset()).coming_from(origins)
        for side in (left, right):
            self._wants(side, ("number",), tree.operator, tree.at)
        if "any" in (left.kind, right.kind) and tree.operator == "+":
            return replace(types.ANY, origins=types.all_origins(left) | types.all_origins(right))
        known = left.kind == right.kind == "number"
        low, high, may_fail = ranges.arithmetic(tree.operator, left, right)
        whole = left.whole and right.whole and tree.operator in "+-*"
        return Type("number", nullable or not known or may_fail, low, high, whole, origins=origins)

    def _comparison(self, tree: syntax.Comparison, names) -> Type:
        operands = [self.infer(tree.first, names), *(self.infer(operand, names) for _, operand in tree.rest)]
        nullable = False
        for (operator, operand_tree), left, right in zip(tree.rest, operands, operands[1:], strict=False):
            nullable |= self._compared(operator, left, right, operand_tree, tree.at)
        origins = frozenset().union(*(types.all_origins(operand) for operand in operands))
        return Type("boolean", nullable=nullable, origins=origins)

    def _compared(self, operator: str, left: Type, right: Type, right_tree: Tree, at: int) -> bool:
        """Checks one link of a chain; whether its answer can be null."""
        if operator in ("==", "!="):
            self._check_equality(operator, left, right, at)
            return False
        if operator in ("in", "not in"):
            self._wants(right, ("list", "map", "record", "text"), operator, at)
            inner = types.elements(right)
            return left.nullable or right.nullable or inner.nullable or right.kind not in ("list", "map")
        for side in (left, right):
            self._wants(side, ("number", "text"), operator, at)
        if {left.kind, right.kind} == {"number", "text"}:
            self.problem("wrong-type", f"'{operator}' compares a {left.kind} with a {right.kind}", at)
        return left.nullable or right.nullable or "any" in (left.kind, right.kind)

    def _check_equality(self, operator: str, left: Type, right: Type, at: int) -> None:
        answer = "always" if operator == "!=" else "never"
        if not types.fits(left, right) and not types.fits(right, left):
            if not (left.nullable and right.nullable):
                self.problem("never-equal", f"a {left.kind} and a {right.kind}: '{operator}' is {answer} true", at)
            return
        for one, other in ((left, right), (right, left)):
            if one.words is not None and other.words is not None and len(one.words) == 1:
                if not any(type(word) is type(one.words[0]) and word == one.words[0] for word in other.words):
                    if left.kind == right.kind == "text":
                        known = ", ".join(str(word) for word in other.words)
                        hint = suggestion(str(one.words[0]), map(str, other.words)) or f"known values: {known}"
                        message = f"'{one.words[0]}' is none of the possible values, so '{operator}' is {answer} true"
                        self.problem("never-equal", message, at, hint)
                return

    def _conditional(self, tree: syntax.Conditional, names) -> Type:
        test = self.infer(tree.test, names)
        self._wants(test, ("boolean",), "if", tree.at)
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
                return replace(types.list_of(self.field_of(types.elements(of), name, at)), nullable=of.nullable).coming_from(
                    of.origins
                )
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
            self._wants(key, ("number",), "[...]", tree.key.at)
        element = types.join_all(type_ for _, type_ in of.fields) if of.kind == "record" else types.elements(of)
        return (element or types.ANY).or_null().coming_from(origins)

    # ------------------------------------------------------------ calls

    def _call(self, tree: syntax.Call, names) -> Type:
        if tree.module is None and tree.name in self.knowledge.functions:
            return self._rubric_function(tree, names)
        signature = self.knowledge.signature(tree)
        if signature is None:
            return self._unknown_function(tree, names)
        return _SignatureCall(self, tree, signature, names).infer()

    def _unknown_function(self, tree: syntax.Call, names) -> Type:
        for argument in (*tree.positional, *(value for _, value in tree.named)):
            if not isinstance(syntax.bare(argument), syntax.Lambda):
                self.infer(argument, names)
        modules = self.knowledge.modules()
        if tree.module is None:
            hint = suggestion(tree.name, [*self.knowledge.functions, *BUILTINS])
            owners = [f"{module}.{tree.name}" for module, members in modules.items() if tree.name in members]
            hint = f"did you mean '{owners[0]}'?" if owners else hint
            return self.problem("unknown-function", f"there is no function '{tree.name}'", tree.at, hint)
        if tree.module not in modules:
            hint = suggestion(tree.module, modules) or f"modules: {', '.join(sorted(modules))}"
            return self.problem("unknown-function", f"there is no module '{tree.module}'", tree.at, hint)
        hint = suggestion(tree.name, modules[tree.module])
        hint = f"did you mean '{tree.module}.{hint.split(chr(39))[1]}'?" if hint else None
        return self.problem("unknown-function", f"there is no primitive '{tree.label}'", tree.at, hint)

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
                self._wrong_name(tree, name, argument, function.parameters, name in given)
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
        if isinstance(inner, syntax.Name) and inner.id not in names and inner.id in self.knowledge.functions:
            if self.scope(inner.id) is None:
                return Type("function", words=(inner.id,))
        return self.infer(tree, names)

    def _wrong_count(self, tree: syntax.Call, most: int) -> None:
        given = len(tree.positional)
        self.problem("wrong-arity", f"{tree.label}(...) takes at most {most} unnamed arguments, not {given}", tree.at)

    def _wrong_name(self, tree: syntax.Call, name: str, value: Tree, known: Iterable[str], twice: bool) -> None:
        """A named argument that the function does not have, or has been given before; `value` is where it stands."""
        known = list(known)
        message = f"{tree.label}(...) is given '{name}' twice" if twice else f"{tree.label}(...) has no argument '{name}'"
        hint = None if twice else suggestion(name, known) or f"arguments: {', '.join(known) or 'none'}"
        self.problem("unknown-argument", message, value, hint)

    def instance(self, function: Function, given: tuple[Type, ...], at: int) -> Type:
        """The result of a function for arguments of these types; each combination is looked at once."""
        recursive = function.name in self.knowledge.recursive
        key = (function.name, tuple(types.ANY for _ in given) if recursive else given)
        known = self.knowledge.instances.get(key)
        if known is not None:
            return known
        if recursive:
            self.knowledge.instances[key] = types.ANY
        if len(self.knowledge.instances) >= MAX_INSTANCES or self.call_depth >= MAX_CALL_DEPTH:
            return self.problem("too-deep", f"calls nest deeper than {MAX_CALL_DEPTH} functions", at)
        self.call_depth += 1
        before = self.source
        try:
            result = self.infer(function.body, dict(zip(function.parameters, key[1], strict=True)))
        finally:
            self.call_depth -= 1
            self.source = before
        self.knowledge.instances[key] = result
        return result

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
        for name, value in tree.names:
            of = self.infer(value, inner)
            if of.kind not in ("list", "any", "null"):
                self.problem("wrong-type", f"'{name}' needs a list to go through, but this is a {of}", value)
            inner[name] = types.elements(of).coming_from(of.origins)
            nullable |= of.nullable
            origins |= types.all_origins(of)
        row = self.infer(tree.columns, inner)
        loops = {name: inner[name] for name, _ in tree.names}
        inner |= dict(row.fields)
        if tree.where is not None:
            condition = self.infer(tree.where, inner)
            self._wants(condition, ("boolean",), "where", tree.where)
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
        return replace(types.list_of(row), nullable=of.nullable, origins=types.all_origins(of))


def id_of(source: Any) -> int:
    return id(source)


class _SignatureCall:
    """Checks one call of a built-in function or a primitive against its signature."""

    def __init__(self, inference: Inference, tree: syntax.Call, signature: Signature, names: Mapping[str, Type]):
        self.inference = inference
        self.tree = tree
        self.signature = signature
        self.names = names
        self.variables: signatures.Variables = {}
        self.given: dict[str, Type] = {}
        self.values: list[Type] = []
        self.returned: Type | None = None

    def infer(self) -> Type:
        pairs = self._paired()
        if pairs is None:
            return types.ANY
        for parameter, argument in pairs:
            if parameter.role == "value":
                self._value(parameter, argument)
        for parameter, argument in pairs:
            if parameter.role != "value":
                _ROLES[parameter.role](self, parameter, argument)
        return self._result(pairs)

    def _paired(self) -> list[tuple[Parameter, Tree]] | None:
        """Each argument with its parameter, or None where the call does not fit the signature."""
        paired = pair_arguments(self.tree, self.signature)
        if not isinstance(paired, str):
            return paired
        for argument in (*self.tree.positional, *(value for _, value in self.tree.named)):
            if not isinstance(syntax.bare(argument), syntax.Lambda | syntax.Name | syntax.Items):
                self.inference.infer(argument, self.names)
        unknown = [(name, value) for name, value in self.tree.named if self.signature.parameter(name) is None]
        known = [parameter.name for parameter in self.signature.parameters]
        for name, value in unknown:
            self.inference._wrong_name(self.tree, name, value, known, twice=False)
        if not unknown:
            self.inference.problem("wrong-arity", paired, self.tree.at, f"arguments: {', '.join(known)}")
        return None

    def _value(self, parameter: Parameter, argument: Tree) -> None:
        type_ = self.inference.infer(argument, self.names)
        self.values.append(type_)
        self.given[parameter.name] = types.join(self.given.get(parameter.name, type_), type_)
        signatures.bind(parameter.annotation, type_, self.variables)
        wanted = signatures.resolve(parameter.annotation)
        if not types.fits(type_, wanted):
            message = f"'{parameter.name}' of {self.signature.label}(...) is a {wanted}, but this is a {type_}"
            self.inference.problem("wrong-type", message, argument)

    def _rows(self) -> list[Type]:
        return [types.elements(type_) for type_ in self.given.values() if type_.kind == "list"]

    def _field(self, parameter: Parameter, argument: Tree) -> None:
        bare = syntax.bare(argument)
        words = list(bare.items) if isinstance(bare, syntax.Items) and parameter.role == "fields" else [bare]
        rows = self._rows()
        for placed in words:
            word = syntax.bare(placed)
            if not isinstance(word, syntax.Name):
                message = f"'{parameter.name}' names fields of the rows, as bare words"
                self.inference.problem("wrong-type", message, placed)
                continue
            for row in rows:
                if row.kind == "record":
                    self.inference.field_of(row, word.id, placed)
        if parameter.role == "fields" and not isinstance(bare, syntax.Items):
            message = f"'{parameter.name}' is a list of field names"
            self.inference.problem("wrong-type", message, argument, f"write [{getattr(bare, 'id', '...')}]")

    def _word(self, parameter: Parameter, argument: Tree) -> None:
        bare = syntax.bare(argument)
        word = bare.id if isinstance(bare, syntax.Name) else getattr(bare, "value", None)
        if word not in parameter.words:
            known = ", ".join(str(known) for known in parameter.words)
            hint = suggestion(str(word), map(str, parameter.words))
            message = f"'{parameter.name}' of {self.signature.label}(...) is one of: {known}"
            self.inference.problem("unknown-word", message, argument, hint)

    def _function(self, parameter: Parameter, argument: Tree) -> None:
        given = signatures.lambda_parameters(parameter.annotation, self.variables)
        bare = syntax.bare(argument)
        result = types.ANY
        functions = self.inference.knowledge.functions
        name = bare.id if isinstance(bare, syntax.Name) else None
        if name is not None and name in self.names and self.names[name].words:
            name = str(self.names[name].words[0])
        if isinstance(bare, syntax.Lambda):
            self._arity(len(bare.parameters), given, argument)
            given = given if given is not None else [types.ANY] * len(bare.parameters)
            self.inference.knowledge.types[id(bare)] = types.FUNCTION
            result = self.inference.lambda_result(bare, given, self.names)
        elif name is not None and name in functions:
            function = functions[name]
            self._arity(len(function.parameters), given, argument)
            given = given if given is not None else [types.ANY] * len(function.parameters)
            if len(given) == len(function.parameters):
                result = self.inference.instance(function, tuple(given), argument.at)
        else:
            message = f"'{parameter.name}' of {self.signature.label}(...) is a function"
            self.inference.problem("wrong-type", message, argument, "write x -> ..., or the name of a function")
        self._returned(parameter, result, argument)

    def _returned(self, parameter: Parameter, result: Type, argument: Tree) -> None:
        wanted = signatures.lambda_result(parameter.annotation)
        signatures.bind(wanted, result, self.variables)
        self.returned = result
        self.given[parameter.name] = replace(types.FUNCTION, origins=types.all_origins(result))
        if not types.fits(result, signatures.resolve(wanted)):
            expected = signatures.resolve(wanted).never_null()
            message = f"the function gives a {result}, but {self.signature.label}(...) needs a {expected}"
            self.inference.problem("wrong-type", message, argument)

    def _arity(self, has: int, given: list[Type] | None, argument: Tree) -> None:
        if given is not None and has != len(given):
            message = f"the function takes {has} argument(s), but {self.signature.label}(...) gives it {len(given)}"
            self.inference.problem("wrong-arity", message, argument)

    def _result(self, pairs: list[tuple[Parameter, Tree]]) -> Type:
        blames = self.inference.knowledge.blames.setdefault(id(self.tree), {})
        everything: frozenset[str] = frozenset()
        for name, type_ in self.given.items():
            origins = types.all_origins(type_)
            blames[name] = blames.get(name, frozenset()) | origins
            everything |= origins
        result = signatures.resolve(self.signature.returns, self.variables)
        nullable = result.nullable or any(
            not parameter.nullable and self.given[parameter.name].nullable
            for parameter, _ in pairs
            if parameter.name in self.given and parameter.role == "value"
        )
        result = replace(result, nullable=nullable or self._can_fail(everything))
        rule = ranges.RESULTS.get(self.signature.label)
        if rule is not None and result.kind == "number":
            low, high, whole = rule(self._in_order(pairs))
            result = replace(result, low=max(low, result.low), high=min(high, result.high), whole=whole)
        return result.coming_from(everything)

    def _in_order(self, pairs: list[tuple[Parameter, Tree]]) -> list[Type]:
        """The values given, in the signature's order; of a list with a function over its members, what that gives."""
        parameters = [parameter for parameter, _ in pairs if parameter.role == "value"]
        placed = zip(map(self.signature.parameters.index, parameters), self.values, strict=True)
        values = [type_ for _, type_ in sorted(placed, key=lambda pair: pair[0])]
        return values if self.returned is None else [types.list_of(self.returned), *values[1:]]

    def _can_fail(self, origins: frozenset[str]) -> bool:
        """A primitive's fault about a candidate's argument becomes null."""
        return self.tree.module is not None and bool(origins)


_ROLES = {
    "field": _SignatureCall._field,
    "fields": _SignatureCall._field,
    "word": _SignatureCall._word,
    "function": _SignatureCall._function,
}


def pair_arguments(tree: syntax.Call, signature: Signature) -> list[tuple[Parameter, Tree]] | str:
    """Each argument of a call with the parameter it is for; or the sentence that says why they do not fit."""
    positional = [parameter for parameter in signature.parameters if not parameter.keyword_only]
    pairs: list[tuple[Parameter, Tree]] = []
    for number, argument in enumerate(tree.positional):
        if positional and positional[-1].variadic:
            pairs.append((positional[min(number, len(positional) - 1)], argument))
        elif number < len(positional):
            pairs.append((positional[number], argument))
        else:
            most = len(positional)
            return f"{signature.label}(...) takes at most {most} unnamed argument(s), not {len(tree.positional)}"
    given = {parameter.name for parameter, _ in pairs}
    for name, argument in tree.named:
        parameter = signature.parameter(name)
        if parameter is None or parameter.variadic:
            return f"{signature.label}(...) has no argument '{name}'"
        if name in given:
            return f"{signature.label}(...) is given '{name}' twice"
        given.add(name)
        pairs.append((parameter, argument))
    missing = [p.name for p in signature.parameters if p.required and p.name not in given]
    if any(parameter.variadic for parameter in positional) and not pairs:
        missing.append("an argument")
    return f"{signature.label}(...) lacks {', '.join(missing)}" if missing else pairs


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
}
