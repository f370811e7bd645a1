"""JSON as strangers write it: read completely, bounded, the same on every Python version."""

import json
import math
import re
from typing import Any

MAX_DEPTH = 128
_LONG_NUMBER = re.compile(r"[0-9]{300}")
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


class JsonFault(ValueError):
    """A text that is no JSON value, or one past a bound; the message says where and why."""


def depth(text: str) -> int:
    """The number of brackets that are open at once, outside of texts."""
    deepest = level = 0
    for match in _TOKENS.finditer(text):
        token = match[0]
        if token in "[{":
            level += 1
            deepest = max(deepest, level)
        elif token in "]}":
            level -= 1
    return deepest


def _integer(digits: str) -> int | float:
    """An integer no 64-bit float can hold becomes infinity, which no record admits."""
    if len(digits) <= 308:
        return int(digits)
    return -math.inf if digits[0] == "-" else math.inf


def decode(text: str) -> Any:
    """The value of a JSON text. NaN, Infinity and endless integers come out as non-finite floats for the reader of the
    value to refuse where they stand; of keys that occur twice the last counts. Raises `JsonFault`.
    """
    if text.count("[") + text.count("{") > MAX_DEPTH and depth(text) > MAX_DEPTH:
        raise JsonFault(f"it is nested deeper than {MAX_DEPTH} levels")
    options = {"parse_int": _integer} if _LONG_NUMBER.search(text) else {}
    try:
        return json.loads(text, **options)
    except json.JSONDecodeError as error:
        raise JsonFault(f"line {error.lineno}, column {error.colno}: {error.msg[:1].lower()}{error.msg[1:]}") from None


def decode_bytes(data: bytes) -> Any:
    """The value of a JSON file: UTF-8, with or without a byte-order mark. Raises `JsonFault`."""
    return decode(text_of(data))


def text_of(data: bytes) -> str:
    """The text of UTF-8 bytes, with or without a byte-order mark. Raises `JsonFault` with the place of a bad byte."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise JsonFault(f"line {line}: byte 0x{data[error.start]:02x} is not UTF-8") from None


def encode(value: Any, *, indent: int | None = None) -> str:
    """Strict JSON text: the same bytes for the same value; half surrogates are written as escapes."""
    separators = (", ", ": ") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
