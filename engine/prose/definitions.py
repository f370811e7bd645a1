"""What a name stands for, in words: one sentence, or a sentence with a list below it for the parts of a block."""

from collections.abc import Iterable

from ..expressions import syntax
from ..expressions.printer import show
from ..expressions.syntax import Tree
from .phrases import argument_phrases, bare_words, clause, code, each_of, listed, noun, steps_of

Text = tuple[str, list[str]]
LONGEST_CALL = 70


def definition(name: str, tree: Tree, verb: str = "is") -> list[str]:
    """The lines that say what a name stands for; a comment of the author's is the caller's to add."""
    phrase, below = in_words(tree)
    return [f"**{code(name)}** {verb} {phrase}{':' if below else '.'}", *_spaced(below)]


def _spaced(below: list[str]) -> list[str]:
    return ["", *below] if below else []


def in_words(tree: Tree) -> Text:
    """A phrase, and the lines that go below it."""
    bare = syntax.bare(tree)
    match bare:
        case syntax.Call() if bare.named and (_in_block(tree) or len(show(bare)) > LONGEST_CALL):
            return _call(bare)
        case syntax.Steps():
            return _steps(bare)
        case syntax.ForEach():
            return _for_each(bare)
        case syntax.Group():
            groups = f"each group of {noun(bare.of)} with equal {listed(map(code, bare.by))}"
            return f"a table with a row for {groups}", _members(bare.columns.members)
        case syntax.InStep():
            return f"a table with a row for {steps_of(bare)}", _members(bare.columns.members)
        case syntax.Conditional() if isinstance(syntax.bare(bare.otherwise), syntax.Null):
            phrase, below = in_words(bare.then)
            return f"nothing unless {clause(bare.test)}, else {phrase}", below
    return noun(bare), []


def _in_block(tree: Tree) -> bool:
    """Whether a call is written as `use:` with its arguments below."""
    place = 0
    while isinstance(tree, syntax.Placed):
        tree, place = tree.body, place + 1
    return place > 1


def _call(call: syntax.Call) -> Text:
    """A call with a line an argument."""
    words = bare_words(call)
    lines = []
    for name, argument in argument_phrases(call):
        if name in words:
            lines.append(f"- {code(name)}: {_words(argument)}")
        else:
            lines += _member(name or "of", argument)
    return f"what {code(call.label)} gives with", lines


def _words(tree: Tree) -> str:
    """Field names and words, which are no expressions."""
    bare = syntax.bare(tree)
    items = bare.items if isinstance(bare, syntax.Items) else (bare,)
    return listed(code(show(item)) for item in items)


def _steps(steps: syntax.Steps) -> Text:
    lines = _members(steps.members)
    if steps.result is None:
        return "a record", lines
    phrase, below = in_words(steps.result)
    return "found in steps", [*lines, f"- the result is {phrase}{':' if below else ''}", *_deeper(below)]


def _members(members: Iterable[tuple[str, Tree]]) -> list[str]:
    return [line for name, tree in members for line in _member(name, tree)]


def _member(name: str, tree: Tree) -> list[str]:
    phrase, below = in_words(tree)
    return [f"- {code(name)}: {phrase}{':' if below else ''}", *_deeper(below)]


def _deeper(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _for_each(block: syntax.ForEach) -> Text:
    """A table, or a record by key, and what its rows hold."""
    rows = each_of(block.names)
    if block.value is not None:
        phrase, below = in_words(block.value)
        lines = [f"- {phrase}{':' if below else ''}", *_deeper(below)]
    else:
        lines = _members(block.columns.members)
    if block.where is not None:
        lines.append(f"- only where {clause(block.where)}")
    if block.key is not None:
        return f"a record with an entry for {rows}, under {noun(block.key)}", lines
    return f"{'a list with a value' if block.value is not None else 'a table with a row'} for {rows}", lines
