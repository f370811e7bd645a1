"""The pages of the bundled rubrics in the documentation: which of them are not what they should be.

`rubric explain NAME > docs/rubrics/NAME.md` writes a page anew.
"""

from dataclasses import dataclass
from pathlib import Path

from ..loading import bundled_names, load
from .page import explain_rubric


@dataclass(frozen=True, slots=True)
class Stale:
    """A page that is not what the rubric says now: `command` puts it right."""

    path: Path
    reason: str
    command: str


def stale_pages(folder: Path) -> list[Stale]:
    """The pages in a folder that differ from the bundled rubrics, are missing, or belong to no rubric."""
    found = []
    names = bundled_names()
    for name in names:
        loaded = load(name)
        path = folder / f"{name}.md"
        wanted = explain_rubric(loaded.rubric, loaded.analysis)
        if not path.is_file():
            found.append(Stale(path, "is missing", f"rubric explain {name} > {path}"))
        elif path.read_bytes() != wanted.encode():
            found.append(Stale(path, "is not what the rubric says now", f"rubric explain {name} > {path}"))
    for path in sorted(folder.glob("*.md")):
        if path.stem not in names:
            found.append(Stale(path, "belongs to no bundled rubric", f"rm {path}"))
    return found
