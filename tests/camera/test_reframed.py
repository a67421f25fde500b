"""Another size of the picture, or one turned or mirrored, does not move the dice of a turn."""

import random
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from simulator import SimulatedTray
from simulator.thrower import SimulatedHand
from station.camera.watcher import Watcher
from station.table.table import Table
from tests.asking import do, shown
from tests.camera.scripted_camera import DEADLINE_S, until
from vision.reading import Status

TURNS = {"thrown": "unconfirmed", "confirmed": "confirmed", "passed on": "nothing_thrown"}
"""What is said of the dice that lie there."""


def smaller(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(image, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA), np.uint8)


def upside_down(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.rotate(image, cv2.ROTATE_180), np.uint8)


def mirrored(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.flip(image, 1), np.uint8)


class Reframed(SimulatedTray):
    """Makes something else of its picture from its next start on, as a live camera does."""

    made: Callable[[NDArray[np.uint8]], NDArray[np.uint8]] | None = None
    wanted = made
    shown_so = 0

    def start(self):
        self.made = self.wanted
        super().start()

    def read(self, timeout_s=1.0):
        frame = super().read(timeout_s)
        if frame is None or self.made is None:
            return frame
        self.shown_so += 1
        return replace(frame, image=self.made(frame.image))


@pytest.mark.slow
@pytest.mark.usefixtures("retries_at_once")
@pytest.mark.parametrize(
    ("made", "when"),
    [(smaller, "thrown"), (upside_down, "thrown"), (mirrored, "confirmed"), (smaller, "passed on")],
)
def test_dice_are_whose_they_were_in_another_picture_of_them(monkeypatch, made, when):
    rng = random.Random(5)
    tray = Reframed(rng, pace=4.0, size_wh=(1280, 720))
    table = Table(thrower=SimulatedHand(tray, rng))
    offer, offered = table.offer, list[Status]()  # what soon passes may be over before a test is told of it

    def noting(seen, **more):
        if tray.shown_so:
            offered.append(seen.status)
        offer(seen, **more)

    monkeypatch.setattr(table, "offer", noting)
    do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
    watcher = Watcher(tray, table)
    watcher.start()

    try:
        until(table, lambda state: state["camera"]["ok"] and state["camera"]["name"])
        do(table, {"command": "throw", "faces": [1, 2, 6, 6, 3]})
        until(table, lambda state: "accept_roll" in state["commands"])
        if when != "thrown":
            do(table, {"command": "accept_roll"})
        if when == "passed on":
            do(table, {"command": "score_box", "category": "choice"})
        turn = shown(table)["turn"]
        tray.wanted = made
        watcher.reopen()
        until(table, lambda state: Status.MOVING in offered and state["reading"]["status"] == "ready")
        assert shown(table)["turn"] == turn == TURNS[when]
        assert do(table, {"command": "throw"})["turn"] == "rolling"
        until(table, lambda state: "accept_roll" in state["commands"])
    finally:
        assert watcher.stop(DEADLINE_S)
