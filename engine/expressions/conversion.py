"""What Python functions give back -> values of the language: dataclasses become records, tuples lists, NaN null.

What a return annotation already promises to be a value of the language is handed through as it is.
"""

import collections.abc
import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from .signatures import metadata, without_null
from .values import EXACT_INTEGER, bounded

Converter = Callable[[Any], Any]


def plain(value: Any) -> Any:
    """Any result as a value of the language."""
    if value is None or type(value) in (bool, str):
        return value
    if type(value) in (int, float):
        return bounded(value)
    if isinstance(value, list) and type(value) is not list:
        return value
    if isinstance(value, (list, tuple)):
        return [plain(member) for member in value]
    if isinstance(value, Mapping):
        return value if type(value) is dict and _holds_plain_values(value) else _plain_mapping(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return record_converter(type(value))(value)
    listed = getattr(value, "tolist", None)  # of an array or a number of NumPy
    return plain(listed()) if listed is not None else value


_SINGLE = frozenset({bool, int, float, str, type(None)})


def _holds_plain_values(of: Mapping[Any, Any]) -> bool:
    """Whether a mapping holds nothing but finite single values, as most rows do."""
    kinds = set(map(type, of.values()))
    return kinds <= _SINGLE and (float not in kinds or all(map(_is_finite, of.values())))


def _is_finite(value: Any) -> bool:
    return type(value) is not float or value - value == 0


def _plain_mapping(of: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: plain(value) for key, value in of.items()}


def as_it_is(value: Any) -> Any:
    """What is a value of the language already."""
    return value


def _number(value: Any) -> Any:
    """A number, null where it is not finite; NumPy's numbers become Python's."""
    if type(value) is float:
        return value if value - value == 0 else None
    return bounded(value) if type(value) is int else plain(value)


def _of_its_own_kind(value: Any) -> Any:
    """A picture, a sound or the like stays what it is; one that is made of several is their record."""
    is_record = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return record_converter(type(value))(value) if is_record else value


def converter(annotation: Any) -> Converter:
    """What turns a function's results into values of the language, by its return annotation."""
    inner, extras = metadata(annotation)
    bare, more = metadata(without_null(inner)[0])
    of_its_own_kind = any(hasattr(extra, "kind_name") for extra in (*extras, *more))
    if of_its_own_kind:
        return _of_its_own_kind
    if bare in (str, bool) or isinstance(bare, typing.TypeVar):
        return as_it_is
    if bare in (int, float):
        return _number
    if _is_as_it_is(bare):
        return as_it_is
    if dataclasses.is_dataclass(bare) and isinstance(bare, type):
        return record_converter(bare)
    return plain


def _is_as_it_is(annotation: Any) -> bool:
    """Whether an annotation says: a list or a map of texts, of members of the arguments, or of what a function gave."""
    arguments = typing.get_args(annotation)
    inner = arguments[-1] if typing.get_origin(annotation) in (list, dict) else None
    return inner is str or isinstance(inner, typing.TypeVar)


def _members(annotation: Any) -> Converter | None:
    """The converter for the members of a list or tuple, where they are dataclasses."""
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) not in (list, tuple, collections.abc.Sequence) or not arguments:
        return None
    inner = arguments[0]
    return _records_converter(inner) if dataclasses.is_dataclass(inner) and isinstance(inner, type) else None


@cache
def _parts(type_: type) -> Mapping[str, Converter]:
    """What a record of a dataclass holds, its fields, then its public properties, with the converter of each."""
    hints = typing.get_type_hints(type_, include_extras=True)
    properties = inspect.getmembers(type_, lambda value: isinstance(value, property))
    fields = {part.name: _part(hints[part.name]) for part in dataclasses.fields(type_)}
    return fields | {name: plain for name, _ in properties if not name.startswith("_")}


@cache
def record_converter(type_: type) -> Converter:
    """What makes a record of a dataclass."""
    parts = tuple(_parts(type_).items())

    def convert(value: Any) -> Any:
        if type(value) is not type_:
            return plain(value)
        return {name: part(getattr(value, name)) for name, part in parts}

    return convert


@cache
def _records_converter(type_: type) -> Converter:
    """What makes records of many of a dataclass. Where the fields of one are plain numbers or null already, what Python
    keeps them in is the record.
    """
    names, one = tuple(_parts(type_)), record_converter(type_)

    def convert(value: Any) -> Any:
        own = value.__dict__ if type(value) is type_ and hasattr(value, "__dict__") else {}
        return own if tuple(own) == names and _are_plain_numbers(own.values()) else one(value)

    return lambda values: [convert(value) for value in values]


def _are_plain_numbers(values: Iterable[Any]) -> bool:
    for value in values:
        if type(value) is float:
            if value - value != 0:
                return False
        elif value is not None and (type(value) is not int or not -EXACT_INTEGER <= value <= EXACT_INTEGER):
            return False
    return True


def _part(annotation: Any) -> Converter:
    return _members(annotation) or converter(annotation)
