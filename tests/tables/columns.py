"""Running a rubric over the same file twice: row by row, and by column."""

import json
from collections.abc import Mapping
from typing import Any

from rubric.engine import records
from rubric.engine.loading import LoadedRubric
from rubric.engine.tables import blocks, raw_rows

NEVER = 1 << 62


def report(rubric: LoadedRubric, inputs: Mapping[str, Any], patch, *, from_bytes: int, block: int = 1 << 20, **more):
    with patch.context() as patched:
        patched.setattr(raw_rows, "COLUMNAR_FROM", from_bytes)
        patched.setattr(blocks, "BLOCK_BYTES", block)
        patched.setattr(blocks, "_LEAST_LINES", 2)
        return json.dumps(rubric.run_case(inputs, **more).to_dict())


def tables_read(patch) -> list[Any]:
    """A list to which each table is added that is read by column from now on."""
    found: list[Any] = []
    read = records.read_by_column

    def noting(*arguments):
        table = read(*arguments)
        found.append(table)
        return table

    patch.setattr(records, "read_by_column", noting)
    return found
