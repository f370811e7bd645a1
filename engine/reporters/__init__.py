"""Reports as text. A format is one module with the functions of `Reporter`, imported when it is first asked for.

Reporters take report dictionaries, as `Report.to_dict()` gives them or as a JSON file gives them back. Every text ends
with a newline, and is the same for the same report: no clock, no locale, no width of a terminal.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from .summary import Summary


class Reporter(Protocol):
    """What the module of a format offers."""

    def one(self, report: Mapping[str, Any], *, color: bool = False) -> str:
        """The report of one case. `color` is for a terminal, and only the text format has any."""
        ...

    def many(self, reports: Iterable[Mapping[str, Any]], summary: "Summary | Mapping[str, Any]") -> Iterator[str]:
        """The reports of many cases, in their order, piece by piece. The summary is read after the last report, so it
        may be one that the iteration fills.
        """
        ...

    def summary(self, summary: "Summary | Mapping[str, Any]") -> str:
        """The summary alone."""
        ...


class _Formats(Mapping[str, Reporter]):
    def __init__(self, modules: Mapping[str, str]):
        self._modules = modules

    def __getitem__(self, format: str) -> Reporter:
        return cast(Reporter, import_module(f".{self._modules[format]}", __name__))

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


REPORTERS: Mapping[str, Reporter] = _Formats(
    {
        "text": "text",
        "json": "json_document",
        "jsonl": "json_lines",
        "markdown": "markdown",
        "html": "html_page",
        "junit": "junit",
    }
)
