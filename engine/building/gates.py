"""Gates, their stages, and the caps of scores."""

from ..document import Mapping, Node, Scalar
from ..rubric import LIMITS, Cap, Gate, Stage
from . import blocks
from .builder import Builder, described

_GATE_KEYS = ("for", "value", *LIMITS, "require", "none", "otherwise", "decide_on", "because")
_BOUNDS = ("lower", "point", "upper")


def stages(builder: Builder, node: Node | None) -> tuple[Stage, ...]:
    """Gates in file order; those that stand outside a stage are entered with the gates before them."""
    found: list[Stage] = []
    loose: list[Gate] = []
    for entry in builder.entries(node, "gates"):
        if _is_gate(entry.value):
            loose.append(_gate(builder, entry.key, entry.value))
            continue
        if loose:
            found.append(Stage(None, tuple(loose)))
            loose = []
        members = builder.entries(entry.value, f"stage '{entry.key.text}'")
        name = builder.id(entry.key, "a stage")
        found.append(Stage(name, tuple(_gate(builder, member.key, member.value) for member in members)))
        if isinstance(entry.value, Mapping) and not members:
            builder.report("wrong-shape", f"stage '{name}' has no gates", entry.key)
    if loose:
        found.append(Stage(None, tuple(loose)))
    return tuple(found)


def _is_gate(node: Node) -> bool:
    if not isinstance(node, Mapping):
        return True
    return any(entry.key.text in _GATE_KEYS and not isinstance(entry.value, Mapping) for entry in node.entries)


def _gate(builder: Builder, key: Scalar, node: Node) -> Gate:
    name = builder.id(key, "a gate")
    what = f"gate '{name}'"
    if not isinstance(node, Mapping):
        return Gate(name, key, requirements=blocks.several(builder, node, what))
    found = builder.known(node, _GATE_KEYS, what)
    if "decide_on" in found and "value" not in found:
        builder.report("missing-key", f"'decide_on' of {what} needs a 'value'", found["decide_on"])
    ways = [part for part in ("value", "require", "none") if part in found]
    if len(ways) != 1:
        builder.report("wrong-shape", f"{what} has exactly one of 'value', 'require' and 'none'", key)
    words = [word for word in LIMITS if word in found]
    if ("value" in found) != (len(words) == 1):
        message = f"{what} needs exactly one limit with its value: {', '.join(LIMITS)}"
        builder.report("missing-limit", message, key)
    return Gate(
        name,
        key,
        each=blocks.optional(builder, found.get("for"), what),
        value=blocks.optional(builder, found.get("value"), what),
        word=words[0] if words else None,
        limit=blocks.optional(builder, found.get(words[0]), what) if words else None,
        requirements=blocks.several(builder, found.get("require"), what),
        none=blocks.optional(builder, found.get("none"), what),
        otherwise=blocks.optional(builder, found.get("otherwise"), what),
        decide_on=_decide_on(builder, found.get("decide_on"), what),
        because=builder.text(found.get("because"), f"'because' of {what}"),
    )


def _decide_on(builder: Builder, node: Node | None, what: str) -> tuple[str, ...]:
    if node is None:
        return ("point",)
    words = node.items if not isinstance(node, Scalar | Mapping) else (node,)
    names = tuple(word.text for word in words if isinstance(word, Scalar))
    if len(names) != len(words) or not set(names) <= set(_BOUNDS) or not names:
        message = f"'decide_on' of {what} is lower, point or upper, or a list of them, not {described(node)}"
        builder.report("unknown-word", message, node)
        return ("point",)
    return names


def caps(builder: Builder, node: Node | None, what: str) -> tuple[Cap, ...]:
    """The caps of one score."""
    found = []
    for entry in builder.entries(node, f"'caps' of {what}"):
        name = builder.id(entry.key, "a cap")
        keys = builder.known(entry.value, ("when", "at_most", "because"), f"cap '{name}'", required=("when", "at_most"))
        found.append(
            Cap(
                name,
                entry.key,
                blocks.expression(builder, keys.get("when"), f"cap '{name}'"),
                blocks.expression(builder, keys.get("at_most"), f"cap '{name}'"),
                builder.text(keys.get("because"), f"'because' of cap '{name}'"),
            )
        )
    return tuple(found)
