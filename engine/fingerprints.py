"""What files hold, as digests: of one file, or of every file in a folder."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from .faults import CallFault


def digest_of(path: Path) -> str:
    """SHA-256 of a file's bytes, read piece by piece, in hexadecimal. Raises `OSError`."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprints(path: Path, but: Path) -> dict[str, str]:
    """What a path holds: for a file its digest under `.`, for a folder each file's under its posix path.

    The file `but` is passed over, and so are empty folders. Of a symbolic link inside the folder the name that it leads
    to stands there; it is never followed. Raises `CallFault` for what cannot be read, or is neither file nor folder.
    """
    try:
        if path.is_dir():
            return dict(sorted(_folder(path, but)))
        if path.is_file():
            return {".": f"sha256:{digest_of(path)}"}
    except (OSError, ValueError) as error:
        name = getattr(error, "filename", None) or path
        raise CallFault(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    raise CallFault(f"{path} is neither a file nor a folder" if os.path.lexists(path) else f"{path} does not exist")


def _folder(root: Path, but: Path) -> Iterator[tuple[str, str]]:
    waiting = [(root, PurePosixPath())]
    while waiting:
        folder, below = waiting.pop()
        with os.scandir(folder) as found:
            entries = list(found)
        for entry in entries:
            name = below / entry.name
            if entry.is_symlink():
                yield str(name), f"link:{os.readlink(entry.path)}"
            elif entry.is_dir(follow_symlinks=False):
                waiting.append((Path(entry.path), name))
            elif not entry.is_file(follow_symlinks=False):
                raise CallFault(f"{entry.path} is neither a file, a folder nor a link, so it cannot be locked")
            elif entry.name != but.name or absolute(Path(entry.path)) != but:
                yield str(name), f"sha256:{digest_of(Path(entry.path))}"


def absolute(path: Path) -> Path:
    """The real folder of a path, and its own name, which may be that of a link."""
    plain = Path(os.path.abspath(path))
    return Path(os.path.realpath(plain.parent)) / plain.name


def relative(path: Path, folder: Path) -> str:
    """A path as seen from a folder, with `/` between its parts; absolute where there is no way, as to another drive."""
    try:
        return Path(os.path.relpath(absolute(path), folder)).as_posix()
    except ValueError:
        return absolute(path).as_posix()
