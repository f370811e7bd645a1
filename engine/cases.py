"""Many cases, read one by one: the lines of a JSON Lines file, or the folders in a folder."""

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .faults import CallFault
from .inputs import MAX_BYTES
from .json_text import JsonFault, decode_line, text_of

_BLANK = b" \t\r\n\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class CaseSource:
    """One case, not yet decoded. `number` counts the cases from 1, `line` the lines of a file.

    `inputs` and `id` are given for a folder, which has no text; `fault` is why a case could not even be read.
    """

    number: int
    text: str | None
    folder: str | None
    inputs: Mapping[str, str] | None = None
    id: str | None = None
    line: int | None = None
    fault: str | None = None

    @property
    def place(self) -> str:
        """What a case without an id is called."""
        return f"line {self.line}" if self.line is not None else f"case {self.number}"


def case_of(source: CaseSource) -> tuple[str, Mapping[str, Any]]:
    """The id and the inputs of a case. Raises `CallFault` where it is none; its message begins with the place."""
    if source.fault is not None:
        raise CallFault(f"{source.id or source.place}: {source.fault}")
    if source.inputs is not None:
        return source.id or source.place, source.inputs
    try:
        case = decode_line(source.text or "")
    except JsonFault as fault:
        raise CallFault(f"{source.place} is no JSON: {fault}") from None
    inputs = case.get("inputs") if isinstance(case, dict) else None
    if not isinstance(inputs, dict):
        raise CallFault(f'{source.place} is no case: write {{"id": "...", "inputs": {{...}}}}')
    return _id_of(case, source.place), inputs


def id_of(source: CaseSource) -> str:
    """The id of a case, readable or not; where it has none, its place."""
    if source.id is not None or source.fault is not None:
        return source.id or source.place
    try:
        return _id_of(decode_line(source.text or ""), source.place)
    except JsonFault:
        return source.place


def _id_of(case: Any, place: str) -> str:
    id = case.get("id") if isinstance(case, dict) else None
    if isinstance(id, str):
        return id
    return json.dumps(id) if isinstance(id, (int, float)) and not isinstance(id, bool) else place


# ---------------------------------------------------------------- where they come from


def case_sources(path: Path, rubric_inputs: Iterable[str]) -> Iterator[CaseSource]:
    """The cases of a file, or of a folder with a folder a case. Raises `CallFault` if there is neither, or no case."""
    sources = _folder_cases(path, list(rubric_inputs)) if os.path.isdir(path) else _file_cases(path)
    first = next(sources, None)
    if first is None:
        raise CallFault(f"{path} holds no case")
    yield first
    yield from sources


def _file_cases(path: Path) -> Iterator[CaseSource]:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise CallFault(f"the cases file {path} is no regular file")
        folder, number = os.path.abspath(path.parent), 0
        with path.open("rb") as file:
            for line, data in enumerate(_lines(file), 1):
                if data is None or data.strip(_BLANK):
                    number += 1
                    yield _line_case(number, line, data, folder)
    except FileNotFoundError:
        raise CallFault(f"the cases file {path} does not exist") from None
    except (OSError, ValueError) as error:
        raise CallFault(f"the cases file {path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _lines(file: Any) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is longer than any case may be."""
    while data := file.readline(MAX_BYTES + 1):
        if len(data) <= MAX_BYTES:
            yield data
            continue
        while data and not data.endswith(b"\n"):
            data = file.readline(MAX_BYTES)
        yield None


def _line_case(number: int, line: int, data: bytes | None, folder: str) -> CaseSource:
    if data is None:
        fault = f"it is longer than {MAX_BYTES // 1024 // 1024} MiB"
        return CaseSource(number, "", folder, line=line, fault=fault)
    try:
        return CaseSource(number, text_of(data).rstrip("\r\n"), folder, line=line)
    except JsonFault as fault:
        return CaseSource(number, "", folder, line=line, fault=str(fault).removeprefix("line 1: "))


def _folder_cases(path: Path, names: list[str]) -> Iterator[CaseSource]:
    """In a case's folder the file `truth.json`, or a folder `truth`, is the input `truth`."""
    try:
        folders = sorted(member for member in path.iterdir() if os.path.isdir(member))
    except OSError as error:
        raise CallFault(f"the folder {path} cannot be read: {error.strerror}") from None
    if not folders:
        example = f"{names[0]}.json" if names else "input.json"
        raise CallFault(f"{path} holds no folders: a case is a folder with a file for each input, such as {example}")
    for number, folder in enumerate(folders, 1):
        yield _folder_case(number, folder, names)


def _folder_case(number: int, folder: Path, names: list[str]) -> CaseSource:
    inputs: dict[str, str] = {}
    fault = None
    try:
        members = sorted(os.listdir(folder))
    except OSError as error:
        members, fault = [], f"the folder cannot be read: {error.strerror}"
    for member in members:
        name = member.partition(".")[0]
        if name in inputs:
            fault = f"both {inputs[name]} and {member} could be the input '{name}'"
        elif name in names:
            inputs[name] = member
    return CaseSource(number, None, os.path.abspath(folder), inputs, folder.name, fault=fault)


def count_sources(path: Path) -> int:
    """How many cases there are, for a progress bar."""
    if os.path.isdir(path):
        return len([member for member in path.iterdir() if os.path.isdir(member)])
    with path.open("rb") as file:
        return len([None for data in _lines(file) if data is None or data.strip(_BLANK)])


# ---------------------------------------------------------------- cases given as values


def value_sources(cases: Iterable[Mapping[str, Any]], folder: Path | None = None) -> Iterator[CaseSource]:
    """Cases that a program has at hand, as they stand in a cases file."""
    place = os.path.abspath(folder) if folder is not None else None
    for number, case in enumerate(cases, 1):
        try:
            yield CaseSource(number, encode_loose(case), place)
        except (TypeError, ValueError, RecursionError) as error:
            yield CaseSource(number, "", place, fault=f"it is no JSON: {error}")


def encode_loose(case: Mapping[str, Any]) -> str:
    """A case as JSON text in which even what strict JSON lacks survives, to be judged where it stands."""
    return json.dumps(case, ensure_ascii=True, default=str)
