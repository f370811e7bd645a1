"""What a Python function's signature tells the language: arguments, their types and ranges, and the result's.

Type variables in a signature carry types from arguments to results: `filter(of: Sequence[T], ...) -> list[T]`.
"""

import collections.abc
import dataclasses
import functools
import inspect
import operator
import types as python_types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from . import types
from .types import Type

Role = Literal["value", "column", "field", "fields", "word", "function"]


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    annotation: Any
    role: Role
    nullable: bool
    required: bool
    keyword_only: bool
    variadic: bool = False
    words: tuple[Any, ...] = ()


class ArgumentRule(typing.Protocol):
    """What a function says of arguments that need or exclude others; `primitives.annotations` describes its parts."""

    @property
    def argument(self) -> str: ...
    @property
    def because(self) -> str: ...
    @property
    def needs(self) -> tuple[str, ...]: ...
    @property
    def excludes(self) -> tuple[str, ...]: ...
    @property
    def word(self) -> str | None: ...
    @property
    def members(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Signature:
    """A callable of the language. `nodes` of the engine know it by `label`: `filter`, `text.words`."""

    label: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    returns: Any
    rules: tuple[ArgumentRule, ...] = ()

    def parameter(self, name: str) -> Parameter | None:
        return next((parameter for parameter in self.parameters if parameter.name == name), None)


def without_null(annotation: Any) -> tuple[Any, bool]:
    """The annotation without `| None`, and whether it had that."""
    if typing.get_origin(annotation) in (typing.Union, python_types.UnionType):
        members = [member for member in typing.get_args(annotation) if member is not type(None)]
        nullable = len(members) < len(typing.get_args(annotation))
        return (members[0] if len(members) == 1 else functools.reduce(operator.or_, members)), nullable
    return annotation, annotation is Any or annotation is None


def metadata(annotation: Any) -> tuple[Any, tuple]:
    """The annotation without `Annotated`, and what that adds."""
    if typing.get_origin(annotation) is typing.Annotated:
        inner, *extras = typing.get_args(annotation)
        return inner, tuple(extras)
    return annotation, ()


def _role(annotation: Any) -> tuple[Role, tuple]:
    inner, extras = metadata(annotation)
    if any(getattr(extra, "names_field", False) for extra in extras):
        return ("field" if inner is str else "fields"), ()
    origin = typing.get_origin(inner)
    if getattr(origin or inner, "remembers_its_table", False):
        return "column", ()
    if origin is Literal:
        return "word", typing.get_args(inner)
    if origin is collections.abc.Callable or inner is collections.abc.Callable:
        return "function", ()
    return "value", ()


def _parameter(parameter: inspect.Parameter, annotation: Any) -> Parameter:
    bare, nullable = without_null(annotation)
    role, words = _role(bare)
    nullable = nullable or isinstance(bare, typing.TypeVar)
    return Parameter(
        parameter.name,
        bare,
        role,
        nullable,
        required=parameter.default is inspect.Parameter.empty
        and parameter.kind is not inspect.Parameter.VAR_POSITIONAL,
        keyword_only=parameter.kind is inspect.Parameter.KEYWORD_ONLY,
        variadic=parameter.kind is inspect.Parameter.VAR_POSITIONAL,
        words=words,
    )


@functools.cache
def signature_of(function: Callable[..., Any], label: str) -> Signature:
    """The signature of a fully annotated function."""
    hints = typing.get_type_hints(function, include_extras=True)
    parameters = tuple(
        _parameter(parameter, hints.get(parameter.name, Any))
        for parameter in inspect.signature(function).parameters.values()
    )
    rules = getattr(function, "argument_rules", ())
    return Signature(label, function, parameters, hints.get("return", Any), rules)


Variables = dict[typing.TypeVar, Type]


def bind(annotation: Any, given: Type, variables: Variables) -> None:
    """Learn what type variables stand for from an argument's type."""
    annotation, _ = without_null(annotation)
    annotation, _ = metadata(annotation)
    if isinstance(annotation, typing.TypeVar):
        known = variables.get(annotation)
        variables[annotation] = given if known is None else types.join(known, given)
        return
    arguments = typing.get_args(annotation)
    if not arguments or typing.get_origin(annotation) is collections.abc.Callable:
        return
    if _is_list(annotation):
        bind(arguments[0], types.elements(given), variables)
    elif _is_mapping(annotation):
        bind(arguments[1], types.elements(given), variables)


def _is_list(annotation: Any) -> bool:
    origin = typing.get_origin(annotation)
    return origin in (list, tuple, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)


def _is_mapping(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (dict, collections.abc.Mapping)


_SCALARS: dict[Any, Type] = {
    int: types.number(whole=True),
    float: types.NUMBER,
    str: types.MADE_TEXT,
    bool: types.BOOLEAN,
    None: types.NULL,
    type(None): types.NULL,
    list: types.list_of(types.ANY),
    dict: types.map_of(types.ANY),
}


def resolve(annotation: Any, variables: Variables | None = None) -> Type:
    """The type that an annotation stands for."""
    if not variables or not _has_variables(annotation):
        return _resolved(annotation)
    return _resolve(annotation, variables)


@functools.cache
def _has_variables(annotation: Any) -> bool:
    return isinstance(annotation, typing.TypeVar) or any(map(_has_variables, typing.get_args(annotation)))


@functools.cache
def _resolved(annotation: Any) -> Type:
    return _resolve(annotation, {})


def _resolve(annotation: Any, variables: Variables) -> Type:
    if isinstance(annotation, typing.TypeVar):
        return variables.get(annotation, types.ANY)
    if typing.get_origin(annotation) in (typing.Union, python_types.UnionType):
        joined = types.join_all(_resolve(member, variables) for member in typing.get_args(annotation))
        return joined or types.ANY
    inner, extras = metadata(annotation)
    if extras:
        return _ranged(_resolve(inner, variables), extras)
    if inner in _SCALARS:
        return _SCALARS[inner]
    return _compound(inner, variables)


def _ranged(type_: Type, extras: tuple) -> Type:
    for extra in extras:
        if hasattr(extra, "low") and hasattr(extra, "high") and type_.kind == "number":
            low = type_.low if extra.low is None else extra.low
            high = type_.high if extra.high is None else extra.high
            type_ = dataclasses.replace(type_, low=low, high=high)
    return type_


def _compound(annotation: Any, variables: Variables) -> Type:
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is Literal:
        return Type("text" if all(isinstance(word, str) for word in arguments) else "any", words=arguments)
    if _is_list(annotation):
        return types.list_of(_resolve(arguments[0], variables))
    if _is_mapping(annotation):
        return types.map_of(_resolve(arguments[1], variables))
    if typing.get_origin(annotation) is collections.abc.Callable:
        return types.FUNCTION
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        return _record(annotation, variables)
    return types.ANY


def _record(annotation: type, variables: Variables) -> Type:
    hints = typing.get_type_hints(annotation, include_extras=True)
    fields = {part.name: resolve(hints[part.name], variables) for part in dataclasses.fields(annotation)}
    for name, member in inspect.getmembers(annotation, lambda value: isinstance(value, property)):
        if not name.startswith("_") and member.fget is not None:
            returned = typing.get_type_hints(member.fget, include_extras=True).get("return", Any)
            fields[name] = resolve(returned, variables)
    return types.record_of(fields)


def lambda_parameters(annotation: Any, variables: Variables) -> list[Type] | None:
    """The types a callable's parameters have in this call; None where the signature leaves them open."""
    arguments = typing.get_args(annotation)
    if not arguments or arguments[0] is Ellipsis:
        return None
    return [resolve(parameter, variables) for parameter in arguments[0]]


def lambda_result(annotation: Any) -> Any:
    """The annotation of what a callable gives back."""
    arguments = typing.get_args(annotation)
    return arguments[1] if len(arguments) == 2 else Any
