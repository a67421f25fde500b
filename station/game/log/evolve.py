"""What becomes of a state when something happens.

`evolve` follows one event. It checks nothing that `decide` has checked before the event was written, and
so reads any log that `decide` once allowed. Undo is an event: its state is the one that replaying the
events without the last gives, so a step back is never a special case of any rule.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from messages.errors import YachtError
from station.game.log import events, together
from station.game.log.box_correction import with_corrected_box
from station.game.log.ending import finished, with_big_general
from station.game.log.events import Event
from station.game.log.player import Player
from station.game.log.rounds import round_on
from station.game.log.state import Phase, State, first_die, left, rule_set, with_player
from station.game.log.throw_off import standing
from station.game.log.turns import next_turn, rolled, scored
from station.rules import Sheet

UNPLAYABLE = (
    YachtError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError,
)  # fmt: skip
"""What comes of events that no game can be made of."""


def replay(events: Iterable[Event]) -> State:
    """The state after these events, from an empty table."""
    state = State()
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    """The state after one more event. What comes out is always `replay(out.past)`."""
    if isinstance(event, events.Undone):
        return replay(state.past[:-1])
    if isinstance(event, events.GameStarted):
        # Undo reaches back over the start of a game to the one before it, and no further.
        kept = of_last_game(state.past)
        state = state if kept == state.past else replay(kept)
    return replace(_with_start(_apply(state, event)), past=(*state.past, event))


def of_last_game(past: Sequence[Event]) -> Sequence[Event]:
    """The events from the last start of a game on; all of them where none starts."""
    for i in range(len(past) - 1, -1, -1):
        if isinstance(past[i], events.GameStarted):
            return past[i:]
    return past


def last_roll(past: Sequence[Event]) -> Event | None:
    """The throw among them that was confirmed last."""
    return next((event for event in reversed(past) if isinstance(event, events.RollAccepted)), None)


def _apply(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912 - one line for each kind
    match event:
        case events.GameStarted():
            players = _players(event)
            rules = rule_set(event.rules, event.house, as_played=True)
            begun = State(Phase.THROWING, event.game, rules, players, house=event.house, lying=state.lying)
            begun = replace(_begun(begun, event), simultaneous=event.simultaneous)
            return left(begun, event)
        case events.StarterThrown():
            faces = (*state.player.for_start, event.face)
            return left(replace(with_player(state, state.active, for_start=faces), lying=()), event)
        case events.PlayerAdded():
            return replace(state, players=(*state.players, Player(event.name)))
        case events.PlayerRenamed():
            return with_player(state, event.seat, name=event.name)
        case events.PlayerRemoved():
            after = _removed(state, event.seat)
            if state.simultaneous:
                return round_on(after, event)
            return left(after, event) if event.seat == state.active else after
        case events.PlayerMoved():
            return _moved(state, event)
        case events.RollKept():
            return left(state, event)
        case events.RollAccepted():
            return rolled(state, event)
        case events.DieCorrected():
            dice = tuple(
                replace(die, face=event.face) if die.slot == event.slot else die for die in state.dice
            )
            players = state.players
            if state.simultaneous and state.rules:
                players = together.die_corrected(state.rules, players, event.slot, event.face)
            return with_big_general(replace(state, players=players, dice=dice, lying=dice))
        case events.HeldSet():
            return replace(state, held=event.slots)
        case events.CopyHeld() | events.BoxChosen() | events.PlayerReady() | events.PlayerUnready():
            return round_on(replace(state, players=together.followed(state.players, event)), event)
        case events.BoxAnnounced():
            return replace(state, called=event.category, phase=Phase.HOLDING)
        case events.ChoosingBegun():
            return replace(state, phase=Phase.CHOOSING)
        case events.BoxScored():
            return left(scored(state, event), event)
        case events.BoxCorrected():
            return with_corrected_box(state, event)
        case events.GameEnded():
            return left(finished(state, "early"), event)
        case events.Undone():
            raise AssertionError(event)  # `evolve` has taken the last step back
        case _:
            assert_never(event)


def _players(event: events.GameStarted) -> tuple[Player, ...]:
    """The columns of a new game."""
    return tuple(
        Player(
            each.name,
            Sheet(handicap=each.handicap),
            computer=each.computer,
            members=each.members,
            home=each.home,
            without_tray=each.without_tray,
        )
        for each in event.seats
    )


def _begun(state: State, event: events.GameStarted) -> State:
    """The first turn begins, or the throwing for it."""
    state = replace(state, starter=event.starter, stakes=event.stakes, active=event.first)
    if event.starter == "throw":
        return replace(state, phase=Phase.STARTING)
    return with_player(state, event.first, starts=True)


def _with_start(state: State) -> State:
    """While it is thrown for who starts: whose throw it is; once that is settled, the first turn."""
    if state.phase is not Phase.STARTING or state.rules is None:
        return state
    thrown = [None if player.gone else player.for_start for player in state.players]
    seat, settled = standing(thrown, first_die(state.rules))
    if not settled:
        return replace(state, active=seat)
    return replace(with_player(state, seat, starts=True), phase=Phase.THROWING, active=seat)


def _removed(state: State, seat: int) -> State:
    """In the lobby the seat is free again; in a game it stays, and the turn goes on without it."""
    if state.rules is None:
        return replace(state, players=(*state.players[:seat], *state.players[seat + 1 :]))
    after = with_player(state, seat, gone=True)
    if state.phase is Phase.STARTING or state.active != seat:
        return after
    if state.simultaneous:
        return after.at_table(together.at_table(state.rules, after.players, seat))
    return next_turn(after, state.rules)


def reseated(event: events.PlayerMoved, count: int) -> list[int]:
    """Of so many seats: who sits in each once somebody moved, by where they sat before.

    >>> reseated(events.PlayerMoved(seat=2, to=0), 3)
    [2, 0, 1]
    """
    order = list(range(count))
    order.insert(event.to, order.pop(event.seat))
    return order


def _moved(state: State, event: events.PlayerMoved) -> State:
    """Whose turn it is stays theirs."""
    order = reseated(event, len(state.players))
    players = tuple(state.players[i] for i in order)
    written = tuple((order.index(seat), category) for seat, category in state.written)
    active = order.index(state.active) if state.players else 0
    return replace(state, players=players, active=active, written=written)
