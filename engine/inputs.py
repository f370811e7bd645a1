"""Inputs from files or values, before any record is applied to them.

Whom an input comes from decides what a fault in it is: of reference and operator material it is an infrastructure
fault, of a candidate's it makes the input invalid, whatever the bytes. Messages name a path as the caller wrote it, so
that they are the same from every folder.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .faults import CallFault, InfrastructureFault
from .findings import suggestion
from .input_files import MAX_BYTES, Invalid, Unreadable, inside, read, refusal
from .links import follow
from .rubric import Input, Rubric

__all__ = [
    "MAX_BYTES",
    "Invalid",
    "RawInputs",
    "Unreadable",
    "check_names",
    "read",
    "read_input",
    "read_inputs",
]


@dataclass
class RawInputs:
    """The raw value of each input of one case, `Invalid` where it could not be read; the files of inputs that are lists
    of files, as the caller named them.
    """

    values: dict[str, Any] = field(default_factory=dict)
    files: dict[str, list[str]] = field(default_factory=dict)


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
        if declared.many and declared.format != "jsonl":
            raw.files[declared.name] = _files(values.get(declared.name))
    return raw


def _files(value: Any) -> list[str]:
    """The names of the files that a list was read from; empty where a member is no file."""
    members = value if isinstance(value, list) else [value]
    return [str(member) if isinstance(member, (str, Path)) else "" for member in members]


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
        return follow(declared, read(declared.format, path, str(value)), path.parent, Path(value).parent)
    if declared.format in ("text", "file", "folder"):
        return Invalid(f"a path was expected, not {'null' if value is None else 'a value'}")
    if declared.format == "jsonl" and not isinstance(value, list):
        return Invalid("a list of rows, or a path, was expected")
    return follow(declared, value, folder or Path(), Path()) if declared.links else value


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
        files = sorted(path for path in root.glob(pattern) if refusal(path, None) is None and inside(path, root))
        return {path.relative_to(root).as_posix(): str(path) for path in files}
    if not inside(root / pattern, root):
        return Invalid(f"{pattern} leads out of the folder")
    return read(format, root / pattern, pattern)
