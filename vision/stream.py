"""Reads a stream of frames: a roll is ready only when it lies still and reads the same several times.

Time makes the reader slower to believe, never quicker: what it refuses in a single picture it refuses here.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import motion, track
from vision.frame import Frame
from vision.judgement.selection import SEEN
from vision.reader import Reader
from vision.reading import DieReading, Reading, Reason, Status

SETTLE_S = 0.25
"""Seconds of the frames' own time that a roll must lie still."""
READS_MIN = 3
"""Frames that must agree."""
LOOKS_MAX, READY_SHARE = 10, 0.25
"""A still picture that this many looks, all but this share, could not read is looked at less often."""
LOOK_AGAIN_S = 1.0
"""Seconds between two looks at such a picture, as long as it stays as it is."""
UNWATCHED_S = 0.5
"""After so long without a picture, in seconds, all is looked at anew: a hand may have turned a die where it
lies, which alone changes too little of the small picture to be seen there. So often is looked where dice are
too dark, or too much like the ground, for their movement to be noticed. What a look takes comes on top: a
slow machine is to rest between two."""
HAND_SHARE = (1 / 3, 2 / 3)
"""A hand is there until fewer than the first share of looks see it, and from more than the second on."""
_ODDS_KEPT = 0.7
"""How much of the chance so far is kept when another frame is read (frames are not independent)."""


@dataclass(frozen=True, slots=True)
class _Stillness:
    """A picture in which nothing moves: the looks at it, and their results.

    since_s: of its first frame. looked_s: of the last look. covered, ready: the number of looks with a hand,
    or with a sure reading. hand: whether there is one, by all looks. last: the result of the last look.
    """

    since_s: float
    hand: bool
    looked_s: float = 0.0
    looks: int = 0
    covered: int = 0
    ready: int = 0
    last: Status = Status.MOVING

    def look(self, time_s: float, status: Status) -> "_Stillness":
        """After another look, at a frame of that time."""
        looks, covered = self.looks + 1, self.covered + (status is Status.COVERED)
        hand = covered > HAND_SHARE[not self.hand] * looks if looks >= READS_MIN else self.hand
        ready = self.ready + (status is Status.READY)
        return _Stillness(self.since_s, hand, time_s, looks, covered, ready, status)

    def may_wait(self, time_s: float, looks_max: int) -> bool:
        """Whether looking again so soon is of little use: hardly any look was sure."""
        hopeless = self.looks >= looks_max and self.ready < READY_SHARE * self.looks
        return hopeless and self.last is not Status.READY and time_s - self.looked_s < LOOK_AGAIN_S


@dataclass(frozen=True, slots=True)
class _Rest:
    """Dice that lie still: since when, how often read, how often of these surely, and how they looked.

    thumb: of the last look. close: of the last one that was ready after all had been looked at closely.
    looked_s: of the last look. faint: some would not be noticed in the small picture when they moved.
    """

    since_s: float
    reads: int
    sure: int
    dice: tuple[DieReading, ...]
    thumb: NDArray[np.uint8]
    close: NDArray[np.uint8] | None
    reading: Reading
    looked_s: float
    faint: bool

    def unwatched_s(self, time_s: float, before_s: float) -> float:
        """For how long nobody has watched them. before_s: of the picture before this one."""
        return time_s - (self.looked_s if self.faint else before_s)


