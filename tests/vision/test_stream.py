"""The stream reader: a roll counts only when it has lain still, and dice keep their numbers."""

import numpy as np
from numpy.typing import NDArray

from tests.vision.helpers import draw, empty_tray
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import Reading, Status
from vision.stream import StreamReader

Picture = NDArray[np.uint8]

LYING = ((2, (200.0, 200.0)), (5, (360.0, 260.0)))
"""Near the middle of the picture, for only there a camera sees no sides of dice that lie flat."""


def _tray(*places: tuple[int, tuple[float, float]]) -> Picture:
    image = empty_tray()
    for face, center in places:
        draw(image, face, center)
    return image


def _feed(stream: StreamReader, pictures: list[Picture], start: int = 0, fps: float = 20.0) -> list[Reading]:
    return [stream.feed(Frame(p, (start + k) / fps, start + k)) for k, p in enumerate(pictures)]


def test_a_roll_is_ready_after_a_quarter_of_a_second_and_not_before() -> None:
    still = _tray(*LYING)
    readings = _feed(StreamReader(Reader(2)), [still] * 8)
    assert [r.status for r in readings] == [Status.MOVING] * 5 + [Status.READY] * 3
    assert readings[-1].faces == (2, 5)


def test_dice_that_roll_are_never_ready() -> None:
    rolling = [_tray((2, (100 + 25 * k, 150)), (5, (400, 300))) for k in range(12)]
    readings = _feed(StreamReader(Reader(2)), rolling)
    assert {r.status for r in readings} == {Status.MOVING}


def test_an_arm_over_the_tray_covers_it() -> None:
    still = _tray((2, (150, 150)), (5, (400, 300)))
    reached = still.copy()
    reached[:, 300:560] = (120, 150, 210)
    readings = _feed(StreamReader(Reader(2)), [still, still, reached])
    assert readings[-1].status is Status.COVERED


def test_a_die_that_stays_keeps_its_number_and_a_new_one_gets_a_new() -> None:
    stream = StreamReader(Reader(2))
    before = _feed(stream, [_tray((2, (150, 150)), (5, (400, 300)))] * 8)[-1]
    after = _feed(stream, [_tray((2, (150, 150)), (3, (300, 100)), (4, (500, 380)))] * 8, start=8)[-1]
    numbers = {die.face: die.track for die in before.dice}
    assert {die.face: die.track for die in after.dice}[2] == numbers[2]
    assert len({die.track for die in after.dice}) == 3


def test_reset_forgets_what_lay_there() -> None:
    stream = StreamReader(Reader(2))
    still = _tray(*LYING)
    assert _feed(stream, [still] * 8)[-1].status is Status.READY
    stream.reset()
    assert _feed(stream, [still], start=8)[0].status is Status.MOVING
