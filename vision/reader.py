"""The whole way from one picture to a reading."""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import pose_of
from calibration.profile import CalibrationProfile
from vision import from_beside
from vision.detection import candidates
from vision.detection.candidates import Candidates
from vision.empty_tray import profile_filter
from vision.inference import body_colour, hand_network
from vision.inference.polyhedron_network import are_polyhedra
from vision.judgement import evidence, fusion, no_dice, other_dice, posture, standing
from vision.judgement.evidence import Evidence
from vision.judgement.selection import (
    SURE,
    SUSPECT,
    apart,
    backed_chances,
    choose,
    clear_of,
    dice_of,
    least_chances,
    meant_by,
    odd_size,
)
from vision.looks import LARGE, Look, large, looks, seem_small
from vision.pips import Floats, Picture, Pips, pyramid
from vision.reading import DieReading, Reading, Reason, Status
from vision.ready_check import ReadyCheck, network_agrees, odd_pips
from vision.reasons import counters, hand, quality, refusal
from vision.search_area import SearchArea
from vision.witness_look import read_with_witness

DICE_MAX = 40
"""No more dice are expected."""
CLEARLY = 0.9
"""At least this likely, a face is whole in the picture for certain."""
CLEARLY_ODDS = 2.2
"""The same before the networks are asked, as log-odds."""
FAINT = 0.02
"""A candidate that any look thought so likely is looked at once more before a reading is ready without it."""


