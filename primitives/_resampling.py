"""Resamples of clusters: the same ones for the same seed on every machine and with every version of NumPy."""

from collections.abc import Sequence

# Draws in one block of resamples: 1 MB of indices, which stays in the cache.
_BLOCK = 1 << 17


def resampled_ratios(parts: Sequence[float], wholes: Sequence[float], resamples: int, seed: int) -> list[float]:
    """The ratios sum(parts) / sum(wholes) of resamples of all clusters, sorted, without those that are undefined.

    Every resample draws as many clusters as there are, with replacement. Memory is bounded by blocks of resamples.
    """
    import numpy

    clusters, stream = len(parts), numpy.random.PCG64(seed)
    numerators, denominators = numpy.array(parts, dtype=float), numpy.array(wholes, dtype=float)
    rows = 2 * max(1, _BLOCK // (2 * clusters))  # even: a block ends with a whole draw of the stream
    ratios = numpy.empty(resamples)
    for start in range(0, resamples, rows):
        block = ratios[start : start + rows]
        drawn = _draws(stream, clusters, len(block) * clusters).reshape(len(block), clusters)
        with numpy.errstate(all="ignore"):
            numpy.divide(numerators.take(drawn).sum(axis=1), denominators.take(drawn).sum(axis=1), out=block)
    return numpy.sort(ratios[numpy.isfinite(ratios)]).tolist()


def _draws(stream, clusters: int, count: int):
    """`count` numbers below `clusters`, two from each 64 bits of the stream, the low half first.

    The raw stream of a bit generator is guaranteed by NumPy, `Generator.integers` is not (NEP 19). Scaling 32 bits
    favours no cluster by more than `clusters` / 2^32.
    """
    import numpy

    drawn = stream.random_raw((count + 1) // 2).astype("<u8", copy=False).view("<u4")[:count].astype(numpy.uint64)
    drawn *= numpy.uint64(clusters)
    drawn >>= numpy.uint64(32)
    return drawn.view(numpy.int64)
