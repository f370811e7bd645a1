"""Speed of the media primitives as ratios against named peers, each the median of interleaved runs.

    python benchmarks/media.py [NAME ...] [--rounds N]

Names: ssim audio. SSIM is compared with scikit-image of the same variant, audio windows with a loop in NumPy.
"""

import numpy as np
from ratios import medians, run_named, say
from skimage.metrics import structural_similarity

from rubric.primitives import audio, image


def ssim(rounds: int) -> None:
    rng = np.random.default_rng(0)
    for width, height in ((270, 270), (480, 270)):
        a = np.clip(rng.normal(128, 40, (height, width)), 0, 255).astype(np.float32)
        b = np.clip(a + rng.normal(0, 10, a.shape), 0, 255).astype(np.float32)
        wide = a.astype(float), b.astype(float)

        def peer(wide=wide) -> float:
            return structural_similarity(
                *wide, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255
            )

        def fast(a=a, b=b) -> float | None:
            return image.ssim(a, b)

        def exact(a=a, b=b) -> float | None:
            return image.ssim(a, b, precision="exact")

        truth = peer()
        there, quick, slow = medians(rounds, peer, fast, exact)
        say(f"SSIM {width} x {height}, fast", there / quick, "at least 4", f"error {abs(fast() - truth):.1e} (1e-6)")
        say(f"SSIM {width} x {height}, exact", there / slow, "", f"error {abs(exact() - truth):.1e} (1e-12)")


def window_loop(reference: audio.Sound, other: audio.Sound, window: int, step: int) -> list[tuple[float, ...]]:
    """Correlation, gain and error of each window and channel, one after another."""
    rows = []
    for x, y in zip(reference.samples.astype(float), other.samples.astype(float), strict=True):
        for start in range(0, len(x), step):
            a, b = x[start : start + window], y[start : start + window]
            level, louder = np.sqrt(np.mean(a * a)), np.sqrt(np.mean(b * b))
            error = np.sqrt(np.mean((b - a) ** 2))
            rows.append((np.corrcoef(a, b)[0, 1], 20 * np.log10(louder / level), error, error / level))
    return rows


def windows(rounds: int) -> None:
    rng = np.random.default_rng(0)
    samples = rng.normal(0, 0.1, (2, 30 * 16000)).astype(np.float32)
    reference = audio.Sound(samples, 16000)
    other = audio.Sound((samples + rng.normal(0, 0.02, samples.shape)).astype(np.float32), 16000)

    def here() -> list[audio.Comparison]:
        return audio.compare_windows(reference, other, lag=0, window=0.2, step=0.1, channels=["left", "right"])

    def loop() -> list[tuple[float, ...]]:
        return window_loop(reference, other, 3200, 1600)

    rows = [(row.correlation, row.gain_db, row.error, row.relative_error) for row in here()]
    error = np.abs(np.array(rows, float) - np.array(loop())).max()
    quick, slow = medians(rounds, here, loop)
    say("audio windows, 30 s of stereo at 16 kHz", slow / quick, "at least 5", f"error {error:.1e}")


RUNS = {"ssim": ssim, "audio": windows}


if __name__ == "__main__":
    run_named(__doc__, RUNS)
