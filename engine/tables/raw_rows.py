"""The rows of a large JSON Lines file before a record is applied, read line by line only if someone asks for them."""

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Any

from .lazy import LazyList

BLANK = b" \t\r"
COLUMNAR_FROM = 4 * 1024 * 1024
"""Bytes from which on importing the table library pays."""


class RawRows(LazyList):
    """A raw value of a list input: `data` is UTF-8 without a byte-order mark, a value a line."""

    __slots__ = ("_read", "data")

    def __init__(self, data: bytes, read: Callable[[bytes], Iterable[Any]]):
        super().__init__(-1)
        self.data = data
        self._read = read

    def made(self) -> Iterable[Any]:
        return self._read(self.data) if self.data or not self._size else [None] * self._size

    def __len__(self) -> int:
        if self._size < 0:
            self._size = sum(1 for line in self.data.split(b"\n") if line.strip(BLANK))
        return self._size

    def has_rows(self, size: int) -> None:
        """Tell how many rows there are, once that is known."""
        self._size = size

    def let_go(self) -> None:
        """Give the bytes back once a table holds what is in them; from then on there is nothing to go through."""
        self.data = b""


def by_column(size: int) -> bool:
    """Whether a file of so many bytes is left to be read by column."""
    return size >= COLUMNAR_FROM and find_spec("polars") is not None
