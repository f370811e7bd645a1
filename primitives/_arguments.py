"""What primitives demand of their numbers: one check a kind, with messages that name the argument and the entry."""

from collections.abc import Sequence
from math import fsum, inf, isfinite
from numbers import Real

from ._columns import plain_numbers, shown
from .faults import ArgumentFault

__all__ = ["as_number", "as_numbers", "as_whole", "exact_sum", "same_length"]


def as_number(argument: str, value: object, *, booleans: bool = False) -> float:
    """The value as float64. Refused: what is no number or not finite, and booleans where they may not mean 0 and 1."""
    if type(value) is float and isfinite(value):
        return value
    if type(value) is int and -(2**53) <= value <= 2**53:
        return float(value)
    if not isinstance(value, Real) or (isinstance(value, bool) and not booleans):
        raise ArgumentFault(argument, f"{'null' if value is None else shown(value)} is not a number")
    try:
        converted = float(value)
    except OverflowError:
        converted = inf
    if not isfinite(converted):
        raise ArgumentFault(argument, f"{shown(value)} is not a finite number of 64 bits")
    return converted


def as_numbers(argument: str, values: Sequence[float | None], *, booleans: bool = False) -> list[float] | None:
    """The values as float64, each checked by `as_number`; null where one is null."""
    present = [value for value in values if value is not None]
    if len(present) < len(values):
        return None
    numbers = plain_numbers(present)
    if numbers is not None:
        return numbers
    checked: list[float] = []
    for value in present:
        try:
            checked.append(as_number(argument, value, booleans=booleans))
        except ArgumentFault as fault:
            raise ArgumentFault(argument, f"entry {len(checked)}: {fault.reason}") from None
    return checked


def as_whole(argument: str, value: float, *, least: int = 0) -> int:
    """The value as an integer from `least` to 2^53, above which float64 skips integers; 3.0 is 3."""
    if type(value) is int and least <= value <= 2**53:
        return value
    converted = as_number(argument, value)
    if not least <= converted <= 2**53 or not converted.is_integer():
        raise ArgumentFault(argument, f"{shown(value)} is not a whole number from {least} to 2^53")
    return int(converted)


def same_length(columns: dict[str, Sequence]) -> None:
    """Refuses lists of unequal length, naming the first that differs from the first of all."""
    first, *others = columns
    for name in others:
        if len(columns[name]) != len(columns[first]):
            raise ArgumentFault(name, f"{len(columns[name])} entries beside {len(columns[first])} of {first}")


def exact_sum(values: Sequence[float]) -> float:
    """The sum, rounded once; infinite where it exceeds float64."""
    try:
        return fsum(values) + 0.0  # turns a negative zero into zero
    except OverflowError:
        return inf
