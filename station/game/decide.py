"""What may happen: a command in a state becomes events, or is refused with a code and a sentence.

`verify` style throughout: each function raises the RefusalError that says why not, or returns what
happened. Nothing is changed here; the table writes the events down and then follows them.
"""

from collections.abc import Callable, Sequence
from typing import Any

from messages.errors import RefusalError
from station.contract.commands import (
    AcceptRoll,
    AddPlayer,
    Choose,
    Command,
    CorrectBox,
    CorrectDie,
    EndGame,
    EnterRoll,
    Rematch,
    ScoreBox,
    SetHeld,
    StartGame,
    Undo,
)
from station.game import people
from station.game import tray as sights
from station.game.events import (
    BoxCorrected,
    BoxScored,
    ChoosingBegun,
    DieCorrected,
    Event,
    GameEnded,
    HeldSet,
    RollAccepted,
    Undone,
)
from station.game.sentences import listed, points, throw_name
from station.game.slots import Die, Seen, faces_text, left_to_right
from station.game.state import Phase, State, corrected, throw_of
from station.game.tray import Offer, Sight
from station.rules import RuleSet, fill, potentials
from station.rules.dice import Dice
from station.rules.filling import groups

GROUP = 5
"""Every box is scored with five dice, also where ten are thrown."""


def decide(state: State, command: Command, sight: Sight | None = None, *, game: int = 1) -> tuple[Event, ...]:
    """The events that a command brings about; none when it changes nothing.

    sight: what the camera shows now. game: the number a new game would get.
    Raises RefusalError with a stable code, BadInputError for rules there are not.
    """
    for kind, verdict in VERDICTS:
        if isinstance(command, kind):
            return verdict(state, command, sight or Sight(), game)
    raise RefusalError("That is nothing the game knows.", code="command/not_of_the_game")


def may(state: State, command: Command, sight: Sight | None = None) -> bool:
    """Whether the command would be carried out now."""
    try:
        decide(state, command, sight)
    except RefusalError:
        return False
    return True


def _must_run(state: State) -> RuleSet:
    if state.phase is Phase.FINISHED:
        raise RefusalError("The game is over; play again, or undo the last step.", code="game/finished")
    if not state.running or state.rules is None:
        raise RefusalError("No game is being played; start one first.", code="game/none")
    return state.rules


# -- rolls -------------------------------------------------------------------------------------------


def may_roll(state: State) -> RuleSet:
    """The rules, when the active player may throw now; else the RefusalError that says why not."""
    rules = _must_run(state)
    name = state.player.name
    if state.boxes_this_turn:
        raise RefusalError(f"{name} must choose a box for the other dice first.", code="box/second")
    if state.throws_done >= rules.throws:
        raise RefusalError("roll/none_left", name=name)
    if len(state.held) >= rules.dice:
        raise RefusalError(
            f"{name} is holding all the dice; release one or choose a box.", code="roll/all_held"
        )
    if state.phase is Phase.CHOOSING:
        raise RefusalError(f"{name} is choosing a box; undo that to throw again.", code="roll/choosing")
    return rules


def _accept(state: State, now: Offer, *, force: bool) -> tuple[Event, ...]:
    may_roll(state)
    if not now.ready:
        raise RefusalError(not_ready(now), code=f"roll/{now.status if now.status != 'ready' else 'unsure'}")
    if not now.fresh and not force:
        raise RefusalError(
            "Throw first: the dice have not moved since the last roll.",
            code="roll/not_thrown",
        )
    if now.missing and not force:
        raise RefusalError(held_changed(state, now), code="roll/held_changed")
    return (RollAccepted(now.dice),)


def not_ready(now: Offer) -> str:
    """Why what the camera shows cannot be confirmed."""
    match now.status:
        case "moving":
            return "The dice are still moving."
        case "covered":
            return "Something covers the tray; take your hand away."
        case "unsure":
            why = listed(REASONS.get(reason, reason) for reason in now.reasons)
            return f"The camera is not sure{': ' + why if why else ''}. Set it right, or type the roll."
        case _:
            return "The camera sees no dice; throw them into the tray, or type the roll."


