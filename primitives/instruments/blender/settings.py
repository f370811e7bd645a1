"""Which Blender is asked for, and what it may use up."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..._columns import shown
from ...faults import ArgumentFault

__all__ = ["Settings", "as_settings"]

_OPTIONS = {"--factory-startup", "--disable-autoexec", "--background", "-b"}
"""What always holds, and may be written out."""


@dataclass(frozen=True)
class Settings:
    """The defaults leave room for a timeline of minutes in 4K."""

    version: str
    options: str = ""
    minutes: float = 30
    memory_gb: float = 12
    max_pixels: int = 2**24  # of a frame, 4096 x 4096; each takes 16 bytes in every step of a composite
    max_frames: int = 20_000  # of the timeline, 13 minutes at 25 a second
    nesting: int = 32  # of timelines in timelines
    require_sandbox: bool = False

    @property
    def seconds(self) -> float:
        return self.minutes * 60


def as_settings(blender: Any) -> Settings:
    """The settings in a record, each checked."""
    if not isinstance(blender, Mapping):
        raise ArgumentFault("blender", f"{shown(blender)} is not a record of settings")
    known = Settings.__dataclass_fields__
    for name, value in blender.items():
        if name not in known:
            raise ArgumentFault("blender", f"{shown(name)} is not one of {', '.join(known)}")
        _check(name, value)
    if "version" not in blender:
        raise ArgumentFault("blender", "it has no version")
    return Settings(**blender)


def _check(name: str, value: Any) -> None:
    if name == "require_sandbox":
        fits = isinstance(value, bool)
    elif name == "version":
        fits = isinstance(value, str)
    elif name == "options":
        fits = isinstance(value, str) and set(value.split()) <= _OPTIONS
    else:
        whole = name not in ("minutes", "memory_gb")
        fits = type(value) is int or (type(value) is float and math.isfinite(value) and not whole)
        fits = fits and 0 < value < 2**31
    if not fits:
        raise ArgumentFault("blender", f"{name} cannot be {shown(value)}")
