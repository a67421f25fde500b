"""The count is a promise: a die more or fewer than expected is never passed over."""

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile
from simulator.cases import example
from tests.vision.helpers import draw, empty_tray, photographs, thrown
from vision import pips, reader
from vision.detection import pip_search
from vision.inference import face_looks, foot_network
from vision.inference.foot_network import Posture, PostureEstimate
from vision.judgement import evidence, neighbours, other_dice
from vision.judgement.oblique import FIRST, view_from_above
from vision.picture import load
from vision.reader import Reader
from vision.reading import Colour, DieReading, Reason, Status

PLACES = ((100, 120), (250, 110), (400, 140), (180, 330), (350, 340), (560, 400))
FACES = (2, 3, 4, 5, 6, 6)
DICE_MAX = 10
NOWHERE = np.zeros((0, 4), np.float32)


def _thrown() -> NDArray[np.uint8]:
    return thrown(FACES, PLACES)


def assert_each_is_missed(
    levels: tuple[NDArray[np.uint8], ...], dice: tuple[DieReading, ...], found: NDArray[np.float32]
) -> None:
    """Whichever of these dice is overlooked shows itself; where none is, nothing does."""
    assert not other_dice.shows_another(levels, dice, found)
    for missed in range(len(dice)):
        assert other_dice.shows_another(levels, dice[:missed] + dice[missed + 1 :], found), missed


@pytest.mark.parametrize("expected", range(1, 6))
def test_however_few_are_expected_every_die_is_seen(expected: int) -> None:
    reading = Reader(expected).read(_thrown())
    assert reading.status is Status.UNSURE
    assert Reason.TOO_MANY in reading.reasons
    assert reading.faces == FACES


def test_a_die_that_was_overlooked_shows_itself() -> None:
    image = _thrown()
    dice, levels = Reader(6).read(image).dice, pips.pyramid(image)
    for quick in (False, True):
        assert_each_is_missed(levels, dice, evidence.proposals(levels, quick=quick))


@pytest.mark.parametrize("edge", [10, 15, 20])
def test_however_small_a_die_it_shows_itself_beside_dice_as_small(edge: int) -> None:
    share = edge / 60
    image = cv2.resize(_thrown(), None, fx=share, fy=share, interpolation=cv2.INTER_AREA).astype(np.uint8)
    dice = tuple(
        DieReading(face, 0.99, (x * share, y * share), edge, 0.0, Colour.WHITE)
        for face, (x, y) in zip(FACES, PLACES, strict=True)
    )
    levels = pips.pyramid(image)
    assert_each_is_missed(levels, dice, evidence.proposals(levels, quick=True))


@pytest.mark.slow
@pytest.mark.parametrize(("case", "seed", "missed"), [("large dice", 520001, 2), ("oblique", 520000, 1)])
def test_a_die_beside_which_the_finder_points_shows_itself(case: str, seed: int, missed: int) -> None:
    made = example(case, seed)
    levels, dice = pips.pyramid(made.image), Reader(made.expected_dice).read(made.image).dice
    assert len(dice) == made.expected_dice
    found = evidence.proposals(levels, quick=True)
    assert not other_dice.shows_another(levels, dice, found)
    assert other_dice.shows_another(levels, dice[:missed] + dice[missed + 1 :], found)


def test_between_two_dice_of_a_row_there_is_room_for_one() -> None:
    image = thrown((5, 4, 6), ((150, 200), (204, 200), (258, 200)), (0.0, 0.0))
    dice = Reader(3).read(image).dice
    assert len(dice) == 3
    nothing = pip_search.Search(pips.pyramid(empty_tray())).find()
    ((x, y),) = other_dice.likely_middles(nothing, (dice[0], dice[2]))
    assert abs(x - 204) < 4
    assert abs(y - 200) < 4
    assert len(other_dice.likely_middles(nothing, dice[:2])) == 0


WHITE, RED, YELLOW = (235, 240, 240), (40, 40, 200), (60, 200, 240)


@pytest.mark.parametrize("side", range(4))
@pytest.mark.parametrize(("inside", "counts"), [(0.8, True), (0.65, True), (0.25, False)])
@pytest.mark.parametrize(
    "body",
    [WHITE, pytest.param(RED, marks=pytest.mark.thorough), pytest.param(YELLOW, marks=pytest.mark.thorough)],
)
def test_a_die_that_the_rim_cuts_through_counts_where_most_of_it_is_seen(
    body: tuple[int, int, int],
    inside: float,
    counts: bool,  # noqa: FBT001 - what is expected
    side: int,
) -> None:
    image = thrown((2, 3, 4, 6), ((110, 120), (260, 120), (180, 330), (350, 300)), (0.3, 0.0))
    draw(image, 5, (560, 220), turn=0.0, body=body, pip=(240, 240, 240) if body == RED else (25, 25, 25))
    cut = np.ascontiguousarray(np.rot90(image[:, : round(530 + 60 * inside)], side))
    reading = Reader(4).read(cut)
    assert (reading.status is Status.READY) != counts
    assert not counts or {Reason.TOO_MANY, Reason.CUT_OFF} & set(reading.reasons)


