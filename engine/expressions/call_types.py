"""One call of a built-in function or a primitive, against what its signature says."""

import math
import typing
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..findings import suggestion
from . import argument_rules, ranges, signatures, syntax, types
from .builtins import OVER_COLUMNS
from .signatures import Parameter, Signature
from .syntax import Tree
from .types import Type

if TYPE_CHECKING:
    from .inference import Inference


class SignatureCall:
    """Checks one call of a built-in function or a primitive against its signature."""

    def __init__(self, inference: "Inference", tree: syntax.Call, signature: Signature, names: Mapping[str, Type]):
        self.inference = inference
        self.tree = tree
        self.signature = signature
        self.names = names
        self.variables: signatures.Variables = {}
        self.given: dict[str, Type] = {}
        self.values: list[Type] = []
        self.returned: Type | None = None
        self.column: Type | None = None

    def infer(self) -> Type:
        pairs = self._paired()
        if pairs is None:
            return types.ANY
        for parameter, argument in pairs:
            if parameter.role == "value":
                self._value(parameter, argument)
            elif parameter.role == "column":
                self._table_column(parameter, argument)
        for parameter, argument in pairs:
            if parameter.role not in ("value", "column"):
                _ROLES[parameter.role](self, parameter, argument)
        for message, argument, hint in argument_rules.broken(self.signature, pairs, self.given):
            self.inference.problem("wrong-arguments", message, argument, hint)
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
            self.inference.wrong_name(self.tree, name, value, known, twice=False)
        if not unknown:
            self.inference.problem("wrong-arity", paired, self.tree.at, f"arguments: {', '.join(known)}")
        return None

    def _value(self, parameter: Parameter, argument: Tree) -> None:
        type_ = self.inference.infer(argument, self.names)
        if self._takes_columns(parameter) and type_.kind in ("list", "any"):
            self.column = type_
            type_ = types.elements(type_)
        self.values.append(type_)
        self.given[parameter.name] = types.join(self.given.get(parameter.name, type_), type_)
        signatures.bind(parameter.annotation, type_, self.variables)
        wanted = signatures.resolve(parameter.annotation)
        if not types.fits(type_, wanted):
            message = f"'{parameter.name}' of {self.signature.label}(...) is a {wanted}, but this is a {type_}"
            self.inference.problem("wrong-type", message, argument)
        elif self._out_of_range(type_, wanted):
            what = f"'{parameter.name}' of {self.signature.label}(...)"
            message = f"{what} is {_bounds(wanted)}, but this is {_bounds(type_)}"
            self.inference.problem("out-of-range", message, argument)

    def _out_of_range(self, given: Type, wanted: Type) -> bool:
        """Whether a primitive takes no number that this can be; functions of the language take any."""
        numbers = given.kind == wanted.kind == "number" and self.tree.module is not None
        return numbers and (given.high < wanted.low or given.low > wanted.high)

    def _table_column(self, parameter: Parameter, argument: Tree) -> None:
        """`rows.field`: the table goes into the call with the name of the field."""
        bare = syntax.bare(argument)
        table = self.inference.infer(bare.of, self.names) if isinstance(bare, syntax.Field) else types.ANY
        if not isinstance(bare, syntax.Field) or table.kind not in ("list", "any"):
            message = f"'{parameter.name}' of {self.signature.label}(...) is a column of a table"
            self.inference.problem("wrong-type", message, argument, "write rows.field")
        else:
            self.inference.field_of(types.elements(table), bare.name, argument)
        self.values.append(table)
        self.given[parameter.name] = table
        for variable in typing.get_args(parameter.annotation):
            signatures.bind(variable, types.elements(table), self.variables)

    def _takes_columns(self, parameter: Parameter) -> bool:
        return self.signature.label in OVER_COLUMNS and parameter is self.signature.parameters[0]

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
        words = self.names[name].words if name is not None and name in self.names else None
        if words:
            name = str(words[0])
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
        result = self._ranged(pairs, signatures.resolve(self.signature.returns, self.variables))
        nullable = result.nullable or any(map(self._refusable, pairs)) or self._can_fail(everything)
        result = result.noted(nullable, result.origins | everything)
        return result if self.column is None else self._over_column(self.column, pairs, result)

    def _ranged(self, pairs: list[tuple[Parameter, Tree]], result: Type) -> Type:
        """The result with what is known of this very function's."""
        rule = ranges.RESULTS.get(self.signature.label)
        if rule is None or result.kind != "number":
            return result
        given = self._in_order(pairs)
        low, high, whole = rule(given)
        nullable = result.nullable and not ranges.never_null(self.signature.label, given)
        return replace(result, low=max(low, result.low), high=min(high, result.high), whole=whole, nullable=nullable)

    def _refusable(self, pair: tuple[Parameter, Tree]) -> bool:
        """Whether a call can be null because of this argument: null where none is expected, or of a wrong kind."""
        parameter = pair[0]
        given = self.given.get(parameter.name)
        if given is None or parameter.role not in ("value", "column"):
            return False
        if parameter.role == "column":
            return given.nullable or given.kind == "any"
        wanted = signatures.resolve(parameter.annotation)
        doubtful = wanted.kind != "any" and (given.kind == "any" or not types.fits(given, wanted))
        return doubtful or (given.nullable and not parameter.nullable)

    def _over_column(self, column: Type, pairs: list[tuple[Parameter, Tree]], member: Type) -> Type:
        """The result where the first argument is a list, of which each member is taken, or may be one."""
        if column.kind == "any":
            return types.ANY.coming_from(member.origins | types.all_origins(column))
        others = any(self._refusable(pair) for pair in pairs if not self._takes_columns(pair[0]))
        return types.list_of(member, nullable=column.nullable or others).coming_from(member.origins)

    def _in_order(self, pairs: list[tuple[Parameter, Tree]]) -> list[Type]:
        """The values given, in the signature's order; of a list with a function over its members, what that gives."""
        parameters = [parameter for parameter, _ in pairs if parameter.role == "value"]
        placed = zip(map(self.signature.parameters.index, parameters), self.values, strict=True)
        values = [type_ for _, type_ in sorted(placed, key=lambda pair: pair[0])]
        return values if self.returned is None else [types.list_of(self.returned), *values[1:]]

    def _can_fail(self, origins: frozenset[str]) -> bool:
        """A primitive's fault about a candidate's argument becomes null."""
        return self.tree.module is not None and bool(origins)


def _bounds(type_: Type) -> str:
    low, high = (None if math.isinf(bound) else f"{bound:.12g}" for bound in (type_.low, type_.high))
    if low == high:
        return low or "a number"
    if low is not None and high is not None:
        return f"from {low} to {high}"
    return f"{low} or more" if low is not None else f"{high} or less"


_ROLES = {
    "field": SignatureCall._field,
    "fields": SignatureCall._field,
    "word": SignatureCall._word,
    "function": SignatureCall._function,
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
