"""What the benchmarks share: interleaved medians, and lines that set a ratio beside its target."""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping


def medians(rounds: int, *runs: Callable[[], object]) -> list[float]:
    """The median CPU seconds of each, run in turn so that a busy machine slows all alike."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for run, taken in zip(runs, times, strict=True):
            start = time.process_time()
            run()
            taken.append(time.process_time() - start)
    return [statistics.median(taken) for taken in times]


def say(what: str, ratio: float, target: str, detail: str) -> None:
    print(f"{what:<58} {ratio:8.2f}   {target:<18} {detail}")


def run_named(about: str | None, benchmarks: Mapping[str, Callable[[int], None]], but: tuple[str, ...] = ()) -> None:
    """Run the benchmarks that the command line names; without names, all but those in `but`."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*benchmarks, []], metavar="NAME")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'what':<58} {'ratio':>8}   {'target':<18} detail")
    for name in options.names or [name for name in benchmarks if name not in but]:
        benchmarks[name](options.rounds)
