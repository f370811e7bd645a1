"""The catalogue of all that rubrics can call, from signatures and docstrings, as Markdown for pages and terminals.

`python -m rubric.engine.catalogue_page > docs/primitives.md` writes the page of the documentation.
"""

import collections.abc
import dataclasses
import inspect
import re
import types as python_types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from . import catalogue
from .expressions import builtins
from .expressions.builtins import BUILTINS
from .expressions.signatures import Parameter, Signature, resolve, signature_of
from .expressions.types import Type
from .faults import CallFault
from .findings import suggestion
from .json_text import encode

LANGUAGE = "language"
"""The name under which the functions of the language stand, which rubrics call without a module."""

_INTRODUCTION = """\
An argument is given in its place or by its name; one written here as `name=` only by its name. Where an argument is
null the call is null, unless the list says `or null` or `any value`. *Fields* are names of fields of the rows in the
same call, written as bare words: `same: [action, actor]`. A *word* is one of a few, also written bare. A *function* is
`x -> ...`, or the name of a function of the rubric.

What a description calls refused, or an `ArgumentFault`, is a fault of the input that the argument came from: of a
candidate's the call is null and the report says why, of any other the case is an infrastructure error. A rubric writes
`true`, `false` and `null` where a description says `True`, `False` and `None`."""


def describe(name: str | None) -> str:
    """The catalogue (no name), a module's functions (`text`), or one function (`text.words`, `words`).

    Raises `CallFault` for anything else.
    """
    if name is None:
        return "\n\n".join(_table(module) for module in _modules()) + "\n"
    module, dot, function = name.partition(".")
    if not dot and module in _modules():
        return _module_page(module, level=1)
    for owner in (module,) if dot else _owners(name):
        known = _functions(owner).get(function if dot else name)
        if known is not None:
            return _function_page(owner, function if dot else name, known, level=1)
    raise CallFault(_unknown(name))


def page() -> str:
    """The whole catalogue of this distribution as one page; functions of installed extensions are not in it."""
    own = [name for name in _modules() if name == LANGUAGE or _is_own(name)]
    tables = "\n\n".join(_table(name) for name in own)
    modules = "\n".join(_module_page(name, level=2) for name in own)
    note = "<!-- Generated: python -m rubric.engine.catalogue_page > docs/primitives.md -->"
    return f"# Functions that rubrics can call\n\n{note}\n\n{_INTRODUCTION}\n\n{tables}\n\n{modules}"


def _is_own(module: str) -> bool:
    found = catalogue.module(module)
    return found is not None and found.__name__.partition(".")[0] == catalogue.__name__.partition(".")[0]


def _modules() -> tuple[str, ...]:
    return (LANGUAGE, *(name for name, members in catalogue.names().items() if members))


def _functions(module: str) -> Mapping[str, Callable[..., Any]]:
    return BUILTINS if module == LANGUAGE else catalogue.functions(module)


def _owners(function: str) -> tuple[str, ...]:
    """The modules that have a function of this name: the language's own first; several primitives are not clear."""
    owners = tuple(module for module in _modules() if function in _functions(module))
    return owners[:1] if owners[:1] == (LANGUAGE,) or len(owners) == 1 else ()


def _unknown(name: str) -> str:
    known = {f"{module}.{function}": None for module in _modules() for function in _functions(module)}
    same = [full for full in known if full.partition(".")[2] == name]
    if same:
        return f"several modules have a function '{name}': {', '.join(same)}"
    hint = suggestion(name, [*_modules(), *known, *BUILTINS])
    hint = hint or suggestion(f"{name}.{name}", known) or f"modules: {', '.join(_modules())}"
    return f"there is no module and no function '{name}'; {hint}"


# ---------------------------------------------------------------- pages


def _table(module: str) -> str:
    """A line a function: its call and the first sentence of its description."""
    lines = [f"- `{_call(module, name, f)}` — {_first_line(f)}" for name, f in _functions(module).items()]
    return "\n".join([f"**{module}**", "", *lines])


def _module_page(module: str, *, level: int) -> str:
    owner = builtins if module == LANGUAGE else catalogue.module(module)
    functions = [_function_page(module, name, f, level=level + 1) for name, f in _functions(module).items()]
    return "\n".join([f"{'#' * level} {module}", "", _prose(owner), "", *functions])


def _function_page(module: str, name: str, function: Callable[..., Any], *, level: int) -> str:
    signature = _signature(module, name, function)
    lines = [f"{'#' * level} {_label(module, name)}", "", f"`{_call(module, name, function)}`", ""]
    lines += [f"- `{parameter.name}`: {_argument(parameter, function)}" for parameter in signature.parameters]
    lines += [f"- gives {_kind(signature.returns)}", *_members(signature.returns), "", _prose(function), ""]
    return "\n".join(lines)


def _signature(module: str, name: str, function: Callable[..., Any]) -> Signature:
    return signature_of(function, _label(module, name))


def _label(module: str, name: str) -> str:
    return name if module == LANGUAGE else f"{module}.{name}"


