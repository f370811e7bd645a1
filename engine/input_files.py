"""One file that an input is made of: read safely, and parsed. Whose fault a bad one is, others decide."""

import os
import stat
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from .document import plain, read_document
from .findings import RubricError
from .json_text import JsonFault, decode_bytes, decode_line, text_of
from .table_files import TableFault, other_rows, unpacked
from .tables.raw_rows import RawRows, by_column
from .unreadable import Invalid, Unreadable

MAX_BYTES = 64 * 1024 * 1024
"""Of one file that is read. What an input's `file` names is not read here, and may have any size."""
MAX_TABLE_BYTES = 1024 * 1024 * 1024
"""Of one file of rows."""
_LIMITS = {"file": None, "jsonl": MAX_TABLE_BYTES}
ABSENT, A_FOLDER, NOT_REGULAR = "does not exist", "is a folder, a file was expected", "is no regular file"


def read(format: str, path: Path, name: str) -> Any:
    """The value that a file holds in a format; of `file` its path. `Invalid`, with `name`, where there is none."""
    reason = refusal(path, _LIMITS.get(format, MAX_BYTES))
    if reason is not None:
        return Invalid(f"{name} {reason}")
    if format == "file":
        return str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        return Invalid(f"{name} {cannot_be_read(error)}")
    return _table(path.name, data, name) if format == "jsonl" else parse(format, data, name)


def _table(file: str, data: bytes, name: str) -> Any:
    """The rows of a file, in the format that its name tells."""
    try:
        inner, data = unpacked(file, data, MAX_TABLE_BYTES)
        rows = other_rows(inner, data, MAX_TABLE_BYTES)
        return rows if rows is not None else parse("jsonl", data, name)
    except (TableFault, JsonFault) as fault:
        return Invalid(f"{name}: {fault}")


def refusal(path: Path, limit: int | None) -> str | None:
    """Why something is not read, None if it can be. Only regular files are: a device or a pipe could last for ever."""
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except (OSError, ValueError) as error:
        return cannot_be_read(error)
    if stat.S_ISDIR(found.st_mode):
        return A_FOLDER
    if not stat.S_ISREG(found.st_mode):
        return NOT_REGULAR
    if limit is not None and found.st_size > limit:
        return f"is larger than {limit // 1024 // 1024} MiB"
    return None


def cannot_be_read(error: OSError | ValueError) -> str:
    reason = getattr(error, "strerror", None) or "this is no name of a file"
    return f"cannot be read: {reason[:1].lower()}{reason[1:]}"


def parse(format: str, data: bytes, name: str) -> Any:
    """The value that bytes hold in a format, or `Invalid`."""
    try:
        match format:
            case "json":
                return decode_bytes(data)
            case "jsonl":
                return _rows(data)
            case "yaml":
                return plain(read_document(data, name).root)
            case _:
                return text_of(data)
    except JsonFault as fault:
        return Invalid(f"{name}: {fault}")
    except (RubricError, yaml.YAMLError) as error:
        return Invalid(str(error).splitlines()[0])


def _rows(data: bytes) -> list[Any]:
    """The values of JSON Lines; blank lines are passed over, a line without a value is kept as `Unreadable`."""
    if not by_column(len(data)):
        return list(_lines(text_of(data)))
    if not data.isascii():
        text_of(data)
    return RawRows(data.removeprefix(BOM_UTF8), lambda data: _lines(text_of(data)))


def _lines(text: str) -> Iterator[Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(" \t\r"):
            yield row_of(line, number)


def row_of(line: str, number: int) -> Any:
    """The value on a line of JSON Lines, or `Unreadable`."""
    try:
        return decode_line(line, strict=True)
    except JsonFault as fault:
        return Unreadable(f"line {number} is no JSON value: {fault}")


def inside(path: Path, root: Path) -> bool:
    """Whether what a path leads to, symbolic links and all, lies in a folder."""
    real, real_root = os.path.realpath(path), os.path.realpath(root)
    return os.path.commonpath([real, real_root]) == real_root
