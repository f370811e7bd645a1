from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.primitives.faults import ArgumentFault
from rubric.primitives.intervals import Piece, SpeakerTime, diarization, iou, length, overlap_among, overlay, runs

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


def turn(speaker, start, end):
    return {"speaker": speaker, "start": start, "end": end}


def speaker_time(reference, hypothesis):
    return diarization(reference, hypothesis, speaker="speaker")


turn_rows = st.lists(st.tuples(st.sampled_from("abc"), frames).map(lambda drawn: turn(drawn[0], *drawn[1])), max_size=8)


class TestDiarization:
    # by hand
    def test_each_kind_of_error(self):
        reference = [turn("ann", 0, 4), turn("bo", 3, 6)]
        hypothesis = [turn("ann", 0, 3.5), turn("ann", 5, 6), turn("cy", 8, 9)]
        found = speaker_time(reference, hypothesis)
        assert found == SpeakerTime(reference=7, correct=3.5, missed=2.5, false_alarm=1, confused=1)
        assert found.error_rate == 4.5 / 7

    def test_of_two_at_once_one_may_be_right(self):
        found = speaker_time([turn("a", 0, 2), turn("b", 0, 2)], [turn("a", 0, 2), turn("c", 0, 2)])
        assert found == SpeakerTime(reference=4, correct=2, missed=0, false_alarm=0, confused=2)

    def test_someone_in_two_turns_at_once_counts_once(self):
        found = speaker_time([turn("a", 0, 2), turn("a", 1, 3), turn("a", 3, 3)], [turn("a", 0, 3)])
        assert found == SpeakerTime(reference=3, correct=3, missed=0, false_alarm=0, confused=0)

    def test_without_reference_speech_there_is_no_rate(self):
        assert speaker_time([], [turn("a", 0, 2)]) == SpeakerTime(0, 0, 0, 2, 0)
        assert speaker_time([], [turn("a", 0, 2)]).error_rate is None

    def test_names_are_compared_as_they_are(self):
        assert speaker_time([turn("Ann", 0, 1)], [turn("ann", 0, 1)]).confused == 1

    def test_a_turn_of_nobody_is_refused(self):
        with pytest.raises(ArgumentFault, match="hypothesis: entry 0: 'speaker' is null"):
            speaker_time([turn("a", 0, 1)], [turn(None, 0, 1)])

    @given(turn_rows, turn_rows)
    def test_is_what_counting_frames_gives(self, reference, hypothesis):
        sets = [
            [{row["speaker"] for row in rows if row["start"] <= frame < row["end"]} for frame in range(12)]
            for rows in (reference, hypothesis)
        ]
        both = list(zip(*sets, strict=True))
        assert speaker_time(reference, hypothesis) == SpeakerTime(
            reference=sum(len(mine) for mine, _ in both),
            correct=sum(len(mine & theirs) for mine, theirs in both),
            missed=sum(max(0, len(mine) - len(theirs)) for mine, theirs in both),
            false_alarm=sum(max(0, len(theirs) - len(mine)) for mine, theirs in both),
            confused=sum(min(len(mine), len(theirs)) - len(mine & theirs) for mine, theirs in both),
        )

    @given(turn_rows, turn_rows, st.randoms())
    def test_no_order_of_turns_matters(self, reference, hypothesis, draw):
        tenths = [
            [turn(r["speaker"], r["start"] / 10, r["end"] / 10) for r in rows] for rows in (reference, hypothesis)
        ]
        shuffled = [draw.sample(rows, len(rows)) for rows in tenths]
        assert speaker_time(*tenths) == speaker_time(*shuffled)


class TestOverlay:
    # by hand
    def test_cuts_wherever_either_side_changes(self):
        mine, theirs = [span(0, 4), span(6, 8)], [span(3, 6)]
        assert overlay(mine, theirs) == [
            Piece(0, 3, 3, mine[0], None),
            Piece(3, 4, 1, mine[0], theirs[0]),
            Piece(4, 6, 2, None, theirs[0]),
            Piece(6, 8, 2, mine[1], None),
        ]

    def test_what_neither_covers_is_no_piece(self):
        assert [(piece.start, piece.end) for piece in overlay([span(0, 1)], [span(5, 6)])] == [(0, 1), (5, 6)]
        assert overlay([], []) == overlay([span(2, 2)], []) == []

    def test_touching_rows_in_any_order_are_fine(self):
        assert [piece.reference for piece in overlay([span(1, 2), span(0, 1)], [])] == [span(0, 1), span(1, 2)]

    def test_rows_that_overlap_are_refused(self):
        with pytest.raises(ArgumentFault, match="other: one that starts at 1 overlaps one that ends at 2"):
            overlay([], [span(0, 2), span(1, 3)])

    @given(st.lists(frames, max_size=4), st.lists(frames, max_size=4))
    def test_is_what_looking_at_each_frame_gives(self, mine, theirs):
        sides = [[span(*ends) for ends in tiling(drawn)] for drawn in (mine, theirs)]
        seen = [(piece, frame) for piece in overlay(*sides) for frame in range(piece.start, piece.end)]
        assert [frame for _, frame in seen] == sorted(frames_of_all(sides[0]) | frames_of_all(sides[1]))
        for piece, frame in seen:
            assert [piece.reference, piece.other] == [covering(rows, frame) for rows in sides]


def tiling(drawn):
    """Of intervals those that overlap none before them."""
    kept = []
    for start, end in drawn:
        if not any(start < other and begin < end for begin, other in kept):
            kept.append((start, end))
    return kept


def frames_of_all(rows):
    return set().union(*map(frames_of, rows))


def covering(rows, frame):
    return next((row for row in rows if row["start"] <= frame < row["end"]), None)


class TestRuns:
    def test_by_hand(self):
        flags = [False, True, True, None, True, False, True]
        assert [(run.start, run.length) for run in runs(flags)] == [(1, 2), (4, 1), (6, 1)]
        assert runs([]) == runs([False, None]) == []
        assert [run.length for run in runs([True] * 100)] == [100]

    @given(st.lists(st.sampled_from([True, False, None])))
    def test_they_hold_exactly_the_true_entries(self, flags):
        held = [entry for run in runs(flags) for entry in range(run.start, run.start + run.length)]
        assert held == [entry for entry, flag in enumerate(flags) if flag]
        assert all(earlier.start + earlier.length < later.start for earlier, later in pairwise(runs(flags)))
