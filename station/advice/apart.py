"""A call in a process of its own: its memory is given back when it ends, and the reader never waits for it.

Lines of progress come back on its standard output, then what the call returned. It ends by itself when the
calling process is gone.
"""

import mmap
import os
import pickle
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from messages.errors import FailedError
from station import resources

OnProgress = Callable[[float], None]
"""Called by a piece of work with the share that is done, 0..1."""

NICE = 10
WAIT_S = 0.2
_DONE = b"done\n"


class Apart:
    """Makes such calls, one at a time: two would need twice the memory. Safe to call from any thread."""

    def __init__(self, *, processes: bool = True) -> None:
        """processes: False calls in this process after all, where there is no room for a second Python."""
        self._processes = processes
        self._turn = threading.Lock()

    def call(self, progress: OnProgress, work: Callable[..., Any], *arguments: object) -> Any:
        """Call `work(progress, *arguments)` in a process of its own and return its result.

        `work` is a function of a module; it, its arguments and what it returns are pickled. An exception that
        `progress` raises ends the process. Raises FailedError (`advice/process`) when the process fails.
        """
        while not self._turn.acquire(timeout=WAIT_S):
            progress(0.0)  # which ends the wait when the station stops
        try:
            return _call(progress, work, arguments) if self._processes else work(progress, *arguments)
        finally:
            self._turn.release()


def _call(progress: OnProgress, work: Callable[..., Any], arguments: tuple[object, ...]) -> Any:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "station.advice.apart"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdin is not None  # noqa: S101 - all three are pipes
        assert process.stdout is not None  # noqa: S101
        assert process.stderr is not None  # noqa: S101
        try:
            with suppress(BrokenPipeError):
                _Pickler(process.stdin).dump((work, arguments))
                process.stdin.flush()
            for line in process.stdout:
                if line == _DONE:
                    return pickle.load(process.stdout)  # noqa: S301 - of the process that was started here
                progress(float(line))
            why = process.stderr.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise FailedError("advice/process", why=why or str(process.wait()))
        finally:
            process.kill()
            process.wait()  # after an interrupt Popen would wait a quarter of a second and leave it there


class _Pickler(pickle.Pickler):
    """Hands a table that is mapped from a file over as that file: the other process maps it, too."""

    def reducer_override(self, obj: Any) -> Any:
        """Pickle a whole mapped table as its file, everything else as usual."""
        if isinstance(getattr(obj, "base", None), mmap.mmap) and getattr(obj, "filename", None) is not None:
            return type(obj), (str(obj.filename), obj.dtype, "r", obj.offset, obj.shape)
        return NotImplemented


def _answer(incoming: IO[bytes], outgoing: IO[bytes]) -> None:
    """In the other process: call the work, and send its progress and result."""
    work, arguments = pickle.load(incoming)  # noqa: S301 - from the process that started this one
    threading.Thread(target=_end_with, args=(incoming,), daemon=True).start()

    def progress(share: float) -> None:
        outgoing.write(b"%f\n" % share)
        outgoing.flush()

    result = work(progress, *arguments)
    outgoing.write(_DONE)
    pickle.dump(result, outgoing)
    outgoing.flush()


def _end_with(incoming: IO[bytes]) -> None:
    """End this process when the calling one is gone."""
    incoming.read()
    os._exit(1)


def _main() -> int:
    with suppress(OSError):
        os.nice(NICE)
    resources.bound()
    try:
        _answer(sys.stdin.buffer, sys.stdout.buffer)
    except Exception:  # noqa: BLE001 - its last line is sent to the caller
        traceback.print_exc()
        sys.stderr.flush()
        return 1
    return 0


if __name__ == "__main__":
    os._exit(_main())  # not in order: a thread waits for a pipe that stays open
