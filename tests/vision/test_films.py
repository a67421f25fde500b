"""The figures of filmed throws: what counts as the right roll offered, and from when on."""

import json
from pathlib import Path

import cv2
import pytest

from bench.films import films, sequences, watch
from tests.vision.helpers import draw, empty_tray

FPS = 20.0
ROLLED, LYING = (100.0, 150.0), (200.0, 200.0)


def _throw(folder: Path) -> None:
    """A die that rolls in two frames and lies from the third on."""
    folder.mkdir()
    for number in range(9):
        image = empty_tray()
        draw(image, 5, ROLLED if number < 2 else LYING)
        cv2.imwrite(str(folder / f"{number:03d}.png"), image)


def _labels(folder: Path, **truth: object) -> None:
    frames = [
        {"sequence": "throw", "time_s": k / FPS, "dice": [], "final_n_cocked": 0, "settle_frame": 2} | truth
        for k in range(9)
    ]
    (folder / "labels.jsonl").write_text("".join(json.dumps(one) + "\n" for one in frames))


@pytest.mark.thorough
def test_a_right_offer_counts_from_the_frame_in_which_the_die_lies(tmp_path: Path) -> None:
    _throw(tmp_path / "throw")
    _labels(tmp_path, final_values=[5])
    (film,) = sequences(tmp_path)
    told = watch(film)
    assert (told.right, told.wrong) == (True, 0)
    # a quarter of a second at 20 frames a second, the first of them the one that shows it lie
    assert round(told.after_s * FPS) == 5
    assert len(told.ms) == 9


@pytest.mark.thorough
def test_another_roll_and_one_that_cannot_be_seen_are_wrong_offers(tmp_path: Path) -> None:
    _throw(tmp_path / "throw")
    for truth in ({"final_values": [4]}, {"final_values": [5], "dice": [{"legible": False}]}):
        _labels(tmp_path, **truth)
        (film,) = sequences(tmp_path)
        told = watch(film)
        assert not told.right
        assert told.wrong == 2


def test_films_are_listed_with_their_truth(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("file,fps,faces_at_rest,rest_frames\nthrow.mp4,30.0,4-1,67-80\n")
    (film,) = films(tmp_path)
    assert (film.path, film.faces, film.rest, film.fps) == (tmp_path / "throw.mp4", (1, 4), (67, 80), 30.0)
