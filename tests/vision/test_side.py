"""Never a front for a top, and never a printed dot for a die."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from simulator.cases import example
from tests.vision.helpers import draw, empty_tray, photographs
from vision import pips
from vision.detection.die_outline import round_bodies
from vision.judgement import lighting
from vision.judgement.leaning import Stand, may_be_fronts
from vision.judgement.lighting import front_lightness
from vision.judgement.oblique import FIRST, better_reading, view_from_above
from vision.picture import load
from vision.reader import Reader
from vision.reading import Colour, DieReading, Reading, Reason, Status


def _round(image: np.ndarray, edge: float) -> bool:
    at = np.array([300.0], np.float32)
    return bool(round_bodies(pips.pyramid(image), at, at - 60, np.array([edge], np.float32))[0])


@pytest.mark.parametrize("dot", [6, 15])
@pytest.mark.parametrize("squeezed", [1.0, 0.7, 0.5])
def test_a_dot_on_a_counter_has_a_round_body(squeezed: float, dot: int) -> None:
    image = empty_tray()
    for radius, colour in ((32, (200, 220, 230)), (dot, (30, 30, 30))):
        cv2.ellipse(
            image, (300, 240), (radius, round(radius * squeezed)), 20, 0, 360, colour, -1, cv2.LINE_AA
        )
    assert _round(image, 56.0)


@pytest.mark.parametrize("dot", [6, 15])
@pytest.mark.parametrize("turn", [0.0, 0.3, 0.7])
def test_a_die_has_none_however_large_its_dot(turn: float, dot: int) -> None:
    image = empty_tray()
    draw(image, 1, (300, 240), turn=turn)
    cv2.circle(image, (300, 240), dot, (30, 30, 200), -1, cv2.LINE_AA)
    assert not _round(image, 56.0)


@pytest.mark.parametrize(
    ("foot", "edges", "fronts"),
    [
        ((-0.51, -0.07), [87.0], True),
        ((-0.32, 0.07), [87.0], False),
        ((0.0, -0.6), [45.0], True),  # far above, whatever the edges
        ((0.0, 0.3), [1.0, 89.0], False),
    ],
)
def test_feet_far_aside_or_above_may_be_those_of_fronts(
    foot: tuple[float, float], edges: list[float], *, fronts: bool
) -> None:
    assert may_be_fronts(Stand(np.zeros(len(edges)), np.array(foot)), np.array(edges)) is fronts


@pytest.mark.slow
@pytest.mark.parametrize("case", ["from the side", "row from the side"])
def test_fronts_of_dice_are_never_read_as_tops(case: str) -> None:
    made = [example(case, seed) for seed in (*range(510, 518), 411000)]
    readings = [Reader(one.expected_dice).read(one.image) for one in made]
    assert all(reading.status is not Status.READY for reading in readings)
    assert sum(Reason.OBLIQUE in reading.reasons for reading in readings) >= 6


@pytest.mark.parametrize("start", [0.5, 0.83, 1.1])
def test_what_is_read_from_above_stands_where_it_is_in_the_picture(start: float) -> None:
    image = empty_tray()
    cv2.circle(image, (300, 200), 12, (230, 230, 230), -1, cv2.LINE_AA)
    view = view_from_above(pips.pyramid(image), Stand(np.zeros(0), np.array([0.0, start]), 0.8), 40.0)
    y, x = (at.mean() for at in np.nonzero(view.levels[0][..., 0] > 180))
    die = DieReading(1, 0.9, (float(x), float(y)), 30.0, 0.0, Colour.WHITE)
    (moved,) = view.dice_on_picture((die,))
    assert np.allclose(moved.center, (300, 200), atol=1.5)


@pytest.mark.parametrize("start", [0.5, 0.83, 1.1])
def test_tops_lie_above_the_bodies_that_the_finder_proposes(start: float) -> None:
    stand = Stand(np.zeros(0), np.array([0.1, start]), 0.8)
    view = view_from_above(pips.pyramid(empty_tray()), stand, 40.0)
    tops = np.array([[200, 150, 30], [400, 250, 36]], np.float32)
    place = (tops[:, :2] - np.array([320, 240])) / 640
    feet = (np.array([0.1, start]) - 0.8 * place) * tops[:, 2:]
    bodies = np.column_stack([tops[:, :2] + 0.3 * feet, tops[:, 2], [0.6, 0.4]]).astype(np.float32)
    found = view.tops_of(bodies)
    assert found[:, 3].tolist() == pytest.approx([0.6, 0.4])
    assert np.allclose(np.stack(view.on_picture(*found[:, :3].T))[:2].T, tops[:, :2], atol=0.5)


def _reading(status: Status, *faces: int) -> Reading:
    dice = tuple(
        DieReading(face, 0.99, (50.0 * k, 0.0), 20.0, 0.0, Colour.WHITE) for k, face in enumerate(faces)
    )
    return Reading(status, dice)


def test_of_two_looks_that_differ_neither_is_ready() -> None:
    beside = Stand(np.zeros(2), np.array([0.0, 0.8]))
    one, other = _reading(Status.READY, 1, 2), _reading(Status.READY, 1, 3)
    assert better_reading(one, other, beside).status is Status.UNSURE
    assert better_reading(one, one, beside).status is Status.READY
    assert better_reading(_reading(Status.UNSURE, 4), other, beside) == other


def test_sides_seen_in_a_picture_on_its_head_deny_no_top_that_lies_flat() -> None:
    beside = Stand(np.zeros(1), np.array([0.0, 0.9]))
    tops = replace(_reading(Status.UNSURE, 1), reasons=(Reason.OBLIQUE,))
    sides = _reading(Status.READY, 4)
    assert better_reading(tops, sides, beside, flat_first=True) == tops
    assert better_reading(tops, sides, beside) == sides
    assert better_reading(replace(tops, reasons=(Reason.TOO_FEW,)), sides, beside, flat_first=True) == sides


@pytest.mark.parametrize("start", [0.3, 1.5])
@pytest.mark.parametrize("second", [Status.UNSURE, Status.READY])
def test_a_picture_whose_view_from_above_shows_dice_is_never_empty(start: float, second: Status) -> None:
    steep = Stand(np.zeros(1), np.array([0.0, start]))
    given = better_reading(Reading(Status.EMPTY), _reading(second, 5), steep)
    assert (given.status, given.faces) == (Status.UNSURE, (5,))
    assert (Reason.OBLIQUE in given.reasons) == (start > 1)


@pytest.mark.photos
@pytest.mark.slow
def test_no_photograph_on_its_head_shows_sides_as_tops(photos: Path) -> None:
    for path, faces in list(photographs(photos, "matteop65"))[::6]:
        reading = Reader(len(faces)).read(np.rot90(load(path), 2).copy())
        assert reading.status is not Status.READY or reading.faces == faces, path.name


def test_from_too_far_beside_nothing_is_ready() -> None:
    steep = Stand(np.zeros(2), np.array([0.0, 1.5]))
    both = _reading(Status.READY, 1, 2)
    reading = better_reading(both, both, steep)
    assert (reading.status, reading.reasons) == (Status.UNSURE, (Reason.OBLIQUE,))


@pytest.mark.slow
def test_dice_are_read_from_the_edge_of_the_table() -> None:
    made = [example("from the table", seed) for seed in range(300, 308)]
    readings = [Reader(one.expected_dice).read(one.image) for one in made]
    right = [one.expected.accepts(reading) for one, reading in zip(made, readings, strict=True)]
    ready = [reading.status is Status.READY for reading in readings]
    assert right == ready
    assert sum(right) >= 4


BESIDE = {path.stem.rsplit("-", 1)[0]: path for path in (Path(__file__).parent / "beside").iterdir()}
"""Pictures drawn from the table's edge, of dice, grounds and things that the simulator lacks. Each name ends
with the faces on top."""


def faces_of(name: str) -> tuple[int, ...]:
    return tuple(int(face) for face in BESIDE[name].stem.rsplit("-", 1)[1])


@pytest.mark.slow
def test_any_dice_on_any_ground_are_read_from_the_edge_of_the_table() -> None:
    right = []
    for name in sorted(name for name in BESIDE if name.startswith("7-")):  # whole, flat dice
        image, faces = load(BESIDE[name]), faces_of(name)
        reading = Reader(len(faces)).read(image)
        right.append(reading.status is Status.READY)
        assert reading.status is not Status.READY or reading.faces == faces, name
        # neither a die passed over, nor a side that makes up for one that is not there
        for asked in (len(faces) - 1, len(faces) + 1):
            assert not asked or Reader(asked).read(image).status is not Status.READY, name
    assert len(right) == 14
    assert np.mean(right) > 0.6


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("92-541", id="the second look from above sees none of the dice"),
        pytest.param("92-1358", id="the second look from above is less sure of the same faces"),
        pytest.param("92-413", id="five dice whose feet are far, and none leans"),
        pytest.param("92-171", id="a stain whose foot is not where a die would have it"),
        pytest.param("92-4001", id="a face in the ground, whose foot is none of a top"),
        pytest.param("92-4068", id="ground that seems to have the foot of a top"),
        pytest.param("142-16", id="at first its front is read"),
        pytest.param("142-118", id="of a lone pip two edges are measured"),
    ],
)
def test_dice_are_read_from_the_edge_of_the_table_among_things(name: str) -> None:
    faces = faces_of(name)
    reading = Reader(len(faces)).read(load(BESIDE[name]))
    assert (reading.status, reading.faces) == (Status.READY, faces)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected", "reason"),
    [
        pytest.param("92-483", 5, None, id="a top close in front of another die, taken for its side"),
        pytest.param("92-2243", 2, None, id="a die that only one of the looks from above sees"),
        pytest.param("92-425", 2, None, id="spots of a card, taken for ones"),
        pytest.param("92-2356", 1, None, id="half of a domino"),
        pytest.param("97-192", 1, None, id="one pip of a round die that shows 3"),
        pytest.param("102-27", 1, None, id="one pip of a round die that shows 2"),
        pytest.param("92-4087", 4, None, id="a die that the rim cuts through"),
        pytest.param("96-231", 1, Reason.TOO_MANY, id="a die whose top is askew, by the rim"),
        pytest.param("97-181", 1, Reason.TOO_MANY, id="two dice like the pips of a 2"),
        pytest.param(
            "96-177", 1, Reason.LOW_CONFIDENCE, id="the number of a d8 beside a die that lies askew"
        ),
    ],
)
def test_nothing_is_ready_from_the_edge_of_the_table_where_a_die_was_missed(
    name: str, expected: int, reason: Reason | None
) -> None:
    reading = Reader(expected).read(load(BESIDE[name]))
    assert reading.status is not Status.READY
    assert reason in {None, *reading.reasons}


@pytest.mark.parametrize(("top", "front", "fronts"), [(150, 100, False), (100, 150, True)])
def test_fronts_are_lighter_than_tops_where_a_picture_stands_on_its_head(
    top: int, front: int, *, fronts: bool
) -> None:
    image = np.full((200, 200, 3), 60, np.uint8)
    image[66:94, 80:120], image[94:122, 80:120] = top, front  # seen from 45 degrees
    places = tuple(np.array([value], np.float32) for value in (100, 80, 34))
    foot = np.array([0.0, 0.83])
    levels = pips.pyramid(image)
    assert front_lightness(levels, places, foot)[0] == pytest.approx(front / top, abs=0.02)
    assert lighting.may_be_fronts(levels, places, foot) is fronts


@pytest.mark.slow
@pytest.mark.parametrize("name", ["142-54", "142-133"])
def test_a_die_from_the_edge_of_the_table_on_its_head_is_not_read(name: str) -> None:
    image = load(BESIDE[name])
    assert Reader(1).read(image).faces == faces_of(name)
    reading = Reader(1).read(np.ascontiguousarray(image[::-1, ::-1]))
    assert (reading.status, Reason.OBLIQUE in reading.reasons) == (Status.UNSURE, True)


@pytest.mark.thorough
def test_a_die_beside_those_that_were_read_is_seen_from_the_edge_of_the_table() -> None:
    passed, own = [], []
    for seed in range(300, 306):
        made = example("from the table", seed)
        view = view_from_above(pips.pyramid(made.image), FIRST, None)
        dice = [DieReading(die.face, 0.9, die.center, die.size, 0.0, Colour.WHITE) for die in made.dice]
        x, y, edge = np.array([(*die.center, die.size) for die in dice], np.float32).T
        passed += [view.passed_over(dice[:k], x[k:], y[k:], edge[k:])[0] for k in range(1, len(dice))]
        # what lies half an edge below a top is its own side
        own += view.passed_over(dice, x, y + np.float32(0.5) * edge, edge).tolist()
    assert len(passed) > 10
    assert all(passed)
    assert not any(own)
