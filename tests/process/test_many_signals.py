"""Several signals at once: of whoever presses Ctrl-C twice, and of `make`, which hands them on."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from board.app import Board
from station.app import Station
from station.config import parse
from tests.board.test_walk import RunningBoard
from tests.process.station import DEADLINE_S, RunningStation

pytestmark = pytest.mark.slow

BURST = 300
HANGS_S = 20


@contextlib.contextmanager
def interrupted_everywhere(number: signal.Signals) -> Iterator[None]:
    """That signal comes at every step of the functions that are called meanwhile; what hangs is ended."""

    def interrupt(frame: Any, _event: str, _argument: object) -> Any:
        frame.f_trace_opcodes = True
        signal.raise_signal(number)
        return interrupt

    def hangs(*_: object) -> None:
        pytest.fail("it waits for itself")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(HANGS_S)
    traced = sys.gettrace()
    sys.settrace(interrupt)
    try:
        yield
    finally:
        sys.settrace(traced)
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("kind", [Station, Board])
def test_a_signal_may_come_at_every_step_of_its_own_handler_and_of_the_wait(tmp_path, kind) -> None:
    settings = {"host": "127.0.0.1", "port": 0, "data": tmp_path / "data", "camera": "simulated"}
    made = kind(parse(settings | {"board": {"port": 0}}))
    before = signal.signal(signal.SIGTERM, made.ask_to_stop)
    try:
        with interrupted_everywhere(signal.SIGTERM):
            made.ask_to_stop()
            made.wait()
    finally:
        signal.signal(signal.SIGTERM, before)
        made.stop()


def burst(pid: int) -> None:
    """Many of both kinds, from two threads, as fast as this process can."""

    def send(number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has ended by then
            for _ in range(BURST):
                os.kill(pid, number)

    threads = [threading.Thread(target=send, args=(each,)) for each in (signal.SIGTERM, signal.SIGINT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("start", [RunningStation, lambda folder: RunningBoard(folder, "")])
def test_a_station_and_a_board_stop_in_order_at_a_burst_of_signals(tmp_path: Path, start: Any) -> None:
    with start(tmp_path / "data") as running:
        burst(running.process.pid)
        assert running.process.wait(DEADLINE_S) == 0
        assert "Traceback" not in Path(running.log.name).read_text()
