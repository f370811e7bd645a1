"""The source code that primitives consist of, and the libraries it imports, found by reading it.

The grain is the module: a primitive reaches its own module, the packages around it, and every module of the same
package that one of these imports, wherever the import stands. What is imported by a name made at run time is not seen.
Data belongs to it too: files and folders beside a module that stand in its source by name, such as a schema or a page.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path

_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
OWN_PACKAGE = f"{__name__.rpartition('.')[0].rpartition('.')[0]}.primitives"  # only read, never imported


@dataclass(frozen=True, slots=True)
class Sources:
    """`files`: dotted name of a module -> its file, and of data -> each file, its path after the package's name.
    `libraries`: distribution -> version, None where it is not installed.
    """

    files: Mapping[str, Path]
    libraries: Mapping[str, str | None]


def reached_from(names: Iterable[str]) -> Sources:
    """All that the modules of these dotted names consist of, by name; what is no module is left out."""
    modules: dict[str, Path] = {}
    data: dict[str, Path] = {}
    imported: set[str] = set()
    waiting = [module for name in names for module in _with_packages(name, _root(name))]
    while waiting:
        name = waiting.pop()
        spec = None if name in modules else _spec(name)
        if spec is None or not spec.origin or not Path(spec.origin).is_file():
            continue
        modules[name] = Path(spec.origin)
        source = _parsed(modules[name])
        data |= _data(name.rpartition(".")[0], modules[name].parent, source)
        for target in _imports(spec, source):
            if _inside(target, _root(name)):
                waiting += _with_packages(target, _root(name))
            else:
                imported.add(target.partition(".")[0])
    imported |= {name.partition(".")[0] for name in modules if not _inside(name, OWN_PACKAGE)}
    return Sources(dict(sorted((modules | data).items())), dict(sorted(_libraries(imported))))


def _root(name: str) -> str:
    """The package within which imports are followed."""
    return OWN_PACKAGE if _inside(name, OWN_PACKAGE) else name.partition(".")[0]


def _inside(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def _with_packages(name: str, root: str) -> list[str]:
    """A module's name and those of the packages around it, whose code runs when it is imported."""
    parts = name.split(".")
    names = [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
    return [known for known in names if _inside(known, root)]


def _spec(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, ValueError):
        return None


def _parsed(file: Path) -> ast.AST:
    """The source of a module; nothing of one that is compiled."""
    return ast.parse(file.read_bytes() if file.suffix == ".py" else b"")


def _data(package: str, folder: Path, source: ast.AST) -> dict[str, Path]:
    """The data files beside a module that its source names, or that are in a folder which it names."""
    found: dict[str, Path] = {}
    for node in ast.walk(source):
        name = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(name, str) or not _FILE_NAME.fullmatch(name):
            continue
        path = folder / name
        if path.is_dir() and not (path / "__init__.py").exists():
            files = (file for file in path.rglob("*") if file.is_file())
        else:
            files = (path,) if path.is_file() and path.suffix != ".py" else ()
        found |= {f"{package}/{file.relative_to(folder).as_posix()}": file for file in files}
    return found


def _imports(spec: ModuleSpec, source: ast.AST) -> Iterator[str]:
    """The dotted names that a module's source may import; `from a import b` may mean the module `a.b`."""
    package = spec.name if spec.submodule_search_locations is not None else spec.name.rpartition(".")[0]
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _libraries(imported: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    own = OWN_PACKAGE.partition(".")[0]
    for name in sorted(imported):
        if name not in sys.stdlib_module_names and name != own:
            yield from _distributions(name)


def _distributions(name: str) -> Iterator[tuple[str, str | None]]:
    """What installs a top-level package, with its version: mostly what is called so; looking through all is slow."""
    try:
        found = [distribution(name)]
    except PackageNotFoundError:
        found = [distribution(known) for known in packages_distributions().get(name, ())]
    yield from ((known.metadata["Name"], known.version) for known in found)
    if not found:
        yield name, None
