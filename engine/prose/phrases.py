"""Expressions in words: noun phrases for values, clauses for conditions, formulas in code where those read best."""

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from ..catalogue import signature as primitive_signature
from ..expressions import syntax
from ..expressions.builtins import BUILTINS
from ..expressions.inference import pair_arguments
from ..expressions.printer import show
from ..expressions.signatures import signature_of
from ..expressions.syntax import Tree
from .templates import CLAUSES, NOUNS

LONGEST_FORMULA = 110
ARITHMETIC = ("abs", "ceil", "floor", "max", "min", "round", "sqrt")
BARE_WORDS = ("field", "fields", "word")
_OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by", "**": "to the power of"}
_COMPARISONS = {
    "==": "equals",
    "!=": "differs from",
    "<": "is below",
    "<=": "is at most",
    ">": "is above",
    ">=": "is at least",
    "in": "is one of",
    "not in": "is none of",
}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

_BLOCKS = (syntax.Steps, syntax.ForEach, syntax.Group, syntax.InStep)
_COMPOUND = (syntax.Binary, syntax.Conditional, syntax.Comparison, syntax.Unary)
_LITERALS = (syntax.Number, syntax.Text, syntax.Boolean)
_FUNCTION_PARAMETERS = ("where", "each", "by", "digits")


def code(text: str) -> str:
    """A text in Markdown code, whatever is in it."""
    fence = "``" if "`" in text else "`"
    space = " " if "`" in text[:1] + text[-1:] else ""
    return f"{fence}{space}{text}{space}{fence}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    words = list(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


# ---------------------------------------------------------------- values


def noun(tree: Tree) -> str:
    """What a value is, as a phrase that can stand in a sentence."""
    tree = syntax.bare(tree)
    if isinstance(tree, syntax.Number):
        return show(tree)
    if is_formula(tree) and len(show(tree)) <= LONGEST_FORMULA:
        return code(show(tree))
    return _RULES[type(tree)](tree)


def is_formula(tree: Tree) -> bool:
    """Whether a value reads best as a formula: names, numbers, texts, arithmetic, and calls with nothing but these."""
    tree = syntax.bare(tree)
    match tree:
        case syntax.Name() | syntax.Number() | syntax.Text() | syntax.Boolean():
            return True
        case syntax.Field() | syntax.Index():
            return all(map(is_formula, syntax.children(tree)))
        case syntax.Unary():
            return tree.operator == "-" and is_formula(tree.operand)
        case syntax.Binary():
            return tree.operator in _OPERATORS and is_formula(tree.left) and is_formula(tree.right)
        case syntax.Call() if tree.module is not None or tree.name not in NOUNS:
            return not any(isinstance(node, _BLOCKS) for node in syntax.walk(tree))
        case syntax.Call() if tree.name in ARITHMETIC:
            single = tree.name in ("min", "max") and len(tree.positional) == 1
            return not single and all(map(is_formula, syntax.children(tree)))
    return False


def operand(tree: Tree) -> str:
    """A value inside a longer phrase, in brackets where it would run into it."""
    bare = syntax.bare(tree)
    if isinstance(bare, syntax.Binary) and bare.operator == "??" and isinstance(syntax.bare(bare.right), _LITERALS):
        return f"{operand(bare.left)} ({_literal(syntax.bare(bare.right))} where missing)"
    phrase = noun(tree)
    compound = isinstance(bare, _COMPOUND) and not is_formula(tree)
    return f"({phrase})" if compound or ", " in _outside_code(phrase) else phrase


def _outside_code(phrase: str) -> str:
    return "".join(phrase.split("`")[::2])


def _null(tree: syntax.Null) -> str:
    return "nothing"


def _items(tree: syntax.Items) -> str:
    return listed(noun(item) for item in tree.items) or "nothing at all"


def _whether(tree: Tree) -> str:
    return f"whether {clause(tree)}"


def _unary(tree: syntax.Unary) -> str:
    return _whether(tree) if tree.operator == "not" else f"minus {operand(tree.operand)}"


def _binary(tree: syntax.Binary) -> str:
    if tree.operator in ("and", "or"):
        return _whether(tree)
    if tree.operator == "..":
        return f"the whole numbers from {operand(tree.left)} to {operand(tree.right)}"
    if tree.operator == "??":
        instead = syntax.bare(tree.right)
        if isinstance(instead, _LITERALS):
            return f"{operand(tree.left)}, or {_literal(instead)} where that is missing"
        return f"{operand(tree.left)}, or where that is missing {operand(tree.right)}"
    return f"{_term(tree.left, tree.operator)} {_OPERATORS[tree.operator]} {operand(tree.right)}"


def _literal(tree: Tree) -> str:
    return "an empty text" if tree == syntax.Text("") else noun(tree)


def _term(tree: Tree, operator: str) -> str:
    """The left side of a sum, which needs no brackets when it is one itself."""
    bare = syntax.bare(tree)
    same = isinstance(bare, syntax.Binary) and bare.operator == operator == "+"
    return noun(tree) if same else operand(tree)


