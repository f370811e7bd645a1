"""The command line: parse arguments, call the engine, choose the exit code. Data to stdout, the rest to stderr."""

import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

PASSED, FAILED, WRONG, INFRASTRUCTURE = 0, 1, 2, 3

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


RubricArgument = Annotated[str, typer.Argument(metavar="RUBRIC", help="A path, or the name of a bundled rubric.")]
CasesOption = Annotated[Path | None, typer.Option("--cases", metavar="FILE|DIR", help="JSON Lines of cases, or a folder.")]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="PATH", help="Write there instead of to stdout.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Let --out replace an existing file.")]


def main() -> None:
    """The entry point: every foreseen fault is a sentence on stderr and an exit code, never a traceback."""
    from .faults import CallFault, InfrastructureFault
    from .findings import RubricError

    try:
        app()
    except RubricError as error:
        _stop(WRONG, str(error))
    except CallFault as fault:
        _stop(WRONG, f"error: {fault}")
    except InfrastructureFault as fault:
        _stop(INFRASTRUCTURE, f"infrastructure error ({fault.kind}): {fault.message}")
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(WRONG)
    except KeyboardInterrupt:
        _stop(130, "interrupted")


def _stop(code: int, message: str) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(code)


def _write(text: str, out: Path | None, force: bool) -> None:
    """To the file that was asked for, else to stdout."""
    if out is not None:
        from .files import write_new

        write_new(out, text, force=force)
        return
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")  # type: ignore[union-attr]
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def _color(out: Path | None) -> bool:
    import os

    return out is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@app.command()
def run(
    rubric: RubricArgument,
    inputs: Annotated[list[str] | None, typer.Argument(metavar="[NAME=PATH]...", help="The rubric's inputs.")] = None,
    cases: CasesOption = None,
    out: OutOption = None,
    force: ForceOption = False,
    format: Annotated[ReportFormat | None, typer.Option("--format", help="Of the report.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Local processes for --cases.")] = 1,
    on: Annotated[str | None, typer.Option("--on", metavar="ADDRESS", help="A distributed scheduler for --cases.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an interrupted --cases run stopped.")] = False,
    artifact: Annotated[list[str] | None, typer.Option("--artifact", metavar="NAME=PATH", help="Also make this.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Evaluate every stage, also after a failed gate.")] = False,
    lock: Annotated[Path | None, typer.Option("--lock", metavar="FILE", help="Refuse if anything locked changed.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings about the rubric are errors.")] = False,
) -> None:
    """Score one case, or many; without inputs, the rubric's first example."""
    from .loading import load
    from .running import BatchCall, CaseCall, run_batch, run_one

    loaded = load(rubric, strict=strict)
    if lock is not None:
        _refuse_changed(lock, loaded)
    if cases is not None:
        call = BatchCall(cases, out, force, format, jobs, on, resume, every, inputs or [], artifact or [])
        raise typer.Exit(run_batch(loaded, call, _write))
    call = CaseCall(inputs or [], artifact or [], out, force, format or "text", every, resume, _color(out))
    raise typer.Exit(run_one(loaded, call, _write))


def _refuse_changed(lock: Path, loaded: Any) -> None:
    from .lock import check_before_run

    differences = check_before_run(lock, loaded)
    if differences:
        for difference in differences:
            print(f"{difference.kind}: {difference.sentence}", file=sys.stderr)
        _stop(INFRASTRUCTURE, f"refused: {len(differences)} difference(s) from {lock}")


@app.command()
def validate(
    rubrics: Annotated[list[str], typer.Argument(metavar="RUBRIC...", help="Paths or names.")],
    format: Annotated[FindingFormat, typer.Option("--format", help="Of the findings.")] = FindingFormat.text,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings are errors.")] = False,
) -> None:
    """Check rubrics: shape, names, types, weights. All findings in one run."""
    from .loading import inspect_rubric
    from .reporters.findings import render

    inspected = {rubric: inspect_rubric(rubric) for rubric in rubrics}
    findings = [finding for result in inspected.values() for finding in result.findings]
    _write(render(findings, list(inspected), format, color=_color(None)), None, False)
    stopping = [finding for finding in findings if strict or finding.severity == "error"]
    raise typer.Exit(WRONG if stopping else PASSED)


