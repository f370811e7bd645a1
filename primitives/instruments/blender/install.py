"""Blender itself: where it is found, and how it is installed.

The package `bpy` is Blender as a Python module. It needs an interpreter of one version and an older NumPy, so it gets
an environment of its own. A `blender` program of the same version does as well.
"""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from ...faults import InstrumentFault
from .places import cache_folder

__all__ = ["ENVIRONMENT_VARIABLE", "VERSION", "Blender", "find", "install", "state"]

VERSION = "5.0.1"

ENVIRONMENT_VARIABLE = "RUBRIC_BLENDER"
"""Names an interpreter that can import `bpy`, or a `blender` program; then no other is looked for."""

_PYTHON = "3.11"
_NOTE = "blender.json"
_DESCRIBE = (
    "import bpy, json, sys; print(json.dumps([bpy.app.version_string, bpy.app.build_hash.decode(),"
    " sorted({sys.prefix, sys.base_prefix})]))"
)
_SECONDS = 120
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+\Z")


@dataclass(frozen=True)
class Blender:
    """A Blender that runs here. `folders` hold all that it needs, besides the system's libraries."""

    program: str
    is_module: bool
    version: str
    build: str
    folders: tuple[str, ...]

    def command(self, expression: str) -> list[str]:
        """How to run a Python expression in it: factory settings, no scripts of files, no window."""
        if self.is_module:
            return [self.program, "-I", "-B", "-c", expression]
        options = ["--background", "--factory-startup", "--disable-autoexec", "--python-exit-code", "70"]
        return [self.program, *options, "--python-expr", expression]


def find(version: str = VERSION) -> Blender:
    """The Blender of this version: named by the environment, installed by `install`, or on the path.

    Raises `InstrumentFault` where there is none; what the environment names must be it.
    """
    named = os.environ.get(ENVIRONMENT_VARIABLE)
    if named:
        return _of_version(_described(named), version, f"{ENVIRONMENT_VARIABLE} names {named}")
    own = _environment(version)
    if own.is_dir():
        return _of_version(_noted(own), version, f"{own} was installed")
    program = shutil.which("blender")
    if program is not None:
        return _of_version(_described(program), version, f"{program} is on the path")
    raise InstrumentFault(
        f"Blender {version} is not installed: run `rubric tools install blender`, or let {ENVIRONMENT_VARIABLE} name it"
    )


def state(version: str = VERSION) -> str:
    """A sentence: which Blender there is, or that there is none."""
    try:
        blender = find(version)
    except InstrumentFault as fault:
        return str(fault)
    return f"Blender {blender.version} (build {blender.build}): {blender.program}"


def _of_version(found: Blender, version: str, where: str) -> Blender:
    if found.version != version:
        raise InstrumentFault(f"Blender {version} is needed, and {where}, which is {found.version}")
    return found


def _environment(version: str) -> Path:
    if not _VERSION.match(version):
        raise InstrumentFault(f"{version!r} is no version of Blender, such as {VERSION}")
    return cache_folder() / version


def _noted(environment: Path) -> Blender:
    """What `install` found out, which spares starting it again."""
    try:
        noted = json.loads((environment / _NOTE).read_text(encoding="utf-8"))
        return Blender(**{**noted, "folders": tuple(noted["folders"])})
    except (OSError, ValueError, TypeError, KeyError):
        return _described(str(environment / "bin" / "python"))


@lru_cache(maxsize=8)
def _described(program: str) -> Blender:
    path = shutil.which(program)
    if path is None:
        raise InstrumentFault(f"{program} cannot be run; an interpreter with bpy, or a blender program, was expected")
    path = os.path.abspath(path)
    said = _output([path, "--version"])
    if not said.startswith("Blender"):
        version, build, folders = json.loads(_output([path, "-I", "-c", _DESCRIBE]).splitlines()[-1])
        return Blender(path, True, version, build, tuple(folders))
    build = re.search(r"build hash: (\S+)", said)
    folder = os.path.dirname(os.path.realpath(path))
    return Blender(os.path.realpath(path), False, said.split()[1], build[1] if build else "unknown", (folder,))


def _output(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=True)
    except subprocess.CalledProcessError as error:
        raise InstrumentFault(f"{command[0]} does not run Blender: {_last_line(error.stderr)}") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstrumentFault(f"{command[0]} does not run: {error}") from None
    return done.stdout.strip()


def _last_line(text: str) -> str:
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return lines[-1] if lines else "it says nothing"


# ---------------------------------------------------------------- installing


def install(version: str = VERSION) -> Blender:
    """Make an environment with this Blender, unless it is there; half a gigabyte. Raises `InstrumentFault`."""
    environment = _environment(version)
    if environment.is_dir():
        return _noted(environment)
    part = environment.with_name(f".{version}-{secrets.token_hex(4)}")
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        _run([_interpreter(), "-m", "venv", str(part)])
        python = str(part / "bin" / "python")
        _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"bpy=={version}", "numpy<2"])
        _of_version(_described(python), version, "what was installed")
        _publish(part, environment)
    except OSError as error:
        raise InstrumentFault(f"{environment} cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return _noted(environment)


def _publish(part: Path, environment: Path) -> None:
    """Give the environment its name; where another process was first, that one stays."""
    try:
        part.rename(environment)
    except OSError:
        if not environment.is_dir():
            raise
        return
    found = _described(str(environment / "bin" / "python"))
    (environment / _NOTE).write_text(json.dumps(asdict(found)), encoding="utf-8")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise InstrumentFault(f"`{' '.join(command[1:4])}` failed: {_last_line(done.stderr)}")


def _interpreter() -> str:
    """A CPython of the version that bpy is built for."""
    for program in _interpreters():
        try:
            if _output([program, "--version"]).startswith(f"Python {_PYTHON}."):
                return program
        except InstrumentFault:
            continue
    raise InstrumentFault(f"bpy needs CPython {_PYTHON}, and python{_PYTHON} is not on the path")


def _interpreters() -> Iterator[str]:
    yield sys.executable
    if (on_path := shutil.which(f"python{_PYTHON}")) is not None:
        yield on_path
    yield from sorted(str(path) for path in Path.home().glob(f".pyenv/versions/{_PYTHON}.*/bin/python"))
