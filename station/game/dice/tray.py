"""What the camera shows, as the table takes it: no fact yet, only an offer that someone may confirm.

A `Sight` is passing: it is not in the log and starts empty with the process. A person may correct it die
by die before the roll is confirmed; corrections stay until the dice move again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from station.contract.view import StatusName, TurnStage
from station.game.dice.owners import NOBODY, owners_in_log
from station.game.dice.tray_corrections import Fixes
from station.game.log.events import Event, PlayerReady, RollAccepted
from station.game.log.same_dice import Followed, follow, untouched
from station.game.log.slots import Die, Match, Seen, assign, left_to_right, pairs, unclaimed, unmoved
from station.game.log.state import Phase, State

NOTHING_FIXED = Fixes()

RESTING = frozenset({"ready", "unsure"})
"""Statuses of a reading whose dice lie on the tray to be looked at."""
UNLIT = frozenset({"dark", "overexposed"})
"""Reasons for which a picture without dice says nothing of the tray."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The last reading. status and reasons: as docs/contract.md names them.

    seen: the dice that rest there, left to right. fixes: what people said about these dice. thrown_from:
    after a simulated throw, the dice as they lay before it; until they lie elsewhere the tray counts as
    moving. None: no such throw. kept: the dice of the last sure reading; people take dice away before they
    think of confirming. stirred: whether the tray was seen moving or empty since the last accepted roll.
    said: the fixes are of an accepted roll, and end with the next movement. aside: at this table held dice
    lie beside the tray, where the camera does not see them. rested: the dice as they lay last, until the
    tray is seen empty; face 0 where that was not sure. owners: for each of these and of `kept`, the event
    since which it may be a throw (`State.since`); dice keep it until they move. began: that event for
    what moves or hides the tray now. returned: since the last accepted roll they came to rest unseen.
    blind: dice may have moved that the camera did not see, since it was away, or there was no light;
    unlit: the latter, where it knew how they lay. laid: the dice of the confirmed roll, by slot, as they
    lay when those in the keeper were last told; none where nobody knows.
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
    owners: Mapping[Seen, Event | None] = field(default_factory=dict)
    began: Event | None = None
    returned: bool = False
    blind: bool = False
    unlit: bool = False
    laid: Mapping[int, Seen] = field(default_factory=dict)


def first_sight(state: State, *, aside: bool) -> Sight:
    """The sight when the process starts."""
    owners, began = owners_in_log(state.past)
    known = Sight(aside=aside, rested=tuple(owners), owners=owners)
    return replace(known, blind=True, began=began) if state.running else known


def recalled(state: State, before: Sight) -> Sight:
    """The sight when the game goes on from another log: the same dice, theirs as that log tells it."""
    known = replace(first_sight(state, aside=before.aside), fixes=before.fixes, said=before.said)
    known = replace(known, thrown_from=before.thrown_from)
    return look(known, before.status, before.reasons, before.seen, state.since)


def look(
    before: Sight,
    status: StatusName,
    reasons: Sequence[str],
    seen: Sequence[Seen],
    since: Event | None = None,
) -> Sight:
    """The sight after one more reading. since: of the state now."""
    since = since or NOBODY
    dice = left_to_right(seen) if status in RESTING else ()
    now = replace(before, status=status, reasons=tuple(reasons), seen=dice)
    if dice:
        fixes = before.fixes.after(dice)
        # A simulated hand needs a moment to reach the tray: until then the old dice are no new roll.
        waiting = before.thrown_from is not None and unmoved(before.thrown_from, dice)
        kept = dice if status == "ready" or fixes else ()
        if waiting:
            return replace(now, fixes=fixes, kept=kept)
        return replace(_rest(now, since), fixes=fixes, thrown_from=None, kept=kept)
    if status == "covered":
        hidden = before.status in {"moving", "covered"} or before.blind
        blind = before.blind and (before.unlit or not before.rested)
        return replace(now, began=before.began if hidden else since, blind=blind)
    if status not in {"moving", "empty"}:
        if UNLIT.isdisjoint(reasons):
            return now
        return replace(now, began=before.began or since, blind=True, unlit=bool(before.rested))
    if status == "empty":
        now = replace(now, rested=(), began=None, blind=False, unlit=False)
    elif before.status != status and not before.blind:
        now = replace(now, began=since)
    # Another throw begins: what was said of the dice of the last one is no word on the next.
    fixes = NOTHING_FIXED if before.said else before.fixes
    # A camera that is back finds the tray moving until dice have lain still for a while.
    stirred = before.stirred or (before.status != status and not before.blind)
    return replace(now, fixes=fixes, stirred=stirred, said=False)


