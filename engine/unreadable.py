"""What stands in place of what could not be read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Invalid:
    """An input, or a file of one, that could not be read, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """In place of a row or a member of a list that could not be read: why."""

    reason: str
