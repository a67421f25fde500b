"""How things stand: what replaying the events gives.

`evolve` follows one event. It checks nothing that `decide` has checked before the event was written, and
so reads any log that `decide` once allowed. Undo is an event: its state is the one that replaying the
events without the last gives, so a step back is never a special case of any rule.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from messages.errors import RefusalError
from station.game.events import (
    BoxCorrected,
    BoxScored,
    ChoosingBegun,
    DieCorrected,
    Event,
    GameEnded,
    GameStarted,
    HeldSet,
    PlayerAdded,
    RollAccepted,
    Undone,
)
from station.game.slots import Die
from station.rules import RuleSet, Sheet, Totals, built_in, fill, parse_rules, sheet_totals


class Phase(StrEnum):
    """What the table is at (docs/api.md)."""

    LOBBY = "lobby"
    THROWING = "throwing"
    HOLDING = "holding"
    CHOOSING = "choosing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Player:
    """One seat: a name and a score sheet."""

    name: str
    sheet: Sheet = field(default_factory=Sheet)


@dataclass(frozen=True, slots=True)
class State:
    """The whole game at one moment.

    game: number of the game in the store, 0 before the first. dice: the accepted roll, by slot; once a
    box took some of them (two boxes a turn), only the rest. held: slots that stay out of the next throw.
    house: text of the house rules, empty for others. lying: the dice as last accepted, kept over the turn's
    end, by which the next throw is told from dice nobody moved. past: the events that still stand, of this
    game and the one before it.
    """

    phase: Phase = Phase.LOBBY
    game: int = 0
    rules: RuleSet | None = None
    players: tuple[Player, ...] = ()
    active: int = 0
    throws_done: int = 0
    dice: tuple[Die, ...] = ()
    held: tuple[int, ...] = ()
    boxes_this_turn: int = 0
    house: str = ""
    lying: tuple[Die, ...] = ()
    winners: tuple[int, ...] = ()
    ended_early: bool = False
    big_general: bool = False
    past: tuple[Event, ...] = ()

    @property
    def player(self) -> Player:
        """The active player; only while a game runs."""
        return self.players[self.active]

    @property
    def faces(self) -> tuple[int, ...]:
        """Faces of the accepted roll, by slot."""
        return tuple(die.face for die in self.dice)

    @property
    def rolls_left(self) -> int:
        """Throws the active player still has."""
        return 0 if self.rules is None else self.rules.throws - self.throws_done

    @property
    def running(self) -> bool:
        """Whether a game is going on."""
        return self.phase in {Phase.THROWING, Phase.HOLDING, Phase.CHOOSING}


def rule_set(rules_id: str, house: str) -> RuleSet:
    """The rule set of that id, or the one that house rules tell."""
    return parse_rules(house, rules_id) if house else built_in(rules_id)


def totals(state: State, player: Player) -> Totals:
    """The sums of a player's sheet; all 0 before a rule set is chosen."""
    return sheet_totals(state.rules, player.sheet) if state.rules else Totals(0, 0, 0, 0, 0)


def replay(events: Iterable[Event]) -> State:
    """The state after these events, from an empty table."""
    state = State()
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    """The state after one more event. What comes out is always `replay(out.past)`."""
    if isinstance(event, Undone):
        return replay(state.past[:-1])
    if isinstance(event, GameStarted):
        # Undo reaches back over the start of a game to the one before it, and no further.
        kept = _since_start(state.past)
        state = state if kept == state.past else replay(kept)
    return replace(_apply(state, event), past=(*state.past, event))


