"""Another size of the picture does not move the dice of a turn, and their places lead back to the picture."""

import random
import time
from dataclasses import replace

import cv2
import numpy as np
import pytest

from simulator import SimulatedTray
from simulator.thrower import SimulatedHand
from station.camera.table_places import LONGER_PX, at_table, in_picture
from station.camera.watcher import Watcher
from station.table import Table
from tests.asking import do, shown
from tests.table.helpers import reading
from vision.frame import Frame

DEADLINE_S = 60.0


def picture(width: int, height: int) -> Frame:
    return Frame(np.zeros((height, width, 3), np.uint8), 0.0, 0)


@pytest.mark.parametrize("size_wh", [(1280, 720), (960, 540), (1920, 1080), (540, 960), (640, 480)])
def test_a_place_leads_back_to_where_it_was(size_wh):
    frame, seen = picture(*size_wh), reading(2, 5)
    there = at_table(frame, seen)
    for before, after in zip(seen.dice, there.dice, strict=True):
        assert in_picture(frame, *after.center) == pytest.approx(before.center)
        assert after.size == pytest.approx(before.size * LONGER_PX / max(size_wh))
    assert (size_wh != (1280, 720)) or there == seen


class Resized(SimulatedTray):
    """Takes another size from its next start on, as a live camera does."""

    share = now = 1.0

    def start(self):
        self.now = self.share
        super().start()

    def read(self, timeout_s=1.0):
        frame = super().read(timeout_s)
        if frame is None or self.now == 1.0:
            return frame
        image = cv2.resize(frame.image, None, fx=self.now, fy=self.now, interpolation=cv2.INTER_AREA)
        return replace(frame, image=np.asarray(image, np.uint8))


@pytest.mark.slow
def test_a_confirmed_roll_stays_one_in_a_picture_of_another_size(monkeypatch):
    monkeypatch.setattr("station.camera.watcher.RETRY_S", (0.0,))
    rng = random.Random(5)
    tray = Resized(rng, pace=4.0, size_wh=(1280, 720))
    table = Table(thrower=SimulatedHand(tray, rng))
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    watcher = Watcher(tray, table)
    watcher.start()

    def until(what):
        end_s = time.monotonic() + DEADLINE_S
        while not what(shown(table)):
            assert time.monotonic() < end_s, shown(table)
            time.sleep(0.02)

    try:
        until(lambda state: state["camera"]["ok"] and state["camera"]["name"])
        do(table, {"command": "throw", "faces": [1, 2, 6, 6, 3]})
        until(lambda state: "accept_roll" in state["commands"])
        do(table, {"command": "accept_roll"})
        tray.share = 0.75
        watcher.reopen()
        until(lambda _: max(watcher.frame().image.shape) == 960)
        until(lambda state: state["reading"]["status"] == "moving")
        until(lambda state: state["reading"]["status"] == "ready")
        state = shown(table)
        assert (state["turn"], state["throws_done"]) == ("confirmed", 1)
    finally:
        assert watcher.stop(DEADLINE_S)
