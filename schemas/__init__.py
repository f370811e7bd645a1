"""The JSON Schemas, as data."""
