"""A process and its children on slower cores: stopped for the rest of every few milliseconds.

`python -m bench.slow_cores PROCESS TIMES` until the process has ended or this one is told to end. A quota of
processor time slows a process of one thread less than one that keeps all cores busy; stopping slows every
thread alike, on every core, as a slower processor does. What the process waits for (the clock, the disk,
other processes) is as fast as before. Needs a machine with nothing else to do; as root it goes before others.
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen

PERIOD_S = 0.02
"""Short against what is measured: a slow core is slow, it does not stop for long."""
ROUNDS = 10
"""After so many periods it is looked for new children."""
PRIORITY = 50


@contextmanager
def slow_cores(process: int, times: float) -> Iterator[None]:
    """Within: that process and its children run for 1/`times` of the time."""
    with Popen([sys.executable, "-m", "bench.slow_cores", str(process), str(times)]) as slowing:
        try:
            yield
        finally:
            slowing.terminate()


def main(process: int, times: float) -> None:
    """Let go and stop in turn, until SIGTERM; what is stopped then is let go."""
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    family = [process]
    try:
        next_s = time.monotonic()
        while Path(f"/proc/{process}").exists():
            family = list(_with_children(process))
            for _ in range(ROUNDS):
                for what, share in ((signal.SIGCONT, 1 / times), (signal.SIGSTOP, 1 - 1 / times)):
                    _tell(family, what)
                    next_s += PERIOD_S * share
                    time.sleep(max(0.0, next_s - time.monotonic()))
    finally:
        _tell(family, signal.SIGCONT)


def _with_children(process: int) -> Iterator[int]:
    """It, and all below it (proc(5))."""
    yield process
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text(encoding="ascii").split():
                yield from _with_children(int(child))


def _tell(family: list[int], what: signal.Signals) -> None:
    for each in family:
        with suppress(ProcessLookupError):
            os.kill(each, what)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
