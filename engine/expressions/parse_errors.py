"""What to say about a text that is no expression: what was found, what could stand there, what may have been meant."""

import re
import unicodedata
from collections.abc import Sequence

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken


class ExpressionError(ValueError):
    """A text that is no expression; `at` is the character at which it goes wrong."""

    def __init__(self, message: str, at: int, hint: str | None = None):
        super().__init__(message)
        self.message = message
        self.at = at
        self.hint = hint


_CHOICE = "a choice is written: a if test else b"
_FUNCTION = "a function of one value is written x -> ..., of two (x, y) -> ..."
_LOOKALIKES = {
    **dict.fromkeys("“”„«»", 'text stands in straight quotes: "..."'),
    **dict.fromkeys("‘’‚´", "text stands in straight quotes: '...'"),
    **dict.fromkeys("−–—", "a minus is written -"),
    **dict.fromkeys("×·∗", "a product is written *"),
    "÷": "a quotient is written /",
    "≥": "write >=",
    "≤": "write <=",
    "≠": "write !=",
    "→": "write ->",
    "∧": "write 'and'",
    "∨": "write 'or'",
    "¬": "write 'not'",
    "∈": "write 'in'",
    "…": "a range is written 1..3",
}

# Signs of other languages, the longest first, by what stands where the text goes wrong.
_SIGNS = {
    "===": "equality is written ==",
    "!==": "write !=",
    ">==": "write >=",
    "<==": "write <=",
    "...": "a range is written 1..3",
    "&&": "write 'and'",
    "||": "write 'or'",
    "=>": "at least is written >=, a function x -> ...",
    "=<": "at most is written <=",
    "<>": "write !=",
    "//": "a whole quotient is written floor(a / b)",
    ":=": "values get names as keys of YAML mappings",
    "->": _FUNCTION,
    "=": "equality is written ==",
    "&": "write 'and'",
    "|": "write 'or'; alternatives with '|' belong into records",
    "!": "write 'not', or != for unequal",
    "~": "write 'not'",
    "%": "there is no remainder; of whole numbers it is a - b * floor(a / b)",
    "^": "a power is written **",
    "?": "a value in place of null is written a ?? b; " + _CHOICE,
    ":": "a named argument is written name=value; mappings and parts of texts are no expressions",
    "{": "a record is written as a YAML mapping, not inside an expression",
    "}": "a record is written as a YAML mapping, not inside an expression",
    "`": 'text stands in quotes: "..."',
    ";": "an expression is one value; parts get names as keys of YAML mappings",
    "#": "a comment stands in YAML, outside of the quotes",
    "**": "a list is given as it is, without stars",
    "*": "a list is given as it is, without stars",
}  # fmt: skip
_HERE_ONLY = ("*", "**")  # what other places take

# Words of other languages, where they stand or where they went before.
_WORDS = {
    "lambda": _FUNCTION,
    "then": _CHOICE,
    "elif": "a choice among several is written: a if test else b if other_test else c",
    "is": "equality is written ==, also with null: x == null",
    "for": "a list is made by map(list, x -> ...) and filter(list, x -> ...)",
    "where": "a condition is given as a function: count(list, x -> ...)",
    "mod": "there is no remainder; of whole numbers it is a - b * floor(a / b)",
    "div": "a whole quotient is written floor(a / b)",
    "xor": "of two booleans it is a != b",
    "contains": "write 'item in list'",
    "between": "write low <= x <= high",
    "like": "a text inside a text is found with 'in'",
    "return": "an expression is the value itself, without 'return'",
    "let": "values get names as keys of YAML mappings",
    "def": _FUNCTION,
    "var": "values get names as keys of YAML mappings",
}
_VALUE = {"NAME", "NUMBER"}
_OPERATORS = {"SIGN", "COALESCE", "IF", "AND", "COMPARE"}
_CLOSING = {"RPAR": "')'", "RSQB": "']'", "COMMA": "','", "ELSE": "'else'"}
_PAIRS = {"(": ")", "[": "]"}
_BETWEEN = frozenset({"if", "else", "and", "or", "in"})  # read as names where no operator can stand


def explained(error: UnexpectedInput, text: str) -> ExpressionError:
    """The parser's error as a sentence for the person who must fix the text."""
    if isinstance(error, UnexpectedCharacters):
        return _at_a_character(text, error.pos_in_stream)
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return _at_a_token(error, text)
    return _at_the_end(getattr(error, "accepts", None) or (), text)


def shown(text: str) -> str:
    """A piece of text in quotes, short, with names for what cannot be seen."""
    if len(text) == 1 and unicodedata.category(text)[0] in "CZ":
        return f"{unicodedata.name(text, 'a character that cannot be seen').lower()} (U+{ord(text):04X})"
    text = text if text.isprintable() else text.encode("unicode_escape").decode()
    return f"'{text[:40]}...'" if len(text) > 40 else f"'{text}'"


def _at_a_character(text: str, at: int) -> ExpressionError:
    found = text[at]
    if found in "\"'":
        return ExpressionError("this text has no closing quote", at, f"close it with {found}")
    sign, start = _sign_at(text, at)
    if sign and sign not in _HERE_ONLY:
        return ExpressionError(f"'{sign}' has no meaning here", start, _hint_of_sign(sign, text, start))
    return ExpressionError(f"{shown(found)} has no meaning here", at, _hint_of_character(found))


def _hint_of_character(found: str) -> str | None:
    if found in _LOOKALIKES:
        return _LOOKALIKES[found]
    if unicodedata.category(found) in ("Zs", "Cf"):
        return "delete it, or write an ordinary space"
    if found.isalpha() or found in "@$":
        return "names are made of the letters a to z, digits and _"
    return None


