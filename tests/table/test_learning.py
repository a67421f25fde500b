"""Corrections of people are kept, where that is allowed: at the table, from the frame to the folder."""

import json
from pathlib import Path

import numpy as np
import pytest

from station.camera.correction_crops import KEPT_MAX, CorrectionSaver
from station.game.dice.tray_corrections import NO_DIE
from station.table.play import Listeners
from station.table.table import Table
from tests.asking import do
from tests.table.helpers import reading
from vision.corrections import load_corrections
from vision.frame import Frame
from vision.reading import Reading

FRAME = Frame(np.random.default_rng(1).integers(0, 256, (720, 1280, 3), np.uint8), 0.0, 0)


class Eyes:
    """What the camera worker would have seen last."""

    def __init__(self, seen: Reading | None) -> None:
        self.seen = seen

    def __call__(self) -> tuple[Frame, Reading] | None:
        return None if self.seen is None else (FRAME, self.seen)


def _table(eyes: Eyes, folder: Path) -> Table:
    table = Table(listeners=Listeners(corrected=CorrectionSaver(eyes, folder)))
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    if eyes.seen is not None:
        table.offer(eyes.seen)
    return table


def test_a_corrected_die_is_kept_when_its_roll_is_confirmed(tmp_path: Path) -> None:
    eyes = Eyes(reading(1, 2, 3, 4, 5))
    table = _table(eyes, tmp_path / "corrections")
    do(table, {"command": "correct_die", "slot": 2, "face": 6})
    do(table, {"command": "correct_die", "slot": 2, "face": 5})  # a slip of the finger before
    assert not (tmp_path / "corrections").exists()
    do(table, {"command": "accept_roll"})
    (one,) = load_corrections(tmp_path / "corrections")
    assert (one.face, one.read) == (5, 2)
    assert one.path.read_bytes().startswith(b"\x89PNG")
    line = (tmp_path / "corrections" / "corrections.jsonl").read_text()
    assert set(json.loads(line)) == {"file", "face", "read"}


def test_without_the_setting_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = Table()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    table.offer(reading(1, 2, 3, 4, 5))
    do(table, {"command": "correct_die", "slot": 2, "face": 6})
    do(table, {"command": "accept_roll"})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seen", [None, reading(1, 2, 3, 4, 5, at=150.0), reading(1, 6, 3, 4, 5)])
def test_a_die_that_lies_elsewhere_or_was_read_so_is_not_kept(tmp_path: Path, seen: Reading | None) -> None:
    CorrectionSaver(Eyes(seen), tmp_path / "corrections")(200.0, 200.0, 6)
    assert not (tmp_path / "corrections").exists()


def test_what_is_no_die_is_no_correction_of_a_face(tmp_path: Path) -> None:
    assert NO_DIE == 0
    table = _table(Eyes(reading(1, 2, 3, 4, 5, 6)), tmp_path / "corrections")
    do(table, {"command": "not_a_die", "slot": 6})
    do(table, {"command": "accept_roll"})
    assert not (tmp_path / "corrections").exists()


def test_a_full_folder_takes_no_more(tmp_path: Path) -> None:
    for number in range(KEPT_MAX):
        (tmp_path / f"{number}.png").touch()
    CorrectionSaver(Eyes(reading(1, 2, 3, 4, 5)), tmp_path)(200.0, 200.0, 6)
    assert not (tmp_path / "corrections.jsonl").exists()


def test_a_folder_that_cannot_be_written_costs_the_game_nothing(tmp_path: Path) -> None:
    (tmp_path / "corrections").write_text("a file where the folder should be")
    table = _table(Eyes(reading(1, 2, 3, 4, 5)), tmp_path / "corrections")
    do(table, {"command": "correct_die", "slot": 2, "face": 6})
    state = do(table, {"command": "accept_roll"})
    assert [die["face"] for die in state["dice"]] == [1, 6, 3, 4, 5]
