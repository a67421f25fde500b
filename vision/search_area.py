"""Where dice can be in one picture, as far as profile, empty tray and view tell, and what is found there."""

from concurrent.futures import Executor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.profile import CalibrationProfile
from vision.ahead import Prefetched
from vision.detection.pip_search import Search
from vision.empty_tray import profile_filter
from vision.empty_tray.background_model import Foreground
from vision.judgement import evidence, neighbours
from vision.judgement.evidence import Evidence
from vision.judgement.oblique import ViewFromAbove
from vision.judgement.selection import clear_of, struck_out
from vision.pips import Floats, Picture
from vision.reasons import refusal


class SearchArea:
    """One picture that is searched, and what is known of its places.

    levels: the picture and its halvings, (h, w, 3) uint8 BGR each. profile: what is known of camera and tray;
    foreground: what has come into the tray; view: which the picture is of another, if it is one. ahead: see
    `Reader`. tops: (n, 4) like `proposals`, places of dice that are known from that other.
    """

    def __init__(
        self,
        levels: tuple[Picture, ...],
        profile: CalibrationProfile | None = None,
        foreground: Foreground | None = None,
        view: ViewFromAbove | None = None,
        ahead: Executor | None = None,
        tops: Floats = evidence.NOWHERE,
    ) -> None:
        self.levels = levels
        self.search = Search(levels)
        self.profile, self.foreground, self.view = profile, foreground, view
        self._tops = tops
        self.size_wh = (levels[0].shape[1], levels[0].shape[0])
        self._struck: list[Evidence] = []
        self._half_seen: list[Floats] = []
        self._ahead = ahead
        self._found: Prefetched[bool, Floats] = Prefetched(
            lambda quick: evidence.proposals(levels, quick=quick), ahead
        )
        self._proposed: dict[bool, Floats] = {}

    def seen_otherwise(self, levels: tuple[Picture, ...], view: ViewFromAbove | None = None) -> "SearchArea":
        """The same tray in levels of another picture of it, and which view that is of this one, if any."""
        tops = evidence.NOWHERE if view is None else view.tops_of(self.proposals())
        return SearchArea(levels, self.profile, self.foreground, view, self._ahead, tops)

    def possible(self, x: Floats, y: Floats, edge: Floats) -> NDArray[np.bool_]:
        """(n,) which places can be dice; px of this picture."""
        return self._possible(self.profile, x, y, edge)

    def strike(self, no_dice: Evidence) -> None:
        """From now on there are known to be no dice, whatever another look sees."""
        if len(no_dice):
            self._struck.append(no_dice)

    def struck(self, middles: Floats) -> NDArray[np.bool_]:
        """(n,) at which places (n, 2) of this picture, px, there are known to be no dice."""
        flags = np.zeros(len(middles), np.bool_)
        for struck in self._struck:
            flags |= struck_out(struck, middles)
        return flags

    def begin_proposals(self, *, quick: bool) -> None:
        """Start to search ahead, if there is a thread for it."""
        self._found.begin(quick)

    def half_seen(self, places: Floats) -> Floats:
        """The places (n, 2; px) and those of the looks before: what one look half saw another may miss."""
        self._half_seen.append(places)
        return np.concatenate(self._half_seen)

    def proposals(self, *, quick: bool = False) -> Floats:
        """(n, 4) see `evidence.proposals`: those of them that can be dice. Sought once, then known."""
        if quick not in self._proposed:
            found = self._found[quick]
            self._proposed[quick] = found[self.possible(*found[:, :3].T)]
        found = self._proposed[quick]
        for struck in self._struck:
            found = clear_of(struck, found)
        return found

    def all_proposals(self) -> Floats:
        """(n, 4) the proposals of both copies of the picture, the large one's first."""
        return np.concatenate([self.proposals(), self.proposals(quick=True)])

    def bodies(self) -> Floats:
        """(n, 4) the proposals and the places known from another picture, best first."""
        found = np.concatenate([self.proposals(), self._tops[self.possible(*self._tops[:, :3].T)]])
        return found[np.argsort(-found[:, 3], kind="stable")]

    def neighbours(self, seen: Evidence) -> Floats:
        """(n, 4) see `neighbours.places_beside`: those of them that can be dice."""
        found = neighbours.places_beside(self.levels, seen.x, seen.y, seen.size)
        return found[self.possible(*found[:, :3].T)]

    def holds_other_die(self) -> bool:
        """Whether a die for certain has come into the tray, though of a size that the profile rules out."""
        if self.profile is None or self.foreground is None:
            return False
        found, of_any_size = self._found[False], replace(self.profile, mm_per_px=None)
        there = self._possible(of_any_size, *found[:, :3].T)
        return refusal.may_hold_die(self.levels, refusal.likely_bodies(found[there]))

    def _possible(
        self, known: CalibrationProfile | None, x: Floats, y: Floats, edge: Floats
    ) -> NDArray[np.bool_]:
        """(n,) which places can be dice by this profile; px of this picture."""
        possible, size_wh = np.ones(len(x), np.bool_), self.size_wh
        if self.view is not None:
            x, y, edge = self.view.on_picture(x, y, edge)
            size_wh = (self.view.picture[0].shape[1], self.view.picture[0].shape[0])
        if known is not None:
            possible &= profile_filter.possible_dice(known, x, y, edge, size_wh)
        if self.foreground is not None:
            possible &= ~self.foreground.is_background(x, y, edge)
        return possible
