"""Where things of this instrument lie on this machine."""

import os
from pathlib import Path

from .inside import main

__all__ = ["INSIDE", "cache_folder"]

INSIDE = Path(main.__file__).parent
"""The scripts that run inside Blender."""


def cache_folder() -> Path:
    """`rubric/blender` under `XDG_CACHE_HOME`, which is `~/.cache` where it is not an absolute path."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(named) if os.path.isabs(named) else Path.home() / ".cache"
    return base / "rubric" / "blender"
