"""What git gives to an external diff driver: `path old-file old-hex old-mode new-file new-hex new-mode`.

Of a renamed file two more follow, the new path and what git says of the renaming; of an unmerged one there is only the
path. A file that is not there on one side is `/dev/null`; the others may be temporary, with names that mean nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..faults import CallFault
from ..findings import Finding, Position, RubricError
from ..loading import LoadedRubric, load_text

_NOTHING = "/dev/null"


@dataclass(frozen=True, slots=True)
class GitSide:
    """A file to read, and the name by which the repository knows it."""

    file: Path
    name: str


@dataclass(frozen=True, slots=True)
class GitPair:
    """The two sides of one changed path; None where the file is not there."""

    path: str
    old: GitSide | None
    new: GitSide | None


def git_arguments(arguments: Sequence[str]) -> GitPair:
    """The sides that git's arguments name. Raises `CallFault` where they are none of git's."""
    if len(arguments) == 1:
        return GitPair(arguments[0], None, None)
    if len(arguments) not in (7, 9):
        raise CallFault(f"git calls a diff driver with 7 arguments, not {len(arguments)}; without git, leave --git out")
    path, new_path = arguments[0], arguments[7] if len(arguments) == 9 else arguments[0]
    return GitPair(path, _side(arguments[1], f"a/{path}"), _side(arguments[4], f"b/{new_path}"))


def _side(file: str, name: str) -> GitSide | None:
    return None if file == _NOTHING else GitSide(Path(file), name)


def load_side(side: GitSide) -> LoadedRubric:
    """The rubric in a file of any name; positions in it bear the repository's name for it. Raises `RubricError`."""
    try:
        text = side.file.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        message = f"the file cannot be read: {error.strerror}"
        raise RubricError([Finding("unreadable-file", message, Position(side.name, 1, 1))]) from None
    return load_text(text, side.name)
