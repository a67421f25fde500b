"""The way of playing all at once: throws, holds, picks, views and waiting."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from messages.errors import RefusalError
from messages.message import Message
from station.contract.command import Command
from station.contract.view import DieView
from station.features.all_at_once import copies
from station.features.all_at_once.box_chosen import BoxChosen
from station.features.all_at_once.choose_player import ChoosePlayer
from station.features.all_at_once.copies import COLOURS, COPY, check_copy, check_not_ready
from station.features.all_at_once.copy_held import CopyHeld
from station.features.all_at_once.ready import PlayerReady, Ready
from station.features.all_at_once.rounds import copied, round_on, without_copies
from station.features.all_at_once.same_dice import follow, shared_colours, untouched
from station.features.all_at_once.unready import Unready
from station.game.dice.sights import Sight
from station.game.dice.to_throw import to_throw
from station.game.dice.tray import Offer, with_camera_faces
from station.game.log.event import Event, Leaves
from station.game.log.player import Player
from station.game.log.slots import Die, Seen, unread
from station.game.log.state import Phase, State
from station.game.sentences import on_the_tray
from station.game.situation import checked_slots
from station.game.steps.accept_roll import AcceptRoll
from station.game.steps.score_box import ScoreBox
from station.game.way import Way
from station.rules import RuleSet, fill

FEW = 3
"""Number of names listed one by one in the sentence for what the station waits for."""


@dataclass(frozen=True, slots=True)
class AllAtOnce(Way):
    """The dice of the state are the common throw; of it nothing is held.

    The active player is the one at the table, for whom its buttons act.
    """

    in_turns: ClassVar[bool] = False
    scores_in: ClassVar[tuple[Phase, ...]] = (Phase.CHOOSING,)

    def may_roll(self, state: State) -> None:
        """Once all are ready."""
        if state.phase is Phase.CHOOSING:
            raise RefusalError("roll/all_choose", code="roll/none_left", names=names_waited_for(state))
        if state.phase is Phase.HOLDING:
            raise RefusalError("roll/not_all_ready", names=names_waited_for(state))

    def hold(self, state: State, seat: int | None, slots: tuple[int, ...]) -> tuple[Event, ...]:
        """On the copy."""
        seat, copy = check_copy(state, seat, "held/no_roll")
        if state.phase is Phase.CHOOSING:
            raise RefusalError("held/choosing")
        slots = checked_slots(state.played, slots)
        if slots == copy.held:
            return ()
        check_not_ready(state, seat)
        return (CopyHeld(seat, slots),)

    def score(self, state: State, seat: int | None, category: str) -> tuple[Event, ...]:
        """It is picked, and written when all are ready."""
        seat, copy = check_copy(state, seat, "box/after_last_throw")
        if state.phase is not Phase.CHOOSING:
            raise RefusalError("box/after_last_throw")
        fill(state.played, state.players[seat].sheet, category, [die.face for die in copy.dice])
        if category == copy.chosen:
            return ()
        check_not_ready(state, seat)
        return (BoxChosen(seat, category),)

    def confirm(self, state: State, mark: str | None, *, long: bool) -> Command:
        """The throw first, then that the player at the table is ready, or not; long: the next player."""
        if long:
            there = copies.in_round(state.players) or (state.active,)
            return ChoosePlayer(player=next((seat for seat in there if seat > state.active), there[0]))
        if state.phase is Phase.THROWING:
            return AcceptRoll()
        copy = COPY.of(state.player)
        if copy.ready:
            return Unready()
        to_pick = state.phase is Phase.CHOOSING and mark is not None and mark != copy.chosen
        return ScoreBox(category=mark) if to_pick and mark is not None else Ready()

    def rolled(self, state: State) -> State:
        """It is copied for everybody."""
        return copied(state, state.played)

    def die_corrected(self, state: State, slot: int, face: int) -> State:
        """Correct the die on the copies that took it, too."""
        return replace(state, players=copies.die_corrected(state.played, state.players, slot, face))

    def box_corrected(self, rules: RuleSet, player: Player) -> Player:
        """A picked box may have to be another one."""
        return copies.without_lost_choice(rules, player)

    def left_by(self, state: State, seat: int, event: Leaves) -> State:
        """The round goes on where nobody else was waited for."""
        if seat == state.active:
            state = replace(state, active=copies.at_table(state.played, state.players, seat))
        return round_on(state, left_by=event)

    def over(self, state: State) -> State:
        """No round is being played."""
        return without_copies(state)

    def throws_now(self, state: State) -> bool:
        """Once all were ready."""
        return state.phase is Phase.THROWING

    def offered(self, state: State, sight: Sight, found: Offer, dice: Sequence[Seen]) -> Offer:
        """A throw for everybody: each die in its slot, by colour."""
        followed = follow(COLOURS.of(state), dice)
        there = with_camera_faces(followed.dice, sight.seen)
        throwing = state.phase is Phase.THROWING
        corrected = tuple(die.slot for die in there if die.seen and die.face != die.seen.face)
        lay = untouched(_lay(state), there) if throwing and found.fresh else ()
        found = replace(found, dice=there, corrected=corrected, untouched=lay)
        vague = followed.vague if throwing and found.fresh else ()
        return replace(found, wrong=_wrong(state, sight, found, vague))

    def typed(self, state: State, faces: Sequence[int], lying: Sequence[Seen]) -> tuple[Die, ...]:
        """Each with the place of the same die on the tray, where it is seen.

        The camera's faces do not count, so the places carry face 0.
        """
        places: dict[int, Seen] = {}
        if len(lying) == len(faces):
            places = {die.slot: die.seen for die in follow(COLOURS.of(state), lying).dice if die.seen}
        return tuple(Die(slot, face, unread(places.get(slot))) for slot, face in enumerate(faces, start=1))

    def own(self, state: State, seat: int | None = None) -> State:
        """The state with the dice of the copy, and that player active."""
        seat = state.active if seat is None else seat
        copy = COPY.of(state.players[seat])
        return replace(state, active=seat, dice=copy.dice, held=copy.held)

    def picked(self, state: State) -> str | None:
        """The box on the copy."""
        return COPY.of(state.player).chosen

    def dice_views(self, state: State) -> tuple[DieView, ...]:
        """In the colours that tell them apart."""
        colours = dict(enumerate(COLOURS.of(state), start=1))
        plain = Way.dice_views(self, state)
        return tuple(replace(die, colour=colours.get(die.slot) or die.colour) for die in plain)

    def awaits_player(self, state: State) -> bool | None:
        """Whether the player at the table is not ready."""
        if state.phase not in {Phase.HOLDING, Phase.CHOOSING}:
            return None
        return state.active in copies.waited_for(state.players)

    def roll_words(self, state: State, faces: str) -> Message:
        """Nobody's alone."""
        del state
        return Message("undo/common_roll", faces=faces)


