"""Files by what they hold: hashes and sizes, without reading one into memory."""

import hashlib
import os
from typing import Any

from ._kinds import File
from .annotations import Count
from .faults import ArgumentFault

__all__ = ["sha256", "size"]


def sha256(file: File) -> str:
    """The SHA-256 of a file's bytes, in lower-case hexadecimal (FIPS 180-4). Refused: what is no file."""
    try:
        with open(_path(file), "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ArgumentFault("file", f"{file!r} cannot be read: {error.strerror}") from None


def size(file: File) -> Count:
    """How many bytes a file has. Refused: what is no file."""
    return os.path.getsize(_path(file))


def _path(file: Any) -> str:
    if not isinstance(file, str) or not os.path.isfile(file):
        raise ArgumentFault("file", f"{file!r} is not a file")
    return file
