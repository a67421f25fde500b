"""`yacht record`: frames and their truth."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import cv2
import pytest

from messages.errors import FailedError
from station.cli import run
from tests.cameras.worlds import card, next_frame
from vision.cameras.recorded import stills
from vision.cameras.recording import LABELS, Recorder
from vision.frame import EndOfRecording


class Silent(nullcontext[None]):
    """A camera that opens and shows nothing."""

    def read(self, timeout_s: float) -> None:
        assert timeout_s > 0


def labels(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / LABELS).read_text().splitlines()]


@pytest.mark.slow
def test_throws_are_recorded_with_the_truth_of_every_frame_and_alike_with_the_same_seed(tmp_path, capsys):
    again, folder = tmp_path / "again", tmp_path / "new" / "throws"
    for each in (again, folder):
        capsys.readouterr()
        assert run(["record", str(each), "--throws", "1", "--seed", "4", "--dice", "2"]) == 0
    for file in (LABELS, "00020.jpg"):
        assert (again / file).read_bytes() == (folder / file).read_bytes()
    rows = labels(folder)
    assert capsys.readouterr().out == f"{len(rows)} frames are in {folder}.\n"
    states = [row["state"] for row in rows]
    assert states[:2] == ["empty", "empty"]
    assert {"covered", "moving", "settled"} <= set(states)
    times = [row["time_s"] for row in rows]
    assert times == sorted(set(times))
    for row in rows:
        settled = row["state"] == "settled"
        assert (row["faces"] is not None) == settled
        if settled:
            assert len(row["faces"]) <= 2
            assert sorted(die["face"] for die in row["dice"]) == row["faces"]
    with stills(folder) as camera:
        for _ in rows:
            next_frame(camera)
        with pytest.raises(EndOfRecording):
            camera.read()


@pytest.mark.slow
def test_a_case_is_recorded_as_stills(tmp_path):
    assert run(["record", str(tmp_path / "a"), "--case", "empty tray", "--case", "stacked", "--png"]) == 0
    empty, stacked = labels(tmp_path / "a")
    assert (empty["statuses"], empty["dice"]) == (["empty"], [])
    assert stacked["reasons"] == ["stacked", "too_few"]
    assert sum(die["stacked"] for die in stacked["dice"]) == 1
    assert cv2.imread(str(tmp_path / "a" / stacked["file"])).shape == (720, 1280, 3)


def test_another_camera_is_recorded_without_truth(tmp_path):
    for number in range(30):
        cv2.imwrite(str(tmp_path / f"{number}.png"), card(number % 10))
    target = tmp_path / "copy"
    assert run(["record", str(target), "--camera", str(tmp_path), "--seconds", "1"]) == 0
    rows = labels(target)
    assert len(rows) == 16, "15 frames a second, the first one at 0"
    assert set(rows[0]) == {"file", "frame", "time_s"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--case", "snow"], "There is no case 'snow'"),
        (["--style", "plaid"], "There are no dice called 'plaid'"),
        (["--camera", "usb:0", "--seed", "1"], "are for the simulated tray"),
        (["--camera", "nowhere"], "no camera, folder or video called 'nowhere'"),
    ],
)
def test_nonsense_is_refused_before_anything_is_made(tmp_path, capsys, options, sentence):
    assert run(["record", str(tmp_path / "a"), *options]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("spec", "sentence"), [("usb:99", "No camera found at usb:99"), ("usb:0", "No picture came from usb:0")]
)
def test_a_camera_that_fails_or_shows_nothing_leaves_no_recording(
    spec, sentence, tmp_path, capsys, monkeypatch
):
    if spec == "usb:0":
        monkeypatch.setattr("station.camera.camera_factory.open_camera", lambda _: Silent())
    for _ in range(2):
        assert run(["record", str(tmp_path / "a"), "--camera", spec]) == 1
        assert sentence in capsys.readouterr().err
    assert list(tmp_path.glob("a/*")) == []


def test_a_recording_is_never_overwritten_and_a_place_that_is_no_folder_is_reported(tmp_path, capsys):
    (tmp_path / LABELS).write_text("precious\n")
    assert run(["record", str(tmp_path), "--case", "empty tray"]) == 2
    assert "choose another folder" in capsys.readouterr().err
    assert (tmp_path / LABELS).read_text() == "precious\n"
    assert run(["record", str(tmp_path / LABELS / "below"), "--case", "empty tray"]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_disk_that_is_full_between_a_picture_and_its_label_is_reported(tmp_path):
    recorder = Recorder(tmp_path)
    recorder._labels.close()
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - the recorder closes it
    recorder._labels = full
    with pytest.raises(FailedError, match="No space left"), recorder:
        recorder.add(card(1), {})
    assert not (tmp_path / LABELS).exists()
