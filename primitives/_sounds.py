"""Sounds: decoded from files onto the film's clock, and brought to another rate."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from ._arguments import as_whole
from ._columns import shown
from ._containers import decoded_by_packet, opened
from ._kinds import Kind
from ._libraries import pyav
from .annotations import Count, NonNegative
from .faults import ArgumentFault

__all__ = ["Sound", "as_rate", "as_sound", "sound_of"]

_MAX_VALUES = 2**27
"""Samples of all channels together: 23 minutes of stereo at 48 kHz."""

_MAX_RATE = 768_000

_SLACK = Fraction(1, 100)
"""Seconds by which the times of packets may jitter before they mean a gap."""


@dataclass(frozen=True, eq=False)
class Sound:
    """Samples of (channels, n), float32, 1 being full scale, and their rate in Hz."""

    samples: Annotated[Any, Kind("samples")]
    rate: Count

    @property
    def seconds(self) -> NonNegative:
        """How long it lasts."""
        return self.samples.shape[1] / self.rate

    @property
    def channels(self) -> Count:
        """How many channels it has."""
        return self.samples.shape[0]


def as_sound(argument: str, value: Any) -> Sound:
    """A sound, or the record of its parts."""
    if isinstance(value, Mapping):
        value = Sound(value.get("samples"), value.get("rate"))  # type: ignore[arg-type]
    if not isinstance(value, Sound) or not isinstance(value.samples, np.ndarray) or value.samples.ndim != 2:
        raise ArgumentFault(argument, f"{shown(type(value).__name__)} is no sound, as `read` gives")
    return Sound(value.samples, as_rate(argument, value.rate))


def as_rate(argument: str, value: Any) -> int:
    rate = as_whole(argument, value, least=1)
    if rate > _MAX_RATE:
        raise ArgumentFault(argument, f"{rate} Hz is above {_MAX_RATE}")
    return rate


def sound_of(file: object, rate: int) -> Sound:
    """The sound of a file at a rate."""
    with opened("file", file) as container:
        stream = container.streams.best("audio")
        if stream is None or stream.codec_context is None:
            raise ArgumentFault("file", "it has no sound that can be decoded")
        blocks = list(_placed(_blocks(container, stream), _end(container, stream)))
        own = stream.codec_context.sample_rate
    if not blocks:
        raise ArgumentFault("file", "it has no sample that can be decoded")
    return Sound(_resampled(np.concatenate(blocks, axis=1), own, rate), rate)


@dataclass(frozen=True)
class _Block:
    """Decoded samples with the time of the first, in samples."""

    samples: np.ndarray
    at: int | None
    rate: int


def _blocks(container: Any, stream: Any) -> Iterator[_Block]:
    """What the packets hold, on a clock that is 0 at the first picture, or at the first sample where there is none."""
    to_planes, first = None, None
    origin = _origin(container, stream)
    for frames in decoded_by_packet(container, stream):
        for frame in frames or ():
            kind = frame.sample_rate, len(frame.layout.channels)
            first = first or kind
            if kind != first:
                raise ArgumentFault("file", f"its sound changes from {_said(first)} to {_said(kind)}")
            to_planes = to_planes or pyav().AudioResampler(format="fltp", layout=frame.layout, rate=frame.sample_rate)
            at = None if frame.pts is None else round((frame.pts * frame.time_base - origin) * frame.sample_rate)
            for part in to_planes.resample(frame):
                yield _Block(part.to_ndarray(), at, frame.sample_rate)
                at = None


def _said(kind: tuple[int, int]) -> str:
    return f"{kind[1]} channels of {kind[0]} Hz"


def _origin(container: Any, stream: Any) -> Fraction:
    video = container.streams.best("video")
    first = video if video is not None and video.start_time is not None else stream
    return first.start_time * first.time_base if first.start_time is not None else Fraction(0)


def _end(container: Any, stream: Any) -> int | None:
    """The sample at which a movie's sound ends by its edit list: what an encoder padded comes after it."""
    if "mov" not in container.format.name or stream.duration is None or stream.start_time is None:
        return None
    end = (stream.start_time + stream.duration) * stream.time_base - _origin(container, stream)
    return max(0, round(end * stream.codec_context.sample_rate))


def _placed(blocks: Iterator[_Block], end: int | None) -> Iterator[np.ndarray]:
    """The samples from time 0 on, gaps filled with silence and overlaps dropped."""
    done = 0
    for block in blocks:
        samples, at = block.samples, done if block.at is None else block.at
        if done and abs(at - done) <= _SLACK * block.rate:
            at = done
        if end is not None:
            samples = samples[:, : max(0, end - at)]
        samples = samples[:, max(0, done - at) :]
        gap = max(0, at - done) if samples.shape[1] else 0
        if (done + gap + samples.shape[1]) * len(samples) > _MAX_VALUES:
            raise ArgumentFault("file", f"its sound has more than {_MAX_VALUES} values")
        if gap:
            yield np.zeros((len(samples), gap), np.float32)
        yield samples
        done += gap + samples.shape[1]


def _resampled(samples: np.ndarray, own: int, rate: int) -> np.ndarray:
    """Each channel at another rate by FFmpeg's resampler, as long as before to a sample."""
    if own == rate:
        return samples
    length = -(-samples.shape[1] * rate // own)
    if length * len(samples) > _MAX_VALUES:
        raise ArgumentFault("rate", f"at {rate} Hz the sound has more than {_MAX_VALUES} values")
    resampled = np.zeros((len(samples), length), np.float32)
    for channel, target in zip(samples, resampled, strict=True):
        made = np.concatenate(list(_one_channel(channel, own, rate)) or [channel[:0]])[:length]
        target[: len(made)] = made
    return resampled


def _one_channel(channel: np.ndarray, own: int, rate: int) -> Iterator[np.ndarray]:
    av = pyav()
    resampler = av.AudioResampler(format="fltp", layout="mono", rate=rate)
    for start in range(0, len(channel), 2**16):
        part = np.ascontiguousarray(channel[None, start : start + 2**16])
        frame = av.AudioFrame.from_ndarray(part, format="fltp", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = own, start, Fraction(1, own)
        yield from (made.to_ndarray()[0] for made in resampler.resample(frame))
    yield from (made.to_ndarray()[0] for made in resampler.resample(None))
