"""Trays of the simulator that the reader once took for something else, and photographs of single traps."""

from pathlib import Path

import pytest

from simulator.cases import example
from vision.picture import load
from vision.reader import Reader
from vision.reading import Reading, Reason, Status


def pictures(*rows: tuple[str, str, tuple[int, ...], int]) -> list[object]:
    """A parameter set for each seed of each row: name, case, seeds and how many dice are expected."""
    return [
        pytest.param(case, seed, expected, id=f"{name} ({seed})")
        for name, case, seeds, expected in rows
        for seed in seeds
    ]


def read(case: str, seed: int, expected: int) -> Reading:
    return Reader(expected).read(example(case, seed).image)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "seed", "expected"),
    pictures(
        ("a number token makes up for no die", "number token beside", (500, 502, 504, 505, 506, 507), 6),
        ("a number token makes up for none of four", "number token beside", (503,), 5),
        ("a number token makes up for none of three", "number token beside", (501,), 4),
        ("dots of a cloth make up for no die", "pencil beside", (540_003,), 5),
        ("a die on a patterned cloth", "patterned cloth", (41_001, 41_002), 4),
        ("white dice on white", "white on white", (95_210, 95_211), 4),
        ("red dice on red", "big red one", (95_210, 95_211), 4),
    ),
)
def test_another_number_of_dice_is_never_ready(case: str, seed: int, expected: int) -> None:
    assert read(case, seed, expected).status is not Status.READY


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "seed", "expected", "reason"),
    [
        *[("spare die", seed, 5, Reason.TOO_MANY) for seed in range(8)],
        ("on wood", 937_000, 4, Reason.TOO_MANY),  # the finder proposes the fifth only in a small copy
        ("spare die", 1, 7, Reason.TOO_FEW),
        ("spare die", 4, 7, Reason.TOO_FEW),
        ("plain", 3, 6, Reason.TOO_FEW),
        ("plain", 7, 6, Reason.TOO_FEW),
    ],
)
def test_another_number_of_dice_is_the_reason(case: str, seed: int, expected: int, reason: Reason) -> None:
    reading = read(case, seed, expected)
    assert reading.status is not Status.READY
    assert reason in reading.reasons


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "seed", "expected"),
    pictures(
        ("a domino: a long bar", "only things", (380_041,), 2),
        ("a domino: one half shows no face", "only things", (380_025,), 1),
        ("a domino: each half is proven by one look", "only things", (383_014,), 2),
        ("a card", "only things", (361_002,), 5),
        ("a number token", "only things", (361_001,), 5),
        ("a button with four holes", "only things", (365_025,), 5),
    ),
)
def test_what_is_plainly_no_die_leaves_the_tray_empty(case: str, seed: int, expected: int) -> None:
    assert read(case, seed, expected).status is Status.EMPTY


@pytest.mark.slow
def test_a_d20_that_two_networks_take_for_a_die_leaves_no_empty_tray() -> None:
    assert read("only things", 361_008, 5).status is Status.UNSURE


@pytest.mark.slow
@pytest.mark.parametrize("seed", [95_003, 96_001, 96_002, 96_003])
def test_dice_that_are_shaken_beyond_all_telling_are_no_empty_tray(seed: int) -> None:
    assert read("shaken", seed, 5).status is Status.UNSURE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "seed"),
    [
        *[("d20 beside", seed) for seed in (389_000, 389_001, 389_005)],
        # walls of a brown tray, no hand
        *[("from the side", seed) for seed in (310_000, 310_005)],
    ],
)
def test_the_reading_is_what_the_simulator_expects(case: str, seed: int) -> None:
    made = example(case, seed)
    assert made.expected.accepts(Reader(made.expected_dice).read(made.image))


@pytest.mark.thorough
def test_dots_of_a_cloth_are_no_die_far_larger_than_the_others() -> None:
    made = example("touching row", 20_005)
    reading = Reader(made.expected_dice).read(made.image)
    assert reading.status is not Status.READY or made.expected.accepts(reading)


