"""A document -> a rubric: every key is known, every part has its shape; meaning is checked later."""

from .sections import build

__all__ = ["build"]