class Reader:
    """Reads stills: pure, reusable, one thread at a time.

    dice: how many dice are expected, 1-40, or None where nobody knows: then a reading is ready when every die
    in sight is sure, and at least one is. profile: what is known of camera and tray, if anything.
    empty: the empty tray of that profile, (h, w, 3) uint8 BGR. clock: seconds, only for `Reading.ms`.
    ahead: a thread that meanwhile works out what a look is going to ask for; no reading is another for it.
    going_on: called between the steps of a reading, which ends with what that raises.
    """

    def __init__(
        self,
        dice: int | None = 5,
        profile: CalibrationProfile | None = None,
        *,
        empty: NDArray[np.uint8] | None = None,
        clock: Callable[[], float] = time.perf_counter,
        ahead: Executor | None = None,
        going_on: Callable[[], None] = lambda: None,
    ) -> None:
        self.dice = dice
        self.profile = profile
        self.empty = empty
        self._pose = None if profile is None else pose_of(profile)
        self._background = (
            None if profile is None or empty is None else profile_filter.background_of(profile, empty)
        )
        self._clock = clock
        self.ahead = ahead
        self.going_on = going_on

    @property
    def _shows_more(self) -> Reason:
        """What is wrong with a picture that shows a die besides those that were read."""
        return Reason.LOW_CONFIDENCE if self.dice is None else Reason.TOO_MANY

    def now(self) -> float:
        """Seconds on the reader's clock."""
        return self._clock()

    def read(self, image_bgr: Picture, *, again: bool = False, smallest: float = np.inf) -> Reading:
        """What one picture shows. image_bgr: (height, width, 3) uint8, BGR, 0-255.

        again: the same still picture was ready before, looked at closely. A quick look that is ready does
        then: no die is too small for it that the close one has not ruled out. Colours are not named anew.
        smallest: edge of the smallest die seen lately, px; where a quick look would not do for it, none.
        """
        began = self._clock()
        area, check = self._opened(image_bgr)
        levels, foreground = area.levels, area.foreground
        anything = foreground is None or foreground.any_object()
        reading = Reading(Status.EMPTY)
        if anything:
            reading = self._searched(area, check, again=again, smallest=smallest)
        if reading.status is not Status.READY and anything and foreground is not None:
            cleared = area.seen_otherwise(pyramid(foreground.without_background(image_bgr)))
            reading = profile_filter.clearer_reading(reading, self._searched(cleared, check))
        if reading.status is not Status.READY:
            reading = self._explained(reading, area)
        if anything and check.may_be_from_beside(reading, area):
            reading = from_beside.reread_from_above(
                reading, area, check, lambda view: self._searched(view, check), self._shows_more
            )
            reading = from_beside.unless_on_its_head(reading, area, check)
        if self.dice is not None:
            self.going_on()
            reading = read_with_witness(reading, area, check, self.dice)
        if self._may_leave_out(reading, area):
            reading = Reading(Status.UNSURE, reading.dice, (Reason.LOW_CONFIDENCE,))
        if not (again and reading.status is Status.READY):
            reading = replace(reading, dice=body_colour.coloured(reading.dice, levels))
        return replace(reading, ms=(self._clock() - began) * 1000.0)

    def glance(self, image_bgr: Picture, *, smallest: float = np.inf) -> Reading:
        """The reading where one quick look makes it ready; any other says nothing of what the picture shows.

        A picture in which something still moves costs little so. smallest: see `read`.
        """
        area, check = self._opened(image_bgr)
        if area.foreground is not None and not area.foreground.any_object():
            return Reading(Status.MOVING)
        reading, _ = self._at(area, check, next(looks(area.search, smallest)), again=True)
        if reading.status is Status.READY:
            reading = check.with_posture(reading)
        if self._may_leave_out(reading, area):
            return Reading(Status.MOVING)
        if reading.status is not Status.READY or check.may_be_from_beside(reading, area):
            return Reading(Status.MOVING)
        return replace(reading, dice=body_colour.coloured(reading.dice, area.levels))

    def _may_leave_out(self, reading: Reading, area: SearchArea) -> bool:
        """Whether a reading of any number of dice may lack one: nobody has counted them."""
        if self.dice is not None or reading.status is not Status.READY:
            return False
        return refusal.may_leave_out(area.levels, reading.dice, area.all_proposals())

    def _opened(self, image_bgr: Picture) -> tuple[SearchArea, ReadyCheck]:
        """Where to search a picture, and what makes its reading ready."""
        levels = pyramid(image_bgr)
        foreground = None if self._background is None else self._background.foreground(image_bgr)
        area = SearchArea(levels, self.profile, foreground, ahead=self.ahead)
        return area, ReadyCheck(levels, self._pose, self.ahead)

    def _searched(
        self, area: SearchArea, check: ReadyCheck, *, again: bool = False, smallest: float = np.inf
    ) -> Reading:
        """What all looks at one picture together show.

        check: of the picture as it came, which the area may be a view of. again, smallest: see `read`.
        """
        reading, seen, enough = Reading(Status.EMPTY), None, 0
        for look in looks(area.search, smallest if again else np.inf):
            if look.first < enough:
                break
            if look.quick and not again and smallest < LARGE * 2**look.first:
                continue
            longer, told = self._at(area, check, look, again=again)
            ready = longer.status is Status.READY
            places = np.array([die.center for die in reading.dice]).reshape(-1, 2)
            if ready or len(longer.dice) >= np.count_nonzero(~area.struck(places)):
                reading, seen = longer, told
            if ready:
                break
            enough = look.first if large(longer.dice, look) and not look.quick else 0
        open_ = reading.status is not Status.READY and Reason.LOW_CONFIDENCE not in reading.reasons
        if open_ and seen is not None and not self._agrees(area, check, seen, reading.dice):
            reading = Reading(Status.UNSURE, reading.dice, (*reading.reasons, Reason.LOW_CONFIDENCE))
        if area.view is not None:
            reading = replace(reading, dice=area.view.dice_on_picture(reading.dice))
        return check.with_posture(reading)

    def _at(
        self, area: SearchArea, check: ReadyCheck, look: Look, *, again: bool
    ) -> tuple[Reading, Evidence | None]:
        """One look at a picture, and the evidence for the dice that were read.

        How many dice are expected has no say in what is one: it only gives reasons.
        Whether the network hesitates over a die is left open when the reading is not ready anyhow: it takes
        time, and another look may follow. One does after a quick look at small dice, unless again (see
        `read`); where they seem so by their pips, nothing more is asked, and no evidence given.
        """
        self.going_on()
        area.begin_proposals(quick=look.quick and area.view is None)
        spots = area.search.find(look.first, most=look.most)
        self.going_on()
        classical = candidates.gather(area.levels, spots)
        odds = fusion.classical_log_odds(classical)
        may_do = again or not look.quick
        if not may_do and seem_small(classical.edge[odds > CLEARLY_ODDS], look):
            return Reading(Status.EMPTY), None
        self.going_on()
        found, chance = self._evidence(area, look, classical, odds)
        self.going_on()
        suspects = np.flatnonzero(chance > SUSPECT)
        out = _struck(area, look, found.take(suspects), chance[suspects])
        chance[suspects[out]] = 0.0
        struck, likely = found.take(suspects[out]), found.take(suspects[~out])
        area.strike(struck)
        chosen, doubtful = choose(found, chance)
        found = evidence.centred(area.levels, found, chosen)
        chosen.sort(key=lambda k: (float(found.x[k]), float(found.y[k])))
        faint = area.half_seen(np.stack([found.x, found.y], 1)[chance > FAINT])
        least = least_chances(found.kind, from_above=area.view is not None)
        seen = found.take(np.array(chosen, np.intp))
        doubtful |= bool((chance < least)[chosen].any()) or odd_size(seen.edge)
        dice = dice_of(found, chance, chosen)
        faults = self._faults(area, seen, likely, chance[suspects[~out]], spots)
        reasons = self._reasons(dice, doubtful=doubtful, faults=faults)
        if not reasons and (may_do or large(dice, look)) and self._agrees(area, check, seen, dice):
            if area.view is None:
                check.begin_stand(dice)
            if not _shows_another(area, look, seen, dice, struck=struck, faint=faint, spots=spots):
                return Reading(Status.READY, dice), seen
            reasons = (self._shows_more,)
        if not reasons:
            reasons = (Reason.LOW_CONFIDENCE,)
        if not dice and not look.quick:
            doubtful |= other_dice.shows_another(area.levels, (), clear_of(struck, area.proposals()))
        return Reading(Status.UNSURE if dice or doubtful else Status.EMPTY, dice, reasons), seen

    @staticmethod
    def _agrees(area: SearchArea, check: ReadyCheck, seen: Evidence, dice: tuple[DieReading, ...]) -> bool:
        """Whether the pips are those of the faces, and the networks see these too."""
        if odd_pips(area.levels, seen):
            check.odd_pips = True
            return False
        return network_agrees(area.levels, seen, dice, from_above=area.view is not None)

    def _evidence(
        self, area: SearchArea, look: Look, classical: Candidates, odds: NDArray[np.float64]
    ) -> tuple[Evidence, NDArray[np.float64]]:
        """All that could be a die, and how likely it is one. classical, odds: what pips tell, as log-odds."""
        proposed = None if look.quick else area.bodies()
        most = max(evidence.ASKED_MAX, 2 * (DICE_MAX if self.dice is None else self.dice))
        found = evidence.gather_evidence(area.levels, classical, odds, proposed, most=most)
        fused = fusion.fused_probability(found, from_above=area.view is not None)
        chance = backed_chances(found, fused)
        chance = chance * area.possible(found.x, found.y, found.edge)
        _strike_sides(area, found, chance)
        if not look.quick:
            found, chance = self._with_neighbours(area, found, chance)
        return found, chance

    def _with_neighbours(
        self, area: SearchArea, found: Evidence, chance: NDArray[np.float64]
    ) -> tuple[Evidence, NDArray[np.float64]]:
        """The evidence and its chances, with dice that touch those which are seen, up to one too many."""
        chosen, _ = choose(found, chance)
        while 0 < len(chosen) <= (self.dice or DICE_MAX):
            seen, before = found.take(np.array(chosen, np.intp)), len(chosen)
            more = evidence.bodies(area.levels, area.neighbours(seen), float(np.median(seen.edge)))
            fused = fusion.fused_probability(more, from_above=area.view is not None)
            if area.view is None:
                fused[~standing.lying_flat(area.levels, more.x, more.y, more.edge)] = 0.0
            found, chance = Evidence.joined((found, more)), np.concatenate([chance, fused])
            _strike_sides(area, found, chance)
            chosen, _ = choose(found, chance)
            if len(chosen) <= before:
                break
        return found, chance

    def _faults(
        self, area: SearchArea, seen: Evidence, likely: Evidence, chance: NDArray[np.float64], spots: Pips
    ) -> tuple[Reason, ...]:
        """What is wrong with where dice lie. seen: the dice; likely, chance: all that may be, how likely."""
        lying = Evidence.joined((seen, likely.take(~meant_by(seen, likely))))
        stacked = bool(posture.piled(lying.x, lying.y, lying.edge).any()) and apart(lying)
        # a face that every witness is sure of is in the picture, even if its edge is measured a little large
        reach = likely.edge * np.where(chance >= CLEARLY, np.float32(0.8), np.float32(1.0))
        cut_off = bool(posture.cut_off(likely.x, likely.y, reach, area.size_wh).any())
        if self.dice is None or len(seen) < self.dice:
            cut_off |= posture.pips_at_rim(seen, spots, area.size_wh)
        faults = {Reason.STACKED: stacked, Reason.CUT_OFF: cut_off}
        return tuple(reason for reason, there in faults.items() if there)

    def _explained(self, reading: Reading, area: SearchArea) -> Reading:
        """A reading that is not ready, with all that can be said about why."""
        self.going_on()
        levels, few = area.levels, len(reading.dice) < (self.dice or DICE_MAX)
        proposed = refusal.likely_bodies(area.proposals())
        bodies = counters.without_counters(levels, refusal.unread_bodies(proposed, reading.dice))
        bodies = refusal.without_polyhedra(levels[0], bodies)
        if counters.are_counters(levels, reading.dice, proposed):
            reading = Reading(Status.EMPTY)
        nothing = reading.status is Status.EMPTY
        nothing = nothing and not refusal.may_hold_die(levels, bodies) and not area.holds_other_die()
        nothing = nothing and not refusal.smeared_dice(levels[0], bodies)
        seen = proposed.first(0) if nothing else proposed
        unfit = quality.picture_faults(levels, seen.x, seen.y, seen.edge)
        smaller = levels[min(1, len(levels) - 1)]
        if few and _covered(smaller, reading, area, clearly=nothing, sharp=Reason.BLURRED not in unfit):
            return Reading(Status.COVERED, reading.dice, reading.reasons)
        if nothing:
            return Reading(Status.UNSURE, (), (Reason.TOO_FEW, *unfit)) if unfit else Reading(Status.EMPTY)
        why = refusal.refusal_reasons(levels[0], reading.dice, bodies, faint=SURE, few=few)
        return Reading(Status.UNSURE, reading.dice, tuple(dict.fromkeys((*why, *reading.reasons, *unfit))))

    def _reasons(
        self, dice: tuple[DieReading, ...], *, doubtful: bool, faults: tuple[Reason, ...]
    ) -> tuple[Reason, ...]:
        reasons = []
        if len(dice) < (self.dice or 1):
            reasons.append(Reason.TOO_FEW)
        if len(dice) > (self.dice or DICE_MAX):
            reasons.append(Reason.TOO_MANY)
        reasons.extend(faults)
        if doubtful:
            reasons.append(Reason.LOW_CONFIDENCE)
        return tuple(reasons)


