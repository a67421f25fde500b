"""What the camera shows, as the table takes it: no fact yet, only an offer that someone may confirm.

A `Sight` is passing: it is not in the log and starts empty with the process. A person may correct it die
by die before the roll is confirmed; corrections stay until the dice move again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from station.contract.view import StatusName, TurnStage
from station.game.events import RollAccepted
from station.game.slots import Die, Match, Seen, assign, left_to_right, pairs, unclaimed, unmoved
from station.game.state import Phase, State, ended_turn
from station.game.tray_corrections import Fixes

NOTHING_FIXED = Fixes()

RESTING = frozenset({"ready", "unsure"})
"""Statuses of a reading whose dice lie on the tray to be looked at."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The last reading. status and reasons: as docs/contract.md names them; seen: left to right.

    fixes: what people said about these dice. thrown_from: after a simulated throw, the dice as they lay
    before it; until they lie elsewhere the tray counts as moving. None: no such throw.
    kept: the dice of the last sure reading; people take dice away before they think of confirming.
    stirred: whether the tray was seen moving or empty since the last accepted roll. said: the fixes are of
    an accepted roll, and end with the next movement. aside: at this table held dice lie beside the tray,
    where the camera does not see them. rested: the dice as they lay last, until the tray is seen empty.
    left: dice that came to rest after they had ceased to be anybody's roll. settling: such dice still roll.
    typed_over: a roll was typed in while something moved or hid the tray, which is no newer throw then.
    blind: dice may lie there that the camera has not seen yet, since it was away.
    foreign: what lies there, or rolls, was thrown in a turn that an undo took back.
    """

    status: StatusName = "empty"
    reasons: tuple[str, ...] = ()
    seen: tuple[Seen, ...] = ()
    fixes: Fixes = NOTHING_FIXED
    thrown_from: tuple[Seen, ...] | None = None
    kept: tuple[Seen, ...] = ()
    stirred: bool = False
    said: bool = False
    aside: bool = False
    rested: tuple[Seen, ...] = ()
    left: tuple[Seen, ...] = ()
    settling: bool = False
    typed_over: bool = False
    blind: bool = False
    foreign: bool = False


def look(before: Sight, status: StatusName, reasons: Sequence[str], seen: Sequence[Seen]) -> Sight:
    """The sight after one more reading."""
    dice = left_to_right(seen)
    before = replace(before, blind=False)
    if status in RESTING and dice:
        fixes = before.fixes.after(dice)
        # A simulated hand needs a moment to reach the tray: until then the old dice are no new roll.
        waiting = before.thrown_from is not None and unmoved(before.thrown_from, dice)
        thrown_from = before.thrown_from if waiting else None
        kept = dice if status == "ready" or fixes else ()
        read = replace(
            before, status=status, reasons=tuple(reasons), seen=dice, rested=dice, typed_over=False
        )
        if before.settling and not waiting:
            read = replace(read, left=dice, settling=False)
        if before.foreign and not before.settling:
            read = replace(read, foreign=len(pairs(before.left, dice)) == len(dice))
        return replace(read, fixes=fixes, thrown_from=thrown_from, kept=kept)
    now = replace(before, status=status, reasons=tuple(reasons), seen=dice)
    if status in {"covered", "empty"} and before.thrown_from is None:
        # A hand is there, or was: dice that come to rest from now on may have been thrown anew.
        now = replace(now, settling=False)
    if status not in {"moving", "empty"}:
        return now
    if status == "empty":
        now = replace(now, rested=())
    if status != before.status:
        now = replace(now, typed_over=False)
    # Another throw begins: what was said of the dice of the last one is no word on the next.
    fixes = NOTHING_FIXED if before.said else before.fixes
    return replace(now, fixes=fixes, stirred=True, said=False)


def thrown(before: Sight, state: State) -> Sight:
    """The sight at the moment a simulated hand begins to throw."""
    accepted = tuple(die.seen for die in state.lying if die.seen)
    lying = before.seen if before.status in RESTING and before.seen else accepted
    return Sight("moving", thrown_from=lying, stirred=True, aside=before.aside, rested=lying)


def lost(before: Sight) -> Sight:
    """The sight when the camera is gone: nothing that was seen may be so any more."""
    return Sight(
        thrown_from=before.thrown_from,
        aside=before.aside,
        rested=before.rested,
        left=before.left,
        settling=before.settling,
        blind=True,
        foreign=before.foreign,
    )


def gone(before: Sight) -> Sight:
    """The sight when a simulated throw brought nothing new for too long: what the camera says counts."""
    return replace(before, thrown_from=None)


@dataclass(frozen=True, slots=True)
class Offer:
    """The sight against the state of the game.

    status: as shown to people. dice: what the next accepted roll would be, held dice in their slots; only
    when as many dice are seen as are played with. loose: else the dice that are seen, numbered from left
    to right. missing: held faces that are not on the tray. fresh: dice lie there that were thrown since the
    last accepted roll. corrected: slots a person set. fixed: whether people said anything about the dice.
    wanted: how many dice should lie in the tray. typed_over: as of a sight.
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
    typed_over: bool = False

    @property
    def listed(self) -> tuple[Die, ...]:
        """The dice to show, whole roll or not."""
        return self.dice or self.loose

    @property
    def visible(self) -> tuple[object, ...]:
        """All of it that a screen shows: two offers with the same look the same."""
        dice = tuple((die.slot, die.face, die.seen.colour if die.seen else None) for die in self.listed)
        marks = (self.missing, self.fresh, self.corrected, self.fixed)
        return (self.status, self.reasons, self.faces, dice, *marks)

    @property
    def ready(self) -> bool:
        """Whether the tray shows a whole roll, sure or set right by a person."""
        return self.status == "ready" and bool(self.dice)


