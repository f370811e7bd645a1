"""One job in a process of its own, within limits; and whose fault it is when it does not end well.

Until Blender itself has started, what goes wrong is the instrument's fault. From then on it is the project's: that
it crashes, takes too long, takes too much, or makes an answer that breaks its schema.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from ...faults import ArgumentFault, InstrumentFault
from .install import Blender
from .jail import Case, command, rooms
from .progress import Progress
from .replies import checked
from .settings import Settings

__all__ = ["run"]

MAX_OUT_BYTES = 4 * 2**30
"""Of all that a job writes; a replay of half a minute in HD takes a hundredth of it."""

_PROCESSES = 512  # threads count; Blender starts a few per processor
_OPEN_FILES = 1024
_LINE = 1000
_COUNT = re.compile(r"[0-9]{1,8}")


def run(blender: Blender, case: Case, job: dict[str, Any], settings: Settings) -> Any:
    """The checked answer to a job. Raises `ArgumentFault` of the project, or `InstrumentFault`."""
    if shutil.disk_usage(case.out).free < MAX_OUT_BYTES:
        raise InstrumentFault(f"the disk with {case.folder} has too little room for renders")
    seen = rooms(case)
    described = {**job, **asdict(seen), "limits": _limits(settings)}
    (case.folder / "job.json").write_text(json.dumps(described), encoding="utf-8")
    argv, environment = command(blender, case, seen)
    with Progress(job["command"]) as progress:
        ended, last = _watched(argv, environment, case.out, settings.seconds, progress)
    if not (case.out / "started").is_file():
        raise InstrumentFault(f"Blender {blender.version} does not start: {ended or last or 'it says nothing'}")
    if ended:
        raise ArgumentFault("project", ended)
    return checked(case.out / "reply.json", job["command"])


def _limits(settings: Settings) -> dict[str, int]:
    return {
        "memory": int(settings.memory_gb * 2**30),
        "cpu_seconds": int(settings.seconds * (os.cpu_count() or 1)) + 1,
        "file_size": MAX_OUT_BYTES,
        "open_files": _OPEN_FILES,
        "processes": _PROCESSES,
    }


def _watched(
    argv: list[str], environment: dict[str, str], out: Path, seconds: float, progress: Progress
) -> tuple[str, str]:
    """Why the process did not end well (empty where it did), and the last line it said."""
    process = _started(argv, environment)
    lines: deque[str] = deque(maxlen=20)
    reader = threading.Thread(target=_read, args=(process.stdout, lines, progress), daemon=True)
    reader.start()
    try:
        ended = _waited(process, out, time.monotonic() + seconds, seconds)
    finally:
        _kill(process)
        reader.join(timeout=5)
    return ended, lines[-1] if lines else ""


def _started(argv: list[str], environment: dict[str, str]) -> subprocess.Popen:
    try:
        return subprocess.Popen(
            argv,
            env=environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise InstrumentFault(f"{argv[0]} does not start: {error.strerror}") from None


def _waited(process: subprocess.Popen, out: Path, deadline: float, seconds: float) -> str:
    while True:
        try:
            return _described_end(process.wait(timeout=0.5))
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline:
                return f"Blender did not end within {seconds / 60:g} minutes"
            if _size(out) > MAX_OUT_BYTES:
                return f"Blender wrote more than {MAX_OUT_BYTES // 2**30} GiB"


def _described_end(code: int) -> str:
    """A shell, and bubblewrap, add 128 to the number of a signal."""
    if code == 0:
        return ""
    number = -code if code < 0 else code - 128
    try:
        return f"Blender crashed or ran out of memory ({signal.Signals(number).name})"
    except ValueError:
        return f"Blender ended with code {code}"


def _size(folder: Path) -> int:
    """Of all files below a folder, which may vanish meanwhile."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.lstat().st_blocks * 512
    return total


def _kill(process: subprocess.Popen) -> None:
    """End the process and whatever it started; a sandbox takes its own with it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(pipe: IO[bytes], lines: deque[str], progress: Progress) -> None:
    """Keep the last lines, and pass on how far the job is. What it says is believed no further."""
    with pipe:
        while line := pipe.readline(_LINE):
            text = "".join(c for c in line.decode("utf-8", "replace") if c.isprintable()).strip()
            words = text.split()
            if len(words) == 3 and words[0] == "progress" and all(_COUNT.fullmatch(word) for word in words[1:]):
                progress.tell(min(int(words[1]), int(words[2])), int(words[2]))
            elif text:
                lines.append(text)
