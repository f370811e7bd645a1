"""The canonical form of a rubric: what it means, whatever its layout, comments, order of independent parts or lambda names."""

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from .expressions import syntax
from .expressions.printer import show
from .json_text import encode
from .rubric import Rubric

_NOT_RULES = ("document", "title", "about", "references", "errata", "status", "examples")
_PLACES = ("key", "node", "keys", "text")


def canonical(rubric: Rubric) -> dict[str, Any]:
    """The rules of a rubric as plain data that is equal exactly for rubrics that mean the same."""
    return {part.name: _plain(getattr(rubric, part.name)) for part in fields(rubric) if part.name not in _NOT_RULES}


def digest(rubric: Rubric) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(encode(canonical(rubric)).encode()).hexdigest()


def expression(tree: syntax.Tree) -> str:
    """The text of an expression in which the names of lambdas' parameters, which mean nothing, are numbered."""
    return show(_renamed(tree, {}))


def _plain(value: Any) -> Any:
    if isinstance(value, syntax.Tree):
        return expression(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value) if part.name not in _PLACES}
    if isinstance(value, Mapping):
        return {_key(key): _plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(member) for member in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return value if value is None or isinstance(value, (str, bool)) else str(value.normalize())


def _key(key: Any) -> str:
    return key if isinstance(key, str) else encode(float(key) if not isinstance(key, bool) and key is not None else key)


def _renamed(tree: syntax.Tree, names: Mapping[str, str]) -> syntax.Tree:
    tree = syntax.bare(tree)
    match tree:
        case syntax.Name(id=id):
            return syntax.Name(names.get(id, id))
        case syntax.Number(value=value):
            return syntax.Number(float(value))
        case syntax.Lambda(parameters=parameters, body=body):
            inner = {**names, **{name: f"_{len(names) + number}" for number, name in enumerate(parameters)}}
            return syntax.Lambda(tuple(inner[name] for name in parameters), _renamed(body, inner))
    return _rebuilt(tree, names)


def _rebuilt(tree: syntax.Tree, names: Mapping[str, str]) -> syntax.Tree:
    """The node with renamed parts; the named arguments of a call in the order of their names."""

    def inner(value: Any) -> Any:
        if isinstance(value, syntax.Tree):
            return _renamed(value, names)
        return tuple(inner(member) for member in value) if isinstance(value, tuple) else value

    changed = {part.name: inner(getattr(tree, part.name)) for part in fields(tree) if part.name not in ("at", "source")}
    if isinstance(tree, syntax.Call):
        changed["named"] = tuple(sorted(changed["named"], key=lambda pair: pair[0]))
    return replace(tree, **changed)
