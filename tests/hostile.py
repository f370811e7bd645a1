"""What hostile files are made of: for tests of what they can, and cannot, do."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

TOKENS = (
    b"NaN", b"-Infinity", b"1e999", b"-0", b"9" * 400, b"9" * 5000, b"null", b"true", b"{}", b"[]", b'""', b"[" * 200,
    b"]" * 200, b'{"a":' * 200, b"\\ud800", b"\\u0000", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n", b"\x1b[2J",
    b",", b":", b'"', b"\\", b"__class__", b'"id":1,', b"1.7976931348623157e308", b"5e-324", b"\xe2\x80\xa8",
)  # fmt: skip
TEXTS = (
    "", " ", "a", "the", "\ud800", "\u0000", "\u202e", "İ", "ﬁ", "é" * 40, "x" * 5000, "__class__", "__proto__",
    "constructor", "{0.__class__}", "${7*7}", "'; DROP TABLE", "\u00a0", "1", "NaN", "null", "../../etc/passwd",
    "\U0001f600",
)  # fmt: skip
NUMBERS = (
    0, -0.0, 1, -1, 0.5, 1e308, -1e308, 1.7976931348623157e308, 5e-324, 1e-300, 2**53, 2**53 + 1, 10**300, 10**400,
    -(10**400), float("nan"), float("inf"), float("-inf"), 0.1, 1e15, 4, 12, 30,
)  # fmt: skip

texts = st.one_of(st.sampled_from(TEXTS), st.text(max_size=6))
numbers = st.one_of(st.sampled_from(NUMBERS), st.floats(), st.integers(-100, 1000))
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=8,
)


@st.composite
def mutated_bytes(draw: Callable[..., Any], good: bytes) -> bytes:
    """A good file in which some bytes are cut out, put in, doubled or replaced."""
    data = good
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        middle = draw(st.one_of(st.sampled_from(TOKENS), st.binary(max_size=8), st.just(data[start:end] * 2)))
        data = data[:start] + middle + data[end:]
    return data[: draw(st.integers(0, len(data)))] if draw(st.integers(0, 9)) == 0 else data


@st.composite
def mutated_values(draw: Callable[..., Any], good: Any) -> Any:
    """A good value in which some parts are replaced, doubled, added or left out."""
    value = json.loads(json.dumps(good))
    for _ in range(draw(st.integers(1, 5))):
        parent, key = _place(draw, value)
        if parent is None:
            return draw(values)
        match draw(st.sampled_from(["replace", "replace", "drop", "add", "double"])):
            case "replace":
                parent[key] = draw(values)
            case "drop":
                del parent[key]
            case "add" if isinstance(parent, dict):
                parent[draw(texts)] = draw(values)
            case "double" if isinstance(parent, list):
                parent.insert(key, parent[key])
            case _:
                parent[key] = draw(scalars)
    return value


def _place(draw: Callable[..., Any], value: Any) -> tuple[Any, Any]:
    """A place in a value: its parent and its key there; no parent for the whole."""
    parent, key, current = None, None, value
    while isinstance(current, (list, dict)) and current and (parent is None or draw(st.booleans())):
        keys = range(len(current)) if isinstance(current, list) else list(current)
        parent, key = current, draw(st.sampled_from(keys))
        current = current[key]
    return parent, key


def as_json(value: Any) -> bytes:
    """A value as JSON bytes, NaN and all."""
    return json.dumps(value).encode()
