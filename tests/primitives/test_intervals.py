from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.primitives.faults import ArgumentFault
from rubric.primitives.intervals import iou, length, overlap_among

frames = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted)
spans = frames.map(lambda ends: span(*ends))


def span(start, end):
    return {"start": start, "end": end}


def frames_of(row):
    return set(range(row["start"], row["end"]))


class TestIou:
    # pyannote.core 6.1.0 and by hand
    def test_reference_values(self):
        assert iou(span(0, 10), span(5, 15)) == 1 / 3
        assert iou(span(0, 10), span(10, 15)) == 0
        assert iou(span(0, 10), span(20, 25)) == 0
        assert iou(span(0, 10), span(2, 7)) == 0.5

    def test_an_empty_interval_overlaps_nothing(self):
        assert iou(span(3, 3), span(3, 3)) == 0
        assert iou(span(3, 3), span(0, 10)) == 0

    def test_other_fields_do_not_matter(self):
        assert iou({"start": 0, "end": 2, "text": "a"}, {"start": 0.0, "end": 2.0}) == 1

    def test_far_away_intervals_do_not_overflow(self):
        assert iou(span(-1.5e308, 0), span(-1, 1.5e308)) == 0

    @given(spans, spans)
    def test_counts_frames(self, a, b):
        both, either = frames_of(a) & frames_of(b), frames_of(a) | frames_of(b)
        expected = Fraction(len(both), len(either)) if both else 0
        assert iou(a, b) == float(expected)
        assert iou(a, b) == iou(b, a)

    @given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
    def test_is_a_share_and_1_only_for_equal_intervals(self, start, long, other_start, other_long):
        a, b = span(start, start + long), span(other_start, other_start + other_long)
        assert 0 <= iou(a, b) <= 1
        assert iou(a, a) == 1 or a["start"] == a["end"]


class TestLength:
    def test_in_the_unit_given(self):
        assert length(span(1.5, 4)) == 2.5
        assert length(span(3, 3)) == 0
        assert length(span(24, 48)) == 24


class TestOverlapAmong:
    def test_touching_is_not_overlapping(self):
        assert not overlap_among([span(0, 5), span(5, 9)])
        assert overlap_among([span(0, 5.1), span(5, 9)])

    def test_none_and_one(self):
        assert not overlap_among([])
        assert not overlap_among([span(0, 5)])

    def test_a_long_interval_reaches_past_its_neighbour(self):
        assert overlap_among([span(0, 10), span(1, 2), span(9, 11)])

    def test_empty_intervals_overlap_nothing(self):
        assert not overlap_among([span(0, 10), span(4, 4), span(4, 4)])

    @given(st.lists(spans, max_size=5))
    def test_is_any_pair_with_a_common_frame(self, rows):
        expected = any(frames_of(a) & frames_of(b) for n, a in enumerate(rows) for b in rows[:n])
        assert overlap_among(rows) == expected
        assert overlap_among(rows[::-1]) == expected


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (span(2, 1), "ends at 1, before it starts at 2"),
        (span(0, None), "end: null is not a number"),
        ({"start": 0}, "end: null is not a number"),
        (span(float("nan"), 1), "start: nan is not a finite number"),
        (span(0, float("inf")), "end: inf is not a finite number"),
        (span(True, 2), "start: True is not a number"),
        (span("0", 2), "start: '0' is not a number"),
        (span(0, 10**400), "end: 1000"),
        (span(-1.5e308, 1.5e308), "longer than float64"),
    ],
)
def test_refuses_what_is_no_interval(row, reason):
    fine = span(0, 1)
    with pytest.raises(ArgumentFault, match=reason) as caught:
        iou(row, fine)
    assert caught.value.argument == "a"
    with pytest.raises(ArgumentFault, match=reason) as caught:
        iou(fine, row)
    assert caught.value.argument == "b"
    with pytest.raises(ArgumentFault, match=f"entry 1: .*{reason}") as caught:
        overlap_among([fine, row])
    assert caught.value.argument == "rows"
    with pytest.raises(ArgumentFault, match=reason):
        length(row)
