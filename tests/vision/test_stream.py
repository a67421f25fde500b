"""The stream reader: a roll counts only when it has lain still, and dice keep their numbers."""

import random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from simulator import Scene, SceneTray, SimulatedTray
from simulator.scene import Material, lying
from simulator.styles import STYLES
from tests.vision.helpers import draw, empty_tray
from vision import motion
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import Colour, DieReading, Reading, Reason, Status
from vision.stream import LOOKS_MAX, StreamReader

Picture = NDArray[np.uint8]

LYING = ((2, (200.0, 200.0)), (5, (360.0, 260.0)))
"""Near the middle of the picture, for only there a camera sees no sides of dice that lie flat."""


def _tray(*places: tuple[int, tuple[float, float]]) -> Picture:
    image = empty_tray()
    for face, center in places:
        draw(image, face, center)
    return image


def _darker_tray() -> Picture:
    return cv2.subtract(_tray(), np.array([30, 30, 30, 0], np.float64)).astype(np.uint8)


def _feed(stream: StreamReader, pictures: list[Picture], start: int = 0, fps: float = 20.0) -> list[Reading]:
    return [stream.feed(Frame(p, (start + k) / fps, start + k)) for k, p in enumerate(pictures)]


def test_a_roll_is_ready_after_a_quarter_of_a_second_and_not_before() -> None:
    still = _tray(*LYING)
    readings = _feed(StreamReader(Reader(2)), [still] * 8)
    assert [r.status for r in readings] == [Status.MOVING] * 5 + [Status.READY] * 3
    assert readings[-1].faces == (2, 5)


def test_dice_lie_since_the_frame_that_shows_them_first() -> None:
    rolling, still = _tray((2, (100, 150)), (5, (400, 300))), _tray(*LYING)
    readings = _feed(StreamReader(Reader(2)), [rolling, *[still] * 6])
    assert [r.status for r in readings] == [Status.MOVING] * 6 + [Status.READY]


class Scripted:
    """A reader that gives these readings, one a look, and notes whether it may look quickly."""

    def __init__(self, *readings: Reading) -> None:
        self.dice = 2
        self._readings = list(readings)
        self.again: list[bool] = []
        self.smallest: list[float] = []
        self.glances = 0

    def now(self) -> float:
        return 0.0

    def read(self, image_bgr: Picture, *, again: bool = False, smallest: float = np.inf) -> Reading:
        del image_bgr
        self.smallest.append(smallest)
        self.again.append(again)
        return self._readings.pop(0)

    def glance(self, image_bgr: Picture, *, smallest: float = np.inf) -> Reading:
        del image_bgr, smallest
        self.glances += 1
        return self._readings.pop(0)


def _dice(*faces: int) -> tuple[DieReading, ...]:
    return tuple(
        DieReading(face, 0.99, (100.0 * k, 50.0), 30.0, 0.0, Colour.WHITE) for k, face in enumerate(faces)
    )


READ = Reading(Status.READY, _dice(2, 5))
UNREAD = Reading(Status.UNSURE, _dice(2), (Reason.TOO_FEW,))
HIDDEN = Reading(Status.COVERED, _dice(2), (Reason.TOO_FEW,))


OTHER = Reading(Status.READY, _dice(2, 6))
COCKED = Reading(Status.UNSURE, READ.dice, (Reason.COCKED,))


@pytest.mark.parametrize(
    ("readings", "pictures", "again"),
    [
        # only what was read closely is looked at quickly again
        ((UNREAD, READ, READ, READ, READ), 5, [False, False, True, True, True]),
        # a quick look that sees other dice, or is unsure, is followed by a close one
        ((READ, OTHER, OTHER, OTHER), 3, [False, True, False, True]),
        ((READ, COCKED, READ, READ), 3, [False, True, False, True]),
    ],
)
def test_looks_are_quick_while_they_agree(
    readings: tuple[Reading, ...], pictures: int, again: list[bool]
) -> None:
    reader = Scripted(*readings)
    _feed(StreamReader(reader), [_tray()] * pictures)  # type: ignore[arg-type]
    assert reader.again == again
    assert reader.smallest == [np.inf, *[30.0] * (len(again) - 1)]


