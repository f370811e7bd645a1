"""Pictures. Expected values are by hand, from scikit-image (SSIM), or from slow NumPy here that shares no code."""

import struct
import zlib
from contextlib import suppress

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from skimage.metrics import structural_similarity

from rubric.primitives import geometry, image
from rubric.primitives.faults import ArgumentFault

RED, GREEN, GREY = (255, 0, 0), (0, 255, 0), (128, 128, 128)

pictures = arrays(np.uint8, (9, 7, 3))


def flat(colour, width=4, height=3):
    return np.full((height, width, 3), colour, np.uint8)


def noise(height, width, seed=0, channels=3):
    return np.random.default_rng(seed).integers(0, 256, (height, width, channels)).astype(np.uint8).squeeze()


def texture(height, width, seed=0):
    """Detail of all sizes, so that a shift of a tenth of a pixel changes more than rounding does."""
    rng = np.random.default_rng(seed)
    layers = [cv2.GaussianBlur(rng.normal(0, s, (height, width, 3)).astype(np.float32), (0, 0), s) for s in (1.5, 4, 9)]
    drawn = layers[0] + layers[1] + layers[2]
    return ((drawn - drawn.min()) / np.ptp(drawn) * 255).astype(np.uint8)


def png(width, height, colour_type, rows, depth=8):
    """A PNG file written by hand."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    lines = b"".join(b"\0" + bytes(row) for row in rows)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(lines)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.fixture
def file(tmp_path):
    def write(data, name="picture.png"):
        path = tmp_path / name
        path.write_bytes(data)
        return str(path)

    return write


class TestRead:
    def test_red_stays_red(self, file):
        read = image.read(file(png(2, 1, 2, [[255, 0, 0, 1, 2, 3]])))
        assert read.tolist() == [[[255, 0, 0], [1, 2, 3]]]
        assert read.dtype == np.uint8

    def test_grey_becomes_rgb_and_alpha_is_left_out(self, file):
        assert image.read(file(png(2, 1, 0, [[7, 200]]))).tolist() == [[[7, 7, 7], [200, 200, 200]]]
        assert image.read(file(png(1, 1, 6, [[9, 8, 7, 6]]))).tolist() == [[[9, 8, 7]]]

    def test_alpha_is_read_as_it_is_stored(self, file):
        assert image.read_rgba(file(png(1, 1, 6, [[9, 8, 7, 6]]))).tolist() == [[[9, 8, 7, 6]]]
        assert image.read_rgba(file(png(1, 1, 2, [[9, 8, 7]]))).tolist() == [[[9, 8, 7, 255]]]

    def test_a_plane_is_from_0_to_1(self, file):
        plane = image.read_plane(file(png(3, 1, 0, [[0, 51, 255]])))
        assert plane.tolist() == [[0, np.float32(0.2), 1]]
        deep = image.read_plane(file(png(2, 1, 0, [[0x33, 0x33, 0xFF, 0xFF]], depth=16)))
        assert deep.tolist() == [[np.float32(0.2), 1]]

    def test_16_bits_are_rounded_to_8(self, file):
        data = struct.pack(">4H", 0, 128, 129, 65535)
        assert image.read(file(png(4, 1, 0, [data], depth=16)))[0, :, 0].tolist() == [0, 0, 1, 255]

    def test_jpeg(self, file):
        data = cv2.imencode(".jpg", np.full((16, 24, 3), 90, np.uint8))[1].tobytes()
        assert image.read(file(data, "a.jpg")).tolist() == np.full((16, 24, 3), 90).tolist()

    def test_a_coloured_picture_is_no_plane(self, file):
        with pytest.raises(ArgumentFault, match="in colour"):
            image.read_plane(file(png(1, 1, 2, [[9, 8, 7]])))
        assert image.read_plane(file(png(1, 1, 2, [[51, 51, 51]]))).tolist() == [[np.float32(0.2)]]

    def test_a_header_that_claims_a_huge_picture_is_refused_before_decoding(self, file):
        with pytest.raises(ArgumentFault, match="60000 x 60000"):
            image.read(file(png(60000, 60000, 2, [[0] * 8])))
        with pytest.raises(ArgumentFault, match="from 1 to 5 pixels"):
            image.read(file(png(3, 2, 0, [[0] * 3] * 2)), max_pixels=5)

    @pytest.mark.parametrize(
        ("damage", "reason"),
        [
            (lambda data: b"", "neither a PNG nor a JPEG"),
            (lambda data: b"not a picture", "neither a PNG nor a JPEG"),
            (lambda data: data[:8], "without a header"),
            (lambda data: data[:-12], "cut off"),
            (lambda data: data[:45], "cut off"),
            (lambda data: data[:20] + b"\x01" + data[21:], "damaged"),
            (lambda data: data[:-20] + b"\x01" + data[-19:], "damaged"),
            (lambda data: png(4, 4, 2, [[0] * 12]), "cannot be decoded"),
            (lambda data: png(4, 4, 5, [[0] * 12] * 4), "cannot be decoded"),
            (lambda data: png(0, 4, 2, []), "0 x 4"),
            (lambda data: cv2.imencode(".jpg", noise(16, 16))[1].tobytes()[:-60], "cut off"),
            (lambda data: b"\xff\xd8\xff\xd9", "cut off"),
            (lambda data: b"\xff\xd8\xff\xe0\x00\x04ab\xff\xd9", "cut off"),
        ],
    )
    def test_what_is_no_whole_picture_is_refused(self, file, damage, reason):
        with pytest.raises(ArgumentFault, match=reason):
            image.read(file(damage(png(4, 4, 2, [[0] * 12] * 4))))

    @given(st.binary(max_size=60), st.integers(0, 80))
    @settings(max_examples=60, deadline=None)
    def test_any_bytes_give_a_picture_or_a_sentence(self, tmp_path_factory, tail, kept):
        path = tmp_path_factory.mktemp("any") / "a.png"
        path.write_bytes(png(4, 4, 2, [[0] * 12] * 4)[:kept] + tail)
        with suppress(ArgumentFault):
            assert image.read(str(path)).shape == (4, 4, 3)

    def test_what_is_no_file_is_refused(self, tmp_path):
        for given_ in (str(tmp_path), str(tmp_path / "none.png"), 7, None):
            with pytest.raises(ArgumentFault, match="is not"):
                image.read(given_)


class TestWholePixels:
    def test_crop_and_paste_are_inverse(self):
        picture = noise(6, 8)
        at = {"x": 2, "y": 1, "width": 3, "height": 4}
        assert (image.paste(picture, image.crop(picture, at), at) == picture).all()
        assert image.crop(picture, at).tolist() == picture[1:5, 2:5].tolist()

    def test_paste_enlarges_to_the_rectangle_and_leaves_its_arguments(self):
        below = image.black({"width": 6, "height": 4})
        pasted = image.paste(below, flat(RED, 1, 1), [1, 0, 2, 3])
        assert (pasted[0:3, 1:3] == RED).all()
        assert pasted.sum() == 255 * 6
        assert not below.any()

    @pytest.mark.parametrize("at", [[5, 0, 4, 1], [0, 0, 0, 1], {"x": 1}, "all", [0, 0, 1.5, 1], [-1, 0, 1, 1]])
    def test_a_rectangle_beyond_the_picture_is_refused(self, at):
        with pytest.raises(ArgumentFault, match="at: "):
            image.crop(noise(4, 8), at)

    def test_replace(self):
        mask = np.zeros((3, 4), bool)
        mask[1, 2] = True
        replaced = image.replace(flat(RED), flat(GREEN), where=mask)
        assert (replaced == GREEN).all(axis=2).tolist() == mask.tolist()
        assert replaced.dtype == np.uint8


class TestResize:
    def test_smaller_is_the_mean_of_the_area(self):
        plane = np.arange(16, dtype=np.float32).reshape(4, 4)
        assert image.resize(plane, [2, 2]).tolist() == [[2.5, 4.5], [10.5, 12.5]]
        assert image.resize(plane[:1, :3], [2, 1]) == pytest.approx(np.array([[1 / 3, 5 / 3]]), abs=1e-6)

    def test_8_bits_stay_8_bits_and_are_rounded(self):
        picture = np.array([[[0, 10, 255], [1, 11, 255], [1, 11, 255], [1, 12, 255]]], np.uint8)
        assert image.resize(picture, [1, 1]).tolist() == [[[1, 11, 255]]]

    def test_of_a_mask_it_is_the_share_that_is_true(self):
        mask = np.array([[True, False, True, True], [False, False, True, True]])
        assert image.resize(mask, {"width": 2, "height": 1}).tolist() == [[0.25, 1]]

    def test_a_layer_is_averaged_premultiplied(self):
        # Three opaque red pixels and a transparent green one: red at 3/4, where straight averages would mix in green.
        rgba = np.array([[[255, 0, 0, 255], [255, 0, 0, 255]], [[255, 0, 0, 255], [0, 255, 0, 0]]], np.uint8)
        layer = image.resize(image.premultiplied(rgba), [1, 1])
        assert layer.colour.tolist() == [[[191.25, 0, 0]]]
        assert layer.alpha.tolist() == [[0.75]]
        assert image.resize({"colour": layer.colour, "alpha": layer.alpha}, [1, 1]).alpha.tolist() == [[0.75]]

    def test_larger_keeps_what_is_flat(self):
        assert (image.resize(flat(GREY), [9, 7]) == 128).all()
        assert image.resize(flat(GREY), [9, 1]).shape == (1, 9, 3)

    @given(pictures)
    def test_the_mean_is_kept(self, picture):
        small = image.resize(picture.astype(np.float32), [1, 1])
        assert small[0, 0] == pytest.approx(picture.mean(axis=(0, 1)), abs=1e-3)

    @pytest.mark.parametrize("size", [[0, 1], [99999, 1], [20000, 20000], [1], {"width": 2}, "small"])
    def test_an_impossible_size_is_refused(self, size):
        with pytest.raises(ArgumentFault, match="size: "):
            image.resize(flat(RED), size)


class TestWarp:
    def test_whole_shifts_move_pixels(self):
        picture = noise(5, 6)
        moved = image.warp(picture, [[1, 0, 2], [0, 1, 1]], to=[6, 5])
        assert moved[1:, 2:].tolist() == picture[:-1, :-2].tolist()
        assert not moved[0].any()
        assert not moved[:, :2].any()

    def test_coordinates_are_of_pixel_corners(self):
        # Twice as large: pixel 0 covers 0 to 2, its centre lies at 1 between the new centres 0.5 and 1.5.
        plane = np.repeat(np.float32([[10, 50]])[..., None], 3, axis=2)
        moved = image.warp(np.repeat(plane, 2, axis=0), [[2, 0, 0], [0, 2, 0]], to=[4, 4])
        assert moved[1, :, 0] == pytest.approx([7.5, 20, 40, 37.5], abs=0.01)

    def test_a_rectangle_has_its_own_origin(self):
        picture = noise(5, 6)
        moved = image.warp(picture, [[1, 0, 0], [0, 1, 0]], of=[2, 1, 3, 4], to=[3, 4])
        assert moved.tolist() == picture[1:5, 2:5].tolist()

    def test_gain(self):
        still = [[1, 0, 0], [0, 1, 0]]
        assert image.warp(flat((100, 200, 3)), still, to=[1, 1], gain=1.5).tolist() == [[[150, 255, 4]]]
        assert image.warp(flat(GREY).astype(np.float32), still, to=[1, 1], gain=0.5)[0, 0, 0] == 64

    @pytest.mark.parametrize(
        "affine", [[[1, 0, 0]], [[1, 0, 0], [2, 0, 0]], [[1, 0], [0, 1]], "none", [[1, 0, None]] * 2]
    )
    def test_what_is_no_map_is_refused(self, affine):
        with pytest.raises(ArgumentFault, match="affine: "):
            image.warp(flat(RED), affine, to=[1, 1])

    def test_a_negative_gain_is_refused(self):
        with pytest.raises(ArgumentFault, match="gain: "):
            image.warp(flat(RED), [[1, 0, 0], [0, 1, 0]], to=[1, 1], gain=-1)


class TestValues:
    def test_luma_is_that_of_rec_709(self):
        picture = np.array([[RED, GREEN, (0, 0, 255), (255, 255, 255)]], np.uint8)
        assert image.luma(picture)[0] == pytest.approx([54.213, 182.376, 18.411, 255], abs=1e-4)

    def test_distance_is_euclidean(self):
        assert image.distance(flat((3, 0, 255)), flat((0, 4, 255))).tolist() == np.full((3, 4), 5.0).tolist()
        assert image.distance(flat(0), flat(255))[0, 0] == pytest.approx(255 * 3**0.5)

    @given(pictures, pictures)
    def test_distance_is_symmetric(self, a, b):
        assert (image.distance(a, b) == image.distance(b, a)).all()

    def test_alpha_over(self):
        rgba = np.array([[[255, 0, 0, 255], [255, 0, 0, 0], [255, 0, 0, 51]]], np.uint8)
        shown = image.alpha_over(flat((100, 100, 100), 3, 1), image.premultiplied(rgba))
        assert shown[0] == pytest.approx(np.array([[255, 0, 0], [100, 100, 100], [131, 80, 80]]), abs=1e-4)

    def test_opacity_is_what_was_mixed(self):
        under, over = flat((10, 20, 30)), flat((250, 100, 30))
        for alpha in (0, 0.25, 0.5, 1):
            seen = under * (1 - alpha) + over * alpha
            assert image.opacity(seen, under=under, over=over) == pytest.approx(np.full((3, 4), alpha), abs=1e-6)

    def test_opacity_is_held_to_the_way_and_0_without_one(self):
        assert image.opacity(flat(255), under=flat(0), over=flat(100)).max() == 1
        assert image.opacity(flat(0), under=flat(50), over=flat(100)).max() == 0
        assert image.opacity(flat(77), under=flat(50), over=flat(50)).max() == 0

    def test_what_lies_beside_the_way_does_not_count(self):
        seen = flat((50, 30, 0))
        assert image.opacity(seen, under=flat(0), over=flat((100, 0, 0)))[0, 0] == 0.5


class TestMae:
    def test_by_hand(self):
        a, b = flat((10, 20, 30)), flat((13, 20, 24))
        assert image.mae(a, b) == 3
        assert image.channel_mae(a, b) == [3, 0, 6]
        assert image.mae(a.astype(np.float32), b) == 3

    def test_only_the_mask_counts(self):
        a, b = flat(0), flat(0)
        b[1, 2] = (3, 6, 9)
        mask = np.zeros((3, 4), bool)
        mask[1, 1:3] = True
        assert image.mae(a, b, where=mask) == 3
        assert image.channel_mae(a, b, where=mask) == [1.5, 3, 4.5]

    def test_of_no_pixel_it_is_null(self):
        none = np.zeros((3, 4), bool)
        assert image.mae(flat(0), flat(9), where=none) is None
        assert image.channel_mae(flat(0), flat(9), where=none) is None

    @given(pictures, pictures)
    def test_no_difference_is_lost_in_8_bits(self, a, b):
        gap = np.abs(a.astype(int) - b)
        assert image.mae(a, b) == gap.sum() / gap.size
        assert image.channel_mae(a, b) == [channel.sum() / channel.size for channel in gap.transpose(2, 0, 1)]

    def test_sizes_and_kinds_must_agree(self):
        with pytest.raises(ArgumentFault, match="b: it is 3 x 3 pixels beside 4 x 3"):
            image.mae(flat(0), flat(0, 3, 3))
        with pytest.raises(ArgumentFault, match="the other a plane"):
            image.mae(flat(0), np.zeros((3, 4), np.float32))
        with pytest.raises(ArgumentFault, match="where: it is no mask"):
            image.mae(flat(0), flat(0), where=np.ones((3, 4)))
        for value in (
            None,
            [[1]],
            np.zeros((0, 3, 3), np.uint8),
            np.zeros((2, 2), complex),
            np.zeros((2, 2, 4), np.uint8),
        ):
            with pytest.raises(ArgumentFault, match="a: "):
                image.mae(value, flat(0))


class TestSsim:
    @staticmethod
    def peer(a, b):
        return structural_similarity(
            a.astype(float),
            b.astype(float),
            gaussian_weights=True,
            sigma=1.5,
            use_sample_covariance=False,
            data_range=255,
        )

    @pytest.mark.parametrize("spread", [1, 8, 60])
    @pytest.mark.parametrize("level", [4, 128, 250])
    def test_scikit_image(self, spread, level):
        rng = np.random.default_rng(spread + level)
        a, b = (np.clip(rng.normal(level, spread, (60, 83)), 0, 255).astype(np.float32) for _ in "ab")
        b += 0.7 * (a - b)
        assert image.ssim(a, b, precision="exact") == pytest.approx(self.peer(a, b), abs=1e-12)
        assert image.ssim(a, b) == pytest.approx(self.peer(a, b), abs=1e-6)

    def test_pictures_are_compared_by_luma(self):
        a, b = texture(40, 50), texture(40, 50, seed=1)
        luma = [picture.astype(float) @ (0.2126, 0.7152, 0.0722) for picture in (a, b)]
        assert image.ssim(a, b, precision="exact") == pytest.approx(self.peer(*luma), abs=1e-12)
        assert image.ssim(a, b) == pytest.approx(self.peer(*luma), abs=1e-6)

    def test_flat_planes_by_hand(self):
        # (2 x 100 x 110 + 2.55^2) / (100^2 + 110^2 + 2.55^2); without variance the second factor is 1.
        expected = (22000 + 6.5025) / (22100 + 6.5025)
        a, b = (np.full((20, 20), level, np.float64) for level in (100, 110))
        assert image.ssim(a, b, precision="exact") == pytest.approx(expected, abs=1e-12)

    def test_equal_is_1_inverted_is_below_0(self):
        a = texture(30, 30)
        assert image.ssim(a, a) == 1
        assert image.ssim(a, 255 - a) < 0

    def test_the_window_must_fit(self):
        assert image.ssim(flat(0, 10, 30), flat(0, 10, 30)) is None
        assert image.ssim(flat(0, 11, 11), flat(0, 11, 11)) == 1

    @given(pictures.map(lambda p: np.tile(p, (2, 2, 1))), pictures.map(lambda p: np.tile(p, (2, 2, 1))))
    @settings(max_examples=30)
    def test_symmetric_and_at_most_1(self, a, b):
        assert image.ssim(a, b) == pytest.approx(image.ssim(b, a), abs=1e-6)
        assert -1 <= image.ssim(a, b) <= 1 + 1e-6

    def test_an_unknown_precision_is_refused(self):
        with pytest.raises(ArgumentFault, match="precision: "):
            image.ssim(flat(0), flat(0), precision="double")  # type: ignore[arg-type]


def slow_cells(values, cell, where, at_least):
    """The means of the cells that count, cell by cell."""
    height, width = values.shape[:2]
    for top in range(0, height, cell):
        for left in range(0, width, cell):
            part = values[top : top + cell, left : left + cell][where[top : top + cell, left : left + cell]]
            if len(part) >= at_least:
                yield part.mean(axis=0)


class TestCells:
    def test_one_lit_pixel(self):
        picture = flat(0, 6, 4)
        picture[2, 3, 1] = 36
        assert image.max_cell_mean(picture, 2) == 9
        mask = np.ones((4, 6), bool)
        mask[2:4, 2] = False
        assert image.max_cell_mean(picture, 2, where=mask) == 18
        mask[2:4, 2:4] = False
        assert image.max_cell_mean(picture, 2, where=mask) == 0

    @pytest.mark.parametrize(("level", "holds"), [(15, True), (16, True), (17, False)])
    def test_a_cell_that_is_off(self, level, holds):
        a, b = flat(100, 32, 16), flat(100, 32, 16)
        b[8:16, 16:24] += np.uint8(level)
        assert image.max_cell_mae(a, b, 8) == level
        assert (image.max_cell_mae(a, b, 8) <= 16) == holds

    def test_the_difference_is_over_the_channels_together(self):
        a, b = flat(0, 8, 8), flat((30, 0, 0), 8, 8)
        assert image.max_cell_mae(a, b, 8) == 10
        assert image.max_cell_mean(b, 8) == 30

    def test_cells_with_too_little_support_do_not_count(self):
        a, b = flat(0, 16, 8), flat(0, 16, 8)
        mask = np.zeros((8, 16), bool)
        mask[0, :3] = True
        b[mask] = 90
        assert image.max_cell_mae(a, b, 8, where=mask, at_least=4) is None
        mask[0, 8:12] = True
        assert image.max_cell_mae(a, b, 8, where=mask, at_least=4) == 0
        assert image.max_cell_mae(a, b, 8, where=mask, at_least=3) == 90
        assert image.max_cell_mae(a, b, 8, where=mask & False) is None

    @given(pictures, pictures, arrays(bool, (9, 7)), st.integers(1, 10), st.integers(1, 5))
    def test_cell_by_cell(self, a, b, where, cell, at_least):
        means = list(slow_cells(a.astype(float), cell, where, at_least))
        largest = image.max_cell_mean(a, cell, where=where, at_least=at_least)
        assert largest == (pytest.approx(np.max(means)) if means else None)
        gaps = list(slow_cells(np.abs(a.astype(float) - b), cell, where, at_least))
        worst = image.max_cell_mae(a, b, cell, where=where, at_least=at_least)
        assert worst == (pytest.approx(np.max(np.mean(gaps, axis=1))) if gaps else None)

    def test_a_cell_has_a_side(self):
        with pytest.raises(ArgumentFault, match="cell: "):
            image.max_cell_mean(flat(0), 0)


class TestMatchTemplate:
    SIZE = (150, 200)

    def found(self, dx=0.0, dy=0.0, scale=1.0, roll=0.0, gain=1.0, limits=None):
        """A textured rectangle moved over another texture, and where it was found."""
        height, width = self.SIZE
        template, backdrop = texture(height, width), texture(height, width, seed=1)
        mask = np.zeros(self.SIZE, bool)
        mask[40:110, 70:130] = True
        turn = scale * np.exp(1j * np.radians(roll))
        offset = complex(100 + dx, 75 + dy) - turn * complex(100, 75)
        affine = [[turn.real, -turn.imag, offset.real], [turn.imag, turn.real, offset.imag]]
        moved = image.warp(template, affine, to=[width, height], gain=gain)
        alpha = image.warp(np.repeat(mask[..., None].astype(np.float32), 3, 2), affine, to=[width, height])
        seen = (moved * alpha + backdrop * (1 - alpha)).round().astype(np.uint8)
        searched = {"shift": 12, "scale": 0.04, "roll": 2, **(limits or {})}
        return image.match_template(seen, template, mask=mask, **searched), mask

    @pytest.mark.parametrize("shift", [2.9, 3.1])
    @pytest.mark.parametrize("angle", [0, 37, 90, 200])
    def test_shifts_on_both_sides_of_three_pixels(self, shift, angle):
        dx, dy = shift * np.cos(np.radians(angle)), shift * np.sin(np.radians(angle))
        placement, mask = self.found(dx, dy)
        assert (placement.dx, placement.dy) == pytest.approx((dx, dy), abs=0.05)
        displacement = geometry.mean_displacement(placement, where=mask)
        assert displacement == pytest.approx(shift, abs=0.05)
        assert (displacement <= 3) == (shift < 3)

    @pytest.mark.parametrize(("scale", "roll"), [(1.03, 0), (0.97, 0), (1, 1.5), (1, -1.5), (1.015, -0.8)])
    def test_scale_and_roll(self, scale, roll):
        placement, _ = self.found(-4.3, 6.6, scale, roll)
        assert placement.scale == pytest.approx(scale, abs=0.001)
        assert placement.roll_degrees == pytest.approx(roll, abs=0.05)
        assert (placement.dx, placement.dy) == pytest.approx((-4.3, 6.6), abs=0.05)
        assert (placement.pivot_x, placement.pivot_y) == (100, 75)

    def test_exposure_does_not_matter(self):
        placement, _ = self.found(5.5, -2.25, gain=0.7)
        assert (placement.dx, placement.dy) == pytest.approx((5.5, -2.25), abs=0.05)

    def test_where_nothing_moved(self):
        placement, mask = self.found()
        assert geometry.mean_displacement(placement, where=mask) < 0.02
        assert placement.correlation > 0.999

    def test_nothing_is_found_beyond_the_limits(self):
        placement, _ = self.found(11, limits={"shift": 4})
        assert max(abs(placement.dx), abs(placement.dy)) <= 4

    def test_without_texture_there_is_no_placement(self):
        seen, mask = texture(60, 60), np.zeros((60, 60), bool)
        limits = {"shift": 5, "scale": 0.02, "roll": 1}
        assert image.match_template(seen, flat(GREY, 60, 60), mask=~mask, **limits) is None
        assert image.match_template(seen, seen, mask=mask, **limits) is None
        assert image.match_template(flat(GREY, 60, 60), seen, mask=~mask, **limits) is None
        mask[3, :31] = True
        assert image.match_template(seen, seen, mask=mask, **limits) is None

    def test_limits_of_zero_hold_the_placement_still(self):
        placement, _ = self.found(3, limits={"shift": 0, "scale": 0, "roll": 0})
        assert (placement.dx, placement.dy, placement.scale, placement.roll_degrees) == (0, 0, 1, 0)

    @pytest.mark.parametrize("limits", [{"shift": -1}, {"scale": 0.6}, {"roll": 90}])
    def test_limits_of_another_kind_are_refused(self, limits):
        with pytest.raises(ArgumentFault, match="shift: "):
            self.found(limits=limits)


def test_dimensions_are_those_of_the_decoded_picture(tmp_path):
    cv2 = pytest.importorskip("cv2")
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((2, 5), np.uint8))
    assert image.dimensions(str(tmp_path / "a.png")) == image.Dimensions(width=5, height=2)
    (tmp_path / "b.png").write_bytes((tmp_path / "a.png").read_bytes()[:40])
    with pytest.raises(ArgumentFault):
        image.dimensions(str(tmp_path / "b.png"))
