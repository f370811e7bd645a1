"""Which strips a scene shows: from the active scene through META and SCENE strips, with what hides them.

Frames of a visit are those of the active scene, counted from its first frame. A META strip shares the timeline it
stands in. A SCENE strip shows frame `frame_start + animation_offset_start` of its scene at its own content's start.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .faults import ProjectFault

MOST_STRIPS = 10_000
"""Visits of one walk; scenes that show each other twice double them at every step."""


@dataclass(frozen=True)
class Place:
    """Where strips stand: what shows them, and how their frames become those of the active scene."""

    scene: Any
    container: Any  # a sequence editor or a META strip
    parent: int | None
    shift: float
    window: tuple[float, float]  # outside of which nothing of it shows
    reachable: bool
    retimed: bool
    path: tuple[int, ...]  # the scenes on the way, by their pointers


@dataclass(frozen=True)
class Visit:
    """A strip at one place. `muted` by itself or its channel; `used` shows, or feeds what shows."""

    number: int
    place: Place
    strip: Any
    muted: bool
    used: bool
    start: float
    end: float

    @property
    def reachable(self) -> bool:
        """Whether everything around it shows, for at least one frame of it."""
        return self.place.reachable and self.end > self.start

    @property
    def live(self) -> bool:
        return self.reachable and self.used


def shows_sequencer(scene: Any) -> bool:
    """Whether rendering this scene gives its timeline rather than its compositor."""
    editor = scene.sequence_editor
    return bool(scene.render.use_sequencer and editor is not None and len(editor.strips))


def shown(editor: Any) -> Any:
    """What a render shows of a timeline: the META strip that is open for editing, where one is."""
    return editor.meta_stack[-1] if len(editor.meta_stack) else editor


def visits(bpy: Any, scene: Any, nesting: int) -> Iterator[Visit]:
    """Every strip that the scene shows or holds, then those of scenes it does not show, as not reachable."""
    numbers = iter(range(MOST_STRIPS))
    seen: set[int] = set()
    if scene.sequence_editor is not None:
        yield from _walk(_root(scene, shows_sequencer(scene)), numbers, nesting, seen)
    for other in bpy.data.scenes:
        if other.as_pointer() not in seen and other != scene and other.sequence_editor is not None:
            yield from _walk(_root(other, False), numbers, nesting, seen)


def _root(scene: Any, reachable: bool) -> Place:
    endless = (float("-inf"), float("inf"))
    return Place(
        scene,
        shown(scene.sequence_editor),
        None,
        -scene.frame_start,
        endless,
        reachable,
        False,
        (scene.as_pointer(),),
    )


def _walk(place: Place, numbers: Iterator[int], nesting: int, seen: set[int]) -> Iterator[Visit]:
    seen.add(place.scene.as_pointer())
    strips = list(place.container.strips)
    muted = {strip.as_pointer() for strip in strips if strip.mute or place.container.channels[strip.channel].mute}
    used = _used(strips, muted)
    for strip in strips:
        number = next(numbers, None)
        if number is None:
            raise ProjectFault(f"its timelines show more than {MOST_STRIPS} strips")
        start = max(strip.frame_final_start + place.shift, place.window[0])
        end = min(strip.frame_final_end + place.shift, place.window[1])
        key = strip.as_pointer()
        visit = Visit(number, place, strip, key in muted, key in used, start, end)
        yield visit
        inner = _inner(visit, place)
        if inner is not None:
            if nesting <= 0:
                raise ProjectFault("its timelines are nested too deeply")
            yield from _walk(inner, numbers, nesting - 1, seen)


def _inner(visit: Visit, place: Place) -> Place | None:
    """The timeline that a strip shows; a scene that is being walked already is not entered again."""
    strip, scene, shift, container, path = visit.strip, place.scene, place.shift, visit.strip, place.path
    if strip.type == "SCENE":
        scene = strip.scene
        if scene is None or strip.scene_input != "SEQUENCER" or scene.sequence_editor is None:
            return None
        if scene.as_pointer() in path:
            return None
        shift += strip.frame_start - scene.frame_start - strip.animation_offset_start
        container, path = shown(scene.sequence_editor), (*path, scene.as_pointer())
    elif strip.type != "META":
        return None
    retimed = place.retimed or is_retimed(strip)
    return Place(scene, container, visit.number, shift, (visit.start, visit.end), visit.live, retimed, path)


def is_retimed(strip: Any) -> bool:
    return len(getattr(strip, "retiming_keys", ())) > 0


def _used(strips: list[Any], muted: set[int]) -> set[int]:
    """Strips that show, those that effects among them are made from, and those that mask a modifier of them."""
    found: set[int] = set()
    waiting = [strip for strip in strips if strip.as_pointer() not in muted]
    while waiting:
        strip = waiting.pop()
        if strip.as_pointer() not in found:
            found.add(strip.as_pointer())
            waiting += feeding(strip)
            waiting += [m.input_mask_strip for m in strip.modifiers if masks_by_strip(m) and is_on(m)]
    return found


def feeding(strip: Any) -> list[Any]:
    """The strips that an effect is made from."""
    inputs = (getattr(strip, name, None) for name in ("input_1", "input_2"))
    return [each for each in inputs if each is not None]


def is_on(modifier: Any) -> bool:
    return bool(modifier.enable and not modifier.mute)


def masks_by_strip(modifier: Any) -> bool:
    return modifier.input_mask_type == "STRIP" and modifier.input_mask_strip is not None
