"""What is kept of the tray for the big screen: dice cut out and upright, the last throw as a film."""

import cv2
import numpy as np
import pytest

from station.camera.moments import DIE_PX, FILM_FPS, FILM_S, Moments
from vision.frame import Frame
from vision.reading import Colour, DieReading, Reading, Status
from vision.slow_motion import Shot

WIDTH, HEIGHT, EDGE = 640, 480, 60.0


def tray(center: tuple[float, float], angle: float, time_s: float = 0.0) -> tuple[Frame, Reading]:
    """A white die with a black pip in its middle and a red one near its right edge, on green."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    image[:] = (60, 120, 40)
    box = cv2.boxPoints((center, (EDGE, EDGE), angle))
    cv2.fillPoly(image, [np.round(box).astype(np.int32)], (255, 255, 255))
    turn = np.deg2rad(angle)
    right = (round(center[0] + 20 * np.cos(turn)), round(center[1] + 20 * np.sin(turn)))
    cv2.circle(image, right, 6, (0, 0, 255), -1)
    die = DieReading(1, 0.99, center, EDGE, angle, Colour.WHITE)
    return Frame(image, time_s, 0), Reading(Status.READY, (die,))


def picture(jpeg: bytes | None) -> np.ndarray:
    assert jpeg is not None
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def test_a_die_is_cut_out_upright_and_in_its_middle():
    for angle in (0.0, 20.0, 44.0):
        moments = Moments()
        moments.note(*tray((300.0, 200.0), angle))
        die = picture(moments.die_jpeg(302.0, 199.0)).astype(int)
        assert die.shape == (DIE_PX, DIE_PX, 3)
        edge = DIE_PX / 1.3
        corner = round(DIE_PX / 2 - 0.45 * edge)
        assert die[corner, corner].min() > 200  # white almost to its corners, which no tilted die is
        assert die[4, 4, 1] > die[4, 4, 2] + 40  # floor round it
        red = die[DIE_PX // 2, DIE_PX // 2 + round(edge / 3)]
        assert red[2] > red[0] + 100


def test_dice_of_the_throw_before_are_kept_while_the_next_rolls_and_no_longer():
    moments = Moments()
    moments.note(*tray((100.0, 100.0), 10.0))
    moments.note(*tray((500.0, 300.0), 10.0))
    assert moments.die_jpeg(100.0, 100.0) is not None
    moments.note(*tray((501.0, 300.0), 10.0))  # the same rest, seen again
    assert moments.die_jpeg(100.0, 100.0) is not None
    moments.note(*tray((300.0, 300.0), 10.0))
    assert moments.die_jpeg(100.0, 100.0) is None


def rolled(moments: Moments, seconds: float, begun_s: float, fps: float = 30.0) -> None:
    for number in range(round(seconds * fps)):
        frame, _ = tray((100.0 + number, 100.0), 0.0, begun_s + number / fps)
        moments.note(frame, Reading(Status.MOVING))


def kept() -> Moments:
    """Its pictures are their times, and its film all there were of a throw."""
    whole = (0.0, 0.0, 1.0, 1.0)
    return Moments(
        lambda frame, _: str(frame.time_s).encode(),
        lambda take: tuple(Shot(each.at_s, each.jpeg, each.at_s, whole) for each in take.stills),
    )


@pytest.mark.thorough
def test_the_last_seconds_of_the_last_throw_are_kept():
    moments = kept()
    rolled(moments, 5.0, 10.0)
    assert moments.film() == ()  # it rolls still
    moments.note(*tray((300.0, 200.0), 0.0, 15.0))
    assert moments.film() == ()  # nobody has confirmed it
    assert moments.confirm() == b"15.0"
    film = moments.film()
    assert film[0].at_s == 0.0
    assert film[-1].jpeg == b"15.0"
    assert FILM_S * 0.9 <= film[-1].at_s <= FILM_S + 1 / FILM_FPS
    assert len(film) <= FILM_S * FILM_FPS + 2
    rolled(moments, 0.5, 20.0)
    moments.note(*tray((300.0, 100.0), 0.0, 20.6))
    assert moments.film() == film  # so long as the next is not confirmed
    assert moments.confirm() == b"20.6"
    assert moments.film()[-1].jpeg == b"20.6"


def test_only_the_throw_that_is_confirmed_has_a_film():
    moments = kept()
    rolled(moments, 0.5, 1.0)
    moments.note(*tray((300.0, 200.0), 0.0, 2.0))
    frame, _ = tray((300.0, 200.0), 0.0, 3.0)
    moments.note(frame, Reading(Status.COVERED))  # a hand points at them
    moments.note(*tray((300.0, 200.0), 0.0, 4.0))
    assert moments.confirm() == b"2.0"
    assert [moments.film()[0].jpeg, moments.film()[-1].jpeg] == [b"1.0", b"2.0"]
    assert moments.confirm() is None  # the next was typed; nothing rolled
    assert moments.film() == ()
    rolled(moments, 0.5, 10.0)
    frame, seen = tray((100.0, 300.0), 0.0, 11.0)
    moments.note(frame, Reading(Status.UNSURE, seen.dice))  # a person sets it right
    assert moments.confirm() == b"11.0"
    moments.note(*tray((100.0, 300.0), 0.0, 12.0))
    assert moments.confirm() is None


def test_a_camera_that_begins_anew_begins_a_new_film():
    moments = kept()
    rolled(moments, 0.5, 100.0)
    rolled(moments, 0.2, 0.0)
    moments.note(*tray((300.0, 200.0), 0.0, 0.3))
    moments.confirm()
    assert moments.film()[0].jpeg == b"0.0"
