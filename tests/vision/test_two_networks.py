"""The second look: from what a detector and a face network say to a reading. Mostly both are stand-ins."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from simulator.cases import Example, example
from vision.inference.networks import MODELS, ModelError
from vision.reader import NO_SECOND_LOOK, SURELY_ALL, SURELY_READ, Reader
from vision.reading import Reading, Reason, Status
from vision.two_networks import reader as two_networks
from vision.two_networks.engine import load_network
from vision.two_networks.faces import HEAT_OF_A_DIE, Seen
from vision.two_networks.places import STRIDE, UNIT_PX, Place, apart, peaks
from vision.two_networks.reader import TwoNetworks
from vision.two_networks.verdict import Verdict, settled, verdict


def _seen(face: int, chance: float, *, none: float = 0.0, heat: float = 0.9, x: float = 10.0) -> Seen:
    odds = [none, *[(1 - none - chance) / 5] * 6]
    odds[face] = chance
    return Seen(Place(x, 10.0, 20.0, heat), tuple(odds))


def _maps(*dice: tuple[float, float, float], size_wh: tuple[int, int] = (256, 256)) -> np.ndarray:
    """The maps of a detector that sees dice (x, y, size) where they are."""
    maps = np.zeros((4, size_wh[1] // STRIDE, size_wh[0] // STRIDE), np.float32)
    maps[0] = -9.0
    for x, y, size in dice:
        column, row = int(x // STRIDE), int(y // STRIDE)
        maps[:, row, column] = 5.0, np.log2(size / UNIT_PX), x / STRIDE - column - 0.5, y / STRIDE - row - 0.5
    return maps


def test_a_perfect_detector_gives_back_the_dice() -> None:
    dice = ((61.0, 90.5, 30.0), (97.0, 91.0, 40.0), (200.0, 33.0, 90.0))
    found = sorted(apart(peaks(_maps(*dice))), key=lambda one: one.x)
    assert [(p.x, p.y, p.size) for p in found] == [pytest.approx(die, abs=1e-3) for die in dice]


def test_places_are_told_in_pixels_of_the_picture() -> None:
    (half,) = apart([Place(99.5, 49.5, 20.0, 0.9)], 0.5)
    assert (half.x, half.y, half.size) == (199.5, 99.5, 40.0)


def test_two_places_on_one_die_are_one_and_the_hotter_stays() -> None:
    found = apart([Place(100, 100, 40, 0.9), Place(110, 100, 44, 0.8), Place(140, 100, 40, 0.3)])
    assert [one.heat for one in found] == [0.9, 0.3]


def test_a_reading_is_as_sure_as_its_least_sure_die() -> None:
    said = verdict([_seen(4, 0.95), _seen(2, 0.7), _seen(6, 0.05, none=0.9)], 2)
    assert (said.faces, said.sure) == ((2, 4), pytest.approx(0.7))


def test_another_die_makes_the_count_unsure() -> None:
    assert verdict([_seen(4, 0.95), _seen(2, 0.9), _seen(6, 0.8, none=0.1)], 2).sure == pytest.approx(0.1)


def test_too_few_dice_are_never_sure() -> None:
    said = verdict([_seen(4, 0.95)], 2)
    assert (said.faces, said.sure) == ((4,), 0.0)


def test_what_the_detector_doubts_is_not_sure() -> None:
    assert verdict([_seen(4, 0.9, heat=HEAT_OF_A_DIE / 2)], 1).sure == pytest.approx(0.45)


def test_three_looks_have_to_agree_and_none_follows_when_they_do() -> None:
    looks = iter([[_seen(2, 0.97)], [_seen(3, 0.99)], [_seen(2, 0.95)], [_seen(2, 0.93)], [_seen(5, 0.99)]])
    said = settled(looks, 1)
    assert (said.faces, said.sure) == ((2,), pytest.approx(0.95))
    assert next(looks)[0].face == 5


def test_one_sure_look_among_others_is_not_sure() -> None:
    looks = [[_seen(2, 0.99)], [_seen(3, 0.4)], [], [_seen(2, 0.3)], []]
    assert settled(looks, 1).sure == pytest.approx(0.43)


def test_no_further_look_is_taken_where_none_can_make_it_sure_enough() -> None:
    looks = iter([[_seen(2, 0.9)], [_seen(3, 0.5)], [_seen(2, 0.4)], [_seen(2, 0.99)]])
    assert settled(looks, 1, 0.8).sure < 0.8
    assert next(looks)[0].sure == pytest.approx(0.99)
    looks = iter([[_seen(2, 0.9)], [_seen(3, 0.5)], [_seen(2, 0.7)], [_seen(2, 0.9)]])
    assert settled(looks, 1, 0.8).sure == pytest.approx(0.833, abs=0.001)


@pytest.mark.parametrize("expected", [4, None])
def test_a_die_that_one_look_misses_and_others_see_makes_the_number_unsure(expected: int | None) -> None:
    five = [_seen(2, 0.99, x=30.0 * k) for k in range(5)]
    said = settled([five, five[:4], five, [], []], expected)
    assert said.sure == pytest.approx(0.33 if expected else 0.66, abs=0.01)


WHITE = 40  # a die that shows n is a square n times so bright


def _tray(*dice: tuple[int, int, int, int], size_wh: tuple[int, int] = (640, 480)) -> np.ndarray:
    """A picture with dice (face, x, y, size)."""
    picture = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    for face, x, y, size in dice:
        picture[y - size // 2 : y + size // 2, x - size // 2 : x + size // 2] = WHITE * face
    return picture


class Detector:
    """Sees the dice of `_tray` while they are 11 to 250 pixels large in what it is shown."""

    def __init__(self, *dice: tuple[int, int, int, int], long_side: int = 640) -> None:
        self.dice, self.long_side, self.shown = dice, long_side, []

    def __call__(self, shown: np.ndarray) -> np.ndarray:
        height, width = shown.shape[2:]
        self.shown.append(max(height, width))
        scale = max(height, width) / self.long_side
        dice = [(x * scale, y * scale, size * scale) for _, x, y, size in self.dice]
        return _maps(*(die for die in dice if 11 <= die[2] <= 250), size_wh=(width, height))[None]


def _faces(shown: np.ndarray) -> np.ndarray:
    """Tells the face by how bright the middle of a patch is."""
    middle = shown[:, 0, 30:50, 30:50].mean((1, 2)) * 128 + 127
    return -0.5 * np.abs(np.arange(7) * WHITE - middle[:, None]).astype(np.float32)


def anywhere(x: np.ndarray, _y: np.ndarray, _edge: np.ndarray) -> np.ndarray:
    return np.ones(len(x), np.bool_)


def left_half(x: np.ndarray, _y: np.ndarray, _edge: np.ndarray) -> np.ndarray:
    return x < 320


def _verdict(dice: int | None, *lying: tuple[int, int, int, int], possible=anywhere) -> Verdict:
    networks = TwoNetworks(Detector(*lying), _faces)
    return settled(networks.looks(_tray(*lying), possible), dice)


def test_dice_are_read_where_they_lie() -> None:
    read = _verdict(3, (5, 400, 300, 40), (2, 100, 120, 40), (6, 220, 250, 40))
    dice = two_networks.dice_of(read)
    assert [die.face for die in dice] == [2, 6, 5]
    assert [die.center for die in dice] == [
        pytest.approx(p, abs=0.6) for p in ((100, 120), (220, 250), (400, 300))
    ]
    assert read.sure > 0.9


def test_a_die_as_large_as_half_the_picture_is_read() -> None:
    detector = Detector((3, 320, 240, 320))
    read = settled(TwoNetworks(detector, _faces).looks(_tray((3, 320, 240, 320)), anywhere), 1)
    assert (read.faces, read.sure > SURELY_READ) == ((3,), True)
    assert detector.shown == [320, 480, 160]


@pytest.mark.parametrize("expected", [1, 3])
def test_another_number_of_dice_is_not_sure(expected: int) -> None:
    assert _verdict(expected, (5, 400, 300, 40), (2, 100, 120, 40)).sure < 0.1


def test_without_a_number_all_dice_in_sight_are_read() -> None:
    assert _verdict(None, (5, 400, 300, 40), (2, 100, 120, 40)).faces == (2, 5)
    assert _verdict(None) == Verdict()


def test_dice_outside_the_tray_are_not_read() -> None:
    assert _verdict(1, (5, 400, 300, 40), (2, 100, 120, 40), possible=left_half).faces == (2,)


def test_the_networks_that_ship_read_what_the_reader_reads() -> None:
    made = example("on wood", 3)
    read = two_networks.verdict_on(np.asarray(made.image), len(made.dice), anywhere)
    assert (read.faces, read.sure > SURELY_READ) == (tuple(sorted(die.face for die in made.dice)), True)


def test_a_damaged_network_is_refused(tmp_path: Path) -> None:
    for path in (MODELS / "second_look").iterdir():
        shutil.copy(path, tmp_path)
    (tmp_path / "faces.onnx").write_bytes(b"no network")
    with pytest.raises(ModelError, match="faces"):
        TwoNetworks.of_folder(tmp_path)
    (tmp_path / "faces.onnx").unlink()
    with pytest.raises(ModelError, match="faces"):
        load_network("faces", tmp_path)


FIVE = example("on wood", 3)
"""A picture that is read at the first look."""
FACES = tuple(sorted(die.face for die in FIVE.dice))


class Witness:
    """Stands in for the networks: says the same of every picture, and counts how often it is asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answer: Verdict) -> None:
        self.answer, self.asked = answer, 0
        monkeypatch.setattr(two_networks, "verdict_on", self)

    def __call__(self, *_of: object) -> Verdict:
        self.asked += 1
        return self.answer


