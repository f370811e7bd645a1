"""What `rubric run` does with its arguments, for one case and for many."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from .batch import BATCH_OPTIONS, Scored, scored
from .cases import CaseSource, case_sources, count_sources
from .evaluation import Options
from .faults import CallFault
from .files import check_free, write_new
from .folders import check_free_folder, write_folder
from .json_text import decode, encode
from .loading import LoadedRubric
from .output import is_terminal_with_colors, say, write, write_pieces
from .reporters import REPORTERS
from .reporters.summary import Summary
from .resuming import append, results_file, take_up

EXIT = {"pass": 0, "fail": 1, "inconclusive": 1, "error": 3}
"""The exit code of an outcome; of many cases, the greatest."""


@dataclass(frozen=True, slots=True)
class RunCall:
    """The arguments of `rubric run`."""

    inputs: Sequence[str] = ()
    cases: Path | None = None
    out: Path | None = None
    force: bool = False
    format: str | None = None
    jobs: int | None = None
    scheduler: str | None = None
    resume: bool = False
    artifacts: Sequence[str] = ()
    every_stage: bool = False


def run(rubric: LoadedRubric, call: RunCall) -> int:
    """Score one case, or many; the exit code."""
    return _run_one(rubric, call) if call.cases is None else _run_many(rubric, call, call.cases)


# ---------------------------------------------------------------- one case


def _run_one(rubric: LoadedRubric, call: RunCall) -> int:
    for option, given in (("--jobs", call.jobs), ("--on", call.scheduler), ("--resume", call.resume)):
        if given:
            raise CallFault(f"{option} is for --cases")
    if call.out is not None:
        check_free(call.out, force=call.force)
    artifacts = _artifacts(rubric, call.artifacts)
    options = Options(every_stage=call.every_stage, artifacts=tuple(artifacts))
    case, inputs, folder = _one_case(rubric, call.inputs)
    report, contents = rubric.run_with_artifacts(inputs, case=case, folder=folder, options=options)
    color = call.out is None and is_terminal_with_colors()
    write(REPORTERS[call.format or "text"].one(report.to_dict(), color=color), call.out, call.force)
    _write_artifacts(rubric, report.outcome, artifacts, contents)
    return EXIT[report.outcome]


def _one_case(rubric: LoadedRubric, arguments: Sequence[str]) -> tuple[str | None, Any, Path | None]:
    """The id, inputs and folder of the case that the arguments name; without any, of the first example."""
    if arguments:
        return None, _inputs(rubric, arguments), None
    if not rubric.rubric.examples and all(one.has_default or one.may_be_empty for one in rubric.rubric.inputs.values()):
        return None, {}, None
    example = rubric.example_inputs()
    say(f"no inputs given: scoring the example '{example[0]}' of {rubric.rubric.id}")
    return example


def _pairs(arguments: Iterable[str], what: str) -> Iterator[tuple[str, str]]:
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not name or not value:
            raise CallFault(f"'{argument}' is no {what}; write NAME=PATH")
        yield name, value


def _inputs(rubric: LoadedRubric, arguments: Sequence[str]) -> dict[str, Any]:
    """The inputs by name; an input that is a list takes its name several times."""
    found: dict[str, Any] = {}
    for name, path in _pairs(arguments, "input"):
        declared = rubric.rubric.inputs.get(name)
        if declared is not None and declared.many:
            found.setdefault(name, []).append(path)
        elif name in found:
            raise CallFault(f"the input '{name}' is given twice, but it is no list")
        else:
            found[name] = path
    return found


def _artifacts(rubric: LoadedRubric, arguments: Sequence[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for name, path in _pairs(arguments, "artifact"):
        if name not in rubric.rubric.artifacts:
            known = ", ".join(rubric.rubric.artifacts) or "none"
            raise CallFault(f"the rubric makes no artifact '{name}'; it makes: {known}")
        if name in found:
            raise CallFault(f"the artifact '{name}' is asked for twice")
        if rubric.rubric.artifacts[name].format == "folder":
            check_free_folder(Path(path))
        else:
            check_free(Path(path), force=False)
        found[name] = Path(path)
    return found


def _write_artifacts(rubric: LoadedRubric, outcome: str, artifacts: dict[str, Path], contents: Any) -> None:
    for name, path in artifacts.items():
        if outcome == "error" or (rubric.rubric.artifacts[name].when_passed and outcome != "pass"):
            say(f"the artifact '{name}' is not made: the outcome is {outcome}")
        elif rubric.rubric.artifacts[name].format == "folder":
            write_folder(path, contents[name])
        else:
            write_new(path, encode(contents[name], indent=2) + "\n", force=False)


# ---------------------------------------------------------------- many cases


def _run_many(rubric: LoadedRubric, call: RunCall, cases: Path) -> int:
    format, summary = call.format or "jsonl", Summary()
    _refuse_combinations(call, format)
    sources = _begun(case_sources(cases, rubric.rubric.inputs))
    if format == "jsonl" and call.out is not None:
        _to_file(rubric, call, call.out, sources, summary)
    else:
        _all_at_once(rubric, call, format, sources, summary)
    if format == "jsonl" or call.out is not None:
        say(REPORTERS["text"].summary(summary).rstrip("\n"))
    return max(EXIT[outcome] for outcome, count in summary.to_dict()["outcomes"].items() if count)


def _refuse_combinations(call: RunCall, format: str) -> None:
    if call.inputs or call.artifacts:
        raise CallFault("with --cases, inputs stand in the cases file and no artifacts are made")
    if call.jobs is not None and call.scheduler is not None:
        raise CallFault("--jobs is for local processes and --on for a scheduler; choose one")
    if call.resume and (call.out is None or format != "jsonl"):
        raise CallFault("--resume needs --out and the format jsonl")
    if call.resume and call.force:
        raise CallFault("--resume goes on with a file and --force replaces it; choose one")
    if call.out is not None and not call.resume:
        check_free(call.out, force=call.force)


def _begun(sources: Iterator[CaseSource]) -> Iterator[CaseSource]:
    """The same cases, the first of them read, so that what is wrong with all of them is known before any work."""
    first = next(sources, None)
    return chain(() if first is None else (first,), sources)


def _results(
    rubric: LoadedRubric, call: RunCall, sources: Iterator[CaseSource], summary: Summary, done: int = 0
) -> Iterator[Scored]:
    """The results of the cases, counted in the summary and shown as progress."""
    options = replace(BATCH_OPTIONS, every_stage=call.every_stage)
    quiet = call.out is None and call.format in (None, "jsonl") and sys.stdout is not None and sys.stdout.isatty()
    with _progress_bar(call.cases if not quiet else None, done) as advance:
        for result in scored(rubric, sources, options=options, jobs=call.jobs or 1, scheduler=call.scheduler):
            summary.add(result.facts)
            advance()
            yield result


def _to_file(rubric: LoadedRubric, call: RunCall, out: Path, sources: Iterator[CaseSource], summary: Summary) -> None:
    """Each result as soon as it is known, so that an interrupted run loses nothing."""
    with results_file(out, resume=call.resume, force=call.force) as file:
        take_up(file, out, rubric.id, sources, summary.add)
        done = summary.to_dict()["count"]
        try:
            append(file, out, (result.line for result in _results(rubric, call, sources, summary, done)))
        except KeyboardInterrupt:
            say(f"{out} holds the results so far; --resume goes on")
            raise


def _all_at_once(
    rubric: LoadedRubric, call: RunCall, format: str, sources: Iterator[CaseSource], summary: Summary
) -> None:
    results = _results(rubric, call, sources, summary)
    if format == "jsonl":
        write_pieces(result.line + "\n" for result in results)
    else:
        write(
            "".join(REPORTERS[format].many((decode(result.line) for result in results), summary)), call.out, call.force
        )


@contextmanager
def _progress_bar(cases: Path | None, done: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr, where that is a terminal."""
    if cases is None or sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("scoring"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("scoring", total=count_sources(cases), completed=done)
        yield lambda: bar.advance(task)
