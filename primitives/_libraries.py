"""The optional libraries of the media primitives, imported where they are first needed."""

from types import ModuleType

from .faults import InstrumentFault

__all__ = ["opencv", "pyav"]


def opencv() -> ModuleType:
    """OpenCV; an `InstrumentFault` says how to install it."""
    try:
        import cv2
    except ImportError:
        raise InstrumentFault("pictures need OpenCV: pip install 'rubric-engine[media]'") from None
    return cv2


def pyav() -> ModuleType:
    """PyAV; an `InstrumentFault` says how to install it."""
    try:
        import av
    except ImportError:
        raise InstrumentFault("video and sound need PyAV: pip install 'rubric-engine[media]'") from None
    return av
