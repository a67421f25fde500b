"""What may happen: a command in a state becomes events, or is refused with a code and a sentence.

`verify` style throughout: each function raises the RefusalError that says why not, or returns what
happened. Nothing is changed here; the table writes the events down and then follows them.
"""

from collections.abc import Callable, Sequence
from typing import assert_never

from messages.errors import RefusalError
from messages.message import Message
from station.contract import commands
from station.contract.commands import GameCommand
from station.game import announcing, common_round
from station.game.dice.keeper import slots_in
from station.game.dice.sights import Sight, as_left
from station.game.dice.tray import newer_throw, offer, stage
from station.game.log.player import Player
from station.game.log.slots import Die, left_to_right, slots_of, unclaimed, unread
from station.game.log.state import Phase, State
from station.game.players import people, seats, starting
from station.game.players.starting import first_of
from station.game.sentences import held_changed, in_keeper, not_ready
from station.game.steps import (
    BoxCorrected,
    BoxScored,
    ChoosingBegun,
    DieCorrected,
    Event,
    GameEnded,
    HeldSet,
    RollAccepted,
    RollKept,
    Undone,
)
from station.game.steps.correct_box import corrected, throw_of
from station.rules import RuleSet, Sheet, explain, fill, potentials
from station.rules.dice import Dice, dashed
from station.rules.filling import groups


def decide(  # noqa: C901, PLR0911, PLR0912 - one line for each command
    state: State,
    command: GameCommand,
    sight: Sight | None = None,
    *,
    game: int = 1,
    house: str = "",
    draw: Callable[[int], int] = first_of,
) -> tuple[Event, ...]:
    """The events that a command brings about; none when it changes nothing.

    sight: what the camera shows now. game: the number a new game would get. house: the text of the house
    rules that `start_game` names, if they are such. draw: a number from 0 to below the one given, by chance.
    Raises RefusalError with a stable code, BadInputError for rules there are not.
    """
    sight = sight or Sight()
    match command:
        case commands.StartGame():
            return people.start(state, command, sight, game, house, draw)
        case commands.Rematch():
            return people.rematch(state, command, sight, game, draw)
        case commands.AddPlayer():
            return people.add_player(state, command)
        case commands.RenamePlayer():
            return people.rename_player(state, command)
        case commands.RemovePlayer():
            return people.remove_player(state, command, sight)
        case commands.MovePlayer():
            return people.move_player(state, command)
        case commands.AcceptRoll():
            return _accept(state, sight, force=command.force)
        case commands.EnterRoll():
            return _enter(state, command, sight)
        case commands.CorrectDie():
            return _correct(state, command)
        case commands.SetHeld() | commands.ScoreBox() | commands.Ready() | commands.Unready() if (
            state.simultaneous
        ):
            return common_round.decide(state, must_run(state), command, sight)
        case commands.Ready() | commands.Unready():
            must_run(state)
            raise RefusalError("ready/turns")
        case commands.SetHeld():
            return _hold(state, command)
        case commands.AnnounceBox():
            return _announce(state, command, sight)
        case commands.Choose():
            return _choose(state, sight)
        case commands.ScoreBox():
            return _score(state, command, sight)
        case commands.KeepRoll():
            return _keep(state, sight)
        case commands.CorrectBox():
            return _correct_box(state, command)
        case commands.Undo():
            return _undo(state)
        case commands.EndGame():
            return _end(state, sight)
        case _:
            assert_never(command)


def may(state: State, command: GameCommand, sight: Sight | None = None) -> bool:
    """Whether the command would be carried out now."""
    try:
        decide(state, command, sight)
    except RefusalError:
        return False
    return True


def must_run(state: State) -> RuleSet:
    """The rules of the game that is played. Raises RefusalError `game/none`, `game/finished`."""
    if state.phase is Phase.FINISHED:
        raise RefusalError("game/finished")
    if not state.running or state.rules is None:
        raise RefusalError("game/none")
    return state.rules


# -- rolls -------------------------------------------------------------------------------------------


def may_roll(state: State) -> RuleSet:
    """The rules, when the active player may throw now; else the RefusalError that says why not."""
    rules = must_run(state)
    if state.simultaneous:
        common_round.may_roll(state)
        return rules
    name = state.player.name
    if state.boxes_this_turn:
        raise RefusalError("box/second", name=name)
    if state.throws_done >= state.throws_allowed:
        raise RefusalError("roll/none_left", name=name)
    if state.phase is Phase.CHOOSING:
        raise RefusalError("roll/choosing", name=name)
    if len(state.held) >= state.dice_count:
        raise RefusalError("roll/all_held", name=name)
    announcing.before_second_throw(state)
    return rules


