"""The tray is found to the millimetre, and what hinders it is said."""

import dataclasses

import cv2
import numpy as np
import pytest

from calibration.markers import find_markers
from calibration.tray_geometry import TrayFound, carried, find_tray, from_corners
from messages.errors import BadInputError
from simulator.scene import Thing
from simulator.things import corner_markers
from tests.calibration.scenes import HD, Image, Station, station


def millimetres(found: TrayFound, pixels: np.ndarray) -> np.ndarray:
    return carried(found.to_mm, pixels if found.lens is None else found.lens.straightened(pixels))


def errors(found: TrayFound, truth: Station) -> tuple[float, np.ndarray, float]:
    """Worst corner (pixels), all tray coordinates (mm), scale (share)."""
    mm, pixels = truth.grid()
    corner = float(np.linalg.norm(found.outline - truth.corners_px, axis=1).max())
    return (
        corner,
        np.linalg.norm(millimetres(found, pixels) - mm, axis=1),
        found.mm_per_px / truth.mm_per_px - 1,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 9))])
def test_four_markers_tell_outline_millimetres_and_bend(seed):
    truth = station(seed)
    corner, tray, scale = errors(find_tray(truth.picture(markers=True)), truth)
    assert corner < 1.0
    assert np.median(tray) < 1.0
    assert tray.max() < 2.5
    assert abs(scale) < 0.01


@pytest.mark.parametrize("seed", [3, 4])
def test_four_corners_by_hand_and_a_width_will_do(seed):
    truth = station(seed)
    width = 2 * truth.scene.tray.half_mm[0]
    found = from_corners(truth.corners_px, width, truth.scene.view.size_wh)
    _, tray, scale = errors(found, truth)
    # Neither focal length nor bend are known here: some hundredths of the tray are what can be had.
    assert found.size_mm[1] == pytest.approx(2 * truth.scene.tray.half_mm[1], rel=0.12)
    assert np.median(tray) < 0.03 * width
    assert abs(scale) < 0.06


@pytest.mark.thorough
def test_a_turned_marker_serves_as_well():
    truth = station(1, size_wh=HD)
    things = [*corner_markers(truth.scene.tray)]
    first = things[0]
    things[0] = Thing(first.kind, first.at_mm, np.pi / 2, first.size_mm)
    corner, tray, _ = errors(find_tray(truth.picture(things=tuple(things))), truth)
    assert corner < 1.0
    assert np.median(tray) < 1.0


def with_things(*things: Thing) -> Image:
    return station(1, size_wh=HD).picture(things=things)


def laid() -> list[Thing]:
    return list(corner_markers(station(1, size_wh=HD).scene.tray))


def half_hidden() -> list[Thing]:
    x, y = laid()[1].at_mm
    return [*laid(), Thing("card", (x + 10, y), 0.3, 50.0)]


def swapped() -> list[Thing]:
    one, two, *others = laid()
    return [dataclasses.replace(two, at_mm=one.at_mm), dataclasses.replace(one, at_mm=two.at_mm), *others]


def of_another_size() -> list[Thing]:
    return [
        Thing(each.kind, each.at_mm, 0.0, size) for each, size in zip(laid(), (40, 34, 40, 46), strict=True)
    ]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("things", "sentence"),
    [
        (list, "No marker can be seen; lay the four markers"),
        (lambda: [*laid()[:2], laid()[3]], r"Marker 2 \(bottom right\) cannot be seen"),
        (half_hidden, r"Marker 1 \(top right\) cannot be seen; lay it flat"),
        (swapped, "wrong corners; they belong: 0 top left, 1 top right"),
        (lambda: [*laid(), Thing("marker 3", (0.0, 0.0), 0.5, 40.0)], "Marker 3 is in the picture twice"),
        (of_another_size, r"do not fit together .* print the page at 100%"),
    ],
)
def test_markers_that_do_not_serve_get_a_sentence(things, sentence):
    with pytest.raises(BadInputError, match=sentence):
        find_tray(with_things(*things()))


@pytest.mark.slow
def test_markers_seen_in_a_mirror_get_a_sentence():
    mirrored = np.asarray(cv2.flip(with_things(*laid()), 1), np.uint8)
    with pytest.raises(BadInputError, match="as in a mirror"):
        find_markers(mirrored)


@pytest.mark.thorough
def test_blurred_markers_get_a_sentence():
    sharp = with_things(*laid())
    sentences = set()
    side = 30 / station(1, size_wh=HD).mm_per_px
    for sigma in (side * 0.042, side * 0.08, side * 0.2):
        with pytest.raises(BadInputError) as error:
            find_markers(np.asarray(cv2.GaussianBlur(sharp, (0, 0), sigma), np.uint8))
        sentences.add(str(error.value).split(" ", 2)[2].split(";")[0])
    assert any("blurred" in each for each in sentences), sentences


@pytest.mark.parametrize(
    ("corners", "width", "sentence"),
    [
        ([(0, 0), (9, 9), (9, 0), (0, 9)], 200, "not the four corners of a tray"),
        ([(0, 0), (900, 0), (900, 500)], 200, "not the four corners of a tray"),
        ([(0, 0), (9, 0), (9, 9), (0, 9)], 200, "too close together"),
        ([(5000, 5000), (6000, 5000), (6000, 6000), (5000, 6000)], 280, "lies outside the picture"),
        ([(100, 100), (900, 100), (900, 760), (100, 600)], 280, "lies outside the picture"),
        ([(100, 100), (100, 600), (900, 600), (900, 100)], 280, "wrong way round"),
        ([(0, 0), (900, 0), (900, 500), (0, 500)], 0, "cannot be 0 mm wide"),
    ],
)
def test_corners_by_hand_that_cannot_be_are_refused(corners, width, sentence):
    with pytest.raises(BadInputError, match=sentence):
        from_corners(np.array(corners, float), width, HD)
