"""Every complaint about the light is raised when it should be, and none in good light."""

import dataclasses
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.light import Complaint, changed, figures, inspect
from calibration.profile import LightFigures
from messages.message import Message
from simulator import CameraView, Scene, SceneLight, SceneSensor, SceneTray
from tests.calibration.scenes import Image, Station

GOOD = Station(Scene((), CameraView(), SceneTray(), SceneLight(), SceneSensor()))
OUTLINE = [(float(x), float(y)) for x, y in GOOD.corners_px]


def complaints(image: Image, *more: Image, die_px: float | None = None) -> set[Complaint]:
    return set(inspect([*more, image], OUTLINE, die_px).complaints)


@cache
def seen(**changes: object) -> Image:
    """The tray with another light or sensor."""
    light = {key: value for key, value in changes.items() if hasattr(GOOD.scene.light, key)}
    sensor = {key: value for key, value in changes.items() if hasattr(GOOD.scene.sensor, key)}
    tray = {key: value for key, value in changes.items() if hasattr(GOOD.scene.tray, key)}
    return Station(
        dataclasses.replace(
            GOOD.scene,
            light=dataclasses.replace(GOOD.scene.light, **light),  # type: ignore[arg-type]
            sensor=dataclasses.replace(GOOD.scene.sensor, **sensor),  # type: ignore[arg-type]
            tray=dataclasses.replace(GOOD.scene.tray, **tray),  # type: ignore[arg-type]
        )
    ).picture()


@pytest.mark.thorough
def test_good_light_gets_praise() -> None:
    assert complaints(seen(), die_px=45.0) == set()
    outline = [(float(x), float(y)) for x, y in GOOD.corners_px]
    assert inspect([seen()], outline).messages == (Message("calibration/light/good"),)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        pytest.param({"exposure": 0.08}, Complaint.DARK, marks=pytest.mark.thorough),
        pytest.param(
            {"exposure": 3.0, "floor": (235, 235, 232)}, Complaint.BURNT, marks=pytest.mark.thorough
        ),
        pytest.param(
            {"lamp_mm": (-430.0, 0.0, 330.0), "lamp": 0.8, "room": 0.08, "rim_mm": (0.0, 0.0)},
            Complaint.UNEVEN,
            marks=pytest.mark.thorough,
        ),
        ({"blur_px": 3.5}, Complaint.UNSHARP),
    ],
)
def test_other_light_or_focus_is_complained_of(changes: dict[str, object], complaint: Complaint) -> None:
    assert complaint in complaints(seen(**changes))


def test_a_lamp_mirrored_in_a_dark_tray() -> None:
    image = seen().copy()
    y, x = np.ogrid[:720, :1280]
    image[(x - 600) ** 2 + (y - 330) ** 2 < 45**2] = 255
    report = inspect([image], [(float(a), float(b)) for a, b in GOOD.corners_px])
    assert report.complaints == (Complaint.GLARE,)
    assert np.allclose(report.spots[0], (600, 330), atol=2)
    assert "thin paper" in str(report.messages[1])


@pytest.mark.thorough
def test_flicker_of_the_mains() -> None:
    steady = [seen()] * 6
    assert Complaint.FLICKER not in complaints(steady[0], *steady)
    rows = np.arange(720)[:, None, None]
    bands = [
        np.clip(steady[0] * (1 + 0.10 * np.sin(rows / 60 + phase)), 0, 255).astype(np.uint8)
        for phase in range(6)
    ]
    assert Complaint.FLICKER in complaints(bands[0], *bands)


@pytest.mark.thorough
def test_a_strong_shadow_is_marked() -> None:
    shaded = seen(shades=((10.0, 0.0, 60.0, 0.9),), size_mm=30.0)
    assert Complaint.SHADOW in complaints(shaded)
    (dim,) = inspect([shaded], OUTLINE).dim
    marked = np.zeros(shaded.shape[:2], np.uint8)
    cv2.fillPoly(marked, [np.array(dim).round().astype(np.int32)], (1,))
    tray = np.zeros(shaded.shape[:2], np.uint8)
    cv2.fillPoly(tray, [np.array(OUTLINE).round().astype(np.int32)], (1,))
    tray = cv2.erode(tray, np.ones((81, 81), np.uint8))  # the rim is dark by itself
    grey = cv2.cvtColor(shaded, cv2.COLOR_BGR2GRAY)
    dark, bright = grey[(marked > 0) & (tray > 0)], grey[(marked == 0) & (tray > 0)]
    assert (dark / 255.0).mean() ** 2.2 < 0.6 * (bright / 255.0).mean() ** 2.2
    assert 0.2 < len(dark) / len(bright) < 5
    assert not inspect([seen()], OUTLINE).dim


def test_small_dice() -> None:
    assert Complaint.SMALL in complaints(seen(), die_px=20.0)


def test_every_complaint_says_what_to_do() -> None:
    for each in Complaint:
        what, remedy = each.messages
        assert str(what).endswith(".")
        assert str(remedy).endswith(".")


@pytest.mark.parametrize(
    ("now", "word"),
    [((40.0, 1.0), "darker"), ((240.0, 1.0), "brighter"), ((120.0, 1.9), "colour"), ((130.0, 1.1), None)],
)
def test_a_change_of_light_has_a_sentence(now: tuple[float, float], word: str | None) -> None:
    sentence = changed(LightFigures(120.0, 1.0, 2.0), LightFigures(*now, 2.0))
    assert sentence is None if word is None else word in str(sentence)


def test_the_figures_are_what_they_are_called() -> None:
    rng = np.random.default_rng(1)
    noisy = np.clip(100 + rng.normal(0, 8, (400, 400, 1)) + np.array([0, 0, 40]), 0, 255).astype(np.uint8)
    found = figures(noisy)
    assert found.brightness == pytest.approx(0.114 * 100 + 0.587 * 100 + 0.299 * 140, abs=1)
    assert found.warmth == pytest.approx(1.4, abs=0.02)
    assert found.noise == pytest.approx(8, rel=0.15)
