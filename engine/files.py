"""Files that a command writes: whole or not at all, and never over one that is there."""

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

from .faults import CallFault

FULL = (errno.ENOSPC, errno.EDQUOT)
NO_HARD_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES)


def check_free(path: Path, force: bool = False) -> None:
    """Refuse, before any work is done, a path that `write_new` would refuse after it. Raises `CallFault`.

    With `force` a file may be there, or a symbolic link, which is replaced itself; what it leads to stays as it is.
    """
    try:
        if path.is_dir():
            raise CallFault(f"{path} is a folder; name a file inside it")
        must_have_a_folder(path)
        if path.is_symlink() or path.exists():
            if not path.is_symlink() and not path.is_file():
                raise CallFault(f"{path} is no regular file, so nothing is written to it")
            if not force:
                raise CallFault(f"{path} exists and is not overwritten; use --force, or another name")
    except (OSError, ValueError) as error:
        raise CallFault(cannot_be_written(path, error)) from None


def must_have_a_folder(path: Path) -> None:
    """Refuse a path whose folder is not there. Raises `CallFault`."""
    if not path.parent.is_dir():
        there = "is no folder" if path.parent.exists() else "does not exist"
        raise CallFault(f"{path} cannot be written: the folder {path.parent} {there}")


def write_new(path: Path, text: str, force: bool = False) -> None:
    """Write a text as UTF-8 under a name that is free; with `force`, in place of what is there.

    The text is written beside the path first and gets its name when it is complete, so that neither a full disk nor an
    interruption leaves half a file, and of two that write the same name at once one is refused. Half surrogates, which
    UTF-8 cannot hold, are written as escapes. Raises `CallFault`.
    """
    check_free(path, force)
    beside = path.with_name(f".rubric-{secrets.token_hex(8)}.part")
    try:
        write_synced(beside, text.encode("utf-8", "backslashreplace"))
        if force:
            os.replace(beside, path)
        else:
            _name(beside, path)
    except FileExistsError:
        raise CallFault(f"{path} exists and is not overwritten; use --force, or another name") from None
    except (OSError, ValueError) as error:
        raise CallFault(cannot_be_written(path, error)) from None
    finally:
        with suppress(OSError):
            beside.unlink()


def write_synced(path: Path, data: bytes) -> None:
    """Write a new file, and wait until the disk has it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def _name(beside: Path, path: Path) -> None:
    """Give a complete file its name. Where there are no hard links, the name is taken first and then replaced."""
    try:
        os.link(beside, path)
        return
    except OSError as error:
        if error.errno not in NO_HARD_LINKS:
            raise
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        os.replace(beside, path)
    except OSError:
        path.unlink()
        raise


def cannot_be_written(path: Path, error: OSError | ValueError) -> str:
    """The sentence for a path that could not be written."""
    if isinstance(error, OSError) and error.errno in FULL:
        return f"{path} cannot be written: no space is left; nothing was written"
    reason = getattr(error, "strerror", None) or str(error)
    return f"{path} cannot be written: {reason[:1].lower()}{reason[1:]}"
