"""The boxes that may be filled now: what they are worth, and which one is marked."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from messages.errors import RefusalError
from station.game.feature import Feature, first_result, implementing
from station.game.log.state import Phase, State
from station.game.way import WAY, own
from station.rules import potentials

if TYPE_CHECKING:
    from station.game.situation import GameCommand


def refusal(state: State, category: str) -> RefusalError | None:
    """The reason why this turn cannot fill that open box; None if it can."""
    found = (feature.refusals(state, (category,)) for feature in implementing(Feature.refusals))
    return next((each[category] for each in found if each), None)


def writable(state: State, categories: Iterable[str]) -> tuple[str, ...]:
    """The open boxes among these that this turn may fill."""
    if state.rules is None:
        return ()
    open_ = tuple(categories)
    refused = [feature.refusals(state, open_) for feature in implementing(Feature.refusals)]
    return tuple(each for each in open_ if not any(each in some for some in refused))


def bound(state: State) -> str:
    """The one box to which the turn is bound; empty where it may go to any."""
    return next(
        (each for each in (feature.bound(state) for feature in implementing(Feature.bound)) if each), ""
    )


def bind(state: State, category: str, *, force: bool = False) -> "GameCommand | None":
    """The command that binds the turn to that box, if the game has one. force: whatever is in the tray."""
    return first_result(Feature.bind, state, category, force=force)


def unadvised(state: State) -> bool:
    """Whether there is no advice for the turn, since it differs from the rules."""
    return any(feature.unadvised(state) for feature in implementing(Feature.unadvised))


def worth_now(state: State) -> dict[str, int]:
    """The points that each box that may be filled now would score, in page order."""
    here = own(state)
    if here.rules is None or not here.running or not here.dice:
        return {}
    worth = potentials(here.rules, here.player.sheet, here.faces, here.throws_done)
    return {category: worth[category] for category in writable(here, worth)}


def first_mark(state: State) -> str | None:
    """The box that is marked first: the picked one, else the first of those with most points now."""
    if state.phase is not Phase.CHOOSING:
        return None
    if (picked := WAY.of(state).picked(state)) is not None:
        return picked
    worth = worth_now(state)
    return max(worth, key=lambda category: worth[category], default=None)


def check_mark(state: State, category: str) -> None:
    """Raise RefusalError `box/unknown` or `box/filled` unless the box may be marked."""
    if state.rules is not None and category not in state.rules.categories:
        raise RefusalError("box/no_such", code="box/unknown", category=category)
    if category not in worth_now(state):
        raise RefusalError("box/not_now", code="box/filled")
