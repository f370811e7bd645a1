"""A YAML file to a tree in which every key and value knows its line and column. Nothing after this touches YAML."""

from .builder import MAX_DEPTH
from .faults import MAX_FINDINGS
from .nodes import Document, Entry, Mapping, Node, Scalar, Sequence, plain
from .reading import MAX_BYTES, read_document, read_file
from .scalars import MAX_NUMBER

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_FINDINGS",
    "MAX_NUMBER",
    "Document",
    "Entry",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "plain",
    "read_document",
    "read_file",
]
