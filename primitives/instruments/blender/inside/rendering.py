"""Renders of the active scene: single frames, and the whole timeline."""

import os
import time
from typing import Any

from .faults import ProjectFault
from .settings import prepare, write_pictures, write_video


def active_scene(bpy: Any) -> Any:
    """The scene that a render of the project shows."""
    return bpy.context.window_manager.windows[0].scene


def stills(bpy: Any, job: dict[str, Any]) -> list[dict[str, Any]]:
    """A PNG file of each frame, which are counted from the first of the timeline."""
    shots = Shots(bpy, job)
    progress = Progress(len(job["frames"]))
    rows = []
    for frame in job["frames"]:
        rows.append({"frame": frame, "picture": shots.take(frame)})
        progress.advance()
    return rows


class Shots:
    """Renders single frames of the active scene into numbered files."""

    def __init__(self, bpy: Any, job: dict[str, Any]) -> None:
        self.bpy, self.out, self.count = bpy, job["out"], 0
        self.scene = active_scene(bpy)
        prepare(bpy, self.scene)
        write_pictures(self.scene.render)

    def take(self, frame: int) -> str:
        """The name of a new file with this frame."""
        name = f"{self.count:06}.png"
        self.count += 1
        self.scene.render.filepath = os.path.join(self.out, name)
        self.scene.frame_set(self.scene.frame_start + frame)
        self.bpy.ops.render.render(write_still=True)
        if not os.path.isfile(self.scene.render.filepath):
            raise ProjectFault(f"frame {frame} does not render")
        return name


def render(bpy: Any, job: dict[str, Any]) -> dict[str, Any]:
    """A video file of the whole timeline."""
    scene = active_scene(bpy)
    prepare(bpy, scene)
    write_video(scene.render)
    scene.render.filepath = os.path.join(job["out"], "replay.mp4")
    frames = scene.frame_end - scene.frame_start + 1
    progress = Progress(frames)
    bpy.app.handlers.render_write.append(lambda *_: progress.advance())
    bpy.ops.render.render(animation=True)
    if not os.path.isfile(scene.render.filepath):
        raise ProjectFault("its timeline does not render")
    return {"film": "replay.mp4", "frames": frames}


class Progress:
    """Tells whoever shows it how far a job is, a few times a second at most."""

    def __init__(self, total: int) -> None:
        self.done, self.total, self.told = 0, total, float("-inf")

    def advance(self, *_: Any) -> None:
        """One more is done."""
        self.done += 1
        if self.done == self.total or time.monotonic() - self.told > 0.25:
            self.told = time.monotonic()
            print(f"\nprogress {self.done} {self.total}", flush=True)
