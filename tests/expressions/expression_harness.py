"""One expression by itself: inferred, compiled and run, with given values under its names."""

from collections.abc import Mapping
from typing import Any

from rubric.engine.expressions import syntax, types
from rubric.engine.expressions.compiler import Compiler
from rubric.engine.expressions.inference import Function, Inference, Knowledge, Problem
from rubric.engine.expressions.parser import parse
from rubric.engine.expressions.runtime import MAX_STEPS, Frame
from rubric.engine.expressions.signatures import Signature
from rubric.engine.expressions.types import ANY, Type

Functions = Mapping[str, tuple[tuple[str, ...], Any]]


def tree_of(expression: Any) -> syntax.Tree:
    return parse(expression) if isinstance(expression, str) else expression


def known_type(value: Any) -> Type:
    """The type that describes a value as closely as inference ever does."""
    if value is None:
        return types.NULL
    if isinstance(value, bool):
        return Type("boolean")
    if isinstance(value, (int, float)):
        return Type("number", low=value, high=value, whole=isinstance(value, int))
    if isinstance(value, str):
        return Type("text")
    if isinstance(value, list):
        element = types.join_all(map(known_type, value))
        return Type("list") if element is None else types.list_of(element)
    return types.record_of({name: known_type(member) for name, member in value.items()})


class Inferred:
    """An expression for names of given types, with the type that was inferred for it and what is wrong with it."""

    def __init__(
        self,
        expression: Any,
        given: Mapping[str, Type],
        functions: Functions | None = None,
        primitives: Mapping[str, Signature] | None = None,
    ):
        named = primitives or {}
        self.tree, self.names = tree_of(expression), tuple(given)
        self.functions = {
            name: Function(name, parameters, tree_of(body)) for name, (parameters, body) in (functions or {}).items()
        }
        self.knowledge = Knowledge(
            self.functions,
            lambda module, name: named.get(f"{module}.{name}"),
            lambda: {"m": [name.partition(".")[2] for name in named]},
        )
        self.type = Inference(self.knowledge, lambda _: None, lambda: given).infer(self.tree, given)

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(self.knowledge.problems.values())


class Compiled(Inferred):
    """An expression that was inferred and compiled."""

    def __init__(
        self,
        expression: Any,
        given: Mapping[str, Type],
        functions: Functions | None = None,
        primitives: Mapping[str, Signature] | None = None,
    ):
        super().__init__(expression, given, functions, primitives)
        compiler = Compiler(self.knowledge, lambda name, field: "")
        for name, function in self.functions.items():
            if any(known == name for known, _ in self.knowledge.instances):
                compiler.define_function(function)
        self.source_name = compiler.define(self.tree, self.names)
        self.namespace = compiler.compiled()
        self.source = "\n".join(compiler.definitions)
        self.faults: list[tuple[str, frozenset[str]]] = []
        self.steps = 0

    def run(self, values: Mapping[str, Any], *, steps: int = MAX_STEPS) -> Any:
        frame = Frame(lambda s, slot: None, lambda message, origins: self.faults.append((message, origins)), steps)
        try:
            return self.namespace[self.source_name]([frame], *(values[name] for name in self.names))
        finally:
            self.steps = steps - frame.steps


def run(expression: Any, functions: Functions | None = None, **values: Any) -> Any:
    """The value of an expression, with all types known; the same must come out when none are."""
    known = Compiled(expression, {name: known_type(value) for name, value in values.items()}, functions).run(values)
    unknown = Compiled(expression, dict.fromkeys(values, ANY), functions).run(values)
    assert repr(known) == repr(unknown), (expression, known, unknown)
    return known


def problems(expression: Any, functions: Functions | None = None, **given: Type) -> list[str]:
    """The messages of what inference finds wrong."""
    return [problem.message for problem in Inferred(expression, given, functions).problems]


def conforms(value: Any, type_: Type) -> bool:
    """Whether a value is one that its type allows."""
    if value is None:
        return type_.nullable
    if type_.words is not None and not any(type(word) is type(value) and word == value for word in type_.words):
        return False
    match type_.kind:
        case "any":
            return True
        case "number":
            number = type(value) in (int, float) and type_.low <= value <= type_.high
            return number and (not type_.whole or value == int(value))
        case "text":
            return type(value) is str
        case "boolean":
            return type(value) is bool
        case "list":
            inner = type_.element
            return type(value) is list and all(inner is not None and conforms(one, inner) for one in value)
        case "map":
            return type(value) is dict and all(conforms(one, types.elements(type_)) for one in value.values())
        case "record":
            named = {name for name, _ in type_.fields}
            fields = (
                all(conforms(value.get(name), inner) for name, inner in type_.fields) if type(value) is dict else False
            )
            return fields and (type_.open or set(value) <= named)
    return False
