"""Masks. Expected values are by hand, or from SciPy's morphology and slow NumPy here."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import ndimage

from rubric.primitives import masks
from rubric.primitives.faults import ArgumentFault

grids = arrays(bool, (7, 9))
reaches = st.integers(0, 11)


def drawn(*lines):
    return np.array([[character == "#" for character in line] for line in lines])


class TestShapes:
    def test_rectangle(self):
        at = {"x": 1, "y": 0, "width": 4, "height": 3}
        size = {"width": 6, "height": 3}
        assert masks.rectangle(size, at).tolist() == drawn(".####.", ".####.", ".####.").tolist()
        assert masks.rectangle(size, at, inset=1).tolist() == drawn("......", "..##..", "......").tolist()
        assert not masks.rectangle(size, at, inset=2).any()
        assert not masks.rectangle(size, at, inset=50).any()

    def test_columns_include_both_ends(self):
        assert masks.columns([6, 2], [[0, 1], [5, 5]]).tolist() == drawn("##...#", "##...#").tolist()
        assert not masks.columns([6, 2], []).any()

    @pytest.mark.parametrize("ranges", [[[3, 2]], [[0, 6]], [[-1, 2]], [[0]], ["01"], [[0, 1.5]]])
    def test_columns_that_are_not_there_are_refused(self, ranges):
        with pytest.raises(ArgumentFault, match="ranges: "):
            masks.columns([6, 2], ranges)

    def test_a_rectangle_beyond_the_size_is_refused(self):
        with pytest.raises(ArgumentFault, match="at: "):
            masks.rectangle([6, 3], [0, 0, 7, 1])


class TestMorphology:
    def test_a_square_grows_by_its_reach(self):
        mask = drawn("......", "......", "..#...", "......", "......")
        assert masks.dilate(mask, 1).tolist() == drawn("......", ".###..", ".###..", ".###..", "......").tolist()
        assert masks.dilate(mask, 0).tolist() == mask.tolist()

    def test_the_border_of_the_picture_erodes_nothing(self):
        assert masks.erode(np.ones((3, 4), bool), 2).all()
        assert not masks.dilate(np.zeros((3, 4), bool), 2).any()

    def test_edge_band(self):
        mask = drawn("..####", "..####")
        assert masks.edge_band(mask, 1).tolist() == drawn(".##...", ".##...").tolist()
        assert not masks.edge_band(mask, 0).any()
        assert not masks.edge_band(np.ones((3, 3), bool), 2).any()

    @given(grids, reaches)
    def test_scipy(self, mask, pixels):
        square = np.ones((2 * pixels + 1, 2 * pixels + 1), bool)
        assert (masks.dilate(mask, pixels) == ndimage.binary_dilation(mask, square)).all()
        assert (masks.erode(mask, pixels) == ndimage.binary_erosion(mask, square, border_value=1)).all()

    @given(grids, reaches)
    def test_laws(self, mask, pixels):
        grown, shrunk = masks.dilate(mask, pixels), masks.erode(mask, pixels)
        assert (grown >= mask).all()
        assert (shrunk <= mask).all()
        assert (masks.edge_band(mask, pixels) == (grown & ~shrunk)).all()
        assert grown.dtype == shrunk.dtype == bool

    @given(grids, st.integers(0, 4), st.integers(0, 4))
    def test_two_reaches_add_up(self, mask, a, b):
        assert (masks.dilate(masks.dilate(mask, a), b) == masks.dilate(mask, a + b)).all()


class TestMeasures:
    def test_area_share_and_mean(self):
        mask, among = drawn("##..", "...."), drawn("###.", "....")
        assert masks.area(mask) == 2
        assert masks.share(mask, of=among) == 2 / 3
        assert masks.share(among, of=mask) == 1
        assert masks.mean(np.arange(8, dtype=np.float32).reshape(2, 4), of=among) == 1
        assert masks.mean(mask, of=among) == pytest.approx(2 / 3)

    def test_over_nothing_is_null(self):
        none = np.zeros((2, 4), bool)
        assert masks.share(~none, of=none) is None
        assert masks.mean(np.ones((2, 4)), of=none) is None
        assert masks.iou(none, none) is None
        assert masks.iou(~none, ~none, where=none) is None

    def test_iou(self):
        a, b = drawn("###.", "...."), drawn(".###", "....")
        assert masks.iou(a, b) == 0.5
        assert masks.iou(a, a) == 1
        assert masks.iou(a, ~a) == 0

    def test_a_band_of_no_care_is_left_out(self):
        truth = drawn("........", "..####..", "..####..", "..####..", "........")
        wide = masks.dilate(truth, 1)
        assert masks.iou(wide, truth) == 12 / 30
        assert masks.iou(wide, truth, where=~masks.edge_band(truth, 1)) == 1

    @given(grids, grids)
    def test_iou_is_symmetric_and_as_of_sets(self, a, b):
        first, second = set(np.flatnonzero(a)), set(np.flatnonzero(b))
        expected = len(first & second) / len(first | second) if first | second else None
        assert masks.iou(a, b) == masks.iou(b, a) == expected

    @given(grids, grids, grids)
    def test_where_is_as_if_the_rest_were_not_there(self, a, b, where):
        assert masks.iou(a, b, where=where) == masks.iou(a & where, b & where)

    @given(arrays(np.float32, (7, 9), elements=st.floats(0, 255, width=32)), grids)
    def test_mean(self, plane, of):
        chosen = plane[of].astype(float)
        assert masks.mean(plane, of=of) == (pytest.approx(chosen.sum() / len(chosen)) if len(chosen) else None)

    def test_what_is_no_mask_is_refused(self):
        mask = np.ones((2, 3), bool)
        for call in (
            lambda: masks.area(np.ones((2, 3))),
            lambda: masks.iou(mask, np.ones((3, 2), bool)),
            lambda: masks.share(mask, of=np.ones((3, 2), bool)),
            lambda: masks.mean(np.ones((2, 3, 3), np.uint8), of=mask),
            lambda: masks.dilate(mask, -1),
            lambda: masks.dilate(None, 1),
        ):
            with pytest.raises(ArgumentFault):
                call()