def _prose(documented: Any) -> str:
    """A docstring; underlined headings inside it become bold lines."""
    return re.sub(r"(?m)^(\S.*)\n[-=]{3,}$", r"**\1**\n", inspect.getdoc(documented) or "")


def _first_line(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0]


# ---------------------------------------------------------------- signatures in the language's words


def _call(module: str, name: str, function: Callable[..., Any]) -> str:
    arguments = [_in_call(parameter, function) for parameter in _signature(module, name, function).parameters]
    return f"{_label(module, name)}({', '.join(arguments)})"


def _in_call(parameter: Parameter, function: Callable[..., Any]) -> str:
    if parameter.variadic:
        return f"{parameter.name}, ..."
    if parameter.required:
        return f"{parameter.name}=..." if parameter.keyword_only else parameter.name
    return f"{parameter.name}={_default(parameter, function)}"


def _default(parameter: Parameter, function: Callable[..., Any]) -> str:
    value = inspect.signature(function).parameters[parameter.name].default
    return value if parameter.role == "word" else encode(list(value) if isinstance(value, tuple) else value)


def _argument(parameter: Parameter, function: Callable[..., Any]) -> str:
    text = _kind(parameter.annotation)
    if parameter.role in ("field", "fields"):
        text = "a field of the rows" if parameter.role == "field" else "fields of the rows"
    elif parameter.nullable and parameter.required and text != "any value":
        text = f"{text} or null"
    if parameter.variadic:
        return f"any number of values ({text})" if text != "any value" else "any number of values"
    return text if parameter.required else f"{text}; {_default(parameter, function)} if left out"


def _kind(annotation: Any) -> str:
    """What values an annotation stands for."""
    named = [extra.kind_name for extra in getattr(annotation, "__metadata__", ()) if hasattr(extra, "kind_name")]
    if named:
        return named[0]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, python_types.UnionType):
        return _either(arguments)
    if isinstance(annotation, typing.TypeVar) and annotation.__bound__ is not None:
        return _kind(annotation.__bound__)
    if annotation is Any or isinstance(annotation, typing.TypeVar):
        return "any value"
    if origin is Literal:
        return "one of the words " + ", ".join(f"`{word}`" for word in arguments)
    if origin is collections.abc.Callable:
        return _function_kind(arguments)
    if origin in (list, tuple, collections.abc.Sequence):
        inner = _many(_kind(arguments[0]))
        return f"list of ({inner})" if " or " in inner else f"list of {inner}"
    return _of_type(resolve(annotation))


def _either(alternatives: tuple[Any, ...]) -> str:
    kinds = [_kind(part) for part in alternatives if part is not type(None)]
    if "number" in kinds:
        kinds = [kind for kind in kinds if kind != "whole number"]
    return " or ".join(kinds + (["null"] if type(None) in alternatives else []))


def _function_kind(arguments: tuple[Any, ...]) -> str:
    given, result = arguments if arguments else (..., Any)
    inputs = "any arguments" if given is ... else ", ".join(_kind(part) for part in given)
    return f"a function of ({inputs}) that gives {_kind(result)}"


_PLURALS = {"any value": "any values", "record": "records", "text": "texts", "true or false": "truth values"}


def _many(kind: str) -> str:
    """The plural of a kind."""
    if kind in _PLURALS:
        return _PLURALS[kind]
    if kind.endswith(" or null"):
        return f"{_many(kind.removesuffix(' or null'))} or nulls"
    return re.sub(r"^((?:whole )?number|list|map|record)\b", r"\1s", kind)


def _of_type(type_: Type) -> str:
    match type_.kind:
        case "number":
            return ("whole number" if type_.whole else "number") + _range(type_)
        case "boolean":
            return "true or false"
        case "map":
            known = type_.element is not None and type_.element.kind != "any"
            return f"map of {_many(_of_type(type_.element))}" if known else "record"  # type: ignore[arg-type]
        case "any":
            return "any value"
        case kind:
            return kind


def _range(type_: Type) -> str:
    low, high = type_.low, type_.high
    if low > -float("inf") and high < float("inf"):
        return f" from {low:g} to {high:g}"
    return f" of at least {low:g}" if low > -float("inf") else f" of at most {high:g}" if high < float("inf") else ""


def _members(annotation: Any) -> Iterator[str]:
    """What the record that a function gives is made of, a line a field."""
    for part in (annotation, *typing.get_args(annotation)):
        if dataclasses.is_dataclass(part) and isinstance(part, type):
            yield from (f"  - `{name}`: {_kind(inner)}" for name, inner in _fields(part))


def _fields(record: type) -> Iterator[tuple[str, Any]]:
    hints = typing.get_type_hints(record, include_extras=True)
    yield from ((part.name, hints[part.name]) for part in dataclasses.fields(record))
    for name, member in inspect.getmembers(record, lambda value: isinstance(value, property)):
        yield name, typing.get_type_hints(member.fget, include_extras=True).get("return", Any)


if __name__ == "__main__":
    print(page(), end="")
