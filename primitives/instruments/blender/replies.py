"""What a job answers is text that nobody trusts until it has been read within bounds and fits its schema."""

import json
import os
import stat
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from ...faults import ArgumentFault

__all__ = ["checked", "read_file"]

MAX_REPLY_BYTES = 16 * 2**20
_SCHEMA = Path(__file__).with_name("replies.schema.json")


def checked(path: Path, command: str) -> Any:
    """The answer to a job of this kind. Raises `ArgumentFault` where the project made it another thing."""
    try:
        answer = json.loads(
            read_file(path, MAX_REPLY_BYTES).decode("utf-8"), parse_constant=_refuse, parse_float=_finite
        )
    except (OSError, ValueError, RecursionError):
        raise ArgumentFault("project", "Blender gives no answer that can be read") from None
    if _validator("failed").is_valid(answer):
        raise ArgumentFault("project", _printable(answer["failed"]))
    if not _validator(command).is_valid(answer):
        raise ArgumentFault("project", "Blender's answer breaks its schema")
    return answer[command]


def read_file(path: Path, most: int) -> bytes:
    """A file that a job wrote: one that is a file, of no more bytes than this. Raises `OSError`, `ValueError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("no file")
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError("too large")
    return content


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"{text} is too large")
    return value


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text).strip() or "Blender refuses it"


@cache
def _validator(name: str) -> Any:
    from jsonschema.validators import Draft202012Validator

    schema = json.loads(_SCHEMA.read_text(encoding="utf-8"))
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
