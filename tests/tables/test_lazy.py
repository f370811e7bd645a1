"""Lists whose members are made when they are asked for are lists to everyone."""

import json
import math
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars
import pytest

from rubric.engine.tables.cells import Cells
from rubric.engine.tables.lazy import LazyList
from rubric.engine.tables.table import ColumnList, Frame, Table


class Made(LazyList):
    __slots__ = ("members",)

    def __init__(self, members: list[Any]):
        super().__init__(len(members))
        self.members = members

    def made(self) -> Iterable[Any]:
        return iter(self.members)


WAYS: list[Callable[[list], Any]] = [
    *(len, bool, list, tuple, sorted, sum, max, repr, math.fsum, json.dumps, set, enumerate),
    *(
        lambda of: of[1],
        lambda of: of[-1],
        lambda of: of[1:],
        lambda of: of[::-1],
        lambda of: [*of],
        lambda of: [0, *of],
    ),
    *(lambda of: of + [1], lambda of: [1] + of, lambda of: of * 2, lambda of: 2 * of, lambda of: 3 in of),  # noqa: RUF005
    *(lambda of: of == [3, 1, 2], lambda of: [3, 1, 2] == of, lambda of: of != [3, 1, 2], lambda of: [0] != of),  # noqa: SIM300
    *(lambda of: of.index(2), lambda of: of.count(1), lambda of: of.copy(), lambda of: list(reversed(of))),
    *(lambda of: list(zip(of, of, strict=True)), lambda of: list(map(abs, of)), lambda of: np.asarray(of).tolist()),
    *(lambda of: pickle.loads(pickle.dumps(of)), lambda of: math.hypot(*of), lambda of: isinstance(of, list)),
    *(lambda of: json.dumps({"a": of}), lambda of: max(of, default=0), lambda of: [x for x in of if x > 1]),
]


@pytest.mark.parametrize("way", WAYS, ids=range(len(WAYS)))
def test_it_is_a_list_whatever_is_done_first(way: Callable[[list], Any]) -> None:
    found, expected = way(Made([3, 1, 2])), way([3, 1, 2])
    assert (list(found) if isinstance(found, enumerate) else found) == (
        list(expected) if isinstance(expected, enumerate) else expected
    )


def joined(first: list, second: list) -> list:
    first += second
    return first


def test_it_can_be_added_to_a_list() -> None:
    assert joined([0], Made([1, 2])) == [0, 1, 2]
    assert not Made([])


def test_a_table_makes_rows_only_when_asked() -> None:
    numbers = Cells(polars.Series([1.0, 0.5, None]), polars.Series([True, False, False]))
    table = Table(Frame({"a": numbers, "b": Cells(polars.Series(["x", None, "y"]))}), 3)
    chosen = table.where(polars.Series([True, None, True])).chosen(polars.Series([1, 0], dtype=polars.UInt32))
    assert len(chosen) == 2
    assert json.dumps(chosen) == '[{"a": null, "b": "y"}, {"a": 1, "b": "x"}]'
    assert chosen.column("b") == ["y", "x"]
    assert chosen.column("c") == [None, None]
    assert isinstance(chosen.column("b"), ColumnList)