def names_waited_for(state: State) -> tuple[str, ...]:
    """The names of players who are not ready yet."""
    return tuple(state.players[seat].name for seat in copies.waited_for(state.players))


def waited_for(state: State, now: Offer) -> Message:
    """A throw, or those who are not ready."""
    if state.phase is Phase.THROWING:
        message = on_the_tray(now) or to_throw(state)
        return Message(f"together/{message.key.removeprefix('waiting/')}", **message.values)
    names = names_waited_for(state)
    what = "pick" if state.phase is Phase.CHOOSING else "keep"
    if len(names) > FEW:
        return Message(f"together/{what}_many", count=len(names))
    return Message(f"together/{what}", names=names)


def colour_note(state: State, now: Offer) -> Message | None:
    """A note on how dice of the same colour are tracked; in the first round only."""
    if not state.running or any(player.sheet.entries for player in state.players) or state.rules is None:
        return None
    colours = COLOURS.of(state) or tuple(die.seen.colour for die in now.listed if die.seen)
    if len(colours) < state.rules.dice or not (shared := shared_colours(colours)):
        return None
    if len(set(colours)) == 1:
        return Message("together/one_colour")
    labels = tuple(Message(f"page/colour/{each}") for each in shared)
    return Message("together/colour_twice", count=len(shared), colours=labels)


def _wrong(state: State, sight: Sight, now: Offer, vague: tuple[int, ...]) -> Message | None:
    """The problem with the dice in the tray, if any. vague: slots that their colours do not identify."""
    if state.phase is Phase.HOLDING and _most_moved(state, sight):
        return Message("roll/early", names=names_waited_for(state))
    if vague:
        return Message("roll/other_colours", slots=vague)
    if now.untouched:
        faces = tuple(die.face for die in now.dice if die.slot in now.untouched)
        return Message("roll/all_are_thrown", count=len(faces), faces=faces)
    return None


def _lay(state: State) -> tuple[Seen, ...]:
    """The dice as they were accepted, and as they lay when all were ready: some may be thrown by then."""
    accepted = tuple(die.seen for die in state.lying if die.seen)
    since = state.since
    return (*accepted, *since.left) if isinstance(since, PlayerReady) else accepted


def _most_moved(state: State, sight: Sight) -> bool:
    """Whether most dice were moved since the event that began this throw."""
    moved = [die for die in sight.seen if sight.owners.get(die) is state.since]
    return 2 * len(moved) > len(sight.seen)
