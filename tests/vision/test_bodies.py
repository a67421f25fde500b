"""Faces that only the network sees: where they lie, and how often they are looked at again."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.helpers import draw, empty_tray
from vision import pips, ready_check
from vision.inference import face_looks, witness_network
from vision.judgement import evidence
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


def _odds(face: float, other: float = 0.0) -> NDArray[np.float32]:
    """(1, 7) so much for the 5, so much for the 4, the rest for no die."""
    return np.array([[1.0 - face - other, 0.0, 0.0, 0.0, other, face, 0.0]], np.float32)


@pytest.mark.parametrize(
    ("chance", "again", "witness", "other", "agrees"),
    [
        (0.93, 0.5, 0.65, 0.0, True),  # what one of the two doubts the other may see
        (0.93, 0.5, 0.55, 0.0, False),
        (0.93, 0.9, 0.25, 0.5, True),
        (0.93, 0.9, 0.25, 0.65, False),  # the witness is sure of another face
        (0.97, 0.9, 0.25, 0.65, False),
        (0.79, 0.9, 0.86, 0.0, True),  # unlikely dice need more
        (0.79, 0.9, 0.82, 0.0, False),
    ],
)
def test_two_networks_together_see_a_face_that_is_doubted(
    monkeypatch: pytest.MonkeyPatch,
    chance: float,
    again: float,
    witness: float,
    other: float,
    *,
    agrees: bool,
) -> None:
    levels = _levels()
    seen = _body(levels, 0.6)
    dice = dice_of(seen, np.array([chance]), [0])
    seen.says[:] = _odds(0.96)
    monkeypatch.setattr(face_looks, "classify_faces", lambda _: (_odds(again), np.zeros((1, 3), np.float32)))
    monkeypatch.setattr(witness_network, "faces_at", lambda *_: _odds(witness, other))
    assert ready_check.network_agrees(levels, seen, dice) is agrees


@pytest.mark.parametrize(("denied", "agrees"), [(0.1, False), (0.2, True)])
def test_no_look_from_farther_may_deny_a_face(
    monkeypatch: pytest.MonkeyPatch, denied: float, *, agrees: bool
) -> None:
    """Thirteen looks come before, one of them to see where the face is, and so do they."""
    levels = _levels()
    seen = _body(levels, 0.6)
    answers = iter([*[0.98] * 14, denied, *[0.98] * 3])
    monkeypatch.setattr(
        face_looks, "classify_faces", lambda _: (_odds(next(answers)), np.zeros((1, 3), np.float32))
    )
    monkeypatch.setattr(witness_network, "faces_at", lambda *_: _odds(0.9))
    assert ready_check.network_agrees(levels, seen, dice_of(seen, np.array([0.93]), [0])) is agrees


def test_nobody_asks_the_witness_about_a_sure_face(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = _levels()
    seen = _body(levels, 0.6)
    seen.says[:] = _odds(0.99)
    asked: list[int] = []

    def faces_at(_: Levels, x: NDArray[np.float32], *__: object) -> NDArray[np.float32]:
        asked.append(len(x))
        return np.zeros((len(x), 7), np.float32)

    monkeypatch.setattr(witness_network, "faces_at", faces_at)
    assert ready_check.network_agrees(levels, seen, dice_of(seen, np.array([0.99]), [0]))
    assert asked == [0]
