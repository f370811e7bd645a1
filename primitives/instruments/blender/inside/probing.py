"""What a project is: its active scene, its timelines, the files it reads, its uses of Masks. Nothing is rendered."""

import hashlib
import os
from pathlib import Path
from typing import Any

from .masking import uses
from .rendering import active_scene
from .timeline import Visit, feeding, is_retimed, shows_sequencer, visits

MOST_FILES = 20_000


def probe(bpy: Any, job: dict[str, Any]) -> dict[str, Any]:
    """Everything as plain values. Frames count from 0, the first of the active scene."""
    scene = active_scene(bpy)
    folders = _Folders(bpy, job)
    walked = list(visits(bpy, scene, job["nesting"]))
    return {
        "scene": _scene(scene),
        "scripts_refused": bool(bpy.app.autoexec_fail),
        "strips": [_strip(visit, walked, folders) for visit in walked],
        "masks": [_use(number, use) for number, use in enumerate(uses(bpy, scene, job["nesting"]))],
        "pictures": _pictures(bpy, walked, folders),
        "files": _files(bpy, folders),
        "libraries": [folders.describe(library.filepath) for library in bpy.data.libraries],
    }


def _scene(scene: Any) -> dict[str, Any]:
    render = scene.render
    return {
        "name": scene.name,
        "width": render.resolution_x * render.resolution_percentage // 100,
        "height": render.resolution_y * render.resolution_percentage // 100,
        "resolution_percentage": render.resolution_percentage,
        "fps": render.fps / render.fps_base,
        "first_frame": scene.frame_start,
        "frames": scene.frame_end - scene.frame_start + 1,
        "frame_step": scene.frame_step,
        "time_stretch": render.frame_map_new / render.frame_map_old,
        "pixel_aspect_x": render.pixel_aspect_x,
        "pixel_aspect_y": render.pixel_aspect_y,
        "bordered": bool(render.use_border),
        "multiview": bool(render.use_multiview),
        "engine": render.engine,
        "shows": "timeline" if shows_sequencer(scene) else "compositor",
    }


class _Folders:
    """Says of a path whether it leads to an original."""

    def __init__(self, bpy: Any, job: dict[str, Any]) -> None:
        self.absolute = bpy.path.abspath
        self.originals, self.own = job["originals"], os.path.dirname(job["project"])

    def resolve(self, path: str, library: Any = None) -> str:
        return os.path.normpath(self.absolute(path, library=library)) if path else ""

    def describe(self, path: str, library: Any = None) -> dict[str, Any]:
        """`file` is the path from the folder of the originals, and the whole path elsewhere."""
        found = self.resolve(path, library)
        for inside, folder in (("originals", self.originals), ("project", self.own)):
            if found.startswith(folder + os.sep):
                return {"file": found[len(folder) + 1 :], "inside": inside, "exists": os.path.isfile(found)}
        return {"file": found, "inside": "elsewhere" if found else "nowhere", "exists": os.path.isfile(found)}


# ---------------------------------------------------------------- timelines


def _strip(visit: Visit, walked: list[Visit], folders: _Folders) -> dict[str, Any]:
    strip = visit.strip
    paths = _paths(strip)
    return {
        "number": visit.number,
        "parent": visit.place.parent,
        "scene": visit.place.scene.name,
        "name": strip.name,
        "kind": strip.type,
        "channel": strip.channel,
        "file": None,
        "inside": None,
        **({key: value for key, value in folders.describe(paths[0]).items() if key != "exists"} if paths else {}),
        "start": _number(visit.start),
        "length": _number(max(0, visit.end - visit.start)),
        "source_start": _number(_first_shown(strip)),
        "source_length": strip.frame_duration,
        "muted": visit.muted,
        "reachable": visit.reachable,
        "used": visit.used,
        "retimed": visit.place.retimed or is_retimed(strip),
        "proxy": bool(getattr(strip, "use_proxy", False)),
        "inputs": [_number_of(each, visit, walked) for each in feeding(strip)],
    }


