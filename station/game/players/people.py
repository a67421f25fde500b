"""Who plays: how many, starting a game, joining late, leaving, playing again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from messages.errors import RefusalError
from station.contract.commands import AddPlayer, MovePlayer, Rematch, RemovePlayer, RenamePlayer, StartGame
from station.contract.fields import PLAYERS_MAX
from station.contract.new_game import StarterWord
from station.game.dice.sights import Sight, as_left
from station.game.log.state import Phase, State, rule_set
from station.game.players import computer, seats, stakes, starting
from station.game.players.names import checked_names
from station.game.players.starting import Draw
from station.game.steps import (
    Event,
    GameStarted,
    PlayerAdded,
    PlayerMoved,
    PlayerRemoved,
    PlayerRenamed,
    Seat,
    lists_of,
)
from station.rules import RuleSet

DEFAULT_RULES = "yacht-1938"


def _check_count(rules: RuleSet, count: int) -> None:
    fewest, most = rules.players
    if count < fewest:
        raise RefusalError("player/too_few", title=rules.title, count=fewest)
    if count > most:
        raise RefusalError("player/too_many", title=rules.title, count=most)


def start(
    state: State, command: StartGame, sight: Sight, game: int, house: str, draw: Draw
) -> tuple[Event, ...]:
    """A game begins, with those named or those in the lobby. house: the text of the house rules named."""
    if state.running:
        raise RefusalError("game/running")
    asked = seats.of_table(state) if command.players is None else seats.of_request(command.players)
    again = command.rules is None and state.rules is not None
    house = state.house if again else house
    rules = rule_set(command.rules or (state.rules.id if state.rules else DEFAULT_RULES), house)
    _check_count(rules, len(asked))
    computer.check(
        rules, computers=any(each.computer for each in asked), teams=any(each.members for each in asked)
    )
    if rules.simultaneous and any(each.home for each in asked):
        raise RefusalError("homes/together", title=rules.title)
    if rules.bonus_only and any(each.handicap for each in asked):
        raise RefusalError("handicap/bonus_only", title=rules.title)
    event = _begun(state, rules, house, asked, sight, game, command.starter, draw)
    return (replace(event, stakes=stakes.checked(command.stakes, rules)),)


def _begun(
    before: State,
    rules: RuleSet,
    house: str,
    asked: Sequence[Seat],
    sight: Sight,
    game: int,
    starter: StarterWord | int | None,
    draw: Draw,
) -> GameStarted:
    """The event of a game without stakes. Raises RefusalError `homes/starter`, or as `starting.chosen`."""
    if starter == "throw" and any(each.without_tray for each in asked):
        raise RefusalError("homes/starter")
    names = tuple(each.name for each in asked)
    first, word = starting.chosen(before, rules, names, starter, draw)
    left, rolling = as_left(sight)
    return GameStarted(
        game,
        before.game,
        rules.id,
        names,
        house,
        left,
        rolling,
        first,
        word,
        simultaneous=rules.simultaneous,
        **lists_of(asked),
    )


def rematch(state: State, command: Rematch, sight: Sight, game: int, draw: Draw) -> tuple[Event, ...]:
    """A game begins with the people and rules of the one that ended."""
    if state.phase is not Phase.FINISHED or state.rules is None:
        raise RefusalError("game/not_finished")
    sitting = seats.in_order(seats.of_table(state), command.order, draw)
    _check_count(state.rules, len(sitting))
    starter = command.starter if command.starter is not None else _starter_before(state)
    event = _begun(state, state.rules, state.house, sitting, sight, game, starter, draw)
    return (replace(event, stakes=state.stakes),)


def _starter_before(state: State) -> StarterWord | None:
    """How it was found out who starts the game before; None where people said it."""
    return next((word for word in get_args(StarterWord) if word == state.starter), None)


def add_player(state: State, command: AddPlayer) -> tuple[Event, ...]:
    """One more sits down, in the lobby or late."""
    if state.phase is Phase.FINISHED:
        raise RefusalError("game/finished_for_guests", code="game/finished")
    names = checked_names([*(player.name for player in state.players), command.name])
    most = min(state.rules.players[1] if state.rules else PLAYERS_MAX, PLAYERS_MAX)
    if len(names) > most:
        raise RefusalError("player/table_full", code="player/too_many", count=most)
    return (PlayerAdded(names[-1]),)


def rename_player(state: State, command: RenamePlayer) -> tuple[Event, ...]:
    """A player takes another name, at any time before the game is over."""
    seat = _seat(state, command.player)
    others = [player.name for i, player in enumerate(state.players) if i != seat]
    name = checked_names([*others, command.name])[-1]
    return () if name == state.players[seat].name else (PlayerRenamed(seat, name),)


def remove_player(state: State, command: RemovePlayer, sight: Sight) -> tuple[Event, ...]:
    """A player goes; in a game somebody has to stay."""
    seat = _seat(state, command.player)
    if state.rules is not None and sum(not player.gone for player in state.players) == 1:
        raise RefusalError("player/last", name=state.players[seat].name)
    ends_turn = state.simultaneous or seat == state.active
    return (PlayerRemoved(seat, *as_left(sight)),) if ends_turn else (PlayerRemoved(seat),)


def move_player(state: State, command: MovePlayer) -> tuple[Event, ...]:
    """A player sits elsewhere in the order."""
    seat, to = _seat(state, command.player), _seat(state, command.to, gone=True)
    return () if seat == to else (PlayerMoved(seat, to),)


def _seat(state: State, seat: int, *, gone: bool = False) -> int:
    """The seat of somebody who plays (gone: or did). Raises RefusalError where there is none."""
    if state.phase is Phase.FINISHED:
        raise RefusalError("game/finished")
    seats.check(state, seat, gone=gone)
    return seat