def _face_network_answers(monkeypatch: pytest.MonkeyPatch, face: NDArray[np.float32]) -> None:
    """The face network gives these (1, 7) chances to each patch, and sees the face in its middle."""
    monkeypatch.setattr(
        face_looks,
        "classify_faces",
        lambda patches: (np.repeat(face, len(patches), 0), np.zeros((len(patches), 3), np.float32)),
    )


def _foot_network_answers(
    monkeypatch: pytest.MonkeyPatch, foot: tuple[float, float], posture: list[float]
) -> None:
    """The foot network gives each die this foot and these chances of a posture."""

    def estimate(_levels: object, x: NDArray[np.float32], *_: object, **__: object) -> PostureEstimate:
        one = np.array([foot], np.float32), np.ones(1, np.float32), np.array([posture], np.float32)
        return PostureEstimate(*(np.repeat(part, len(x), 0) for part in one))

    monkeypatch.setattr(foot_network, "estimate_posture", estimate)


@pytest.mark.parametrize(
    ("flat", "no_die", "foot", "five", "another"),
    [
        pytest.param(0.7, 0.05, 0.4, 0.0, True, id="certain"),
        pytest.param(0.7, 0.2, 0.4, 0.0, False, id="speck"),
        pytest.param(0.3, 0.05, 0.4, 0.0, False, id="leaning"),
        pytest.param(0.7, 0.05, 0.1, 0.0, False, id="dirt"),
        pytest.param(1.0, 0.0, 1.0, 0.1, False, id="a d20 shows several faces a little"),
    ],
)
def test_a_faint_one_counts_only_where_a_die_lies_for_certain(
    monkeypatch: pytest.MonkeyPatch, flat: float, no_die: float, foot: float, five: float, *, another: bool
) -> None:
    image = _thrown()
    levels, dice = pips.pyramid(image), Reader(6).read(image).dice
    _face_network_answers(monkeypatch, np.array([[0.5, 0.5, 0, 0, 0, five, 0]], np.float32))
    _foot_network_answers(monkeypatch, (0.0, foot), [flat, 0.0, 0.0, 0.0, no_die])
    bare = np.array([[520.0, 60.0, 0.0, 0.0]], np.float32)
    assert other_dice.shows_another(levels, dice, NOWHERE, bare) is another


@pytest.mark.parametrize(
    ("none", "no_die", "foot", "another"),
    [(0.1, 0.02, 0.4, True), (0.1, 0.02, 0.25, False), (0.1, 0.2, 0.4, False), (0.4, 0.02, 0.4, False)],
)
def test_a_die_whose_face_a_highlight_hides_is_known_by_its_foot(
    monkeypatch: pytest.MonkeyPatch, none: float, no_die: float, foot: float, *, another: bool
) -> None:
    image = _thrown()
    levels, dice = pips.pyramid(image), Reader(6).read(image).dice
    _face_network_answers(monkeypatch, np.array([[none, *[(1 - none) / 3, 0.0] * 3]], np.float32))
    _foot_network_answers(monkeypatch, (foot, 0.0), [0.4, 0.4, 0.0, 0.0, no_die])
    found = np.array([[520.0, 60.0, dice[0].size, 0.5]], np.float32)
    assert other_dice.shows_another(levels, dice, found) is another
    assert not other_dice.shows_another(levels, dice, NOWHERE, found)


@pytest.mark.parametrize(
    ("score", "lies", "foot", "another"),
    [
        (0.6, Posture.FLAT, 0.4, True),
        (0.6, Posture.LEANING, 0.4, True),
        (0.5, Posture.FLAT, 0.4, False),
        (0.6, Posture.FLAT, 0.25, False),
        (0.6, Posture.HIDDEN, 0.4, False),
        (0.6, Posture.NOT, 0.4, False),
    ],
)
def test_a_die_whose_top_is_askew_is_known_by_its_foot(
    monkeypatch: pytest.MonkeyPatch, score: float, lies: Posture, foot: float, *, another: bool
) -> None:
    image = _thrown()
    levels, dice = pips.pyramid(image), Reader(6).read(image).dice
    _face_network_answers(monkeypatch, np.eye(1, 7, dtype=np.float32))
    _foot_network_answers(monkeypatch, (foot, 0.0), np.eye(1, 5, lies)[0].tolist())
    found = np.array([[520.0, 60.0, dice[0].size, score]], np.float32)
    assert other_dice.shows_another(levels, dice, found) is another
    assert other_dice.shows_another(levels, dice, NOWHERE, found) is another
    # of a speck the finder may be sure, too
    found[:, 2] /= 4
    assert not other_dice.shows_another(levels, dice, found)


