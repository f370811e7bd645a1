"""What keeps a project from the rest of the machine, in the order in which it is preferred.

* `bubblewrap`: no network, no other processes, no files but the interpreter, the project and the originals, all
  read-only; one folder and a temporary one can be written to.
* `namespaces` (util-linux's `unshare`): no network, no other processes; all files can be seen, and are read-only as far
  as the kernel lets an ordinary user make them so.
* `limits`: nothing but the limits on memory, time, processes and the size of files, which hold in every case.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from ...faults import InstrumentFault
from .install import Blender
from .places import INSIDE

__all__ = ["Case", "Protection", "Rooms", "check_protection", "command", "protection", "rooms"]

REQUIRE_VARIABLE = "RUBRIC_REQUIRE_SANDBOX"
"""Not empty: whoever runs this wants no project opened outside a sandbox."""

Sandbox = Literal["bubblewrap", "namespaces", "limits"]

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/fonts")
_TEMPORARY_BYTES = 2**30


@dataclass(frozen=True)
class Protection:
    """What is in force. `limits` on resources always are; files are `hidden` but for those of the job."""

    sandbox: Sandbox
    network_cut: bool
    processes_hidden: bool
    files_hidden: bool
    files_read_only: bool


_KINDS: Mapping[Sandbox, Protection] = {
    "bubblewrap": Protection("bubblewrap", True, True, True, True),
    "namespaces": Protection("namespaces", True, True, False, True),
    "limits": Protection("limits", False, False, False, False),
}


@cache
def protection() -> Protection:
    """The best protection that works here; it is tried, since many containers forbid it."""
    trials: dict[Sandbox, list[str]] = {"bubblewrap": _bubblewrap_trial(), "namespaces": [*_UNSHARE, "true"]}
    for kind, trial in trials.items():
        if shutil.which(trial[0]) and _succeeds(trial):
            return _KINDS[kind]
    return _KINDS["limits"]


def check_protection(required: bool) -> None:
    """Raises `InstrumentFault` where a sandbox is required, by a rubric or by who runs it, and there is none."""
    required = required or bool(os.environ.get(REQUIRE_VARIABLE))
    if required and protection().sandbox == "limits":
        raise InstrumentFault("a sandbox is required, and neither bubblewrap nor unshare works here")


def _succeeds(trial: list[str]) -> bool:
    try:
        return subprocess.run(trial, capture_output=True, stdin=subprocess.DEVNULL, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@dataclass(frozen=True)
class Case:
    """A job's own folder on this machine, and the originals by their path in their folder."""

    folder: Path
    originals: Mapping[str, str]

    @property
    def project(self) -> Path:
        return self.folder / "project" / "project.blend"

    @property
    def out(self) -> Path:
        """The only folder that the job writes to."""
        return self.folder / "out"


@dataclass(frozen=True)
class Rooms:
    """Where things lie as the job sees them; the originals are at `../input` from the project's folder."""

    project: str
    originals: str
    out: str
    scripts: str
    job: str


def rooms(case: Case) -> Rooms:
    """The job's view; without a view of its own the originals are linked to from its folder."""
    if protection().sandbox == "bubblewrap":
        return Rooms("/case/project/project.blend", "/case/input", "/out", "/scripts", "/job.json")
    beside = case.folder / "input"
    for name, path in case.originals.items():
        (beside / name).parent.mkdir(parents=True, exist_ok=True)
        (beside / name).symlink_to(os.path.realpath(path))
    (case.folder / "temporary").mkdir()
    return Rooms(str(case.project), str(beside), str(case.out), str(INSIDE.parent), str(case.folder / "job.json"))


def command(blender: Blender, case: Case, seen: Rooms) -> tuple[list[str], dict[str, str]]:
    """What to start, and its whole environment."""
    start = blender.command(f"import sys; sys.path.insert(0, {seen.scripts!r}); from inside.main import main; main({seen.job!r})")  # fmt: skip # noqa: E501
    sandbox = protection().sandbox
    temporary = "/tmp" if sandbox == "bubblewrap" else str(case.folder / "temporary")
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": temporary,
        "TMPDIR": temporary,
        "BLENDER_USER_RESOURCES": temporary,
        "LANG": "C.UTF-8",
    }
    if sandbox == "bubblewrap":
        return [*_bubblewrap(blender, case), *start], environment
    return ([*_UNSHARE, *_read_only(case), *start] if sandbox == "namespaces" else start), environment


# ---------------------------------------------------------------- bubblewrap


def _bubblewrap_trial() -> list[str]:
    return ["bwrap", *_ISOLATED, *_system(), "true"]


_ISOLATED = ("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev")  # fmt: skip # noqa: E501


def _system() -> list[str]:
    """The system's programs and libraries; the links of a merged /usr stay links."""
    options = []
    for path in _SYSTEM:
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            options += ["--ro-bind", path, path]
    return options


def _bubblewrap(blender: Blender, case: Case) -> list[str]:
    options = ["bwrap", *_ISOLATED, *_system(), "--size", str(_TEMPORARY_BYTES), "--tmpfs", "/tmp"]
    for folder in blender.folders:
        if not folder.startswith("/usr/"):
            options += ["--ro-bind", folder, folder]
    options += ["--ro-bind", str(INSIDE), "/scripts/inside", "--ro-bind", str(case.folder / "job.json"), "/job.json"]
    options += ["--ro-bind", str(case.project), "/case/project/project.blend", "--dir", "/case/input"]
    for name, path in case.originals.items():
        options += ["--ro-bind", os.path.realpath(path), f"/case/input/{name}"]
    return [
        *options,
        "--bind",
        str(case.out),
        "/out",
        "--remount-ro",
        "/",
        "--remount-ro",
        "/dev",
        "--chdir",
        "/tmp",
        "--",
    ]


# ---------------------------------------------------------------- namespaces

_UNSHARE = ("unshare", "--user", "--map-root-user", "--mount", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc")  # fmt: skip # noqa: E501

# What cannot be made read-only stays as it is: an ordinary user may not change every mount.
_REMOUNT = """
mount --bind "$1" "$1" && mount --bind "$2" "$2" || exit 71
while read -r _ _ _ _ point _; do
  case "$point" in "$1"|"$2"|/proc*) ;; *) mount -o remount,bind,ro "$point" 2>/dev/null ;; esac
done < /proc/self/mountinfo
shift 2; exec "$@"
"""


def _read_only(case: Case) -> list[str]:
    return ["sh", "-c", _REMOUNT, "sh", str(case.out), str(case.folder / "temporary")]
