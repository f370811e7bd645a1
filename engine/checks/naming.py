"""The rubric's own name and version, and the file they stand in."""

import re
from collections.abc import Iterator
from pathlib import PurePath

from ..findings import Finding
from .facts import Facts

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*(-[a-z0-9]+)*\Z")


def names(facts: Facts) -> Iterator[Finding]:
    """A name and a version that can stand in a file's name, and a file that is called so.

    A file in `rubrics` must be called so, and any file that names this rubric with a version.
    """
    rubric = facts.rubric
    name, version = facts.value("rubric"), facts.value("version")
    if name is not None and rubric.name and not _NAME.match(rubric.name):
        message = f"a rubric cannot be called '{rubric.name}'"
        yield facts.finding("bad-name", message, name, "use small letters and digits, joined by '-'")
    elif version is not None and rubric.version and not _VERSION.match(rubric.version):
        message = f"'{rubric.version}' is no version"
        yield facts.finding("bad-name", message, version, 'write numbers joined by points, as in "1.10" or "2-trial"')
    elif name is not None and rubric.name and rubric.version:
        path = PurePath(rubric.document.name)
        named = path.stem.startswith(f"{rubric.name}-") and _VERSION.match(path.stem.removeprefix(f"{rubric.name}-"))
        if path.stem != rubric.id and (named or path.parent.name == "rubrics"):
            message = f"the file is called {path.name}, but it holds {rubric.id}"
            at = version if named and version is not None else name
            yield facts.finding("bad-name", message, at, f"call it {rubric.id}.yaml", severity="warning")
