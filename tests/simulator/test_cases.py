"""The registry of hard cases: complete, repeatable, and each one what its name says."""

import numpy as np
import pytest

from messages.errors import BadInputError
from simulator.cases import CASES, Example, Expected, example
from vision.reading import Colour, DieReading, Reading, Reason, Status

# The reasons that docs/contract.md lists and a still picture can give.
REASONS = set(Reason) - {Reason.LOW_CONFIDENCE, Reason.CAMERA_MOVED}


def check(made: Example) -> None:
    """The example is what its case promises."""
    case = CASES[made.case]
    assert made.image.dtype == np.uint8
    assert made.image.shape[2] == 3
    assert len(made.dice) == len(made.scene.dice)
    if case.to_be_read:
        assert all(die.legible for die in made.dice)
        assert made.expected.faces == tuple(sorted(die.face for die in made.dice))
        assert made.expected_dice == len(made.dice)
    elif case.illegible:
        assert min(die.contrast for die in made.dice) < 6
    elif Reason.COCKED in case.reasons:
        assert any(die.cocked for die in made.dice)
    elif Reason.STACKED in case.reasons:
        assert any(die.stacked for die in made.dice)
    elif Reason.CUT_OFF in case.reasons:
        assert any(not die.inside for die in made.dice)
    elif Status.COVERED in case.statuses:
        assert any(die.visible < 0.5 for die in made.dice)
    elif Status.EMPTY in case.statuses:
        assert not made.dice
    elif Reason.DARK in case.reasons:
        assert made.image.mean() < 40
    elif Reason.OVEREXPOSED in case.reasons:
        assert np.median(made.image) > 245


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_case_is_what_it_says(name: str) -> None:
    check(example(name, seed=2))


def test_every_reason_and_material_has_a_case() -> None:
    given = set().union(*(case.reasons for case in CASES.values()))
    assert given >= REASONS
    assert len(CASES) >= 40


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_picture() -> None:
    one, again, other = (example("640x480", seed) for seed in (3, 3, 4))
    assert np.array_equal(one.image, again.image)
    assert one.image.shape != other.image.shape or not np.array_equal(one.image, other.image)


def test_an_unknown_case_is_refused() -> None:
    with pytest.raises(BadInputError, match="no case 'snow'; there are: plain"):
        example("snow", 1)


def test_what_is_expected_is_told_from_what_is_not() -> None:
    die = DieReading(5, 0.99, (1.0, 1.0), 10.0, 0.0, Colour.WHITE)
    read = Expected(frozenset({Status.READY}), faces=(5,))
    assert read.accepts(Reading(Status.READY, (die,)))
    assert not read.accepts(Reading(Status.READY, (die, die)))
    assert not read.accepts(Reading(Status.UNSURE, (die,), (Reason.TOO_FEW,)))
    refuse = Expected(frozenset({Status.UNSURE}), reasons=frozenset({Reason.COCKED}))
    assert refuse.accepts(Reading(Status.UNSURE, (die,), (Reason.COCKED, Reason.TOO_FEW)))
    assert not refuse.accepts(Reading(Status.UNSURE, (die,), (Reason.TOO_FEW,)))
    assert not refuse.accepts(Reading(Status.READY, (die,)))
