"""Reads a stream of frames: a roll is ready only when it lies still and reads the same several times.

Time makes the reader slower to believe, never quicker: what it refuses in a single picture it refuses here.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import motion, track
from vision.frame import Frame
from vision.reader import SEEN, Reader
from vision.reading import DieReading, Reading, Reason, Status

SETTLE_S = 0.25
"""Seconds of the frames' own time that a roll must lie still."""
READS_MIN = 3
"""Frames that must agree."""
_ODDS_KEPT = 0.7
"""How much of the chance so far is kept when another frame is read (frames are not independent)."""


@dataclass(frozen=True, slots=True)
class _Rest:
    """Dice that lie still: since when, how often read, how often of these surely, and how they looked."""

    since_s: float
    reads: int
    sure: int
    dice: tuple[DieReading, ...]
    thumb: NDArray[np.uint8]
    reading: Reading


class StreamReader:
    """Reads the frames of one fixed camera in order; keeps what it saw until `reset`."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.reset()

    def reset(self) -> None:
        """Forget what was seen so far."""
        self._thumb: NDArray[np.uint8] | None = None
        self._rest: _Rest | None = None
        self._last: tuple[DieReading, ...] = ()
        self._unused = 1
        self._expected = self.reader.dice

    def feed(self, frame: Frame) -> Reading:
        """The reading at this frame; frames come in the order of their times."""
        began = self.reader.now()
        reading = self._feed(frame)
        return replace(reading, ms=(self.reader.now() - began) * 1000.0)

    def _feed(self, frame: Frame) -> Reading:
        thumb = motion.thumbnail(frame.image)
        before, self._thumb = self._thumb, thumb
        if self._expected != self.reader.dice:
            self._rest, self._expected = None, self.reader.dice
        if before is None:
            return self._look(frame, thumb)
        change = motion.detect_change(before, thumb)
        if change.any:
            self._rest = None
            return Reading(Status.COVERED if change.hand else Status.MOVING, self._last)
        rest = self._rest
        if (
            rest is not None
            and rest.reading.status in (Status.READY, Status.EMPTY)
            and not motion.detect_change(rest.thumb, thumb).any
        ):
            return rest.reading
        return self._look(frame, thumb)

    def _look(self, frame: Frame, thumb: NDArray[np.uint8]) -> Reading:
        """Read the frame and hold it against those before."""
        still = self.reader.read(frame.image)
        dice = track.assign_tracks(self._last, still.dice, self._unused)
        self._unused = max([self._unused, *(die.track + 1 for die in dice if die.track is not None)])
        rest = self._rest
        if rest is not None and _same(rest.dice, dice):
            dice = tuple(_joined(old, new) for old, new in zip(_matched(rest.dice, dice), dice, strict=True))
            since_s, reads, sure = rest.since_s, rest.reads + 1, rest.sure
        else:
            since_s, reads, sure = frame.time_s, 1, 0
        sure += still.status is Status.READY
        if dice:
            self._last = dice
        reading = replace(still, dice=dice)
        if dice and still.status is not Status.COVERED:
            reading = _settled(reading, still_s=frame.time_s - since_s, reads=reads, sure=sure)
        self._rest = _Rest(since_s, reads, sure, dice, thumb, reading)
        return reading


def _settled(now: Reading, *, still_s: float, reads: int, sure: int) -> Reading:
    """What is said of dice that lie still. reads: in how many frames, in `sure` of them surely."""
    if still_s < SETTLE_S - 1e-6 or reads < READS_MIN:
        return Reading(Status.MOVING, now.dice)
    if now.status is Status.READY and sure >= READS_MIN and 2 * sure > reads:
        return Reading(Status.READY, now.dice)
    return Reading(Status.UNSURE, now.dice, now.reasons or (Reason.LOW_CONFIDENCE,))


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
