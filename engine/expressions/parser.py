"""Text of an expression -> its syntax tree."""

import re
from functools import cache
from pathlib import Path

from lark import Lark, Transformer, UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken, v_args
from lark.exceptions import VisitError

from . import syntax
from .syntax import Tree

MAX_CHARACTERS = 10_000
MAX_DEPTH = 100


class ExpressionError(ValueError):
    """A text that is no expression; `at` is the character at which it goes wrong."""

    def __init__(self, message: str, at: int, hint: str | None = None):
        super().__init__(message)
        self.message = message
        self.at = at
        self.hint = hint


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}


def _unescape(token: str, at: int) -> str:
    def replacement(match: re.Match[str]) -> str:
        if match[1] is not None:
            return chr(int(match[1], 16))
        if match[2] not in _ESCAPES:
            raise ExpressionError(
                f"the escape \\{match[2]} is not known", at, r"known are \n \t \r \" \' \\ and \uXXXX"
            )
        return _ESCAPES[match[2]]

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", replacement, token[1:-1], flags=re.DOTALL)


@v_args(inline=True)
class _Builder(Transformer):
    """Builds the tree while the parser reduces, so that nothing recurses."""

    def number(self, token):
        written = str(token)
        whole = written.isdigit()
        if whole and len(written) > 400:
            raise ExpressionError("the number has more than 400 digits", token.start_pos)
        value = int(written) if whole else float(written)
        if value != value or abs(value) > 1.7976931348623157e308:
            raise ExpressionError("the number is too large for a 64-bit float", token.start_pos)
        if whole and value > 2**53:
            value = float(value)
        return syntax.Number(value, written, token.start_pos)

    def text(self, token):
        return syntax.Text(_unescape(str(token), token.start_pos), token.start_pos)

    def true(self):
        return syntax.Boolean(True)

    def false(self):
        return syntax.Boolean(False)

    def null(self):
        return syntax.Null()

    def name(self, token):
        return syntax.Name(str(token), token.start_pos)

    def group(self, tree):
        return tree

    def list_of(self, items):
        return syntax.Items(items or ())

    def items(self, *items):
        return items

    def arguments(self, *arguments):
        return arguments

    def named_argument(self, token, value):
        return (str(token), value, token.start_pos)

    def unary(self, token, operand):
        if token == "-" and isinstance(operand, syntax.Number) and operand.value >= 0 and operand.text[:1] != "-":
            return syntax.Unary("-", operand, token.start_pos)
        return syntax.Unary(str(token), operand, token.start_pos) if token != "+" else operand

    def binary(self, left, token, right):
        return syntax.Binary(str(token), left, right, token.start_pos)

    def comparator(self, *tokens):
        return (" ".join(str(token) for token in tokens), tokens[0].start_pos)

    def comparison(self, first, *rest):
        pairs = tuple((operator[0], operand) for operator, operand in zip(rest[::2], rest[1::2], strict=True))
        return syntax.Comparison(first, pairs, rest[0][1])

    def conditional(self, then, token, test, otherwise):
        return syntax.Conditional(test, then, otherwise, token.start_pos)

    def field(self, of, token):
        return syntax.Field(of, str(token), token.start_pos)

    def index(self, of, key):
        return syntax.Index(of, key, of.at)

    def call(self, callee, arguments):
        positional, named = _sorted_arguments(arguments or ())
        match callee:
            case syntax.Name(id=name):
                return syntax.Call(None, name, positional, named, callee.at)
            case syntax.Field(of=syntax.Name(id=module, at=at), name=name):
                return syntax.Call(module, name, positional, named, at)
        raise ExpressionError("only a function can be called", callee.at, "a call is name(...) or module.name(...)")

    def lambda_one(self, token, body):
        return syntax.Lambda((str(token),), body, token.start_pos)

    def lambda_many(self, *parts):
        names, body = parts[:-1], parts[-1]
        return syntax.Lambda(tuple(str(name) for name in names), body, names[0].start_pos)


