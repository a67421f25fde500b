"""The next reader: from what a detector and a face network say to a reading. Both are stand-ins here."""

from pathlib import Path

import numpy as np
import pytest

from lab.two_networks.engine import with_opencv
from lab.two_networks.faces import HEAT_OF_A_DIE, Seen
from lab.two_networks.places import STRIDE, UNIT_PX, Place, apart, peaks
from lab.two_networks.reader import NetworkReader, TwoNetworks
from lab.two_networks.verdict import THRESHOLDS, Thresholds, settled, thresholds, verdict
from vision.inference.networks import MODELS, ModelError
from vision.reading import Reading, Reason, Status


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
    found = verdict([_seen(4, 0.95), _seen(2, 0.7), _seen(6, 0.05, none=0.9)], 2)
    assert (found.faces, found.sure) == ((2, 4), pytest.approx(0.7))


def test_another_die_makes_the_count_unsure() -> None:
    assert verdict([_seen(4, 0.95), _seen(2, 0.9), _seen(6, 0.8, none=0.1)], 2).sure == pytest.approx(0.1)


def test_too_few_dice_are_never_sure() -> None:
    found = verdict([_seen(4, 0.95)], 2)
    assert (found.faces, found.sure) == ((4,), 0.0)


def test_what_the_detector_doubts_is_not_sure() -> None:
    assert verdict([_seen(4, 0.9, heat=HEAT_OF_A_DIE / 2)], 1).sure == pytest.approx(0.45)


def test_three_looks_have_to_agree_and_none_follows_when_they_do() -> None:
    looks = iter([[_seen(2, 0.97)], [_seen(3, 0.99)], [_seen(2, 0.95)], [_seen(2, 0.93)], [_seen(5, 0.99)]])
    found = settled(looks, 1)
    assert (found.faces, found.sure) == ((2,), pytest.approx(0.95))
    assert next(looks)[0].face == 5


def test_one_sure_look_among_others_is_not_sure() -> None:
    looks = [[_seen(2, 0.99)], [_seen(3, 0.4)], [], [_seen(2, 0.3)], []]
    assert settled(looks, 1).sure == pytest.approx(0.43)


@pytest.mark.parametrize("expected", [4, None])
def test_a_die_that_one_look_misses_and_others_see_makes_the_number_unsure(expected: int | None) -> None:
    five = [_seen(2, 0.99, x=30.0 * k) for k in range(5)]
    found = settled([five, five[:4], five, [], []], expected)
    assert found.sure == pytest.approx(0.33 if expected else 0.66, abs=0.01)


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


def _read(dice: int | None, *lying: tuple[int, int, int, int], detector: Detector | None = None) -> Reading:
    networks = TwoNetworks(detector or Detector(*lying), _faces)
    return NetworkReader(dice, networks, Thresholds(0.7, 0.05)).read(_tray(*lying))


def test_dice_are_read_where_they_lie() -> None:
    reading = _read(3, (5, 400, 300, 40), (2, 100, 120, 40), (6, 220, 250, 40))
    assert (reading.status, reading.faces) == (Status.READY, (2, 5, 6))
    assert [die.center for die in reading.dice] == [
        pytest.approx(p, abs=0.6) for p in ((100, 120), (220, 250), (400, 300))
    ]
    assert min(die.confidence for die in reading.dice) > 0.9


def test_a_die_as_large_as_half_the_picture_is_read() -> None:
    detector = Detector((3, 320, 240, 320))
    reading = _read(1, (3, 320, 240, 320), detector=detector)
    assert (reading.status, reading.faces) == (Status.READY, (3,))
    assert detector.shown == [640, 320, 480, 160]


@pytest.mark.parametrize(("expected", "reason"), [(1, Reason.TOO_MANY), (3, Reason.TOO_FEW)])
def test_another_number_of_dice_is_refused(expected: int, reason: Reason) -> None:
    reading = _read(expected, (5, 400, 300, 40), (2, 100, 120, 40))
    assert (reading.status, reading.reasons) == (Status.UNSURE, (reason,))


def test_without_a_number_all_dice_in_sight_are_read() -> None:
    assert _read(None, (5, 400, 300, 40), (2, 100, 120, 40)).faces == (2, 5)
    reading = _read(None)
    assert (reading.status, reading.dice) == (Status.EMPTY, ())


def test_what_may_be_a_die_is_not_empty() -> None:
    detector = Detector((0, 300, 200, 40))
    faint = lambda shown: np.tile(np.float32([2.5, 0, 0, 0, 0, 0, 0]), (len(shown), 1))  # noqa: E731
    reading = NetworkReader(5, TwoNetworks(detector, faint), Thresholds(0.7, 0.05)).read(_tray())
    assert (reading.status, reading.dice) == (Status.UNSURE, ())


def test_networks_are_run_by_opencv() -> None:
    assert with_opencv("faces", MODELS)(np.zeros((2, 6, 48, 48), np.float32)).shape == (2, 10)


def test_thresholds_stand_beside_the_networks(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=THRESHOLDS):
        thresholds(tmp_path)
    (tmp_path / THRESHOLDS).write_text('{"ready": 0.8, "empty": 0.1, "makers": []}')
    assert thresholds(tmp_path) == Thresholds(0.8, 0.1)
