"""Camera heights agree with projecting the corners of the tray, and the command says what they are."""

import json
import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from messages.errors import BadInputError
from messages.message import Message
from station.camera import mounting
from station.cli import run

sides = st.tuples(st.floats(100, 600), st.floats(100, 600))


def sees(camera: mounting.CameraOptics, height_mm: float, point_mm: tuple[float, float, float]) -> bool:
    """Project a point (from the middle of the tray's floor) and say whether it falls into the picture."""
    x, y, z = point_mm
    across = math.degrees(math.atan2(abs(x), height_mm - z))
    along = math.degrees(math.atan2(abs(y), height_mm - z))
    return across <= camera.across_deg / 2 + 1e-9 and along <= camera.along_deg / 2 + 1e-9


@given(sides, st.sampled_from(mounting.LENSES), st.floats(5, 40))
def test_a_die_in_the_corner_is_seen_whole_and_not_from_any_lower(tray, camera, die_mm):
    long_mm, short_mm = max(tray), min(tray)
    height = mounting.height_mm(camera, tray, die_mm=die_mm, margin_mm=0)
    corners = [(long_mm / 2, short_mm / 2, z) for z in (0, die_mm)]
    assert all(sees(camera, height, corner) for corner in corners)
    assert not all(sees(camera, height * 0.999, corner) for corner in corners)


@pytest.mark.parametrize("camera", mounting.LENSES, ids=lambda camera: camera.id)
def test_angles_are_those_of_the_picture_that_is_delivered(camera):
    across, along = (math.tan(math.radians(angle) / 2) for angle in (camera.across_deg, camera.along_deg))
    assert across / along == pytest.approx(16 / 9, rel=0.06), "makers round, and the wide lens bends lines"


@given(sides, st.sampled_from(mounting.LENSES))
def test_the_advised_place_is_never_called_too_low(tray, camera):
    seen = mounting.place(camera, tray, mounting.height_mm(camera, tray))
    assert Message("camera/mounting/higher") not in mounting.warnings(camera, seen, tray)


@given(sides, st.sampled_from(mounting.LENSES))
def test_the_way_a_tray_is_turned_does_not_matter(tray, camera):
    assert mounting.height_mm(camera, tray) == mounting.height_mm(camera, tray[::-1])


def test_every_warning_is_given_for_what_it_warns_of():
    def said(lens_id: str, tray: tuple[float, float], at_mm: float) -> str:
        camera = mounting.lens(lens_id)
        return " ".join(map(str, mounting.warnings(camera, mounting.place(camera, tray, at_mm), tray)))

    assert said("pi3", (240, 180), 330) == ""
    assert "does not fit" in said("pi3", (240, 180), 200)
    assert "in focus only from 1000 mm" in said("pi2", (240, 180), 330)
    assert "from the side" in said("pi3-wide", (240, 180), 150)
    assert "pixels wide" in said("pi3", (240, 180), 700)


@pytest.mark.parametrize("tray", [(0, 100), (100, -1), (9_000, 100), (math.nan, 100)])
def test_sizes_that_are_none_are_refused(tray):
    with pytest.raises(BadInputError):
        mounting.height_mm(mounting.lens("pi3"), tray)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--lens", "pi9"], "There is no lens 'pi9'; there are pi3,"),
        (["--tray", "large"], "'large' is no size; write it as 240x180."),
        (["--angle", "200x40"], "between 0 and 170 degrees"),
        (["--at", "3"], "The height has to be between 16 and 5000 mm."),
    ],
)
def test_bad_input_gets_a_sentence(arguments, sentence, capsys):
    assert run(["height", *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_the_command_says_how_high(capsys):
    assert run(["height", "--tray", "240x180", "--lens", "pi3"]) == 0
    printed = capsys.readouterr().out
    assert "hang the lens 297 mm above the floor" in printed
    assert run(["height", "--tray", "180X240", "--lens", "pi3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert round(answer["height_mm"]) == 297
    assert answer["warnings"] == []


@given(st.sampled_from(mounting.LENSES), st.floats(50, 1000), st.floats(5, 300))
def test_a_length_in_the_picture_tells_what_the_lens_sees(camera, from_mm, length_mm):
    across, along = (math.tan(math.radians(angle) / 2) for angle in (camera.across_deg, camera.along_deg))
    share = length_mm / (2 * from_mm * across)
    assume(share <= 1)
    found = mounting.measured(share, along / across, length_mm=length_mm, from_mm=from_mm)
    assert (found.across_deg, found.along_deg) == pytest.approx((camera.across_deg, camera.along_deg))


@given(sides, st.sampled_from(mounting.LENSES))
def test_a_stand_of_books_shows_the_tray_and_not_the_books(tray, camera):
    stand = mounting.book_stand(camera, tray)
    half_mm = stand.apart_mm / 2
    assert not sees(camera, stand.height_mm, (0, half_mm + 1e-6, 0))
    assert sees(camera, stand.height_mm, (max(tray) / 2, min(tray) / 2, 16))
    said = [each.key for each in stand.messages]
    assert "camera/mounting/higher" not in said
    assert ("camera/mounting/rod" in said) == (stand.apart_mm > 240)


@pytest.mark.parametrize(
    "bad", [{"share": 0}, {"share": 1.1}, {"ratio": 0}, {"length_mm": 0}, {"from_mm": -1}]
)
def test_what_cannot_be_measured_is_refused(bad):
    good = {"share": 0.5, "ratio": 0.5, "length_mm": 85.6, "from_mm": 300}
    with pytest.raises(BadInputError, match="cannot be measured"):
        mounting.measured(**good | bad)
