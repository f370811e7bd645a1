"""Bursts of repeats, by hand and against a slow reading of the rule."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.primitives.faults import ArgumentFault
from rubric.primitives.sequences import first_of_bursts


def rows_at(*times, kind="a"):
    return [{"kind": kind, "at": time} for time in times]


def kept(rows, within=2, exempt=None):
    return [rows.index(row) for row in first_of_bursts(rows, same=["kind"], at="at", within=within, exempt=exempt)]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([], []),
        ([5], [5]),
        ([0, 2], [0]),  # a limit that is reached counts
        ([0, 2.0000001], [0, 2.0000001]),
        ([0, 2, 4, 6, 8], [0]),  # each is a repeat of the one before it, kept or not
        ([0, 2, 5, 6], [0, 5]),
        ([6, 0, 5, 2], [0, 5]),  # rows need not come in order, and stay in the order given
        ([9, 3, 0], [9, 3, 0]),
        ([1, 1, 1], [1]),
        ([-1, 1], [-1]),
    ],
)
def test_the_first_of_each_burst_stays(times, expected):
    survivors = first_of_bursts(rows_at(*times), same=["kind"], at="at", within=2)
    assert [row["at"] for row in survivors] == expected


def test_of_equally_early_rows_the_first_stays():
    rows = [{"kind": "a", "at": 1, "n": 0}, {"kind": "a", "at": 1, "n": 1}]
    assert first_of_bursts(rows, same=["kind"], at="at", within=0) == rows[:1]


def test_bursts_are_told_apart_by_all_fields_and_as_data():
    rows = [
        {"kind": "a", "actor": None, "at": 0},
        {"kind": "a", "actor": "x", "at": 0},
        {"kind": "a", "at": 1},  # absent is null
        {"kind": 1, "actor": None, "at": 1},
        {"kind": True, "actor": None, "at": 1},
        {"kind": 1.0, "actor": None, "at": 2},
        {"kind": ["a"], "actor": None, "at": 2},
        {"kind": ["a"], "actor": None, "at": 3},
    ]
    assert first_of_bursts(rows, same=["kind", "actor"], at="at", within=2) == [rows[i] for i in (0, 1, 3, 4, 6)]


def test_exempt_rows_stay_and_take_no_part():
    rows = [{"kind": "a", "at": time, "cut": time in (1, 2, 3)} for time in (0, 1, 2, 3, 4)]
    assert kept(rows, within=2, exempt=lambda row: row["cut"]) == [0, 1, 2, 3, 4]
    assert kept(rows, within=4, exempt=lambda row: row["cut"]) == [0, 1, 2, 3]
    assert kept(rows, within=1, exempt=lambda row: None) == [0]


def test_without_fields_all_rows_are_alike():
    assert first_of_bursts(rows_at(0, 1) + rows_at(2, kind="b"), same=[], at="at", within=1) == rows_at(0)


def test_rows_are_handed_back_as_they_are():
    rows = rows_at(1, 9)
    assert all(a is b for a, b in zip(first_of_bursts(rows, same=["kind"], at="at", within=1), rows, strict=True))


def slowly(rows, within):
    """A row stays unless one of its kind comes before it, in time or else in the list, by at most `within`."""
    order = sorted(range(len(rows)), key=lambda i: (rows[i]["at"], i))
    survivors = set()
    for place, i in enumerate(order):
        before = [rows[j] for j in order[:place] if rows[j]["kind"] == rows[i]["kind"]]
        if not any(rows[i]["at"] - row["at"] <= within for row in before):
            survivors.add(i)
    return [row for i, row in enumerate(rows) if i in survivors]


many_rows = st.lists(
    st.fixed_dictionaries({"kind": st.sampled_from("ab"), "at": st.integers(0, 20)}), min_size=1, max_size=12
)


@given(rows=many_rows, within=st.integers(0, 5))
def test_any_rows_against_a_slow_reading(rows, within):
    survivors = first_of_bursts(rows, same=["kind"], at="at", within=within)
    assert survivors == slowly(rows, within)
    assert first_of_bursts(survivors, same=["kind"], at="at", within=within) == survivors


@pytest.mark.parametrize(
    ("argument", "message", "arguments"),
    [
        ("of", "row 1 needs a finite number in 'at', not None", {"of": rows_at(1, None)}),
        ("of", "row 0 needs a finite number in 'at', not nan", {"of": rows_at(math.nan)}),
        ("of", "row 0 is 7, not a mapping", {"of": [7, {"kind": "a"}]}),
        ("of", "row 0 needs a finite number in 'frame', not None", {"at": "frame"}),
        ("of", "a list of rows is needed, not {'a': 1}", {"of": {"a": 1}}),
        ("same", "a list of field names", {"same": "kind"}),
        ("within", "at least 0 is needed, not -1", {"within": -1}),
        ("within", "at least 0 is needed, not None", {"within": None}),
    ],
)
def test_arguments_that_cannot_be_used(argument, message, arguments):
    with pytest.raises(ArgumentFault, match=message) as caught:
        first_of_bursts(**{"of": rows_at(1, 2), "same": ["kind"], "at": "at", "within": 1} | arguments)
    assert caught.value.argument == argument
