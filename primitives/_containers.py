"""Opening films and sounds: only formats that hold their own content, never one that names other files or addresses."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._libraries import pyav
from ._pixels import as_file
from .faults import ArgumentFault

__all__ = ["decoded_by_packet", "opened"]

_FORMATS = "aac,aiff,avi,flac,flv,matroska,mov,mp3,mpeg,mpegts,mxf,ogg,wav,webm"
_OPTIONS = {"format_whitelist": _FORMATS, "protocol_whitelist": "file"}


@contextmanager
def opened(argument: str, file: object) -> Iterator[Any]:
    """PyAV's container of a file; `ArgumentFault` for what is none, or fails while it is read."""
    av = pyav()
    path = as_file(argument, file)
    try:
        container = av.open(f"file:{path}", options=_OPTIONS, metadata_errors="replace")
    except (av.FFmpegError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise ArgumentFault(argument, f"it cannot be opened as a film or a sound: {reason}") from None
    with container:
        yield container


def decoded_by_packet(container: Any, stream: Any) -> Iterator[list[Any] | None]:
    """What each packet of a stream adds, to the end of the file; None where the decoder refuses it."""
    failures = pyav().FFmpegError
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets, None)
        except failures:
            yield None
            return
        if packet is None:
            return
        try:
            decoded = packet.decode()
        except failures:
            decoded = None
        yield decoded
