"""Work for other processes to do in tests of what happens when they die of it."""

import os
import signal


def doubled(numbers: list[int]) -> tuple[list[int], float]:
    """Twice each number; a worker that meets a negative one is killed."""
    if min(numbers) < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return [2 * number for number in numbers], 0.0


def slow(numbers: list[int]) -> tuple[list[int], float]:
    """The numbers, as if they had taken long; each list tells its size."""
    return [len(numbers)] * len(numbers), 1.0
