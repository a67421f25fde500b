"""The simulated tray in time: throws, holds, pace, determinism."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from messages.errors import BadInputError, CameraError
from simulator import CameraView, Scene, SimulatedTray, compose, paint
from simulator.compose import Layer
from simulator.paint import Painter
from simulator.things import corner_markers
from simulator.throw_motion import TrayMoment
from tests.table.helpers import Clock
from vision.frame import Frame

SMALL = Scene(view=CameraView(size_wh=(320, 180), focal_px=290))


@pytest.fixture
def tray(clock: Clock) -> Iterator[SimulatedTray]:
    with SimulatedTray(random.Random(1), scene=SMALL, clock=clock, sleep=clock.sleep) as camera:
        yield camera


def frames_until_rest(tray: SimulatedTray) -> list[Frame]:
    frames = []
    while tray.moving:
        frame = tray.read()
        frames.append(frame)
        assert len(frames) < 200, "the throw never ends"
    return frames


@pytest.mark.thorough
def test_a_picture_of_another_size_shows_the_same(clock: Clock) -> None:
    def shown(size_wh: tuple[int, int] | None) -> Frame:
        with SimulatedTray(
            random.Random(1), scene=SMALL, size_wh=size_wh, clock=clock, sleep=clock.sleep
        ) as tray:
            tray.throw((1, 2, 3, 4, 5))
            frames_until_rest(tray)
            return tray.read()

    usual, larger = shown(None).image, shown((640, 360)).image
    assert larger.shape == (360, 640, 3)
    difference = np.abs(usual.astype(int) - larger.reshape(180, 2, 320, 2, 3).mean((1, 3)))
    assert np.quantile(difference, 0.99) < 25


@pytest.mark.thorough
def test_a_throw_ends_with_the_faces_it_was_told_and_no_two_dice_in_each_other(tray: SimulatedTray) -> None:
    for _ in range(5):
        tray.throw((1, 2, 3, 4, 5))
        frames_until_rest(tray)
        dice = tray.truth()
        assert sorted(die.face for die in dice) == [1, 2, 3, 4, 5]
        assert all(die.tilt_deg < 1e-3 for die in dice)
        middles = np.array([die.position_mm[:2] for die in dice])
        gaps = np.linalg.norm(middles[:, None] - middles[None], axis=2) + np.eye(5) * 1000
        assert gaps.min() >= 16.0


@pytest.mark.thorough
def test_kept_dice_stay_where_they_are(tray: SimulatedTray) -> None:
    tray.throw()
    frames_until_rest(tray)
    before = tray.truth()
    tray.throw((6, 6, 6), keep=(0, 4))
    frames_until_rest(tray)
    after = tray.truth()
    assert before[0] in after
    assert before[4] in after
    assert len(after) == 5


def test_the_picture_moves_while_dice_roll_and_rests_afterwards(tray: SimulatedTray) -> None:
    empty = tray.read()
    tray.throw()
    during = frames_until_rest(tray)
    rest = [tray.read() for _ in range(3)]
    assert all(frame is not None for frame in rest)
    changes = [np.abs(frame.image.astype(int) - empty.image).mean() for frame in during]
    assert max(changes) > 10, "no hand came"
    assert np.abs(rest[1].image.astype(int) - rest[2].image).mean() < 4, "it does not rest"  # type: ignore[union-attr]


@pytest.mark.parametrize("light", [0, 3, 128, 252, 255])
def test_noise_never_turns_black_to_white(tray: SimulatedTray, light: int) -> None:
    picture = np.full((180, 320, 3), light, np.uint8)
    tray._number = 3
    y, x = 3 * 37 % 61, 3 * 41 % 67
    wanted = np.clip(light + tray._grain[y : y + 180, x : x + 320].astype(int), 0, 255)
    assert len(np.unique(wanted)) > 3
    tray._add_noise(picture)
    assert np.array_equal(picture, wanted)


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_frames() -> None:
    def play() -> list[Frame]:
        own = Clock()
        with SimulatedTray(random.Random(7), scene=SMALL, clock=own, sleep=own.sleep) as tray:
            tray.throw()
            return frames_until_rest(tray)

    for one, other in zip(play(), play(), strict=True):
        assert one.time_s == other.time_s
        assert np.array_equal(one.image, other.image)


@pytest.mark.thorough
def test_faces_come_from_the_generator_alone(clock: Clock) -> None:
    seen = []
    for _ in range(30):
        camera = SimulatedTray(random.Random(len(seen)), scene=SMALL, clock=clock, sleep=clock.sleep)
        camera.throw()
        seen.extend(die.face for die in camera.truth())
    counts = [seen.count(face) for face in range(1, 7)]
    assert sum(counts) == 150
    assert min(counts) > 10, counts


@pytest.mark.parametrize("dice", [1, 10])
def test_one_to_ten_dice(tray: SimulatedTray, dice: int) -> None:
    tray.dice = dice
    tray.throw()
    assert len(tray.truth()) == dice


@pytest.mark.slow
def test_what_is_kept_from_frame_to_frame_is_what_would_be_painted_anew(tray: SimulatedTray) -> None:
    painter = Painter(SMALL)
    for _ in range(3):
        there = len(tray.truth())
        tray.throw(keep=(1, 3) if there else ())
        while tray.moving:
            tray.read()
            painter.paint(tray.current_moment(), 1 / 60)
        lying = tray.truth()
        kept = painter.paint(TrayMoment(lying), 0.0)
        anew = Painter(SMALL).paint(TrayMoment(lying), 0.0)
        assert np.abs(kept.astype(int) - anew).max() <= 1
    assert np.array_equal(painter.paint(TrayMoment(()), 0.0), Painter(SMALL).paint(TrayMoment(()), 0.0))


def test_a_die_is_drawn_as_it_will_lie_before_it_rolls(
    tray: SimulatedTray, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bool] = []

    def layer(*drawing: Any, **how: Any) -> Layer | None:
        if not how:  # what rolls is drawn roughly
            drawn.append(bool(tray.current_moment().coming))
        return compose.layer(*drawing, **how)

    monkeypatch.setattr(paint, "layer", layer)
    for lying in range(5):
        drawn.clear()
        tray.dice = lying + 1
        tray.throw(keep=range(lying))
        frames_until_rest(tray)
        tray.read()
        assert drawn
        assert all(drawn), "a die was drawn only when it came to rest"


@pytest.mark.thorough
def test_things_can_be_laid_out_and_taken_away(tray: SimulatedTray) -> None:
    before = tray.read()
    tray.lay(corner_markers(tray.scene.tray))
    laid = tray.read()
    tray.lay(())
    after = tray.read()
    assert np.abs(laid.image.astype(int) - before.image).mean() > 1.0
    assert (
        np.abs(after.image.astype(int) - before.image).mean()
        < np.abs(laid.image.astype(int) - before.image).mean()
    )
    assert tray.scene.things == ()


def test_nonsense_is_refused(tray: SimulatedTray) -> None:
    with pytest.raises(BadInputError, match="1 to 10 dice"):
        tray.dice = 11
    with pytest.raises(BadInputError, match="5 dice are thrown"):
        tray.throw((1, 2, 7, 3, 4))
    with pytest.raises(BadInputError, match="0 dice in the tray"):
        tray.throw(keep=(0,))
    tray.stop()
    with pytest.raises(CameraError, match="not started"):
        tray.read()


def test_a_frame_from_just_before_the_first_throw_shows_the_empty_tray(tray: SimulatedTray) -> None:
    tray.clear()
    tray.throw()
    assert tray._throw is not None
    assert tray._throw.at(-0.01).lying == ()


def test_a_throw_in_which_all_dice_are_kept_leaves_them(tray: SimulatedTray) -> None:
    tray.throw((1, 2, 3, 4, 5))
    frames_until_rest(tray)
    before = tray.truth()
    tray.throw(keep=(0, 1, 2, 3, 4))
    frames_until_rest(tray)
    assert tray.truth() == before
