"""JSON for programs: a report as it is, its keys in their order; many as one document, their summary at its end."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..json_text import encode
from .summary import Summary, plain


def one(report: Mapping[str, Any], *, color: bool = False) -> str:
    """The report."""
    return encode(report, indent=2) + "\n"


def many(reports: Iterable[Mapping[str, Any]], summary: Summary | Mapping[str, Any]) -> Iterator[str]:
    """`{"reports": [...], "summary": {...}}`, a report a piece."""
    before = '{\n  "reports": ['
    for report in reports:
        yield f"{before}\n    {_indented(report, 4)}"
        before = ","
    yield f"{before}]" if before != "," else "\n  ]"
    yield f',\n  "summary": {_indented(plain(summary), 2)}\n}}\n'


def summary(summary: Summary | Mapping[str, Any]) -> str:
    """The summary."""
    return encode(plain(summary), indent=2) + "\n"


def _indented(value: Any, columns: int) -> str:
    """A value as it stands inside a document; no text of JSON contains a line break of its own."""
    return encode(value, indent=2).replace("\n", "\n" + " " * columns)
