"""All events of every game and of the features. The log of a game is a list of them.

Each is defined in a file of its own (`station.game.steps`, `station.features`); this list is all that
reading a log or a line of notation needs.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from messages.errors import BadInputError
from station.features.listed import FEATURES
from station.game.log.event import Event
from station.game.steps.accept_roll import RollAccepted
from station.game.steps.add_player import PlayerAdded
from station.game.steps.choose import ChoosingBegun
from station.game.steps.correct_box import BoxCorrected
from station.game.steps.correct_die import DieCorrected
from station.game.steps.end_game import GameEnded
from station.game.steps.hold import HeldSet
from station.game.steps.keep_roll import RollKept
from station.game.steps.move_player import PlayerMoved
from station.game.steps.remove_player import PlayerRemoved
from station.game.steps.rename_player import PlayerRenamed
from station.game.steps.score_box import BoxScored
from station.game.steps.start_game import GameStarted
from station.game.steps.undo import Undone

OF_THE_GAME: tuple[type[Event], ...] = (
    GameStarted,
    PlayerAdded,
    PlayerRenamed,
    PlayerRemoved,
    PlayerMoved,
    RollKept,
    RollAccepted,
    DieCorrected,
    HeldSet,
    ChoosingBegun,
    BoxScored,
    BoxCorrected,
    GameEnded,
    Undone,
)
"""The events of every game."""

KINDS: Mapping[str, type[Event]] = {
    each.kind: each for each in (*OF_THE_GAME, *(each for feature in FEATURES for each in feature.events))
}
"""All events, by their names in the log."""

SHOWN = 200
"""Letters of a wrong event that its sentence repeats."""

READERS: Mapping[str, Callable[[list[str]], Event]] = {
    word: reader for each in KINDS.values() for word, reader in each.readers().items()
}
"""First word of a line of notation -> what makes an event of the rest."""


def from_json(body: Any) -> Event:
    """The event of that JSON, whatever it holds.

    Raises BadInputError when it is none this version knows.

    >>> from_json(HeldSet((1, 3)).to_json())
    HeldSet(slots=(1, 3), unmoved=())
    """
    kind = body.get("kind") if isinstance(body, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadInputError("event/unknown", kind=ascii(kind)[:SHOWN].strip("'"))
    try:
        return KINDS[kind].of_json(body)
    except ValueError as error:
        raise BadInputError("event/bad", event=repr(body)[:SHOWN], why=_why(error)) from error


def _why(error: ValueError) -> str:
    """The first mistake, in pydantic's English."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
