"""What a case expects, beside what a report says."""

from collections.abc import Iterator
from typing import Any


def differences(expected: Any, found: Any, place: str = "", tolerance: float = 1e-9) -> Iterator[str]:
    """Where they differ. Records are compared on the keys given, numbers within the relative tolerance; `{"$min": a,
    "$max": b}` stands for any number from a to b.
    """
    if isinstance(expected, dict) and "$min" in expected:
        if found is None or not expected["$min"] <= found <= expected["$max"]:
            yield f"{place}: {found} is not from {expected['$min']} to {expected['$max']}"
    elif isinstance(expected, dict):
        for key, member in expected.items():
            yield from differences(member, (found or {}).get(key, "absent"), f"{place}.{key}", tolerance)
    elif isinstance(expected, (int, float)) and not isinstance(expected, bool):
        if not isinstance(found, (int, float)) or abs(expected - found) > tolerance * max(1.0, abs(expected)):
            yield f"{place}: expected {expected}, found {found}"
    elif expected != found:
        yield f"{place}: expected {expected}, found {found}"
