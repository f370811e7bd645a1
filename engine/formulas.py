"""The formulas of a rubric as their author wrote them, a line a part: `label: expression` for the parts of a block."""

from .document import Mapping, Node, Scalar, Sequence
from .expressions import syntax
from .expressions.printer import show
from .expressions.syntax import Tree
from .rubric import LIMITS, Cap, Constant, FunctionDefinition, Gate, Metric, Record, Score

LIMIT_WORDS = {word: word.replace("_", " ") for word in LIMITS}
_INDENT = "  "
_LONGEST_LIST = 60


def written(tree: Tree) -> str:
    """An expression as it stands in the file; of a block each part on a line of its own, deeper ones indented."""
    if isinstance(tree, syntax.Placed) and isinstance(tree.source, Scalar):
        text = tree.source.text.strip()
        used = isinstance(syntax.bare(tree), syntax.Call) and "(" not in text
        if not used:
            return _one_line(text) or show(tree)
        return _used(syntax.bare(tree))  # type: ignore[arg-type]
    if not isinstance(tree, syntax.Placed):
        return show(tree)
    return _block(tree.body)


def _one_line(text: str) -> str | None:
    """An author's text with single spaces; None where it needs to be printed anew to stand on one line."""
    if not text or '"' in text or "'" in text:
        return text if text and "\n" not in text else None
    return " ".join(text.split())


def _block(tree: Tree) -> str:
    """What a YAML mapping or list in an expression's place says."""
    match tree:
        case syntax.Placed():
            return written(tree)
        case syntax.Conditional():
            return "\n".join([entry("when", written(tree.test)), _block(tree.then)])
        case syntax.Steps():
            return _members(tree)
        case syntax.ForEach():
            lines = [entry(f"for each {name}", written(of)) for name, of in tree.names]
            lines += [below("columns", _members(tree.columns))] if tree.columns.members else []
            parts = [(label, getattr(tree, label)) for label in ("where", "key", "value")]
            return "\n".join([*lines, *(entry(label, written(part)) for label, part in parts if part is not None)])
        case syntax.Group():
            lines = [entry("group", written(tree.of)), entry("by", ", ".join(tree.by))]
            return "\n".join([*lines, below("columns", _members(tree.columns))])
        case syntax.InStep():
            lines = [entry(f"in step {name}", written(of)) for name, of in tree.names]
            return "\n".join([*lines, entry("rows", written(tree.rows)), below("columns", _members(tree.columns))])
        case syntax.Items():
            items = [written(item) for item in tree.items]
            several = any("\n" in item for item in items) or sum(map(len, items)) > _LONGEST_LIST
            return "\n".join(f"- {item}" for item in items) if several else f"[{', '.join(items)}]"
        case _:
            return show(tree)


def _used(call: syntax.Call) -> str:
    """`use:` with its arguments."""
    if not call.named:
        return f"{call.label}()"
    return "\n".join([f"{call.label} with", *(entry(name, written(value), _INDENT) for name, value in call.named)])


def _members(steps: syntax.Steps) -> str:
    members = [*steps.members, *([("result", steps.result)] if steps.result is not None else [])]
    return "\n".join(entry(name, written(value)) for name, value in members)


def entry(label: str, text: str, margin: str = "") -> str:
    """`label: text`; a text of several lines stands below its label."""
    return below(label, text, margin) if "\n" in text else f"{margin}{label}: {text}"


def below(label: str, text: str, margin: str = "") -> str:
    """A label with a text below it."""
    return "\n".join([f"{margin}{label}:", *(f"{margin}{_INDENT}{line}" for line in text.split("\n"))])


def data(node: Node) -> str:
    """Plain data on one line, its numbers as they are written."""
    if isinstance(node, Sequence):
        return f"[{', '.join(data(item) for item in node.items)}]"
    if isinstance(node, Mapping):
        return f"{{{', '.join(f'{member.key.text}: {data(member.value)}' for member in node.entries)}}}"
    if not node.text:
        return "null" if getattr(node, "style", "plain") == "plain" else '""'
    return node.text


# ---------------------------------------------------------------- the parts of a rubric


def constant(part: Constant) -> str:
    """A constant's value; of a table, `by tier: {1: 0.50, 2: 0.375}`."""
    if part.by is None or not isinstance(part.node, Mapping):
        return data(part.node)
    members = (f"{member.key.text}: {data(member.value)}" for member in part.node.entries if member.key.text != "by")
    return f"by {part.by}: {{{', '.join(members)}}}"


def function(part: FunctionDefinition) -> str:
    """`name(parameters):` with the body below or beside it."""
    signature = f"{part.function.name}({', '.join(part.function.parameters)})"
    steps = isinstance(syntax.bare(part.function.body), syntax.Steps)
    return (below if steps else entry)(signature, written(part.function.body))


def record(part: Record) -> str:
    """The fields with their types, what they become, what is derived and required."""
    lines = ["fields:", *(f"{_INDENT}{' | '.join(rule.names)}: {rule.type.text}" for rule in part.fields)]
    for label in ("becomes", "derived", "require"):
        trees = getattr(part, label)
        lines += [f"{label}:"] if trees else []
        lines += [entry(name, written(tree), _INDENT) for name, tree in trees.items()]
    return "\n".join(lines)


def metric(part: Metric) -> str:
    """The value alone, or the pipeline from value to mean."""
    labels = {"where": part.where, "full credit at": part.full, "no credit at": part.zero, "if null": part.if_null}
    steps = [entry(label, written(tree)) for label, tree in labels.items() if tree is not None]
    return "\n".join([entry("value", written(part.value)), *steps]) if steps else written(part.value)


def score(part: Score) -> str:
    """The weighted sum or the value, and the caps."""
    weighted = " + ".join(f"{weight.text} * {weight.metric}" for weight in part.weights)
    lines = [written(part.value) if part.value is not None else weighted]
    lines += [f"at most {written(cap.at_most)} when {written(cap.when)} (cap {cap.name})" for cap in part.caps]
    return "\n".join(lines)


def cap(part: Cap) -> str:
    """When it applies, and the limit."""
    return "\n".join([entry("when", written(part.when)), entry("at most", written(part.at_most))])


def gate(part: Gate) -> str:
    """What must hold, and what takes the score's place otherwise."""
    labels = [
        ("for each", part.each),
        ("value", part.value),
        (LIMIT_WORDS.get(part.word or "", ""), part.limit),
        *(("require", tree) for tree in part.requirements),
        ("none", part.none),
        ("otherwise", part.otherwise),
    ]
    lines = [entry(label, written(tree)) for label, tree in labels if tree is not None]
    decided = [] if part.decide_on == ("point",) else [entry("decide on", ", ".join(part.decide_on))]
    return "\n".join([*lines, *decided])