def _sorted_arguments(arguments: tuple) -> tuple[tuple[Tree, ...], tuple[tuple[str, Tree], ...]]:
    positional, named = [], {}
    for argument in arguments:
        if isinstance(argument, tuple):
            name, value, at = argument
            if name in named:
                raise ExpressionError(f"the argument '{name}' is given twice", at)
            named[name] = value
        elif named:
            hint = "put it before the named ones"
            raise ExpressionError("an argument without a name follows one with a name", argument.at, hint)
        else:
            positional.append(argument)
    return tuple(positional), tuple(named.items())


@cache
def _lark() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", transformer=_Builder(), maybe_placeholders=True)


_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\Z")
_PLAIN_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?\Z")
KEYWORDS = frozenset({"if", "else", "and", "or", "not", "in", "true", "false", "null"})


def _plain(text: str) -> Tree | None:
    """The tree of a bare name, dotted name or number, which are most of what rubrics hold: no parser needed."""
    if _PLAIN_NUMBER.match(text) and len(text) < 16:
        return syntax.Number(int(text) if text.isdigit() else float(text), text)
    if not _PLAIN_NAME.match(text):
        return None
    parts = text.split(".")
    if not KEYWORDS.isdisjoint(parts):
        return None
    tree, at = syntax.Name(parts[0]), len(parts[0]) + 1
    for part in parts[1:]:
        tree, at = syntax.Field(tree, part, at), at + len(part) + 1
    return tree


def parse(text: str) -> Tree:
    """The tree of an expression. Raises `ExpressionError` with the place, what was found and what could stand there."""
    if len(text) > MAX_CHARACTERS:
        raise ExpressionError(f"the expression has more than {MAX_CHARACTERS} characters", 0, "give its parts names")
    plain = _plain(text)
    if plain is not None:
        return plain
    try:
        tree = _lark().parse(text)
    except VisitError as error:
        raise error.orig_exc from None
    except UnexpectedInput as error:
        raise _explained(error, text) from None
    if syntax.depth(tree) > MAX_DEPTH:
        raise ExpressionError(f"the expression is nested deeper than {MAX_DEPTH} levels", 0, "give its parts names")
    return tree


_HINTS = {
    "=": "equality is written ==",
    "&": "write 'and'",
    "|": "write 'or'; alternatives '|' belong into records",
    "!": "write 'not' or !=",
    "%": "there is no remainder operator",
    "^": "a power is written **",
    "?": "a value in place of null is written a ?? b; a choice is 'a if c else b'",
    ":": "a named argument is written name=value",
    "{": "a record is written as a YAML mapping, not inside an expression",
    "`": "text stands in double quotes",
}
_DESCRIPTIONS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "TEXT": "text in quotes",
    "COMPARE": "a comparison",
    "SIGN": "+ or -",
    "TIMES": "* or /",
    "RPAR": "')'",
    "RSQB": "']'",
    "COMMA": "','",
    "ELSE": "'else'",
    "_ARROW": "'->'",
}


def _explained(error: UnexpectedInput, text: str) -> ExpressionError:
    if isinstance(error, UnexpectedCharacters):
        at = error.pos_in_stream
        found = text[at]
        if found in "\"'":
            return ExpressionError("the text has no closing quote", at, "close it with the same quote")
        return ExpressionError(f"'{found}' has no meaning here", at, _HINTS.get(found))
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        at = error.token.start_pos
        return ExpressionError(f"'{error.token}' cannot stand here{_expected(error)}", at, _HINTS.get(str(error.token)))
    if isinstance(error, UnexpectedToken | UnexpectedEOF):
        return ExpressionError(f"the expression ends too early{_expected(error)}", len(text.rstrip()))
    return ExpressionError("this is no expression", 0)


def _expected(error) -> str:
    names = sorted(_DESCRIPTIONS[name] for name in getattr(error, "expected", ()) if name in _DESCRIPTIONS)
    return f"; expected {' or '.join(names[:4])}" if 0 < len(names) <= 4 else ""
