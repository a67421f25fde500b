"""The boxes that may be filled now: what they are worth, and which one is marked."""

from messages.errors import RefusalError
from station.game.announcing import writable
from station.game.log.state import Phase, State
from station.rules import potentials


def worth_now(state: State) -> dict[str, int]:
    """What the boxes that may be filled now would score, in page order."""
    own = state.own
    if own.rules is None or not own.running or not own.dice:
        return {}
    worth = potentials(own.rules, own.player.sheet, own.faces, own.throws_done)
    return {category: worth[category] for category in writable(own, worth)}


def first_mark(state: State) -> str | None:
    """Where the mark starts: at the box that was picked, or scores most now, the first of equal ones."""
    if state.phase is not Phase.CHOOSING:
        return None
    if state.simultaneous and state.player.copy.chosen is not None:
        return state.player.copy.chosen
    worth = worth_now(state)
    return max(worth, key=lambda category: worth[category], default=None)


def check_mark(state: State, category: str) -> None:
    """Raise RefusalError `box/unknown` or `box/filled` unless the box may be marked."""
    if state.rules is not None and category not in state.rules.categories:
        raise RefusalError("box/no_such", code="box/unknown", category=category)
    if category not in worth_now(state):
        raise RefusalError("box/not_now", code="box/filled")