def _accept(state: State, sight: Sight, *, force: bool) -> tuple[Event, ...]:
    may_roll(state)
    now = offer(state, sight)
    if not now.ready:
        code = f"roll/{now.status if now.status != 'ready' else 'unsure'}"
        raise RefusalError(not_ready(now, blind=sight.blind), code=code)
    if not now.fresh and not force:
        raise RefusalError("roll/not_thrown")
    if now.missing and not force:
        raise RefusalError(held_changed(state, now))
    if now.untouched and not force and not state.simultaneous:
        raise RefusalError(in_keeper(state, now))
    if state.phase is Phase.STARTING:
        return starting.thrown(now.dice[0].face, sight)
    if state.simultaneous and not force and (wrong := common_round.wrong_on_tray(state, now)):
        raise RefusalError(wrong)
    rolled = RollAccepted(now.dice)
    held = tuple(sorted({*state.held, *slots_in(now)}))
    holds = state.rolls_left > 1 and held != state.held and not state.simultaneous
    return (rolled, HeldSet(held)) if holds else (rolled,)


def _enter(state: State, command: commands.EnterRoll, sight: Sight) -> tuple[Event, ...]:
    rules = may_roll(state)
    if state.phase is Phase.STARTING:
        return starting.typed(state, command, sight)
    if len(command.faces) != rules.dice:
        raise RefusalError("roll/count", title=rules.title, wanted=rules.dice, count=len(command.faces))
    for die in state.held_dice:
        if command.faces[die.slot - 1] != die.face:
            raise RefusalError(
                "roll/held_face",
                code="roll/held_changed",
                slot=die.slot,
                face=die.face,
                other=command.faces[die.slot - 1],
            )
    return (RollAccepted(_typed(state, command.faces, sight), typed=True),)


def _typed(state: State, faces: Sequence[int], sight: Sight) -> tuple[Die, ...]:
    """The typed dice, each with the place of one on the tray, so that they are no new roll later on.

    Which typed face is which die on the tray is not known, so the places carry face 0.
    """
    if state.simultaneous:
        return common_round.typed(state, faces, sight.seen)
    held = {die.slot: die.seen for die in state.held_dice}
    lying = list(left_to_right(unclaimed(state.held_dice, sight.seen)))
    dice = []
    for slot, face in enumerate(faces, start=1):
        free = slot not in held and lying
        dice.append(Die(slot, face, unread(lying.pop(0)) if free else held.get(slot)))
    return tuple(dice)


def _correct(state: State, command: commands.CorrectDie) -> tuple[Event, ...]:
    must_run(state)
    die = next((die for die in state.dice if die.slot == command.slot), None)
    if not state.dice:
        raise RefusalError("roll/none_to_correct", code="roll/none")
    if die is None:
        raise RefusalError("die/unknown", slot=command.slot)
    return () if die.face == command.face else (DieCorrected(command.slot, command.face),)


def _hold(state: State, command: commands.SetHeld) -> tuple[Event, ...]:
    rules = must_run(state)
    _own_turn(state, command.player)
    if not state.dice:
        raise RefusalError("held/no_roll")
    if state.phase is Phase.CHOOSING:
        if state.rolls_left and not state.boxes_this_turn:
            raise RefusalError("roll/choosing", code="held/choosing", name=state.player.name)
        raise RefusalError("held/choosing")
    slots = common_round.slots_asked(rules, command.slots)
    return () if slots == state.held else (HeldSet(slots),)


def _own_turn(state: State, player: int | None) -> None:
    """Raise RefusalError unless it is this player's turn; None is whose turn it is."""
    if player not in (None, state.active):
        raise RefusalError("player/not_turn", name=state.player.name)


# -- boxes -------------------------------------------------------------------------------------------


def _choose(state: State, sight: Sight) -> tuple[Event, ...]:
    must_run(state)
    _roll_counts(state, sight)
    if state.simultaneous and state.phase is not Phase.CHOOSING:
        raise RefusalError("box/after_last_throw")
    _no_newer_throw(state, sight)
    return () if state.phase is Phase.CHOOSING else (ChoosingBegun(),)


def _roll_counts(state: State, sight: Sight) -> None:
    """Raise RefusalError `box/no_roll` before a roll is confirmed, though dice may have been thrown."""
    if not state.dice:
        thrown = state.phase is Phase.THROWING and stage(state, offer(state, sight)) != "nothing_thrown"
        raise RefusalError("box/confirm_first" if thrown else "box/no_roll", code="box/no_roll")


