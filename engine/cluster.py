"""A distributed scheduler that is already running, as something that takes work."""

import logging
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from contextlib import contextmanager

from .faults import CallFault, InfrastructureFault

TIMEOUT = 10  # seconds to find the scheduler


@contextmanager
def connected(address: str) -> Iterator[tuple[Executor, int, tuple[type[Exception], ...]]]:
    """An executor at an address, how many tasks its workers do at once, and what it raises when a task ends its worker.

    The workers need this package and the files of the run under the same paths. Raises `CallFault` where there is no
    scheduler, `InfrastructureFault` where it is gone before the work is done.
    """
    try:
        from distributed import Client, KilledWorker  # type: ignore[import-not-found]
    except ImportError:
        raise CallFault("--on needs the extra 'cluster': pip install 'rubric-engine[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # which tells of a lost scheduler with tracebacks
    try:
        client = Client(address, timeout=TIMEOUT)
    except (OSError, ValueError) as error:
        raise CallFault(f"no scheduler answers at {address}: {str(error).splitlines()[0]}") from None
    with client:
        try:
            yield client.get_executor(pure=False), sum(client.nthreads().values()) or 1, (BrokenExecutor, KilledWorker)
        except CancelledError:
            raise InfrastructureFault("instrument", f"the scheduler at {address} is gone") from None
