"""Steps of a calibration: what they say, what they refuse, and what they leave behind."""

import random
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera_movement import Reference
from calibration.dice_in_use import KnownDice, SeenDie, learn_dice, usual_edge_mm
from calibration.empty_tray import learn_empty, load_picture, save_picture
from calibration.lens import Lens
from calibration.profile import CalibrationProfile
from calibration.profile_choice import follow_movement, match_profile, profiles
from calibration.session import CalibrationSession, Sureness
from calibration.tray_geometry import find_tray
from messages.errors import BadInputError
from messages.message import Message
from simulator.geometry import face_corners
from simulator.scene import SceneDie, lying
from simulator.styles import STYLES
from simulator.truth import die_truth
from tests.calibration.scenes import HD, Image, Station, on_floor, station

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def three_dice() -> tuple[SceneDie, ...]:
    names = ("white", "red", "black")
    return tuple(
        lying(STYLES[name], 5, (30.0 * n - 30, 12.0 * n), 0.4 * n, 18.0) for n, name in enumerate(names)
    )


def area(ring: NDArray[np.float64]) -> float:
    """Of four corners (4, 2): half the cross product of the diagonals."""
    (one_x, one_y), (other_x, other_y) = ring[2] - ring[0], ring[3] - ring[1]
    return abs(one_x * other_y - one_y * other_x) / 2


def seen(table: Station, die: SceneDie) -> SeenDie:
    """What a perfect reader would see of it."""
    truth = die_truth(table.scene.view, die)
    top = table.scene.view.project(face_corners(5, 9.0) @ die.rotation.T + np.array(die.position_mm))
    return SeenDie(truth.center, float(np.sqrt(area(top))), truth.angle, truth.colour.value)


def frames_of(image: Image, count: int = 5) -> list[Image]:
    rng = np.random.default_rng(1)
    return [np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8) for _ in range(count)]


class Reading:
    """A reader that sees the dice that a test gives it."""

    def __init__(self) -> None:
        self.dice: tuple[SeenDie, ...] = ()

    def __call__(self, _: Image) -> tuple[SeenDie, ...]:
        return self.dice


@pytest.fixture
def reading() -> Reading:
    return Reading()


@pytest.fixture
def session(reading: Reading, marked: Image) -> CalibrationSession:
    """One that has found the tray."""
    session = CalibrationSession(reading, "camera", lambda: NOON)
    session.find_tray(marked)
    return session


@pytest.mark.thorough
def test_four_steps_make_a_profile(table, marked, empty, reading, tmp_path):
    session = CalibrationSession(reading, "USB camera 0", lambda: NOON)
    assert "a die of 16 mm is" in str(session.find_tray(marked))
    assert Message("calibration/empty/learnt") in session.learn_empty(frames_of(empty))
    reading.dice = tuple(seen(table, die) for die in three_dice())
    assert str(session.learn_dice(table.picture(dice=three_dice()))).startswith("3 dice of 18.")
    path = tmp_path / "kitchen.json"
    saved = session.save(path, "kitchen")
    known = CalibrationProfile.load(path)
    assert known == saved
    assert known.made == "2026-11-20T12:00:00+00:00"
    assert known.camera == "USB camera 0"
    assert known.die_mm == pytest.approx(18.0, rel=0.02)
    assert known.dice.bodies == ("white", "red", "black")
    assert known.dice.pips == ("black", "white", "white")
    mm, pixels = table.grid()
    assert np.median(np.linalg.norm(on_floor(known, pixels) - mm, axis=1)) < 1.0
    assert Reference(load_picture(tmp_path / known.reference, known.size_wh)).points > 20


def test_nothing_works_before_the_tray_is_found(empty, reading, tmp_path):
    session = CalibrationSession(reading, "camera", lambda: NOON)
    for step in (
        lambda: session.learn_empty([empty]),
        lambda: session.learn_dice(empty),
        session.profile,
        lambda: session.save(tmp_path / "p.json"),
    ):
        with pytest.raises(BadInputError, match="tray has to be found first"):
            step()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("count", range(3, 12))
def test_the_empty_tray_is_the_middle_of_the_frames(count):
    frames = np.random.default_rng(count).integers(100, 108, (count, 40, 50, 3)).astype(np.uint8)
    chosen = frames[np.round(np.linspace(0, count - 1, min(count, 9))).astype(int)]
    assert (learn_empty(frames, 0) == np.median(chosen, axis=0).astype(np.uint8)).all()


