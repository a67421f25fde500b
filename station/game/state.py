"""How things stand: what replaying the events gives.

`evolve` follows one event. It checks nothing that `decide` has checked before the event was written, and
so reads any log that `decide` once allowed. Undo is an event: its state is the one that replaying the
events without the last gives, so a step back is never a special case of any rule.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from messages.errors import RefusalError
from station.contract.view import EndedBy
from station.game import events, together
from station.game.events import Event
from station.game.player import Filling, Player
from station.game.same_dice import colours_by_slot
from station.game.slots import Die, faces_text
from station.game.throw_off import standing
from station.rules import FirstDie, RuleSet, Sheet, Totals, built_in, fill, parse_rules, sheet_totals


class Phase(StrEnum):
    """What the table is at (docs/api.md)."""

    LOBBY = "lobby"
    STARTING = "starting"
    THROWING = "throwing"
    HOLDING = "holding"
    CHOOSING = "choosing"
    FINISHED = "finished"


DICE = 5
"""Dice on the table while no rules are chosen."""


@dataclass(frozen=True, slots=True)
class State:
    """The whole game at one moment.

    game: number of the game in the store, 0 before the first. dice: the accepted roll, by slot; once a
    box took some of them (two boxes a turn), only the rest. held: slots that stay out of the next throw.
    house: text of the house rules, empty for others. lying: the dice as last accepted, kept over the turn's
    end, by which the next throw is told from dice nobody moved. rolling: whether dice rolled, or were out of
    sight, when what lay in the tray ceased to be anybody's roll. since: the event from which on dice that
    move are the next throw, this very one and no equal other: a throw dies with it when it is undone.
    starter: how it is found out who starts. stakes: what is played for (`stakes`). drawn: whether the
    station drew the roll. ended_by: what ended the game. simultaneous: all play at once (`together`): dice
    are the common throw, nothing is held of it, and active is the player at the table, for whom its buttons
    act. colours: of the dice by slot, in this round. written: seat and category of the boxes filled since the
    last roll, for a scorekeeper to announce. called: the category announced for this turn. past: the
    events that still stand, of this game and the one before it.
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
    rolling: bool = False
    since: Event | None = None
    starter: str = ""
    stakes: tuple[str, ...] = ()
    drawn: bool = False
    winners: tuple[int, ...] = ()
    ended_by: EndedBy | None = None
    simultaneous: bool = False
    colours: tuple[str, ...] = ()
    written: tuple[tuple[int, str], ...] = ()
    called: str = ""
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
        return self.throws_allowed - self.throws_done

    @property
    def throws_allowed(self) -> int:
        """Throws of the turn, those included that the active player saved before."""
        if self.rules is None:
            return 0
        return self.rules.throws + (self.saved if self.rules.saved_throws and self.players else 0)

    @property
    def saved(self) -> int:
        """Throws the active player saved in earlier turns."""
        return saved_throws(self.rules, self.player) if self.rules else 0

    @property
    def running(self) -> bool:
        """Whether a game is going on."""
        return self.phase in {Phase.STARTING, Phase.THROWING, Phase.HOLDING, Phase.CHOOSING}

    @property
    def dice_count(self) -> int:
        """How many dice are played with now."""
        if self.phase is Phase.STARTING:
            return 1
        return self.rules.dice if self.rules else DICE

    @property
    def own(self) -> "State":
        """The same as the active player has it: where all play at once, with the dice of the own copy."""
        if not self.simultaneous or not self.players:
            return self
        copy = self.player.copy
        return replace(self, dice=copy.dice, held=copy.held)

    def at_table(self, seat: int) -> "State":
        """The same with another player at the table, where all play at once."""
        return replace(self, active=seat)


def rule_set(rules_id: str, house: str) -> RuleSet:
    """The rule set of that id, or the one that house rules tell."""
    return parse_rules(house, rules_id) if house else built_in(rules_id)


def totals(state: State, player: Player) -> Totals:
    """The sums of a player's sheet; all 0 before a rule set is chosen."""
    return sheet_totals(state.rules, player.sheet) if state.rules else Totals(0, 0, 0, 0, 0)


def saved_throws(rules: RuleSet, player: Player) -> int:
    """Throws that a player's turns have left, where the rules keep them; else 0."""
    return sum(rules.throws - filling.throw for filling in player.fillings) if rules.saved_throws else 0


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
        kept = _since_start(state.past)
        state = state if kept == state.past else replay(kept)
    return replace(_with_start(_apply(state, event)), past=(*state.past, event))