class StreamReader:
    """Reads the frames of one fixed camera in order; keeps what it saw until `reset`."""

    def __init__(self, reader: Reader, looks_max: int = LOOKS_MAX) -> None:
        """looks_max: looks that a still picture is worth before it is looked at less often."""
        self.reader = reader
        self.looks_max = looks_max
        self.reset()

    @property
    def still_since_s(self) -> float | None:
        """Since when nothing moves, by the frames' own time; None while something does."""
        return None if self._still is None else self._still.since_s

    def reset(self) -> None:
        """Forget what was seen so far."""
        self._shape: tuple[int, ...] = ()
        self._thumb: NDArray[np.uint8] | None = None
        self._thumb_s = 0.0
        self._still: _Stillness | None = None
        self._hand = False
        self._rest: _Rest | None = None
        self._look_s = 0.0
        self._last: tuple[DieReading, ...] = ()
        self._unused = 1
        self._expected = self.reader.dice
        self._standing: Reading | None = None

    def feed(self, frame: Frame) -> Reading:
        """The reading at this frame; frames come in the order of their times."""
        began = self.reader.now()
        if self._shape != frame.image.shape:  # places in a picture of another size say nothing of this one
            self.reset()
            self._shape = frame.image.shape
        rest = self._rest
        reading = self._feed(frame)
        took_s = self.reader.now() - began
        if self._rest is not rest:
            self._look_s = took_s
        return replace(reading, ms=took_s * 1000.0)

    def _feed(self, frame: Frame) -> Reading:
        thumb = motion.thumbnail(frame.image)
        before, self._thumb = self._thumb, thumb
        before_s, self._thumb_s = self._thumb_s, frame.time_s
        if self._expected != self.reader.dice:
            # Nothing has moved by that: what was read stands until it has been read anew, in looks of its own
            if self._rest is not None and self._rest.reading.status is not Status.MOVING:
                self._standing = self._rest.reading
            if self._still is not None:
                self._still = replace(self._still, looks=0, covered=0, ready=0)
            self._rest, self._expected = None, self.reader.dice
        change = motion.detect_change(thumb if before is None else before, thumb)
        if change.any or frame.coarse:
            hand = change.hand if change.any else self._hand
            self._still, self._rest, self._hand, self._standing = None, None, hand, None
            return Reading(Status.COVERED if hand else Status.MOVING, self._last)
        rest, still = self._rest, self._still
        if still is None:
            # What looks as it did a frame before lies still since then.
            still = _Stillness(frame.time_s if before is None else before_s, self._hand)
            if before is not None:
                return self._glance(frame, thumb, still)
        elif (
            rest is not None
            and rest.unwatched_s(frame.time_s, before_s) < UNWATCHED_S + self._look_s
            and (
                rest.reading.status in (Status.READY, Status.EMPTY)
                or still.may_wait(frame.time_s, self.looks_max)
            )
        ):
            if not motion.detect_change(rest.thumb, thumb).any:
                return rest.reading
            still = _Stillness(frame.time_s, self._hand)
        return self._look(frame, thumb, still)

    def _glance(self, frame: Frame, thumb: NDArray[np.uint8], still: _Stillness) -> Reading:
        """The first look at what seems to lie still: a hand that pauses must not cost a close one."""
        self._still = still
        now = self.reader.glance(frame.image, smallest=self._smallest())
        if now.status is Status.READY:
            return self._take(frame, thumb, still, now, close=None)
        return Reading(Status.COVERED if self._hand else Status.MOVING, self._last)

    def _look(self, frame: Frame, thumb: NDArray[np.uint8], still: _Stillness) -> Reading:
        """Read the frame and hold it against those before."""
        rest = self._rest
        close = None if rest is None else rest.close
        again = close is not None and not motion.detect_change(close, thumb).any
        smallest = self._smallest()
        now = self.reader.read(frame.image, again=again, smallest=smallest)
        if again and rest is not None and not (now.status is Status.READY and _same(rest.dice, now.dice)):
            now, again = self.reader.read(frame.image, smallest=smallest), False
        if not again and now.status is Status.READY:
            close = thumb
        return self._take(frame, thumb, still, now, close)

    def _smallest(self) -> float:
        """Edge of the smallest die seen lately, px."""
        return min((die.size for die in self._last), default=np.inf)

    def _take(
        self,
        frame: Frame,
        thumb: NDArray[np.uint8],
        still: _Stillness,
        now: Reading,
        close: NDArray[np.uint8] | None,
    ) -> Reading:
        """The result of a look, merged with those before on the same dice. thumb, close: as of `_Rest`."""
        rest = self._rest
        dice = track.assign_tracks(self._last, now.dice, self._unused)
        self._unused = max([self._unused, *(die.track + 1 for die in dice if die.track is not None)])
        if rest is not None and _same(rest.dice, dice):
            dice = tuple(_joined(old, new) for old, new in zip(_matched(rest.dice, dice), dice, strict=True))
            since_s, reads, sure = rest.since_s, rest.reads + 1, rest.sure
        else:
            since_s, reads, sure = still.since_s if rest is None else frame.time_s, 1, 0
        sure += now.status is Status.READY
        if dice:
            self._last = dice
        self._still = still = still.look(frame.time_s, now.status)
        self._hand = still.hand
        reading = _without_flicker(replace(now, dice=dice), hand=still.hand)
        if dice and reading.status is not Status.COVERED:
            reading = _settled(reading, still_s=frame.time_s - since_s, reads=reads, sure=sure)
        faint = reading.status is Status.READY and not _all_show(thumb, dice, frame.image.shape[1])
        self._rest = _Rest(since_s, reads, sure, dice, thumb, close, reading, frame.time_s, faint)
        if reading.status is not Status.MOVING:
            self._standing = None
        return self._standing or reading


def _without_flicker(now: Reading, *, hand: bool) -> Reading:
    """One look's reading, with the word of all looks on whether a hand is there: wood may seem one."""
    if now.status is Status.COVERED and not hand:
        return replace(now, status=Status.UNSURE)
    if now.status is Status.UNSURE and hand:
        return replace(now, status=Status.COVERED)
    return now


def _settled(now: Reading, *, still_s: float, reads: int, sure: int) -> Reading:
    """The reading of dice that lie still. reads: frames read, `sure` of them surely."""
    if still_s < SETTLE_S - 1e-6 or reads < READS_MIN:
        return Reading(Status.MOVING, now.dice)
    if now.status is Status.READY and sure >= READS_MIN and 2 * sure > reads:
        return Reading(Status.READY, now.dice)
    return Reading(Status.UNSURE, now.dice, now.reasons or (Reason.LOW_CONFIDENCE,))


def _all_show(thumb: NDArray[np.uint8], dice: tuple[DieReading, ...], width: int) -> bool:
    """Whether dice that lie still would all be noticed when they move. width: of the picture, px."""
    share = motion.THUMB_WIDTH / width
    return all(motion.shows(thumb, *(value * share for value in (*die.center, die.size))) for die in dice)


def _matched(before: tuple[DieReading, ...], now: tuple[DieReading, ...]) -> tuple[DieReading, ...]:
    """For each die of `now` the one of `before` at its place."""
    return tuple(next(old for old in before if track.same_place(old, die)) for die in now)


def _same(before: tuple[DieReading, ...], now: tuple[DieReading, ...]) -> bool:
    """Whether the same dice lie at the same places with the same faces."""
    if len(before) != len(now):
        return False
    return all(any(track.same_place(old, die) and old.face == die.face for old in before) for die in now)


def _joined(old: DieReading, new: DieReading) -> DieReading:
    """A die seen again: agreeing frames make a face that was likely a little likelier, never certain."""
    blend = _ODDS_KEPT * old.confidence + (1.0 - _ODDS_KEPT) * new.confidence
    gain = (1.0 - blend) * 0.12 if min(old.confidence, new.confidence) > SEEN else 0.0
    return replace(new, confidence=min(blend + gain, max(blend, 0.995)), colour=old.colour)
