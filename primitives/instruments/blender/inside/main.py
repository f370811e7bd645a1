"""One job: read what is to be done, do it with one project, write the answer.

The job's file says `command`, `project`, `originals`, `out` (the only folder that is written to), `limits`, and what
the command needs. The file `started` shows that Blender itself works; everything after it is the project's doing.
"""

import importlib
import json
import os
import resource
from pathlib import Path
from typing import Any

from .bypassing import bypasses
from .faults import ProjectFault
from .probing import probe
from .rendering import render, stills

_COMMANDS = {"probe": probe, "stills": stills, "bypasses": bypasses, "render": render}


def main(path: str) -> None:
    """Run the job in this file, then end the process without tidying up, at which Blender can crash."""
    job = json.loads(Path(path).read_text(encoding="utf-8"))
    _limit(job["limits"])
    bpy = importlib.import_module("bpy")
    out = Path(job["out"])
    build = {"version": bpy.app.version_string, "build": bpy.app.build_hash.decode("ascii", "replace")}
    (out / "started").write_text(json.dumps(build), encoding="utf-8")
    _write(out / "reply.json", {"works": build} if job["command"] == "works" else _reply(bpy, job))
    os._exit(0)


def _reply(bpy: Any, job: dict[str, Any]) -> dict[str, Any]:
    try:
        _open(bpy, job["project"])
        return {job["command"]: _COMMANDS[job["command"]](bpy, job)}
    except ProjectFault as fault:
        return {"failed": str(fault)[:300]}
    except (RuntimeError, RecursionError) as error:
        return {"failed": f"Blender refused: {str(error).strip()[:250]}"}


def _open(bpy: Any, project: str) -> None:
    """Open the project without its scripts and without its windows; its scene becomes the active one all the same."""
    bpy.ops.wm.open_mainfile(filepath=project, load_ui=False, use_scripts=False)
    if not bpy.data.filepath or not bpy.context.window_manager.windows:
        raise ProjectFault("it does not open")


def _limit(limits: dict[str, int]) -> None:
    """Limits of the kernel, which the process cannot raise again."""
    threads = limits["processes"] + _threads_of_this_user()
    for kind, most in (
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_FSIZE, limits["file_size"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_NPROC, threads),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def _threads_of_this_user() -> int:
    """How many there are already: the kernel counts all of a user's threads against one limit."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == os.getuid():
                count += len(os.listdir(process / "task"))
        except OSError:
            continue
    return count


def _write(path: Path, reply: dict[str, Any]) -> None:
    """The answer, whole or not at all."""
    beside = path.with_suffix(".part")
    beside.write_text(json.dumps(reply), encoding="ascii")
    beside.rename(path)