def _first_shown(strip: Any) -> float:
    """The frame of its content that a strip shows first."""
    return strip.frame_final_start - strip.frame_start + getattr(strip, "animation_offset_start", 0)


def _number(value: float) -> float:
    return int(value) if value == int(value) else float(value)


def _number_of(strip: Any, visit: Visit, walked: list[Visit]) -> int | None:
    """The number of an effect's input, which stands at the same place."""
    beside = (other.number for other in walked if other.place is visit.place and other.strip == strip)
    return next(beside, None)


def _paths(strip: Any) -> list[str]:
    if strip.type == "MOVIE":
        return [strip.filepath]
    if strip.type == "IMAGE":
        return [os.path.join(strip.directory, element.filename) for element in strip.elements[:MOST_FILES]]
    if strip.type == "SOUND" and strip.sound is not None:
        return [strip.sound.filepath]
    if strip.type == "MOVIECLIP" and strip.clip is not None:
        return [strip.clip.filepath]
    return []


def _use(number: int, use: Any) -> dict[str, Any]:
    return {"number": number, "kind": use.kind, "mask": use.mask.name, "owner": use.owner, "live": use.live}


# ---------------------------------------------------------------- files


def _pictures(bpy: Any, walked: list[Visit], folders: _Folders) -> list[dict[str, Any]]:
    """Every film and picture that the project reads or holds. Pictures that Blender makes itself are none."""
    found: dict[tuple[str, str, bool, bool], dict[str, Any]] = {}

    def add(kind: str, described: dict[str, Any], packed: bool = False, altered: bool = False, linked: bool = False):
        key = (described["inside"], described["file"], packed, altered)
        found.setdefault(key, {**described, "kind": kind, "packed": packed, "altered": altered, "linked": linked})

    for image in bpy.data.images:
        held = [packed.packed_file for packed in image.packed_files]
        if held or (image.source not in ("GENERATED", "VIEWER") and image.filepath):
            path = folders.resolve(image.filepath, image.library)
            altered = any(not _is_original(each, path, folders) for each in held)
            add(
                "image", folders.describe(image.filepath, image.library), bool(held), altered, image.library is not None
            )
    for clip in bpy.data.movieclips:
        add("clip", folders.describe(clip.filepath, clip.library), linked=clip.library is not None)
    for visit in walked:
        if visit.strip.type in ("MOVIE", "IMAGE"):
            for path in _paths(visit.strip):
                add("strip", folders.describe(path))
    listed = {described["file"] for described in found.values()}
    for path in _all_paths(bpy):
        if Path(path).suffix.lower() in _suffixes(bpy) and folders.describe(path)["file"] not in listed:
            add("file", folders.describe(path))
    return list(found.values())[:MOST_FILES]


def _suffixes(bpy: Any) -> frozenset[str]:
    return bpy.path.extensions_image | bpy.path.extensions_movie


def _is_original(packed: Any, path: str, folders: _Folders) -> bool:
    """Whether the bytes that the project holds are those of the original they stand for."""
    if packed is None or not path.startswith(folders.originals + os.sep):
        return False
    try:
        original = Path(path).read_bytes()
    except OSError:
        return False
    return hashlib.sha256(packed.data).digest() == hashlib.sha256(original).digest()


def _all_paths(bpy: Any) -> list[str]:
    """Every path in the project, but those of what comes with Blender itself."""
    own = tuple(filter(None, (bpy.utils.resource_path(kind) for kind in ("LOCAL", "SYSTEM"))))
    named = set(bpy.utils.blend_paths(absolute=True, packed=True, local=False))
    return sorted(path for path in named if not path.startswith(own))[:MOST_FILES]


def _files(bpy: Any, folders: _Folders) -> list[dict[str, Any]]:
    """Every file that the project names."""
    return [folders.describe(path) for path in _all_paths(bpy)]
