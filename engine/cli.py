"""The command line: parse arguments, call the engine, choose the exit code. Data to stdout, the rest to stderr."""

import os
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from .faults import CallFault, InfrastructureFault
from .findings import RubricError
from .output import abandon_stdout, is_terminal_with_colors, say, use_utf8, write

PASSED, FAILED, WRONG, INFRASTRUCTURE = 0, 1, 2, 3
INTERRUPTED, UNREAD = 130, 141  # as shells report the signals SIGINT and SIGPIPE

app = typer.Typer(
    name="rubric",
    help="Score by rules that are one YAML file.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


class ReportFormat(StrEnum):
    text = "text"
    json = "json"
    jsonl = "jsonl"
    markdown = "markdown"
    html = "html"
    junit = "junit"


class FindingFormat(StrEnum):
    text = "text"
    json = "json"
    github = "github"
    sarif = "sarif"


class TableFormat(StrEnum):
    text = "text"
    json = "json"
    markdown = "markdown"


class ToolAction(StrEnum):
    show = "show"
    install = "install"


RubricArgument = Annotated[str, typer.Argument(metavar="RUBRIC", help="A path, or the name of a bundled rubric.")]
CasesOption = Annotated[
    Path | None, typer.Option("--cases", metavar="FILE|DIR", help="JSON Lines of cases, or a folder.")
]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="PATH", help="Write there instead of to stdout.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Let --out replace an existing file.")]


def main() -> None:
    """The entry point."""
    use_utf8()
    try:
        app()
    except OSError as error:  # help that cannot be written
        abandon_stdout()
        _stop(WRONG, f"error: stdout cannot be written: {error.strerror}")


Command = Callable[..., int]


def command(name: str) -> Callable[[Command], Command]:
    """A function that gives an exit code becomes a command. What a user can do wrong is told in a sentence."""

    def register(function: Command) -> Command:
        @app.command(name)
        @wraps(function)
        def run_it(**arguments: Any) -> None:
            sys.exit(_code_of(lambda: function(**arguments)))

        return function

    return register


def _code_of(work: Callable[[], int]) -> int:
    try:
        return work()
    except RubricError as error:
        _stop(WRONG, str(error))
    except CallFault as fault:
        _stop(WRONG, f"error: {fault}")
    except InfrastructureFault as fault:
        _stop(INFRASTRUCTURE, f"infrastructure error ({fault.kind}): {fault.message}")
    except BrokenPipeError:
        return UNREAD
    except KeyboardInterrupt:
        _interrupted()
    except Exception:
        _own_fault()


def _stop(code: int, message: str) -> NoReturn:
    say(message)
    sys.exit(code)


def _interrupted() -> NoReturn:
    from .workers import stop_workers

    stop_workers()
    _stop(INTERRUPTED, "interrupted")


def _own_fault() -> NoReturn:
    """What happened is nobody's verdict, so it must not look like one."""
    import traceback

    traceback.print_exc()
    _stop(INFRASTRUCTURE, "this is a fault of rubric itself: please report it with the lines above")


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"rubric {version('rubric-engine')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Score by rules that are one YAML file."""


@command("run")
def run(
    rubric: RubricArgument,
    inputs: Annotated[list[str] | None, typer.Argument(metavar="NAME=PATH", help="The rubric's inputs.")] = None,
    cases: CasesOption = None,
    out: OutOption = None,
    force: ForceOption = False,
    format: Annotated[ReportFormat | None, typer.Option("--format", help="Of the report.")] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="Local processes for --cases.")] = None,
    on: Annotated[
        str | None, typer.Option("--on", metavar="ADDRESS", help="A distributed scheduler for --cases.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an interrupted --cases run stopped.")] = False,
    artifact: Annotated[
        list[str] | None, typer.Option("--artifact", metavar="NAME=PATH", help="Also make this.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Evaluate every stage, also after a failed gate.")] = False,
    lock: Annotated[
        Path | None, typer.Option("--lock", metavar="FILE", help="Refuse if anything locked changed.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings about the rubric are errors.")] = False,
    require_sandbox: Annotated[
        bool, typer.Option("--require-sandbox", help="Open no project of another program outside a sandbox.")
    ] = False,
) -> int:
    """Score one case, or many; without inputs, the rubric's first example."""
    from .loading import load
    from .running import RunCall
    from .running import run as run_rubric

    if require_sandbox:
        os.environ["RUBRIC_REQUIRE_SANDBOX"] = "1"  # for this process and its workers
    loaded = load(rubric, strict=strict)
    if lock is not None:
        _refuse_changed(lock, loaded)
    return run_rubric(loaded, RunCall(inputs or (), cases, out, force, format, jobs, on, resume, artifact or (), every))


def _refuse_changed(lock: Path, loaded: Any) -> None:
    from .lock import check_before_run

    differences = check_before_run(lock, loaded)
    if differences:
        lines = [f"{difference.kind}: {difference.sentence}" for difference in differences]
        _stop(INFRASTRUCTURE, "\n".join([*lines, f"refused: {len(lines)} difference(s) from {lock}"]))


@command("validate")
def validate(
    rubrics: Annotated[list[str], typer.Argument(metavar="RUBRIC", help="Paths or names.")],
    format: Annotated[FindingFormat, typer.Option("--format", help="Of the findings.")] = FindingFormat.text,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings are errors.")] = False,
) -> int:
    """Check rubrics: shape, names, types, weights. All findings in one run."""
    from .loading import inspect_rubric
    from .reporters.findings import render

    inspected = {rubric: inspect_rubric(rubric) for rubric in rubrics}
    findings = [finding for result in inspected.values() for finding in result.findings]
    write(render(findings, list(inspected), format, color=is_terminal_with_colors()))
    return WRONG if any(strict or finding.severity == "error" for finding in findings) else PASSED


