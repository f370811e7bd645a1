"""Work that is done by workers and handed back in order; a worker that dies costs one item.

An executor is any of `concurrent.futures`. Only so much work is on its way at once, so memory is bounded however many
items there are.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")
MOST_AT_ONCE = 32  # items in one piece of work
LONG = 0.1  # seconds; pieces that take longer get smaller
PIECES_AHEAD = 4  # of each worker


@dataclass(frozen=True, slots=True)
class Work(Generic[T, R]):
    """`of` gives the results of some items and the seconds they took, in a worker. `lost` gives, here, the result of an
    item that ends its worker even when it is alone. `losses` are the exceptions which say that a worker ended.
    """

    of: Callable[[list[T]], tuple[list[R], float]]
    lost: Callable[[T], R]
    losses: tuple[type[Exception], ...] = (BrokenExecutor,)


def in_order(executor: Executor, items: Iterable[T], work: Work[T, R], workers: int) -> Iterator[R]:
    """The result of each item, in their order."""
    waiting: deque[tuple[list[T], Future]] = deque()
    remaining, size = iter(items), 1
    while True:
        while len(waiting) < workers * PIECES_AHEAD and (piece := list(islice(remaining, size))):
            waiting.append((piece, executor.submit(work.of, piece)))
        if not waiting:
            return
        piece, future = waiting.popleft()
        try:
            results, seconds = future.result()
        except work.losses as loss:
            executor = _mended(executor, loss)
            yield from _one_by_one(executor, piece, work)
            waiting = deque((other, executor.submit(work.of, other)) for other, _ in waiting)
            continue
        size = min(2 * size, MOST_AT_ONCE) if seconds < LONG else max(1, size // 2)
        yield from results


def _one_by_one(executor: Executor, piece: list[T], work: Work[T, R]) -> Iterator[R]:
    for item in piece:
        try:
            results, _ = executor.submit(work.of, [item]).result()
            yield from results
        except work.losses:
            yield work.lost(item)


def _mended(executor: Executor, loss: Exception) -> Executor:
    """A pool that is broken takes no more work: one of ours begins anew, for any other one of ours steps in."""
    broken = isinstance(loss, BrokenExecutor) and not isinstance(executor, Processes)
    return Processes(1) if broken else executor


# ---------------------------------------------------------------- processes


class Processes(Executor):
    """Processes that are started anew when one of them dies. They end with this one, however it ends."""

    def __init__(self, jobs: int):
        self.jobs = jobs
        self.pool = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"), initializer=_begin)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future:
        with _without_interrupts():
            try:
                return self.pool.submit(function, *arguments, **named)
            except BrokenExecutor:
                self.pool.shutdown(wait=False, cancel_futures=True)
                self.pool = self._start()
                return self.pool.submit(function, *arguments, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        self.pool.shutdown(wait, cancel_futures=cancel_futures)

    def __exit__(self, *exception: Any) -> None:
        self.shutdown(wait=exception[0] is None)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile never see a Ctrl-C, which is for this one alone to answer."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """The worker of a pool would wait for work for ever when its parent is killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def stop_workers() -> None:
    """End all processes that this one started, at once."""
    for child in active_children():
        child.terminate()