@pytest.mark.photos
@pytest.mark.slow
@pytest.mark.parametrize(
    ("picture", "expected", "status", "faces"),
    [
        # two black dice on white, 28 px: each was taken for the lone pip of a white die
        ("photos/traps/dark-dice-as-pips.png", 2, Status.READY, (2, 4)),
        # a 4 and the 6 on the front of the same die: a frame round both shows a 6
        ("photos/traps/side-as-top.png", 1, Status.UNSURE, None),
        ("photos2/rune55/qoyZSQ7TNlg0a8VtqrSL_jpg.jpg", 1, Status.UNSURE, None),
        # dice in plain view, seen at an angle, of which no face is read
        ("photos2/rune55/bvfZorjkAy2xcmP2d5b0_jpg.jpg", 1, Status.UNSURE, ()),
        ("photos2/rune55/jhUCP1JLkTxNcCAkov2W_jpg.jpg", 1, Status.UNSURE, ()),
        ("photos2/rune55/BWTwBZzX0jEL3aZ2JBqH_jpg.jpg", 1, Status.UNSURE, ()),
        ("photos2/rune55/BXtBdBqh6oTj8J8msnla_jpg.jpg", 2, Status.UNSURE, ()),
        ("photos2/game-boards/dice_281.jpg", 2, Status.UNSURE, ()),
        # blurred beyond reading, so near that each fills a sixth of the picture
        ("photos2/rune55/00071_jpg.jpg", 5, Status.UNSURE, ()),
        # the same, read by the last look
        ("photos2/rune55/udg8njR80eR3nlO1myfe_jpg.jpg", 1, Status.READY, (3,)),
        ("photos2/rune55/xax0VmUKJrDuLIyVDZUO_jpg.jpg", 1, Status.READY, (4,)),
        # faces over which the first face network hesitates
        ("photos2/game-boards/dice_131.jpg", 1, Status.READY, (5,)),
        # a 1 that is round and shows no foot: the networks know that it is no counter
        ("photos2/game-boards/dice_137.jpg", 1, Status.READY, (1,)),
        ("photos2/rune55/IMG_20191209_095730_jpg.jpg", 9, Status.READY, (1, 2, 2, 3, 3, 4, 4, 6, 6)),
        # of two dice one is not read: nothing but the finder's faint proposals speaks for it
        ("photos2/rune55/00065_jpg.jpg", None, Status.UNSURE, None),
        ("photos2/rune55/00049_jpg.jpg", None, Status.UNSURE, None),
        ("photos2/game-boards/dice_208.jpg", None, Status.UNSURE, None),
        # a die that touches two others counts whatever is expected
        ("photos/nell-byler__dice_detection/IMG_20191208_112933.jpg", 9, None, (2, 3, 3, 3, 4, 4, 5, 6, 6)),
        ("photos/nell-byler__dice_detection/IMG_20191208_112933.jpg", 8, Status.UNSURE, None),
        # a pale 1 that no finder proposes
        ("renders/light/light_7001_0020.jpg", 4, Status.UNSURE, None),
        ("renders/light/light_7001_0020.jpg", 5, Status.UNSURE, None),
        # a die whose pips a highlight hides
        ("renders2/clutter/clutter_22411_0006.jpg", 4, Status.UNSURE, None),
        ("renders2/clutter/clutter_22411_0006.jpg", 5, Status.UNSURE, None),
        # four dice that touch, on a cloth with dots, are from afar one body without a face
        ("renders2/touching/touching_22411_0014.jpg", 4, Status.UNSURE, ()),
    ],
)
def test_a_picture_with_a_trap(
    photos: Path, picture: str, expected: int | None, status: Status | None, faces: tuple[int, ...] | None
) -> None:
    reading = Reader(expected).read(load(photos.parent / picture))
    assert status in {None, reading.status}
    assert faces in {None, reading.faces}
