"""Overlays, cell by cell; expected values by hand and from slow NumPy here."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric.primitives import image, overlays
from rubric.primitives.faults import ArgumentFault

LIMITS = {"cell": 8, "support_at_least": 4, "texture_at_least": 8}


def lettering(height=48, width=80):
    """White text on half-transparent blue, over part of the frame."""
    rgba = np.zeros((height, width, 4), np.uint8)
    rgba[24:44, 6:74] = (20, 40, 120, 160)
    written = np.zeros((height, width), np.uint8)
    cv2.putText(written, "Mayo 25", (9, 39), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 255, 1)
    rgba[written > 0] = (255, 255, 255, 255)
    return image.premultiplied(rgba)


def backdrop(height=48, width=80):
    drawn = np.random.default_rng(0).normal(0, 60, (height, width, 3))
    return np.clip(128 + cv2.GaussianBlur(drawn, (0, 0), 2), 0, 255).astype(np.uint8)


def compared(frame, layer=None, background=None, **limits):
    background = backdrop() if background is None else background
    layer = lettering() if layer is None else layer
    return overlays.compare_cells(frame, background=background, overlay=layer, **{**LIMITS, **limits})


@pytest.fixture(scope="module")
def shown():
    return image.alpha_over(backdrop(), lettering())


def test_the_overlay_itself(shown):
    found = compared(shown)
    assert found.worst_mae == 0
    assert found.worst_correlation == pytest.approx(1, abs=1e-5)
    # The support is x 6 to 73 and y 24 to 43: 10 columns and 3 rows of cells.
    assert found.cells == 30
    assert 0 < found.textured_cells < 30


def test_rounding_to_8_bits_costs_next_to_nothing(shown):
    found = compared(shown.round().astype(np.uint8))
    assert found.worst_mae <= 0.5
    assert found.worst_correlation > 0.99


@pytest.mark.parametrize("level", [15, 16, 17])
def test_one_cell_that_is_off(shown, level):
    frame = shown.copy()
    frame[32:40, 16:24] += np.where(frame[32:40, 16:24] > 128, -level, level)
    found = compared(frame)
    assert found.worst_mae == pytest.approx(level, abs=1e-4)
    assert (found.worst_mae <= 16 + 1e-3) == (level <= 16)


def test_what_is_outside_the_support_does_not_count(shown):
    frame = shown.copy()
    frame[:24] = 255 - frame[:24]
    assert compared(frame) == compared(shown)


def test_no_overlay_at_all():
    # What alpha lets through has the shape of the lettering too: the error tells, not the correlation.
    assert compared(backdrop()).worst_mae > 40


def test_inverted_lettering(shown):
    layer = lettering()
    inverted = image.Layer(np.clip(255 * layer.alpha[..., None] - layer.colour, 0, 255), layer.alpha)
    assert compared(image.alpha_over(backdrop(), inverted)).worst_correlation < -0.9


def test_even_paint_has_correlation_0(shown):
    layer = lettering()
    painted = (1 - layer.alpha)[..., None] * backdrop() + np.float32(90) * (layer.alpha > 0)[..., None]
    found = compared(painted.astype(np.float32))
    assert found.worst_correlation == pytest.approx(0, abs=1e-3)


def test_a_background_that_shows_through_is_not_texture(shown):
    other = np.roll(backdrop(), 7, axis=1)
    assert compared(image.alpha_over(other, lettering()), background=other).worst_correlation == pytest.approx(
        1, abs=1e-5
    )


def test_without_texture_or_support_the_worst_is_null():
    rgba = np.zeros((48, 80, 4), np.uint8)
    found = compared(backdrop(), image.premultiplied(rgba))
    assert found == overlays.CellComparison(None, None, 0, 0)
    rgba[8:16, 8:16] = (200, 10, 10, 255)
    plain = image.premultiplied(rgba)
    found = compared(image.alpha_over(backdrop(), plain), plain)
    assert (found.worst_mae, found.worst_correlation, found.cells, found.textured_cells) == (0, None, 1, 0)


def test_texture_needs_support(shown):
    textured = compared(shown).textured_cells
    assert compared(shown, support_at_least=65).textured_cells == 0
    assert compared(shown, texture_at_least=127.6).textured_cells == 0
    assert compared(shown, texture_at_least=70).textured_cells < textured


def slow(frame, background, layer, cell, support_at_least, texture_at_least):
    weights = np.array([0.2126, 0.7152, 0.0722])
    alpha, colour = layer.alpha.astype(float), layer.colour.astype(float)
    left = frame.astype(float) - (1 - alpha)[..., None] * background
    errors, correlations = [], []
    for top in range(0, frame.shape[0], cell):
        for side in range(0, frame.shape[1], cell):
            part = np.s_[top : top + cell, side : side + cell]
            support = alpha[part] > 0
            if not support.any():
                continue
            errors.append(np.abs(left[part] - colour[part])[support].mean())
            x, y = (values[part][support] @ weights for values in (colour, left))
            if support.sum() >= support_at_least and x.std() >= texture_at_least:
                correlations.append(np.corrcoef(x, y)[0, 1] if y.std() > 1e-3 else 0)
    return max(errors), min(correlations, default=None), len(errors), len(correlations)


@given(st.integers(0, 2**32 - 1), st.sampled_from([4, 7, 8, 16]))
@settings(max_examples=25, deadline=None)
def test_cell_by_cell(seed, cell):
    rng = np.random.default_rng(seed)
    rgba = rng.integers(0, 256, (30, 41, 4)).astype(np.uint8)
    rgba[rng.random((30, 41)) < 0.6, 3] = 0
    layer = image.premultiplied(rgba)
    frame, background = (rng.integers(0, 256, (30, 41, 3)).astype(np.uint8) for _ in "ab")
    found = compared(frame, layer, background, cell=cell, texture_at_least=20)
    mae, correlation, cells, textured = slow(frame, background, layer, cell, 4, 20)
    assert found.worst_mae == pytest.approx(mae, abs=1e-3)
    assert found.worst_correlation == pytest.approx(correlation, abs=1e-4)
    assert (found.cells, found.textured_cells) == (cells, textured)


def test_sizes_must_agree(shown):
    with pytest.raises(ArgumentFault, match="background: "):
        compared(shown, background=backdrop(40))
    with pytest.raises(ArgumentFault, match="overlay: "):
        compared(shown, layer=lettering(64))
    with pytest.raises(ArgumentFault, match="overlay: it is no layer"):
        compared(shown, layer=shown)