def _conditional(tree: syntax.Conditional) -> str:
    if isinstance(syntax.bare(tree.otherwise), syntax.Null):
        return f"{noun(tree.then)}, but only if {clause(tree.test)}"
    return f"{noun(tree.then)} if {clause(tree.test)}, otherwise {noun(tree.otherwise)}"


def _field(tree: syntax.Field) -> str:
    return f"the {code(tree.name)} of {operand(tree.of)}"


def _index(tree: syntax.Index) -> str:
    return f"the entry of {operand(tree.of)} for {operand(tree.key)}"


def _lambda(tree: syntax.Lambda) -> str:
    names = listed(code(name) for name in tree.parameters)
    return f"{noun(tree.body)}, for each {names}"


def _steps(tree: syntax.Steps) -> str:
    members = listed(f"{code(name)} ({noun(value)})" for name, value in tree.members)
    if tree.result is None:
        return f"a record of {members}"
    return f"{noun(tree.result)}, with {members}" if members else noun(tree.result)


def _for_each(tree: syntax.ForEach) -> str:
    rows = f"a row for {each_of(tree.names)}"
    columns = f" with {listed(f'{code(name)} ({noun(value)})' for name, value in tree.columns.members)}"
    return rows + (columns if tree.columns.members else "")


def _group(tree: syntax.Group) -> str:
    return f"a row for each group of {operand(tree.of)} with equal {listed(map(code, tree.by))}"


def _in_step(tree: syntax.InStep) -> str:
    return f"a row for {steps_of(tree)}"


def steps_of(tree: syntax.InStep) -> str:
    """`each of 10 steps of `a` (x) and `b` (y), which advance together`."""
    streams = listed(f"{code(name)} ({noun(value)})" for name, value in tree.names)
    return f"each of {noun(tree.rows)} steps of {streams}, which advance together"


def each_of(names: Iterable[tuple[str, Tree]]) -> str:
    """`each `a` of `x` and each `b` of `y``."""
    return listed(f"each {code(name)} of {operand(of)}" for name, of in names)


def _call(tree: syntax.Call) -> str:
    if tree.module is None and tree.name in NOUNS:
        return _filled(tree, NOUNS[tree.name])
    named = [(parameter, noun(value)) for parameter, value in argument_phrases(tree)]
    given = listed(f"{code(name)} {phrase}" if name else phrase for name, phrase in named)
    return f"{code(tree.label)} of {given}" if given else code(f"{tree.label}()")


def argument_phrases(tree: syntax.Call) -> list[tuple[str, Tree]]:
    """The arguments of a call, those given by name with it."""
    return [*(("", argument) for argument in tree.positional), *tree.named]


def bare_words(tree: syntax.Call) -> frozenset[str]:
    """The arguments of a primitive that are field names or words, not expressions."""
    known = primitive_signature(tree.module, tree.name) if tree.module is not None else None
    return frozenset(part.name for part in known.parameters if part.role in BARE_WORDS) if known else frozenset()


# ---------------------------------------------------------------- functions of the language


def _filled(tree: syntax.Call, templates: tuple[str, ...]) -> str:
    """The phrase of a call: the second template where one of its arguments says what is taken of each member."""
    pairs = pair_arguments(tree, signature_of(BUILTINS[tree.name], tree.name))
    if isinstance(pairs, str):
        return code(show(tree))
    given: dict[str, list[Tree]] = {}
    for parameter, argument in pairs:
        given.setdefault(parameter.name, []).append(argument)
    function = next((name for name in _FUNCTION_PARAMETERS if name in given), None)
    template = templates[1 if function else 0]
    if not template:
        return code(show(tree))
    return template.format_map(_Blanks(given, function)).replace("the first 1 of", "the first of")


class _Blanks(dict):
    """The phrases of the arguments, each made when a template asks for it."""

    def __init__(self, given: Mapping[str, list[Tree]], function: str | None):
        super().__init__()
        self.given = given
        self.function = syntax.bare(given[function][0]) if function else None

    def __missing__(self, blank: str) -> str:
        if blank in _MEMBER_BLANKS:
            return _MEMBER_BLANKS[blank](self.function, operand(self.given["of"][0]))
        trees = self.given[blank]
        return listed(operand(tree) for tree in trees)


def _name_of(function: Tree) -> str:
    return f" {code(function.parameters[0])}" if isinstance(function, syntax.Lambda) else ""


def _holds(function: Tree, of: str) -> str:
    """What must hold of a member, in words about its name."""
    return clause(function.body) if isinstance(function, syntax.Lambda) else f"{noun(function)} holds"


def _each(function: Tree, of: str) -> str:
    """What is taken of a member: of `s -> s.begins` just the field."""
    if not isinstance(function, syntax.Lambda):
        return noun(function)
    body = syntax.bare(function.body)
    if isinstance(body, syntax.Field) and syntax.bare(body.of) == syntax.Name(function.parameters[0]):
        return code(body.name)
    return noun(body)


