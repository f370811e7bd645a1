"""The rules of the house: which way imports go, what is named where, what starting up may import."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BENCHMARKS = re.compile(r"\b(witness|kerry|kayak|cutawan|dfgan|miner)\b", re.IGNORECASE)


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, *, at_load: bool = False) -> Iterator[str]:
    """The modules of this project that a file imports; with `at_load`, only those imported when it is."""
    package = name_of(path).split(".") if path.name == "__init__.py" else name_of(path).split(".")[:-1]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = top_level(tree) if at_load else ast.walk(tree)
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            module = [*base, *(node.module.split(".") if node.module else [])]
            yield from (".".join([*module, alias.name]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("rubric."):
            yield node.module.removeprefix("rubric.")


def top_level(tree: ast.Module) -> Iterator[ast.AST]:
    """Statements that run when a module is imported; not those for type checkers, nor inside functions."""
    for node in tree.body:
        guarded = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        if not guarded:
            yield node


def test_primitives_import_nothing_of_the_engine() -> None:
    for path in modules("primitives"):
        assert not [module for module in imports(path) if module.startswith("engine")], path


def test_the_engine_reaches_primitives_only_through_the_catalogue() -> None:
    reaching = {
        name_of(path)
        for path in modules("engine")
        if any(module.split(".")[0] == "primitives" or module == "primitives" for module in imports(path))
    }
    assert reaching == {"engine.catalogue"}


@pytest.mark.parametrize("folder", ["engine", "primitives"])
def test_no_benchmark_is_named(folder: str) -> None:
    for path in [*modules(folder), *(ROOT / folder).rglob("*.lark")]:
        assert not BENCHMARKS.search(path.read_text(encoding="utf-8")), path


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = {name_of(path): path for folder in ("engine", "primitives") for path in modules(folder)}

    def home(module: str) -> str | None:
        return module if module in known else module.rpartition(".")[0] if module.rpartition(".")[0] in known else None

    graph = {
        name: {target for module in imports(path, at_load=True) if (target := home(module)) and target != name}
        for name, path in known.items()
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join([*trail[trail.index(name) :], name])
        if name not in done:
            for target in sorted(graph[name]):
                visit(target, (*trail, name))
            done.add(name)

    for name in sorted(graph):
        visit(name, ())


def test_the_command_line_starts_without_heavy_imports() -> None:
    code = "import rubric.engine.cli, sys; print('\\n'.join(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "cv2", "av", "polars", "scipy", "jsonschema", "lark", "yaml", "rapidfuzz", "rich"}
    assert not heavy & set(found)


def test_no_module_is_long() -> None:
    for folder in ("engine", "primitives"):
        for path in modules(folder):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 500, path


def test_every_folder_is_packaged() -> None:
    """Wheels hold only what pyproject.toml names; editable installs would hide what is missing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = set(project["tool"]["setuptools"]["packages"])
    folders = {path.parent for folder in ("engine", "primitives", "rubrics", "schemas") for path in modules(folder)}
    assert named == {"rubric." + ".".join(folder.relative_to(ROOT).parts) for folder in folders}