def _no_newer_throw(state: State, sight: Sight) -> None:
    """Raise RefusalError `roll/unconfirmed` while dice thrown after the confirmed roll roll or lie there."""
    if newer_throw(state, offer(state, sight)):
        confirmed = dashed(die.face for die in state.dice)
        raise RefusalError("roll/unconfirmed", name=state.player.name, confirmed=confirmed)


def _announce(state: State, command: commands.AnnounceBox, sight: Sight) -> tuple[Event, ...]:
    rules = must_run(state)
    if not command.force:
        _no_newer_throw(state, sight)
    return announcing.announced(state, rules, command.category)


def _keep(state: State, sight: Sight) -> tuple[Event, ...]:
    must_run(state)
    if not newer_throw(state, offer(state, sight)):
        raise RefusalError("roll/nothing_newer")
    left, rolling = as_left(sight)
    return (RollKept(left, rolling),)


def _score(state: State, command: commands.ScoreBox, sight: Sight) -> tuple[Event, ...]:
    rules = must_run(state)
    _own_turn(state, command.player)
    _roll_counts(state, sight)
    if not command.force:
        _no_newer_throw(state, sight)
    slots = _slots(state, rules, command)
    used = [die.face for die in state.dice if not slots or die.slot in slots]
    # Filling it for trial raises the refusal that says why a box cannot be filled.
    fill(rules, state.player.sheet, command.category, used)
    if refused := announcing.refusal(state, rules, command.category):
        raise refused
    left, rolling = as_left(sight)
    return (BoxScored(command.category, slots, left, rolling),)


def _slots(state: State, rules: RuleSet, command: commands.ScoreBox) -> tuple[int, ...]:
    """The dice that go into the box; empty when it takes all."""
    if len(state.dice) <= rules.group:
        return ()
    if not command.slots:
        return best_five(state, rules, command.category)
    slots = tuple(sorted(set(command.slots)))
    known = {die.slot for die in state.dice}
    if len(slots) != rules.group or not known.issuperset(slots):
        raise RefusalError("box/pick_five", code="box/five_dice")
    return slots


def best_five(state: State, rules: RuleSet, category: str) -> tuple[int, ...]:
    """Slots of the five dice that bring this box most; of equal ones those that leave the best rest.

    Raises RefusalError where the box is not open.
    """
    sheet, throw = state.player.sheet, state.throws_done

    def worth(group: Dice) -> tuple[int, int]:
        filled = fill(rules, sheet, category, group)
        rest = list(state.faces)
        for face in group:
            rest.remove(face)
        after = potentials(rules, filled, rest, throw)
        return filled.entries[-1].points, max(after.values(), default=0)

    best = max(groups(state.faces, rules.group), key=worth)
    return slots_of(best, state.dice)


def _correct_box(state: State, command: commands.CorrectBox) -> tuple[Event, ...]:
    rules = state.rules
    if rules is None or not state.players:
        raise RefusalError("game/none")
    seats.check(state, command.player, gone=True)
    if len(command.faces) != rules.group:
        raise RefusalError("box/five_dice", count=rules.group)
    player = state.players[command.player]
    throw = throw_of(player, command.category, rules.throws)
    event = BoxCorrected(
        command.player, command.category, tuple(sorted(command.faces)), throw, command.to or ""
    )
    # Correcting it for trial raises the refusal that says why it cannot be.
    after = corrected(rules, player, event)
    if after.fillings == player.fillings:
        return ()
    if command.force:
        return (event,)
    if event.to and event.to != event.category and throw > 1 and rules.box(event.to).announced:
        raise RefusalError("announce/not_announced", box=rules.box(event.to).label)
    if changes := _changes(rules, player, after, event.to or event.category):
        raise RefusalError("box/changes_others", changes=changes)
    return (event,)


def _changes(rules: RuleSet, before: Player, after: Player, besides: str) -> tuple[Message, ...]:
    """What a correction changes in other boxes: box, player, from, to, why."""
    found = []
    for number, (old, new) in enumerate(zip(before.sheet.entries, after.sheet.entries, strict=True)):
        was, now = old.points + old.extra, new.points + new.extra
        if new.category == besides or was == now:
            continue
        filling = after.fillings[number]
        sheet = Sheet(after.sheet.entries[:number])
        why = explain(rules, filling.category, filling.faces, filling.throw, sheet).sentence
        label = rules.box(new.category).label
        found.append(
            Message(
                "box/change", box=label, category=new.category, player=before.name, was=was, now=now, why=why
            )
        )
    return tuple(found)


def _undo(state: State) -> tuple[Event, ...]:
    if not state.past:
        raise RefusalError("undo/nothing")
    return (Undone(),)


def _end(state: State, sight: Sight) -> tuple[Event, ...]:
    must_run(state)
    return (GameEnded(*as_left(sight)),)