def offer(state: State, sight: Sight) -> Offer:
    """What the tray offers in this state of the game."""
    if sight.status == "empty" and sight.kept and sight.thrown_from is None:
        taken = offer(state, replace(sight, status="ready", seen=sight.kept))
        if taken.fresh and taken.ready:
            return taken  # read, but not confirmed before the dice were taken away
    if sight.thrown_from is not None and sight.status not in {"moving", "covered"}:
        return Offer("moving")
    if sight.status not in RESTING or not sight.seen:
        return Offer(sight.status, sight.reasons, typed_over=sight.typed_over)
    return _lying(state, sight)


def _lying(state: State, sight: Sight) -> Offer:
    """What is offered by dice that lie still."""
    held = [die for die in state.dice if die.slot in state.held]
    played = state.rules.dice if state.rules else len(sight.seen)
    wanted = played - (len(held) if sight.aside else 0)
    dice = sight.fixes.applied(sight.seen, wanted)
    faces = tuple(sorted(die.face for die in (*dice, *(held if sight.aside else ()))))
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
    match = _with_camera_faces(_matched(held, dice, played, aside=sight.aside), sight.seen)
    thrown_dice = [die for die in match.dice if die.seen and die.slot not in state.held]
    corrected = tuple(die.slot for die in thrown_dice if die.seen and die.face != die.seen.face)
    return replace(found, dice=match.dice, missing=match.missing, corrected=corrected)


def _fresh(state: State, sight: Sight, faces: tuple[int, ...]) -> bool:
    """Whether these dice were thrown since the last accepted roll."""
    if _unthrown(state, sight) or _nobodys(state, state.left, sight) or _nobodys(state, sight.left, sight):
        return False
    typed = any(die.seen is None for die in state.lying)
    return not (typed and not sight.stirred and faces == tuple(sorted(die.face for die in state.lying)))


def _unthrown(state: State, sight: Sight) -> bool:
    """Whether the dice to be thrown lie as they were accepted, and none lies elsewhere in their stead.

    Of equal faces people may keep another die than the one whose slot is held.
    """
    free = [die.seen for die in state.lying if die.seen and die.slot not in state.held]
    places = [die.seen for die in state.lying if die.seen]
    thrown_dice = _not_held(state, sight)
    elsewhere = len(thrown_dice) - len(pairs(places, thrown_dice))
    return unmoved(free, sight.seen) and elsewhere <= max(len(sight.seen) - len(places), 0)


def _not_held(state: State, sight: Sight) -> tuple[Seen, ...]:
    """The dice on the tray without those that are held."""
    held = () if sight.aside else [die for die in state.dice if die.slot in state.held]
    return unclaimed(held, sight.seen)


def _nobodys(state: State, left: Sequence[Seen], sight: Sight) -> bool:
    """Whether dice lie as they lay when they were nobody's roll.

    At the beginning of a turn one or two may be nudged; where a confirmed roll was kept, only the held ones.
    """
    if state.phase is Phase.HOLDING:
        thrown_dice = _not_held(state, sight)
        return bool(left) and len(pairs(left, thrown_dice)) == len(thrown_dice)
    return bool(left) and 2 * len(pairs(left, sight.seen)) >= len(sight.seen)


def _matched(held: Sequence[Die], seen: Sequence[Seen], played: int, *, aside: bool) -> Match:
    """The dice in their slots; held ones beside the tray are taken as they were."""
    if not aside or not held:
        return assign(held, seen, played)
    taken = {die.slot for die in held}
    free = [slot for slot in range(1, played + 1) if slot not in taken]
    thrown_dice = [Die(slot, one.face, one) for slot, one in zip(free, left_to_right(seen), strict=True)]
    beside = [replace(die, seen=None) for die in held]
    return Match(tuple(sorted((*thrown_dice, *beside), key=lambda die: die.slot)))


