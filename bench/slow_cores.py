"""Slower cores: on each a process that goes before others keeps it busy for most of every few milliseconds.

A quota of processor time slows a process of one thread less than one that keeps all cores busy, and a process
that is stopped and let go again and again pays for it by the number of its threads. This slows every thread
alike, as a slower processor does; what is waited for (the clock, the disk) is as fast as before. Needs root,
and a machine with nothing else to do. `python -m bench.slow_cores CORE TIMES` slows one.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import Popen

PERIOD_S = 0.02
"""Short against what is measured: a slow core is slow, it does not stop for long."""
SLOWING, BESIDE = 50, 60
"""Real-time priorities (sched(7)): of what slows the cores, and of what is not to be slowed."""


@contextmanager
def slow_cores(times: float, *beside: int) -> Iterator[None]:
    """Within: all processes run for 1/`times` of the time, but for this one and those beside.

    What these begin meanwhile is not slowed either. Raises PermissionError.
    """
    spared = (os.getpid(), *beside)
    with ExitStack() as slowing:
        for process in spared:
            slowing.callback(_schedule, process, os.SCHED_OTHER, 0)
            _schedule(process, os.SCHED_FIFO, BESIDE)
        for core in os.sched_getaffinity(0):
            busy = slowing.enter_context(
                Popen([sys.executable, "-m", "bench.slow_cores", str(core), str(times)])
            )
            slowing.callback(busy.terminate)
        yield


def main(core: int, times: float) -> None:
    """Leave that core to others for 1/`times` of every period, while there is who began this."""
    os.sched_setaffinity(0, {core})
    _schedule(os.getpid(), os.SCHED_FIFO, SLOWING)
    begun_by = os.getppid()
    while os.getppid() == begun_by:
        ends_s = (time.monotonic() // PERIOD_S + 1) * PERIOD_S
        while time.monotonic() < ends_s:
            pass
        time.sleep(PERIOD_S / times)


def _schedule(process: int, how: int, priority: int) -> None:
    """Set how all threads of a process are scheduled."""
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(ProcessLookupError):
            os.sched_setscheduler(int(thread.name), how, os.sched_param(priority))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