def _covered(smaller: Picture, reading: Reading, area: SearchArea, *, clearly: bool, sharp: bool) -> bool:
    """Whether a picture that was read so shows a hand.

    smaller: a level of it. clearly: see `vision.reasons.hand`. sharp: it is in focus; of others the network,
    which goes by shape, knows nothing. From a camera that stands on the table the wall of a brown tray
    reaches in like an arm: colour tells nothing there.
    """
    middles = np.array([die.center for die in reading.dice]).reshape(-1, 2) / area.size_wh
    level = Reason.OBLIQUE in reading.reasons
    if not level and hand.shows_hand(smaller, middles, clearly=clearly):
        doubted = sharp and not clearly and hand_network.surely_shows_none(smaller)
        return not doubted or hand.shows_hand(smaller, middles, clearly=True)
    return sharp and hand_network.surely_shows_hand(smaller)


def _strike_sides(area: SearchArea, found: Evidence, chance: NDArray[np.float64]) -> None:
    """In a view from above give sides of the dice that are found, and prints, no chance."""
    if area.view is not None:
        chance[area.view.no_tops(found.x, found.y, found.edge, chance, SUSPECT)] = 0.0


def _struck(area: SearchArea, look: Look, likely: Evidence, chance: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(n,) which of what is so likely is proved to be no die: halves of dominoes, printed markers, d20s."""
    struck = no_dice.dominoes(area.levels[0], likely) | area.struck(np.stack([likely.x, likely.y], 1))
    if not look.quick:
        struck |= no_dice.markers(area.levels, likely.x, likely.y, likely.edge)
        doubted = ~struck & (chance < CLEARLY)
        struck[doubted] = are_polyhedra(
            area.levels[0], *(values[doubted] for values in (likely.x, likely.y, likely.edge))
        )
    return struck


def _shows_another(
    area: SearchArea,
    look: Look,
    seen: Evidence,
    dice: tuple[DieReading, ...],
    *,
    struck: Evidence,
    faint: Floats,
    spots: Pips,
) -> bool:
    """Whether there is a die besides those that were read.

    seen: the evidence for these dice; struck: that for what is proved to be none. faint: (n, 2) px, where
    another was thought unlikely.
    """
    if area.view is None:
        area.begin_proposals(quick=True)
    beside = area.neighbours(seen)
    bare = np.concatenate([faint, other_dice.likely_middles(spots, dice)])
    bare = np.column_stack([bare, np.zeros((len(bare), 2), np.float32)])
    if not look.quick and area.view is None:
        # the finder may miss by a hair in a larger copy what it hits in a small one; for sides see `beside`
        bare = np.concatenate([bare, clear_of(seen, area.proposals(quick=True), other_dice.UNDER)])
    edge = np.full(len(bare), other_dice.usual_edge(dice), np.float32)
    bare = bare[area.possible(bare[:, 0], bare[:, 1], edge)]
    bodies = area.proposals(quick=look.quick and area.view is None)
    if area.view is not None:
        # no finder proposed these: only what shows a face counts
        bodies = np.concatenate([bodies, beside * np.array([1, 1, 1, 0], np.float32)])
    else:
        # one copy of the picture may miss by a hair what another hits
        proposed = bodies if look.quick else area.all_proposals()
        if posture.pipped_at_rim(area.levels, seen, proposed, spots):
            return True
        if other_dice.shows_larger(area.levels, dice, clear_of(struck, proposed)):
            return True
        if posture.cut_dice(area.levels, (seen.x, seen.y, seen.size), proposed):
            return True
        bodies = np.concatenate([bodies, beside[standing.lying_flat(area.levels, *beside[:, :3].T)]])
    others = clear_of(struck, bodies), clear_of(struck, bare)
    return other_dice.shows_another(area.levels, dice, *others, area.view)
