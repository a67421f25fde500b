"""A throw again: real drawn throws are cut where their new dice begin to roll, and end with the result."""

import random

import pytest

from simulator import SimulatedTray
from simulator.recordings import VirtualClock
from station.camera.moments import Moments
from vision.frame import Frame
from vision.picture import encode_jpeg
from vision.reader import Reader
from vision.reading import Reading, Status
from vision.slow_motion import LASTS_S
from vision.stream import StreamReader

pytestmark = pytest.mark.thorough

FPS = 30.0


ON_THE_TELEVISION = 0.56
"""Height of the film there, as a share of the screen's (tv.css)."""


class Filmed:
    """A drawn tray whose pictures are read and kept as by the watcher."""

    def __init__(self, seed: int) -> None:
        clock, self.taken_s = VirtualClock(), {}
        self.tray = SimulatedTray(random.Random(seed), clock=clock, sleep=clock.sleep, fps=FPS)
        self.tray.start()
        self.stream = StreamReader(Reader(5))
        self.moments = Moments(self._shrunk)

    def _shrunk(self, frame: Frame, px: int) -> bytes:
        jpeg = encode_jpeg(frame.image, width_max=px)
        self.taken_s[jpeg] = frame.time_s
        return jpeg

    def throw(self, faces: tuple[int, ...], keep: tuple[int, ...]) -> tuple[float, Frame, Reading]:
        """When the first die left the hand, the last picture and what was read in it."""
        self.tray.throw(faces, keep=keep)
        rolls, reading = [], Reading(Status.MOVING)
        while self.tray.moving or reading.status is not Status.READY:
            frame = self.tray.read()
            rolls += [frame.time_s] * bool(self.tray.current_moment().moving)
            reading = self.stream.feed(frame)
            self.moments.note(frame, reading)
        assert self.moments.confirm()
        return rolls[0], frame, reading


def test_a_film_is_of_new_dice_from_their_first_move_to_the_result():
    stage, lay = Filmed(1), Reading(Status.EMPTY)
    for faces, keep in (((6, 6, 2, 3, 1), ()), ((6,), (0, 1, 2, 3))):
        rolled_s, frame, reading = stage.throw(faces, keep)
        film = stage.moments.film()
        assert rolled_s <= stage.taken_s[film[0].jpeg] <= rolled_s + 0.1, "neither the hand nor an empty tray"
        assert stage.taken_s[film[-1].jpeg] == frame.time_s
        assert film[-1].shown_s <= LASTS_S - 1, "it stays on the result"
        fast, slow = (
            (after.shown_s - one.shown_s) / (after.at_s - one.at_s) for one, after in (film[:2], film[-2:])
        )
        assert slow == pytest.approx(2 * fast, rel=0.05), "for the last die"
        height, width = frame.image.shape[:2]
        left, top, wide, high = film[-1].box
        new = [die for die in reading.dice if lay.die_at(*die.center) is None]
        assert len(new) == len(faces)
        for x, y in (die.center for die in new):
            assert left < x / width < left + wide
            assert top < y / height < top + high
        lay = reading
    assert new[0].size / (high * height) * ON_THE_TELEVISION > 1 / 3, "of the screen's height"
