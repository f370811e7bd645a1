"""Decoded video frames as RGB: luma and chroma by the matrix and the range that the film names.

R = Y' + 2 (1 - kr) Cr', B = Y' + 2 (1 - kb) Cb', G from Y' = kr R + kg G + kb B (ITU-T H.273), with chroma interpolated
linearly between the centres of its samples, in fixed point: within 0.7 of the formula, rounding included.
"""

from typing import Any

import numpy as np

from ._libraries import opencv

__all__ = ["MATRICES", "RANGES", "Converter"]

MATRICES = {1: "bt709", 4: "fcc", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 9: "bt2020nc"}
"""FFmpeg's numbers of the matrices that are known here, with FFmpeg's names; the others are taken for Rec. 709."""

RANGES = {1: "limited", 2: "full"}

_WEIGHTS = {
    "bt709": (0.2126, 0.0722),
    "fcc": (0.30, 0.11),
    "bt470bg": (0.299, 0.114),
    "smpte170m": (0.299, 0.114),
    "smpte240m": (0.212, 0.087),
    "bt2020nc": (0.2627, 0.0593),
}

_PLANAR = {"yuv420p", "yuv422p", "yuv444p", "yuvj420p", "yuvj422p", "yuvj444p"}


class Converter:
    """Frames of one film as pictures, in working memory that is used again for each."""

    def __init__(self) -> None:
        self._chroma: list[np.ndarray | None] = [None, None]
        self._joined: np.ndarray | None = None
        self._matrices: dict[tuple[str, bool], np.ndarray] = {}

    def __call__(self, frame: Any) -> np.ndarray:
        """The frame as (height, width, 3), uint8, as it is stored: neither turned nor stretched."""
        if frame.format.is_rgb or frame.format.name.startswith(("gray", "mono", "pal")):
            return frame.to_ndarray(format="rgb24")
        full = frame.color_range == 2 or frame.format.name.startswith("yuvj")
        planes = [_plane(plane) for plane in _planar(frame).planes]
        cv2 = opencv()
        luma, size = planes[0], planes[0].shape[::-1]
        self._chroma = [cv2.resize(plane, size, old) for plane, old in zip(planes[1:3], self._chroma, strict=True)]
        self._joined = cv2.merge([luma, *self._chroma], self._joined)
        return cv2.transform(self._joined, self._matrix(MATRICES.get(frame.colorspace, "bt709"), full))

    def _matrix(self, name: str, full: bool) -> np.ndarray:
        if (name, full) not in self._matrices:
            self._matrices[name, full] = _to_rgb(name, full)
        return self._matrices[name, full]


def _planar(frame: Any) -> Any:
    """The frame in planes of 8 bits; of deeper, packed and transparent formats by FFmpeg, in the same range."""
    if frame.format.name in _PLANAR:
        return frame
    return frame.reformat(format="yuv444p", src_color_range=1, dst_color_range=1)


def _plane(plane: Any) -> np.ndarray:
    return np.frombuffer(plane, np.uint8).reshape(-1, plane.line_size)[: plane.height, : plane.width]


def _to_rgb(name: str, full: bool) -> np.ndarray:
    """(3, 4): from Y, Cb, Cr and 1 as they are stored to R, G, B."""
    kr, kb = _WEIGHTS[name]
    kg = 1 - kr - kb
    luma, chroma, black = (1.0, 1.0, 0) if full else (255 / 219, 255 / 224, 16)
    red, blue = 2 * (1 - kr) * chroma, 2 * (1 - kb) * chroma
    matrix = np.array([[luma, 0, red], [luma, -kb / kg * blue, -kr / kg * red], [luma, blue, 0]])
    # OpenCV calculates in units of 1/1024: with offsets from rounded factors, grey stays grey.
    matrix = np.round(matrix * 1024) / 1024
    return np.column_stack((matrix, -matrix @ (black, 128, 128)))
