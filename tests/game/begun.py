"""The start of a game, with options as the log has them."""

from typing import Any

from station.features.listed import GAME_OPTIONS, SEAT_OPTIONS
from station.game.events import GameStarted
from station.game.log.options import chosen
from station.game.steps.start_game import seating_of


def begun(
    game: int, previous: int, rules: str, players: tuple[str, ...], *rest: Any, **given: Any
) -> GameStarted:
    """The event. given: fields of it, and options by the names they have in the log.

    >>> begun(1, 0, "yahtzee", ("Ana", "Ben"), first=1).to_json()["first"]
    1
    """
    agreed = {each: given.pop(each.name) for each in GAME_OPTIONS if each.name in given}
    columns = {each: given.pop(each.listed) for each in SEAT_OPTIONS if each.listed in given}
    seating = seating_of(columns, len(players))
    return GameStarted(
        game, previous, rules, players, *rest, **given, options=chosen(agreed), seating=seating
    )