_MEMBER_BLANKS: Mapping[str, Callable[[Any, str], str]] = {
    "member": lambda function, of: f"member{_name_of(function)} of {of}",
    "a_member": lambda function, of: f"a member{_name_of(function)} of {of}",
    "members": lambda function, of: f"members{_name_of(function)} of {of}",
    "holds": _holds,
    "each": _each,
}


# ---------------------------------------------------------------- conditions


def clause(tree: Tree) -> str:
    """What must hold, as a clause of a sentence."""
    tree = syntax.bare(tree)
    match tree:
        case syntax.Comparison():
            return _comparison(tree)
        case syntax.Binary(operator="and" | "or" as word):
            parts = [_part(part) for part in _joined(tree, word)]
            return f", {word} ".join(parts) if len(parts) > 2 else f" {word} ".join(parts)
        case syntax.Unary(operator="not"):
            return _not(tree.operand)
        case syntax.Boolean():
            return "always" if tree.value else "never"
        case syntax.Call(module=None, name=name) if name in CLAUSES:
            return _filled(tree, CLAUSES[name])
        case syntax.Conditional():
            return f"if {clause(tree.test)}, {clause(tree.then)}; otherwise {clause(tree.otherwise)}"
        case syntax.Name() | syntax.Field():
            return f"{noun(tree)} is true"
    return f"{operand(tree)} holds"


def _joined(tree: Tree, word: str) -> list[Tree]:
    """The parts of `a or b or c`."""
    bare = syntax.bare(tree)
    if isinstance(bare, syntax.Binary) and bare.operator == word:
        return [*_joined(bare.left, word), *_joined(bare.right, word)]
    return [tree]


def _part(tree: Tree) -> str:
    """A condition inside another, in brackets where it would run into it."""
    phrase, bare = clause(tree), syntax.bare(tree)
    joined = isinstance(bare, syntax.Binary) and bare.operator in ("and", "or")
    return f"({phrase})" if joined or ", " in _outside_code(phrase) else phrase


def _not(tree: Tree) -> str:
    phrase = clause(tree)
    for ending, negated in ((" holds", " does not hold"), (" is true", " is not true")):
        if phrase.endswith(ending) and isinstance(syntax.bare(tree), (syntax.Call, syntax.Name, syntax.Field)):
            return phrase.removesuffix(ending) + negated
    return f"it is not so that {_part(tree)}"


def _comparison(tree: syntax.Comparison) -> str:
    first, rest = tree.first, list(tree.rest)
    if len(rest) == 1 and rest[0][0] == "==" and _is_condition(first) and _is_condition(rest[0][1]):
        return f"{_part(first)} exactly where {_part(rest[0][1])}"
    if len(rest) == 2 and _is_constant(first) and not _is_constant(rest[0][1]) and rest[0][0] in _MIRRORED:
        (before, middle), (after, last) = rest
        second = _compared(after, last).removeprefix("is ")
        return f"{operand(middle)} {_compared(_MIRRORED[before], first)} and {second}"
    phrases = [f"{operand(first)} {_compared(*rest[0])}"]
    phrases += [f"{operand(left)} {_compared(*following)}" for (_, left), following in pairwise(rest)]
    return " and ".join(phrases)


def _is_condition(tree: Tree) -> bool:
    bare = syntax.bare(tree)
    return isinstance(bare, syntax.Comparison) or getattr(bare, "operator", None) in ("and", "or", "not")


def _is_constant(tree: Tree) -> bool:
    return isinstance(syntax.bare(tree), (syntax.Number, syntax.Text))


def _compared(operator: str, right: Tree) -> str:
    bare = syntax.bare(right)
    if isinstance(bare, syntax.Null) and operator in ("==", "!="):
        return "is missing" if operator == "==" else "is there"
    if isinstance(bare, syntax.Items) and operator == "in":
        return f"is {listed((noun(item) for item in bare.items), 'or')}"
    if isinstance(bare, syntax.Items) and operator == "not in":
        return f"is neither {listed((noun(item) for item in bare.items), 'nor')}"
    return f"{_COMPARISONS[operator]} {operand(right)}"


_RULES: Mapping[type, Callable[[Any], str]] = {
    syntax.Name: lambda tree: code(tree.id),
    syntax.Number: lambda tree: code(show(tree)),
    syntax.Text: lambda tree: code(show(tree)),
    syntax.Boolean: lambda tree: code(show(tree)),
    syntax.Null: _null,
    syntax.Items: _items,
    syntax.Unary: _unary,
    syntax.Binary: _binary,
    syntax.Comparison: _whether,
    syntax.Conditional: _conditional,
    syntax.Field: _field,
    syntax.Index: _index,
    syntax.Call: _call,
    syntax.Lambda: _lambda,
    syntax.Steps: _steps,
    syntax.ForEach: _for_each,
    syntax.Group: _group,
    syntax.InStep: _in_step,
}
