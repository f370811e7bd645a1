"""What `rubric run` does with its arguments, for one case and for many."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .batch import BATCH_OPTIONS, Progress, case_sources, count_sources, progress_of, rest_of, result_lines
from .evaluation import Options
from .faults import CallFault
from .files import check_free, write_new
from .json_text import decode, encode
from .loading import LoadedRubric
from .reporters import REPORTERS
from .reporters.summary import Summary

Write = Callable[[str, Path | None, bool], None]
EXIT = {"pass": 0, "fail": 1, "inconclusive": 1, "error": 3}


@dataclass(frozen=True, slots=True)
class CaseCall:
    """`rubric run` for one case."""

    inputs: Sequence[str]
    artifacts: Sequence[str]
    out: Path | None
    force: bool
    format: str
    every_stage: bool
    resume: bool
    color: bool


@dataclass(frozen=True, slots=True)
class BatchCall:
    """`rubric run --cases`."""

    cases: Path
    out: Path | None
    force: bool
    format: str | None
    jobs: int
    scheduler: str | None
    resume: bool
    every_stage: bool
    inputs: Sequence[str]
    artifacts: Sequence[str]


def _pairs(arguments: Iterable[str], what: str) -> list[tuple[str, str]]:
    pairs = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not name or not value:
            raise CallFault(f"'{argument}' is no {what}; write NAME=PATH")
        pairs.append((name, value))
    return pairs


def _inputs(rubric: LoadedRubric, arguments: Sequence[str]) -> dict[str, Any]:
    """The inputs by name; an input that is a list takes its name several times."""
    found: dict[str, Any] = {}
    for name, path in _pairs(arguments, "input"):
        declared = rubric.rubric.inputs.get(name)
        if declared is not None and declared.many:
            found.setdefault(name, []).append(Path(path))
        elif name in found:
            raise CallFault(f"the input '{name}' is given twice, but it is no list")
        else:
            found[name] = Path(path)
    return found


def _artifacts(rubric: LoadedRubric, arguments: Sequence[str]) -> dict[str, Path]:
    found = {}
    for name, path in _pairs(arguments, "artifact"):
        if name not in rubric.rubric.artifacts:
            known = ", ".join(rubric.rubric.artifacts) or "none"
            raise CallFault(f"the rubric makes no artifact '{name}'; it makes: {known}")
        check_free(Path(path), force=False)
        found[name] = Path(path)
    return found


# ---------------------------------------------------------------- one case


def run_one(rubric: LoadedRubric, call: CaseCall, write: Write) -> int:
    """Score one case and write its report; the exit code."""
    if call.resume:
        raise CallFault("--resume is for --cases")
    if call.out is not None:
        check_free(call.out, force=call.force)
    artifacts = _artifacts(rubric, call.artifacts)
    options = Options(every_stage=call.every_stage, artifacts=tuple(artifacts))
    if call.inputs:
        inputs, folder, case = _inputs(rubric, call.inputs), None, None
    else:
        case, inputs, folder = rubric.example_inputs()
        print(f"no inputs given: scoring the example '{case}' of {rubric.rubric.id}", file=sys.stderr)
    report, contents = rubric.run_with_artifacts(inputs, case=case, folder=folder, options=options)
    write(REPORTERS[call.format].one(report.to_dict(), color=call.color), call.out, call.force)
    _write_artifacts(rubric, report.outcome, artifacts, contents)
    return EXIT[report.outcome]


def _write_artifacts(rubric: LoadedRubric, outcome: str, artifacts: dict[str, Path], contents: Any) -> None:
    for name, path in artifacts.items():
        if outcome == "error" or (rubric.rubric.artifacts[name].when_passed and outcome != "pass"):
            print(f"the artifact '{name}' is not made: the outcome is {outcome}", file=sys.stderr)
        else:
            write_new(path, encode(contents[name], indent=2) + "\n", force=False)


# ---------------------------------------------------------------- many cases


def run_batch(rubric: LoadedRubric, call: BatchCall, write: Write) -> int:
    """Score many cases; the exit code: 3 where one is an error, else 1 where one does not pass, else 0."""
    if call.inputs or call.artifacts:
        raise CallFault("with --cases, inputs stand in the cases file and no artifacts are made")
    if not call.cases.exists():
        raise CallFault(f"the cases file {call.cases} does not exist")
    format = call.format or "jsonl"
    if call.resume and (call.out is None or format != "jsonl"):
        raise CallFault("--resume needs --out and the format jsonl")
    resuming = call.resume and call.out is not None and call.out.exists()
    if call.out is not None and not resuming:
        check_free(call.out, force=call.force)
    progress = progress_of(call.out, rubric) if resuming and call.out else Progress(0, 0, ())
    sources = rest_of(case_sources(call.cases, rubric.rubric.inputs), progress, call.out or call.cases)
    options = replace(BATCH_OPTIONS, every_stage=call.every_stage)
    lines = result_lines(rubric, sources, jobs=call.jobs, options=options, scheduler=call.scheduler)
    summary = Summary()
    for line in progress.lines:
        summary.add(decode(line))
    counted = _counted(lines, summary, call.cases, progress.done)
    if format == "jsonl":
        _stream(counted, call, progress)
    else:
        _whole(counted, summary, call, format, write)
    if format == "jsonl" or call.out is not None:
        print(REPORTERS["text"].summary(summary.to_dict()), file=sys.stderr)
    outcomes = summary.to_dict()["outcomes"]
    return max((EXIT[outcome] for outcome, count in outcomes.items() if count), default=0)


def _stream(lines: Iterable[str], call: BatchCall, progress: Progress) -> None:
    """Each line as soon as it is known, so that an interrupted run loses nothing."""
    if call.out is None:
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
        return
    try:
        mode = "r+b" if progress.done else "wb"
        with call.out.open(mode) as file:
            file.seek(progress.end)
            file.truncate()
            for line in lines:
                file.write(line.encode() + b"\n")
                file.flush()
    except OSError as error:
        hint = "; go on with --resume when there is room" if call.out.exists() else ""
        raise CallFault(f"{call.out} cannot be written: {error.strerror}{hint}") from None


def _whole(lines: Iterable[str], summary: Summary, call: BatchCall, format: str, write: Write) -> None:
    reports = (decode(line) for line in lines)
    if format in ("text", "markdown"):
        for _ in reports:
            pass
        write(REPORTERS[format].summary(summary.to_dict()), call.out, call.force)
        return
    write("".join(REPORTERS[format].many(reports, summary)), call.out, call.force)


def _counted(lines: Iterable[str], summary: Summary, cases: Path, done: int) -> Iterator[str]:
    with _progress_bar(cases, done) as advance:
        for line in lines:
            summary.add(decode(line))
            advance()
            yield line


@contextmanager
def _progress_bar(cases: Path, done: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr, where that is a terminal."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress as Bar, TextColumn, TimeRemainingColumn

    columns = (TextColumn("scoring"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("scoring", total=count_sources(cases), completed=done)
        yield lambda: bar.advance(task)
