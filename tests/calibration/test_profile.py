"""The profile: a file that a person can read, that survives versions and refuses nonsense."""

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.lens import Lens
from calibration.profile import VERSION, CalibrationProfile, KnownDice, LightFigures
from messages.errors import BadInputError
from tests.calibration.scenes import on_floor

FULL = CalibrationProfile(
    outline=((10.0, 10.0), (90.0, 12.0), (88.0, 60.0), (9.0, 58.0)),
    mm_per_px=0.4,
    die_mm=16.0,
    name="kitchen",
    made="2026-11-20T12:00:00+00:00",
    camera="USB camera 0",
    size_wh=(100, 75),
    tray_mm=(32.0, 20.0),
    to_mm=(0.4, 0.0, -20.0, 0.0, 0.4, -15.0, 0.0, 0.0, 1.0),
    lens=Lens((100, 75), (80.0, 80.0), (49.5, 37.0), (-0.1, 0.01, 0.0, 0.0, 0.0), 0.2),
    dice=KnownDice((16.0, 15.9), ("white", "red"), ("black", "white")),
    light=LightFigures(120.0, 1.1, 2.0),
    reference="kitchen.empty.png",
    controls=(("ExposureTime", 10000.0), ("AnalogueGain", 1.5)),
)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "new" / "kitchen.json"
    FULL.save(path)
    assert CalibrationProfile.load(path) == FULL
    assert list(path.parent.iterdir()) == [path], "something is left beside it"
    assert '"outline": [\n  [10.0, 10.0],' in path.read_text(), "a person cannot read it"


def test_an_unknown_profile_is_small(tmp_path: Path) -> None:
    CalibrationProfile(die_mm=16.0).save(tmp_path / "p.json")
    assert json.loads((tmp_path / "p.json").read_text()) == {
        "version": VERSION,
        "die_mm": 16.0,
        "name": "table",
    }


def test_version_1_is_migrated() -> None:
    old = {"version": 1, "outline": [[1, 2], [3, 4], [5, 1]], "mm_per_px": 0.5, "die_mm": None}
    profile = CalibrationProfile.from_json(old, "old.json")
    assert profile == CalibrationProfile(outline=((1.0, 2.0), (3.0, 4.0), (5.0, 1.0)), mm_per_px=0.5)
    assert profile.version == VERSION


def test_a_whole_number_may_be_written_with_a_point() -> None:
    written = {**FULL.to_json(), "size_wh": [1280.0, 720.0]}
    assert CalibrationProfile.from_json(written, "kitchen.json").size_wh == (1280, 720)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": VERSION + 1}, "newer than this program knows"),
        ({"version": 0}, "no profile of version 0"),
        ({"version": "2"}, "is not a profile"),
        ({"colour": "red"}, "an unknown entry, 'colour'"),
        ({"mm_per_px": -1}, "impossible length"),
        ({"mm_per_px": float("nan")}, "impossible value"),
        ({"die_mm": "big"}, "impossible value"),
        ({"outline": [[1, 2], [3, 4]]}, "impossible value"),
        ({"outline": [[1, 2, 3]]}, "impossible value"),
        ({"outline": 5}, "impossible value"),
        ({"to_mm": [1, 2, 3]}, "impossible value"),
        ({"size_wh": [0, 5]}, "impossible value"),
        ({"size_wh": [float("inf"), 5]}, "impossible value"),
        ({"die_mm": 10**400}, "impossible value"),
        ({"lens": {"focal": [1, 1]}}, "impossible value"),
        ({"lens": []}, "impossible value"),
        ({"dice": []}, "impossible value"),
        ({"light": {"brightness": 1}}, "impossible value"),
        ({"name": 7}, "impossible value"),
        ({"reference": "../kitchen.empty.png"}, "impossible value"),
        ({"reference": ""}, "impossible value"),
        ({"dice": {"edge_mm": [15.79, 15790]}}, "impossible length"),
        ({"dice": {"edge_mm": [-15.79]}}, "impossible length"),
    ],
)
def test_nonsense_is_refused(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInputError) as refused:
        CalibrationProfile.from_json({**FULL.to_json(), **change}, "kitchen.json")
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"7",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"outline": []}',
        b'{"die_mm": ' + b"1" * 5000 + b"}",
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p.json").write_bytes(content)
    with pytest.raises(BadInputError, match="is not a profile"):
        CalibrationProfile.load(tmp_path / "p.json")


def test_a_cut_off_file_is_refused(tmp_path: Path) -> None:
    FULL.save(tmp_path / "p.json")
    whole = (tmp_path / "p.json").read_bytes()
    for length in range(0, len(whole) - 2, 61):
        (tmp_path / "p.json").write_bytes(whole[:length])
        with pytest.raises(BadInputError):
            CalibrationProfile.load(tmp_path / "p.json")


def test_a_missing_one_is_reported() -> None:
    with pytest.raises(BadInputError, match=r"There is no profile .*; make one with 'yacht calibrate'"):
        CalibrationProfile.load(Path("/no/such/profile.json"))


def test_it_fits_the_same_picture_larger() -> None:
    large = FULL.for_picture((200, 150))
    assert large.outline[1] == (180.0, 24.0)
    assert large.mm_per_px == 0.2
    assert large.die_px == 80.0
    assert large.lens.middle[0] == pytest.approx(99.5)
    flat = CalibrationProfile(size_wh=(100, 75), to_mm=FULL.to_mm)
    spots = np.array([[30.0, 20.0], [70.0, 50.0]])
    assert np.allclose(on_floor(flat, spots), on_floor(flat.for_picture((200, 150)), spots * 2))


def test_another_shape_and_another_camera_are_refused() -> None:
    with pytest.raises(BadInputError, match="100 by 75, which have another shape than 160 by 90"):
        FULL.for_picture((160, 90))
    with pytest.raises(BadInputError, match="turned on its side"):
        FULL.for_picture((75, 100))
    with pytest.raises(BadInputError, match="made for the USB camera 0, not for the Pi camera 0"):
        FULL.for_picture((100, 75), "Pi camera 0")
    assert FULL.for_picture((100, 75), "USB camera 0") is FULL


def test_it_follows_a_bump() -> None:
    change = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, -2.0]])
    moved = CalibrationProfile(outline=FULL.outline, to_mm=FULL.to_mm).moved(change)
    assert moved.outline[0] == (13.0, 8.0)
    flat = CalibrationProfile(to_mm=FULL.to_mm)
    spot = np.array([[40.0, 30.0]])
    assert np.allclose(on_floor(moved, spot + np.array([3, -2])), on_floor(flat, spot))


def test_the_dice_keeper_is_kept_scaled_and_follows_a_bump(tmp_path: Path):
    keeper = ((100.0, 50.0), (140.0, 50.0), (140.0, 150.0))
    profile = CalibrationProfile(
        outline=((0.0, 0.0), (200.0, 0.0), (200.0, 200.0)), size_wh=(640, 360), keeper=keeper
    )
    profile.save(tmp_path / "profile.json")
    assert CalibrationProfile.load(tmp_path / "profile.json").keeper == keeper
    assert profile.for_picture((1280, 720)).keeper == ((200.0, 100.0), (280.0, 100.0), (280.0, 300.0))
    bumped = profile.moved(np.array([[1.0, 0.0, 7.0], [0.0, 1.0, -3.0]]))
    assert bumped.keeper == ((107.0, 47.0), (147.0, 47.0), (147.0, 147.0))
