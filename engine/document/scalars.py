"""What a plain scalar means: the core schema of YAML 1.2 (https://yaml.org/spec/1.2.2/#103-core-schema).

So `no`, `on`, `12:30`, `2026-01-01` and `1_000` are strings, and `1e-3` is a number. NaN and infinity do not exist.
"""

import math
import re

MAX_NUMBER = 400
"""Characters of one number: more than any finite float64 needs."""

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER_START = frozenset("0123456789+-.")
MAYBE_NO_TEXT = _NUMBER_START | {word[:1] for word in _WORDS}
"""First characters (or none) of the plain scalars that may be no string; with any other, they surely are."""

_NUMBER = re.compile(
    r"(?P<decimal>[-+]?[0-9]+)|(?P<octal>0o[0-7]+)|(?P<hexadecimal>0x[0-9a-fA-F]+)"
    r"|(?P<float>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<special>[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))"
)
_BASES = {"decimal": 10, "octal": 8, "hexadecimal": 16}


class UnreadableNumber(Exception):
    """A plain scalar that has the form of a number, and a value that no rubric may hold."""

    def __init__(self, id: str, message: str, hint: str):
        super().__init__(message)
        self.id, self.message, self.hint = id, message, hint


def read_plain(text: str) -> str | int | float | bool | None:
    """The value of a plain scalar. Raises UnreadableNumber for NaN, infinity, and what is too large or too long."""
    value = _WORDS.get(text, text)
    if value is text and text[0] in _NUMBER_START:
        match = _NUMBER.fullmatch(text)
        return _read_number(text, match.lastgroup) if match else text
    return value


def _read_number(text: str, form: str | None) -> int | float:
    if form == "special":
        raise UnreadableNumber("not-finite", f"`{text}` is not a finite number", "write null for what is not known")
    if len(text) > MAX_NUMBER:
        message = f"this number has {len(text)} characters, and at most {MAX_NUMBER} are read"
        raise UnreadableNumber("number-too-long", message, "put it in quotes if it is a text")
    value = int(text, _BASES[form]) if form in _BASES else float(text)
    if not _is_finite(value):
        message = "this number is beyond the largest float64, about 1.8e308"
        raise UnreadableNumber("not-finite", message, "put it in quotes if it is a text, such as a hash")
    return value


def _is_finite(value: int | float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
