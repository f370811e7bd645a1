"""Where the data of a command goes: to stdout or to a file, as UTF-8 whatever the locale."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from .faults import CallFault

if TYPE_CHECKING:
    from pathlib import Path


def use_utf8() -> None:
    """Let both streams write UTF-8; half surrogates, which it cannot hold, are written as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")  # type: ignore[union-attr]


def write(text: str, out: "Path | None" = None, force: bool = False) -> None:
    """Write a text to the file that was asked for, else to stdout. Raises `CallFault` where there is no room for it."""
    if out is None:
        write_pieces([text if text.endswith("\n") else text + "\n"])
        return
    from .files import write_new

    write_new(out, text, force=force)


def write_pieces(pieces: Iterable[str]) -> None:
    """Write pieces of text to stdout, each as soon as it is known. Raises `CallFault`, and `BrokenPipeError`."""
    if sys.stdout is None:
        raise CallFault("stdout is closed")
    for piece in pieces:
        try:
            sys.stdout.write(piece)
            sys.stdout.flush()
        except OSError as error:
            abandon_stdout()
            if isinstance(error, BrokenPipeError):
                raise
            raise CallFault(f"stdout cannot be written: {error.strerror}") from None


def say(message: str) -> None:
    """Tell the person who called; data never goes this way."""
    if sys.stderr is not None:
        print(message, file=sys.stderr)


def abandon_stdout() -> None:
    """Let what is still buffered for stdout go nowhere, now that nothing can be written to it."""
    with suppress(OSError, ValueError, AttributeError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def is_terminal_with_colors() -> bool:
    """Whether stdout is a terminal that is to have colours (see no-color.org)."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
