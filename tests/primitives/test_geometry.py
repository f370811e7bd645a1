"""Geometry of the picture plane; values by hand and from complex numbers."""

from math import cos, hypot, radians, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric.primitives import geometry
from rubric.primitives.faults import ArgumentFault
from rubric.primitives.geometry import Placement

STILL = [[1, 0, 0], [0, 1, 0]]
factors = st.floats(0.1, 10)
angles = st.floats(-179, 179)
coordinates = st.floats(-1e4, 1e4)


def similarity(scale, degrees, x=0.0, y=0.0):
    c, s = scale * cos(radians(degrees)), scale * sin(radians(degrees))
    return [[c, -s, x], [s, c, y]]


def test_by_hand():
    assert geometry.scale([[3, 0, 9], [0, 3, 9]]) == 3
    assert geometry.scale([[1, 0, 0], [0, 4, 0]]) == 2
    assert geometry.scale([[-1, 0, 0], [0, 1, 0]]) == 1
    assert geometry.roll_degrees(STILL) == 0
    # The direction of x comes to point down, which is clockwise as seen.
    assert geometry.roll_degrees([[0, -1, 0], [1, 0, 0]]) == 90
    assert geometry.apply([[2, 0, 10], [0, 3, 20]], [1, 2]) == [12, 26]
    assert geometry.distance([0, 0], [3, 4]) == 5


@given(factors, angles, coordinates, coordinates)
def test_scale_and_roll_are_what_the_map_was_made_of(scale, degrees, x, y):
    affine = similarity(scale, degrees, x, y)
    assert geometry.scale(affine) == pytest.approx(scale, rel=1e-12)
    assert geometry.roll_degrees(affine) == pytest.approx(degrees, abs=1e-9)


@given(factors, angles, coordinates, coordinates, coordinates, coordinates)
def test_a_similarity_scales_all_distances(scale, degrees, x, y, px, py):
    affine = similarity(scale, degrees, x, y)
    moved = [geometry.apply(affine, point) for point in ([px, py], [0, 0])]
    assert geometry.distance(*moved) == pytest.approx(scale * hypot(px, py), rel=1e-9, abs=1e-8)


class TestMeanDisplacement:
    MASK = np.ones((4, 6), bool)

    def of(self, dx=0.0, dy=0.0, scale=1.0, roll=0.0, mask=MASK):
        return geometry.mean_displacement(Placement(dx, dy, scale, roll, 3, 2, 1), where=mask)

    def test_a_shift_moves_every_pixel_alike(self):
        assert self.of() == 0
        assert self.of(3, 4) == 5

    def test_a_scale_moves_by_the_distance_from_the_pivot(self):
        distances = [hypot(x + 0.5 - 3, y + 0.5 - 2) for x in range(6) for y in range(4)]
        assert self.of(scale=1.5) == pytest.approx(sum(distances) / 24 / 2)

    def test_half_a_turn_moves_by_twice_the_distance(self):
        mask = np.zeros((4, 6), bool)
        mask[2, 5] = True
        assert self.of(roll=180, mask=mask) == pytest.approx(2 * hypot(2.5, 0.5))
        assert self.of(roll=180, dx=5, dy=1, mask=mask) == pytest.approx(0, abs=1e-12)

    def test_of_no_pixels_it_is_null(self):
        assert self.of(3, mask=np.zeros((4, 6), bool)) is None

    def test_a_record_is_a_placement(self):
        record = {"dx": 3, "dy": 4, "scale": 1, "roll_degrees": 0, "pivot_x": 0, "pivot_y": 0, "correlation": 1}
        assert geometry.mean_displacement(record, where=self.MASK) == 5  # type: ignore[arg-type]
        for value in ({**record, "dx": None}, {}, [1, 2], None):
            with pytest.raises(ArgumentFault, match="placement: "):
                geometry.mean_displacement(value, where=self.MASK)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "affine", [[[1, 2, 3]], [[1, 1, 0], [1, 1, 0]], [[1, 0, float("nan")], [0, 1, 0]], "map", None]
)
def test_what_is_no_map_is_refused(affine):
    for call in (geometry.scale, geometry.roll_degrees, lambda value: geometry.apply(value, [0, 0])):
        with pytest.raises(ArgumentFault, match="affine: "):
            call(affine)


@pytest.mark.parametrize("point", [[1], [1, 2, 3], "ab", None, [1, float("inf")], [1, True]])
def test_what_is_no_point_is_refused(point):
    with pytest.raises(ArgumentFault, match="point: "):
        geometry.apply(STILL, point)
    with pytest.raises(ArgumentFault, match="b: "):
        geometry.distance([0, 0], point)