@pytest.mark.thorough
def test_a_failed_step_changes_nothing(table, session, empty, reading):
    before = session.profile()
    with pytest.raises(BadInputError):
        session.find_tray(empty)
    reading.dice = (seen(table, three_dice()[0]),)
    with pytest.raises(BadInputError, match="A die lies in the tray; take everything out"):
        session.learn_empty(frames_of(empty))
    reading.dice = ()
    with pytest.raises(BadInputError, match="No dice can be seen"):
        session.learn_dice(empty)
    assert session.profile() == before
    assert session.empty is None


@pytest.mark.thorough
def test_an_empty_tray_whose_light_cannot_be_judged_is_not_learnt(session, empty):
    session.tray = replace(session.tray, outline=session.tray.outline + 5000.0)
    with pytest.raises(BadInputError, match="no longer shows the tray"):
        session.learn_empty(frames_of(empty))
    assert session.empty is None


@pytest.mark.thorough
def test_markers_left_in_the_tray_are_refused(session, marked, empty):
    with pytest.raises(BadInputError, match="The markers still lie in the tray; take them out"):
        session.learn_empty(frames_of(marked))
    assert session.empty is None
    assert Message("calibration/empty/learnt") in session.learn_empty(frames_of(empty))
    # Whoever has glued them in may say so.
    assert Message("calibration/empty/learnt") in session.learn_empty(frames_of(marked), surely_empty=True)


@pytest.mark.thorough
def test_dice_outside_the_tray_do_not_exist(session, empty, reading):
    reading.dice = (SeenDie((3.0, 3.0), 40.0, 0.0, "white"),)
    assert Message("calibration/empty/learnt") in session.learn_empty(frames_of(empty))


@pytest.mark.slow
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_lens_that_was_measured_in_larger_pictures_fits_smaller_ones(table, marked, reading, *, by_hand):
    lens = Lens((1920, 1080), (1500.0, 1500.0), (959.5, 539.5), (-0.1, 0.02, 0.0, 0.0, 0.0), 0.1)
    found = []
    for known in (lens, lens.for_picture(HD)):
        session = CalibrationSession(reading, "camera", lambda: NOON)
        session.use_lens(known)
        if by_hand:
            session.set_corners(marked, table.corners_px.tolist(), 280)
        else:
            session.find_tray(marked)
        found.append(
            (session.tray.size_mm, session.tray.mm_per_px, session.tray.height_mm, session.tray.lens)
        )
    assert found[0] == found[1]
    session.use_lens(replace(lens, size_wh=(1600, 1200)))
    with pytest.raises(BadInputError, match="1600 by 1200, which have another shape than 1280 by 720"):
        session.find_tray(marked)


@pytest.mark.thorough
def test_a_picture_of_another_size_than_the_tray_was_found_in_is_refused(session, empty):
    """A board that was just timed takes smaller pictures, or somebody chose another size meanwhile."""
    before = session.profile()
    smaller = cv2.resize(empty, None, fx=0.75, fy=0.75).astype(np.uint8)
    for frames in (frames_of(smaller), [*frames_of(empty), smaller]):
        with pytest.raises(BadInputError, match="different size"):
            session.learn_empty(frames)
    with pytest.raises(BadInputError, match="different size"):
        session.learn_dice(smaller)
    assert session.profile() == before


@pytest.mark.thorough
def test_an_empty_tray_that_moves_is_refused(empty):
    restless = frames_of(empty)
    restless[2] = np.roll(restless[2], 40, axis=1)
    restless[2][100:400, 200:600] = 255
    with pytest.raises(BadInputError, match="Something moves"):
        learn_empty(restless, 0)
    with pytest.raises(BadInputError, match="too few pictures"):
        learn_empty(frames_of(empty, 2), 0)
    learnt = learn_empty(frames_of(empty, 9), 0)
    assert np.abs(learnt.astype(int) - empty).mean() < 1.2, "the noise is not taken out"