REASONS = {
    "too_few": "a die is missing",
    "too_many": "there are too many dice",
    "cocked": "a die is leaning",
    "stacked": "a die lies on another",
    "glare": "the light glares",
    "blurred": "the picture is blurred",
    "dark": "it is too dark",
    "overexposed": "it is too bright",
    "cut_off": "a die is cut off by the edge",
    "low_confidence": "a face is hard to read",
    "camera_moved": "the camera has moved",
}
"""Reasons of a reading (design.md, section 4) in words."""


def held_changed(state: State, now: Offer) -> str:
    """What is wrong with the dice that should have stayed."""
    held = [die.face for die in state.dice if die.slot in state.held]
    return (
        f"{state.player.name} holds {listed(held)}, but the camera does not find {listed(now.missing)} "
        "among the dice. Put back what was moved, or correct the dice."
    )


def _enter(state: State, command: EnterRoll, sight: Sight) -> tuple[Event, ...]:
    rules = may_roll(state)
    if len(command.faces) != rules.dice:
        raise RefusalError(
            f"{rules.title} is played with {rules.dice} dice, not {len(command.faces)}.", code="roll/count"
        )
    for die in state.dice:
        if die.slot in state.held and command.faces[die.slot - 1] != die.face:
            raise RefusalError(
                f"Die {die.slot} is held and shows {die.face}; it cannot become "
                f"{command.faces[die.slot - 1]} by a throw. Correct it or release it first.",
                code="roll/held_changed",
            )
    return (RollAccepted(_typed(state, command.faces, sight), typed=True),)


def _typed(state: State, faces: Sequence[int], sight: Sight) -> tuple[Die, ...]:
    """The typed dice, each with the place of one on the tray, so that they are no new roll later on.

    Which typed face is which die on the tray is not known, so the places carry face 0.
    """
    held = {die.slot: die.seen for die in state.dice if die.slot in state.held}
    lying = list(left_to_right(sight.seen)) if sight.status in sights.RESTING else []
    dice = []
    for slot, face in enumerate(faces, start=1):
        seen = held.get(slot)
        if slot not in held and lying:
            first = lying.pop(0)
            seen = Seen(0, first.x, first.y, first.size, first.colour, first.track)
        dice.append(Die(slot, face, seen))
    return tuple(dice)


def _correct(state: State, command: CorrectDie) -> tuple[Event, ...]:
    _must_run(state)
    die = next((die for die in state.dice if die.slot == command.slot), None)
    if not state.dice:
        raise RefusalError("There is no roll to correct yet.", code="roll/none")
    if die is None:
        raise RefusalError(f"There is no die {command.slot} to correct.", code="die/unknown")
    return () if die.face == command.face else (DieCorrected(command.slot, command.face),)


def _hold(state: State, command: SetHeld) -> tuple[Event, ...]:
    rules = _must_run(state)
    if state.phase is Phase.THROWING:
        raise RefusalError("Dice can be held once a roll is confirmed.", code="held/no_roll")
    if state.phase is Phase.CHOOSING:
        raise RefusalError("No throw comes any more: choose a box.", code="held/choosing")
    slots = tuple(sorted(set(command.slots)))
    if any(not 1 <= slot <= rules.dice for slot in slots):
        raise RefusalError(f"The dice are numbered 1 to {rules.dice}.", code="die/unknown")
    return () if slots == state.held else (HeldSet(slots),)


# -- boxes -------------------------------------------------------------------------------------------


def _choose(state: State) -> tuple[Event, ...]:
    _must_run(state)
    if state.phase is Phase.THROWING:
        raise RefusalError("Throw first, then choose a box.", code="box/no_roll")
    return () if state.phase is Phase.CHOOSING else (ChoosingBegun(),)


def _score(state: State, command: ScoreBox) -> tuple[Event, ...]:
    rules = _must_run(state)
    if state.phase is Phase.THROWING or not state.dice:
        raise RefusalError("Throw first, then choose a box.", code="box/no_roll")
    slots = _slots(state, rules, command)
    used = [die.face for die in state.dice if not slots or die.slot in slots]
    # Filling it for trial raises the refusal that says why a box cannot be filled.
    fill(rules, state.player.sheet, command.category, used, max(state.throws_done, 1))
    return (BoxScored(command.category, slots),)


