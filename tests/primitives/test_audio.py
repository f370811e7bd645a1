"""Sounds. Expected values are by hand, from sines, and from a loop over windows in NumPy that shares no code."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from media_files import grey, write_film, write_sound

from rubric.primitives import audio
from rubric.primitives.audio import Sound
from rubric.primitives.faults import ArgumentFault

RATE = 16000


def voice(seconds=1.0, rate=RATE, channels=2, seed=0):
    """Noise that swells, another for each channel."""
    rng = np.random.default_rng(seed)
    length = round(seconds * rate)
    swell = 0.2 + 0.15 * np.sin(np.arange(length) / rate * 9)
    return Sound((rng.normal(0, 0.3, (channels, length)) * swell).astype(np.float32), rate)


def changed(sound, samples):
    return Sound(np.asarray(samples, np.float32), sound.rate)


def sine(seconds, rate, hertz=440.0):
    return np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)[None].astype(np.float32) / 2


class TestRead:
    def test_samples_stay_what_they_are(self, tmp_path):
        samples = voice(0.3).samples
        path = write_sound(tmp_path / "a.wav", samples, RATE, codec="pcm_f32le")
        found = audio.read(path, rate=RATE)
        assert (found.rate, found.channels, found.seconds) == (RATE, 2, 0.3)
        assert (found.samples == samples).all()

    def test_resampling_delays_nothing(self, tmp_path):
        path = write_sound(tmp_path / "sine.wav", sine(1, 48000), 48000, codec="pcm_f32le")
        found = audio.read(path, rate=RATE)
        assert found.seconds == 1
        assert found.samples[0, 200:-200] == pytest.approx(sine(1, RATE)[0, 200:-200], abs=1e-3)

    def test_the_padding_of_aac_is_cut_off(self, tmp_path):
        path = write_sound(tmp_path / "a.m4a", sine(1, 48000), 48000, codec="aac")
        found = audio.read(path, rate=48000)
        assert found.samples.shape == (1, 48000)
        assert audio.lag(Sound(sine(1, 48000), 48000), found, search=0.001) == 0

    def test_a_film_without_sound_is_refused(self, tmp_path):
        with pytest.raises(ArgumentFault, match="no sound"):
            audio.read(write_film(tmp_path / "mute.mp4", [grey(90)] * 2), rate=RATE)
        (tmp_path / "text.wav").write_text("RIFF, it says")
        with pytest.raises(ArgumentFault, match="cannot be opened"):
            audio.read(str(tmp_path / "text.wav"), rate=RATE)

    @pytest.mark.parametrize("rate", [0, -1, 1.5, 10**7])
    def test_impossible_rates_are_refused(self, tmp_path, rate):
        with pytest.raises(ArgumentFault, match="rate: "):
            audio.read(str(tmp_path), rate=rate)

    def test_concatenate_cuts_and_fills(self, tmp_path):
        files = [
            write_sound(tmp_path / f"{n}.wav", np.full((1, 800), n / 4, np.float32), 8000, codec="pcm_f32le")
            for n in (1, 2)
        ]
        found = audio.concatenate(files, [0.05, 0.2], rate=8000)
        assert found.seconds == 0.25
        assert found.samples[0].tolist() == [0.25] * 400 + [0.5] * 800 + [0] * 800
        assert audio.concatenate([], [], rate=8000).seconds == 0
        with pytest.raises(ArgumentFault, match="seconds: 1 entries beside 2 of files"):
            audio.concatenate(files, [1], rate=8000)


class TestLag:
    @pytest.mark.parametrize("by", [0, 1, 320, -7])
    def test_positive_is_later(self, by):
        sound = voice()
        later = changed(sound, np.roll(sound.samples, by, axis=1))
        assert audio.lag(sound, later, search=0.12) == by / RATE
        assert audio.lag(later, sound, search=0.12) == -by / RATE

    def test_only_within_the_search(self):
        sound = voice()
        later = changed(sound, np.roll(sound.samples, 3000, axis=1))
        assert abs(audio.lag(sound, later, search=0.12)) <= 0.12

    def test_with_silence_it_is_null(self):
        sound = voice()
        assert audio.lag(sound, changed(sound, sound.samples * 0), search=0.1) is None
        assert audio.lag(sound, changed(sound, sound.samples[:, :0]), search=0.1) is None

    def test_rates_and_channels_must_agree(self):
        with pytest.raises(ArgumentFault, match="other: it has 8000 Hz"):
            audio.lag(voice(), voice(rate=8000), search=0.1)
        with pytest.raises(ArgumentFault, match="other: one sound has 2 channels"):
            audio.lag(voice(), voice(channels=3), search=0.1)
        assert audio.lag(voice(channels=1), voice(channels=1), search=0.1) == 0


def compared(reference, other, *, lag=0.0, channels=("mono", "left", "right")):
    return audio.compare_windows(reference, other, lag=lag, window=0.2, step=0.1, channels=channels)


class TestCompare:
    def test_the_same(self):
        for row in compared(voice(), voice()):
            assert row.correlation == pytest.approx(1)
            assert (row.gain_db, row.error, row.relative_error) == (0, 0, 0)

    def test_windows_cover_every_sample(self):
        rows = compared(voice(1.03), voice(1.03), channels=["left"])
        assert [row.start for row in rows] == [k / 10 for k in range(11)]
        assert [row.seconds for row in rows[:9]] == [0.2] * 9
        assert [row.seconds for row in rows[9:]] == pytest.approx([0.13, 0.03])

    @pytest.mark.parametrize("decibels", [0.9, 1.1, -0.9, -1.1])
    def test_gains_on_both_sides_of_one_decibel(self, decibels):
        louder = changed(voice(), voice().samples * 10 ** (decibels / 20))
        for row in compared(voice(), louder):
            assert row.gain_db == pytest.approx(decibels, abs=1e-4)
            assert (abs(row.gain_db) <= 1) == (abs(decibels) < 1)

    def test_a_swapped_channel(self):
        swapped = changed(voice(), voice().samples[::-1])
        rows = compared(voice(), swapped)
        assert all(row.correlation > 0.999 for row in rows if row.channel == "mono")
        assert all(abs(row.correlation) < 0.2 for row in rows if row.channel != "mono" and row.seconds == 0.2)

    def test_an_inverted_channel(self):
        inverted = changed(voice(), voice().samples * [[1], [-1]])
        rows = compared(voice(), inverted, channels=["left", "right"])
        assert {round(row.correlation, 6) for row in rows if row.channel == "left"} == {1}
        assert {round(row.correlation, 6) for row in rows if row.channel == "right"} == {-1}
        assert all(row.relative_error == pytest.approx(2) for row in rows if row.channel == "right")

    def test_silence(self):
        silent = changed(voice(), voice().samples * 0)
        for row in compared(voice(), silent):
            assert (row.correlation, row.gain_db) == (None, None)
            assert (row.other_rms, row.relative_error) == (0, 1)
        for row in compared(silent, voice()):
            assert (row.correlation, row.gain_db, row.relative_error) == (None, None, None)
            assert row.error == row.other_rms > 0

    def test_a_lag_is_taken_out_and_outside_is_silence(self):
        later = changed(voice(), np.roll(voice().samples, 1600, axis=1)[:, :-800])
        rows = compared(voice(), later, lag=0.1, channels=["left"])
        assert all(row.error == 0 for row in rows if row.start < 0.6)
        assert rows[-1].other_rms == 0

    def test_the_whole(self):
        rows = audio.compare(voice(), voice(), lag=0, channels=["left", "right"])
        assert [(row.channel, row.start, row.seconds) for row in rows] == [("left", 0, 1), ("right", 0, 1)]
        assert rows[0].reference_rms == pytest.approx(audio.rms(voice(), "left"))

    def test_one_channel_is_left_and_right(self):
        assert [
            row.error for row in audio.compare(voice(channels=1), voice(channels=1), lag=0, channels=["right"])
        ] == [0]

    def test_what_cannot_be_compared_is_refused(self):
        for arguments in ({"channels": "left"}, {"channels": ["centre"]}, {"window": 0}, {"step": -1}, {"lag": "x"}):
            with pytest.raises(ArgumentFault):
                audio.compare_windows(
                    voice(), voice(), **{"lag": 0, "window": 0.2, "step": 0.1, "channels": ["mono"], **arguments}
                )

    @given(st.integers(0, 2**32 - 1), st.integers(1, 90), st.integers(1, 90), st.integers(-40, 40))
    @settings(max_examples=40, deadline=None)
    def test_window_by_window(self, seed, window, step, shift):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(0, 1, (2, 200)).astype(np.float32)
        rows = audio.compare_windows(
            Sound(x[None], 100),
            Sound(y[None], 100),
            lag=shift / 100,
            window=window / 100,
            step=step / 100,
            channels=["left"],
        )
        moved = np.array([y[i + shift] if 0 <= i + shift < 200 else 0 for i in range(200)], float)
        assert len(rows) == len(range(0, 200, step))
        for row, start in zip(rows, range(0, 200, step), strict=True):
            a, b = x[start : start + window].astype(float), moved[start : start + window]
            assert row.reference_rms == pytest.approx(np.sqrt(np.mean(a**2)))
            assert row.error == pytest.approx(np.sqrt(np.mean((a - b) ** 2)))
            if a.std() > 1e-3 and b.std() > 1e-3:
                assert row.correlation == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-9)


def test_rms():
    assert audio.rms(Sound(np.array([[3.0, 4.0]], np.float32), 10)) == pytest.approx(12.5**0.5)
    assert audio.rms(Sound(np.array([[1.0], [-1.0]], np.float32), 10)) == 0
    assert audio.rms(Sound(np.zeros((1, 0), np.float32), 10)) is None
    assert audio.rms({"samples": np.array([[2.0]], np.float32), "rate": 10}) == 2  # type: ignore[arg-type]
