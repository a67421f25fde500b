"""What is measured of the next reader, on makers of whom nothing taught."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from lab.training.reader import measure
from lab.training.reader.sources import Picture
from lab.two_networks.faces import Seen
from lab.two_networks.places import LONG_SIDES, Place
from lab.two_networks.reader import TwoNetworks
from lab.two_networks.verdict import Verdict


def _seen(face: int, chance: float, *, none: float = 0.0, x: float = 10.0) -> Seen:
    odds = [none, *[(1 - none - chance) / 5] * 6]
    odds[face] = chance
    return Seen(Place(x, 10.0, 20.0, 0.9), tuple(odds))


def _row(sure: float, *, right: bool, maker: str = "somebody", astray: float = 0.0) -> measure.Row:
    verdict = Verdict((_seen(4 if right else 5, sure),), sure, likeliest=sure)
    return measure.Row(maker, maker, (4,), verdict, (Verdict(sure=astray),), verdict, None)


def test_what_is_kept_comes_back() -> None:
    seen = [_seen(3, 0.75, none=0.125)]
    (kept,) = measure.from_json(json.loads(json.dumps(measure.as_json(seen))))
    assert (kept.face, kept.sure) == (3, pytest.approx(seen[0].sure, abs=1e-4))


def test_every_size_is_kept_and_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((64, 64, 3), np.uint8))
    pictures = [Picture(tmp_path / "1.png", "somebody", "somebody", "MIT", "", (), ())]
    sizes = []

    def nothing(shown: np.ndarray) -> np.ndarray:
        sizes.append(shown.shape[3])
        return np.full((1, 4, shown.shape[2] // 4, shown.shape[3] // 4), -9, np.float32)

    for _ in range(2):
        measure.read_all(TwoNetworks(nothing, nothing), pictures, tmp_path / "read.jsonl", tmp_path)
    assert sizes == list(LONG_SIDES)
    (row,) = measure.rows(pictures, tmp_path / "read.jsonl", tmp_path / "today.jsonl", tmp_path)
    assert row.with_count == row.without_count == Verdict()
    *_, last = measure.table([row, _row(0.9, right=True, maker="other")])
    assert last == "Called empty: 1 of 1 without a die, 0 of 1 with one."


def test_the_table_counts_right_and_wrong_of_both_readers(tmp_path: Path) -> None:
    pictures = [
        Picture(tmp_path / f"{number}.jpg", "somebody", "somebody", "MIT", "", (4,), ())
        for number in range(4)
    ]
    seen_dice = [_seen(4, 0.95), _seen(4, 0.6), _seen(5, 0.8), _seen(5, 0.3)]
    kept, today = tmp_path / "read.jsonl", tmp_path / "today.jsonl"
    lines = [
        {"file": f"{n}.jpg", "seen": {str(side): measure.as_json([one]) for side in LONG_SIDES}}
        for n, one in enumerate(seen_dice)
    ]
    kept.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ready, wrong, unsure = (
        {"status": status, "faces": faces}
        for status, faces in (("ready", [4]), ("ready", [2]), ("unsure", []))
    )
    one = {"file": "0.jpg", "told": ready, "fewer": ready, "more": ready, "untold": unsure}
    other = {"file": "1.jpg", "told": wrong, "fewer": ready, "more": unsure, "untold": ready}
    today.write_text(json.dumps(one) + "\n" + json.dumps(other) + "\n")
    lines = list(measure.table(measure.rows(pictures, kept, today, tmp_path)))
    assert lines[0] == measure.HEAD
    counted = "| 4 | 50 % | 50 % (1) | 25 % (1) | 25 % (0) | 0 % (0) | 0, 0, 0 | 0 % (0) "
    counted += "| 50 % (1) | 1 | 50 % (0) |"
    assert lines[2:4] == [f"| somebody {counted}", f"| **all** {counted}"]


def test_a_wrong_answer_to_any_question_raises_the_threshold() -> None:
    right = [_row(0.99, right=True)] * 150
    assert measure.fitted(right) == measure.LEAST_READY
    assert measure.fitted([*right, _row(0.8, right=False)]) == pytest.approx(0.8)
    assert measure.fitted([*right, _row(0.8, right=False)]) > 0.8
    assert measure.fitted([*right, _row(0.99, right=True, astray=0.9)]) > 0.9


def test_few_pictures_promise_nothing() -> None:
    assert measure.fitted([_row(0.99, right=True)] * 20) == measure.NEVER


def test_a_maker_is_judged_by_a_threshold_of_the_others() -> None:
    measured = [_row(0.95, right=True, maker="one")] * 300 + [_row(0.8, right=False, maker="other")]
    measured += [_row(0.7, right=True, maker="other")] * 300
    one, other = (line for line in measure.table(measured) if line.startswith(("| one", "| other")))
    assert " | 100 % (0) | 0, 0, 0 |" in one
    assert " | 100 % (1) | 0, 0, 0 |" in other
