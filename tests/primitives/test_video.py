"""Films, made here by PyAV. Expected pictures are from the formula of ITU-T H.273, written out in NumPy."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from media_files import coded, cut, grey, write_film

from rubric.primitives import video
from rubric.primitives.faults import ArgumentFault

LEVELS = [16, 40, 90, 140, 200, 235]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("films")


@pytest.fixture(scope="module")
def film(folder):
    """Six frames, each of its own grey."""
    return write_film(folder / "six.mp4", [grey(level) for level in LEVELS])


def shade(picture):
    """The one grey of a picture, as its luma is coded in limited range."""
    if picture is None:
        return None
    assert np.ptp(picture) == 0
    return round(int(picture[0, 0, 0]) * 219 / 255 + 16)


class TestProbe:
    def test_a_film(self, film):
        found = video.probe(film)
        assert (found.width, found.height, found.frames) == (64, 48, 6)
        assert (found.fps, found.fps_numerator, found.fps_denominator, found.constant_rate) == (25, 25, 1, True)
        assert (found.video_codec, found.pixel_format, found.seconds) == ("h264", "yuv420p", 0.24)
        assert (found.sample_aspect, found.rotation, found.damaged, found.video_streams) == (1, 0, 0, 1)
        assert (found.has_audio, found.audio_codec, found.audio_channels, found.audio_rate) == (False, None, None, None)

    def test_the_rate_is_an_exact_fraction(self, folder):
        path = write_film(folder / "ntsc.mp4", [grey(90)] * 5, fps=Fraction(30000, 1001))
        found = video.probe(path)
        assert (found.fps_numerator, found.fps_denominator) == (30000, 1001)
        assert found.fps == 30000 / 1001
        assert found.constant_rate
        assert found.seconds == 5 * 1001 / 30000

    def test_a_clock_of_milliseconds_rounds_times_but_not_the_rate(self, folder):
        path = write_film(folder / "ntsc.mkv", [grey(90)] * 40, fps=Fraction(30000, 1001), codec="ffv1")
        found = video.probe(path)
        assert (found.fps_numerator, found.fps_denominator, found.constant_rate) == (30000, 1001, True)

    def test_an_uneven_rate_is_named(self, folder):
        times = [0, 40, 80, 200, 240, 400]
        path = write_film(folder / "uneven.mp4", [grey(level) for level in LEVELS], times=times, clock="1/1000")
        found = video.probe(path)
        assert not found.constant_rate
        assert (found.frames, found.fps) == (6, 12.5)
        assert found.seconds == pytest.approx(0.48)

    def test_sample_aspect_of_container_and_codec(self, folder):
        def change(stream):
            stream.codec_context.sample_aspect_ratio = Fraction(6, 5)

        path = write_film(folder / "wide.mp4", [grey(90)] * 3, change=change)
        found = video.probe(path)
        assert (found.sample_aspect, found.container_sample_aspect, found.codec_sample_aspect) == (1.2, 1.2, 1.2)
        data = Path(path).read_bytes()
        at = data.index(b"pasp") + 4
        claim = folder / "claim.mp4"
        claim.write_bytes(data[:at] + bytes([0, 0, 0, 1, 0, 0, 0, 1]) + data[at + 8 :])
        found = video.probe(str(claim))
        assert (found.sample_aspect, found.container_sample_aspect, found.codec_sample_aspect) == (1, 1, 1.2)

    def test_unset_aspect_is_1(self, folder):
        path = write_film(folder / "unset.mkv", [grey(90)] * 2, codec="ffv1")
        found = video.probe(path)
        assert (found.sample_aspect, found.codec_sample_aspect) == (1, None)

    def test_rotation_is_clockwise_and_leaves_pictures_as_stored(self, folder):
        path = write_film(folder / "turned.mp4", [grey(90)] * 2, change=lambda stream: stream.set_display_rotation(-90))
        found = video.probe(path)
        assert (found.rotation, found.width, found.height) == (90, 64, 48)
        assert video.frame(path, 0).shape == (48, 64, 3)

    def test_range_and_matrix(self, folder):
        path = write_film(folder / "tags.mp4", [grey(90)] * 2, tags={"range": 2, "matrix": 6})
        assert (video.probe(path).colour_range, video.probe(path).colour_matrix) == ("full", "smpte170m")
        path = write_film(folder / "untagged.mp4", [grey(90)] * 2)
        assert (video.probe(path).colour_range, video.probe(path).colour_matrix) == (None, None)

    def test_sound_is_named(self, folder):
        sound = (np.zeros((2, 4800), np.float32), 48000, "aac")
        found = video.probe(write_film(folder / "sound.mp4", [grey(90)] * 3, sound=sound))
        assert (found.has_audio, found.audio_codec, found.audio_channels, found.audio_rate) == (True, "aac", 2, 48000)

    def test_what_an_edit_list_cuts_off_is_no_frame(self, folder):
        # Frames before time 0 are behind the start of the edit list that the muxer writes.
        times = [-3, -2, -1, 0, 1, 2]
        path = write_film(folder / "edited.mp4", [grey(level) for level in LEVELS], times=times)
        assert video.probe(path).frames == 3
        assert [shade(picture) for picture in video.frames(path)] == LEVELS[3:]

    def test_frames_are_counted_where_no_header_does(self, folder):
        for name, codec in (("six.ts", "libx264"), ("six.mkv", "ffv1")):
            path = write_film(folder / name, [grey(level) for level in LEVELS], codec=codec)
            assert video.probe(path).frames == 6


class TestColour:
    MATRICES = {1: (0.2126, 0.0722), 6: (0.299, 0.114), 9: (0.2627, 0.0593)}  # noqa: RUF012

    @staticmethod
    def expected(y, cb, cr, weights, full):
        kr, kb = weights
        luma = y / 255 if full else (y - 16) / 219
        blue, red = ((chroma - 128) / (255 if full else 224) for chroma in (cb, cr))
        r, b = luma + 2 * (1 - kr) * red, luma + 2 * (1 - kb) * blue
        g = (luma - kr * r - kb * b) / (1 - kr - kb)
        return np.clip(np.stack([r, g, b], axis=-1) * 255, 0, 255)

    @pytest.mark.parametrize("matrix", [1, 6, 9])
    @pytest.mark.parametrize("full", [False, True])
    def test_every_value_is_near_the_formula(self, folder, matrix, full):
        y, cb, cr = np.random.default_rng(matrix).integers(16, 236, (3, 32, 48))
        tags = {"range": 2 if full else 1, "matrix": matrix}
        path = write_film(folder / f"m{matrix}{full}.mkv", [coded(y, cb, cr, "yuv444p")], codec="ffv1", tags=tags)
        shown = video.frame(path, 0)
        assert np.abs(shown - self.expected(y, cb, cr, self.MATRICES[matrix], full)).max() <= 0.7

    def test_untagged_is_rec_709_in_limited_range(self, folder):
        y, cb, cr = np.random.default_rng(0).integers(16, 236, (3, 32, 48))
        shown = video.frame(write_film(folder / "plain.mkv", [coded(y, cb, cr, "yuv444p")], codec="ffv1"), 0)
        assert np.abs(shown - self.expected(y, cb, cr, self.MATRICES[1], False)).max() <= 0.7

    def test_subsampled_chroma_is_interpolated(self, folder):
        y, cb = np.full((8, 16), 128), np.full((4, 8), 128)
        cr = np.tile([60, 60, 60, 60, 180, 180, 180, 180], (4, 1))
        red = video.frame(write_film(folder / "half.mkv", [coded(y, cb, cr)], codec="ffv1"), 0)[4, :, 0]
        between = [60, 60, 60, 60, 60, 60, 60, 90, 150, 180, 180, 180, 180, 180, 180, 180]
        expected = self.expected(np.full(16, 128), np.full(16, 128), np.array(between), self.MATRICES[1], False)
        assert np.abs(red - expected[:, 0]).max() <= 0.7

    def test_ten_bits_and_rgb(self, folder):
        frame = grey(128).reformat(format="yuv420p10le")
        path = write_film(folder / "deep.mkv", [frame], codec="ffv1")
        assert video.probe(path).pixel_format == "yuv420p10le"
        assert np.abs(video.frame(path, 0).astype(int) - (128 - 16) * 255 / 219).max() <= 2
        import av

        stored = np.random.default_rng(1).integers(0, 256, (16, 32, 3)).astype(np.uint8)
        coloured = av.VideoFrame.from_ndarray(stored, format="rgb24").reformat(format="bgr0")
        assert (video.frame(write_film(folder / "rgb.mkv", [coloured], codec="ffv1"), 0) == stored).all()


class TestFrames:
    def test_in_order_and_again(self, film):
        frames = video.frames(film)
        for _ in range(2):
            assert [shade(picture) for picture in frames] == LEVELS

    def test_a_picture_stays_what_it_is(self, film):
        kept = list(video.frames(film))
        assert [shade(picture) for picture in kept] == LEVELS

    def test_one_frame(self, film):
        assert shade(video.frame(film, 0)) == 16
        assert shade(video.frame(film, 5)) == 235
        assert video.frame(film, 6) is None
        assert shade(video.frame(video.pick(film, [4, 5]), 1)) == 235

    def test_pick(self, film):
        assert [shade(picture) for picture in video.pick(film, [0, 2, 2, 5, 9, 9])] == [16, 90, 90, 235, None, None]
        assert list(video.pick(film, [])) == []
        assert [shade(picture) for picture in video.pick(video.pick(film, [1, 3, 5]), [1, 2])] == [140, 235]

    def test_a_film_conformed_to_another_rate(self, folder):
        levels = list(range(20, 220, 5))
        path = write_film(folder / "conform.mp4", [grey(level) for level in levels], fps=Fraction(30000, 1001))
        indices = [int((0.4 + k / 25) * 30000 / 1001 + 0.5) for k in range(20)]
        assert indices[:4] == [12, 13, 14, 16]
        assert [shade(picture) for picture in video.pick(path, indices)] == [levels[index] for index in indices]

    def test_only_picked_frames_become_pictures(self, film, monkeypatch):
        from rubric.primitives import _films

        made = []
        monkeypatch.setattr(_films.Converter, "__call__", lambda self, frame: made.append(frame) or np.zeros((1, 1, 3)))
        list(video.pick(film, [1, 4]))
        assert len(made) == 2

    @pytest.mark.parametrize("indices", [[1, 0], [-1], [0.5], ["a"], [None]])
    def test_indices_that_no_film_has_are_refused(self, film, indices):
        with pytest.raises(ArgumentFault, match="indices: "):
            video.pick(film, indices)

    def test_concatenate(self, film, folder):
        other = write_film(folder / "two.mp4", [grey(60), grey(70)])
        joined = video.concatenate([film, other, film], [3, 4, 2])
        assert [shade(picture) for picture in joined] == [16, 40, 90, 60, 70, None, None, 16, 40]
        assert [shade(picture) for picture in video.pick(joined, [2, 3, 7])] == [90, 60, 16]
        assert list(video.concatenate([], [])) == []
        with pytest.raises(ArgumentFault, match="lengths: 1 entries beside 2 of films"):
            video.concatenate([film, film], [3])

    def test_streams_in_step_stay_in_step(self, film):
        shades = [(shade(a), shade(b)) for a, b in zip(video.frames(film), video.pick(film, [1, 1, 3]), strict=False)]
        assert shades == [(16, 40), (40, 40), (90, 140)]

    def test_a_film_that_is_left_early_is_closed(self, film):
        frames = iter(video.frames(film))
        next(frames)
        frames.close()
        assert shade(video.frame(film, 1)) == 40


class TestHostile:
    def test_what_is_no_film_is_refused(self, folder):
        for name, data in {
            "text.mp4": b"just text\n" * 50,
            "empty.mp4": b"",
            "list.mp4": b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsix.mp4\n#EXT-X-ENDLIST\n",
            "concat.mp4": b"ffconcat version 1.0\nfile six.mp4\n",
            "picture.mp4": b"\x89PNG\r\n\x1a\n" + bytes(100),
        }.items():
            (folder / name).write_bytes(data)
            with pytest.raises(ArgumentFault, match="cannot be opened as a film or a sound"):
                video.probe(str(folder / name))

    def test_a_path_is_never_an_address(self, folder):
        for path in ("http://127.0.0.1:9/a.mp4", "concat:a|b", str(folder), str(folder / "none.mp4"), None, 3):
            with pytest.raises(ArgumentFault, match="is not"):
                video.probe(path)

    def test_a_file_that_is_cut_off_before_its_index(self, film):
        with pytest.raises(ArgumentFault, match="cannot be opened"):
            video.probe(cut(film, 0.5))

    def test_a_file_that_is_cut_off_after_its_index(self, folder):
        rng = np.random.default_rng(0)
        frames = [coded(*(rng.integers(16, 236, shape) for shape in ((48, 64), (24, 32), (24, 32)))) for _ in range(30)]
        path = write_film(folder / "start.mp4", frames, options={"movflags": "faststart"})
        assert video.probe(path).frames == 30
        short = video.probe(cut(path, 0.5, "short.mp4"))
        assert 5 < short.frames < 25
        assert len(list(video.frames(cut(path, 0.5, "short.mp4")))) == short.frames
        data = Path(path).read_bytes()
        (folder / "none.mp4").write_bytes(data[: data.index(b"mdat") + 4])
        with pytest.raises(ArgumentFault, match="no frame"):
            video.probe(str(folder / "none.mp4"))

    def test_bits_that_are_damaged_end_in_a_count(self, folder):
        rng = np.random.default_rng(0)
        frames = [coded(*(rng.integers(16, 236, shape) for shape in ((48, 64), (24, 32), (24, 32)))) for _ in range(20)]
        data = bytearray(Path(write_film(folder / "whole.mp4", frames)).read_bytes())
        for at in rng.integers(2000, len(data) // 2, 60):
            data[at] ^= 0xFF
        path = folder / "bits.mp4"
        path.write_bytes(data)
        first, again = video.probe(str(path)), len(list(video.frames(str(path))))
        assert first.damaged > 0
        assert again == first.frames

    def test_a_sound_is_no_film(self, folder):
        from media_files import write_sound

        path = write_sound(folder / "only.wav", np.zeros((1, 800), np.float32), 8000)
        with pytest.raises(ArgumentFault, match="no video"):
            video.probe(path)

    def test_frames_that_are_too_large_are_refused(self, folder, monkeypatch):
        from rubric.primitives import _films

        path = write_film(folder / "large.mp4", [grey(90)] * 2)
        monkeypatch.setattr(_films, "_MAX_PIXELS", 64 * 48 - 1)
        with pytest.raises(ArgumentFault, match="64 x 48 are too large"):
            video.probe(path)

    def test_too_many_frames_are_refused(self, folder, monkeypatch):
        from rubric.primitives import _films

        path = write_film(folder / "many.mp4", [grey(90)] * 4)
        monkeypatch.setattr(_films, "_MAX_FRAMES", 3)
        with pytest.raises(ArgumentFault, match="more than 3 frames"):
            video.probe(path)

    def test_a_file_that_changed_is_read_anew(self, folder):
        path = write_film(folder / "anew.mp4", [grey(90)] * 4)
        assert video.probe(path).frames == 4
        write_film(folder / "anew.mp4", [grey(90)] * 7)
        assert video.probe(path).frames == 7


def test_planes_are_read_from_files_in_their_order(tmp_path):
    cv2 = pytest.importorskip("cv2")
    files = []
    for value in (0, 51, 255):
        files.append(str(tmp_path / f"{value}.png"))
        cv2.imwrite(files[-1], np.full((2, 3), value, np.uint8))
    assert [float(plane[0, 0]) for plane in video.planes(files[::-1])] == pytest.approx([1, 0.2, 0])
