"""Faces that only the network sees: where they lie, and how often they are looked at again."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.helpers import draw, empty_tray
from vision import pips, ready_check
from vision.inference import face_looks, networks
from vision.judgement import evidence, fusion
from vision.judgement.evidence import Evidence
from vision.judgement.selection import dice_of

PLACE, EDGE = (200.0, 200.0), 60.0
Levels = tuple[NDArray[np.uint8], ...]


def _levels(face: int = 5) -> Levels:
    image = empty_tray()
    draw(image, face, PLACE, EDGE)
    return pips.pyramid(image)


def _body(levels: Levels, score: float) -> Evidence:
    return evidence.bodies(levels, np.array([[*PLACE, EDGE, score]], np.float32), EDGE)


def test_a_chosen_body_is_centred_on_its_face_and_no_other_is() -> None:
    levels = _levels()
    one = _body(levels, 0.6)
    found = Evidence.joined((one, one))
    found.x[:] = PLACE[0] + 0.12 * EDGE
    centred = evidence.centred(levels, found, [1])
    assert centred.x[0] == found.x[0]
    assert np.hypot(centred.x[1] - PLACE[0], centred.y[1] - PLACE[1]) < 0.05 * EDGE
    assert np.isclose(centred.size[1], EDGE, rtol=0.1)


@pytest.mark.parametrize(("doubted", "agrees"), [(0.93, True), (0.6, True), (0.4, False)])
def test_a_face_must_be_seen_at_every_size(
    monkeypatch: pytest.MonkeyPatch, doubted: float, *, agrees: bool
) -> None:
    """One look of twelve may hesitate, and none may rather see another face; four more are farther off."""
    levels = _levels()
    seen = _body(levels, 0.6)
    looks = []

    def said(patches: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        looks.append(len(patches))
        mine = doubted if len(looks) == 5 else 0.98
        says = np.array([[1.0 - mine, 0.0, 0.0, 0.0, 0.0, mine, 0.0]], np.float32)
        return says, np.zeros((1, 3), np.float32)

    dice = dice_of(seen, fusion.fused_probability(seen), [0])
    seen.says[:] = 1.0 / 7.0
    monkeypatch.setattr(networks, "classify_faces", said)
    assert ready_check.network_agrees(levels, seen, dice) is agrees
    sizes = [*face_looks.SCALES, *(face_looks.SCALES[-1:] if agrees else ())]
    assert len(looks) == (2 if agrees else 1) + len(sizes) * len(face_looks.WAYS)


@pytest.mark.parametrize(
    ("chance", "on_average", "agrees"),
    [(0.93, 0.76, True), (0.93, 0.74, False), (0.79, 0.91, True), (0.79, 0.89, False)],
)
def test_twelve_looks_that_hesitate_do_only_for_a_likely_die(
    monkeypatch: pytest.MonkeyPatch, chance: float, on_average: float, *, agrees: bool
) -> None:
    levels = _levels()
    seen = _body(levels, 0.6)
    dice = dice_of(seen, np.array([chance]), [0])
    seen.says[:] = 1.0 / 7.0
    says = np.array([[1.0 - on_average, 0.0, 0.0, 0.0, 0.0, on_average, 0.0]], np.float32)
    monkeypatch.setattr(networks, "classify_faces", lambda _: (says, np.zeros((1, 3), np.float32)))
    assert ready_check.network_agrees(levels, seen, dice) is agrees
