"""The dice in the tray against the state of the game: an offer that someone may confirm, no fact yet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from messages.message import Message
from station.contract.view import StatusName, TurnStage
from station.game.dice.owners import NOBODY
from station.game.dice.sights import Sight
from station.game.log.slots import (
    Die,
    Match,
    Seen,
    assign,
    found_again,
    left_to_right,
    pairs,
    unclaimed,
    unmoved,
)
from station.game.log.state import Phase, State
from station.game.way import WAY, own


@dataclass(frozen=True, slots=True)
class Offer:
    """The sight against the state of the game.

    status: as shown to people. dice: what the next accepted roll would be, held dice in their slots; only
    when as many dice are seen as are played with. loose: else the dice that are seen, numbered from left
    to right. missing: held faces that are not on the tray. fresh: these dice were thrown since the
    last accepted roll. corrected: slots a person set. fixed: whether people corrected the dice.
    wanted: how many dice should lie in the tray. older: what moves or hides the tray did so before the last
    event since which dice may be thrown. untouched: slots whose die was not thrown, where all are: it lies
    where dice are kept before the first throw, or as it lay. wrong: what is wrong with it, by the way of
    playing. unmoved: slots that nobody holds, whose die stayed where and as it lay while others were thrown.
    """

    status: StatusName
    reasons: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    dice: tuple[Die, ...] = ()
    missing: tuple[int, ...] = ()
    fresh: bool = False
    corrected: tuple[int, ...] = ()
    loose: tuple[Die, ...] = ()
    fixed: bool = False
    wanted: int = 0
    older: bool = False
    untouched: tuple[int, ...] = ()
    wrong: Message | None = None
    unmoved: tuple[int, ...] = ()

    @property
    def listed(self) -> tuple[Die, ...]:
        """The dice to show, whole roll or not."""
        return self.dice or self.loose

    @property
    def doubted(self) -> tuple[int, ...]:
        """Slots of the dice whose face the camera is not sure of, and nobody has corrected."""
        doubted = (die.slot for die in self.listed if die.seen and die.seen.unsure)
        return tuple(slot for slot in doubted if self.status == "unsure" and slot not in self.corrected)

    @property
    def visible(self) -> tuple[object, ...]:
        """All of it that a screen shows: two offers with the same look the same."""
        dice = tuple((die.slot, die.face, die.seen.colour if die.seen else None) for die in self.listed)
        marks = (
            self.doubted,
            self.missing,
            self.fresh,
            self.corrected,
            self.fixed,
            self.untouched,
            self.wrong,
            self.unmoved,
        )
        return (self.status, self.reasons, self.faces, dice, *marks)

    @property
    def ready(self) -> bool:
        """Whether the tray shows a whole roll, sure or set right by a person."""
        return self.status == "ready" and bool(self.dice)


def offer(state: State, sight: Sight) -> Offer:
    """Interpret the dice in the tray in this state of the game."""
    if sight.status == "empty" and sight.sure and sight.thrown_from is None:
        taken = offer(state, replace(sight, status="ready", seen=sight.sure, stirred=False))
        if taken.fresh and taken.ready:
            return taken  # read, but not confirmed before the dice were taken away
    if sight.thrown_from is not None and sight.status not in {"moving", "covered"}:
        return Offer("moving", older=sight.began is not state.since)
    if not sight.seen:
        return Offer(sight.status, sight.reasons, older=sight.began is not state.since)
    return _lying(state, sight)


def lying(state: State, now: Offer, slot: int) -> Seen | None:
    """The die of that slot as the camera saw it, and as screens show it; None if it did not."""
    shown = now.listed if stage(state, now) == "unconfirmed" or not state.dice else state.dice
    return next((die.read for die in shown if die.slot == slot), None)


def _lying(state: State, sight: Sight) -> Offer:
    """The offer from dice that lie still."""
    beside = state.held_dice if sight.aside else ()
    played = state.dice_count if state.rules else len(sight.seen)
    wanted = played - len(beside)
    dice = sight.fixes.applied(sight.seen, wanted)
    faces = tuple(sorted([die.face for die in dice] + [die.face for die in beside]))
    found = Offer(
        sight.status,
        sight.reasons,
        faces,
        fresh=_fresh(state, sight, faces),
        fixed=bool(sight.fixes),
        wanted=wanted,
    )
    if len(dice) != wanted:
        # A reading can be ready for another number of dice: the reader learns of a new game a frame late.
        few = ("too_few",) if len(dice) < wanted else ("too_many",)
        loose = _loose(dice, sight.seen)
        return replace(found, status="unsure", reasons=sight.reasons or few, loose=loose)
    if sight.fixes:
        # A person looked at the dice and set them right: that is as good as a sure reading.
        found = replace(found, status="ready", reasons=())
    if (offered := WAY.of(state).offered(state, sight, found, dice)) is not None:
        return offered
    stayed = _stayed(state, sight, dice) if found.fresh and not beside else ()
    keeping = (*state.held_dice, *stayed)
    match = _with_those_beside(beside, dice, played) if beside else assign(keeping, dice, played)
    matched = with_camera_faces(match.dice, sight.seen)
    thrown_dice = [die for die in matched if die.seen and die.slot not in state.held]
    corrected = tuple(die.slot for die in thrown_dice if die.seen and die.face != die.seen.face)
    kept = tuple(die.slot for die in matched if die.seen and die.seen.kept)
    left = kept if state.phase is Phase.THROWING else ()
    unmoved_slots = tuple(die.slot for die in stayed)
    return replace(
        found,
        dice=matched,
        missing=match.missing,
        corrected=corrected,
        untouched=left,
        unmoved=unmoved_slots,
    )


def _stayed(state: State, sight: Sight, dice: Sequence[Seen]) -> tuple[Die, ...]:
    """The dice of the confirmed roll that nobody holds and that were not thrown with the others.

    dice: those on the tray, as people set them right: a face that somebody had to say may be another one.
    """
    if not sight.keeps_unmoved or state.phase is not Phase.HOLDING:
        return ()
    taken = found_again(state.held_dice, dice).values()
    there = [die for die in dice if die not in taken and die in sight.seen and _stays(state, sight, die)]
    free = [(die, die.read) for die in state.dice if die.slot not in state.held]
    lay = [(die, seen) for die, seen in free if seen is not None]
    found = pairs([seen for _, seen in lay], there)
    return tuple(lay[i][0] for i, j in sorted(found.items()) if lay[i][1].face == there[j].face)


def _stays(state: State, sight: Sight, die: Seen) -> bool:
    """Whether the camera has not seen it move since the roll was confirmed."""
    return sight.owners.get(die) is not state.since


def _fresh(state: State, sight: Sight, faces: tuple[int, ...]) -> bool:
    """Whether these dice were thrown since the last accepted roll, or may have been.

    At the beginning of a turn one or two may be nudged; after a confirmed roll any one may be thrown again.
    """
    if not state.running or not WAY.of(state).throws_now(state):
        return False
    again = state.phase is Phase.HOLDING
    typed = any(die.seen is None for die in state.lying)
    free = _not_held(state, sight)
    # Where typed dice lay may be unknown; then any movement is a throw, and other faces where none was seen.
    others = faces != tuple(sorted(die.face for die in state.lying))
    own = typed and _since_roll(state) and (sight.stirred or (sight.returned and others))
    moved = [die for die in free if own or sight.owners.get(die) is state.since]
    moved += _turned(state, sight, free) if again else []
    enough = bool(moved) if again else 2 * len(moved) > len(sight.seen)
    if not enough or _unthrown(state, sight):
        return False
    return sight.stirred or others or not typed


def _unthrown(state: State, sight: Sight) -> bool:
    """Whether the dice to be thrown lie as they were accepted, and none is elsewhere instead.

    Of equal faces people may keep another die than the one whose slot is held.
    """
    free = [die.seen for die in state.lying if die.seen and die.slot not in state.held]
    places = [die.seen for die in state.lying if die.seen]
    thrown_dice = _not_held(state, sight)
    found = pairs(places, thrown_dice).items()
    elsewhere = len(thrown_dice) - sum(places[i].face in (0, thrown_dice[j].face) for i, j in found)
    return unmoved(free, sight.seen) and elsewhere <= max(len(sight.seen) - len(places), 0)


def _turned(state: State, sight: Sight, free: Sequence[Seen]) -> list[Seen]:
    """The dice that show another face, where all lie as they were accepted, and none is of an undone roll."""
    lay = [die.seen for die in state.lying if die.seen and die.slot not in state.held]
    found = pairs(lay, free) if _since_roll(state) else {}
    turned = [free[j] for i, j in found.items() if lay[i].face not in (0, free[j].face)]
    of = [sight.owners.get(die) for die in turned]
    stand = all(one in (None, NOBODY) or any(one is event for event in state.past) for one in of)
    return turned if stand and len(found) == len(lay) else []


def _since_roll(state: State) -> bool:
    """Whether moving dice are a throw after the confirmed roll."""
    return state.since is not None and state.since.is_roll


def _not_held(state: State, sight: Sight) -> tuple[Seen, ...]:
    """The dice on the tray without those that are held."""
    return unclaimed(() if sight.aside else state.held_dice, sight.seen)


def _with_those_beside(held: Sequence[Die], seen: Sequence[Seen], played: int) -> Match:
    """The dice in their slots; held ones beside the tray are taken as they were."""
    taken = {die.slot for die in held}
    free = [slot for slot in range(1, played + 1) if slot not in taken]
    thrown_dice = [Die(slot, one.face, one) for slot, one in zip(free, left_to_right(seen), strict=True)]
    beside = [replace(die, seen=None) for die in held]
    return Match(tuple(sorted((*thrown_dice, *beside), key=lambda die: die.slot)))


def _loose(effective: Sequence[Seen], seen: Sequence[Seen]) -> tuple[Die, ...]:
    """Dice numbered from left to right, since not all slots are known."""
    dice = tuple(Die(number, one.face, one) for number, one in enumerate(left_to_right(effective), start=1))
    return with_camera_faces(dice, seen)


def with_camera_faces(dice: Iterable[Die], seen: Sequence[Seen]) -> tuple[Die, ...]:
    """The same dice, each with what the camera itself saw: nothing of a die it missed."""
    own = {(die.x, die.y): die for die in seen}
    return tuple(replace(die, seen=own.get((die.seen.x, die.seen.y))) if die.seen else die for die in dice)


def stage(state: State, now: Offer) -> TurnStage:
    """The stage of the turn, including the throw in progress; everything that follows a turn uses it."""
    if not state.running:
        return "none"
    if state.phase is Phase.CHOOSING:
        return "choosing"
    all_held = len(state.held) >= state.dice_count
    may_throw = not all_held and WAY.of(state).throws_now(state)
    if may_throw and now.status in {"moving", "covered"} and not now.older:
        return "rolling"
    if may_throw and now.fresh and now.faces:
        return "unconfirmed"
    if state.phase is not Phase.HOLDING:
        return "nothing_thrown"
    return "held" if own(state).held else "confirmed"


def waits(state: State, now: Offer) -> bool:
    """Whether a correction of a die is about a throw that waits to be confirmed."""
    return now.fresh and bool(now.listed) and state.running and state.phase is not Phase.CHOOSING


def newer_throw(state: State, now: Offer) -> bool:
    """Whether dice were thrown after the confirmed roll, or may have been."""
    return state.phase is Phase.HOLDING and stage(state, now) in {"rolling", "unconfirmed"}


def view_phase(state: State, now: Offer) -> StrEnum:
    """The phase as people see it: from the moment dice move, a throw may be confirmed again."""
    return Phase.THROWING if newer_throw(state, now) else state.phase
