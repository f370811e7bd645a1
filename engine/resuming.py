"""The results of many cases in a file: written line by line, and taken up again after an interruption."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from .cases import CaseSource, id_of
from .faults import CallFault
from .files import check_free
from .json_text import JsonFault, decode_line, text_of
from .loading import ENGINE_VERSION
from .report import RubricId


@contextmanager
def results_file(path: Path, *, resume: bool, force: bool) -> Iterator[FileIO]:
    """A new file, or with `resume` the one that is there, which no other run may write to. Raises `CallFault`."""
    resume = resume and path.exists()
    check_free(path, force=force or resume)
    try:
        if not resume and force:
            path.unlink(missing_ok=True)
        file = FileIO(path, "r+" if resume else "x+")
    except FileExistsError:
        raise CallFault(f"{path} exists and is not overwritten; use --force, or another name") from None
    except OSError as error:
        raise _unwritable(path, error) from None
    with file:
        _claim(file, path)
        yield file


def _claim(file: FileIO, path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CallFault(f"another run is writing to {path}") from None
    except OSError:  # a file system without locks
        return


def take_up(
    file: FileIO,
    path: Path,
    id: RubricId,
    sources: Iterator[CaseSource],
    known: Callable[[Mapping[str, Any]], None],
) -> None:
    """Pass over the cases whose results a file already holds, telling each to `known`, and stand at the end of them.

    What an interruption cut off in the middle of a line goes. Raises `CallFault` where the file holds anything else
    than the results of these cases by this rubric.
    """
    end = 0
    with open(file.fileno(), "rb", closefd=False) as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                break
            report = _result(line, f"{path}, line {number}", id)
            source = next(sources, None)
            if source is None or id_of(source) != report["case"]:
                other = "there is no case" if source is None else f"the case is {id_of(source)!r}"
                raise CallFault(
                    f"{path}, line {number}: a result of case {report['case']!r}, but {other}; nothing is resumed"
                )
            known(report)
            end += len(line)
    file.seek(end)
    file.truncate()


def _result(line: bytes, place: str, id: RubricId) -> Mapping[str, Any]:
    try:
        report = decode_line(text_of(line))
        same = report["rubric"]["sha256"] == id.sha256 and report["engine"] == ENGINE_VERSION
        complete = "case" in report and "outcome" in report
    except (JsonFault, KeyError, TypeError):
        raise CallFault(f"{place}: this is no result of a run; nothing is resumed") from None
    if not (same and complete):
        raise CallFault(f"{place}: a result of another rubric or engine; nothing is resumed")
    return report


def append(file: FileIO, path: Path, lines: Iterable[str]) -> None:
    """Write lines, each as soon as it is known, so that an interruption loses nothing. Raises `CallFault`."""
    for line in lines:
        rest = memoryview(line.encode() + b"\n")
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as error:
            raise _unwritable(path, error, "; it holds the results so far, and --resume goes on") from None


def _unwritable(path: Path, error: OSError, more: str = "") -> CallFault:
    reason = error.strerror or os.strerror(error.errno or 0)
    return CallFault(f"{path} cannot be written: {reason[:1].lower()}{reason[1:]}{more}")