def test_what_comes_slowly_is_looked_at_closely() -> None:
    pictures = []
    for grey in (0, 10, 20):
        picture = _tray()
        picture[100:200, 100:200] += np.uint8(grey)
        pictures.append(picture)
    reader = Scripted(READ, READ, READ)
    _feed(StreamReader(reader), pictures)  # type: ignore[arg-type]
    assert reader.again == [False, True, False]


@pytest.mark.parametrize(
    ("readings", "status"),
    [
        # a hand that every other look sees does not come and go
        ((*[UNREAD, HIDDEN, HIDDEN] * 3, UNREAD), Status.UNSURE),
        # one that most looks see is there
        ((HIDDEN, HIDDEN, UNREAD, *[HIDDEN] * 4, UNREAD), Status.COVERED),
    ],
)
def test_a_hand_is_there_where_most_looks_see_it(readings: tuple[Reading, ...], status: Status) -> None:
    found = _feed(StreamReader(Scripted(*readings)), [_tray()] * len(readings))  # type: ignore[arg-type]
    assert {each.status for each in found[5:]} == {status}


def test_what_cannot_be_read_is_looked_at_once_a_second_until_it_can_be() -> None:
    reader = Scripted(*[UNREAD] * 11, *[READ] * 20)
    readings = _feed(StreamReader(reader), [_tray()] * 70)  # type: ignore[arg-type]
    assert [r.status for r in readings][-1] is Status.READY
    assert len(reader.again) < 40


def test_a_change_is_looked_at_at_once() -> None:
    reader = Scripted(*[UNREAD] * 10, READ, READ)
    stream = StreamReader(reader)  # type: ignore[arg-type]
    _feed(stream, [_tray()] * 11)
    assert len(reader.again) == LOOKS_MAX
    _feed(stream, [_darker_tray()] * 3, start=11)
    assert reader.glances == 1
    assert len(reader.again) == LOOKS_MAX + 1


@pytest.mark.parametrize(
    ("readings", "again", "statuses"),
    [
        # a glance that is ready is one of the looks
        ((READ, READ, READ), [False, False, True], ["moving", "moving", "ready"]),
        # one that sees other dice is none
        ((OTHER, READ, READ, READ), [False, False, True, True], [None, None, "moving", "ready"]),
        # one at a hand that pauses says nothing
        ((UNREAD, READ, READ, READ), [False, False, True, True], ["covered", "moving", "moving", "ready"]),
    ],
)
def test_a_glance_follows_a_change(
    readings: tuple[Reading, ...], again: list[bool], statuses: list[str | None]
) -> None:
    """Of a picture that changed once and then stays, a look for each reading."""
    reader = Scripted(UNREAD, *readings)
    pictures = [_tray(), *[_darker_tray()] * (len(readings) + 1)]
    found = _feed(StreamReader(reader), pictures, fps=5)[2:]  # type: ignore[arg-type]
    assert (reader.glances, reader.again) == (1, again)
    assert all(status in {None, each.status} for status, each in zip(statuses, found, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "floor", "style"), [(24, (171, 133, 116), "green"), (16, (210, 164, 144), "white")]
)
def test_on_a_wooden_tray_the_verdict_stays(seed: int, floor: tuple[int, int, int], style: str) -> None:
    """Single looks at these see a hand in the grain now and then; a die is missing."""
    now = [0.0]
    tray = SimulatedTray(
        random.Random(seed),
        styles=[STYLES[style]],
        scene=Scene(tray=SceneTray(material=Material.WOOD, floor=floor), seed=seed),
        clock=lambda: now[0],
        sleep=lambda _: None,
    )
    stream, verdicts = StreamReader(Reader(6)), []
    with tray:
        tray.throw()
        now[0] = 60.0
        for _ in range(24):
            now[0] += 1 / 15
            frame = tray.read()
            verdicts.append(stream.feed(frame).status)
    first = next(status for status in verdicts if status is not Status.MOVING)
    settled = verdicts[verdicts.index(first) :]
    assert len(settled) > 12
    assert set(settled) == {first}


@pytest.mark.thorough
def test_dice_that_roll_are_never_ready() -> None:
    rolling = [_tray((2, (100 + 25 * k, 150)), (5, (400, 300))) for k in range(12)]
    readings = _feed(StreamReader(Reader(2)), rolling)
    assert {r.status for r in readings} == {Status.MOVING}


