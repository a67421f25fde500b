"""A profile that no longer holds is noticed: followed where the bump was small, distrusted where not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import light
from calibration.profile import CalibrationProfile
from messages.message import Message
from station.camera.profile_guard import NOTICE_S, ProfileGuard
from vision.frame import Frame
from vision.picture import encode_jpeg
from vision.stream import SETTLE_S

AGREEING = 3
LOOK_S = 0.4
WIDTH, HEIGHT = 640, 480
OUTLINE = ((100.0, 100.0), (540.0, 100.0), (540.0, 380.0), (100.0, 380.0))


def tray(seed=3):
    """A picture with structure everywhere."""
    rng = np.random.default_rng(seed)
    rough = rng.integers(0, 255, (HEIGHT // 8, WIDTH // 8, 3), dtype=np.uint8)
    return cv2.resize(rough, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)


def moved(image, right, down):
    change = np.array([[1.0, 0, right], [0, 1, down]])
    return cv2.warpAffine(image, change, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)


class Film:
    """Frames one after the other, as far apart as the guard looks."""

    def __init__(self, guard):
        self.guard = guard
        self.number = 0

    def frame(self, image):
        self.number += 1
        return Frame(image, self.number * 1.1 * LOOK_S, self.number)

    def shows(self, image, count=AGREEING):
        for _ in range(count):
            verdict = self.guard.look(self.frame(image))
        return verdict


@pytest.fixture
def film(tmp_path):
    (tmp_path / "empty.jpg").write_bytes(encode_jpeg(tray(), quality=98))
    profile = CalibrationProfile(
        outline=OUTLINE, size_wh=(WIDTH, HEIGHT), camera="USB camera 0", reference="empty.jpg"
    )
    film = Film(ProfileGuard(profile, tmp_path))
    verdict = film.guard.begin(film.frame(tray()), "USB camera 0")
    assert (verdict.profile.outline, verdict.trusted, verdict.message) == (OUTLINE, True, None)
    return film


def test_a_small_bump_is_followed_and_reported_and_taken_back_with_the_camera(film):
    assert (film.shows(tray(), count=10).trusted, film.guard.verdict.message) == (True, None)
    before, bumped = film.guard.verdict.empty, moved(tray(), 5.0, -3.0)
    assert film.shows(bumped, count=AGREEING - 1).message is None
    verdict = film.shows(bumped)
    assert verdict.trusted
    inner = (slice(40, -40), slice(40, -40))
    assert np.abs(verdict.empty[inner].astype(int) - bumped[inner]).mean() < 6, "it is followed, too"
    assert str(verdict.message).startswith("The camera was bumped: the picture moved by 5.")
    assert np.allclose(verdict.profile.outline, [(x + 5.0, y - 3.0) for x, y in OUTLINE], atol=0.5)
    assert film.shows(bumped) is verdict
    assert film.shows(moved(tray(), 9.0, -3.0)).profile.outline[0][0] == pytest.approx(109.0, abs=0.5)
    verdict = film.shows(tray())
    assert (verdict.profile.outline, verdict.message) == (OUTLINE, None)
    assert verdict.empty is before


@pytest.mark.parametrize("share", [0.75, 2.0])
def test_pictures_of_another_size_are_watched_over_too(film, share):
    """The picture was made smaller after calibration, on the page or by a board that is short of memory."""

    def taken(image):
        return film.frame(cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA))

    verdict = film.guard.begin(taken(tray()), "USB camera 0")
    assert np.allclose(verdict.profile.outline, np.array(OUTLINE) * share)
    assert (verdict.empty.shape[1], verdict.empty.shape[0]) == (WIDTH * share, HEIGHT * share)
    for _ in range(AGREEING):
        verdict = film.guard.look(taken(tray()))
    assert (verdict.trusted, verdict.message) == (True, None)
    for _ in range(AGREEING):
        verdict = film.guard.look(taken(moved(tray(), 60.0, 0.0)))
    assert not verdict.trusted


def test_a_camera_that_was_moved_while_it_was_off_is_never_trusted(film):
    guard, bumped = film.guard, moved(tray(), 60.0, 0.0)
    opened = [guard.begin(Frame(bumped, 100.0, 0), "USB camera 0")]
    opened += [guard.look(Frame(bumped, 100.0 + number / 15, number)) for number in range(1, 30)]
    assert not any(verdict.settled and verdict.trusted for verdict in opened)
    settled_s = [verdict.settled for verdict in opened].index(True) / 15
    assert settled_s < SETTLE_S, "the start is delayed"


@pytest.mark.thorough
@pytest.mark.parametrize("plain", [True, False])
def test_where_too_little_can_be_compared_nothing_is_waited_for_long(tmp_path, plain):
    empty = np.full((HEIGHT, WIDTH, 3), 90, np.uint8) if plain else tray()
    (tmp_path / "empty.png").write_bytes(cv2.imencode(".png", empty)[1].tobytes())
    guard = ProfileGuard(
        CalibrationProfile(outline=OUTLINE, size_wh=(WIDTH, HEIGHT), reference="empty.png"), tmp_path
    )
    dark = np.full((HEIGHT, WIDTH, 3), 10, np.uint8)
    assert guard.begin(Frame(dark, 0.0, 0), "any").settled == plain
    assert [guard.look(Frame(dark, number / 15, number)).settled for number in range(1, 30)][-1]


def test_a_profile_of_another_camera_is_reported_and_left_out(tmp_path):
    guard = ProfileGuard(
        CalibrationProfile(outline=OUTLINE, size_wh=(WIDTH, HEIGHT), camera="Pi camera"), tmp_path
    )
    verdict = guard.begin(Frame(tray(), 0.0, 0), "USB camera 0")
    assert (verdict.profile, verdict.trusted) == (None, True)
    assert "was made for the Pi camera, not for the USB camera 0" in str(verdict.message)
    assert guard.look(Frame(tray(), 1.0, 1)) is verdict


@pytest.mark.parametrize("reference", [None, "missing.png", "small.jpg"])
def test_without_a_picture_of_the_empty_tray_the_profile_is_used_as_it_is(tmp_path, reference):
    (tmp_path / "small.jpg").write_bytes(encode_jpeg(tray(), width_max=320))
    guard = ProfileGuard(
        CalibrationProfile(outline=OUTLINE, size_wh=(WIDTH, HEIGHT), reference=reference), tmp_path
    )
    assert guard.begin(Frame(tray(), 0.0, 0), "any").profile.outline == OUTLINE
    assert guard.look(Frame(moved(tray(), 60.0, 0.0), 1.0, 1)).trusted


@pytest.mark.slow
def test_a_word_about_the_light_passes_but_not_over_a_greater_trouble(film, monkeypatch):
    monkeypatch.setattr(light, "changed", lambda *_: Message("calibration/light/darker"))
    film.guard._monitor._learnt = replace(film.guard._monitor._learnt, light=light.figures(tray()))
    assert film.shows(tray(), count=20).message == Message("calibration/light/darker")
    told = film.number
    while film.shows(tray(), count=1).message:
        assert (film.number - told) * LOOK_S < NOTICE_S
    lost = film.shows(tray(seed=9), count=30)
    assert not lost.trusted
    assert "find the tray" in str(lost.message).lower()