def _loose(effective: Sequence[Seen], seen: Sequence[Seen]) -> tuple[Die, ...]:
    """Dice numbered from left to right, since not all slots can be told."""
    dice = tuple(Die(number, one.face, one) for number, one in enumerate(left_to_right(effective), start=1))
    return _with_camera_faces(Match(dice), seen).dice


def _with_camera_faces(match: Match, seen: Sequence[Seen]) -> Match:
    """The same match, each die keeping what the camera itself saw: nothing of a die it missed."""
    own = {(die.x, die.y): die for die in seen}
    dice = tuple(
        replace(die, seen=own.get((die.seen.x, die.seen.y))) if die.seen else die for die in match.dice
    )
    return Match(dice, match.missing)


def settled(sight: Sight, *, typed: bool = False) -> Sight:
    """The sight once a roll was accepted: from now on movement means another throw.

    A roll typed in while a hand hid the tray is known again by its faces when the hand is gone. Dice that
    were read before it, and taken away, are not on offer any more.
    """
    kept = () if typed else sight.kept
    over = typed and sight.status in {"moving", "covered"}
    settling = typed and sight.status == "moving"
    return replace(
        sight,
        stirred=False,
        said=True,
        kept=kept,
        left=(),
        settling=settling,
        typed_over=over,
        foreign=False,
    )


def disowned(sight: Sight, *, rolling: bool) -> Sight:
    """The sight once the dice in the tray are nobody's roll: what was read and said of them dies with it."""
    left = sight.left if sight.foreign else ()
    return replace(sight, fixes=NOTHING_FIXED, kept=(), left=left, settling=rolling, said=False)


def taken_back(sight: Sight, before: State, after: State) -> Sight:
    """The sight once an event is undone: dice thrown since in another turn are nobody's roll.

    Dice that lie as they lay at the event are what they were before it.
    """
    over = sight.typed_over and not isinstance(before.past[-1], RollAccepted)
    if not ended_turn(before, after):
        own = sight if sight.foreign else replace(sight, left=(), settling=False)
        return replace(own, typed_over=over)
    rolling = as_left(sight)[1]
    lay = (sight.left if before.rolling else ()) or before.left or tuple(die.seen for die in before.lying if die.seen)
    if rolling:
        as_before = before.rolling and sight.settling
    else:
        as_before = not sight.rested or (bool(lay) and len(pairs(lay, sight.rested)) == len(lay))
    if as_before and not sight.kept and not sight.foreign:
        return replace(sight, left=(), settling=False, typed_over=over)
    return replace(disowned(sight, rolling=rolling), left=sight.rested, typed_over=over, foreign=True)


def as_left(sight: Sight) -> tuple[tuple[Seen, ...], bool]:
    """The dice as they lie, and whether some are rolling or out of sight, for the log."""
    moving = sight.status == "moving" or sight.thrown_from is not None or sight.blind
    return tuple(replace(die, face=0) for die in sight.rested), moving


def corrected(sight: Sight, die: Die, face: int) -> Sight:
    """The sight after a person gave one listed die of the offer its face, or NO_DIE."""
    if die.seen is None:
        fixes = sight.fixes.with_missed_as(die.face, face)
    else:
        fixes = sight.fixes.with_face(sight.seen or sight.kept, die.seen, face)
    return replace(sight, fixes=fixes, kept=sight.kept or sight.seen)


def missed(sight: Sight, face: int) -> Sight:
    """The sight after a person said that the camera missed a die."""
    fixes = sight.fixes.with_missed(sight.seen or sight.kept, face)
    return replace(sight, fixes=fixes, kept=sight.kept or sight.seen)


def as_read(sight: Sight) -> Sight:
    """The sight without anything people said."""
    return replace(sight, fixes=NOTHING_FIXED)


def stage(state: State, now: Offer) -> TurnStage:
    """How far the turn is, the throw under way included; all that follows a turn follows this."""
    if not state.running:
        return "none"
    if state.phase is Phase.CHOOSING:
        return "choosing"
    all_held = state.rules is not None and len(state.held) >= state.rules.dice
    if not all_held and now.status in {"moving", "covered"} and not now.typed_over:
        return "rolling"
    if not all_held and now.fresh and now.faces:
        return "unconfirmed"
    if state.phase is Phase.THROWING:
        return "nothing_thrown"
    return "held" if state.held else "confirmed"


def newer_throw(state: State, now: Offer) -> bool:
    """Whether dice were thrown after the confirmed roll, or may have been."""
    return state.phase is Phase.HOLDING and stage(state, now) in {"rolling", "unconfirmed"}


def shown_phase(state: State, now: Offer) -> Phase:
    """The phase as people see it: from the moment dice move, a throw may be confirmed again."""
    return Phase.THROWING if newer_throw(state, now) else state.phase
