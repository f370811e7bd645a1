"""Arguments of one call that can never work together, by the rules that the function itself declares."""

from collections.abc import Iterator, Mapping

from . import syntax
from .signatures import ArgumentRule, Parameter, Signature
from .syntax import Tree
from .types import Type

Broken = tuple[str, Tree, str | None]


def broken(signature: Signature, pairs: list[tuple[Parameter, Tree]], types: Mapping[str, Type]) -> Iterator[Broken]:
    """What each rule finds: a sentence, the argument that it is about, and a hint. `types` are those of the values."""
    given = {
        parameter.name: tree
        for parameter, tree in pairs
        if not _is_nothing(tree) and (parameter.name not in types or types[parameter.name].kind != "null")
    }
    for rule in signature.rules:
        tree = given.get(rule.argument)
        if tree is not None and rule.word in (None, _word(tree)):
            yield from _breach(rule, signature.label, tree, given)


def _breach(rule: ArgumentRule, label: str, tree: Tree, given: Mapping[str, Tree]) -> Iterator[Broken]:
    what = f"'{rule.argument}' of {label}(...)"
    if rule.needs and not any(name in given for name in rule.needs):
        needed = " or ".join(f"'{name}'" for name in rule.needs)
        yield f"{what} needs {needed}: {rule.because}", tree, f"add {needed}"
    for other in rule.excludes:
        if other in given:
            yield f"{what} does not go together with '{other}': {rule.because}", tree, "leave one of them out"
    bare = syntax.bare(tree)
    if rule.members is not None and isinstance(bare, syntax.Items) and len(bare.items) != rule.members:
        yield f"{what} has {len(bare.items)} member(s), but {rule.members} are needed: {rule.because}", tree, None


def _is_nothing(tree: Tree) -> bool:
    bare = syntax.bare(tree)
    return isinstance(bare, syntax.Null) or (isinstance(bare, syntax.Items) and not bare.items)


def _word(tree: Tree) -> str | None:
    bare = syntax.bare(tree)
    return bare.id if isinstance(bare, syntax.Name) else getattr(bare, "value", None)