@pytest.mark.thorough
@pytest.mark.parametrize(("score", "another"), [(0.6, True), (0.4, False)])
def test_a_top_that_shows_no_face_counts_in_a_view_where_the_finder_is_sure(
    monkeypatch: pytest.MonkeyPatch, score: float, *, another: bool
) -> None:
    made = example("from the table", 301)
    view = view_from_above(pips.pyramid(made.image), FIRST, None)
    ends = np.array([[die.center, np.add(die.center, (die.size, 0))] for die in made.dice])
    middles, sides = view.in_view(ends[:, 0]), view.in_view(ends[:, 1])
    edges = np.hypot(*(sides - middles).T)
    *dice, _ = (
        DieReading(die.face, 0.9, (x, y), edge, 0.0, Colour.WHITE)
        for die, (x, y), edge in zip(made.dice, middles.tolist(), edges.tolist(), strict=True)
    )
    _face_network_answers(monkeypatch, np.eye(1, 7, dtype=np.float32))
    found = np.array([[*middles[-1], edges[-1], score]], np.float32)
    assert other_dice.shows_another(view.levels, tuple(dice), found, view=view) is another


@pytest.mark.photos
@pytest.mark.slow
def test_no_photograph_is_ready_with_a_die_more_or_fewer_than_expected(photos: Path) -> None:
    """Of every second one, one more and one fewer by turns; `bench/whole.py` tries both of every picture."""
    silent = [
        path.name
        for number, (path, faces) in enumerate(photographs(photos, "")[::2])
        if 1 <= (asked := len(faces) + (1 if number % 2 else -1)) <= DICE_MAX
        and Reader(asked).read(load(path)).status is Status.READY
    ]
    assert not silent


def _beside(image: NDArray[np.uint8], *places: tuple[float, float]) -> NDArray[np.float32]:
    x, y = np.array(places, np.float32).T
    return neighbours.places_beside(pips.pyramid(image), x, y, np.full(len(x), 60.0, np.float32))


def test_a_die_that_touches_one_that_was_read_is_looked_for_beside_it() -> None:
    image = thrown((5, 4), ((200, 200), (261, 200)), (0.0, 0.0))
    (found,) = _beside(image, (200, 200))
    assert np.allclose(found[:2], (261, 200), atol=6)
    assert np.isclose(found[2], 60, rtol=0.2)


def test_where_there_is_nothing_beside_a_die_no_network_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    places = []
    seen_face = face_looks.seen_face

    def counted(levels: tuple[NDArray[np.uint8], ...], *at: NDArray[np.float32]) -> object:
        places.append(len(at[0]))
        return seen_face(levels, *at)

    monkeypatch.setattr(face_looks, "seen_face", counted)
    image = thrown((5,), ((200, 200),), (0.3, 0.0))
    assert len(_beside(image, (200, 200))) == 0
    assert places == [0]
    # nor where a die fills the picture
    assert _beside(image[175:225, 175:225], (25, 25)).shape == (0, 4)


def test_each_look_examines_what_those_before_it_half_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = []

    def another(*_: object, faint: NDArray[np.float32], **__: object) -> bool:
        examined.append(faint.tolist())
        return True

    monkeypatch.setattr(reader, "_shows_another", another)
    assert Reader(6).read(_thrown()).status is Status.UNSURE
    assert len(examined) > 1
    for before, after in pairwise(examined):
        assert len(after) > len(before) >= len(FACES)
        assert after[: len(before)] == before


@pytest.mark.thorough
def test_a_die_of_a_size_that_the_profile_rules_out_leaves_no_empty_tray() -> None:
    image = thrown((5, 4), ((150, 200), (450, 200)), (0.3, 0.0))
    known = CalibrationProfile(outline=((0, 0), (639, 0), (639, 479), (0, 479)), mm_per_px=0.8, die_mm=16.0)
    reader = Reader(2, known, empty=empty_tray())
    assert reader.read(image).status is Status.UNSURE
    assert reader.read(empty_tray()).status is Status.EMPTY
