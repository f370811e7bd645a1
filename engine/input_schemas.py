"""Inputs whose shape a JSON Schema describes: formats that a rubric takes as they are, and does not judge itself."""

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from .faults import InfrastructureFault
from .json_text import JsonFault, decode_bytes
from .rubric import Input, Rubric

LONGEST_MESSAGE = 300


def schema_fault(rubric: Rubric, declared: Input, value: Any) -> str | None:
    """The first thing in a plain value that breaks the schema of its input; None where nothing does, or there is none.

    Raises `InfrastructureFault` where the schema itself is unusable. Nothing is ever fetched for it.
    """
    if declared.schema is None:
        return None
    from jsonschema.exceptions import best_match
    from referencing.exceptions import Unresolvable

    path = schema_path(declared.schema, Path(rubric.document.name).parent)
    try:
        found = best_match(_validator(path.read_bytes(), declared.schema).iter_errors(value))
    except RecursionError:
        return f"is too complicated for the schema '{declared.schema}'"
    except (OSError, Unresolvable) as error:
        raise InfrastructureFault("rubric", f"the schema '{declared.schema}' cannot be used: {error}") from None
    return (
        None if found is None else f"breaks the schema '{declared.schema}' at {found.json_path}: {_cut(found.message)}"
    )


def schema_path(name: str, folder: Path) -> Path:
    """The file of a schema: one that comes with the package, or one beside the rubric."""
    shipped = Path(str(files("rubric.schemas"))) / f"{name}.schema.json"
    candidates = (shipped, folder / name, folder / f"{name}.schema.json")
    return next((path for path in candidates if path.is_file()), folder / name)


@lru_cache(maxsize=8)
def _validator(source: bytes, name: str) -> Any:
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import Draft202012Validator, validator_for
    from referencing import Registry

    try:
        schema = decode_bytes(source)
        kind = validator_for(schema, default=Draft202012Validator)
        kind.check_schema(schema)
    except (JsonFault, SchemaError, TypeError, AttributeError) as error:
        raise InfrastructureFault("rubric", f"the schema '{name}' cannot be used: {error}") from None
    return kind(schema, registry=Registry())


def _cut(message: str) -> str:
    return message if len(message) <= LONGEST_MESSAGE else message[:LONGEST_MESSAGE] + "..."