def _seen_in(made: Example, sure: float) -> Verdict:
    """A verdict on all dice of a picture, where they lie."""
    dice = tuple(
        Seen(Place(*die.center, die.size / two_networks.EDGE, 0.9), _seen(die.face, 0.97).odds)
        for die in made.dice
    )
    return Verdict(dice, sure, likeliest=0.95)


def _open_reader(monkeypatch: pytest.MonkeyPatch, reading: Reading, dice: int | None) -> Reader:
    """A reader whose own looks say so."""
    reader = Reader(dice)
    monkeypatch.setattr(reader, "_searched", lambda *_of, **_how: (reading, True))
    monkeypatch.setattr(reader, "_explained", lambda reading, _area: reading)
    return reader


def _unsure(*reasons: Reason) -> Reading:
    return Reading(Status.UNSURE, (), reasons)


def test_what_is_read_at_the_first_look_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    witness = Witness(monkeypatch, Verdict())
    assert Reader(len(FACES)).read(FIVE.image).status is Status.READY
    assert witness.asked == 0


@pytest.mark.parametrize(("dice", "least"), [(len(FACES), SURELY_READ), (None, SURELY_ALL)])
def test_an_open_picture_is_ready_where_the_networks_are_sure(
    monkeypatch: pytest.MonkeyPatch, dice: int | None, least: float
) -> None:
    witness = Witness(monkeypatch, _seen_in(FIVE, least))
    reader = _open_reader(monkeypatch, _unsure(Reason.LOW_CONFIDENCE), dice)
    assert (reader.read(FIVE.image).status, reader.read(FIVE.image).faces) == (Status.READY, FACES)
    witness.answer = _seen_in(FIVE, least - 0.01)
    assert reader.read(FIVE.image).status is Status.UNSURE