def test_an_arm_over_the_tray_covers_it() -> None:
    still = _tray((2, (150, 150)), (5, (400, 300)))
    reached = still.copy()
    reached[:, 300:560] = (120, 150, 210)
    readings = _feed(StreamReader(Reader(2)), [still, still, reached])
    assert readings[-1].status is Status.COVERED


@pytest.mark.thorough
def test_a_die_that_stays_keeps_its_number_and_a_new_one_gets_a_new() -> None:
    stream = StreamReader(Reader(2))
    before = _feed(stream, [_tray((2, (150, 150)), (5, (400, 300)))] * 8)[-1]
    after = _feed(stream, [_tray((2, (150, 150)), (3, (300, 100)), (4, (500, 380)))] * 8, start=8)[-1]
    numbers = {die.face: die.track for die in before.dice}
    assert {die.face: die.track for die in after.dice}[2] == numbers[2]
    assert len({die.track for die in after.dice}) == 3


def test_reset_forgets_what_lay_there() -> None:
    stream = StreamReader(Reader(2))
    still = _tray(*LYING)
    assert _feed(stream, [still] * 8)[-1].status is Status.READY
    stream.reset()
    assert _feed(stream, [still], start=8)[0].status is Status.MOVING


THERE = Reading(
    Status.READY, tuple(DieReading(face, 0.99, at, 50.0, 0.0, Colour.WHITE) for face, at in LYING)
)
"""What a reader says of LYING."""


