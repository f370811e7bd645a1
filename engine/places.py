"""Where something is wrong, in words that lead to it: the file, the place in it, and the id of what stands there."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .records import shown

_STEP = re.compile(r"\[(\d+)\]|([^.\[]+)")


def place_of(name: str, path: str, raw: Any, files: Sequence[str] = ()) -> str:
    """A place inside an input, as `input 'ballots', ann.json, ratings[3] ('clip 7')`.

    `files` are the files of an input that is a list of them.
    """
    identity = _identity(path, raw)
    first = re.match(r"\[(\d+)\]\.?", path)
    if first and int(first[1]) < len(files):
        path = ", ".join(part for part in (files[int(first[1])], path[first.end() :]) if part)
    return f"input '{name}'" + (f", {path}" if path else "") + (f" ({identity})" if identity else "")


def _identity(path: str, raw: Any) -> str | None:
    """The id or name of the innermost entry of a list on the way."""
    found, current = None, raw
    for number, key in _STEP.findall(path):
        if number and isinstance(current, list) and int(number) < len(current):
            current = current[int(number)]
            found = identity_of(current) or found
        elif key and isinstance(current, dict):
            current = current.get(key)
    return found


def identity_of(value: Any) -> str | None:
    """How a record calls itself: its `id` or else its `name`, where that is a text."""
    for part in ("id", "name"):
        if isinstance(value, Mapping) and isinstance(value.get(part), str):
            return shown(value[part])
    return None