@pytest.mark.parametrize("reason", sorted(NO_SECOND_LOOK))
def test_how_dice_lie_is_not_the_networks_to_say(monkeypatch: pytest.MonkeyPatch, reason: Reason) -> None:
    witness = Witness(monkeypatch, _seen_in(FIVE, 0.99))
    reader = _open_reader(monkeypatch, _unsure(reason, Reason.LOW_CONFIDENCE), len(FACES))
    assert reader.read(FIVE.image).reasons == (reason, Reason.LOW_CONFIDENCE)
    assert witness.asked == 0


def test_a_leaning_die_that_the_networks_read_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    leaning = example("cocked on the rim", 7)
    Witness(monkeypatch, _seen_in(leaning, 0.97))
    reader = _open_reader(monkeypatch, _unsure(Reason.LOW_CONFIDENCE), len(leaning.dice))
    assert reader.read(leaning.image).status is Status.UNSURE


@pytest.mark.parametrize(("seen", "status"), [((6, 6), Status.UNSURE), (None, Status.READY)])
def test_what_a_further_look_reads_is_not_ready_where_the_networks_surely_see_other_faces(
    monkeypatch: pytest.MonkeyPatch, seen: tuple[int, ...] | None, status: Status
) -> None:
    ready = Reader(len(FACES)).read(FIVE.image)
    dice = tuple(_seen(face, 0.97) for face in seen or FACES)
    Witness(monkeypatch, Verdict(dice, 0.97, likeliest=0.97))
    reader = Reader(len(FACES))
    monkeypatch.setattr(reader, "_searched", lambda *_of, **_how: (ready, False))
    assert reader.read(FIVE.image).status is status


def test_an_empty_tray_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    witness = Witness(monkeypatch, _seen_in(FIVE, 0.99))
    assert _open_reader(monkeypatch, Reading(Status.EMPTY), 5).read(FIVE.image).status is Status.EMPTY
    assert witness.asked == 0


def test_what_nobody_has_counted_is_not_read_beside_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice under the hand are in no verdict."""
    made = example("hand over the dice", 7)
    Witness(monkeypatch, _seen_in(FIVE, 0.99))
    reader = _open_reader(monkeypatch, _unsure(Reason.LOW_CONFIDENCE), None)
    assert reader.read(FIVE.image).status is Status.READY
    monkeypatch.setattr("vision.reader._covered", lambda *_of, **_how: True)
    assert reader.read(made.image).status is Status.UNSURE
