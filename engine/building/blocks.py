"""Expressions and the blocks that may stand in their place."""

from ..document import Mapping, Node, Scalar, Sequence
from ..expressions import syntax
from ..expressions.parser import ExpressionError, parse
from ..expressions.syntax import Tree
from .builder import Builder, described

BLOCK_KEYS = ("with", "columns", "where", "by", "in_step", "credit", "if_null")
_NOTHING = syntax.Null()


def expression(builder: Builder, node: Node | None, what: str) -> Tree:
    """The tree of an expression, a list of expressions, or a block."""
    if node is None:
        return _NOTHING
    if isinstance(node, Scalar):
        return syntax.Placed(scalar(builder, node, what), node)
    if isinstance(node, Sequence):
        items = tuple(expression(builder, item, what) for item in node.items)
        return syntax.Placed(syntax.Items(items), node)
    return syntax.Placed(block(builder, node, what), node)


def optional(builder: Builder, node: Node | None, what: str) -> Tree | None:
    """An expression where one is written."""
    return None if node is None else expression(builder, node, what)


def several(builder: Builder, node: Node | None, what: str) -> tuple[Tree, ...]:
    """One expression, or a list of them."""
    if node is None:
        return ()
    nodes = node.items if isinstance(node, Sequence) else (node,)
    return tuple(expression(builder, item, what) for item in nodes)


def scalar(builder: Builder, node: Scalar, what: str) -> Tree:
    """The tree of an expression written as one YAML scalar."""
    if isinstance(node.value, (int, float)) and not isinstance(node.value, bool) and node.value >= 0:
        return syntax.Number(node.value, node.text)
    if isinstance(node.value, bool):
        return syntax.Boolean(node.value)
    if node.value is None and node.style == "plain":
        if node.text in ("null", "~"):
            return syntax.Null()
        builder.report("wrong-shape", f"{what} is empty", node, "write an expression, or null")
        return _NOTHING
    text = node.value if isinstance(node.value, str) else node.text
    try:
        return parse(text)
    except ExpressionError as error:
        builder.report("bad-expression", f"{what}: {error.message}", node, error.hint, offset=error.at)
        return _NOTHING


def block(builder: Builder, node: Mapping, what: str) -> Tree:
    """The tree of a mapping in an expression's place."""
    keys = [entry.key.text for entry in node.entries]
    if "use" in keys:
        tree = _use(builder, node, what)
    elif "for_each" in keys:
        tree = _for_each(builder, node, what)
    elif "group" in keys:
        tree = _group(builder, node, what)
    elif "in_step" in keys:
        tree = _in_step(builder, node, what)
    else:
        tree = steps(builder, node, what)
    if "when" in keys:
        condition = next(entry.value for entry in node.entries if entry.key.text == "when")
        return syntax.Conditional(expression(builder, condition, "when"), tree, syntax.Null())
    return tree


def steps(builder: Builder, node: Node | None, what: str) -> syntax.Steps:
    """The members of a mapping, in order."""
    members: list[tuple[str, Tree]] = []
    result = None
    for entry in builder.entries(node, what):
        name = entry.key.text
        if name == "result":
            result = expression(builder, entry.value, f"{what}.result")
        elif name in BLOCK_KEYS:
            message = (
                f"'{name}' in {what} belongs to a block, but no 'use', 'for_each', 'group' or 'value' stands beside it"
            )
            builder.report("unknown-block", message, entry.key)
        elif name != "when":
            members.append((builder.name(entry.key, what), expression(builder, entry.value, f"{what}.{name}")))
    return syntax.Steps(tuple(members), result)


def bindings(builder: Builder, node: Node | None, what: str) -> tuple[tuple[str, Tree], ...]:
    """`{name: list}`: the names that a block goes through."""
    return tuple(
        (builder.name(entry.key, what), expression(builder, entry.value, f"{what}.{entry.key.text}"))
        for entry in builder.entries(node, what)
    )


def _use(builder: Builder, node: Mapping, what: str) -> Tree:
    found = builder.known(node, ("use", "with", "when"), what)
    used = found["use"]
    tree = expression(builder, used, f"{what}.use") if isinstance(used, Scalar) else _NOTHING
    named = tuple(
        (entry.key.text, expression(builder, entry.value, f"{what}.{entry.key.text}"))
        for entry in builder.entries(found.get("with"), f"{what}.with")
    )
    match syntax.bare(tree):
        case syntax.Name(id=name):
            return syntax.Placed(syntax.Call(None, name, (), named), used)
        case syntax.Field(of=syntax.Name(id=module), name=name):
            return syntax.Placed(syntax.Call(module, name, (), named), used)
    builder.report("wrong-shape", f"'use' names a function or a primitive, not {described(used)}", used)
    return _NOTHING


def _for_each(builder: Builder, node: Mapping, what: str) -> Tree:
    keys = ("for_each", "columns", "where", "key", "value", "when")
    found = builder.known(node, keys, what)
    return syntax.ForEach(
        bindings(builder, found["for_each"], f"{what}.for_each"),
        steps(builder, found.get("columns"), f"{what}.columns"),
        optional(builder, found.get("where"), f"{what}.where"),
        optional(builder, found.get("key"), f"{what}.key"),
        optional(builder, found.get("value"), f"{what}.value"),
    )


def _group(builder: Builder, node: Mapping, what: str) -> Tree:
    found = builder.known(node, ("group", "by", "columns", "when"), what, required=("by", "columns"))
    by = found.get("by")
    words = by.items if isinstance(by, Sequence) else (by,) if by is not None else ()
    names = tuple(word.text for word in words if isinstance(word, Scalar))
    columns = steps(builder, found.get("columns"), f"{what}.columns")
    return syntax.Group(expression(builder, found["group"], f"{what}.group"), names, columns)


def _in_step(builder: Builder, node: Mapping, what: str) -> Tree:
    found = builder.known(node, ("in_step", "rows", "columns", "when"), what, required=("rows", "columns"))
    return syntax.InStep(
        bindings(builder, found["in_step"], f"{what}.in_step"),
        expression(builder, found.get("rows"), f"{what}.rows"),
        steps(builder, found.get("columns"), f"{what}.columns"),
    )
