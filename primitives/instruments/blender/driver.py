"""What can be asked of a project: each answer is made in a job of its own, or kept from an earlier one."""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..._columns import shown
from ..._picture_files import decoded
from ..._pixels import as_file
from ...faults import ArgumentFault, InstrumentFault
from .install import Blender, find
from .jail import Case, check_protection, protection
from .keeping import digest_of, kept, working_folder
from .places import INSIDE
from .results import Probe, Scene, probe_of
from .running import run
from .settings import Settings

__all__ = ["Project", "started"]

FORMAT = 1
MAX_SIDE = 16384
MAX_PROJECT_BYTES = 2**31
_ANSWER = "answer.json"


def started(settings: Settings) -> Blender:
    """The Blender of these settings, after it ran a job without a project. Raises `InstrumentFault`."""
    blender = _instrument(settings)
    with working_folder() as folder:
        case = Case(folder, {})
        case.out.mkdir()
        case.project.parent.mkdir()
        case.project.touch()
        try:
            answer = run(blender, case, {"command": "works"}, settings)
        except ArgumentFault as fault:
            raise InstrumentFault(f"Blender {settings.version} does not work: {fault.reason}") from None
    if answer["version"] != blender.version:
        raise InstrumentFault(f"Blender {blender.version} says that it is {answer['version']}")
    return blender


def _instrument(settings: Settings) -> Blender:
    check_protection(settings.require_sandbox)
    return find(settings.version)


@dataclass(frozen=True)
class Project:
    """A project's file and the originals beside it, by their path in their folder."""

    path: Path
    originals: Mapping[str, str]
    settings: Settings

    @classmethod
    def of(cls, project: Any, originals: Any, settings: Settings) -> "Project":
        """What a rubric hands over, checked: a file, and a folder or a map of files."""
        path = Path(as_file("project", project))
        if path.stat().st_size > MAX_PROJECT_BYTES:
            raise ArgumentFault("project", f"it is larger than {MAX_PROJECT_BYTES // 2**30} GiB")
        return cls(path, _as_originals(originals), settings)

    def probe(self) -> Probe:
        return probe_of(self._answer(self._entry({"command": "probe"})))

    def stills(self, frames: Sequence[int]) -> list[tuple[int, np.ndarray | None]]:
        """A picture of each frame; null of those after the end."""
        rows = self._rows("stills", frames)
        pictures = {row["frame"]: row["picture"] for row in rows}
        return [(frame, pictures.get(frame)) for frame in frames]

    def bypasses(self, frames: Sequence[int]) -> list[dict[str, Any]]:
        """The rows of the job, with those of frames after the end."""
        rows, found = self._rows("bypasses", frames), []
        for use in {row["use"]: row for row in rows}.values():
            own = {row["frame"]: row for row in rows if row["use"] == use["use"]}
            ended = {**use, "normal": None, "bypassed": None}
            found += [own.get(frame, {**ended, "frame": frame}) for frame in frames]
        return found

    def render(self) -> str:
        """The path of the replay."""
        self._check_renderable()
        return str(self._entry({"command": "render"}) / "replay.mp4")

    def _rows(self, command: str, frames: Sequence[int]) -> list[dict[str, Any]]:
        scene = self._check_renderable()
        there = sorted({frame for frame in frames if frame < scene.frames})
        if not there:
            return []
        entry = self._entry({"command": command, "frames": there})
        load = cache(lambda name: np.asarray(np.load(entry / name, mmap_mode="r", allow_pickle=False)))
        parts = ("picture", "normal", "bypassed")
        return [
            {name: load(value) if name in parts else value for name, value in row.items()}
            for row in self._answer(entry)
        ]

    def _check_renderable(self) -> Scene:
        """Refuses what would not render within reason, before any of it is tried."""
        scene, most = self.probe().active_scene, self.settings
        if not (0 < scene.width <= MAX_SIDE and 0 < scene.height <= MAX_SIDE):
            raise ArgumentFault("project", f"its frames of {scene.width} x {scene.height} cannot be rendered")
        if scene.width * scene.height > most.max_pixels:
            raise ArgumentFault("project", f"its frames of {scene.width} x {scene.height} are too large")
        if not 0 < scene.frames <= most.max_frames:
            raise ArgumentFault("project", f"its timeline of {scene.frames} frames cannot be rendered")
        return scene

    # ------------------------------------------------------------ entries

    def _entry(self, job: dict[str, Any]) -> Path:
        """The folder with the answer to a job and its files."""
        blender = _instrument(self.settings)
        job = {**job, "nesting": self.settings.nesting}
        project = _digest("project", str(self.path))
        described = {
            "format": FORMAT,
            "job": job,
            "project": project,
            "originals": {name: _digest("originals", path) for name, path in self.originals.items()},
            "blender": [blender.version, blender.build],
            "scripts": _scripts(),
            "sandbox": protection().sandbox,
        }
        return kept(described, lambda entry: self._make(entry, blender, job, project))

    def _make(self, entry: Path, blender: Blender, job: dict[str, Any], project: str) -> None:
        with working_folder() as folder:
            case = Case(folder, self.originals)
            case.out.mkdir()
            case.project.parent.mkdir()
            _copy(self.path, case.project, project)
            answer = run(blender, case, job, self.settings)
            if job["command"] == "render":
                _take_film(case.out / answer["film"], entry / "replay.mp4")
            else:
                answer = _with_pictures(answer, case.out, entry)
            (entry / _ANSWER).write_text(json.dumps(answer), encoding="ascii")

    @staticmethod
    def _answer(entry: Path) -> Any:
        return json.loads((entry / _ANSWER).read_text(encoding="ascii"))


