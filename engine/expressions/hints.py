"""What somebody may have meant who wrote a name that is not there."""

from collections.abc import Iterable, Mapping

from ..findings import suggestion
from . import syntax
from .builtins import BUILTINS

# How other languages call what this one has under another name.
_VALUES = {
    **dict.fromkeys(("None", "nil", "NULL", "Null", "undefined", "NaN", "nan"), "what is not there is null"),
    **dict.fromkeys(("True", "TRUE", "yes"), "write true"),
    **dict.fromkeys(("False", "FALSE", "no"), "write false"),
    **dict.fromkeys(("inf", "Infinity"), "no infinity exists; leave the limit out"),
}
_FUNCTIONS = {
    **dict.fromkeys(("len", "length", "size"), "count(list)"),
    **dict.fromkeys(("avg", "average"), "mean(list)"),
    **dict.fromkeys(("unique", "set", "uniq"), "distinct(list)"),
    **dict.fromkeys(("coalesce", "ifnull", "default", "nvl"), "a ?? b"),
    **dict.fromkeys(("str", "text", "format"), "string(value)"),
    **dict.fromkeys(("range", "arange"), "1..k"),
    **dict.fromkeys(("concat", "join"), "a + b"),
    "sorted": "sort(list)",
    "total": "sum(list)",
    "int": "floor(x)",
    "pow": "a ** b",
    "exists": "any(list, x -> ...)",
    "contains": "item in list",
    "index": "list[0]",
    "iif": "a if test else b",
}


def unknown_name(name: str, visible: Iterable[str], functions: Iterable[str]) -> str | None:
    """A hint about a name that stands for no value."""
    if name in functions or name in BUILTINS:
        return "it is a function; call it, or give it where a function is wanted"
    return _VALUES.get(name) or suggestion(name, visible)


def unknown_function(
    call: syntax.Call, visible: Iterable[str], functions: Iterable[str], modules: Mapping[str, Iterable[str]]
) -> tuple[str, str | None]:
    """The message and the hint about a call of something that is no function."""
    if call.module is None and call.name in visible:
        hint = f"a function that it holds is handed on: first(map([x], {call.name}))"
        return f"'{call.name}' is a value and cannot be called", hint
    if call.module is None:
        owners = [f"{module}.{call.name}" for module, members in modules.items() if call.name in members]
        if owners:
            hint = f"did you mean '{owners[0]}'?"
        elif call.name in _FUNCTIONS:
            hint = f"write {_FUNCTIONS[call.name]}"
        else:
            hint = suggestion(call.name, [*functions, *BUILTINS])
        return f"there is no function '{call.name}'", hint
    if call.module in modules:
        near = suggestion(call.name, modules[call.module])
        hint = near.replace("'", f"'{call.module}.", 1) if near else None
        return f"there is no primitive '{call.label}'", hint
    if call.module in visible:
        return f"'{call.module}' is a value and has no functions", f"a function takes it: {call.name}({call.module})"
    hint = suggestion(call.module, modules) or f"modules: {', '.join(sorted(modules))}"
    return f"there is no module '{call.module}'", hint