def _rest(now: Sight, since: Event) -> Sight:
    """Dice lie still: those that moved are a throw since the event at which they began to move."""
    moved, sure = now.began or since, now.status == "ready"
    found = {j: now.rested[i] for i, j in pairs(now.rested, now.seen).items()}
    if now.began and sure and len(found) < max(len(now.seen), len(now.rested)):  # some lie where others lay
        found = {j: lay for j, lay in found.items() if lay.face in (0, now.seen[j].face)}
    owners = {die: now.owners.get(found[j]) if j in found else moved for j, die in enumerate(now.seen)}
    # One that is lost from sight for a moment has not moved; in bad light one may be seen where none lies.
    all_ = len(found) < len(now.seen) and (sure or len(now.seen) >= len(now.rested))
    lost_ = () if all_ else tuple(die for die in now.rested if die not in found.values())
    read = now.seen if sure and not now.fixes else tuple(replace(die, face=0) for die in now.seen)
    owners |= dict(zip(read, owners.values(), strict=True)) | {die: now.owners.get(die) for die in lost_}
    now = replace(now, began=None, returned=now.blind or now.returned, blind=False, unlit=False)
    return replace(now, rested=(*read, *lost_), owners=owners)


def thrown(before: Sight, state: State) -> Sight:
    """The sight at the moment a simulated hand begins to throw."""
    lying = before.seen or tuple(die.seen for die in state.lying if die.seen)
    rested = before.rested[: len(before.seen)] or lying
    now = Sight("moving", thrown_from=lying, stirred=True, aside=before.aside, rested=rested)
    return replace(now, owners=before.owners, began=state.since)


def lost(before: Sight, since: Event | None, *, reframed: bool = False) -> Sight:
    """The sight when the camera is gone, or reframed, as by a turn: nothing that was seen may be so now."""
    now = Sight(thrown_from=before.thrown_from, aside=before.aside, rested=() if reframed else before.rested)
    busy = before.status in {"moving", "covered"}
    # In another picture the dice lie elsewhere, and are whose they were.
    due = not (reframed and before.rested) or any(before.owners.get(die) is since for die in before.rested)
    began = before.began if busy or before.blind else (since if due else None) or NOBODY
    return replace(now, owners=before.owners, began=began, blind=True)


def blank(before: Sight) -> Sight:
    """The sight where the dice that count are none of this tray."""
    return replace(before, status="empty", reasons=(), seen=(), kept=(), thrown_from=None)


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
    wanted: how many dice should lie in the tray. older: what moves or hides the tray did so before the last
    event since which dice may be thrown. untouched: slots whose die was not thrown, where all are: it lies in
    the dice keeper before the first throw, or in a round in which all play at once. There, vague: slots whose
    die the colours do not tell; early: dice were thrown before all were ready.
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
    vague: tuple[int, ...] = ()
    untouched: tuple[int, ...] = ()
    early: bool = False

    @property
    def listed(self) -> tuple[Die, ...]:
        """The dice to show, whole roll or not."""
        return self.dice or self.loose

    @property
    def visible(self) -> tuple[object, ...]:
        """All of it that a screen shows: two offers with the same look the same."""
        dice = tuple((die.slot, die.face, die.seen.colour if die.seen else None) for die in self.listed)
        marks = (self.missing, self.fresh, self.corrected, self.fixed, self.vague, self.untouched, self.early)
        return (self.status, self.reasons, self.faces, dice, *marks)

    @property
    def ready(self) -> bool:
        """Whether the tray shows a whole roll, sure or set right by a person."""
        return self.status == "ready" and bool(self.dice)


def offer(state: State, sight: Sight) -> Offer:
    """What the tray offers in this state of the game."""
    if sight.status == "empty" and sight.kept and sight.thrown_from is None:
        taken = offer(state, replace(sight, status="ready", seen=sight.kept, stirred=False))
        if taken.fresh and taken.ready:
            return taken  # read, but not confirmed before the dice were taken away
    if sight.thrown_from is not None and sight.status not in {"moving", "covered"}:
        return Offer("moving", older=sight.began is not state.since)
    if not sight.seen:
        return Offer(sight.status, sight.reasons, older=sight.began is not state.since)
    return _lying(state, sight)


def lying(state: State, sight: Sight, slot: int) -> Seen | None:
    """Where the camera saw the die of that slot, as screens are shown it; None for one it did not see."""
    now = offer(state, sight)
    shown = now.listed if stage(state, now) == "unconfirmed" or not state.dice else state.dice
    return next((die.read for die in shown if die.slot == slot), None)


def _lying(state: State, sight: Sight) -> Offer:
    """What is offered by dice that lie still."""
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
    if state.simultaneous:
        return _common(state, sight, found, follow(state.colours, dice))
    match = _with_those_beside(beside, dice, played) if beside else assign(state.held_dice, dice, played)
    matched = _with_camera_faces(match.dice, sight.seen)
    thrown_dice = [die for die in matched if die.seen and die.slot not in state.held]
    corrected = tuple(die.slot for die in thrown_dice if die.seen and die.face != die.seen.face)
    kept = tuple(die.slot for die in matched if die.seen and die.seen.kept)
    left = kept if state.phase is Phase.THROWING else ()
    return replace(found, dice=matched, missing=match.missing, corrected=corrected, untouched=left)