def _as_originals(originals: Any) -> dict[str, str]:
    if isinstance(originals, Mapping):
        for name, path in originals.items():
            if not isinstance(path, str | os.PathLike) or not os.path.isfile(path):
                raise ArgumentFault("originals", f"{shown(name)} is not the path of a file")
            parts = name.split("/") if isinstance(name, str) and "\0" not in name else [""]
            if not {"", ".", ".."}.isdisjoint(parts):
                raise ArgumentFault("originals", f"{shown(name)} is no path in a folder")
        return {name: os.path.abspath(originals[name]) for name in sorted(originals)}
    if not isinstance(originals, str | os.PathLike) or not os.path.isdir(originals):
        raise ArgumentFault("originals", f"{shown(originals)} is neither a folder nor a map of files")
    top = os.path.abspath(originals)
    files = (os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names)
    return {os.path.relpath(path, top): path for path in sorted(files) if os.path.isfile(path)}


def _digest(argument: str, path: str) -> str:
    try:
        state = os.stat(path)
        return _digest_at(path, (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns))
    except OSError as error:
        raise ArgumentFault(argument, f"{shown(path)} cannot be read: {error.strerror}") from None


@lru_cache(maxsize=1024)
def _digest_at(path: str, state: tuple[int, ...]) -> str:
    return digest_of(Path(path))


@cache
def _scripts() -> str:
    """The digest of everything that runs inside Blender."""
    whole = hashlib.sha256()
    for path in sorted(INSIDE.glob("*.py")):
        whole.update(f"{path.name} {digest_of(path)}\n".encode())
    return whole.hexdigest()


def _copy(source: Path, target: Path, digest: str) -> None:
    """The project as it was when its digest was taken, so that nothing can change it under way."""
    shutil.copyfile(source, target)
    if digest_of(target) != digest:
        raise ArgumentFault("project", "it was changed while it was read")


def _take_film(source: Path, target: Path) -> None:
    if source.is_symlink() or not source.is_file() or not source.stat().st_size:
        raise ArgumentFault("project", "its timeline does not render")
    source.rename(target)


def _with_pictures(answer: Any, out: Path, entry: Path) -> Any:
    """The answer with each picture decoded into the entry, equal ones once. Mapped into memory they cost none."""
    if not isinstance(answer, list):
        return answer
    names = {row[part] for row in answer for part in ("picture", "normal", "bypassed") if part in row}
    kept_as = {name: _decoded(out / name, entry) for name in sorted(names)}
    return [{part: kept_as.get(value, value) if isinstance(value, str) else value for part, value in row.items()}
            for row in answer]  # fmt: skip


def _decoded(source: Path, entry: Path) -> str:
    try:
        if source.is_symlink():
            raise ArgumentFault("file", "it is a link")
        pixels = decoded(str(source), MAX_SIDE**2)
    except ArgumentFault as fault:
        raise ArgumentFault("project", f"a frame was not rendered whole: {fault.reason}") from None
    if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
        raise ArgumentFault("project", "a frame was not rendered in colour")
    name = f"{hashlib.sha256(pixels.tobytes()).hexdigest()}.npy"
    np.save(entry / name, np.ascontiguousarray(pixels[..., ::-1]), allow_pickle=False)
    return name
