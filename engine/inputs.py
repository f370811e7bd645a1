"""Inputs from files or values, before any record is applied to them.

Whom an input comes from decides what a fault in it is: of reference and operator material it is an infrastructure
fault, of a candidate's it makes the input invalid, whatever the bytes. Messages name a path as the caller wrote it, so
that they are the same from every folder.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .document import plain, read_document
from .faults import CallFault, InfrastructureFault
from .findings import RubricError, suggestion
from .json_text import JsonFault, decode_bytes, decode_line, text_of
from .rubric import Input, Rubric

MAX_BYTES = 64 * 1024 * 1024
"""Of one file that is read. What an input's `file` names is not read here, and may have any size."""


@dataclass(frozen=True, slots=True)
class Invalid:
    """An input, or a file of one, that could not be read, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """In place of a row or a member of a list that could not be read: why."""

    reason: str


@dataclass
class RawInputs:
    """The raw value of each input of one case, `Invalid` where it could not be read."""

    values: dict[str, Any] = field(default_factory=dict)


def check_names(rubric: Rubric, names: Mapping[str, Any]) -> None:
    """Refuse a call with inputs that the rubric does not have, or without those it needs."""
    unknown = [name for name in names if name not in rubric.inputs]
    if unknown:
        hint = suggestion(unknown[0], list(rubric.inputs)) or f"its inputs are: {', '.join(rubric.inputs)}"
        raise CallFault(f"the rubric has no input '{unknown[0]}'; {hint}")
    missing = [
        declared.name
        for declared in rubric.inputs.values()
        if declared.name not in names and not declared.has_default and not declared.may_be_empty
    ]
    if missing:
        raise CallFault(f"the rubric needs {', '.join(f'{name}=...' for name in missing)}")


def read_inputs(rubric: Rubric, values: Mapping[str, Any], folder: Path | None = None) -> RawInputs:
    """The raw values of a case's inputs, paths from `folder`. Raises `CallFault` and `InfrastructureFault`."""
    check_names(rubric, values)
    raw = RawInputs()
    for declared in rubric.inputs.values():
        raw.values[declared.name] = read_input(declared, values, folder)
    return raw


def read_input(declared: Input, values: Mapping[str, Any], folder: Path | None) -> Any:
    """The raw value of one input, its default where it is not given. A text is a path, all else is the value."""
    if declared.name not in values:
        return [] if declared.many else declared.default
    value = values[declared.name]
    if value is None and declared.has_default:
        return declared.default
    if not declared.many:
        return _checked(declared, _one(declared, value, folder))
    members = value if isinstance(value, list) else [value]
    return [row for member in members for row in _rows(declared, _checked(declared, _one(declared, member, folder)))]


def _rows(declared: Input, value: Any) -> list[Any]:
    """What a member of a list of files adds to it: the rows of a JSON Lines file, else itself."""
    if isinstance(value, Invalid):
        return [Unreadable(value.reason)]
    return value if declared.format == "jsonl" else [value]


def _checked(declared: Input, value: Any) -> Any:
    if isinstance(value, Invalid) and declared.origin != "candidate":
        raise InfrastructureFault(declared.origin, f"input '{declared.name}': {value.reason}")
    return value


def _one(declared: Input, value: Any, folder: Path | None) -> Any:
    if isinstance(value, (str, Path)):
        path = folder / value if folder is not None else Path(value)
        if declared.format == "folder":
            return _folder(declared, path, str(value))
        return read(declared.format, path, str(value))
    if declared.format in ("text", "file", "folder"):
        return Invalid(f"a path was expected, not {'null' if value is None else 'a value'}")
    if declared.format == "jsonl" and not isinstance(value, list):
        return Invalid("a list of rows, or a path, was expected")
    return value


# ---------------------------------------------------------------- one file


def read(format: str, path: Path, name: str) -> Any:
    """The value that a file holds in a format; of `file` its path. `Invalid`, with `name`, where there is none."""
    reason = _refusal(path, MAX_BYTES if format != "file" else None)
    if reason is not None:
        return Invalid(f"{name} {reason}")
    if format == "file":
        return str(path)
    try:
        return parse(format, path.read_bytes(), name)
    except OSError as error:
        return Invalid(f"{name} {_cannot_be_read(error)}")


def _refusal(path: Path, limit: int | None) -> str | None:
    """Why something is not read, None if it can be. Only regular files are: a device or a pipe could last for ever."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return "does not exist"
    except (OSError, ValueError) as error:
        return _cannot_be_read(error)
    if stat.S_ISDIR(found.st_mode):
        return "is a folder, a file was expected"
    if not stat.S_ISREG(found.st_mode):
        return "is no regular file"
    if limit is not None and found.st_size > limit:
        return f"is larger than {limit // 1024 // 1024} MiB"
    return None


def _cannot_be_read(error: OSError | ValueError) -> str:
    reason = getattr(error, "strerror", None) or "this is no name of a file"
    return f"cannot be read: {reason[:1].lower()}{reason[1:]}"


def parse(format: str, data: bytes, name: str) -> Any:
    """The value that bytes hold in a format, or `Invalid`."""
    try:
        match format:
            case "json":
                return decode_bytes(data)
            case "jsonl":
                return list(_lines(text_of(data)))
            case "yaml":
                return plain(read_document(data, name).root)
            case _:
                return text_of(data)
    except JsonFault as fault:
        return Invalid(f"{name}: {fault}")
    except (RubricError, yaml.YAMLError) as error:
        return Invalid(str(error).splitlines()[0])


def _lines(text: str) -> Iterator[Any]:
    """The values of JSON Lines; blank lines are passed over, a line without a value is kept as `Unreadable`."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(" \t\r"):
            try:
                yield decode_line(line, strict=True)
            except JsonFault as fault:
                yield Unreadable(f"line {number} is no JSON value: {fault}")


# ---------------------------------------------------------------- a folder


def _folder(declared: Input, root: Path, name: str) -> Any:
    """The files of a folder by their name in the rubric; `Invalid` where one cannot be read or leads out of it."""
    if not os.path.isdir(root):
        return Invalid(f"{name} is no folder" if os.path.lexists(root) else f"{name} does not exist")
    found: dict[str, Any] = {}
    for member, source in declared.folder.items():
        for format, pattern in source.items():
            value = _folder_file(format, root, pattern)
            if isinstance(value, Invalid) and declared.origin != "candidate":
                return value
            found[member] = value
    return found


def _folder_file(format: str, root: Path, pattern: str) -> Any:
    if format == "files":
        files = sorted(path for path in root.glob(pattern) if _refusal(path, None) is None and _inside(path, root))
        return {path.relative_to(root).as_posix(): str(path) for path in files}
    if not _inside(root / pattern, root):
        return Invalid(f"{pattern} leads out of the folder")
    return read(format, root / pattern, pattern)


def _inside(path: Path, root: Path) -> bool:
    """Whether what a path leads to, symbolic links and all, lies in a folder."""
    real, real_root = os.path.realpath(path), os.path.realpath(root)
    return os.path.commonpath([real, real_root]) == real_root