def _slots(state: State, rules: RuleSet, command: ScoreBox) -> tuple[int, ...]:
    """The dice that go into the box; empty when it takes all."""
    if len(state.dice) <= GROUP:
        return ()
    if not command.slots:
        return best_five(state, rules, command.category)
    slots = tuple(sorted(set(command.slots)))
    known = {die.slot for die in state.dice}
    if len(slots) != GROUP or not known.issuperset(slots):
        raise RefusalError("Choose five of the dice for this box.", code="box/five_dice")
    return slots


def best_five(state: State, rules: RuleSet, category: str) -> tuple[int, ...]:
    """Slots of the five dice that bring this box most; of equal ones those that leave the best rest."""
    fill(rules, state.player.sheet, category, [1] * GROUP)  # refuses boxes that are not open
    sheet, throw = state.player.sheet, state.throws_done

    def worth(group: Dice) -> tuple[int, int]:
        filled = fill(rules, sheet, category, group, throw)
        rest = list(state.faces)
        for face in group:
            rest.remove(face)
        after = potentials(rules, filled, rest, throw)
        return filled.points(category) or 0, max(after.values(), default=0)

    chosen = max(groups(tuple(sorted(state.faces))), key=worth)
    best = list(chosen)
    slots = []
    for die in state.dice:
        if die.face in best:
            best.remove(die.face)
            slots.append(die.slot)
    return tuple(slots)


def _correct_box(state: State, command: CorrectBox) -> tuple[Event, ...]:
    rules = state.rules
    if rules is None or not state.players:
        raise RefusalError("No game is being played; start one first.", code="game/none")
    if not 0 <= command.player < len(state.players):
        raise RefusalError(f"The seats are numbered 0 to {len(state.players) - 1}.", code="player/unknown")
    if len(command.faces) != GROUP:
        raise RefusalError("A box is filled with five dice.", code="box/five_dice")
    throw = throw_of(state, command.player, command.category)
    event = BoxCorrected(
        command.player, command.category, tuple(sorted(command.faces)), throw, command.to or ""
    )
    sheet = state.players[command.player].sheet
    # Correcting it for trial raises the refusal that says why it cannot be.
    return () if corrected(rules, sheet, event) == sheet else (event,)


def _undo(state: State) -> tuple[Event, ...]:
    if not state.past:
        raise RefusalError("There is nothing to undo.", code="undo/nothing")
    return (Undone(),)


Verdict = Callable[[State, Any, Sight, int], tuple[Event, ...]]
VERDICTS: tuple[tuple[type[Command], Verdict], ...] = (
    (StartGame, lambda state, command, _, game: people.start(state, command, game)),
    (Rematch, lambda state, _, __, game: people.rematch(state, game)),
    (AddPlayer, lambda state, command, *_: people.add_player(state, command)),
    (
        AcceptRoll,
        lambda state, command, sight, _: _accept(state, sights.offer(state, sight), force=command.force),
    ),
    (EnterRoll, lambda state, command, sight, _: _enter(state, command, sight)),
    (CorrectDie, lambda state, command, *_: _correct(state, command)),
    (SetHeld, lambda state, command, *_: _hold(state, command)),
    (Choose, lambda state, *_: _choose(state)),
    (ScoreBox, lambda state, command, *_: _score(state, command)),
    (CorrectBox, lambda state, command, *_: _correct_box(state, command)),
    (Undo, lambda state, *_: _undo(state)),
    (EndGame, lambda state, *_: _end(state)),
)
"""Kind of command -> what the game says to it."""


def _end(state: State) -> tuple[Event, ...]:
    _must_run(state)
    return (GameEnded(),)


def told(event: Event, state: State) -> str:
    """One line for the log, without names: what happened just before `state`."""
    match event:
        case RollAccepted():
            return f"{throw_name(state)}: {faces_text(die.face for die in event.dice)}"
        case BoxScored():
            return f"{event.category} filled ({points(_last_points(state, event))})"
        case _:
            return event.kind.replace("_", " ")


def _last_points(state: State, event: BoxScored) -> int:
    return max((player.sheet.points(event.category) or 0 for player in state.players), default=0)
