"""Who plays: how many, starting a game, joining late, leaving, playing again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from messages.errors import RefusalError
from station.contract.commands import AddPlayer, MovePlayer, Rematch, RemovePlayer, RenamePlayer, StartGame
from station.contract.fields import PLAYERS_MAX
from station.contract.new_game import StarterWord
from station.game import computer, seats, stakes, starting
from station.game.events import (
    Event,
    GameStarted,
    PlayerAdded,
    PlayerMoved,
    PlayerRemoved,
    PlayerRenamed,
)
from station.game.names import checked_names
from station.game.seats import Seat
from station.game.starting import Draw
from station.game.state import Phase, State, rule_set
from station.game.tray import Sight, as_left
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
    waiting = seats.of_table(state)
    asked = seats.of_request(command.players) if command.players is not None else waiting
    names = checked_names(each.name for each in asked)
    again = command.rules is None and state.rules is not None
    house = state.house if again else house
    rules = rule_set(command.rules or (state.rules.id if state.rules else DEFAULT_RULES), house)
    _check_count(rules, len(names))
    computer.check(rules, **_kinds(asked))
    if rules.simultaneous and any(each.home for each in asked):
        raise RefusalError("homes/together", title=rules.title)
    if rules.bonus_only and any(each.handicap for each in asked):
        raise RefusalError("handicap/bonus_only", title=rules.title)
    if command.starter == "throw" and _drawn(asked):
        raise RefusalError("homes/starter")
    first, starter = starting.chosen(state, rules, names, command.starter, draw)
    money = stakes.checked(command.stakes, rules)
    plain = GameStarted(game, 0, rules.id, names, house, first=first, starter=starter, stakes=money)
    plain = replace(plain, simultaneous=rules.simultaneous)
    return (_started(state, asked, sight, plain),)


def _kinds(asked: Sequence[Seat]) -> dict[str, bool]:
    """Whether there are computer players, and teams, among those who play."""
    return {
        "computers": any(each.computer for each in asked),
        "teams": any(each.members for each in asked),
    }


def _drawn(asked: Sequence[Seat]) -> bool:
    """Whether dice of somebody are drawn by two stations together."""
    return any(each.without_tray for each in asked)


def _started(before: State, asked: Sequence[Seat], sight: Sight, plain: GameStarted) -> GameStarted:
    """The event, with what plays each column, what was before, and how the dice lie."""
    kinds = _kinds(asked)
    left, rolling = as_left(sight)
    return replace(
        plain,
        previous=before.game,
        left=left,
        rolling=rolling,
        computers=tuple(each.computer for each in asked) if kinds["computers"] else (),
        teams=tuple(each.members for each in asked) if kinds["teams"] else (),
        homes=tuple(each.home for each in asked) if any(each.home for each in asked) else (),
        handicaps=tuple(each.handicap for each in asked) if any(each.handicap for each in asked) else (),
        without_tray=tuple(each.without_tray for each in asked) if _drawn(asked) else (),
    )


def rematch(state: State, command: Rematch, sight: Sight, game: int, draw: Draw) -> tuple[Event, ...]:
    """A game begins with the people and rules of the one that ended."""
    if state.phase is not Phase.FINISHED or state.rules is None:
        raise RefusalError("game/not_finished")
    sitting = seats.in_order(seats.of_table(state), command.order, draw)
    names = tuple(each.name for each in sitting)
    _check_count(state.rules, len(names))
    asked = command.starter if command.starter is not None else _starter_before(state)
    if asked == "throw" and _drawn(sitting):
        raise RefusalError("homes/starter")
    first, starter = starting.chosen(state, state.rules, names, asked, draw)
    rules, money = state.rules, state.stakes
    plain = GameStarted(game, 0, rules.id, names, state.house, first=first, starter=starter, stakes=money)
    plain = replace(plain, simultaneous=rules.simultaneous)
    return (_started(state, sitting, sight, plain),)


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
    """A player is called otherwise, at any time before the game is over."""
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
    if seat >= len(state.players) or (state.players[seat].gone and not gone):
        raise RefusalError("player/unknown", last=len(state.players) - 1)
    return seat
