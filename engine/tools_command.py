"""The programs that primitives drive: which are here, and installing them."""

from collections.abc import Callable, Sequence

from .catalogue import InstrumentFault, installer, installers
from .faults import CallFault, InfrastructureFault
from .output import say

__all__ = ["install_tools", "show_tools"]


def show_tools(names: Sequence[str], version: str | None) -> str:
    """A line for each program: where it is, or how it is installed."""
    return _each(names, version, lambda name, wanted: installer(name).state(wanted))


def install_tools(names: Sequence[str], version: str | None) -> str:
    """Install each program that is not here, and say where it is. Raises `InfrastructureFault` where that fails."""

    def install(name: str, wanted: str) -> str:
        say(f"installing {name} {wanted}, unless it is here ...")
        installer(name).install(wanted)
        return installer(name).state(wanted)

    return _each(names, version, install)


def _each(names: Sequence[str], version: str | None, work: Callable[[str, str], str]) -> str:
    known = installers()
    for name in names:
        if name not in known:
            raise CallFault(f"'{name}' is none of the programs that can be installed: {', '.join(known)}")
    try:
        return "\n".join(work(name, version or installer(name).VERSION) for name in names or known)
    except InstrumentFault as fault:
        raise InfrastructureFault("instrument", str(fault)) from None
