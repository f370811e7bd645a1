"""The bundled rubrics, as data."""
