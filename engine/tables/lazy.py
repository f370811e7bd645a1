"""Lists whose members are made when something first looks at one; their length is known before."""

from collections.abc import Iterable
from typing import Any


class LazyList(list):
    """A list to everyone who goes through it; never changed. `made` gives its members."""

    __slots__ = ("_filled", "_size")

    def __init__(self, size: int):
        super().__init__()
        self._size = size
        self._filled = False

    def made(self) -> Iterable[Any]:
        raise NotImplementedError

    def filled(self) -> "LazyList":
        """Itself, with its members in place."""
        if not self._filled:
            super().extend(self.made())
            self._filled = True
        return self

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        return self._size > 0

    def __iter__(self):
        return list.__iter__(self.filled())

    def __reversed__(self):
        return list.__reversed__(self.filled())

    def __getitem__(self, place):
        return list.__getitem__(self.filled(), place)

    def __contains__(self, member: Any) -> bool:
        return list.__contains__(self.filled(), member)

    def __eq__(self, other: Any) -> bool:
        return list(self) == list(other) if isinstance(other, list) else NotImplemented

    def __ne__(self, other: Any) -> bool:
        return list(self) != list(other) if isinstance(other, list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: list) -> list:
        return [*self, *other]

    def __radd__(self, other: list) -> list:
        return [*other, *self]

    def __mul__(self, times) -> list:
        return list(self) * times

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self):
        return (list, (list(self),))

    def index(self, *arguments) -> int:
        return list.index(self.filled(), *arguments)

    def count(self, member: Any) -> int:
        return list.count(self.filled(), member)

    def copy(self) -> list:
        return list(self)
