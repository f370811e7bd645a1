"""A rubric in plain prose and tables, for people who do not program."""

from .page import explain_rubric
from .pages import Stale, stale_pages

__all__ = ["Stale", "explain_rubric", "stale_pages"]
