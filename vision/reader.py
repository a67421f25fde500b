"""The whole way from one picture to a reading."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from statistics import median

import numpy as np
from numpy.typing import NDArray

from calibration.profile import Profile
from vision import (
    body_colour,
    candidates,
    die_outline,
    evidence,
    fusion,
    leaning,
    neighbours,
    oblique,
    pips,
    posture,
    profile_filter,
    quality,
    refusal,
)
from vision.background_model import Foreground
from vision.evidence import Evidence, EvidenceKind
from vision.leaning import Stand
from vision.networks import on_fitting_level
from vision.oblique import ViewFromAbove
from vision.pips import Floats
from vision.reading import Colour, DieReading, Reading, Reason, Status

DICE_MAX = 40
"""No more dice are expected."""
SEEN = 0.5
"""A candidate at least this likely is believed to be a die."""
SURE = 0.6
"""Every die of a ready reading is at least this likely, all witnesses heard."""
AGREE = 0.9
"""And the network for itself thinks its face at least this likely."""
CLEARLY = 0.9
"""At least this likely, a face is whole in the picture for certain."""
BEYOND_DOUBT = 0.97
"""A face less likely than this must also be on something that stands up like a die."""
SURE_BODY = 0.7
"""The same for a die whose pips were not found one by one, only as a pattern on a body."""
SIDE = 0.95
"""Nearer than this share of an edge to a die, what might be a face is that die's side."""
SIZES = 2.2
"""No die is so many times larger or smaller than its fellows usually are: dice have 12 to 25 mm."""
SUSPECT = 0.4
"""A candidate at least this likely that is not counted makes the count doubtful."""
FAINT = 0.02
"""A candidate at least this likely is looked at once more before a reading is ready without it."""
COARSE_PIXELS = 1_500_000
"""Pictures larger than this are searched at half their size, and finer only when that does not do."""
QUICK_PIXELS = 300_000
"""Pictures larger than this get a quick look at half their size before."""
MARKER_PX = 40.0
"""Edge of a printed marker, px, with which all of its six by six cells are plain."""
LARGE = 22.0
"""Dice of at least this edge, px of the level searched: no other die can be too small to be seen there."""