@command("test")
def run_tests(
    rubrics: Annotated[list[str] | None, typer.Argument(metavar="RUBRIC", help="By default all bundled ones.")] = None,
    cases: CasesOption = None,
    format: Annotated[TableFormat, typer.Option("--format")] = TableFormat.text,
) -> int:
    """Run the examples and controls inside rubrics, and say which rules no example ever moves.

    With cases, compare the report of each with what the case has under 'expected' instead.
    """
    from .loading import bundled_names, load
    from .selftest import render, test_rubric

    if cases is not None:
        return _test_cases(rubrics or (), cases, format)

    results = [test_rubric(load(rubric)) for rubric in rubrics or bundled_names()]
    write(render(results, format))
    return PASSED if all(result.passed for result in results) else FAILED


def _test_cases(rubrics: Sequence[str], cases: Path, format: str) -> int:
    from .case_tests import render, test_cases
    from .loading import load

    if not rubrics:
        raise CallFault("--cases needs a rubric: rubric test RUBRIC --cases FILE")
    results = [test_cases(load(rubric), cases) for rubric in rubrics]
    write(render(results, format))
    return PASSED if all(result.passed for result in results) else FAILED


@command("diff")
def diff(
    paths: Annotated[list[str], typer.Argument(metavar="OLD NEW", help="Two rubrics.")],
    cases: CasesOption = None,
    format: Annotated[TableFormat, typer.Option("--format")] = TableFormat.text,
    git: Annotated[bool, typer.Option("--git", help="Called by git with its seven arguments.")] = False,
) -> int:
    """What changed in meaning between two versions; with cases, what that does to scores. Exit 0 same, 1 different."""
    from .comparison.command import compare

    text, different = compare(paths, cases, format, git=git)
    write(text)
    return FAILED if different and not git else PASSED


@command("explain")
def explain(
    subject: Annotated[str, typer.Argument(metavar="REPORT|RUBRIC", help="A report's file, or a rubric.")],
    node: Annotated[str | None, typer.Argument(metavar="NODE", help="Only this part.")] = None,
    case: Annotated[str | None, typer.Option("--case", help="Of a file with many reports, this one.")] = None,
) -> int:
    """Why a score is what it is, or what a rubric means."""
    if _is_report(Path(subject)):
        from .explanation import explain_file

        write(explain_file(Path(subject), node, case))
    else:
        from .loading import load
        from .prose import explain_rubric

        loaded = load(subject)
        write(explain_rubric(loaded.rubric, loaded.analysis, node))
    return PASSED


def _is_report(path: Path) -> bool:
    return path.suffix in (".json", ".jsonl") or (path.suffix not in (".yaml", ".yml") and path.is_file())


@command("lock")
def lock(
    rubric: RubricArgument,
    paths: Annotated[list[Path] | None, typer.Argument(metavar="PATH", help="Data files and folders.")] = None,
    out: OutOption = None,
    force: ForceOption = False,
) -> int:
    """Freeze a rubric: SHA-256 of its rules, schemas, primitives and data."""
    from .loading import load
    from .lock import lock_text

    write(lock_text(load(rubric), paths or [], out), out, force)
    return PASSED


@command("verify")
def verify(lock: Annotated[Path, typer.Argument(metavar="LOCK", help="A file that `rubric lock` wrote.")]) -> int:
    """Say everything that differs from a lock; exit 0 where nothing does."""
    from .lock import verify_lock

    differences = [f"{difference.kind}: {difference.sentence}" for difference in verify_lock(lock)]
    write("\n".join(differences) if differences else f"nothing differs from {lock}")
    return FAILED if differences else PASSED


@command("audit")
def audit(
    rubric: RubricArgument,
    cases: CasesOption = None,
    format: Annotated[TableFormat, typer.Option("--format")] = TableFormat.text,
) -> int:
    """What in the rules can be gamed, and what can never matter."""
    from .audit import audit_rubric, render
    from .loading import load

    result = audit_rubric(load(rubric), cases)
    write(render(result, format))
    return PASSED if result.passed else FAILED


@command("primitives")
def primitives(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A module, or module.function.")] = None,
) -> int:
    """The functions that rubrics can call, from their signatures and docstrings."""
    from .catalogue_page import describe

    write(describe(name))
    return PASSED


@command("schema")
def schema(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="'rubric', 'report', or a rubric.")] = None,
    input: Annotated[str | None, typer.Argument(metavar="INPUT", help="An input of that rubric.")] = None,
) -> int:
    """Print a JSON Schema: of the language, of reports, or of a rubric's input."""
    from .json_schemas import schema_text

    write(schema_text(name, input))
    return PASSED


@command("tools")
def tools(
    action: Annotated[ToolAction, typer.Argument(help="What to do; without it, 'show'.")] = ToolAction.show,
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="By default all.")] = None,
    version: Annotated[str | None, typer.Option("--version", help="Instead of the one that is usual.")] = None,
) -> int:
    """The programs that some rubrics drive: show which are here, or install them for this user."""
    from .tools_command import install_tools, show_tools

    if action is ToolAction.install:
        write(install_tools(names or (), version))
    else:
        write(show_tools(names or (), version))
    return PASSED


if __name__ == "__main__":
    main()
