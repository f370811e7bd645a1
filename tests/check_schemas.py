"""Check JSON Schemas against the metaschema they name: `python tests/check_schemas.py schemas/*.json`."""

import json
import sys
from pathlib import Path

from jsonschema.validators import validator_for

for path in map(Path, sys.argv[1:]):
    schema = json.loads(path.read_text(encoding="utf-8"))
    validator_for(schema).check_schema(schema)
    print(f"{path}: a valid schema of {schema['$schema']}")
