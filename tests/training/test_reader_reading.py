"""From what the two networks say to one reading and how sure it is."""

import json
from pathlib import Path

import numpy as np
import pytest

from training.reader import crops, measure
from training.reader.crops import Crop
from training.reader.measure import rows, table
from training.reader.reading import Place, Seen, Verdict, apart, as_json, from_json, peaks, surest, verdict
from training.reader.sources import Die, Picture


def _seen(face: int, chance: float, *, none: float = 0.0, heat: float = 0.9) -> Seen:
    odds = [none, *[(1 - none - chance) / 5] * 6]
    odds[face] = chance
    return Seen(Place(10.0, 10.0, 20.0, heat), tuple(odds))


def _maps(*dice: Die) -> np.ndarray:
    """The maps of a detector that says exactly what it should."""
    told = crops.target(Crop(np.zeros((crops.CROP, crops.CROP, 3), np.uint8), dice, ()))
    heat = np.clip(told[:1], 1e-4, 1 - 1e-4)
    return np.concatenate([np.log(heat / (1 - heat)), told[1:4]])


def test_a_perfect_detector_gives_back_the_dice() -> None:
    dice = (Die(1, 61.0, 90.5, 30, 28), Die(2, 97.0, 91.0, 40, 40), Die(6, 200.0, 33.0, 90, 90))
    found = sorted(apart(peaks(_maps(*dice))), key=lambda one: one.x)
    assert [(p.x, p.y, p.size) for p in found] == [pytest.approx((d.x, d.y, d.size), abs=1e-3) for d in dice]


def test_places_are_told_in_pixels_of_the_picture() -> None:
    (half,) = apart([Place(99.5, 49.5, 20.0, 0.9)], 0.5)
    assert (half.x, half.y, half.size) == (199.5, 99.5, 40.0)


def test_two_places_on_one_die_are_one_and_the_hotter_stays() -> None:
    found = apart([Place(100, 100, 40, 0.9), Place(110, 100, 44, 0.8), Place(140, 100, 40, 0.3)])
    assert [one.heat for one in found] == [0.9, 0.3]


def test_a_reading_is_as_sure_as_its_least_sure_die() -> None:
    said = verdict([_seen(4, 0.95), _seen(2, 0.7), _seen(6, 0.05, none=0.9)], 2)
    assert said == Verdict((2, 4), pytest.approx(0.7))


def test_another_die_makes_the_count_unsure() -> None:
    assert verdict([_seen(4, 0.95), _seen(2, 0.9), _seen(6, 0.8, none=0.1)], 2).sure == pytest.approx(0.1)


def test_too_few_dice_are_never_sure() -> None:
    assert verdict([_seen(4, 0.95)], 2) == Verdict((4,), 0.0)


def test_what_the_detector_doubts_is_not_sure() -> None:
    assert verdict([_seen(4, 0.9, heat=0.15)], 1).sure == pytest.approx(0.45)


def test_the_surest_of_several_sizes_counts() -> None:
    assert surest([Verdict((1,), 0.2), Verdict((2,), 0.8), Verdict((), 0.0)]) == Verdict((2,), 0.8)


def test_what_is_kept_comes_back() -> None:
    seen = [_seen(3, 0.75, none=0.125)]
    assert from_json(json.loads(json.dumps(as_json(seen))))[0].face == 3
    assert from_json(as_json(seen))[0].sure == pytest.approx(seen[0].sure, abs=1e-4)


def test_the_table_counts_right_and_wrong_of_both_readers(tmp_path: Path) -> None:
    pictures = [
        Picture(tmp_path / f"{number}.jpg", "somebody", "somebody", "MIT", "", (4,), ())
        for number in range(4)
    ]
    pictures.append(Picture(tmp_path / "bare.jpg", "somebody", "somebody", "MIT", "", (), ()))
    said = [_seen(4, 0.95), _seen(4, 0.6), _seen(5, 0.8), _seen(5, 0.3)]
    kept, today = tmp_path / "read.jsonl", tmp_path / "today.jsonl"
    lines = [{"file": f"{n}.jpg", "seen": {"640": as_json([one])}} for n, one in enumerate(said)]
    kept.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ready = {"file": "0.jpg", "status": "ready", "faces": [4]}
    wrong = {"file": "1.jpg", "status": "ready", "faces": [2]}
    today.write_text(json.dumps(ready) + "\n" + json.dumps(wrong) + "\n")
    told = table(rows(pictures, kept, today, tmp_path))
    assert told[0] == measure.HEAD
    assert told[2] == "| somebody | 4 | 50 % | 50 % (1) | 25 % (1) | 25 % (0) | 25 % (1) |"
    assert told[3].startswith("| all | 4 | 50 % |")
