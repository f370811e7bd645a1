"""Films as streams of pictures, and what a whole decode of one tells."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from ._colour import MATRICES, RANGES, Converter
from ._containers import decoded_by_packet, opened
from ._pixels import as_file
from .faults import ArgumentFault

__all__ = ["Frames", "Scan", "frames_of", "scanned"]

_MAX_PIXELS = 2**25
"""Of a frame; 8K UHD has 33,177,600."""

_MAX_FRAMES = 2**18

Shot = Callable[[], np.ndarray | None]


class Frames:
    """The pictures of a film in order, each decoded when it is asked for; null where a film in it has ended early.

    It can be gone through again, which decodes again. What keeps no picture needs no more memory for a longer film.
    """

    def __init__(self, shots: Callable[[], Iterator[Shot]]) -> None:
        self.shots = shots
        """Starts anew and gives a function a frame that makes its picture; frames passed over cost no colour."""

    def __iter__(self) -> Iterator[np.ndarray | None]:
        for shot in self.shots():
            yield shot()


def frames_of(film: object) -> Frames:
    """The frames of a file, or frames as they are."""
    if isinstance(film, Frames):
        return film
    path = as_file("film", film)
    return Frames(lambda: _shots(path))


def _shots(path: str) -> Iterator[Shot]:
    convert = Converter()
    with opened("film", path) as container:
        for frame in _decoded(container, _video(container)):
            if frame is not None:
                yield lambda frame=frame: convert(frame)


def _decoded(container: Any, stream: Any) -> Iterator[Any]:
    """PyAV's frames, each of the first one's size; None for a packet that cannot be decoded."""
    size, count = None, 0
    for frames in decoded_by_packet(container, stream):
        if frames is None:
            yield None
        for frame in frames or ():
            size, count = size or (frame.width, frame.height), count + 1
            _refuse(frame, size, count)
            yield frame


def _video(container: Any) -> Any:
    """The film's video stream, ready to be decoded by all processors."""
    stream = container.streams.best("video")
    if stream is None or stream.codec_context is None:
        raise ArgumentFault("film", "it has no video that can be decoded")
    context = stream.codec_context
    if context.width * context.height > _MAX_PIXELS:
        raise ArgumentFault("film", f"its frames of {context.width} x {context.height} are too large")
    context.options = {"max_pixels": str(_MAX_PIXELS)}
    stream.thread_type = "AUTO"
    return stream


def _refuse(frame: Any, size: tuple[int, int], count: int) -> None:
    if (frame.width, frame.height) != size:
        there = f"frame {count - 1} is {frame.width} x {frame.height}"
        raise ArgumentFault("film", f"{there} while the first is {size[0]} x {size[1]}")
    if count > _MAX_FRAMES:
        raise ArgumentFault("film", f"it has more than {_MAX_FRAMES} frames")


# ---------------------------------------------------------------- a whole decode


@dataclass(frozen=True)
class Scan:
    """What decoding all of a film shows. `times` are in the stream's time base, None where a frame has none."""

    width: int
    height: int
    times: tuple[int | None, ...]
    damaged: int
    rotation: int
    pixel_format: str
    colour_range: str | None
    colour_matrix: str | None
    codec_aspect: Fraction | None


def scanned(film: object) -> Scan:
    """The scan of a file, kept for as long as the file stays what it is."""
    path = as_file("film", film)
    state = os.stat(path)
    return _scanned(path, (state.st_ino, state.st_size, state.st_mtime_ns))


@lru_cache(maxsize=64)
def _scanned(path: str, state: tuple[int, ...]) -> Scan:
    times, damaged, first = [], 0, None
    with opened("film", path) as container:
        stream = _video(container)
        for frame in _decoded(container, stream):
            damaged += frame is None or frame.is_corrupt
            if frame is not None:
                first = first or frame
                times.append(frame.pts)
        aspect = stream.codec_context.sample_aspect_ratio
    if first is None:
        raise ArgumentFault("film", "it has no frame that can be decoded")
    return Scan(
        width=first.width,
        height=first.height,
        times=tuple(times),
        damaged=damaged,
        rotation=round(-first.rotation) % 360,
        pixel_format=first.format.name,
        colour_range="full" if first.format.name.startswith("yuvj") else RANGES.get(first.color_range),
        colour_matrix=MATRICES.get(first.colorspace),
        codec_aspect=aspect or None,
    )
