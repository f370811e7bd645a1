"""Audio: reading the sound of films, its lag, and how well one sound follows another, window by window.

Conventions

* A sound is samples of (channels, n), float32, 1 being full scale, with a rate in Hz. Times are seconds.
* Time 0 is that of the first picture, or of the first sample where a file has none. Sound from before it is left out,
  late sound and gaps of more than 10 ms are silence, and what an encoder padded at the start and at the end is cut off
  where the container says so (edit lists, skipped samples).
* A lag is positive where the other sound is later than the reference. Outside of a sound there is silence.
* Channels are `mono` (the mean of all), `left` and `right` (the first and the second). A sound of one channel is its
  own left and right. Nothing else is mixed, so that a swapped or an inverted channel shows.
* Sums are float64. Correlation is Pearson's. What has nothing to divide by is null: the correlation of what is even, a
  gain from or to silence, an error relative to silence.

Differences from known tools

* FFmpeg's command line leaves the padding at the end of AAC in MP4 in; here the track's duration cuts it off.
* Signs of lags differ between tools (`scipy.signal.correlation_lags`, MATLAB's `finddelay`); see above.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ._arguments import as_number
from ._columns import shown
from ._kinds import File
from ._sounds import Sound, as_rate, as_sound, sound_of
from ._windows import Windows, shifted, windowed
from .annotations import Count, NonNegative
from .faults import ArgumentFault

__all__ = ["Comparison", "Sound", "compare", "compare_windows", "concatenate", "lag", "read", "rms"]

_CHANNELS = ("mono", "left", "right")


@dataclass(frozen=True)
class Comparison:
    """One channel of a sound beside a reference, over `seconds` from `start` of the reference.

    `error` is the RMS of the difference, `relative_error` that over the reference's RMS, `gain_db` 20 log10 of the
    quotient of the RMS, above 0 where the other is louder.
    """

    channel: str
    start: NonNegative
    seconds: NonNegative
    reference_rms: NonNegative
    other_rms: NonNegative
    correlation: float | None
    gain_db: float | None
    error: NonNegative
    relative_error: NonNegative | None


def read(file: File, *, rate: Count) -> Sound:
    """The sound of a film or of a sound file, all channels, at `rate` Hz.

    Resampled by FFmpeg's band-limited resampler, which delays nothing. Refused: a file without sound, one whose
    channels or rate change, and more than 2^27 values.
    """
    return sound_of(file, as_rate("rate", rate))


def concatenate(files: Sequence[File], seconds: Sequence[NonNegative], *, rate: Count) -> Sound:
    """The sounds of several files one after another at `rate` Hz, each cut, or filled with silence, to its `seconds`.

    Each begins at the sum of the lengths before it, to the nearest sample. All must have as many channels as the first.
    """
    if len(files) != len(seconds):
        raise ArgumentFault("seconds", f"{len(seconds)} entries beside {len(files)} of files")
    lengths = [as_number("seconds", length) for length in seconds]
    if min(lengths, default=0) < 0:
        raise ArgumentFault("seconds", f"{min(lengths)!r} is negative")
    hertz = as_rate("rate", rate)
    edges = [round(float(edge) * hertz) for edge in np.cumsum([0.0, *lengths])]
    parts: list[np.ndarray] = []
    for file, first, last in zip(files, edges, edges[1:], strict=False):
        samples = sound_of(file, hertz).samples
        if parts and len(samples) != len(parts[0]):
            raise ArgumentFault("files", f"entry {len(parts)} has {len(samples)} channels, the first {len(parts[0])}")
        parts.append(np.stack([shifted(channel, 0, last - first) for channel in samples]))
    return Sound(np.concatenate(parts, axis=1) if parts else np.zeros((1, 0), np.float32), hertz)


def rms(sound: Sound, channel: str = "mono") -> NonNegative | None:
    """The root mean square of a channel; null for a sound without samples."""
    samples = _channel(as_sound("sound", sound), channel, "channel").astype(np.float64)
    return float(np.sqrt(np.einsum("i,i->", samples, samples) / len(samples))) if len(samples) else None


def lag(reference: Sound, other: Sound, *, search: NonNegative) -> float | None:
    """By how many seconds the other sound is later than the reference, within plus and minus `search`.

    Of all whole samples the one with the greatest sum, over the channels, of the products of both sounds; of equal ones
    the least. One of one channel goes with each of the other's. Null where no product is positive: with silence.
    """
    one, two = _alike(reference, other)
    reach = int(as_number("search", search) * one.rate + 1e-9)
    if reach < 0:
        raise ArgumentFault("search", f"{search!r} is negative")
    scores = _correlated(one.samples, two.samples, reach)
    lags = np.arange(-reach, reach + 1)
    best = float(scores.max())
    # Transforms round: what is as high as the highest but for that is as high.
    scale = float(np.sqrt(_energy(one.samples) * _energy(two.samples)))
    if not best > 1e-9 * scale:
        return None
    highest = lags[scores >= best - 1e-12 * scale]
    return int(min(highest, key=lambda found: (abs(found), found))) / one.rate


def _energy(samples: np.ndarray) -> float:
    return float(np.einsum("ci,ci->", samples, samples, dtype=np.float64))


def _correlated(reference: np.ndarray, other: np.ndarray, reach: int) -> np.ndarray:
    """The sum of reference[i] other[i + k] over all i and channels, for each k from -reach to reach."""
    length = max(reference.shape[1], other.shape[1]) + reach
    size = 1 << max(1, length.bit_length())
    channels = max(len(reference), len(other))
    spectrum = np.zeros(size // 2 + 1, complex)
    for one, two in zip(_spread(reference, channels), _spread(other, channels), strict=True):
        spectrum += np.conj(np.fft.rfft(one.astype(np.float64), size)) * np.fft.rfft(two.astype(np.float64), size)
    circular = np.fft.irfft(spectrum, size)
    return np.concatenate((circular[size - reach :], circular[: reach + 1]))


def _spread(samples: np.ndarray, channels: int) -> np.ndarray:
    if len(samples) not in (1, channels):
        raise ArgumentFault("other", f"one sound has {len(samples)} channels, the other {channels}")
    return np.broadcast_to(samples, (channels, samples.shape[1]))


def compare_windows(
    reference: Sound,
    other: Sound,
    *,
    lag: float,
    window: NonNegative,
    step: NonNegative,
    channels: Sequence[str],
) -> list[Comparison]:
    """The other sound, moved earlier by `lag`, beside the reference: a row for every channel and window, in this order.

    A window starts every `step` seconds within the reference and has `window` seconds; those that its end cuts are
    shorter, so that every sample is in one. Both are whole samples, rounded. `channels` are `mono`, `left`, `right`.
    """
    one, two = _alike(reference, other)
    width, stride = (_samples(name, value, one.rate) for name, value in (("window", window), ("step", step)))
    return _compared(one, two, lag, width, stride, channels)


def compare(reference: Sound, other: Sound, *, lag: float, channels: Sequence[str]) -> list[Comparison]:
    """The other sound, moved earlier by `lag`, beside the whole reference: a row for every channel."""
    one, two = _alike(reference, other)
    whole = max(1, one.samples.shape[1])
    return _compared(one, two, lag, whole, whole, channels)


def _samples(argument: str, seconds: float, rate: int) -> int:
    number = round(as_number(argument, seconds) * rate)
    if not 1 <= number <= 2**31:
        raise ArgumentFault(argument, f"{seconds!r} s is not a sample at {rate} Hz, or too long")
    return number


def _compared(
    reference: Sound, other: Sound, lag: float, window: int, step: int, channels: Sequence[str]
) -> list[Comparison]:
    length, rate = reference.samples.shape[1], reference.rate
    offset = round(as_number("lag", lag) * rate)
    if isinstance(channels, str):
        raise ArgumentFault("channels", f"{channels!r} is one text; expected a list")
    rows = []
    for name in channels:
        one, two = (_channel(sound, name, "channels") for sound in (reference, other))
        rows += _rows(name, windowed(one, shifted(two, offset, length), window, step), (length, window, step, rate))
    return rows


def _rows(channel: str, found: Windows, sizes: tuple[int, int, int, int]) -> list[Comparison]:
    length, window, step, rate = sizes
    return [
        Comparison(
            channel=channel,
            start=start / rate,
            seconds=(min(start + window, length) - start) / rate,
            reference_rms=float(found.reference_rms[row]),
            other_rms=float(found.other_rms[row]),
            correlation=_known(found.correlation[row]),
            gain_db=_known(found.gain_db[row]),
            error=float(found.error[row]),
            relative_error=_known(found.relative_error[row]),
        )
        for row, start in enumerate(range(0, length, step))
    ]


def _known(value: np.floating) -> float | None:
    return None if np.isnan(value) else float(value)


def _alike(reference: object, other: object) -> tuple[Sound, Sound]:
    """Both sounds, of one rate."""
    one, two = as_sound("reference", reference), as_sound("other", other)
    if one.rate != two.rate:
        raise ArgumentFault("other", f"it has {two.rate} Hz, the reference {one.rate}")
    return one, two


def _channel(sound: Sound, name: str, argument: str) -> np.ndarray:
    if name not in _CHANNELS:
        raise ArgumentFault(argument, f"{shown(name)} is not one of {', '.join(_CHANNELS)}")
    if len(sound.samples) == 1:
        return sound.samples[0]
    if name == "mono":
        return sound.samples.mean(axis=0, dtype=np.float64)
    return sound.samples[1 if name == "right" else 0]
