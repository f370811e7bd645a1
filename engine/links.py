"""Files that an input names: fields that are paths give way to what the files there hold.

A path starts at the folder of the file that it stands in. A candidate's paths may not lead out of that folder, also not
through a symbolic link; those of reference and operator material may, since whoever wrote them owns the machine.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .input_files import A_FOLDER, ABSENT, MAX_BYTES, NOT_REGULAR, Invalid, cannot_be_read, inside, read, refusal
from .rubric import Input, Link

MAX_LINKED_BYTES = 16 * MAX_BYTES
"""Of all linked files of one input that are parsed."""
_MISSING = (ABSENT, A_FOLDER, NOT_REGULAR)


def follow(declared: Input, value: Any, folder: Path, shown: Path) -> Any:
    """A raw value with its links followed from `folder`, called `shown` in messages; `Invalid` where one cannot be."""
    if not declared.links or isinstance(value, Invalid):
        return value
    following = _Following(folder if declared.origin == "candidate" else None)
    try:
        return following.within(value, _tree(declared.links), "", (folder, shown))
    except _Broken as broken:
        return Invalid(str(broken))


@dataclass
class _Branch:
    """The links at and below one part of a value."""

    link: Link | None = None
    below: dict[str, "_Branch"] = field(default_factory=dict)


def _tree(links: Mapping[str, Link]) -> _Branch:
    root = _Branch()
    for link in links.values():
        branch = root
        for part in link.path:
            branch = branch.below.setdefault(part, _Branch())
        branch.link = link
    return root


class _Broken(Exception):
    """A link cannot be followed."""


Folder = tuple[Path, Path]  # to open files from, and as messages call it


@dataclass
class _Following:
    """The files of one input that were read so far, each once. `jail`: the folder that no path may leave."""

    jail: Path | None
    known: dict[tuple[str, str], Any] = field(default_factory=dict)
    parsed: int = 0

    def within(self, value: Any, branch: _Branch, place: str, folder: Folder) -> Any:
        """The value, its parts replaced; lists are gone through member by member. Nothing given is changed."""
        if isinstance(value, list):
            return [self.within(member, branch, f"{place}[{at}]", folder) for at, member in enumerate(value)]
        if not isinstance(value, dict):
            return value
        replaced = dict(value)
        for part, inner in branch.below.items():
            for name in value if part == "*" else (part,):
                if name in value:
                    path = f"{place}.{name}" if place else name
                    replaced[name] = self._member(replaced[name], inner, path, folder)
        return replaced

    def _member(self, value: Any, branch: _Branch, place: str, folder: Folder) -> Any:
        if branch.link is None:
            return self.within(value, branch, place, folder)
        if isinstance(value, list):
            return [self._member(member, branch, f"{place}[{at}]", folder) for at, member in enumerate(value)]
        if not isinstance(value, str):
            return value
        held = self._held(branch.link, value, place, folder)
        opened, shown = folder[0] / value, folder[1] / value
        return self.within(held, branch, place, (opened.parent, shown.parent)) if branch.below else held

    def _held(self, link: Link, text: str, place: str, folder: Folder) -> Any:
        """What the file of a link holds."""
        if not text.strip():
            raise _Broken(f"{place} names no file")
        path, name = folder[0] / text, (folder[1] / text).as_posix()
        if self.jail is not None and not _stays(path, self.jail):
            raise _Broken(f"{name} leads out of the folder, named at {place}")
        key = (link.format, str(path))
        if key not in self.known:
            self.known[key] = self._read(link, path, name, place)
        held = self.known[key]
        return held | {"name": text} if link.format == "file" else held

    def _read(self, link: Link, path: Path, name: str, place: str) -> Any:
        reason = refusal(path, None)
        if reason in _MISSING and link.may_be_missing:
            return _file(path, None, None) if link.format == "file" else None
        if reason is None and link.format == "file":
            value = _measured(path, name)
        else:
            value = read(link.format, path, name)
            self.parsed += path.stat().st_size if reason is None else 0
        if isinstance(value, Invalid):
            raise _Broken(f"{value.reason}, named at {place}")
        if self.parsed > MAX_LINKED_BYTES:
            raise _Broken(f"its files hold more than {MAX_LINKED_BYTES // 1024**2} MiB together, with {name}")
        return value


def _stays(path: Path, jail: Path) -> bool:
    try:
        return inside(path, jail)
    except ValueError:  # no name of a file, which reading it will say
        return True


def _file(path: Path, size: int | None, digest: str | None) -> dict[str, Any]:
    return {"path": str(path), "extension": path.suffix.lower(), "bytes": size, "sha256": digest}


def _measured(path: Path, name: str) -> dict[str, Any] | Invalid:
    """A file that is named, not read: its size and SHA-256, streamed."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return _file(path, os.fstat(file.fileno()).st_size, digest)
    except OSError as error:
        return Invalid(f"{name} {cannot_be_read(error)}")
