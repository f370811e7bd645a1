"""Calls as Python source. What is known about an argument need not be looked at when the call is made."""

import typing
from typing import TYPE_CHECKING

from . import syntax, types
from .builtins import BUILTINS, COMPARING, CONSTANT_TIME, GROWING, OVER_COLUMNS, WORK
from .call_types import pair_arguments
from .conversion import as_it_is, converter
from .loop_source import loop
from .number_source import function_of_numbers, unless_null
from .operator_source import is_single, looks_single
from .runtime import checks, fault_taker, guarded, over_columns
from .signatures import Parameter, Signature, resolve
from .syntax import Tree
from .types import Type

if TYPE_CHECKING:
    from .compiler import Compiler
    from .inference import Function

SMALL = ("number", "boolean")
HELPERS = ("admitted", "size_of", "spend", "weigh", "weighing", "paying", "function_value", "column_of")
Pairs = list[tuple[Parameter, Tree]]


def call(c: "Compiler", tree: syntax.Call, names: frozenset[str], level: int) -> str:
    function = c.knowledge.functions.get(tree.name) if tree.module is None else None
    if function is not None:
        return _rubric_call(c, tree, function, names, level)
    signature = c.knowledge.signature(tree)
    pairs = pair_arguments(tree, signature) if signature is not None else ""
    if signature is None or isinstance(pairs, str):
        raise ValueError(f"{tree.label} was not checked")
    builtin = tree.module is None and tree.name in BUILTINS
    if builtin and (looped := loop(c, tree.name, pairs, names, level)) is not None:
        return looped
    sources = [_ROLES[parameter.role](c, parameter, argument, names, level) for parameter, argument in pairs]
    if builtin:
        return _builtin(c, tree.name, signature, pairs, sources)
    return _primitive(c, tree, signature, pairs, sources)


# ---------------------------------------------------------------- functions of the rubric


def _rubric_call(c: "Compiler", tree: syntax.Call, function: "Function", names: frozenset[str], level: int) -> str:
    given = dict(zip(function.parameters, tree.positional, strict=False)) | dict(tree.named)
    sources = [argument(c, given[name], names, level) for name in function.parameters]
    return f"f_{function.name}({', '.join(['s', *sources])})"


def argument(c: "Compiler", tree: Tree, names: frozenset[str], level: int) -> str:
    """A value, or a function of the rubric that is handed on."""
    name = _handed_on(c, tree)
    if name is not None and name not in names:
        return f"function_value(s, f_{name})"
    return c.expression(tree, names, level)


def _handed_on(c: "Compiler", tree: Tree) -> str | None:
    """The function of the rubric that a bare name stands for; inference gives a type to values only."""
    bare = syntax.bare(tree)
    if isinstance(bare, syntax.Name) and id(bare) not in c.knowledge.types and bare.id in c.knowledge.functions:
        return bare.id
    return None


# ---------------------------------------------------------------- built-in functions


def _builtin(c: "Compiler", name: str, signature: Signature, pairs: Pairs, sources: list[str]) -> str:
    functions = [argument for parameter, argument in pairs if parameter.role == "function"]
    round_cost = WORK.get(name, 1) + max((_round_cost(c, argument) for argument in functions), default=0)
    paid = []
    for (parameter, argument), source in zip(pairs, sources, strict=True):
        if parameter.role == "function":
            single = name not in COMPARING or looks_single(_result_of(c, argument))
            paid.append(source if single else f"weighing(s, {source})")
        else:
            paid.append(_paid(c, name, parameter, argument, source, round_cost if functions else 0))
    source = _guarded_call(c, name, signature, pairs, paid)
    return f"spend(s, {source}, 1)" if name in GROWING else source


def _paid(c: "Compiler", name: str, parameter: Parameter, argument: Tree, source: str, round_cost: int) -> str:
    """The source of a value that is paid for: for each round with a function, or for looking at what is inside."""
    if is_single(c, argument):
        return source
    if round_cost and parameter.name == "of":
        return f"spend(s, {source}, {round_cost})"
    if name in COMPARING:
        flat = parameter.name == "of" and looks_single(types.elements(c.type_of(argument)))
        source = source if flat else f"weigh(s, {source})"
    return source if name in CONSTANT_TIME else f"spend(s, {source}, {WORK.get(name, 1)})"


