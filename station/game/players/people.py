"""Who plays: how many, starting a game, joining late, leaving, playing again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from messages.errors import RefusalError
from station.contract.new_game import Rematch, StarterWord, StartGame
from station.game.dice.sights import Sight, as_left
from station.game.log.state import Phase, State, rule_set
from station.game.players import computer, seats, stakes, starting
from station.game.players.starting import Draw
from station.game.steps import Event, GameStarted
from station.game.steps.start_game import Seat, lists_of
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
