"""The state of a game: the result of replaying its events (`station.game.evolve`)."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from station.contract.view import EndedBy
from station.game.log.event import Event, Leaves
from station.game.log.options import USUAL, Options
from station.game.log.player import Player
from station.game.log.slots import Die
from station.rules import FirstDie, RuleSet, Totals, built_in, parse_rules, sheet_totals


class Phase(StrEnum):
    """The phase of the table (docs/api.md), without those that features add."""

    LOBBY = "lobby"
    THROWING = "throwing"
    HOLDING = "holding"
    CHOOSING = "choosing"
    FINISHED = "finished"


DICE = 5
"""Dice on the table while no rules are chosen."""


@dataclass(frozen=True, slots=True)
class State:
    """The whole game at one moment.

    game: number of the game in the store, 0 before the first. dice: the accepted roll, by slot; once a box
    took some of them, only the rest. held: slots that stay out of the next throw. house: text of the house
    rules, empty for others. lying: the dice as last accepted, kept over the turn's end, to distinguish the
    next throw from dice nobody moved. rolling: whether dice rolled, or were out of sight, when what lay in
    the tray ceased to be anybody's roll. since: the event from which on dice that move are the next throw,
    this very one and no equal other: a throw dies with it when it is undone. starter: how the starting player
    is determined. dice_due: how many dice are thrown, where the rules do not say it. options: what the game
    was begun with. drawn: whether the station drew the roll. ended_by: what ended the game. written: seat and
    category of the boxes filled since the last roll, for a scorekeeper to announce. unmarked: held slots that
    nobody marked; they are held for one throw. kept: what it keeps for features (`FeatureValue`,
    `TurnValue`). past: the events that still stand, of this game and the one before it.
    """

    phase: StrEnum = Phase.LOBBY
    game: int = 0
    rules: RuleSet | None = None
    players: tuple[Player, ...] = ()
    active: int = 0
    throws_done: int = 0
    dice: tuple[Die, ...] = ()
    held: tuple[int, ...] = ()
    house: str = ""
    lying: tuple[Die, ...] = ()
    rolling: bool = False
    since: Event | None = None
    starter: str = ""
    dice_due: int = 0
    options: Options = USUAL
    drawn: bool = False
    winners: tuple[int, ...] = ()
    ended_by: EndedBy | None = None
    written: tuple[tuple[int, str], ...] = ()
    unmarked: tuple[int, ...] = ()
    kept: tuple[tuple[str, Hashable], ...] = ()
    turn_values: tuple[tuple[str, Hashable], ...] = ()
    past: tuple[Event, ...] = ()

    @property
    def player(self) -> Player:
        """The active player; only while a game runs."""
        return self.players[self.active]

    @property
    def last_mover(self) -> str | None:
        """The player whose step `undo` would take back; None where it was no step of a turn."""
        return self.past[-1].mover(self) if self.past else None

    @property
    def played(self) -> RuleSet:
        """The rules of the game that is played, or was; only where there is one."""
        assert self.rules is not None  # noqa: S101 - dice and boxes are there in a game only
        return self.rules

    @property
    def faces(self) -> tuple[int, ...]:
        """Faces of the accepted roll, by slot."""
        return tuple(die.face for die in self.dice)

    @property
    def held_dice(self) -> tuple[Die, ...]:
        """The dice that stay out of the next throw."""
        return tuple(die for die in self.dice if die.slot in self.held)

    @property
    def rolls_left(self) -> int:
        """Throws the active player still has."""
        return self.throws_allowed - self.throws_done

    @property
    def throws_allowed(self) -> int:
        """Throws of the turn, those included that the active player saved before."""
        return self.rules.throws + self.saved if self.rules else 0

    @property
    def saved(self) -> int:
        """Throws the active player saved in earlier turns."""
        return saved_throws(self.rules, self.player) if self.rules else 0

    @property
    def running(self) -> bool:
        """Whether a game is going on."""
        return self.phase not in {Phase.LOBBY, Phase.FINISHED}

    @property
    def dice_count(self) -> int:
        """The number of dice in play."""
        return self.dice_due or (self.rules.dice if self.rules else DICE)


@lru_cache(maxsize=64)
def rule_set(rules_id: str, house: str, *, as_played: bool = False) -> RuleSet:
    """The rule set of that id, or the one in the house rules; each text is parsed once.

    as_played: of a game that was begun with it; house rules that nobody could begin with today still count.
    """
    return parse_rules(house, rules_id, as_played=as_played) if house else built_in(rules_id)


def totals(state: State, player: Player) -> Totals:
    """The sums of a player's sheet as it stands now; all 0 before a rule set is chosen."""
    rules = state.rules
    return sheet_totals(rules, player.sheet, running=state.running) if rules else Totals(0, 0, 0, 0, 0)


def saved_throws(rules: RuleSet, player: Player) -> int:
    """Throws that a player's turns have left, where the rules keep them; else 0."""
    return sum(rules.throws - filling.throw for filling in player.fillings) if rules.saved_throws else 0


def first_die(rules: RuleSet) -> FirstDie:
    """The first die that starts, highest or lowest; the highest where the rule set does not say."""
    return rules.first_die or FirstDie.HIGHEST


def left(state: State, event: Leaves) -> State:
    """The state in which the dice in the tray are no roll, until they move."""
    return replace(state, rolling=event.rolling, since=event)


def turn_over(state: State) -> State:
    """No dice are on the table, nothing is held, and nothing is kept of the turn."""
    return replace(state, throws_done=0, dice=(), held=(), turn_values=())


def with_player(state: State, seat: int, **changed: Any) -> State:
    """The state with something else about one player."""
    players = tuple(
        replace(player, **changed) if i == seat else player for i, player in enumerate(state.players)
    )
    return replace(state, players=players)
