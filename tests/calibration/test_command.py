"""`yacht calibrate` from the terminal."""

import cv2
import numpy as np
import pytest

from calibration.profile import CalibrationProfile
from station.cli import run
from tests.calibration.scenes import board_view, station
from tests.calibration.test_lens import lens_of
from tests.cameras.test_wanted import sized


@pytest.mark.slow
def test_the_simulated_tray_is_calibrated_without_a_hand(tmp_path, capsys):
    path = tmp_path / "p.json"
    assert run(["calibrate", "--camera", "simulated", "--profile", str(path), "--name", "demo"]) == 0
    printed = capsys.readouterr().out
    assert "The tray is 280 by 200 mm" in printed
    assert "The light is good." in printed
    known = CalibrationProfile.load(path)
    assert known.name == "demo"
    assert known.die_mm == pytest.approx(16, rel=0.05)
    assert known.tray_mm == pytest.approx((280, 200), rel=0.005)
    assert len(list(tmp_path.glob("p.*.empty.png"))) == 1


def test_a_failed_calibration_keeps_the_old_profile(tmp_path, capsys):
    path = tmp_path / "p.json"
    CalibrationProfile(name="old").save(path)
    for number in range(30):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((360, 640, 3), 120, np.uint8))
    options = ["--camera", str(tmp_path), "--profile", str(path), "--yes"]
    assert run(["calibrate", *options]) == 2
    assert "No marker can be seen" in capsys.readouterr().err
    assert CalibrationProfile.load(path).name == "old"


def test_the_camera_is_that_of_the_settings_unless_one_is_named(tmp_path, capsys):
    (tmp_path / "station.toml").write_text('camera = "set"')
    options = ["--config", str(tmp_path / "station.toml"), "--profile", str(tmp_path / "p.json")]
    for named, taken in (([], "set"), (["--camera", "named"], "named")):
        assert run(["calibrate", *options, *named]) == 2
        assert f"no camera, folder or video called '{taken}'" in capsys.readouterr().err


@pytest.mark.slow
def test_the_picture_is_turned_as_the_station_turns_it(tmp_path, capsys, monkeypatch):
    """What was chosen on the page lies beside the profile. As it comes the picture is not so high."""
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: sized([(640, 360)], (640, 360)))
    (tmp_path / "picture.json").write_text('{"rotation": 90}')
    upright = ["--corners", "20,20 340,20 340,620 20,620", "--width", "200", "--yes"]
    assert run(["calibrate", "--camera", "usb:0", "--profile", str(tmp_path / "p.json"), *upright]) == 2
    assert "The tray is 200 by 375 mm" in capsys.readouterr().out


def test_a_place_that_cannot_be_written_is_reported_before_the_first_step(tmp_path, capsys):
    (tmp_path / "file").write_text("no folder")
    profile = tmp_path / "file" / "p.json"
    assert run(["calibrate", "--camera", "simulated", "--profile", str(profile)]) == 1
    printed = capsys.readouterr()
    assert "cannot be written" in printed.err
    assert not printed.out


@pytest.mark.thorough
def test_a_recording_that_is_too_short(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "1.png"), station(1, size_wh=(1280, 720)).picture(markers=True))
    options = ["--camera", str(tmp_path), "--profile", str(tmp_path / "p.json"), "--yes"]
    assert run(["calibrate", *options]) == 1
    assert "too short to calibrate with" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--width", "200"], "--width goes with --corners"),
        (["--corners", "1,1 2,2 3,3 4,4"], "--corners needs --width"),
        (["--corners", "a,b", "--width", "200"], "are no corners"),
        (["--corners", "1,1 2,2", "--width", "200"], "four corners, not 2"),
        (["--print", "page.docx"], "neither in .pdf nor in .svg"),
        (["--print", "/no/such/folder/page.pdf"], "cannot be written"),
        (["--camera", "nowhere"], "no camera, folder or video called"),
    ],
)
def test_nonsense_gets_a_sentence(options, sentence, capsys):
    assert run(["calibrate", *options]) in {1, 2}
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["pdf", "svg"])
def test_the_page_is_written(tmp_path, suffix, capsys):
    assert run(["calibrate", "--print", str(tmp_path / f"page.{suffix}")]) == 0
    assert "at 100%" in capsys.readouterr().out
    assert (tmp_path / f"page.{suffix}").stat().st_size > 3000


@pytest.mark.slow
def test_a_lens_folder_that_does_not_help(tmp_path, capsys):
    folder = tmp_path / "lens"
    folder.mkdir()
    for number in range(5):
        view = board_view(lens_of(0.0), (0.1, 0.2, 0.0), (-90.0, -60.0, 300.0), number)
        cv2.imwrite(str(folder / f"{number}.png"), view)
    options = ["--camera", "simulated", "--lens", str(folder), "--profile", str(tmp_path / "p.json")]
    assert run(["calibrate", *options]) == 2
    assert "Views so far: 5, different enough: 1" in capsys.readouterr().err
    assert not (tmp_path / "p.json").exists()
