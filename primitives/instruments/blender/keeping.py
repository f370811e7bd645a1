"""Results kept by what they were made from, so that the same project is not rendered twice.

An entry is a folder named by the digest of everything that decides its content. It is made beside its place and gets
its name when it is complete; its list of files with their digests is compared at every use. One process makes an entry
while others that want it wait.
"""

import fcntl
import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...faults import InstrumentFault
from .places import cache_folder

__all__ = ["digest_of", "kept", "working_folder"]

MAX_KEPT_BYTES = 20 * 2**30
_UNTOUCHED_SECONDS = 24 * 3600  # what was used since then may be in use
_LIST = "entry.json"


def kept(described: Any, make: Callable[[Path], None]) -> Path:
    """The folder that `make` fills, from the last time where the same description was asked for before.

    What `make` raises leaves nothing behind. Raises `InstrumentFault` where the cache cannot be written.
    """
    key = hashlib.sha256(json.dumps(described, sort_keys=True).encode("ascii")).hexdigest()
    try:
        (folder := cache_folder() / "results").mkdir(parents=True, exist_ok=True)
        with _alone(folder / f"{key}.lock"):
            entry = folder / key
            if not _is_whole(entry):
                _made(entry, make)
                _tidy(folder, entry)
            os.utime(entry)
            return entry
    except OSError as error:
        raise InstrumentFault(f"{cache_folder()} cannot be written: {error.strerror}") from None


@contextmanager
def working_folder() -> Iterator[Path]:
    """A new folder on the cache's disk that is gone afterwards."""
    path = cache_folder() / "jobs" / f"{time.time_ns():x}-{secrets.token_hex(4)}"
    try:
        path.mkdir(parents=True, mode=0o700)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock, which ends with the process however that ends."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _made(entry: Path, make: Callable[[Path], None]) -> None:
    part = entry.with_name(f".{entry.name}-{secrets.token_hex(4)}")
    try:
        part.mkdir()
        make(part)
        files = {path.name: [path.stat().st_size, digest_of(path)] for path in part.iterdir()}
        (part / _LIST).write_text(json.dumps(files), encoding="ascii")
        if entry.exists():
            shutil.rmtree(entry)
        part.rename(entry)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _is_whole(entry: Path) -> bool:
    try:
        files = json.loads((entry / _LIST).read_text(encoding="ascii"))
        return all((entry / name).stat().st_size == size for name, (size, _) in files.items()) and all(
            digest_of(entry / name) == digest for name, (_, digest) in files.items()
        )
    except (OSError, ValueError, TypeError, AttributeError):
        return False


def _tidy(folder: Path, newest: Path) -> None:
    """Remove what was not used for the longest time where there is too much, and what broken-off jobs left."""
    before = time.time() - _UNTOUCHED_SECONDS
    entries = sorted((path for path in folder.iterdir() if path.is_dir() and path != newest), key=_last_used)
    total = sum(map(_bytes, entries)) + _bytes(newest)
    for entry in entries:
        if total > MAX_KEPT_BYTES and _last_used(entry) < before:
            total -= _bytes(entry)
            shutil.rmtree(entry, ignore_errors=True)
    for left in (folder.parent / "jobs").glob("*"):
        if _last_used(left) < before:
            shutil.rmtree(left, ignore_errors=True)


def _last_used(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return float("inf")


def _bytes(folder: Path) -> int:
    total = 0
    with suppress(OSError):
        for path in folder.iterdir():
            total += path.stat().st_size
    return total


def digest_of(path: Path) -> str:
    """SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
