"""Pictures with and without each live use of a Mask."""

import os
from collections.abc import Callable
from typing import Any

from .masking import Use, bypass, uses, ways
from .rendering import Progress, Shots, active_scene


def bypasses(bpy: Any, job: dict[str, Any]) -> list[dict[str, Any]]:
    """For every bypass and frame the picture as it is and the picture without.

    All live MASK modifiers that strips of one film carry themselves are also bypassed together.
    """
    scene = active_scene(bpy)
    found = [(number, use) for number, use in enumerate(uses(bpy, scene, job["nesting"])) if use.live]
    trials = [(f"{use.kind} {number}", [use], way) for number, use in found for way in ways(use)]
    trials += [(_together(group), [use for _, use in group], "muted") for group in _redundant(bpy, found)]
    frames, shots = job["frames"], Shots(bpy, job)
    normal = {frame: shots.take(frame) for frame in frames}
    rows: list[dict[str, Any]] = []
    progress = Progress((len(trials) + 1) * len(frames))
    for name, group, way in trials:
        for frame, picture in _without(bpy, shots, group, way, frames).items():
            masks = sorted({use.mask.name for use in group})
            rows.append({"use": f"{name} {way}", "kind": group[0].kind, "way": way, "together": len(group),
                         "masks": masks, "frame": frame, "normal": normal[frame], "bypassed": picture})  # fmt: skip
            progress.advance()
    return rows


def _redundant(bpy: Any, found: list[tuple[int, Use]]) -> list[list[tuple[int, Use]]]:
    groups: dict[str, list[tuple[int, Use]]] = {}
    for number, use in found:
        if use.source is not None:
            path = os.path.normpath(bpy.path.abspath(use.source))
            groups.setdefault(path, []).append((number, use))
    return [group for group in groups.values() if len(group) > 1]


def _together(group: list[tuple[int, Use]]) -> str:
    return f"modifiers {', '.join(str(number) for number, _ in group)}"


def _without(bpy: Any, shots: Shots, group: list[Use], way: str, frames: list[int]) -> dict[int, str]:
    """The pictures without some uses at all frames; everything is as before afterwards."""
    changed: list[Callable[[], None]] = [bypass(bpy, use, way) for use in group]
    try:
        return {frame: shots.take(frame) for frame in frames}
    finally:
        for undo in reversed(changed):
            undo()
