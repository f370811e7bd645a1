"""How far a render is, told to a person who is waiting at a terminal."""

import sys
import time
from types import TracebackType

__all__ = ["Progress"]


class Progress:
    """A line on stderr, rewritten as the work goes on and taken away at its end; nothing where that is no terminal."""

    def __init__(self, what: str) -> None:
        self.what, self.began = what, time.monotonic()
        self.shown = sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._write("")

    def tell(self, done: int, of: int) -> None:
        """So many steps of so many are done."""
        spent = time.monotonic() - self.began
        left = round(spent / done * (of - done)) if done else 0
        self._write(f"Blender, {self.what}: {done} of {of}, {left // 60}:{left % 60:02} left")

    def _write(self, line: str) -> None:
        if self.shown:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
