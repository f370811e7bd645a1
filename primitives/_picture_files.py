"""PNG and JPEG files: checked from their bytes before a decoder sees them, so that no header can claim memory."""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ._arguments import as_whole
from ._libraries import opencv
from ._pixels import as_file
from .faults import ArgumentFault

__all__ = ["decoded"]

_MAX_BYTES = 2**28
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


def decoded(file: object, max_pixels: int) -> np.ndarray:
    """The file's pixels as they are: one channel, or blue, green, red and perhaps alpha; 8 or 16 bits.

    `ArgumentFault` for what is not whole, not PNG or JPEG, or too large.
    """
    data = _content(file)
    width, height = _png_size(data) if data.startswith(_PNG) else _jpeg_size(data)
    if not width or not height or width * height > as_whole("max_pixels", max_pixels, least=1):
        raise ArgumentFault("file", f"a picture of {width} x {height}; from 1 to {max_pixels} pixels are read")
    cv2 = opencv()
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        pixels = None
    if pixels is None or pixels.shape[:2] != (height, width) or pixels.dtype not in (np.uint8, np.uint16):
        raise ArgumentFault("file", "its picture cannot be decoded")
    return pixels


def _content(file: object) -> bytes:
    path = Path(as_file("file", file))
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ArgumentFault("file", f"it has more than {_MAX_BYTES} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise ArgumentFault("file", f"it cannot be read: {error.strerror}") from None
    if not data.startswith((_PNG, _JPEG)):
        raise ArgumentFault("file", "it is neither a PNG nor a JPEG picture")
    return data


def _png_size(data: bytes) -> tuple[int, int]:
    """Width and height; refuses a file whose chunks are damaged or whose pixels are fewer than it says."""
    chunks = list(_chunks(data))
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        raise ArgumentFault("file", "it is a PNG file without a header")
    if chunks[-1][0] != b"IEND" or any(kind == b"acTL" for kind, _ in chunks):
        raise ArgumentFault("file", "it is a PNG file that is cut off, or an animation")
    return struct.unpack(">II", chunks[0][1][:8])


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk up to the end or to one that is cut off."""
    at, kind = len(_PNG), b""
    while at + 12 <= len(data) and kind != b"IEND":
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        content, rest = data[at + 8 : at + 8 + length], data[at + 8 + length : at + 12 + length]
        if len(rest) < 4:
            return
        if struct.unpack(">I", rest)[0] != zlib.crc32(kind + content):
            raise ArgumentFault("file", "it is a PNG file with a damaged part")
        yield kind, content
        at += 12 + length


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height from the frame header; refuses a file without an end."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            if b"\xff\xd9" not in data[at:]:
                break
            return width, height
        # A marker may be preceded by fill bytes.
        at += 1 if marker == 0xFF else 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    raise ArgumentFault("file", "it is a JPEG file that is cut off or has no picture")
