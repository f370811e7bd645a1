"""A folder that a command writes: whole or not at all, and never over one that is there.

What goes into it is said for each file by its name: `{"json": value}`, `{"text": "..."}`, or `{"file": path, "sha256":
digest}` for one that is taken over as it is, by a hard link where the file system has them, else by a streamed copy.
"""

import errno
import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .faults import CallFault
from .files import FULL, NO_HARD_LINKS, cannot_be_written, must_have_a_folder, write_synced
from .json_text import encode

_NAME = re.compile(r"(?!\.{1,2}\Z)[^/\\\0]{1,255}")
_PIECE = 1024 * 1024


def check_free_folder(path: Path) -> None:
    """Refuse, before any work is done, a path that `write_folder` would refuse after it. Raises `CallFault`."""
    try:
        if path.is_symlink() or path.exists():
            raise CallFault(f"{path} exists and is not overwritten; use another name")
        must_have_a_folder(path)
    except (OSError, ValueError) as error:
        raise CallFault(cannot_be_written(path, error)) from None


def write_folder(path: Path, members: Any) -> None:
    """Write a new folder with its files. It is made beside the path and gets its name when it is complete.

    Raises `CallFault`, and then nothing is left behind: where the path is taken, the disk is full, or a file that is
    taken over is not what its digest says.
    """
    check_free_folder(path)
    files = _checked(members)
    beside = path.with_name(f".rubric-{secrets.token_hex(8)}.part")
    try:
        beside.mkdir()
        for name, content in files.items():
            _write(beside / name, content)
        _name(beside, path)
    except FileExistsError:
        raise CallFault(f"{path} exists and is not overwritten; use another name") from None
    except (OSError, ValueError) as error:
        raise CallFault(cannot_be_written(path, error)) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _checked(members: Any) -> Mapping[str, Mapping[str, Any]]:
    """What goes into the folder, each with a name that stays in it; names may not differ by case alone."""
    if not isinstance(members, Mapping) or not members:
        raise CallFault("a folder is made from a map of its files, and there is none")
    for name, content in members.items():
        if not _NAME.fullmatch(name):
            raise CallFault(f"'{name[:40]}' is no name for a file in a folder")
        kinds = isinstance(content, Mapping) and content.keys() & {"json", "text", "file"}
        if not kinds or len(kinds) != 1:
            raise CallFault(f"'{name}' is made from one of json, text and file")
    if len({name.casefold() for name in members}) < len(members):
        raise CallFault("two files of the folder have names that differ by case alone, or not at all")
    return members


def _write(path: Path, content: Mapping[str, Any]) -> None:
    if "file" in content:
        _take_over(Path(content["file"]), path, content.get("sha256"))
    elif "text" in content:
        write_synced(path, str(content["text"]).encode("utf-8", "backslashreplace"))
    else:
        write_synced(path, (encode(content["json"], indent=2) + "\n").encode("utf-8", "backslashreplace"))


def _take_over(source: Path, path: Path, digest: str | None) -> None:
    """A file under a new name, and only if it still is what it was when its digest was taken."""
    try:
        found = _linked(source, path)
    except OSError as error:
        if error.errno in FULL:
            raise
        raise CallFault(f"{source} cannot be taken over: {error.strerror}") from None
    if digest is not None and found != digest:
        raise CallFault(f"{source} was changed while it was taken over; nothing was written")


def _linked(source: Path, path: Path) -> str:
    real = os.path.realpath(source)
    try:
        os.link(real, path)
    except OSError as error:
        if error.errno not in (*NO_HARD_LINKS, errno.EXDEV):
            raise
        return _copied(real, path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _copied(source: str, path: Path) -> str:
    digest = hashlib.sha256()
    with open(source, "rb") as original, path.open("xb") as copy:
        while piece := original.read(_PIECE):
            digest.update(piece)
            copy.write(piece)
        copy.flush()
        os.fsync(copy.fileno())
    return digest.hexdigest()


def _name(beside: Path, path: Path) -> None:
    """Give a complete folder its name. The name is taken first, so that of two that write it one is refused."""
    path.mkdir()
    try:
        with suppress(OSError):
            os.rename(beside, path)
            return
        path.rmdir()  # where a folder cannot replace an empty one
        os.rename(beside, path)
    except OSError:
        with suppress(OSError):
            path.rmdir()
        raise
