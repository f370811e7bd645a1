"""Many cases: read one by one, scored here or by workers, reported in input order; nothing stops the rest.

A case that cannot be read, that breaks its worker, or whose inputs are wrong has a report with outcome `error`, so that
it never leaves the count.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from .evaluation import Options
from .faults import CallFault
from .json_text import JsonFault, decode, encode, text_of
from .loading import ENGINE_VERSION, LoadedRubric, load
from .report import CaseError, Report

CHUNK = 16
CHUNKS_AHEAD = 4  # of each worker, so that memory is bounded however many cases there are
BATCH_OPTIONS = Options(keep_nodes=False)


@dataclass(frozen=True, slots=True)
class CaseSource:
    """One case as it stands in a cases file, not yet decoded; `number` counts the cases from 1."""

    number: int
    text: str | None
    folder: str | None
    inputs: Mapping[str, str] | None = None
    id: str | None = None


# ---------------------------------------------------------------- where cases come from


def case_sources(path: Path, rubric_inputs: Iterable[str]) -> Iterator[CaseSource]:
    """The cases of a JSON Lines file, or of a folder with a folder a case. Raises `CallFault` if there is neither."""
    if path.is_dir():
        yield from _folder_cases(path, list(rubric_inputs))
        return
    try:
        with path.open("rb") as file:
            number = 0
            for line in file:
                if line.strip(b" \t\r\n\xef\xbb\xbf"):
                    number += 1
                    yield CaseSource(number, _line_text(line), str(path.parent))
    except OSError as error:
        raise CallFault(f"the cases file {path} cannot be read: {error.strerror}") from None


def _line_text(line: bytes) -> str:
    """A line's text; bytes that are not UTF-8 stay visible and make the case unreadable."""
    try:
        return text_of(line)
    except JsonFault:
        return line.decode("utf-8", "surrogateescape")


def _folder_cases(path: Path, names: list[str]) -> Iterator[CaseSource]:
    folders = sorted(member for member in path.iterdir() if member.is_dir())
    if not folders:
        raise CallFault(f"{path} holds no folders: a case is a folder with a file for each input, such as {names[0]}.json")
    for number, folder in enumerate(folders, 1):
        members = sorted(folder.iterdir())
        inputs = {member.name.split(".")[0]: str(member) for member in members if member.name.split(".")[0] in names}
        yield CaseSource(number, None, None, inputs, folder.name)


def count_sources(path: Path) -> int:
    """How many cases there are, for a progress bar."""
    if path.is_dir():
        return len([member for member in path.iterdir() if member.is_dir()])
    with path.open("rb") as file:
        return len([None for line in file if line.strip()])


# ---------------------------------------------------------------- one case


def report_of(rubric: LoadedRubric, source: CaseSource, options: Options = BATCH_OPTIONS) -> Report:
    """The report of a case, whatever is wrong with it."""
    id = source.id
    try:
        if source.inputs is None:
            case = decode(source.text or "")
            id = _id_of(case, source)
            inputs = case.get("inputs") if isinstance(case, dict) else None
            if not isinstance(inputs, dict):
                raise CallFault('a case is an object {"id": ..., "inputs": {...}}')
        else:
            inputs = source.inputs
        return rubric.run_case(inputs, case=id, folder=Path(source.folder) if source.folder else None, options=options)
    except JsonFault as fault:
        return failed(rubric, id or f"line {source.number}", "case", f"case {source.number} is no JSON: {fault}")
    except CallFault as fault:
        return failed(rubric, id or f"line {source.number}", "case", f"case {source.number}: {fault}")
    except (RecursionError, MemoryError) as error:
        return failed(rubric, id, "limits", f"case {source.number} is too large to score: {type(error).__name__}")


def _id_of(case: Any, source: CaseSource) -> str:
    id = case.get("id") if isinstance(case, dict) else None
    if isinstance(id, str):
        return id
    return json.dumps(id) if isinstance(id, (int, float)) and not isinstance(id, bool) else f"line {source.number}"


def failed(rubric: LoadedRubric, case: str | None, kind: str, message: str) -> Report:
    return Report(rubric.id, ENGINE_VERSION, case, "error", None, error=CaseError(kind, message))


# ---------------------------------------------------------------- many cases


def run_cases(
    rubric: LoadedRubric,
    cases: Iterable[Mapping[str, Any]],
    *,
    executor: Executor | None = None,
    folder: Path | None = None,
) -> Iterator[Report]:
    """Reports of cases given as values, in their order. With an executor, `rubric` must come from a file."""
    sources = (
        CaseSource(number, encode_loose(case), str(folder) if folder else None) for number, case in enumerate(cases, 1)
    )
    if executor is None:
        for source in sources:
            yield report_of(rubric, source)
        return
    for done in _in_order(executor, sources, rubric, 1, lambda chunk: (_reports, (str(rubric.path), chunk))):
        yield from done


def encode_loose(case: Mapping[str, Any]) -> str:
    """A case as JSON text in which even what strict JSON lacks survives, to be judged where it stands."""
    return json.dumps(case, ensure_ascii=True, default=str)