def test_in_a_picture_of_another_size_dice_are_read_anew() -> None:
    """A camera that came back in another mode, or a phone that spares its line, while the stream goes on."""
    reader = Scripted(*[THERE] * 6)
    stream, large = StreamReader(reader), _tray(*LYING)  # type: ignore[arg-type]
    small = np.asarray(cv2.resize(large, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    assert _feed(stream, [large] * 8, fps=8.0)[-1].status is Status.READY
    told = _feed(stream, [small] * 3, start=8, fps=8.0)
    assert [reading.status for reading in told] == [Status.MOVING, Status.MOVING, Status.READY]
    assert len(reader.again) == 6, "three looks at each"


def test_where_no_pictures_came_for_a_moment_a_roll_that_lies_as_it_lay_stays() -> None:
    reader, still = Scripted(*[THERE] * 4), _tray(*LYING)
    stream = StreamReader(reader)  # type: ignore[arg-type]
    assert _feed(stream, [still] * 8, fps=8.0)[-1].status is Status.READY
    assert [reading.status for reading in _feed(stream, [still] * 3, start=16, fps=8.0)] == [Status.READY] * 3
    assert reader.again == [False, True, True, True], "one look more, and a quick one"


class Watched:
    """A simulated tray of two dice and the stream that reads it; light: of the picture, 1 as it comes."""

    def __init__(self, light: float = 1.0) -> None:
        self.now_s, self.light = 0.0, light
        self.tray = SimulatedTray(random.Random(1), clock=lambda: self.now_s, sleep=lambda _: None)
        self.tray.start()
        reader = Reader(2, clock=lambda: self.now_s)  # a look takes no time: not that of a busy machine
        self.stream, self.pictures = StreamReader(reader), list[Picture]()

    def lay(self, *dice: tuple[int, tuple[float, float]], count: int = 10) -> list[Reading]:
        """What is read in so many pictures of dice with these faces at these places, mm."""
        self.tray.place([lying(STYLES["white"], face, at, 0.0) for face, at in dice])
        told = []
        for _ in range(count):
            self.now_s += 1 / 15
            frame = self.tray.read()
            self.pictures.append(np.asarray(frame.image * self.light, np.uint8))
            told.append(self.stream.feed(Frame(self.pictures[-1], frame.time_s, frame.number)))
        return told

    def moved(self, number: int) -> bool:
        """Whether something moves, by the small pictures, in the picture of that number."""
        now, before = (motion.thumbnail(self.pictures[i]) for i in (number, number - 1))
        return motion.detect_change(before, now).any


@pytest.mark.thorough
def test_a_die_that_was_turned_where_it_lies_while_no_pictures_came_is_read_anew() -> None:
    """A camera in the network that stalls; nothing has moved, as far as the small picture tells."""
    watched = Watched()
    assert watched.lay((2, (-20, 0)), (5, (20, 10)))[-1].faces == (2, 5)
    watched.now_s += 2.0
    told = watched.lay((2, (-20, 0)), (6, (20, 10)))
    assert not watched.moved(10)
    assert told[0].status is Status.MOVING
    assert {reading.faces for reading in told if reading.status is Status.READY} == {(2, 6)}


@pytest.mark.thorough
def test_dice_that_are_thrown_in_the_dark_are_not_ready_as_they_lay_before() -> None:
    """With a held exposure and the lamp off: what can still be read moves too faintly to be noticed."""
    watched = Watched(light=0.06)
    assert [reading.status for reading in watched.lay((2, (-20, 0)), (5, (20, 10)))][-1] is Status.READY
    told = watched.lay((6, (-50, 20)), (1, (40, -30)), count=20)
    assert not any(watched.moved(number) for number in range(1, 30))
    assert {reading.faces for reading in told[8:] if reading.status is Status.READY} == {(1, 6)}
    assert Status.MOVING in [reading.status for reading in told]


@pytest.mark.thorough
@pytest.mark.parametrize("light", [1.0, 0.06])
def test_in_the_dark_it_is_known_that_a_die_would_not_be_noticed(light: float) -> None:
    watched = Watched(light)
    die = next(iter(watched.lay((3, (30, 20)), count=6)[-1].dice))
    share = motion.THUMB_WIDTH / watched.pictures[-1].shape[1]
    place = (*die.center, die.size)
    noticed = motion.shows(motion.thumbnail(watched.pictures[-1]), *(share * each for each in place))
    assert noticed is (light == 1.0)


class Slow(Scripted):
    """One whose looks take longer than a camera may be silent."""

    clock_s = 0.0

    def now(self) -> float:
        return self.clock_s

    def read(self, image_bgr: Picture, *, again: bool = False, smallest: float = np.inf) -> Reading:
        self.clock_s += 0.6
        return super().read(image_bgr, again=again, smallest=smallest)


def test_a_slow_machine_looks_no_more_often_for_the_time_that_its_looks_take() -> None:
    reader, still = Slow(*[READ] * 30), _tray(*LYING)
    stream = StreamReader(reader)  # type: ignore[arg-type]
    for number in range(20):
        reading = stream.feed(Frame(still, reader.clock_s, number))
        reader.clock_s += 0.03
    assert reading.status is Status.READY
    assert len(reader.again) < 5


@pytest.mark.thorough
def test_another_number_of_dice_is_no_movement() -> None:
    """A die is held that is to lie aside: nobody has touched the tray yet."""
    reader = Reader(2)
    stream, still = StreamReader(reader), _tray(*LYING)
    assert _feed(stream, [still] * 8)[-1].status is Status.READY
    reader.dice = 1
    told = _feed(stream, [still] * 8, start=8)
    assert [reading.status for reading in told[:2]] == [Status.READY] * 2, "what was read stands meanwhile"
    assert (told[-1].status, told[-1].reasons) == (Status.UNSURE, (Reason.TOO_MANY,))
    assert Status.MOVING not in [reading.status for reading in told]
    reader.dice = 2
    assert Status.MOVING not in [reading.status for reading in _feed(stream, [still] * 8, start=16)]
    assert _feed(stream, [_tray(LYING[0])], start=24)[0].status is Status.MOVING


@pytest.mark.thorough
@pytest.mark.parametrize("after", [1, 2, 30])
def test_nor_is_one_number_after_the_other(after: int) -> None:
    """Before there were looks enough for the first, and after that was given up as hopeless."""
    reader = Reader(2)
    stream, still = StreamReader(reader), _tray(*LYING)
    start = len(_feed(stream, [still] * 8))
    for dice in (1, 3, 1):
        reader.dice = dice
        told = _feed(stream, [still] * after, start=start)
        start += after
        assert Status.MOVING not in [reading.status for reading in told]
    reader.dice = 2
    assert _feed(stream, [still] * 8, start=start)[-1].status is Status.READY