@app.command()
def test(
    rubrics: Annotated[list[str] | None, typer.Argument(metavar="[RUBRIC]...", help="By default all bundled ones.")] = None,
    format: Annotated[TableFormat, typer.Option("--format")] = TableFormat.text,
) -> None:
    """Run the examples and controls inside rubrics, and say which rules no example ever moves."""
    from .loading import bundled_names, load
    from .selftest import render, test_rubric

    results = [test_rubric(load(rubric)) for rubric in rubrics or bundled_names()]
    _write(render(results, format), None, False)
    raise typer.Exit(PASSED if all(result.passed for result in results) else FAILED)


@app.command()
def diff(
    paths: Annotated[list[str], typer.Argument(metavar="OLD NEW", help="Two rubrics.")],
    cases: CasesOption = None,
    format: Annotated[TableFormat, typer.Option("--format")] = TableFormat.text,
    git: Annotated[bool, typer.Option("--git", help="Called by git with its seven arguments.")] = False,
) -> None:
    """What changed in meaning between two versions; with cases, what that does to scores. Exit 0 same, 1 different."""
    from .comparison.command import compare

    text, different = compare(paths, cases, format, git=git)
    _write(text, None, False)
    raise typer.Exit(FAILED if different and not git else PASSED)


@app.command()
def explain(
    subject: Annotated[str, typer.Argument(metavar="REPORT|RUBRIC", help="A report's file, or a rubric.")],
    node: Annotated[str | None, typer.Argument(metavar="[NODE]", help="Only this part.")] = None,
    case: Annotated[str | None, typer.Option("--case", help="Of a file with many reports, this one.")] = None,
) -> None:
    """Why a score is what it is, or what a rubric means."""
    from .explanation import explain_file
    from .loading import load
    from .prose import explain_rubric

    if Path(subject).suffix in (".json", ".jsonl"):
        _write(explain_file(Path(subject), node, case), None, False)
        return
    loaded = load(subject)
    _write(explain_rubric(loaded.rubric, loaded.analysis, node), None, False)


@app.command()
def lock(
    rubric: RubricArgument,
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[PATH]...", help="Data files and folders.")] = None,
    out: OutOption = None,
    force: ForceOption = False,
) -> None:
    """Freeze a rubric: SHA-256 of its rules, schemas, primitives and data."""
    from .loading import load
    from .lock import lock_text

    _write(lock_text(load(rubric), paths or [], out), out, force)


@app.command()
def verify(lock: Annotated[Path, typer.Argument(metavar="LOCK", help="A file that `rubric lock` wrote.")]) -> None:
    """Say everything that differs from a lock; exit 0 where nothing does."""
    from .lock import verify_lock

    differences = verify_lock(lock)
    for difference in differences:
        print(f"{difference.kind}: {difference.sentence}")
    if differences:
        raise typer.Exit(FAILED)
    print(f"nothing differs from {lock}")


@app.command()
def audit(
    rubric: RubricArgument,
    cases: CasesOption = None,
    format: Annotated[TableFormat, typer.Option("--format")] = TableFormat.text,
) -> None:
    """What in the rules can be gamed, and what can never matter."""
    from .audit import audit_rubric, render
    from .loading import load

    result = audit_rubric(load(rubric), cases)
    _write(render(result, format), None, False)
    raise typer.Exit(PASSED if result.passed else FAILED)


@app.command()
def primitives(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A module, or module.function.")] = None,
) -> None:
    """The functions that rubrics can call, from their signatures and docstrings."""
    from .catalogue_page import describe

    _write(describe(name), None, False)


@app.command()
def schema(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="'rubric', 'report', or a rubric.")] = None,
    input: Annotated[str | None, typer.Argument(metavar="[INPUT]", help="An input of that rubric.")] = None,
) -> None:
    """Print a JSON Schema: of the language, of reports, or of a rubric's input."""
    from .json_schemas import schema_text

    _write(schema_text(name, input), None, False)


Writer = Callable[[str, Path | None, bool], None]

if __name__ == "__main__":
    main()