def test_dice_are_measured_wherever_they_lie(table, marked):
    tray = find_tray(marked)
    rng = random.Random(2)
    for edge in (12.0, 16.0, 25.0):
        x, y = (rng.uniform(-0.8, 0.8) * half for half in table.scene.tray.half_mm)
        die = lying(STYLES["white"], 5, (x, y), rng.uniform(0, 6), edge)
        top = table.scene.view.project(face_corners(5, edge / 2) @ die.rotation.T + np.array(die.position_mm))
        truth = die_truth(table.scene.view, die)
        found = SeenDie(truth.center, float(np.sqrt(area(top))), truth.angle, "white")
        assert learn_dice(marked, [found], tray).edge_mm[0] == pytest.approx(edge, rel=0.02)


def test_a_set_of_unlike_dice_has_no_one_size():
    assert usual_edge_mm(KnownDice((16.0, 16.2, 15.9))) == 16.0
    assert usual_edge_mm(KnownDice((12.0, 16.0))) is None
    assert usual_edge_mm(KnownDice()) is None


def test_sizes_that_cannot_be_are_refused(marked):
    with pytest.raises(BadInputError, match="mm wide; find the tray again"):
        learn_dice(marked, [SeenDie((640.0, 360.0), 2.0, 0.0, "white")], find_tray(marked))


def test_how_sure_the_reader_is_has_a_reason():
    session = CalibrationSession(Reading(), "camera", lambda: NOON)
    assert str(Sureness().message) == "Nothing has been checked yet."
    assert str(session.checked(5, 0, sure=True)) == (
        "All 5 dice were read correctly. Roll on: only several rolls tell how sure that is."
    )
    assert str(session.checked(5, 0, sure=True)) == (
        "All 10 dice were read correctly: fewer than 1 in 3 is wrong here."
    )
    for _ in range(2):
        session.checked(5, 0, sure=True)
    assert str(session.checked(5, 0, sure=False)) == (
        "All 25 dice were read correctly; 1 of 5 rolls was not sure: fewer than 1 in 8 is wrong here."
    )
    assert str(session.checked(5, 2, sure=True)).startswith("2 of 30 dice were misread")


def test_a_missing_or_damaged_empty_tray_is_reported(tmp_path, empty):
    with pytest.raises(BadInputError, match="is missing; learn the empty tray again"):
        load_picture(tmp_path / "none.png", HD)
    (tmp_path / "t.png").write_bytes(b"no picture")
    with pytest.raises(BadInputError, match="damaged or of another size"):
        load_picture(tmp_path / "t.png", HD)
    save_picture(tmp_path / "t.png", empty)
    with pytest.raises(BadInputError, match="damaged or of another size"):
        load_picture(tmp_path / "t.png", (640, 480))
    whole = (tmp_path / "t.png").read_bytes()
    for share in (0.3, 0.999):
        (tmp_path / "t.png").write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(BadInputError, match="damaged or of another size"):
            load_picture(tmp_path / "t.png", HD)


def made(folder: Path, name: str, where: Station, reading: Reading) -> CalibrationProfile:
    session = CalibrationSession(reading, "USB camera 0", lambda: NOON)
    session.find_tray(where.picture(markers=True))
    session.learn_empty(frames_of(where.picture(), 3))
    return session.save(folder / f"{name}.json", name)


@pytest.mark.slow
def test_the_profile_is_chosen_by_looking_and_follows_a_small_bump(tmp_path, table, reading):
    kitchen = made(tmp_path, "kitchen", table, reading)
    made(tmp_path, "living room", station(9, size_wh=HD), reading)
    (tmp_path / "broken.json").write_text("{")
    assert len(profiles(tmp_path)) == 2
    picture = table.picture(dice=three_dice())
    match = match_profile(tmp_path, picture)
    assert match.profile == kitchen
    bumped = match_profile(tmp_path, np.roll(picture, (4, 6), axis=(0, 1)))
    assert bumped.profile.name == "kitchen"
    assert np.allclose(np.array(bumped.profile.outline) - kitchen.outline, (6, 4), atol=0.4)
    assert match_profile(tmp_path, station(12, size_wh=HD).picture()) is None
    assert match_profile(tmp_path, picture, camera="Pi camera 0") is None


def test_a_large_bump_is_not_followed(session, empty):
    movement = Reference(empty).compare(np.roll(empty, 45, axis=1))
    with pytest.raises(BadInputError, match="find the tray again"):
        follow_movement(session.profile(), movement)
