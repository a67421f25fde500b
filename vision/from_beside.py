"""A picture from the table's edge: it is searched as it would look from above, too."""

from collections.abc import Callable

import numpy as np

from vision.judgement import lighting, oblique, other_dice, posture
from vision.reading import DieReading, Reading, Reason, Status, places_of
from vision.ready_check import ReadyCheck
from vision.reasons import refusal
from vision.reasons.refusal import UnreadBodies
from vision.search_area import SearchArea


def reread_from_above(
    reading: Reading,
    area: SearchArea,
    check: ReadyCheck,
    searched: Callable[[SearchArea], Reading],
    shows_more: Reason,
) -> Reading:
    """The reading of a picture, or a better one of views from above.

    area, check: of the picture as it came; searched: reads a view of it; shows_more: what is wrong with one
    that shows a die besides those that were read.
    """
    edge = float(other_dice.usual_edge(reading.dice)) if reading.dice else None
    looked = check.stand(reading.dice) if reading.status is Status.READY else oblique.FIRST
    seen, tops = None, ()  # type: tuple[oblique.ViewFromAbove, Reading] | None, tuple[DieReading, ...]
    for _ in range(oblique.LOOKS):
        view = oblique.view_from_above(area.levels, looked, edge)
        other = searched(area.seen_otherwise(view.levels, view))
        found = view.with_feet_below(other.dice)
        if not found:
            break
        tops = (*tops, *found)
        if seen is not None and _only_doubts(other, seen[1]):
            break
        seen = view, other
        stand = check.stand(found)
        if abs(oblique.tilt_deg(stand) - oblique.tilt_deg(looked)) < oblique.OTHER_DEG:
            break
        if not oblique.FROM_BESIDE <= stand.start[1] < oblique.TOO_STEEP:
            break
        looked = stand
    if seen is None:
        return reading
    view, other = seen
    if other.status is Status.READY and _passes_over(area, view, other.dice, tops):
        other = Reading(Status.UNSURE, other.dice, (shows_more,))
    stand, sure = check.stand(other.dice), check.lie_flat(reading.dice)
    return oblique.better_reading(reading, other, stand, flat_first=sure)


def unless_on_its_head(reading: Reading, area: SearchArea, check: ReadyCheck) -> Reading:
    """The reading, refused where it is of few dice whose fronts may have been read. area, check: as above."""
    if reading.status is not Status.READY:
        return reading
    foot = check.stand(reading.dice).start
    upright = foot[1] < oblique.FROM_BESIDE
    if upright or not lighting.may_be_fronts(area.levels, places_of(reading.dice), foot):
        return reading
    return Reading(Status.UNSURE, reading.dice, (Reason.OBLIQUE,))


def _only_doubts(other: Reading, ready: Reading) -> bool:
    """Whether another view is only less sure of the faces that a ready one shows."""
    doubted = ready.status is Status.READY and other.reasons == (Reason.LOW_CONFIDENCE,)
    return doubted and other.faces == ready.faces


def _passes_over(
    area: SearchArea,
    view: oblique.ViewFromAbove,
    dice: tuple[DieReading, ...],
    tops: tuple[DieReading, ...],
) -> bool:
    """Whether a body in the picture as it came is none of the dice, all in px of that.

    Proposed by the finder there, or one of the tops that any view from above showed, or cut through by the
    picture's rim.
    """
    if posture.cut_dice(area.levels, places_of(dice), area.proposals()):
        return True
    smallest = other_dice.smallest_edge(dice)
    proposed = refusal.likely_bodies(area.proposals())
    proposed = proposed.take((proposed.score >= other_dice.MAYBE_SCORE) & (proposed.edge >= smallest))
    shown = UnreadBodies(*places_of(tops), np.ones(len(tops), np.float32))
    bodies = UnreadBodies.joined((proposed, shown))
    unread = refusal.without_polyhedra(view.picture[0], refusal.unread_bodies(bodies, dice))
    return bool(view.passed_over(dice, unread.x, unread.y, unread.edge).any())