class Reader:
    """Reads stills: pure, reusable, one thread at a time.

    dice: how many dice are expected, 1-40, or None where nobody knows: then a reading is ready when every die
    in sight is sure, and at least one is. profile: what is known of camera and tray, if anything.
    empty: the empty tray of that profile, (h, w, 3) uint8 BGR. clock: seconds, only for `Reading.ms`.
    """

    def __init__(
        self,
        dice: int | None = 5,
        profile: Profile | None = None,
        *,
        empty: NDArray[np.uint8] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.dice = dice
        self.profile = profile
        self.empty = empty
        self._background = (
            None if profile is None or empty is None else profile_filter.background_of(profile, empty)
        )
        self._clock = clock

    @property
    def _most(self) -> int:
        """How many patches of each kind the network is shown."""
        return max(evidence.ASKED_MAX, 2 * (DICE_MAX if self.dice is None else self.dice))

    def now(self) -> float:
        """Seconds on the reader's clock."""
        return self._clock()

    def read(self, image_bgr: NDArray[np.uint8], *, again: bool = False, smallest: float = np.inf) -> Reading:
        """What one picture shows. image_bgr: (height, width, 3) uint8, BGR, 0-255.

        again: the same still picture was ready before, looked at closely. A quick look that is ready does
        then: no die is too small for it that the close one has not ruled out.
        smallest: edge of the smallest die seen lately, px; where a quick look would not do for it, none.
        """
        began = self._clock()
        levels = pips.pyramid(image_bgr)
        search = pips.Search(levels)
        foreground = None if self._background is None else self._background.foreground(image_bgr)
        anything = foreground is None or foreground.any_object()
        shown = Shown(levels, foreground, cache(partial(_stand, levels)))
        places = cache(partial(self._proposals, levels, foreground))
        reading = (
            self._searched(search, places, shown, again=again, smallest=smallest)
            if anything
            else Reading(Status.EMPTY)
        )
        if reading.status is not Status.READY and anything and foreground is not None:
            plain = foreground.without_background(image_bgr)
            cleared = pips.Search(pips.pyramid(plain))
            others = cache(partial(self._proposals, cleared.levels, foreground))
            reading = profile_filter.clearer_reading(reading, self._searched(cleared, others, shown))
        if reading.status is not Status.READY:
            reading = self._explained(reading, levels, places(quick=False), foreground)
        if anything and _from_above_too(reading, shown, places):
            reading = self._from_beside(reading, shown)
        reading = replace(reading, dice=_coloured(reading.dice, levels))
        return replace(reading, ms=(self._clock() - began) * 1000.0)

    def _searched(
        self,
        search: pips.Search,
        places: Callable[..., Floats],
        shown: "Shown",
        view: ViewFromAbove | None = None,
        *,
        again: bool = False,
        smallest: float = np.inf,
    ) -> Reading:
        """What all looks at one picture together show. places: gives what the finder proposes.

        shown: the picture as it came; whether a die leans is seen by its foot and its shadow. view: of the
        picture that is searched, if it is one. again, smallest: see `read`.
        """
        reading, seen, enough = Reading(Status.EMPTY), None, 0
        for look in _tries(search):
            first, _, quick = look
            if first < enough:
                break
            if quick and not again and smallest < LARGE * 2**first:
                continue
            longer, told = self._at(search, look, shown.foreground, places, view)
            ready = longer.status is Status.READY
            if ready or len(longer.dice) >= len(reading.dice):
                reading, seen = longer, told
            large = bool(longer.dice) and min(die.size for die in longer.dice) >= LARGE * 2**first
            if ready and (large or again or not quick):
                break
            enough = first if large and not quick else 0
        open_ = reading.status is not Status.READY and Reason.LOW_CONFIDENCE not in reading.reasons
        if open_ and seen is not None and not _agrees(search.levels, seen, reading.dice):
            reading = Reading(Status.UNSURE, reading.dice, (*reading.reasons, Reason.LOW_CONFIDENCE))
        if view is not None:
            reading = replace(reading, dice=view.dice_on_picture(reading.dice))
        return _with_posture(reading, shown)

    def _from_beside(self, reading: Reading, shown: "Shown") -> Reading:
        """The reading, or a better one of the picture as it would look from above."""
        edge = float(refusal.usual_edge(reading.dice)) if reading.dice else None
        looked = shown.stand(reading.dice) if reading.status is Status.READY else oblique.FIRST
        for _ in range(oblique.LOOKS):
            view = oblique.view_from_above(shown.levels, looked, edge)
            places = cache(partial(self._proposals, view.levels, shown.foreground, view=view))
            other = self._searched(pips.Search(view.levels), places, shown, view)
            tops = view.with_feet_below(other.dice)
            if not tops:
                return reading
            stand = shown.stand(tops)
            if abs(oblique.tilt_deg(stand) - oblique.tilt_deg(looked)) < oblique.OTHER_DEG:
                break
            if not oblique.FROM_BESIDE <= stand.start[1] < oblique.TOO_STEEP:
                break
            looked = stand
        return oblique.better_reading(reading, other, shown.stand(other.dice))

    def _at(
        self,
        search: pips.Search,
        look: tuple[int, int, bool],
        foreground: Foreground | None,
        places: Callable[..., Floats],
        view: ViewFromAbove | None = None,
    ) -> tuple[Reading, Evidence]:
        """One look (see `_tries`) at a picture, and the evidence for the dice that were read.

        How many dice are expected has no say in what is one: it only gives reasons.
        Whether the network hesitates over a die is left open when the reading is not ready anyhow: it takes
        time, and another look may follow.
        """
        levels, (first, most, quick) = search.levels, look
        image_bgr, size_wh = levels[0], (levels[0].shape[1], levels[0].shape[0])
        proposed = None if quick else places(quick=False)
        spots = search.find(first, most=most)
        classical = candidates.gather(levels, spots)
        odds = fusion.classical_log_odds(classical)
        found = evidence.gather_evidence(levels, classical, odds, proposed, most=self._most)
        chance = _agreed(found, fusion.fused_probability(found))
        chance = chance * self._possible(found.x, found.y, found.edge, size_wh, foreground, view)
        if proposed is not None and view is None:
            found, chance = self._with_neighbours(levels, found, chance, foreground)
        if view is not None:
            chance[view.no_tops(found.x, found.y, found.edge, chance, SUSPECT)] = 0.0
        likely = found.take(chance > SUSPECT)
        no_dice = posture.dominoes(image_bgr, likely)
        if proposed is not None:
            picture, x, y, edge = on_fitting_level(levels, (likely.x, likely.y, likely.edge), MARKER_PX)
            no_dice |= posture.markers(picture, replace(likely, x=x, y=y, edge=edge))
        chance[np.flatnonzero(chance > SUSPECT)[no_dice]] = 0.0
        struck, likely = likely.take(no_dice), likely.take(~no_dice)
        chosen, doubtful = _choose(found, chance)
        chosen.sort(key=lambda k: (float(found.x[k]), float(found.y[k])))
        least = np.where(found.kind == EvidenceKind.BODY, SURE_BODY, SURE)
        seen = found.take(np.array(chosen, np.intp))
        doubtful |= bool((chance < least)[chosen].any()) or _odd_size(seen.edge)
        stacked = bool(posture.piled(likely.x, likely.y, likely.edge).any()) and _apart(likely)
        dice = tuple(_dice(found, chance, chosen))
        # a face that every witness is sure of is in the picture, even if its edge is measured a little large
        reach = likely.edge * np.where(chance[chance > SUSPECT] >= CLEARLY, np.float32(0.8), np.float32(1.0))
        cut_off = bool(posture.cut_off(likely.x, likely.y, reach, size_wh).any())
        if self.dice is None or len(dice) < self.dice:
            cut_off |= posture.pips_at_rim(seen, spots, size_wh)
        faults = {Reason.STACKED: stacked, Reason.CUT_OFF: cut_off}
        reasons = self._reasons(
            dice, doubtful=doubtful, faults=tuple(r for r, there in faults.items() if there)
        )
        if not reasons and _agrees(levels, seen, dice):
            faint = np.stack([found.x, found.y], 1)[chance > FAINT]
            bare = np.concatenate([faint, refusal.likely_middles(spots, dice)])
            edge = np.full(len(bare), refusal.usual_edge(dice), np.float32)
            bare = bare[self._possible(bare[:, 0], bare[:, 1], edge, size_wh, foreground, view)]
            bodies = places(quick=quick and view is None)
            if view is None:
                beside = self._neighbours(levels, seen, foreground)
                bodies = np.concatenate([bodies, beside[refusal.lying_flat(levels, *beside[:, :3].T)]])
            others = _clear_of(struck, bodies), _clear_of(struck, bare)
            if not refusal.shows_another(levels, dice, *others, view):
                return Reading(Status.READY, dice), seen
            reasons = (Reason.LOW_CONFIDENCE if self.dice is None else Reason.TOO_MANY,)
        if not reasons:
            reasons = (Reason.LOW_CONFIDENCE,)
        if not dice and proposed is not None:
            doubtful |= refusal.shows_another(levels, (), _clear_of(struck, proposed))
        return Reading(Status.UNSURE if dice or doubtful else Status.EMPTY, dice, reasons), seen

    def _with_neighbours(
        self,
        levels: tuple[NDArray[np.uint8], ...],
        found: Evidence,
        chance: NDArray[np.float64],
        foreground: Foreground | None,
    ) -> tuple[Evidence, NDArray[np.float64]]:
        """The evidence and its chances, with dice that touch those which are seen as long as too few are."""
        chosen, _ = _choose(found, chance)
        while 0 < len(chosen) < (self.dice or DICE_MAX):
            seen, before = found.take(np.array(chosen, np.intp)), len(chosen)
            places = self._neighbours(levels, seen, foreground)
            more = evidence.bodies(levels, places, float(np.median(seen.edge)))
            flat = refusal.lying_flat(levels, more.x, more.y, more.edge)
            found = evidence.joined((found, more))
            chance = np.concatenate([chance, np.where(flat, fusion.fused_probability(more), 0.0)])
            chosen, _ = _choose(found, chance)
            if len(chosen) <= before:
                break
        return found, chance

    def _neighbours(
        self, levels: tuple[NDArray[np.uint8], ...], seen: Evidence, foreground: Foreground | None
    ) -> Floats:
        """(n, 4) see `neighbours.places_beside`: those of them that can be dice."""
        found = neighbours.places_beside(levels, seen.x, seen.y, seen.size)
        size_wh = (levels[0].shape[1], levels[0].shape[0])
        return found[self._possible(found[:, 0], found[:, 1], found[:, 2], size_wh, foreground)]

    def _possible(
        self,
        x: Floats,
        y: Floats,
        edge: Floats,
        size_wh: tuple[int, int],
        foreground: Foreground | None,
        view: ViewFromAbove | None = None,
    ) -> NDArray[np.bool_]:
        """(n,) which places can be dice, as far as is known of the tray. view: in which they are, if any."""
        possible = np.ones(len(x), np.bool_)
        if view is not None:
            x, y, edge = view.on_picture(x, y, edge)
            size_wh = (view.picture[0].shape[1], view.picture[0].shape[0])
        if self.profile is not None:
            possible &= profile_filter.possible_dice(self.profile, x, y, edge, size_wh)
        if foreground is not None:
            possible &= ~foreground.is_background(x, y, edge)
        return possible

    def _proposals(
        self,
        levels: tuple[NDArray[np.uint8], ...],
        foreground: Foreground | None,
        *,
        quick: bool,
        view: ViewFromAbove | None = None,
    ) -> Floats:
        """(n, 4) see `evidence.proposals`: those of them that can be dice, as far as is known of the tray."""
        found = evidence.proposals(levels, quick=quick)
        size_wh = (levels[0].shape[1], levels[0].shape[0])
        return found[self._possible(found[:, 0], found[:, 1], found[:, 2], size_wh, foreground, view)]

    def _holds_other_die(self, levels: tuple[NDArray[np.uint8], ...], foreground: Foreground | None) -> bool:
        """Whether a die for certain has come into the tray, though of a size that the profile rules out."""
        if self.profile is None or foreground is None:
            return False
        found = evidence.proposals(levels)
        known, size_wh = replace(self.profile, mm_per_px=None), (levels[0].shape[1], levels[0].shape[0])
        x, y, edge = found[:, :3].T
        there = profile_filter.possible_dice(known, x, y, edge, size_wh)
        there &= ~foreground.is_background(x, y, edge)
        return refusal.surely_a_die(levels[0], refusal.likely_bodies(found[there]))

    def _explained(
        self,
        reading: Reading,
        levels: tuple[NDArray[np.uint8], ...],
        places: Floats,
        foreground: Foreground | None,
    ) -> Reading:
        """A reading that is not ready, with all that can be said about why. places: the finder proposes."""
        proposed = refusal.likely_bodies(places)
        bodies = refusal.unread_bodies(proposed, reading.dice)
        nothing = reading.status is Status.EMPTY and not refusal.surely_a_die(levels[0], bodies)
        nothing = nothing and not self._holds_other_die(levels, foreground)
        seen = proposed.first(0) if nothing else proposed
        unfit = quality.picture_faults(levels, seen.x, seen.y, seen.edge)
        if nothing:
            return Reading(Status.UNSURE, (), (Reason.TOO_FEW, *unfit)) if unfit else Reading(Status.EMPTY)
        if len(reading.dice) < (self.dice or DICE_MAX) and quality.shows_hand(
            levels[min(1, len(levels) - 1)]
        ):
            return Reading(Status.COVERED, reading.dice, reading.reasons)
        why = refusal.refusal_reasons(levels[0], reading.dice, bodies, faint=SURE)
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


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as all looks at it share it.

    levels: it and its halvings. foreground: what has come into the tray, if known. stand: how dice stand.
    """

    levels: tuple[NDArray[np.uint8], ...]
    foreground: Foreground | None
    stand: Callable[[tuple[DieReading, ...]], Stand]


def _with_posture(reading: Reading, shown: Shown) -> Reading:
    """The reading, refused when one of its dice leans, or is no body though its face is not beyond doubt."""
    if not reading.dice:
        return reading
    faint = [die for die in reading.dice if die.confidence < BEYOND_DOUBT]
    ones = [die for die in reading.dice if die.face == 1]
    if reading.status is Status.READY and (
        (faint and refusal.without_dice(shown.levels[0], *_places(faint)).any()) or _counters(shown, ones)
    ):
        reading = Reading(Status.UNSURE, reading.dice, (Reason.LOW_CONFIDENCE,))
    stand = shown.stand(reading.dice)
    faults = []
    if (stand.leaning > leaning.LEANS).any():
        faults.append(Reason.COCKED)
    if leaning.may_be_fronts(stand, np.array([die.angle for die in reading.dice])):
        faults.append(Reason.OBLIQUE)
    return Reading(Status.UNSURE, reading.dice, (*faults, *reading.reasons)) if faults else reading


def _counters(shown: Shown, ones: Sequence[DieReading]) -> bool:
    """Whether one of the ones may be a dot on something round and flat."""
    x, y, edge = _places(ones)
    round_ = die_outline.round_bodies(shown.levels, x, y, edge)
    looks = leaning.estimate_posture(shown.levels[0], x[round_], y[round_], edge[round_])
    return bool((np.hypot(*looks.foot.T) < leaning.NO_FOOT).any())


def _from_above_too(reading: Reading, shown: Shown, places: Callable[..., Floats]) -> bool:
    """Whether the picture may be one from beside: feet are far, or what stands there shows no face."""
    if reading.dice and shown.stand(reading.dice).start[1] >= oblique.FROM_BESIDE:
        return True
    if reading.status is Status.READY or (reading.dice and Reason.COCKED not in reading.reasons):
        return False
    unread = refusal.unread_bodies(refusal.likely_bodies(places(quick=False)), reading.dice)
    if not reading.dice and refusal.surely_a_die(shown.levels[0], unread, refusal.MAYBE_SCORE):
        return True
    return oblique.feet_are_far(shown.levels, *refusal.all_places(reading.dice, unread))


def _stand(levels: tuple[NDArray[np.uint8], ...], dice: Sequence[DieReading]) -> Stand:
    """How the dice stand."""
    return leaning.closest_stand(*on_fitting_level(levels, _places(dice), leaning.FIT_PX))


def _places(dice: Sequence[DieReading]) -> tuple[Floats, Floats, Floats]:
    """x, y and edge of dice, px."""
    x, y, edge = np.array([(*die.center, die.size) for die in dice], np.float32).reshape(-1, 3).T
    return x, y, edge


def _coloured(dice: tuple[DieReading, ...], levels: tuple[NDArray[np.uint8], ...]) -> tuple[DieReading, ...]:
    """The dice with the names of their bodies' colours."""
    places = np.array([(*die.center, die.size) for die in dice], np.float32).reshape(-1, 3)
    names = body_colour.name_colours(levels, places[:, 0], places[:, 1], places[:, 2])
    return tuple(replace(die, colour=name) for die, name in zip(dice, names, strict=True))


def _tries(search: pips.Search) -> Iterator[tuple[int, int, bool]]:
    """Level to begin on, how many spots to look at, whether that is only the quick look; finer by and by.

    A quick look mostly does; a textured ground or small dice need the longer one.
    """
    levels = search.levels
    first = 0
    while levels[first].shape[0] * levels[first].shape[1] > COARSE_PIXELS and first + 1 < len(levels):
        first += 1
    if first + 1 < len(levels) and levels[first].shape[0] * levels[first].shape[1] > QUICK_PIXELS:
        yield first + 1, pips.FEW, True
    yield first, pips.FEW, False
    if search.hurried(first, pips.FEW):
        yield first, pips.MANY, False
    if first > 0:
        yield first - 1, pips.MANY, False


def _odd_size(edge: Floats) -> bool:
    """Whether one of the dice has a size that does not go with the others, as four dots of a cloth may.

    >>> [_odd_size(np.array([50.0, 60.0, largest], np.float32)) for largest in (90.0, 150.0)]
    [False, True]
    """
    sizes = sorted(edge.tolist())
    return any(
        not 1.0 / SIZES < size / median(sizes[:k] + sizes[k + 1 :]) < SIZES
        for k, size in enumerate(sizes)
        if len(sizes) > 1
    )


def _agrees(levels: tuple[NDArray[np.uint8], ...], seen: Evidence, dice: tuple[DieReading, ...]) -> bool:
    """Whether the network by itself sees the faces too; where it or the models hesitate, it looks again."""
    hesitates = seen.says[np.arange(len(seen)), seen.face] < AGREE
    hesitates |= np.array([die.confidence for die in dice]) < AGREE
    if not hesitates.any():
        return True
    return bool((evidence.recheck_faces(levels, seen.take(hesitates)) >= AGREE).all())


def _clear_of(struck: Evidence, places: Floats) -> Floats:
    """Those of the places (n, 2 and more; x, y and others) that do not lie on what is known to be no die."""
    gap = np.hypot(places[:, :1] - struck.x, places[:, 1:2] - struck.y)
    clear: Floats = places[(gap > posture.PILED * struck.edge).all(1)]
    return clear


def _apart(likely: Evidence) -> bool:
    """Whether some of the likely candidates that are too near each other cannot be one die seen twice."""
    gap = np.hypot(likely.x[:, None] - likely.x[None], likely.y[:, None] - likely.y[None])
    smaller = np.minimum(likely.edge[:, None], likely.edge[None])
    twice = (gap > 0.4 * smaller) & (gap < posture.PILED * smaller)
    return bool(twice.any())


def _choose(found: Evidence, chance: NDArray[np.float64]) -> tuple[list[int], bool]:
    """The likeliest candidates that do not overlap, and whether another might be a die as well."""
    near = fusion.overlaps(found.x, found.y, found.edge)
    near |= near.T
    gap = np.hypot(found.x[:, None] - found.x, found.y[:, None] - found.y)
    chosen: list[int] = []
    doubtful = False
    for i in np.argsort(-chance).tolist():
        if chance[i] < SUSPECT or near[i, chosen].any():
            continue
        if chance[i] < SURE and (gap[i, chosen] < SIDE * found.edge[chosen]).any():
            continue
        if chance[i] >= SEEN:
            chosen.append(i)
        else:
            doubtful = True
    return chosen, doubtful


def _agreed(found: Evidence, chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chances, where a body and pips at one place that show the same face back each other."""
    gap = np.hypot(found.x[:, None] - found.x, found.y[:, None] - found.y)
    body = found.kind == EvidenceKind.BODY
    together = gap < 0.35 * np.minimum(found.edge[:, None], found.edge)
    together &= (found.face[:, None] == found.face) & ~body[:, None] & body[None]
    backing = np.where(together, chance[None], 0.0).max(1, initial=0.0)
    # not fully independent: both asked the same network
    both = 1.0 - np.minimum(1.0, 2.0 * (1.0 - backing)) * (1.0 - chance)
    backed = np.where(backing > 0.0, np.maximum(np.maximum(chance, backing), both), chance)
    return np.where(body & together.any(0), 0.0, backed)


def _dice(found: Evidence, chance: NDArray[np.float64], chosen: list[int]) -> list[DieReading]:
    return [
        DieReading(
            face=int(found.face[i]),
            confidence=float(chance[i]),
            center=(float(found.x[i]), float(found.y[i])),
            size=float(found.size[i]),
            angle=float(found.angle[i]),
            colour=Colour.WHITE,  # until all that can be read is read
        )
        for i in chosen
    ]
