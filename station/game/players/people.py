"""Who plays: how many, starting a game, joining late, leaving, playing again."""

from dataclasses import replace
from typing import get_args

from messages.errors import RefusalError
from station.contract.new_game import StarterWord
from station.features import FEATURES, GAME_OPTIONS
from station.game.dice.sights import Sight, as_left
from station.game.feature import Start
from station.game.log.options import USUAL, chosen
from station.game.log.state import Phase, State, rule_set
from station.game.players import seats, starting
from station.game.players.starting import Draw
from station.game.steps import Event, GameStarted
from station.game.steps.start_game import Rematch, StartGame, of_request
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
    asked = seats.of_table(state) if command.players is None else of_request(command.players)
    again = command.rules is None and state.rules is not None
    house = state.house if again else house
    rules = rule_set(command.rules or (state.rules.id if state.rules else DEFAULT_RULES), house)
    _check_count(rules, len(asked))
    event = _begun(state, house, Start(rules, asked, command.starter), sight, game, draw)
    agreed = {option: option.keep(option.asked(command), rules) for option in GAME_OPTIONS}
    return (replace(event, options=chosen(agreed)),)


def _begun(before: State, house: str, start: Start, sight: Sight, game: int, draw: Draw) -> GameStarted:
    """The event of a game whose own options are as usual. Raises RefusalError."""
    for feature in FEATURES:
        feature.check(start)
    rules = start.rules
    names = tuple(each.name for each in start.seats)
    first, word = starting.chosen(before, rules, names, start.starter, draw)
    left, rolling = as_left(sight)
    seating = tuple(each.options for each in start.seats)
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
        seating=seating if any(each != USUAL for each in seating) else (),
    )


def rematch(state: State, command: Rematch, sight: Sight, game: int, draw: Draw) -> tuple[Event, ...]:
    """A game begins with the people and rules of the one that ended."""
    if state.phase is not Phase.FINISHED or state.rules is None:
        raise RefusalError("game/not_finished")
    sitting = seats.in_order(seats.of_table(state), command.order, draw)
    _check_count(state.rules, len(sitting))
    starter = command.starter if command.starter is not None else _starter_before(state)
    event = _begun(state, state.house, Start(state.rules, sitting, starter), sight, game, draw)
    return (replace(event, options=state.options),)


def _starter_before(state: State) -> StarterWord | None:
    """How it was found out who starts the game before; None where people said it."""
    return next((word for word in get_args(StarterWord) if word == state.starter), None)
