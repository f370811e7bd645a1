"""Inputs from files or values, before any record is applied to them.

Whom an input comes from decides what a fault in it is: of reference and operator material it is an infrastructure
fault, of a candidate's it makes the input invalid, whatever the bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .document import plain, read_document
from .faults import CallFault, InfrastructureFault
from .findings import RubricError
from .json_text import JsonFault, decode, decode_bytes, text_of
from .rubric import Input, Rubric

MAX_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Invalid:
    """An input that could not be read, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line of a JSON Lines file that holds no JSON value."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Given:
    """What a caller gives for one input: a path, or a value as JSON would give it."""

    value: Any = None
    path: Path | None = None


@dataclass
class RawInputs:
    """The raw value of each input of one case, `Invalid` where it could not be read."""

    values: dict[str, Any] = field(default_factory=dict)


def given(value: Any, folder: Path | None = None) -> Given:
    """A caller's value: texts and paths are paths, from `folder` where relative; everything else is the value."""
    if isinstance(value, (str, Path)):
        path = Path(value)
        return Given(path=folder / path if folder is not None else path)
    return Given(value=value)


def check_names(rubric: Rubric, names: Mapping[str, Any]) -> None:
    """Refuse a call with inputs that the rubric does not have, or without those it needs."""
    unknown = [name for name in names if name not in rubric.inputs]
    if unknown:
        known = ", ".join(rubric.inputs)
        raise CallFault(f"the rubric has no input '{unknown[0]}'; its inputs are: {known}")
    missing = [
        declared.name
        for declared in rubric.inputs.values()
        if declared.name not in names and not declared.has_default and not declared.may_be_empty
    ]
    if missing:
        raise CallFault(f"the rubric needs {', '.join(f'{name}=...' for name in missing)}")


def read_inputs(rubric: Rubric, values: Mapping[str, Any], folder: Path | None = None) -> RawInputs:
    """The raw values of a case's inputs. Raises `CallFault` and `InfrastructureFault`."""
    check_names(rubric, values)
    raw = RawInputs()
    for declared in rubric.inputs.values():
        raw.values[declared.name] = read_input(declared, values, folder)
    return raw


def read_input(declared: Input, values: Mapping[str, Any], folder: Path | None) -> Any:
    """The raw value of one input, its default where it is not given."""
    if declared.name not in values:
        return [] if declared.many else declared.default
    value = values[declared.name]
    if value is None and declared.has_default:
        return declared.default
    if not declared.many:
        return _checked(declared, _one(declared, given(value, folder)))
    members = value if isinstance(value, list) else [value]
    return [_checked(declared, _one(declared, given(member, folder))) for member in members]


def _checked(declared: Input, value: Any) -> Any:
    if isinstance(value, Invalid) and declared.origin != "candidate":
        raise InfrastructureFault(declared.origin, f"input '{declared.name}': {value.reason}")
    return value


def _one(declared: Input, source: Given) -> Any:
    if source.path is None:
        return source.value
    if declared.format == "folder":
        return _folder(declared, source.path)
    data = read_bytes(source.path)
    if isinstance(data, Invalid):
        return data
    return parse(declared.format, data, source.path)


def read_bytes(path: Path) -> bytes | Invalid:
    """The bytes of a file, or why there are none."""
    try:
        if path.is_dir():
            return Invalid(f"{path} is a folder, a file was expected")
        if path.stat().st_size > MAX_BYTES:
            return Invalid(f"{path} is larger than {MAX_BYTES // 1024 // 1024} MiB")
        return path.read_bytes()
    except FileNotFoundError:
        return Invalid(f"{path} does not exist")
    except (OSError, ValueError) as error:
        return Invalid(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}")


def parse(format: str, data: bytes, path: Path) -> Any:
    """The value that a file's bytes hold in a format, or `Invalid`."""
    try:
        match format:
            case "json":
                return decode_bytes(data)
            case "jsonl":
                return _lines(text_of(data))
            case "yaml":
                return plain(read_document(data, str(path)).root)
            case "text":
                return text_of(data)
            case _:
                return str(path)
    except JsonFault as fault:
        return Invalid(f"{path}: {fault}")
    except (RubricError, yaml.YAMLError) as error:
        return Invalid(f"{path}: {str(error).splitlines()[0]}")


def _lines(text: str) -> list[Any]:
    """The values of JSON Lines; blank lines are passed over, a line without a value is kept as `Unreadable`."""
    rows: list[Any] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append(decode(line))
        except JsonFault as fault:
            rows.append(Unreadable(number, str(fault)))
    return rows


def _folder(declared: Input, root: Path) -> Any:
    """The files of a folder by their name in the rubric; null where one is missing, never one outside the folder."""
    if not root.is_dir():
        return Invalid(f"{root} is no folder" if root.exists() else f"{root} does not exist")
    found: dict[str, Any] = {}
    for name, source in declared.folder.items():
        for format, pattern in source.items():
            value = _folder_file(format, root, pattern)
            if isinstance(value, Invalid) and declared.origin != "candidate":
                return value
            found[name] = None if isinstance(value, Invalid) else value
    return found


def _folder_file(format: str, root: Path, pattern: str) -> Any:
    if format == "files":
        files = sorted(path for path in root.glob(pattern) if path.is_file() and _inside(path, root))
        return {path.relative_to(root).as_posix(): str(path) for path in files}
    path = root / pattern
    if not _inside(path, root):
        return Invalid(f"{path} leads out of the folder {root}")
    data = read_bytes(path)
    return data if isinstance(data, Invalid) else parse(format, data, path)


def _inside(path: Path, root: Path) -> bool:
    return path.resolve().is_relative_to(root.resolve())
