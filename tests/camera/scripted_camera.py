"""A camera made of a script, a reader that sees nothing, and a wait for what the table says."""

import threading
import time

import numpy as np

from station.contract.view import as_json
from tests.asking import shown
from tests.table.helpers import reading
from vision.frame import Frame
from vision.reading import Reading, Status

DEADLINE_S = 60.0


class ScriptedCamera:
    """Gives what a list says, one entry a read; then waits for more."""

    name = "scripted camera"

    def __init__(self, *script):
        self.script = list(script)
        self.starts = 0
        self.running = False
        self.more = threading.Condition()

    def add(self, *entries):
        with self.more:
            self.script.extend(entries)
            self.more.notify_all()

    def start(self):
        self.starts += 1
        self.running = True

    def stop(self):
        self.running = False

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.stop()

    def read(self, timeout_s=1.0):
        with self.more:
            if not self.more.wait_for(lambda: bool(self.script), min(timeout_s, 0.01)):
                return None
            entry = self.script.pop(0)
        if isinstance(entry, BaseException):
            raise entry
        return entry


def frame(number=0):
    return Frame(np.full((120, 160, 3), 90, np.uint8), float(number), number)


class Blind:
    """Reads nothing: what a reader makes of pictures is tried elsewhere."""

    still_since_s = None

    def __init__(self, reader, looks_max):
        del looks_max
        self.reader = reader

    def feed(self, frame):
        del frame
        return Reading(Status.EMPTY)


class Sure(Blind):
    """Reads the same roll in every picture."""

    def feed(self, frame):
        del frame
        return reading(1, 2, 3, 4, 5)


def until(table, what):
    subscription = table.subscribe()
    deadline_s = time.monotonic() + DEADLINE_S
    while True:
        view = subscription.get(max(deadline_s - time.monotonic(), 0.0))
        assert view is not None, shown(table)
        state = as_json(view)
        if what(state):
            return state


def seen(table):
    """The state once a picture of the camera was taken."""
    return until(
        table, lambda state: state["camera"]["ok"] and state["camera"]["name"] == ScriptedCamera.name
    )


def lost(table):
    """The state once something is said to be wrong with the camera."""
    return until(table, lambda state: not state["camera"]["ok"])
