"""Small films and sounds, made by PyAV."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np


def grey(level, width=64, height=48):
    """A frame of one luma, as it is coded."""
    return coded(
        np.full((height, width), level),
        np.full((height // 2, width // 2), 128),
        np.full((height // 2, width // 2), 128),
    )


def coded(y, cb, cr, pixel_format="yuv420p"):
    """A frame of these planes of 8 bits."""
    flat = np.concatenate([np.asarray(plane, np.uint8).reshape(-1) for plane in (y, cb, cr)])
    if pixel_format == "yuv420p":
        return av.VideoFrame.from_ndarray(flat.reshape(-1, np.shape(y)[1]), format=pixel_format)
    return av.VideoFrame.from_ndarray(flat.reshape(3, *np.shape(y)), format=pixel_format)


def write_film(
    path, frames, *, fps=25, codec="libx264", options=None, change=None, times=None, clock=None, tags=None, sound=None
):
    """A film of frames; `change` may change the stream, `times` are those of the frames in ticks of `clock`."""
    with av.open(str(path), "w", options=options or {}) as container:
        stream = container.add_stream(codec, rate=Fraction(fps))
        stream.width, stream.height, stream.pix_fmt = frames[0].width, frames[0].height, frames[0].format.name
        stream.codec_context.color_range = (tags or {}).get("range", 0)
        stream.codec_context.colorspace = (tags or {}).get("matrix", 2)
        if codec == "libx264":
            stream.options = {"qp": "0", "preset": "ultrafast", "g": "12", "bf": "0"}
        if clock:
            stream.codec_context.time_base = Fraction(clock)
        if change:
            change(stream)
        audio = _sound_stream(container, sound) if sound else None
        for number, frame in enumerate(frames):
            frame.pts = times[number] if times else number
            frame.time_base = Fraction(clock or 1 / Fraction(fps))
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if audio:
            _encode_sound(container, audio, *sound[:2])
    return str(path)


def write_sound(path, samples, rate, codec="pcm_s16le", **options):
    """A sound of (channels, n) samples from -1 to 1."""
    with av.open(str(path), "w") as container:
        sound = (samples, rate, codec)
        stream = _sound_stream(container, sound)
        stream.options = options
        _encode_sound(container, stream, samples, rate)
    return str(path)


def _sound_stream(container, sound):
    samples, rate, codec = sound
    return container.add_stream(codec, rate=rate, layout="mono" if len(samples) == 1 else "stereo")


def _encode_sound(container, stream, samples, rate):
    layout = "mono" if len(samples) == 1 else "stereo"
    for start in range(0, samples.shape[1], 1024):
        chunk = np.ascontiguousarray(samples[:, start : start + 1024], dtype=np.float32)
        frame = av.AudioFrame.from_ndarray(chunk, format="fltp", layout=layout)
        frame.sample_rate, frame.pts, frame.time_base = rate, start, Fraction(1, rate)
        container.mux(stream.encode(frame))
    container.mux(stream.encode(None))


def cut(path, share, name="cut.mp4"):
    """The first part of a file, as another file."""
    data = Path(path).read_bytes()
    target = Path(path).with_name(name)
    target.write_bytes(data[: int(len(data) * share)])
    return str(target)
