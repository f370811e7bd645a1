"""Kinds of values that media primitives take and give, as signatures and descriptions name them."""

from dataclasses import dataclass
from typing import Annotated, Any

__all__ = ["File", "Film", "Kind", "Mask", "Overlay", "Picture", "Pixels", "Plane", "Rectangle", "Size", "WithAlpha"]


@dataclass(frozen=True)
class Kind:
    """Names what a value of no kind of the language's own is."""

    kind_name: str


Picture = Annotated[Any, Kind("picture")]
Plane = Annotated[Any, Kind("plane")]
Mask = Annotated[Any, Kind("mask")]
Pixels = Annotated[Any, Kind("picture or plane")]
WithAlpha = Annotated[Any, Kind("picture with alpha")]
Overlay = Annotated[Any, Kind("layer")]
Size = Annotated[Any, Kind("size")]
Rectangle = Annotated[Any, Kind("rectangle")]
File = Annotated[Any, Kind("file")]
Film = Annotated[Any, Kind("film or file")]
