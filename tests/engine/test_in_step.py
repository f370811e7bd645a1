"""`in_step`: streams that advance together, and operators over pictures."""

import numpy as np
import pytest

from rubric.engine.expressions import pixels, values
from rubric.engine.loading import load_text

RUBRIC = """
rubric: steps
version: "1"
language: 1
inputs:
  answer: {from: candidate, record: sheet}
records:
  sheet: {fields: {points: list of number, film: any or nothing}}
let:
  pairs:
    in_step: {point: answer.points, other: [10, 20]}
    rows: %s
    columns:
      both: point + other
      picture: image.black([4, 2]) + (point ?? 0)
      lit: masks.area(image.luma(picture) > 1)
gates:
  enough: count(pairs) >= 2
values: [pairs]
"""


def rows(points, count="3"):
    return load_text(RUBRIC % count).run(answer={"points": points}).values["pairs"]


def test_streams_advance_together_and_one_that_ends_gives_null():
    assert rows([1, 2, 3]) == [
        {"frame": 0, "both": 11, "lit": 0},
        {"frame": 1, "both": 22, "lit": 8},
        {"frame": 2, "both": None, "lit": 8},
    ]


def test_the_number_of_rows_decides_and_must_be_one():
    assert [row["frame"] for row in rows([], "1")] == [0]
    assert rows([], "answer.points[0]") is None
    assert rows([1.5], "answer.points[0]") is None
    assert rows([-1], "answer.points[0]") is None
    assert rows([1e12], "answer.points[0]") is None


def test_a_stream_that_fails_is_told_to_its_candidate():
    text = RUBRIC.replace("point: answer.points", "point: video.frames(answer.film)") % "2"
    report = load_text(text).run(answer={"points": [], "film": "/no/such/film.mp4"})
    assert report.values["pairs"] == [{"frame": 0, "both": None, "lit": 0}, {"frame": 1, "both": None, "lit": 0}]
    assert ["is not a file" in told.reason for told in report.diagnostics] == [True]


def test_a_report_describes_pictures_and_streams_and_never_says_where_they_lie():
    text = (RUBRIC % "1").replace("values: [pairs]", "values: {black: 'image.black([4, 2])', all: 'video.planes([])'}")
    report = load_text(text).run(answer={"points": []})
    assert report.values == {"black": "a picture of 4 x 2", "all": "a value of the kind Frames"}


PLANE = np.array([[0.0, 0.5], [1.0, 0.25]], np.float32)
BYTES = np.array([[0, 10], [200, 255]], np.uint8)


@pytest.mark.parametrize(
    ("operator", "a", "b", "expected"),
    [
        (values.add, PLANE, 1, [[1, 1.5], [2, 1.25]]),
        (values.subtract, 1, PLANE, [[1, 0.5], [0, 0.75]]),
        (values.subtract, BYTES, BYTES[::-1], [[-200, -245], [200, 245]]),
        (values.multiply, PLANE, PLANE, [[0, 0.25], [1, 0.0625]]),
        (values.divide, BYTES, 2, [[0, 5], [100, 127.5]]),
        (values.less, PLANE, 0.5, [[True, False], [False, True]]),
        (values.at_least, PLANE, 0.5, [[False, True], [True, False]]),
        (values.both, PLANE > 0.2, PLANE < 0.9, [[False, True], [False, True]]),
        (values.either, PLANE > 0.9, PLANE < 0.1, [[True, False], [True, False]]),
    ],
)
def test_operators_go_pixel_by_pixel(operator, a, b, expected):
    assert operator(a, b).tolist() == expected


@pytest.mark.parametrize(
    ("operator", "a", "b"),
    [
        (values.divide, PLANE, 0),
        (values.divide, 1, PLANE),
        (values.add, PLANE, None),
        (values.add, PLANE, "text"),
        (values.subtract, PLANE, np.zeros((3, 3))),
        (values.both, PLANE, True),
        (values.less, PLANE, [1, 2]),
    ],
)
def test_what_has_no_pixels_in_common_is_null(operator, a, b):
    assert operator(a, b) is None


def test_one_picture_alone():
    assert values.opposite(PLANE > 0.4).tolist() == [[True, False], [False, True]]
    assert values.opposite(PLANE) is None
    assert values.negate(PLANE).tolist() == (-PLANE).tolist()
    assert values.equal(PLANE, PLANE)
    assert not values.equal(PLANE, PLANE.copy())


def test_pictures_are_known_from_other_values():
    assert pixels.holds({"colour": PLANE})
    assert pixels.holds(PLANE)
    assert not any(map(pixels.holds, (1, "x", None, [1], {"n": 1}, np.zeros(3))))