def _guarded_call(c: "Compiler", name: str, signature: Signature, pairs: Pairs, sources: list[str]) -> str:
    parameters = [parameter for parameter, _ in pairs]
    known = [c.type_of(argument) for _, argument in pairs]
    wrong = [i for i, (parameter, _) in enumerate(pairs) if not _right_kind(parameter, known[i])]
    null = [i for i, (parameter, _) in enumerate(pairs) if known[i].nullable and _refuses_null(parameter)]
    if not wrong:
        if (quick := function_of_numbers(c, name, sources, known)) is not None:
            return quick
        operands = [(source, known[i] if i in null else types.FUNCTION) for i, source in enumerate(sources)]
        c.namespace[f"b_{name}"] = signature.function
        return unless_null(c, operands, lambda *held: f"b_{name}({', '.join(_in_order(signature, parameters, held))})")
    guard = guarded(signature, parameters, sorted({*wrong, *null}))
    if name in OVER_COLUMNS:
        guard = over_columns(signature.function, guard, signature.parameters[0].name, name)
    return f"{c.constant(guard)}({', '.join(_in_order(signature, parameters, sources))})"


def _right_kind(parameter: Parameter, given: Type) -> bool:
    """Whether a value is surely of the kind that a parameter takes, null apart."""
    if parameter.role != "value":
        return True
    wanted = resolve(parameter.annotation)
    return wanted.kind == "any" or (given.kind != "any" and types.fits(given, wanted))


def _refuses_null(parameter: Parameter) -> bool:
    return parameter.role in ("value", "column") and not parameter.nullable


def _round_cost(c: "Compiler", function: Tree) -> int:
    """What one call of a function costs that is handed on."""
    bare = syntax.bare(function)
    if not isinstance(bare, syntax.Name):
        return c.cost(bare)
    name = _handed_on(c, function)
    return c.function_cost(name) if name else max(map(c.function_cost, c.knowledge.functions), default=1)


def _result_of(c: "Compiler", function: Tree) -> Type:
    """The type of what a function gives that is handed on."""
    bare, name = syntax.bare(function), _handed_on(c, function)
    if name is not None:
        return c.type_of(c.knowledge.functions[name].body)
    return c.type_of(bare.body) if isinstance(bare, syntax.Lambda) else types.ANY


# ---------------------------------------------------------------- primitives


def _primitive(c: "Compiler", tree: syntax.Call, signature: Signature, pairs: Pairs, sources: list[str]) -> str:
    """A primitive may call a function as often as it likes, so each call of it is paid for."""
    parameters = [parameter for parameter, _ in pairs]
    for i, (parameter, argument) in enumerate(pairs):
        if parameter.role == "function":
            sources[i] = f"paying(s, {sources[i]}, {1 + _round_cost(c, argument)})"
    known = [c.type_of(argument) for _, argument in pairs]
    doubtful = [
        i
        for i, parameter in enumerate(parameters)
        if not _right_kind(parameter, known[i]) or (known[i].nullable and _refuses_null(parameter))
    ]
    name = _primitive_definition(c, tree, signature, parameters, known, doubtful)
    return f"{name}({', '.join(['s', *sources])})"