def _since_start(past: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events from the last start of a game on."""
    for i in range(len(past) - 1, -1, -1):
        if isinstance(past[i], events.GameStarted):
            return past[i:]
    return past


def _apply(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912 - one line for each kind
    match event:
        case events.GameStarted():
            players = _players(event)
            rules = rule_set(event.rules, event.house)
            begun = State(Phase.THROWING, event.game, rules, players, house=event.house, lying=state.lying)
            begun = replace(_begun(begun, event), simultaneous=event.simultaneous)
            return _left(begun, event)
        case events.StarterThrown():
            faces = (*state.player.for_start, event.face)
            return _left(replace(_with_player(state, state.active, for_start=faces), lying=()), event)
        case events.PlayerAdded():
            return replace(state, players=(*state.players, Player(event.name)))
        case events.PlayerRenamed():
            return _with_player(state, event.seat, name=event.name)
        case events.PlayerRemoved():
            after = _removed(state, event.seat)
            if state.simultaneous:
                return _round_on(after, event)
            return _left(after, event) if event.seat == state.active else after
        case events.PlayerMoved():
            return _moved(state, event.seat, event.to)
        case events.RollKept():
            return _left(state, event)
        case events.RollAccepted():
            return _rolled(state, event)
        case events.DieCorrected():
            dice = tuple(
                replace(die, face=event.face) if die.slot == event.slot else die for die in state.dice
            )
            state = replace(state, players=together.die_corrected(state.players, event.slot, event.face))
            return _with_big_general(replace(state, dice=dice, lying=dice))
        case events.HeldSet():
            return replace(state, held=event.slots)
        case events.CopyHeld() | events.BoxChosen() | events.PlayerReady() | events.PlayerUnready():
            return _round_on(replace(state, players=together.followed(state.players, event)), event)
        case events.BoxAnnounced():
            return replace(state, called=event.category)
        case events.ChoosingBegun():
            return replace(state, phase=Phase.CHOOSING)
        case events.BoxScored():
            return _left(_scored(state, event), event)
        case events.BoxCorrected():
            return _corrected(state, event)
        case events.GameEnded():
            return _left(_finished(state, "early"), event)
        case _:
            raise AssertionError(event)


def _players(event: events.GameStarted) -> tuple[Player, ...]:
    """The columns of a new game."""
    nobody = ("",) * len(event.players)
    alone = ((),) * len(event.players)
    said = (event.computers or nobody, event.teams or alone, event.homes or nobody)
    ahead = event.handicaps or (0,) * len(event.players)
    return tuple(
        Player(name, Sheet(handicap=points), computer=computer, members=members, home=home)
        for name, points, computer, members, home in zip(event.players, ahead, *said, strict=True)
    )


def _begun(state: State, event: events.GameStarted) -> State:
    """The first turn begins, or the throwing for it."""
    state = replace(state, starter=event.starter, stakes=event.stakes, active=event.first)
    if event.starter == "throw":
        return replace(state, phase=Phase.STARTING)
    return _with_player(state, event.first, starts=True)


def first_die(rules: RuleSet) -> FirstDie:
    """Which die starts; where the page does not say, the highest."""
    return rules.first_die or FirstDie.HIGHEST


def _with_start(state: State) -> State:
    """While it is thrown for who starts: whose throw it is; once that is settled, the first turn."""
    if state.phase is not Phase.STARTING or state.rules is None:
        return state
    thrown = [None if player.gone else player.for_start for player in state.players]
    seat, settled = standing(thrown, first_die(state.rules))
    if not settled:
        return replace(state, active=seat)
    return replace(_with_player(state, seat, starts=True), phase=Phase.THROWING, active=seat)


Leaves = (
    events.GameStarted
    | events.StarterThrown
    | events.PlayerRemoved
    | events.PlayerReady
    | events.RollKept
    | events.BoxScored
    | events.GameEnded
)
"""Events after which the dice in the tray are nobody's roll."""


def _left(
    state: State,
    event: Leaves,
) -> State:
    """From now on the dice in the tray are nobody's roll, until they move."""
    return replace(state, rolling=event.rolling, since=event)


def _with_player(state: State, seat: int, **changed: Any) -> State:
    players = tuple(
        replace(player, **changed) if i == seat else player for i, player in enumerate(state.players)
    )
    return replace(state, players=players)


def _removed(state: State, seat: int) -> State:
    """In the lobby the seat is free again; in a game it stays, and the turn goes on without it."""
    if state.rules is None:
        return replace(state, players=(*state.players[:seat], *state.players[seat + 1 :]))
    after = _with_player(state, seat, gone=True)
    if state.simultaneous or state.phase is Phase.STARTING or state.active != seat:
        return after
    return _next_turn(after, state.rules)


def _moved(state: State, seat: int, to: int) -> State:
    """Whose turn it is stays theirs."""
    order = list(range(len(state.players)))
    order.insert(to, order.pop(seat))
    players = tuple(state.players[i] for i in order)
    written = tuple((order.index(seat), category) for seat, category in state.written)
    active = order.index(state.active) if state.players else 0
    return replace(state, players=players, active=active, written=written)


def _rolled(state: State, event: events.RollAccepted) -> State:
    """A throw counts."""
    dice = event.dice
    rules = state.rules
    assert rules is not None  # noqa: S101 - a roll is only accepted in a game
    done = state.throws_done + 1
    phase = Phase.HOLDING if done < state.throws_allowed else Phase.CHOOSING
    # After the last throw nothing can be held any more.
    held = state.held if phase is Phase.HOLDING else ()
    now = replace(state, phase=phase, throws_done=done, dice=dice, held=held, lying=dice)
    now = replace(now, rolling=False, since=event, drawn=event.drawn, written=())
    return _copied(now, rules) if state.simultaneous else _with_big_general(now)


def _copied(state: State, rules: RuleSet) -> State:
    """A throw counts for everybody, where all play at once."""
    first = state.throws_done == 1
    players = together.thrown(rules, state.players, state.dice, first=first)
    if state.phase is Phase.CHOOSING:
        players = together.released(players)
    colours = colours_by_slot(() if first else state.colours, state.dice)
    active = together.at_table(rules, players, 0)
    return replace(state, players=players, colours=colours, active=active)


def _round_on(state: State, event: together.CopyEvent | events.PlayerRemoved) -> State:
    """Where all play at once: when nobody is waited for any more, the round goes on."""
    rules, players = state.rules, state.players
    assert rules is not None  # noqa: S101 - copies are only there in a game
    if not any(together.plays(rules, player) for player in players):
        return _finished(state, "complete")
    ends_round = state.phase is Phase.CHOOSING or (state.throws_done > 0 and not together.in_round(players))
    if together.waited_for(players) or (state.phase is Phase.THROWING and not ends_round):
        goes_on = isinstance(event, events.PlayerReady | events.PlayerRemoved) and event.seat == state.active
        return replace(state, active=together.at_table(rules, players, state.active)) if goes_on else state
    after = _next_round(state, rules) if ends_round else replace(state, phase=Phase.THROWING)
    if isinstance(event, events.CopyHeld | events.BoxChosen | events.PlayerUnready):
        return after
    return _left(after, event)


def _next_round(state: State, rules: RuleSet) -> State:
    """The boxes are written, and the next round begins, or the game is over."""
    players = together.written(rules, state.players, state.throws_done)
    written = tuple((i, player.copy.chosen) for i, player in enumerate(state.players) if player.copy.chosen)
    after = replace(state, players=players, throws_done=0, dice=(), colours=(), written=written)
    if not any(together.plays(rules, player) for player in players):
        return _finished(after, "complete")
    return replace(after, phase=Phase.THROWING, active=together.at_table(rules, players, 0))


def _with_big_general(state: State) -> State:
    """General's five of a kind in the first throw wins at once, also when corrected."""
    wins = state.rules is not None and state.rules.first_throw_yacht_wins
    if not wins or state.throws_done != 1 or len(set(state.faces)) != 1:
        return state
    return replace(state, phase=Phase.FINISHED, winners=(state.active,), ended_by="big_general")


def _scored(state: State, event: events.BoxScored) -> State:
    """A box is filled; the turn goes on where the rule set fills two, or the next player's begins."""
    rules = state.rules
    assert rules is not None  # noqa: S101 - a box is only scored in a game
    used = tuple(die for die in state.dice if not event.slots or die.slot in event.slots)
    rest = tuple(die for die in state.dice if die not in used)
    faces = tuple(sorted(die.face for die in used))
    filling = Filling(event.category, faces, state.throws_done)
    sheet = fill(rules, state.player.sheet, event.category, faces, state.throws_done)
    filled = _with_player(state, state.active, sheet=sheet, fillings=(*state.player.fillings, filling))
    written = (*state.written, (state.active, event.category))
    after = replace(filled, boxes_this_turn=state.boxes_this_turn + 1, written=written)
    if after.boxes_this_turn < rules.boxes_per_turn and not sheet.is_full(rules) and rest:
        return replace(after, phase=Phase.CHOOSING, dice=rest, held=())
    return _next_turn(after, rules)


def corrected(rules: RuleSet, player: Player, event: events.BoxCorrected) -> Player:
    """The player with one box set right, and all boxes filled after it scored anew.

    Raises RefusalError when the box is not filled, the dice cannot go to the other one, or a later box could
    not have been filled as it was.
    """
    places = [filling.category for filling in player.fillings]
    if event.category not in places:
        raise RefusalError("box/open")
    place = places.index(event.category)
    if event.to and event.to != event.category and event.to in places:
        raise RefusalError("box/filled_before", code="box/filled", box=rules.box(event.to).label)
    right = Filling(event.to or event.category, event.faces, event.throw)
    fillings = (*player.fillings[:place], right, *player.fillings[place + 1 :])
    sheet = replace(player.sheet, entries=())
    for number, filling in enumerate(fillings):
        try:
            sheet = fill(rules, sheet, filling.category, filling.faces, filling.throw)
        except RefusalError:
            if number == place:
                raise
            label, dice = rules.box(filling.category).label, faces_text(filling.faces)
            raise RefusalError("box/impossible_after", box=label, faces=dice) from None
    return replace(player, sheet=sheet, fillings=fillings)


def throw_of(player: Player, category: str, default: int) -> int:
    """After which throw, from 1, that box was filled; `default` where it is not filled.

    A box filled after the first throw may be worth more in General, also once it is set right.
    """
    throws = (filling.throw for filling in player.fillings if filling.category == category)
    return next(throws, default)


def _corrected(state: State, event: events.BoxCorrected) -> State:
    """An earlier box is set right; of a finished game the winner may be another one then."""
    rules = state.rules
    assert rules is not None  # noqa: S101 - a box is only corrected in a game
    player = state.players[event.seat]
    try:
        player = corrected(rules, player, event)
    except RefusalError:
        player = _corrected_alone(rules, player, event)
    player = together.without_filled_choice(rules, player)
    players = (*state.players[: event.seat], player, *state.players[event.seat + 1 :])
    after = replace(state, players=players)
    if state.phase is Phase.FINISHED and state.ended_by is not None and state.ended_by != "big_general":
        return _finished(after, state.ended_by)
    return after


def _corrected_alone(rules: RuleSet, player: Player, event: events.BoxCorrected) -> Player:
    """The box set right, later ones as they were: so logs of version 0.1 are read, which allowed it."""
    place = [filling.category for filling in player.fillings].index(event.category)
    entries, fillings = player.sheet.entries, player.fillings
    right = Filling(event.to or event.category, event.faces, event.throw)
    sheet = fill(rules, Sheet(entries[:place]), right.category, right.faces, right.throw)
    return replace(
        player,
        sheet=replace(player.sheet, entries=(*sheet.entries, *entries[place + 1 :])),
        fillings=(*fillings[:place], right, *fillings[place + 1 :]),
    )


def _next_turn(state: State, rules: RuleSet) -> State:
    """The next seat with an open box throws; who joined late plays the missing turns at the end."""
    count = len(state.players)
    for step in range(1, count + 1):
        seat = (state.active + step) % count
        player = state.players[seat]
        if not player.gone and not player.sheet.is_full(rules):
            return replace(
                state,
                drawn=False,
                phase=Phase.THROWING,
                active=seat,
                throws_done=0,
                dice=(),
                held=(),
                called="",
                boxes_this_turn=0,
            )
    return _finished(state, "complete")


def _finished(state: State, ended_by: EndedBy) -> State:
    """The game is over, and who has won is settled."""
    return replace(
        state,
        phase=Phase.FINISHED,
        throws_done=0,
        dice=(),
        held=(),
        called="",
        boxes_this_turn=0,
        players=together.cleared(state.players),
        ended_by=ended_by,
        winners=_winners(state, ended_by),
    )


def _winners(state: State, ended_by: EndedBy) -> tuple[int, ...]:
    """The highest total wins, equal totals share it; nobody wins by 0 a game that was broken off."""
    sums = {
        i: totals(state, player).total
        for i, player in enumerate(state.players)
        if player.sheet.entries and not player.gone
    }
    best = max(sums.values(), default=0)
    if ended_by == "early" and best == 0:
        return ()
    return tuple(i for i, total in sums.items() if total == best)
