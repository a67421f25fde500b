"""The last look at a picture, by the face network and the witness network together."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from simulator.cases import example
from vision.inference import witness_network
from vision.pips import pyramid
from vision.reader import Reader
from vision.reading import DieReading, Reading, Reason, Status
from vision.ready_check import ReadyCheck
from vision.search_area import SearchArea
from vision.witness_look import read_with_witness

pytestmark = pytest.mark.thorough
SMALL = (("on felt", 7960004, 0.2), ("on leather", 7960009, 0.2), ("small dice", 7960013, 0.3))
"""Simulated trays, as large as they are shown: dice of 14 to 20 px."""


@cache
def _picture(case: str, seed: int, scale: float) -> tuple[NDArray[np.uint8], tuple[int, ...]]:
    drawn = example(case, seed)
    image = cv2.resize(np.asarray(drawn.image), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(image, np.uint8), tuple(sorted(die.face for die in drawn.dice))


@pytest.mark.parametrize(("case", "seed", "scale"), SMALL)
def test_small_dice_are_read_if_their_number_is_right(case: str, seed: int, scale: float) -> None:
    image, faces = _picture(case, seed, scale)
    reading = Reader(len(faces)).read(image)
    assert (reading.status, reading.faces) == (Status.READY, faces)
    for other in (len(faces) - 1, len(faces) + 1):
        assert Reader(other).read(image).status is Status.UNSURE


class Looked:
    """A tray that only the last look reads, and the reading before it."""

    def __init__(self) -> None:
        image, self.faces = _picture(*SMALL[0])
        self.area, self.check = SearchArea(pyramid(image)), ReadyCheck(pyramid(image))
        self.before = Reading(Status.UNSURE, (), (Reason.TOO_FEW,))

    def look(self, before: Reading) -> Reading:
        return read_with_witness(before, self.area, self.check, len(self.faces))


@pytest.fixture(scope="module")
def ready() -> tuple[DieReading, ...]:
    looked = Looked()
    reading = looked.look(looked.before)
    assert (reading.status, reading.faces) == (Status.READY, looked.faces)
    return reading.dice


def test_dice_that_were_read_keep_their_faces(ready: tuple[DieReading, ...]) -> None:
    looked = Looked()
    first, *others = ready
    read = replace(looked.before, dice=(first,))
    assert looked.look(read).faces == looked.faces
    other = replace(first, face=7 - first.face)
    wrong = replace(looked.before, dice=(other, *others))
    assert looked.look(wrong) is wrong
    x, y = np.mean([die.center for die in ready[:2]], 0)
    nothing = replace(looked.before, dice=(replace(first, center=(float(x), float(y))),))
    assert looked.look(nothing) is nothing


def test_what_a_closer_look_cannot_answer_stays(ready: tuple[DieReading, ...]) -> None:
    looked = Looked()
    for reason in (Reason.COCKED, Reason.STACKED, Reason.BLURRED, Reason.TOO_MANY):
        before = Reading(Status.UNSURE, ready, (reason,))
        assert looked.look(before) is before
    covered = Reading(Status.COVERED, ready)
    assert looked.look(covered) is covered
    looked.check.odd_pips = True
    assert looked.look(looked.before) is looked.before


def test_a_coin_beside_the_dice_must_surely_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    image, faces = _picture("coin beside", 7970007, 0.3)
    reading = Reader(len(faces)).read(image)
    assert (reading.status, reading.faces) == (Status.READY, faces)
    monkeypatch.setattr(witness_network, "NO_DIE", 1.01)
    assert Reader(len(faces)).read(image).status is Status.UNSURE


@pytest.mark.parametrize("sure", [True, False])
def test_dice_of_an_unknown_number_are_all_if_nothing_else_may_be_one(
    monkeypatch: pytest.MonkeyPatch, *, sure: bool
) -> None:
    image, faces = _picture("score pad beside", 7970001, 1.0)
    if not sure:
        monkeypatch.setattr(witness_network, "NO_DIE", 1.01)
    reading = Reader(None).read(image)
    assert reading.status is (Status.READY if sure else Status.UNSURE)
    assert reading.faces == faces