def _primitive_definition(
    c: "Compiler", tree: syntax.Call, signature: Signature, parameters: list[Parameter], known: list[Type], doubtful
) -> str:
    """A function of the generated code for one call of a primitive: null where an argument is, what goes in and what
    comes out paid for, results values of the language, faults taken.
    """
    name, places = c.fresh("p"), [f"a{i}" for i in range(len(parameters))]
    lines = [_look(c, places[i], classes) for i, classes in checks(parameters, doubtful)]
    sizes = [size for i, place in enumerate(places) if (size := _size(parameters[i], place, known[i]))]
    lines.append(f"s[0].pay({' + '.join(['1', *sizes])})")
    function, convert = c.constant(signature.function), converter(signature.returns)
    taken = c.constant(fault_taker(signature.label, c.knowledge.blames.get(id(tree), {})))
    result = f"{function}({', '.join(_in_order(signature, parameters, places))})"
    result = result if convert is as_it_is else f"{c.constant(convert)}({result})"
    returned = resolve(signature.returns)
    lines += ["try:", f"    result = {result}", "except Exception as error:", f"    return {taken}(s, error)"]
    if returned.kind not in SMALL:
        certain = returned.kind == "list" and not returned.nullable
        lines.append(f"s[0].pay({'len' if certain else 'size_of'}(result))")
    body = "\n".join(f"    {line}" for line in [*lines, "return result"])
    c.definitions.append(f"def {name}({', '.join(['s', *places])}):\n{body}\n")
    return name


def _look(c: "Compiler", place: str, classes: tuple[type, ...]) -> str:
    """The source of a look at an argument of which not enough is known."""
    if classes == (object,):
        return f"if {place} is None: return None"
    if classes in ((str,), (list,), (dict,)):
        return f"if not isinstance({place}, {classes[0].__name__}): return None"
    return f"if not admitted({place}, {c.constant(classes)}): return None"


def _size(parameter: Parameter, place: str, known: Type) -> str | None:
    """The source of the size of an argument that was looked at; none for what is always small."""
    if parameter.role not in ("value", "column"):
        return None
    wanted = resolve(parameter.annotation)
    if wanted.kind in SMALL:
        return None
    if parameter.role == "value" and not (known.nullable and parameter.nullable):
        kind = known.kind if wanted.kind == "any" and not known.nullable else wanted.kind
        if kind in ("list", "map"):
            return f"len({place})"
        if kind == "text":
            return f"(len({place}) >> 3)"
    return f"size_of({place})"


def _in_order(signature: Signature, parameters: list[Parameter], sources) -> list[str]:
    """Arguments as Python wants them: those in their parameter's place without its name, all later ones with it."""
    ordered: list[str] = []
    positional = [parameter for parameter in signature.parameters if not parameter.keyword_only]
    named = False
    for number, (parameter, source) in enumerate(zip(parameters, sources, strict=True)):
        in_place = parameter.variadic or (number < len(positional) and positional[number] is parameter)
        named = named or not in_place
        ordered.append(f"{parameter.name}={source}" if named else source)
    return ordered


# ---------------------------------------------------------------- arguments by what their parameter is


def _value(c: "Compiler", parameter: Parameter, tree: Tree, names: frozenset[str], level: int) -> str:
    return c.expression(tree, names, level)


def _field(c: "Compiler", parameter: Parameter, tree: Tree, names: frozenset[str], level: int) -> str:
    bare = syntax.bare(tree)
    if isinstance(bare, syntax.Items):
        return c.constant(tuple(syntax.bare(item).id for item in bare.items))  # type: ignore[union-attr]
    return c.constant(bare.id)  # type: ignore[union-attr]


def _word(c: "Compiler", parameter: Parameter, tree: Tree, names: frozenset[str], level: int) -> str:
    bare = syntax.bare(tree)
    return c.constant(bare.id if isinstance(bare, syntax.Name) else bare.value)  # type: ignore[union-attr]


def _function(c: "Compiler", parameter: Parameter, tree: Tree, names: frozenset[str], level: int) -> str:
    return argument(c, tree, names, level)


def _column(c: "Compiler", parameter: Parameter, tree: Tree, names: frozenset[str], level: int) -> str:
    """The table together with the name of the field; null where there is no table."""
    bare = syntax.bare(tree)
    column = c.constant(typing.get_origin(parameter.annotation) or parameter.annotation)
    table = c.expression(bare.of, names, level)  # type: ignore[union-attr]
    return f"column_of({column}, {table}, {c.constant(bare.name)})"  # type: ignore[union-attr]


_ROLES = {"column": _column, "value": _value, "field": _field, "fields": _field, "word": _word, "function": _function}