def result_lines(
    rubric: LoadedRubric, sources: Iterable[CaseSource], *, jobs: int = 1, options: Options = BATCH_OPTIONS,
    scheduler: str | None = None,
) -> Iterator[str]:
    """Each case's report as a line of JSON, in input order, the same whatever does the work."""
    if jobs <= 1 and scheduler is None:
        for source in sources:
            yield line_of(report_of(rubric, source, options))
        return
    with _executor(jobs, scheduler) as executor:
        path, workers = str(rubric.path.resolve()), max(jobs, 1)
        for done in _in_order(executor, sources, rubric, workers, lambda chunk: (_lines, (path, chunk, options))):
            yield from done


def line_of(report: Report) -> str:
    return encode(report.to_dict())


def _executor(jobs: int, scheduler: str | None) -> AbstractContextManager[Executor]:
    if scheduler is None:
        return _Restartable(jobs)
    try:
        from distributed import Client  # type: ignore[import-not-found]
    except ImportError:
        raise CallFault("--on needs the extra 'cluster': pip install 'rubric-engine[cluster]'") from None
    try:
        return nullcontext(Client(scheduler, timeout=10).get_executor(pure=False))
    except OSError as error:
        raise CallFault(f"no scheduler answers at {scheduler}: {error}") from None


class _Restartable(AbstractContextManager, Executor):
    """A pool of processes that is made anew when a worker dies."""

    def __init__(self, jobs: int):
        self.jobs = jobs
        self.pool = self._new()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"))

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future:
        try:
            return self.pool.submit(function, *arguments, **named)
        except BrokenExecutor:
            self.pool.shutdown(wait=False, cancel_futures=True)
            self.pool = self._new()
            return self.pool.submit(function, *arguments, **named)

    def __exit__(self, *exception: object) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)


def _in_order(
    executor: Executor,
    sources: Iterable[CaseSource],
    rubric: LoadedRubric,
    workers: int,
    task: Callable[[list[CaseSource]], tuple[Callable[..., list], tuple]],
) -> Iterator[list]:
    """Chunks of results in input order, with only so many chunks on their way at once."""
    waiting: deque[tuple[list[CaseSource], Future]] = deque()
    remaining = iter(sources)
    while True:
        while len(waiting) < workers * CHUNKS_AHEAD and (chunk := list(islice(remaining, CHUNK))):
            function, arguments = task(chunk)
            waiting.append((chunk, executor.submit(function, *arguments)))
        if not waiting:
            return
        chunk, future = waiting.popleft()
        try:
            yield future.result()
        except BrokenExecutor:
            yield [member for source in chunk for member in _alone(executor, source, rubric, task)]
            again = [(other, executor.submit(*_flat(task(other)))) for other, _ in waiting]
            waiting = deque(again)


def _flat(task: tuple[Callable[..., list], tuple]) -> tuple:
    return (task[0], *task[1])


def _alone(executor: Executor, source: CaseSource, rubric: LoadedRubric, task) -> list:
    """The results of a case of a chunk that broke its worker: its own, or the report that it is the one."""
    function, arguments = task([source])
    try:
        return executor.submit(function, *arguments).result()
    except BrokenExecutor:
        report = failed(rubric, source.id or f"line {source.number}", "crash", f"case {source.number} ended its worker")
        return [report if function is _reports else line_of(report)]


@cache
def _loaded(path: str) -> LoadedRubric:
    return load(path)


def _reports(path: str, chunk: list[CaseSource]) -> list[Report]:
    return [report_of(_loaded(path), source) for source in chunk]


def _lines(path: str, chunk: list[CaseSource], options: Options) -> list[str]:
    return [line_of(report_of(_loaded(path), source, options)) for source in chunk]


# ---------------------------------------------------------------- an interrupted run


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an interrupted run came: the complete lines of its results, and where they end."""

    done: int
    end: int
    lines: tuple[str, ...]


def progress_of(path: Path, rubric: LoadedRubric) -> Progress:
    """What an interrupted run left. Raises `CallFault` where the file holds anything else."""
    done, end, lines = 0, 0, []
    with path.open("rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            try:
                report = decode(line.decode("utf-8"))
                same = report["rubric"]["sha256"] == rubric.id.sha256 and report["engine"] == ENGINE_VERSION
            except (JsonFault, UnicodeDecodeError, KeyError, TypeError):
                raise CallFault(f"{path}, line {done + 1}: this is no result of a run, so nothing is resumed") from None
            if not same:
                message = f"{path}, line {done + 1}: this is a result of another rubric or engine, so nothing is resumed"
                raise CallFault(message)
            done, end = done + 1, end + len(line)
            lines.append(line.decode("utf-8"))
    return Progress(done, end, tuple(lines))


def rest_of(sources: Iterator[CaseSource], progress: Progress, path: Path) -> Iterator[CaseSource]:
    """The cases that an interrupted run did not reach. Raises `CallFault` where its results are of other cases."""
    for line in progress.lines:
        source = next(sources, None)
        known = decode(line)["case"]
        if source is None or known != _source_id(source):
            raise CallFault(f"{path} holds a result of case {known!r} where the cases have another, so nothing is resumed")
    return sources


def _source_id(source: CaseSource) -> str:
    if source.id is not None:
        return source.id
    try:
        return _id_of(decode(source.text or ""), source)
    except JsonFault:
        return f"line {source.number}"


def without_nodes(options: Options) -> Options:
    return replace(options, keep_nodes=False)
