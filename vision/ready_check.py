"""Whether what was read may be called ready: no die leans, none is a print or a counter, none is doubted.

A reading that does not pass is refused with its reason; nothing is read here anew.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from vision.ahead import Prefetched
from vision.detection import die_outline
from vision.inference import foot_network
from vision.inference.face_looks import SCALES, recheck_faces
from vision.inference.networks import on_fitting_level
from vision.judgement import leaning, lone_pips, middles, oblique, other_dice, standing
from vision.judgement.evidence import Evidence, EvidenceKind
from vision.judgement.leaning import Stand
from vision.pips import Picture
from vision.reading import DieReading, Reading, Reason, Status, places_of
from vision.reasons import quality, refusal
from vision.search_area import SearchArea

AGREE = 0.95
"""Where the network for itself, or all witnesses together, give a face less, it looks twelve times more."""
ON_AVERAGE, NEVER_BELOW = 0.75, 0.5
"""These looks must give the face so much on average, and none of them less than the second, which would be to
see rather something else: a 3 that reads as a 2 did so at one size only. Where every labelled picture is read
as it is, smaller, recompressed, without colours, paler and blurred, 16 readings that 0.9 on average held back
pass, each of them right, and of those that were ready 10 no longer do, one of which was wrong."""
ALONE, DENIED = 0.98, 0.15
"""At dice over which it hesitates so, and at pips whose face it gives less than the first, it looks four
times more, from a little farther, at the edge that was measured: none may give the face less than the second.
A body that shows the same face makes what pips tell likelier, but both asked the same network: a 3 with a
bright spot over its middle pip was a 2 of 0.9 to 0.992, in other light, of which the network gave 0.97 at
most, and in one of these looks 0.04 to 0.13. Of 5,341 that are read rightly it gives 7 % less than 0.98, and
all but one in every look 0.2 and more."""
HARDLY, SURELY = 0.8, 0.9
"""What shows a face less likely than the first must stand there for certain, for the dots of a cloth have no
foot, and those looks must give it the second on average: a 4 on the front of a die, at 0.72, had 0.86."""


class ReadyCheck:
    """What the readings of one picture have to pass, however it was searched.

    levels: the picture as it came and its halvings, (h, w, 3) uint8 BGR each: whether a die leans is seen by
    its foot and its shadow. pose: where the camera stands, if that is known. ahead: see `Reader`.
    """

    def __init__(
        self, levels: tuple[Picture, ...], pose: CameraPose | None = None, ahead: Executor | None = None
    ) -> None:
        self.levels = levels
        self._stands = Prefetched(partial(_stand_of, levels, pose), ahead)

    def begin_stand(self, dice: tuple[DieReading, ...]) -> None:
        """How these stand will be asked for: begin, where there is somebody to."""
        self._stands.begin(dice)

    def stand(self, dice: tuple[DieReading, ...]) -> Stand:
        """How the dice stand."""
        return self._stands[dice]

    def with_posture(self, reading: Reading) -> Reading:
        """The reading, refused when a die leans or is no body."""
        if not reading.dice:
            return reading
        hardly = [die for die in reading.dice if die.confidence < HARDLY]
        ones = [die for die in reading.dice if die.face == 1]
        if reading.status is Status.READY and (
            standing.without_dice(self.levels, *places_of(reading.dice)).any()
            or not standing.surely_stand(self.levels, *places_of(hardly)).all()
            or self._counters(ones)
        ):
            reading = Reading(Status.UNSURE, reading.dice, (Reason.LOW_CONFIDENCE,))
        stand = self.stand(reading.dice)
        faults = []
        if stand.any_leans():
            faults.append(Reason.COCKED)
        if leaning.may_be_fronts(stand, _angles(reading.dice)):
            faults.append(Reason.OBLIQUE)
        return Reading(Status.UNSURE, reading.dice, (*faults, *reading.reasons)) if faults else reading

    def lie_flat(self, dice: tuple[DieReading, ...]) -> bool:
        """Whether all of the dice, and there are some, lie flat for certain."""
        return bool(dice) and bool(standing.lying_flat(self.levels, *places_of(dice)).all())

    def may_be_from_beside(self, reading: Reading, area: SearchArea) -> bool:
        """Whether the picture may be one from beside.

        Feet are far, what was read may be fronts, or no face was read where bodies may be. area: the picture,
        as it was searched.
        """
        if reading.dice and self.stand(reading.dice).start[1] >= oblique.FROM_BESIDE:
            return True
        if Reason.OBLIQUE in reading.reasons:
            return True
        if reading.status is Status.READY or (reading.dice and Reason.COCKED not in reading.reasons):
            return False
        unread = refusal.unread_bodies(refusal.likely_bodies(area.proposals()), reading.dice)
        if not reading.dice and (unread.score >= other_dice.MAYBE_SCORE).any():
            return True
        return oblique.feet_are_far(self.levels, *refusal.all_places(reading.dice, unread))

    def _counters(self, ones: Sequence[DieReading]) -> bool:
        """Whether one of the ones may be a dot on something round and flat."""
        x, y, edge = places_of(ones)
        round_ = die_outline.round_bodies(self.levels, x, y, edge)
        looks = foot_network.estimate_posture(self.levels[0], x[round_], y[round_], edge[round_])
        return bool((np.hypot(*looks.foot.T) < leaning.NO_FOOT).any())


def _stand_of(levels: tuple[Picture, ...], pose: CameraPose | None, dice: tuple[DieReading, ...]) -> Stand:
    """How the dice stand. pose: tells where the feet of flat ones would be."""
    x, y, edge = places_of(dice)
    feet = None
    if pose is not None:
        told = pose.feet(x.astype(np.float64), y.astype(np.float64), levels[0].shape[1])
        feet = np.asarray(told / edge.astype(np.float64)[:, None], np.float32)
    level, x, y, edge = on_fitting_level(levels, (x, y, edge), foot_network.FIT_PX)
    return leaning.closest_stand(level, (x, y, edge), _angles(dice), feet)


def network_agrees(levels: tuple[Picture, ...], seen: Evidence, dice: tuple[DieReading, ...]) -> bool:
    """Whether the network by itself sees the faces too; where it or the models hesitate, it looks again.

    What only the network sees, and hesitates over, must be in focus: where pips run together a 5 looks like a
    4 however it is turned. No even face may have in its middle what looks like a pip, and no 1 what does not.
    """
    if middles.may_hide_pip(levels, seen).any() or lone_pips.unlike_pips(levels, seen).any():
        return False
    chance = np.array([die.confidence for die in dice])
    says = seen.says[np.arange(len(seen)), seen.face]
    hesitates = (says < AGREE) | (chance < AGREE)
    if hesitates.any():
        open_ = seen.take(hesitates)
        alone = open_.take(open_.kind == EvidenceKind.BODY)
        if not quality.in_focus(levels, alone.x, alone.y, alone.edge).all():
            return False
        mean, least = recheck_faces(levels, open_.x, open_.y, open_.edge, open_.face)
        enough = np.where(chance[hesitates] < HARDLY, SURELY, ON_AVERAGE)
        if (mean < enough).any() or (least < NEVER_BELOW).any():
            return False
    again = seen.take((chance < AGREE) | ((says < ALONE) & (seen.kind != EvidenceKind.BODY)))
    if not len(again):
        return True
    _, least = recheck_faces(levels, again.x, again.y, again.size, again.face, SCALES[-1:])
    return bool((least >= DENIED).all())


def _angles(dice: Sequence[DieReading]) -> NDArray[np.float64]:
    """(n,) of an edge of each of the dice against the picture's x axis, degrees."""
    return np.array([die.angle for die in dice], np.float64)
