"""JSON as strangers write it: read completely, bounded, the same on every Python version."""

import json
import math
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Any

MAX_DEPTH = 128
_OPENS_AS_ONE = bytes.maketrans(b"{}", b"[]")
_ALL_BUT_MARKS = bytes(set(range(256)) - set(b'[]{}"\\'))


class JsonFault(ValueError):
    """A text that is no JSON value, or one past a bound; the message says where and why."""


def too_deep(text: str) -> bool:
    """Whether more than `MAX_DEPTH` brackets are open at once. Empty pairs are taken away layer by layer, so that a
    text costs a few passes in C, whatever its length.
    """
    marks = text.encode("utf-8", "surrogatepass").translate(_OPENS_AS_ONE, _ALL_BUT_MARKS)
    if len(marks) <= MAX_DEPTH:
        return False
    brackets = _escaped(text) if b"\\" in marks else marks.replace(b'""', b"")
    if b'"' in brackets:
        brackets = b"".join(brackets.split(b'"')[::2])
    if brackets.count(b"[") <= MAX_DEPTH:
        return False
    for _ in range(MAX_DEPTH):
        fewer = brackets.replace(b"[]", b"")
        if len(fewer) == len(brackets):
            break  # nothing is left, or what is left does not pair up
        brackets = fewer
    else:
        return bool(brackets)
    return brackets.count(b"[") > MAX_DEPTH


def _escaped(text: str) -> bytes:
    """The brackets and quotation marks of a text with escapes, without what they escape."""
    plain = text.replace("\\\\", "").replace('\\"', "")
    return plain.encode("utf-8", "surrogatepass").translate(_OPENS_AS_ONE, _ALL_BUT_MARKS).replace(b"\\", b"")


def _integer(digits: str) -> int | float:
    """An integer no 64-bit float can hold becomes infinity, which no record admits."""
    if len(digits.lstrip("-")) <= 308:
        return int(digits)
    return -math.inf if digits[0] == "-" else math.inf


def _refuse(constant: str) -> None:
    raise JsonFault(f"{constant} is not JSON")


_LOOSE = json.JSONDecoder(), json.JSONDecoder(parse_int=_integer)
_STRICT = json.JSONDecoder(parse_constant=_refuse), json.JSONDecoder(parse_constant=_refuse, parse_int=_integer)


def decode(text: str, *, strict: bool = False) -> Any:
    """The value of a JSON text. NaN, Infinity and endless integers come out as numbers past any float for the reader of
    the value to refuse where they stand, unless `strict` refuses the words; of keys that occur twice the last counts.
    Raises `JsonFault`.
    """
    if too_deep(text):
        raise JsonFault(f"it is nested deeper than {MAX_DEPTH} levels")
    try:
        return _read(text, *(_STRICT if strict else _LOOSE))
    except json.JSONDecodeError as error:
        raise JsonFault(_sentence(error, text)) from None


def _read(text: str, quick: json.JSONDecoder, slow: json.JSONDecoder) -> Any:
    try:
        return quick.decode(text)
    except (json.JSONDecodeError, JsonFault):
        raise
    except ValueError:  # Python's own limit on the digits of an integer
        return slow.decode(text)


_REASONS = {
    "Unterminated string starting at": "the text that begins here does not end",
    "Invalid control character at": "a control character stands in a text; write it as an escape",
}


def _sentence(error: json.JSONDecodeError, text: str) -> str:
    """Where and why a text is no JSON; of a comma before a closing bracket in one way, which Python 3.13 changed."""
    before = text[: error.pos].rstrip(" \t\r\n")
    at_bracket = text[error.pos : error.pos + 1] in ("]", "}") and before.endswith(",")
    if at_bracket or error.msg.startswith("Illegal trailing comma"):
        place = len(before) - 1 if at_bracket else error.pos
        error = json.JSONDecodeError("nothing follows the comma", text, place)
    reason = _REASONS.get(error.msg) or error.msg[:1].lower() + error.msg[1:]
    return f"line {error.lineno}, column {error.colno}: {reason}"


def decode_line(text: str, *, strict: bool = False) -> Any:
    """The value on one line of JSON Lines; the message of a fault names the column alone. Raises `JsonFault`."""
    try:
        return decode(text, strict=strict)
    except JsonFault as fault:
        raise JsonFault(str(fault).removeprefix("line 1, ")) from None


def decode_bytes(data: bytes) -> Any:
    """The value of a JSON file: UTF-8, with or without a byte-order mark. Raises `JsonFault`."""
    return decode(text_of(data))


def text_of(data: bytes) -> str:
    """The text of UTF-8 bytes, with or without a byte-order mark. Raises `JsonFault` with the place of a bad byte."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise JsonFault("it is UTF-16, UTF-8 was expected") from None
        line = data.count(b"\n", 0, error.start) + 1
        raise JsonFault(f"line {line}: byte 0x{data[error.start]:02x} is not UTF-8") from None


def encode(value: Any, *, indent: int | None = None) -> str:
    """Strict JSON text: the same bytes for the same value; half surrogates are written as escapes."""
    separators = (", ", ": ") if indent is None else (",", ": ")
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
