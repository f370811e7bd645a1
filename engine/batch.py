"""Many cases: scored here or by workers, reported in input order; nothing stops the rest.

A case that cannot be read, that breaks its worker, or whose inputs are wrong has a report with outcome `error`, so that
it never leaves the count.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .cases import CaseSource, case_of, case_sources, encode_loose, id_of, value_sources
from .evaluation import Options
from .faults import CallFault
from .json_text import encode
from .loading import ENGINE_VERSION, LoadedRubric, load
from .report import CaseError, Report
from .workers import Processes, Work, in_order

__all__ = ["CaseSource", "Scored", "case_sources", "encode_loose", "report_of", "run_cases", "scored"]

BATCH_OPTIONS = Options(keep_nodes=False)
_FACTS = ("rubric", "engine", "outcome", "score", "metrics", "gates", "error")


# ---------------------------------------------------------------- one case


def report_of(rubric: LoadedRubric, source: CaseSource, options: Options = BATCH_OPTIONS) -> Report:
    """The report of a case, whatever is wrong with it."""
    id = source.id or source.place
    try:
        id, inputs = case_of(source)
        return rubric.run_case(inputs, case=id, folder=Path(source.folder) if source.folder else None, options=options)
    except CallFault as fault:
        return failed(rubric, id_of(source), "case", str(fault))
    except (RecursionError, MemoryError) as error:
        return failed(rubric, id, "limits", f"{id} is too large to score: {type(error).__name__}")
    except Exception as error:
        return failed(rubric, id, "engine", f"a fault of the engine itself, please report it: {error!r}")


def failed(rubric: LoadedRubric, case: str, kind: str, message: str) -> Report:
    """The report of a case that could not be scored."""
    return Report(rubric.id, ENGINE_VERSION, case, "error", None, error=CaseError(kind, message))


def _lost(rubric: LoadedRubric, source: CaseSource) -> Report:
    return failed(rubric, id_of(source), "crash", f"{source.id or source.place} ended the process that scored it")


# ---------------------------------------------------------------- many, as reports


def run_cases(
    rubric: LoadedRubric,
    cases: Iterable[Mapping[str, Any]],
    *,
    executor: Executor | None = None,
    folder: Path | None = None,
) -> Iterator[Report]:
    """Reports of cases given as values, in their order. For an executor of processes, `rubric` must be from a file."""
    sources = value_sources(cases, folder)
    if executor is None:
        return (report_of(rubric, source) for source in sources)
    return in_order(executor, sources, _work(rubric, BATCH_OPTIONS, _as_it_is), os.cpu_count() or 1)


@dataclass(frozen=True)
class Shared:
    """A rubric that is itself within a process, and travels to others as its path."""

    path: str
    sha256: str
    engine: str
    here: LoadedRubric | None = field(default=None, compare=False)

    @classmethod
    def of(cls, rubric: LoadedRubric) -> "Shared":
        return cls(os.path.abspath(rubric.path), rubric.id.sha256, ENGINE_VERSION, rubric)

    def __reduce__(self) -> tuple[Any, ...]:
        return Shared, (self.path, self.sha256, self.engine)

    def rubric(self) -> LoadedRubric:
        """Raises `CallFault` where a worker would score by other rules."""
        return self.here if self.here is not None else _loaded(self)


@cache
def _loaded(shared: Shared) -> LoadedRubric:
    rubric = load(shared.path)
    if rubric.id.sha256 != shared.sha256:
        raise CallFault(f"{shared.path} has changed, or is another file for a worker; nothing more is scored")
    if shared.engine != ENGINE_VERSION:
        raise CallFault(f"a worker has version {ENGINE_VERSION} of the engine, not {shared.engine}")
    return rubric


@dataclass(frozen=True)
class _Scoring:
    """What a worker does with some cases; `form` is what it hands back of each report."""

    shared: Shared
    options: Options
    form: Callable[[Report], Any]

    def __call__(self, sources: list[CaseSource]) -> tuple[list[Any], float]:
        start = time.perf_counter()
        rubric = self.shared.rubric()
        results = [self.form(report_of(rubric, source, self.options)) for source in sources]
        return results, time.perf_counter() - start


def _work(rubric: LoadedRubric, options: Options, form: Callable[[Report], Any]) -> Work[CaseSource, Any]:
    return Work(_Scoring(Shared.of(rubric), options, form), lambda source: form(_lost(rubric, source)))


def _as_it_is(report: Report) -> Report:
    return report


# ---------------------------------------------------------------- many, as lines


class Scored(NamedTuple):
    """A report as a line of JSON, and of the report what a summary needs."""

    line: str
    facts: Mapping[str, Any]


def scored(
    rubric: LoadedRubric,
    sources: Iterable[CaseSource],
    *,
    options: Options = BATCH_OPTIONS,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[Scored]:
    """Every case's result in input order, the same whatever does the work."""
    work = _work(rubric, options, _line_of)
    if scheduler is not None:
        from .cluster import connected

        with connected(scheduler) as (executor, workers, losses):
            yield from in_order(executor, sources, replace(work, losses=losses), workers)
    elif jobs > 1:
        with Processes(jobs) as executor:
            yield from in_order(executor, sources, work, jobs)
    else:
        for source in sources:
            yield _line_of(report_of(rubric, source, options))


def _line_of(report: Report) -> Scored:
    found = report.to_dict()
    return Scored(encode(found), {name: found[name] for name in _FACTS if name in found})