def _common(state: State, sight: Sight, found: Offer, followed: Followed) -> Offer:
    """The offer of a throw for everybody: each die in its slot, told by colour."""
    dice = _with_camera_faces(followed.dice, sight.seen)
    throwing = state.phase is Phase.THROWING
    return replace(
        found,
        dice=dice,
        corrected=tuple(die.slot for die in dice if die.seen and die.face != die.seen.face),
        vague=followed.vague if throwing else (),
        untouched=untouched(_lay(state), dice) if throwing and found.fresh else (),
        early=state.phase is Phase.HOLDING and _most_moved(state, sight),
    )


def _lay(state: State) -> tuple[Seen, ...]:
    """The dice as they were accepted, and as they lay when all were ready: some may be thrown by then."""
    accepted = tuple(die.seen for die in state.lying if die.seen)
    return (*accepted, *state.since.left) if isinstance(state.since, PlayerReady) else accepted


def _most_moved(state: State, sight: Sight) -> bool:
    """Whether most dice were moved since the event that began this throw."""
    moved = [die for die in sight.seen if sight.owners.get(die) is state.since]
    return 2 * len(moved) > len(sight.seen)


def _fresh(state: State, sight: Sight, faces: tuple[int, ...]) -> bool:
    """Whether these dice were thrown since the last accepted roll, or may have been.

    At the beginning of a turn one or two may be nudged; after a confirmed roll any one may be thrown again.
    """
    if not state.running or (state.simultaneous and state.phase is not Phase.THROWING):
        return False
    again = state.phase is Phase.HOLDING
    typed = any(die.seen is None for die in state.lying)
    free = _not_held(state, sight)
    # Where typed dice lay may be unknown; then any movement is a throw, and other faces where none was seen.
    others = faces != tuple(sorted(die.face for die in state.lying))
    own = typed and isinstance(state.since, RollAccepted) and (sight.stirred or (sight.returned and others))
    moved = [die for die in free if own or sight.owners.get(die) is state.since]
    moved += _turned(state, sight, free) if again else []
    enough = bool(moved) if again else 2 * len(moved) > len(sight.seen)
    if not enough or _unthrown(state, sight):
        return False
    return sight.stirred or others or not typed


def _unthrown(state: State, sight: Sight) -> bool:
    """Whether the dice to be thrown lie as they were accepted, and none lies elsewhere in their stead.

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
    found = pairs(lay, free) if isinstance(state.since, RollAccepted) else {}
    turned = [free[j] for i, j in found.items() if lay[i].face not in (0, free[j].face)]
    of = [sight.owners.get(die) for die in turned]
    stand = all(one in (None, NOBODY) or any(one is event for event in state.past) for one in of)
    return turned if stand and len(found) == len(lay) else []


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
    """Dice numbered from left to right, since not all slots can be told."""
    dice = tuple(Die(number, one.face, one) for number, one in enumerate(left_to_right(effective), start=1))
    return _with_camera_faces(dice, seen)


def _with_camera_faces(dice: Iterable[Die], seen: Sequence[Seen]) -> tuple[Die, ...]:
    """The same dice, each with what the camera itself saw: nothing of a die it missed."""
    own = {(die.x, die.y): die for die in seen}
    return tuple(replace(die, seen=own.get((die.seen.x, die.seen.y))) if die.seen else die for die in dice)


def settled(sight: Sight) -> Sight:
    """The sight once a roll was accepted: from now on movement means another throw.

    What lies there is all of it; older places, kept for dice that might have been hidden, are forgotten.
    """
    rested = sight.rested[: len(sight.seen)] or sight.rested
    return replace(sight, stirred=False, returned=False, said=True, rested=rested)


def as_left(sight: Sight) -> tuple[tuple[Seen, ...], bool]:
    """The dice as they lie, and whether some are rolling or out of sight, for the log."""
    moving = sight.status in {"moving", "covered"} or sight.thrown_from is not None or sight.blind
    return tuple(replace(die, face=0) for die in sight.rested), moving


def stage(state: State, now: Offer) -> TurnStage:
    """How far the turn is, the throw under way included; all that follows a turn follows this."""
    if not state.running:
        return "none"
    if state.phase is Phase.CHOOSING:
        return "choosing"
    all_held = len(state.held) >= state.dice_count
    may_throw = not all_held and not (state.simultaneous and state.phase is Phase.HOLDING)
    if may_throw and now.status in {"moving", "covered"} and not now.older:
        return "rolling"
    if may_throw and now.fresh and now.faces:
        return "unconfirmed"
    if state.phase in {Phase.STARTING, Phase.THROWING}:
        return "nothing_thrown"
    return "held" if state.own.held else "confirmed"


def waits(state: State, now: Offer) -> bool:
    """Whether what is said of a die means one of a throw that waits to be confirmed."""
    return now.fresh and bool(now.listed) and state.phase in {Phase.STARTING, Phase.THROWING, Phase.HOLDING}


def newer_throw(state: State, now: Offer) -> bool:
    """Whether dice were thrown after the confirmed roll, or may have been."""
    return state.phase is Phase.HOLDING and stage(state, now) in {"rolling", "unconfirmed"}


def shown_phase(state: State, now: Offer) -> Phase:
    """The phase as people see it: from the moment dice move, a throw may be confirmed again."""
    return Phase.THROWING if newer_throw(state, now) else state.phase
