"""What a project turned out to be, as plain values."""

from dataclasses import dataclass
from typing import Any, Literal

from ..._kinds import Picture
from ...annotations import Count, NonNegative

__all__ = ["Bypass", "FileUse", "MaskUse", "PictureUse", "Probe", "Scene", "Still", "Strip"]

Inside = Literal["originals", "project", "elsewhere", "nowhere"]


@dataclass(frozen=True)
class Scene:
    """What a render shows. `width` and `height` are in pixels, `resolution_percentage` included.

    `frames` counts from `first_frame` to the last, whatever `frame_step`. `shows` says whether the scene's timeline is
    rendered or its compositor. `time_stretch` is 1 unless frames are mapped to other times.
    """

    name: str
    width: Count
    height: Count
    resolution_percentage: Count
    fps: NonNegative
    first_frame: int
    frames: Count
    frame_step: Count
    time_stretch: float
    pixel_aspect_x: float
    pixel_aspect_y: float
    bordered: bool
    multiview: bool
    engine: str
    shows: Literal["timeline", "compositor"]


@dataclass(frozen=True)
class Strip:
    """A strip at one of the places where it is shown; one of a scene that is shown twice stands twice.

    `start` is the first frame of the active scene at which it can be seen, from 0, and `length` for how many, within
    what holds it. `source_start` is the frame of its content that is the first, of `source_length`. `reachable`: all
    that holds it shows, from the active scene down. `muted`: by itself or its channel. `used`: it is not muted, or an
    effect or a modifier that is not is made from it. `file` is the path from the folder of the originals where
    `inside` says so, else all of it. `parent` and `inputs` are numbers of strips.
    """

    number: Count
    parent: Count | None
    scene: str
    name: str
    kind: str
    channel: Count
    file: str | None
    inside: Inside | None
    start: float
    length: NonNegative
    source_start: float
    source_length: float
    muted: bool
    reachable: bool
    used: bool
    retimed: bool
    proxy: bool
    inputs: list[Count | None]


@dataclass(frozen=True)
class MaskUse:
    """A Mask data-block at work: in a strip's `modifier`, a compositor `node`, or a `strip` of its own."""

    number: Count
    kind: Literal["modifier", "node", "strip"]
    mask: str
    owner: str
    live: bool


@dataclass(frozen=True)
class FileUse:
    """A file that a project names."""

    file: str
    inside: Inside
    exists: bool


@dataclass(frozen=True)
class PictureUse:
    """A picture or film that a project reads or holds. `packed`: its bytes are in the project; `altered`: and are not
    those of the original that they stand for. `linked`: by way of another project.
    """

    file: str
    inside: Inside
    exists: bool
    kind: Literal["image", "clip", "strip", "file"]
    packed: bool
    altered: bool
    linked: bool


@dataclass(frozen=True)
class Probe:
    """What a project is. `scripts_refused`: it holds scripts or drivers that were not run."""

    active_scene: Scene
    strips: list[Strip]
    masks: list[MaskUse]
    pictures: list[PictureUse]
    files: list[FileUse]
    libraries: list[FileUse]
    scripts_refused: bool


@dataclass(frozen=True)
class Still:
    """A frame as the project renders it; null where its timeline has ended by then."""

    frame: Count
    image: Picture | None


@dataclass(frozen=True)
class Bypass:
    """A frame with and without one use of a Mask, or several `together`; null where the timeline has ended by then."""

    use: str
    kind: Literal["modifier", "node", "strip"]
    way: Literal["muted", "unmasked", "constant 0", "constant 1"]
    together: Count
    masks: list[str]
    frame: Count
    normal: Picture | None
    bypassed: Picture | None


def probe_of(answer: dict[str, Any]) -> Probe:
    """A checked answer as a record."""
    return Probe(
        active_scene=Scene(**answer["scene"]),
        strips=[Strip(**strip) for strip in answer["strips"]],
        masks=[MaskUse(**mask) for mask in answer["masks"]],
        pictures=[PictureUse(**picture) for picture in answer["pictures"]],
        files=[FileUse(**file) for file in answer["files"]],
        libraries=[FileUse(**file) for file in answer["libraries"]],
        scripts_refused=answer["scripts_refused"],
    )
