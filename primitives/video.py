"""Video: what a film is, and its frames as pictures.

Conventions

* A film is a file, or *frames*: a stream of pictures that is decoded while it is gone through, never held as a whole.
  Frames count from 0, in the order in which they are shown. A packet that cannot be decoded adds none.
* Frames are counted by decoding. What an edit list cuts off is no frame; headers are not believed.
* Pictures are RGB of 8 bits as the module `image` has them, by the matrix and range that the film names: Rec. 709 where
  it names no matrix, limited range where it names none. Values are within 0.7 of the formula (ITU-T H.273), greys are
  grey; deeper formats are reduced to 8 bits first. They are as they are stored, neither turned nor stretched: `probe`
  tells what a player would do.
* The video is the file's best (FFmpeg's choice where there are several). Files are read from formats that hold their
  own content; a playlist, which names other files, is refused. So are frames of more than 2^25 pixels, a film that
  changes its size, and one of more than 2^18 frames.

Differences from known tools

* FFmpeg's own fast conversion to RGB is up to 3 levels off and 1 too dark on average, and repeats chroma samples.
* The rate is that of the frames' times where these are even, even if the header says otherwise. OpenCV counts frames
  by the header.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, pairwise, repeat
from typing import Any

from ._arguments import as_whole
from ._columns import shown
from ._containers import opened
from ._films import Frames, Scan, Shot, frames_of, scanned
from ._kinds import File, Film, Picture
from .annotations import Count, NonNegative
from .faults import ArgumentFault
from .image import read_plane

__all__ = ["Frames", "Probe", "concatenate", "frame", "frames", "pick", "planes", "probe"]

_END = 2**60


@dataclass(frozen=True)
class Probe:
    """What a film is. Null is what its file does not say, or what it lacks.

    `fps` is `fps_numerator` / `fps_denominator`; `constant_rate` whether every frame is where this rate puts it, to a
    tick of the file's clock. `sample_aspect` is the width of a pixel over its height: the container's, else the
    codec's, else 1. `rotation` is by how many degrees players turn the picture clockwise. `damaged` counts packets
    that cannot be decoded and frames that can only in part. `seconds` ends with the last frame's duration.
    """

    video_codec: str
    width: Count
    height: Count
    frames: Count
    seconds: NonNegative | None
    fps: NonNegative | None
    fps_numerator: Count | None
    fps_denominator: Count | None
    constant_rate: bool | None
    sample_aspect: NonNegative
    container_sample_aspect: NonNegative | None
    codec_sample_aspect: NonNegative | None
    rotation: Count
    pixel_format: str
    colour_range: str | None
    colour_matrix: str | None
    damaged: Count
    video_streams: Count
    has_audio: bool
    audio_streams: Count
    audio_codec: str | None
    audio_channels: Count | None
    audio_rate: Count | None


def probe(film: File) -> Probe:
    """What a film is, after decoding all of it. Refused: what cannot be opened, and what has no frame.

    `colour_range` is `limited` or `full`; `colour_matrix` is `bt709`, `smpte170m`, `bt470bg`, `fcc`, `smpte240m` or
    `bt2020nc`, and null for others.
    """
    scan = scanned(film)
    with opened("film", film) as container:
        video, audio = container.streams.best("video"), container.streams.best("audio")
        rate, constant = _rate(scan, video)
        declared, coded = video.sample_aspect_ratio or None, scan.codec_aspect
        sound = audio.codec_context if audio is not None else None
        return Probe(
            video_codec=video.codec_context.name,
            width=scan.width,
            height=scan.height,
            frames=len(scan.times),
            seconds=_seconds(scan, rate, video.time_base),
            fps=float(rate) if rate else None,
            fps_numerator=rate.numerator if rate else None,
            fps_denominator=rate.denominator if rate else None,
            constant_rate=constant,
            sample_aspect=float(declared or coded or 1),
            container_sample_aspect=float(declared) if declared else None,
            codec_sample_aspect=float(coded) if coded else None,
            rotation=scan.rotation,
            pixel_format=scan.pixel_format,
            colour_range=scan.colour_range,
            colour_matrix=scan.colour_matrix,
            damaged=scan.damaged,
            video_streams=len(container.streams.video),
            has_audio=sound is not None,
            audio_streams=len(container.streams.audio),
            audio_codec=sound.name if sound else None,
            audio_channels=sound.channels if sound else None,
            audio_rate=sound.sample_rate if sound else None,
        )


def _rate(scan: Scan, video: Any) -> tuple[Fraction | None, bool | None]:
    """Frames a second, and whether they keep to it: by their times where these are even, else as the file declares."""
    declared = [rate for rate in (video.base_rate, video.average_rate, video.guessed_rate) if rate]
    times = [time for time in scan.times if time is not None]
    if len(times) < len(scan.times) or len(times) < 2 or not video.time_base:
        return (declared[0] if declared else None), None
    steps = {later - earlier for earlier, later in pairwise(times)}
    if len(steps) == 1 and (step := steps.pop()) > 0:
        return 1 / (step * video.time_base), True
    for rate in declared:
        if all(abs(time - times[0] - n / (rate * video.time_base)) <= 1 for n, time in enumerate(times)):
            return rate, True
    span = (times[-1] - times[0]) * video.time_base
    return ((len(times) - 1) / span if span > 0 else None), False


def _seconds(scan: Scan, rate: Fraction | None, time_base: Fraction | None) -> float | None:
    """From the first frame to the end of the last, which lasts as long as frames do on average."""
    if not rate:
        return None
    first, last = scan.times[0], scan.times[-1]
    if first is None or last is None or not time_base:
        return float(len(scan.times) / rate)
    return float((last - first) * time_base + 1 / rate)


# ---------------------------------------------------------------- frames


def frames(film: Film) -> Frames:
    """The frames of a film, in order."""
    return frames_of(film)


def frame(film: Film, index: Count) -> Picture | None:
    """One frame of a film, after decoding up to it; null where the film has ended by then."""
    return next(iter(pick(film, [index])))


def pick(film: Film, indices: Sequence[Count]) -> Frames:
    """The frames of a film at these indices, which may repeat but never go back; null where the film has ended by then.

    Each frame is decoded once, and only those picked are turned into pictures.
    """
    wanted = [_as_index(index) for index in indices]
    for position, (earlier, later) in enumerate(pairwise(wanted)):
        if later < earlier:
            raise ArgumentFault("indices", f"entry {position + 1} is {later} after {earlier}; a film is not wound back")
    source = frames_of(film)
    return Frames(lambda: _picked(source, wanted))


def _as_index(index: Any) -> int:
    try:
        return as_whole("indices", index)
    except ArgumentFault:
        raise ArgumentFault("indices", f"{shown(index)} is no index of a frame") from None


def _picked(source: Frames, wanted: list[int]) -> Iterator[Shot]:
    shots, at, shot = source.shots(), -1, _no_picture
    for index in wanted:
        while at < index:
            at, shot = at + 1, next(shots, None)
            if shot is None:
                at, shot = _END, _no_picture
        yield shot


def concatenate(films: Sequence[Film], lengths: Sequence[Count]) -> Frames:
    """The first frames of several films one after another, as many of each as `lengths` says.

    Where a film ends before its length the missing frames are null, so that those of the next stay in place.
    """
    if len(films) != len(lengths):
        raise ArgumentFault("lengths", f"{len(lengths)} entries beside {len(films)} of films")
    parts = [(frames_of(film), as_whole("lengths", length)) for film, length in zip(films, lengths, strict=True)]
    return Frames(lambda: _joined(parts))


def _joined(parts: list[tuple[Frames, int]]) -> Iterator[Shot]:
    for source, length in parts:
        yield from islice(chain(source.shots(), repeat(_no_picture)), length)


def _no_picture() -> None:
    """The shot where there is no frame."""


def planes(files: Sequence[File]) -> Frames:
    """Grey pictures in files of their own, such as mattes, in the order given: planes from 0 to 1 as `image.read_plane`
    gives them, each read when it is its turn.
    """
    return Frames(lambda: iter([lambda file=file: read_plane(file) for file in files]))
