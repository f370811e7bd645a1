"""A rubric file -> something that scores cases."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from .analysis import Analysis, analyse
from .building import build
from .checks import check
from .document import read_document, read_file
from .evaluation import Options, evaluate_case
from .faults import CallFault
from .findings import Finding, RubricError, suggestion
from .meaning import digest
from .plan import Plan, make_plan
from .report import Report, RubricId
from .rubric import Rubric

ENGINE_VERSION = version("rubric-engine")


def bundled_folder() -> Path:
    """The folder of the rubrics that come with the package."""
    return Path(str(files("rubric.rubrics")))


def bundled_names() -> tuple[str, ...]:
    """The names of the bundled rubrics: `rubric run NAME`."""
    return tuple(sorted(path.stem for path in bundled_folder().glob("*.yaml")))


def find(name: str | Path) -> Path:
    """The path of a rubric: a file, or the name of a bundled one. Raises `RubricError` where there is neither."""
    path = Path(name)
    if path.exists() or path.suffix in (".yaml", ".yml"):
        if not path.exists() and (bundled_folder() / path.name).exists() and path.parent.name == "rubrics":
            return bundled_folder() / path.name
        return path
    bundled = bundled_folder() / f"{name}.yaml"
    if bundled.exists():
        return bundled
    known = bundled_names()
    hint = suggestion(str(name), known) or f"bundled rubrics: {', '.join(known)}"
    raise RubricError([Finding("no-such-rubric", f"there is no file and no bundled rubric '{name}'", hint=hint)])


@dataclass(frozen=True)
class Inspected:
    """A rubric that was read and checked, and all that was found. `rubric` is None where its shape is wrong."""

    rubric: Rubric | None
    analysis: Analysis | None
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")


def inspect_rubric(path: str | Path) -> Inspected:
    """Read and check a rubric file; nothing is raised for what is wrong with it."""
    try:
        document = read_file(find(path))
    except RubricError as error:
        return Inspected(None, None, error.findings)
    rubric, findings = build(document)
    analysis = analyse(rubric)
    return Inspected(rubric, analysis, tuple(_sorted([*findings, *check(analysis, complete=not findings)])))


def _sorted(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda f: (f.position.line, f.position.column, f.id) if f.position else (0, 0, f.id))


def load(path: str | Path, *, strict: bool = False) -> "LoadedRubric":
    """A rubric that can be run. Raises `RubricError` with every error found; with `strict`, warnings are errors."""
    inspected = inspect_rubric(path)
    stopping = inspected.findings if strict else inspected.errors
    if stopping or inspected.rubric is None or inspected.analysis is None:
        raise RubricError(stopping)
    return LoadedRubric(inspected.rubric, inspected.analysis, find(path), inspected.findings)


def load_text(text: str, name: str = "rubric.yaml") -> "LoadedRubric":
    """A rubric from its text. Raises `RubricError`."""
    rubric, findings = build(read_document(text, name))
    analysis = analyse(rubric)
    found = tuple(_sorted([*findings, *check(analysis, complete=not findings)]))
    errors = [finding for finding in found if finding.severity == "error"]
    if errors:
        raise RubricError(errors)
    return LoadedRubric(rubric, analysis, Path(name), found)


class LoadedRubric:
    """A checked rubric. Compiled when it first runs; the same object scores any number of cases."""

    def __init__(self, rubric: Rubric, analysis: Analysis, path: Path, findings: tuple[Finding, ...]):
        self.rubric = rubric
        self.analysis = analysis
        self.path = path
        self.findings = findings

    @cached_property
    def plan(self) -> Plan:
        return make_plan(self.analysis)

    @cached_property
    def id(self) -> RubricId:
        return RubricId(self.rubric.name, self.rubric.version, digest(self.rubric))

    def run(self, /, **inputs: Any) -> Report:
        """Score one case: for each input a path or a value. Raises `CallFault` where an input is unknown or missing."""
        return self.run_case(inputs)

    def run_case(
        self,
        inputs: Mapping[str, Any],
        *,
        case: str | None = None,
        folder: Path | None = None,
        options: Options | None = None,
    ) -> Report:
        """Score one case; relative paths start at `folder`."""
        return self.run_with_artifacts(inputs, case=case, folder=folder, options=options)[0]

    def run_with_artifacts(
        self,
        inputs: Mapping[str, Any],
        *,
        case: str | None = None,
        folder: Path | None = None,
        options: Options | None = None,
    ) -> tuple[Report, Mapping[str, Any]]:
        """Score one case, and make the content of the artifacts named in the options."""
        return evaluate_case(
            self.plan, self.id, inputs, engine=ENGINE_VERSION, case=case, folder=folder, options=options
        )

    def run_many(
        self, cases: Iterable[Mapping[str, Any]], *, executor: Executor | None = None, folder: Path | None = None
    ) -> Iterator[Report]:
        """Score cases as they stand in a cases file, `{"id": ..., "inputs": {...}}`, in their order."""
        from .batch import run_cases

        return run_cases(self, cases, executor=executor, folder=folder)

    def example_inputs(self, name: str | None = None) -> tuple[str, Mapping[str, Any], Path]:
        """The name, inputs and folder of an example, the first by default. Raises `CallFault` where there is none."""
        examples = self.rubric.examples
        if not examples or (name is not None and name not in examples):
            raise CallFault(f"the rubric has no example{f' {name!r}' if name else ''}; give its inputs as NAME=PATH")
        chosen = examples[name] if name is not None else next(iter(examples.values()))
        return chosen.name, chosen.inputs, self.path.parent
