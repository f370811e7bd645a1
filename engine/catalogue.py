"""The primitives that rubrics can call: the public, annotated functions of the package and of installed extensions."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from .. import primitives
from ..primitives.faults import InstrumentFault
from .expressions.signatures import Signature, signature_of

__all__ = ["InstrumentFault", "functions", "installer", "installers", "module", "names", "signature"]

ENTRY_POINTS = "rubric.primitives"
HELPERS = ("annotations", "faults", "instruments")


@cache
def _locations() -> Mapping[str, str]:
    """Module names as rubrics write them, with what to import for each."""
    own = {
        module.name: f"{primitives.__name__}.{module.name}"
        for module in pkgutil.iter_modules(primitives.__path__)
        if not (module.ispkg or module.name.startswith("_") or module.name in HELPERS)
    }
    others = {point.name: point.value for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda p: p.name)}
    return {**others, **own}


@cache
def module(name: str) -> ModuleType | None:
    """The module of primitives with this name."""
    location = _locations().get(name)
    return importlib.import_module(location) if location else None


def _is_primitive(function: Callable[..., Any], owner: ModuleType) -> bool:
    annotated = "return" in getattr(function, "__annotations__", {})
    return inspect.isfunction(function) and function.__module__ == owner.__name__ and annotated


@cache
def functions(name: str) -> Mapping[str, Callable[..., Any]]:
    """The primitives of a module, in the order of its source."""
    owner = module(name)
    if owner is None:
        return {}
    members = vars(owner).items()
    return {known: member for known, member in members if not known.startswith("_") and _is_primitive(member, owner)}


@cache
def signature(module_name: str, name: str) -> Signature | None:
    """The signature of `module.name`, or None where there is no such primitive."""
    function = functions(module_name).get(name)
    return signature_of(function, f"{module_name}.{name}") if function else None


def names() -> Mapping[str, tuple[str, ...]]:
    """All modules with the names of their primitives; an extension that cannot be imported has none."""
    return {name: _names(name) for name in sorted(_locations())}


def _names(name: str) -> tuple[str, ...]:
    try:
        return tuple(functions(name))
    except ImportError:
        return ()


def installers() -> tuple[str, ...]:
    """The programs that primitives drive and that can be installed for them."""
    from ..primitives import instruments

    return tuple(sorted(module.name for module in pkgutil.iter_modules(instruments.__path__)))


def installer(program: str) -> ModuleType:
    """What finds and installs one of these programs: `state(version)`, `install(version)`, and `VERSION`."""
    return importlib.import_module(f"{primitives.__name__}.instruments.{program}.install")
