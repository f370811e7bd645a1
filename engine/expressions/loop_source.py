"""Built-in functions with a condition or a function written out on the spot, as loops in line."""

from typing import TYPE_CHECKING

from . import column_source, syntax
from .builtins import BUILTINS
from .signatures import Parameter
from .syntax import Tree

if TYPE_CHECKING:
    from .compiler import Compiler

_EACH = "[{body} for {one} in {of}]"
_CHOSEN = "[{one} for {one} in {of} if {test}]"
_LOOPS = {
    "map": _EACH,
    "filter": _CHOSEN,
    "count": "len([1 for {one} in {of} if {test}])",
    **{name: f"b_{name}({_EACH})" for name in ("all", "any", "share", "mean")},
    "only": f"b_only({_CHOSEN})",
}


def loop(
    c: "Compiler", name: str, pairs: list[tuple[Parameter, Tree]], names: frozenset[str], level: int
) -> str | None:
    """The call as a loop over what is known to be a list; null where that is null. None where it cannot be one."""
    given = {parameter.name: argument for parameter, argument in pairs}
    of = given.pop("of", None)
    function = syntax.bare(next(iter(given.values()))) if len(given) == 1 else None
    if name not in _LOOPS or of is None or not isinstance(function, syntax.Lambda) or c.type_of(of).kind != "list":
        return None
    if len(function.parameters) != 1:
        return None
    held, cost = c.fresh("t"), c.cost(function) + 1
    source, body = c.expression(of, names, level), c.expression(function.body, names | set(function.parameters), level)
    answer = c.type_of(function.body)
    test = body if answer.kind == "boolean" and not answer.nullable else f"({body}) is True"
    c.namespace[f"b_{name}"] = BUILTINS[name]
    looped = _LOOPS[name].format(
        body=body, test=test, one=c.local(function.parameters[0]), of=f"spend(s, {held}, {cost})"
    )
    by_column = column_source.by_column(c, name, function, held, cost, names) if name != "only" else ""
    if by_column:
        found = c.fresh("t")
        result = f"b_{name}({found})" if _LOOPS[name].startswith("b_") else found
        looped = f"{result} if type({held}) is Table and ({found} := {by_column}) is not None else {looped}"
    return f"(None if ({held} := {source}) is None else {looped})"