def _since_start(past: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events from the last start of a game on."""
    for i in range(len(past) - 1, -1, -1):
        if isinstance(past[i], GameStarted):
            return past[i:]
    return past


def _apply(state: State, event: Event) -> State:  # noqa: PLR0911 - one line for each kind of event
    match event:
        case GameStarted():
            players = tuple(Player(name) for name in event.players)
            rules = rule_set(event.rules, event.house)
            return State(Phase.THROWING, event.game, rules, players, house=event.house, lying=state.lying)
        case PlayerAdded():
            return replace(state, players=(*state.players, Player(event.name)))
        case RollAccepted():
            return _rolled(state, event.dice)
        case DieCorrected():
            dice = tuple(
                replace(die, face=event.face) if die.slot == event.slot else die for die in state.dice
            )
            return _with_big_general(replace(state, dice=dice, lying=dice))
        case HeldSet():
            return replace(state, held=event.slots)
        case ChoosingBegun():
            return replace(state, phase=Phase.CHOOSING)
        case BoxScored():
            return _scored(state, event)
        case BoxCorrected():
            return _corrected(state, event)
        case GameEnded():
            return _finished(replace(state, ended_early=True))
        case _:
            raise AssertionError(event)


def _rolled(state: State, dice: tuple[Die, ...]) -> State:
    """A throw counts."""
    rules = state.rules
    assert rules is not None  # noqa: S101 - a roll is only accepted in a game
    done = state.throws_done + 1
    phase = Phase.HOLDING if done < rules.throws else Phase.CHOOSING
    # After the last throw nothing can be held any more.
    held = state.held if phase is Phase.HOLDING else ()
    after = replace(state, phase=phase, throws_done=done, dice=dice, held=held, lying=dice)
    return _with_big_general(after)


def _with_big_general(state: State) -> State:
    """General's five of a kind in the first throw wins at once, also when corrected."""
    wins = state.rules is not None and state.rules.first_throw_yacht_wins
    if not wins or state.throws_done != 1 or len(set(state.faces)) != 1:
        return state
    return replace(state, phase=Phase.FINISHED, winners=(state.active,), big_general=True)


def _scored(state: State, event: BoxScored) -> State:
    """A box is filled; the turn goes on where the rule set fills two, or the next player's begins."""
    rules = state.rules
    assert rules is not None  # noqa: S101 - a box is only scored in a game
    used = tuple(die for die in state.dice if not event.slots or die.slot in event.slots)
    rest = tuple(die for die in state.dice if die not in used)
    sheet = fill(rules, state.player.sheet, event.category, [die.face for die in used], state.throws_done)
    players = tuple(
        replace(player, sheet=sheet) if i == state.active else player
        for i, player in enumerate(state.players)
    )
    after = replace(state, players=players, boxes_this_turn=state.boxes_this_turn + 1)
    if after.boxes_this_turn < rules.boxes_per_turn and not sheet.is_full(rules) and rest:
        return replace(after, phase=Phase.CHOOSING, dice=rest, held=())
    return _next_turn(after, rules)


def corrected(rules: RuleSet, sheet: Sheet, event: BoxCorrected) -> Sheet:
    """The sheet with one entry set right, in the order of filling it had.

    Raises RefusalError when the box is not filled, or the dice cannot go to the other one.
    """
    places = [entry.category for entry in sheet.entries]
    if event.category not in places:
        raise RefusalError("box/open")
    place = places.index(event.category)
    if event.to and event.to != event.category and event.to in places:
        raise RefusalError("box/filled_before", code="box/filled", box=rules.box(event.to).label)
    before, after = sheet.entries[:place], sheet.entries[place + 1 :]
    filled = fill(rules, Sheet(before), event.to or event.category, event.faces, event.throw)
    return Sheet((*filled.entries, *after))


def throw_of(state: State, seat: int, category: str) -> int:
    """After which throw, from 1, that seat filled that box; the last one where the box is not filled.

    A box filled after the first throw may be worth more in General, also once it is set right.
    """
    throw = state.rules.throws if state.rules else 1
    before = State()
    for event in _since_start(state.past):
        match event:
            case BoxScored() if (before.active, event.category) == (seat, category):
                throw = before.throws_done
            case BoxCorrected() if (event.seat, event.to) == (seat, category):
                throw = event.throw
            case _:
                pass
        before = evolve(before, event)
    return throw


def _corrected(state: State, event: BoxCorrected) -> State:
    """An earlier box is set right; of a finished game the winner may be another one then."""
    rules = state.rules
    assert rules is not None  # noqa: S101 - a box is only corrected in a game
    sheet = corrected(rules, state.players[event.seat].sheet, event)
    players = tuple(
        replace(player, sheet=sheet) if i == event.seat else player for i, player in enumerate(state.players)
    )
    after = replace(state, players=players)
    return _finished(after) if state.phase is Phase.FINISHED and not state.big_general else after


def _next_turn(state: State, rules: RuleSet) -> State:
    """The next seat with an open box throws; who joined late plays the missing turns at the end."""
    count = len(state.players)
    for step in range(1, count + 1):
        seat = (state.active + step) % count
        if not state.players[seat].sheet.is_full(rules):
            return replace(
                state, phase=Phase.THROWING, active=seat, throws_done=0, dice=(), held=(), boxes_this_turn=0
            )
    return _finished(state)


def _finished(state: State) -> State:
    """The highest total wins; equal totals share it."""
    sums = [totals(state, player).total for player in state.players]
    winners = tuple(i for i, total in enumerate(sums) if total == max(sums))
    return replace(
        state, phase=Phase.FINISHED, throws_done=0, dice=(), held=(), boxes_this_turn=0, winners=winners
    )
