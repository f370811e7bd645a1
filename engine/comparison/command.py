"""`rubric diff`: two rubrics, by path or by name, or the two sides that git gives to a diff driver."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..batch import case_sources
from ..faults import CallFault
from ..findings import Finding, RubricError
from ..loading import LoadedRubric, load
from .changes import diff
from .git import GitPair, GitSide, git_arguments, load_side
from .impact import impact_of_sources
from .markdown import as_markdown
from .result import Comparison, as_json, side
from .text import as_text

FORMATS: Mapping[str, Callable[[Comparison], str]] = {"text": as_text, "json": as_json, "markdown": as_markdown}


def compare(
    paths: Sequence[str], cases: Path | None = None, format: str = "text", *, git: bool = False
) -> tuple[str, bool]:
    """The comparison in a format, and whether the rubrics differ in meaning.

    `paths` are the old and the new rubric; with `git`, the arguments of a diff driver. Raises `RubricError` with the
    findings of both rubrics, and `CallFault`.
    """
    if git:
        return _of_git(git_arguments(paths), cases, format)
    if len(paths) != 2:
        raise CallFault(f"'rubric diff' compares two rubrics, OLD and NEW, not {len(paths)}")
    comparison = compared(*_both(lambda: load(paths[0]), lambda: load(paths[1])), cases)
    return FORMATS[format](comparison), not comparison.same


def compared(old: LoadedRubric, new: LoadedRubric, cases: Path | None = None) -> Comparison:
    """Two rubrics, and the cases of a file or folder scored by both. Raises `CallFault`."""
    changes = diff(old, new)
    effects = None
    if cases is not None:
        names = tuple(dict.fromkeys((*old.rubric.inputs, *new.rubric.inputs)))
        effects = impact_of_sources(old, new, case_sources(cases, names), changes)
    return Comparison(side(old), side(new), changes, effects)


def _both(old: Callable[[], LoadedRubric], new: Callable[[], LoadedRubric]) -> tuple[LoadedRubric, LoadedRubric]:
    """Both rubrics, or what is wrong with either."""
    found: list[LoadedRubric] = []
    findings: list[Finding] = []
    for loading in (old, new):
        try:
            found.append(loading())
        except RubricError as error:
            findings += error.findings
    if findings:
        raise RubricError(findings)
    return found[0], found[1]


def _of_git(pair: GitPair, cases: Path | None, format: str) -> tuple[str, bool]:
    """A history holds drafts too: a side that is no rubric yet is said so, and stops nothing."""
    old, new = pair.old, pair.new
    if old is None or new is None:
        return _one_sided(pair, old or new), True
    try:
        comparison = compared(*_both(lambda: load_side(old), lambda: load_side(new)), cases)
    except RubricError as error:
        return f"{pair.path}: no comparison, as these must be mended first\n{error}\n", True
    return FORMATS[format](comparison), not comparison.same


def _one_sided(pair: GitPair, side: GitSide | None) -> str:
    if side is None:
        return f"{pair.path}: a merge conflict is to be resolved first\n"
    return f"{pair.path}: the rubric was {'added' if pair.old is None else 'removed'}\n"
