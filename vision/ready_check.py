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
from vision.inference import foot_network, witness_network
from vision.inference.face_looks import SCALES, recheck_faces
from vision.inference.networks import on_fitting_level
from vision.judgement import leaning, lone_pips, middles, oblique, other_dice, standing
from vision.judgement.evidence import Evidence, EvidenceKind
from vision.judgement.leaning import Stand
from vision.pips import Picture
from vision.reading import DieReading, Reading, Reason, Status, places_of
from vision.reasons import counters, quality, refusal
from vision.search_area import SearchArea

AGREE, DOUBTED = 0.95, 0.98
"""Where the network for itself gives a face less than the first, or all witnesses together less than the
second, it looks twelve times more, and so does the witness network."""
TOGETHER, ALONE_ENOUGH = 0.55, 0.75
"""The mean of both must give the face at least the first; in a view from above, which the witness network has
not learnt to read, the twelve looks the second."""
HARDLY, SURELY = 0.8, 0.87
"""What shows a face less likely than the first needs the second, for the dots of a cloth look like faces too.
Of 60 pictures left open for a doubted face 26 pass and are right, and none of the 10 that would be wrong,
which have 0.49 at most; of 451 that were read rightly 5 no longer pass. With 0.7 eleven more pass, one of
them beside a die that was not counted, which has 0.85. The witness network may not be sure of anything else:
a 4 and the 6 on the front of the same die were read as one 6."""
ALONE, DENIED = 0.98, 0.15
"""At dice of less than AGREE, and at pips whose face the network gives less than the first, it looks four
times more, from a little farther, at the edge that was measured: none may give the face less than the second.
A body that shows the same face makes what pips tell likelier, but both asked the same network: a 3 with a
bright spot over its middle pip was a 2 of 0.9 to 0.992, in other light, of which the network gave 0.97 at
most, and in one of these looks 0.04 to 0.13. Of 5,341 that are read rightly it gives 7 % less than 0.98, and
all but one in every look 0.2 and more."""


class ReadyCheck:
    """What the readings of one picture have to pass, however it was searched.

    levels: the picture as it came and its halvings, (h, w, 3) uint8 BGR each: whether a die leans is seen by
    its foot and its shadow. pose: where the camera stands, if that is known. ahead: see `Reader`.
    odd_pips: whether any look has seen `odd_pips`.
    """

    def __init__(
        self, levels: tuple[Picture, ...], pose: CameraPose | None = None, ahead: Executor | None = None
    ) -> None:
        self.levels = levels
        self.odd_pips = False
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
        return bool(counters.without_foot(self.levels, x[round_], y[round_], edge[round_]).any())


def _stand_of(levels: tuple[Picture, ...], pose: CameraPose | None, dice: tuple[DieReading, ...]) -> Stand:
    """How the dice stand. pose: tells where the feet of flat ones would be."""
    x, y, edge = places_of(dice)
    feet = None
    if pose is not None:
        told = pose.feet(x.astype(np.float64), y.astype(np.float64), levels[0].shape[1])
        feet = np.asarray(told / edge.astype(np.float64)[:, None], np.float32)
    level, x, y, edge = on_fitting_level(levels, (x, y, edge), foot_network.FIT_PX)
    return leaning.closest_stand(level, (x, y, edge), _angles(dice), feet)


def odd_pips(levels: tuple[Picture, ...], seen: Evidence) -> bool:
    """Whether an even face has in its middle what looks like a pip, or a 1 what does not."""
    return bool(middles.may_hide_pip(levels, seen).any() or lone_pips.unlike_pips(levels, seen).any())


def network_agrees(
    levels: tuple[Picture, ...],
    seen: Evidence,
    dice: tuple[DieReading, ...],
    *,
    from_above: bool = False,
) -> bool:
    """Whether the network by itself sees the faces too; where it hesitates, two look again.

    What only the network sees, and hesitates over, must be in focus: where pips run together a 5 looks like a
    4 however it is turned.
    from_above: the levels are a view from above, which the witness network has not learnt to read.
    """
    chance = np.array([die.confidence for die in dice])
    says = seen.says[np.arange(len(seen)), seen.face]
    hesitates = (says < AGREE) | (chance < AGREE)
    alone = seen.take(hesitates & (seen.kind == EvidenceKind.BODY))
    if not quality.in_focus(levels, alone.x, alone.y, alone.edge).all():
        return False
    doubted = hesitates | (chance < DOUBTED)
    if not _seconded(levels, seen.take(doubted), chance[doubted], from_above=from_above):
        return False
    again = seen.take((chance < AGREE) | ((says < ALONE) & (seen.kind != EvidenceKind.BODY)))
    looks = recheck_faces(levels, again.x, again.y, again.size, again.face, SCALES[-1:])
    return bool((looks >= DENIED).all())


def _seconded(
    levels: tuple[Picture, ...], seen: Evidence, chance: NDArray[np.float64], *, from_above: bool
) -> bool:
    """Whether the network, asked again, and the witness network together see the faces.

    chance: (n,) what all witnesses together give each. from_above: see `network_agrees`.
    """
    looks = recheck_faces(levels, seen.x, seen.y, seen.edge, seen.face)
    hardly = chance < HARDLY
    if from_above:
        return bool((looks.mean(0) >= np.where(hardly, SURELY, ALONE_ENOUGH)).all())
    witness = witness_network.faces_at(levels, seen.x, seen.y, seen.size)
    mine = np.arange(len(seen)), seen.face
    if ((looks.mean(0) + witness[mine]) / 2 < np.where(hardly, SURELY, TOGETHER)).any():
        return False
    witness[mine] = 0.0
    return bool((witness < witness_network.SURE).all())


def _angles(dice: Sequence[DieReading]) -> NDArray[np.float64]:
    """(n,) of an edge of each of the dice against the picture's x axis, degrees."""
    return np.array([die.angle for die in dice], np.float64)
