"""Text of an expression -> its syntax tree."""

import re
from functools import cache
from pathlib import Path

from lark import Lark, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from . import syntax
from .parse_errors import ExpressionError, explained
from .syntax import Tree

__all__ = ["KEYWORDS", "ExpressionError", "parse"]

MAX_CHARACTERS = 10_000
MAX_DEPTH = 100


KEYWORDS = frozenset({"if", "else", "and", "or", "not", "in", "true", "false", "null"})
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}
_SURROGATES = re.compile("[\ud800-\udfff]")


def _unescape(token: str, at: int) -> str:
    def replacement(match: re.Match[str]) -> str:
        if match[1] is not None:
            return chr(int(match[1], 16))
        if match[2] not in _ESCAPES:
            hint = r"known are \n \t \r \" \' \\ and \uXXXX"
            raise ExpressionError(f"the escape \\{match[2]} is not known", at + 1 + match.start(), hint)
        return _ESCAPES[match[2]]

    text = re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", replacement, token[1:-1], flags=re.DOTALL)
    return _whole_characters(text, at) if _SURROGATES.search(text) else text


def _whole_characters(text: str, at: int) -> str:
    """The text with two halves of a character, as JSON escapes them, made one."""
    try:
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        hint = r"write both halves: \ud83d\ude00"
        raise ExpressionError("the text holds half a character", at, hint) from None


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
        if value == 0 and re.match(r"[0.]*[1-9]", written):
            raise ExpressionError("the number is too small for a 64-bit float", token.start_pos)
        if whole and value > 2**53:
            value = float(value)
        return syntax.Number(value, written, token.start_pos)

    def text(self, token):
        return syntax.Text(_unescape(str(token), token.start_pos), token.start_pos)

    def true(self, token):
        return syntax.Boolean(True, token.start_pos)

    def false(self, token):
        return syntax.Boolean(False, token.start_pos)

    def null(self, token):
        return syntax.Null(token.start_pos)

    def name(self, token):
        return syntax.Name(_free_word(token), token.start_pos)

    def group(self, tree):
        return tree

    def list_of(self, token, items):
        return syntax.Items(items or (), token.start_pos)

    def items(self, *items):
        return items

    def arguments(self, *arguments):
        return arguments

    def named_argument(self, token, value):
        return (str(token), value, token.start_pos)

    def unary(self, token, operand):
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
        return syntax.Lambda((_free_word(token),), body, token.start_pos)

    def lambda_many(self, *parts):
        names, body = parts[:-1], parts[-1]
        if len({str(name) for name in names}) < len(names):
            raise ExpressionError("a function names two of its values alike", names[0].start_pos)
        return syntax.Lambda(tuple(_free_word(name) for name in names), body, names[0].start_pos)


def _free_word(token) -> str:
    """A name of a value, which no word of the language can be."""
    if token in KEYWORDS:
        raise ExpressionError(f"'{token}' is a word of the language and cannot stand here", token.start_pos)
    return str(token)


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
    tree = _plain(text) or _parsed(text)
    if len(text) > MAX_DEPTH and syntax.depth(tree) > MAX_DEPTH + 1:
        message = f"the expression has more than {MAX_DEPTH} operations inside one another"
        raise ExpressionError(message, 0, "give its parts names")
    return tree


def _parsed(text: str) -> Tree:
    try:
        return _lark().parse(text)  # type: ignore[return-value]
    except VisitError as error:
        raise error.orig_exc from None
    except UnexpectedInput as error:
        raise explained(error, text) from None
