"""Reads, checks, runs, explains and compares rubrics. Knows no benchmark.

from rubric.engine import load
rubric = load("rubrics/NAME-VERSION.yaml")
report = rubric.run(INPUT="file.json")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .comparison import diff
    from .faults import CallFault, InfrastructureFault
    from .findings import RubricError
    from .loading import LoadedRubric, load
    from .report import Report

_HOMES = {
    "load": "loading",
    "LoadedRubric": "loading",
    "diff": "comparison",
    "Report": "report",
    "RubricError": "findings",
    "CallFault": "faults",
    "InfrastructureFault": "faults",
}

__all__ = ["CallFault", "InfrastructureFault", "LoadedRubric", "Report", "RubricError", "diff", "load"]


def __getattr__(name: str) -> Any:
    """The public names, each imported when it is first used, so that the command line starts at once."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)
