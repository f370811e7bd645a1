"""JSON Lines for programs: one report a line, as it is, its keys in their order."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..json_text import encode
from .summary import Summary, plain


def one(report: Mapping[str, Any], *, color: bool = False) -> str:
    """The report, on one line."""
    return encode(report) + "\n"


def many(reports: Iterable[Mapping[str, Any]], summary: Summary | Mapping[str, Any]) -> Iterator[str]:
    """Each report on its line, and nothing else: every line is a report."""
    for report in reports:
        yield one(report)


def summary(summary: Summary | Mapping[str, Any]) -> str:
    """The summary, on one line."""
    return encode(plain(summary)) + "\n"