def _sign_at(text: str, at: int) -> tuple[str, int]:
    """The longest sign of another language around a character, and where it begins; empty where there is none."""
    for sign in sorted(_SIGNS, key=len, reverse=True):
        for start in range(max(0, at - len(sign) + 1), at + 1):
            if text.startswith(sign, start):
                return sign, start
    return "", at


def _hint_of_sign(sign: str, text: str, at: int) -> str | None:
    opened = _open_brackets(text[:at])[-1:]
    if sign == ":" and opened == ["["]:
        return "a part of a list is written take(skip(list, 1), 2)"
    if sign == "=" and opened == ["("]:
        return "a named argument is written name=value, equality =="
    if sign in _HERE_ONLY and text[:at].rstrip()[-1:] not in ("(", ","):
        return None
    return _SIGNS[sign]


def _at_a_token(error: UnexpectedToken, text: str) -> ExpressionError:
    token, at = str(error.token), error.token.start_pos or 0
    previous = error.token_history[-1] if error.token_history else None
    if previous is not None and previous.type == "NAME" and previous in _BETWEEN:
        hint = _CHOICE if previous in ("if", "else") else None
        return ExpressionError(
            f"'{previous}' cannot stand here; expected a value", getattr(previous, "start_pos", 0) or 0, hint
        )
    opened = _open_brackets(text[:at])
    if token in ")]" and (not opened or _PAIRS[opened[-1]] != token):
        return _at_a_bracket(token, at, opened)
    sign, start = _sign_at(text, at)
    hint = _hint_of_sign(sign, text, start) if sign else None
    hint = hint or _hint_between(error, text[:at].rstrip(), text[at:], opened)
    if sign and sign not in _HERE_ONLY:
        token, at = sign, start
    return ExpressionError(f"{shown(token)} cannot stand here{_expected(error.accepts or ())}", at, hint)


def _at_a_bracket(token: str, at: int, opened: list[str]) -> ExpressionError:
    if not opened:
        return ExpressionError(f"'{token}' closes nothing", at, "delete it, or open it before")
    return ExpressionError(f"'{token}' cannot close '{opened[-1]}'", at, f"write '{_PAIRS[opened[-1]]}'")


def _hint_between(error: UnexpectedToken, before: str, rest: str, opened: list[str]) -> str | None:
    """What may have been meant, by the words on both sides."""
    previous = re.search(r"[A-Za-z_][A-Za-z0-9_]*\Z", before)
    for word in (str(error.token), previous[0] if previous else ""):
        if word in _WORDS:
            return _WORDS[word]
    if previous and previous[0] == "not":
        return "unequal is written a != b, not inside a not in b"
    if error.token.type in (*_VALUE, "TEXT", "TRUE", "FALSE", "NULL"):
        return _hint_for_a_value(error.token.type, before, opened)
    return _hint_for_a_sign(str(error.token), before, rest, opened)


def _hint_for_a_value(kind: str, before: str, opened: list[str]) -> str | None:
    """What may be missing before a value that cannot stand here."""
    if kind == "NUMBER" and before.endswith("."):
        return "a member of a list is written list[1]"
    if kind == "NAME" and re.search(r"(?<![A-Za-z_0-9])[0-9.]+\Z", before):
        return "numbers are written like 1000, 0.5 or 1e-3; a product is written 2 * x"
    if before.endswith(('"', "'")):
        return r"texts are joined with +; a quote inside a text is written \" or \'"
    return f"between two values stands {'a comma or ' if opened else ''}an operator"


def _hint_for_a_sign(token: str, before: str, rest: str, opened: list[str]) -> str | None:
    """What may be missing before a sign that cannot stand here."""
    if token == ".":
        return "a number begins with a digit: 0.5"
    if token == "..":
        return "a range has two ends: 1..3"
    if token == ")" and re.match(r"\)\s*->", rest):
        return _FUNCTION
    if token in ",)]" and before.endswith(("(", "[", ",", "->")):
        return "a value is missing"
    return "a list is written [a, b]" if token == "," and not opened else None


def _at_the_end(accepted: Sequence[str] | set[str], text: str) -> ExpressionError:
    if not text.strip():
        return ExpressionError("the expression is empty", 0, "write a value, or null")
    places = _open_places(text)
    if places and "ELSE" not in accepted and not set(accepted) >= _VALUE:
        opened = text[places[-1]]
        return ExpressionError(f"'{opened}' is never closed", places[-1], f"write '{_PAIRS[opened]}' where it ends")
    hint = _CHOICE if "ELSE" in accepted else None
    return ExpressionError(f"the expression ends too early{_expected(accepted)}", len(text.rstrip()), hint)


def _expected(accepted: Sequence[str] | set[str]) -> str:
    """`; expected a value`: what the grammar would take, in few words."""
    found = [name for token, name in _CLOSING.items() if token in accepted]
    if set(accepted) >= _VALUE:
        found.insert(0, "a value")
    elif "NAME" in accepted:
        found.insert(0, "a name")
    elif _OPERATORS & set(accepted) and "ELSE" not in accepted:
        found.insert(0, "an operator")
    if not found:
        return ""
    return f"; expected {', '.join(found[:-1])}{' or ' if found[:-1] else ''}{found[-1]}"


_TEXT_OR_BRACKET = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[()\[\]]", re.DOTALL)


def _open_places(text: str) -> list[int]:
    """Where the brackets stand that are not closed, texts apart."""
    opened: list[int] = []
    for match in _TEXT_OR_BRACKET.finditer(text):
        if match[0] in _PAIRS:
            opened.append(match.start())
        elif match[0] in ")]" and opened:
            opened.pop()
    return opened


def _open_brackets(text: str) -> list[str]:
    return [text[place] for place in _open_places(text)]
