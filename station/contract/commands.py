"""All commands to the table: the one list that parsing, OpenAPI and docs/api.md are made from.

Requests are the bodies of `POST /api/v1/commands`. An invalid request is a BadInputError; a valid one that is
not possible now is refused by the game (`station.game.steps`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Union

from pydantic import Field

from station.contract.command import Command
from station.features.listed import FEATURES
from station.game.setting_right import MissedDie, NotADie, ReadAgain
from station.game.situation import Situation
from station.game.steps.accept_roll import AcceptRoll, EnterRoll
from station.game.steps.add_player import AddPlayer
from station.game.steps.choose import Choose
from station.game.steps.correct_box import CorrectBox
from station.game.steps.correct_die import CorrectDie
from station.game.steps.end_game import EndGame
from station.game.steps.hold import SetHeld
from station.game.steps.keep_roll import KeepRoll
from station.game.steps.move_player import MovePlayer
from station.game.steps.rematch import Rematch
from station.game.steps.remove_player import RemovePlayer
from station.game.steps.rename_player import RenamePlayer
from station.game.steps.score_box import ScoreBox
from station.game.steps.start_game import StartGame
from station.game.steps.undo import Undo
from station.table.buttons import Press
from station.table.hand import Throw

OF_THE_GAME: tuple[type[Command], ...] = (
    StartGame,
    AcceptRoll,
    EnterRoll,
    CorrectDie,
    SetHeld,
    KeepRoll,
    ScoreBox,
    CorrectBox,
    Choose,
    Undo,
    AddPlayer,
    RenamePlayer,
    RemovePlayer,
    MovePlayer,
    EndGame,
    Rematch,
    NotADie,
    MissedDie,
    ReadAgain,
    Throw,
    Press,
)
"""The commands of every game; each file defines who may send one, when it is on offer and what follows."""


def _listed(own: Iterable[type[Command]], added: Iterable[type[Command]]) -> Iterator[type[Command]]:
    """The commands in the order in which they are described, those of features where they say."""
    added = tuple(added)
    for kind in own:
        yield from (each for each in added if each.precedes is kind)
        yield kind
        yield from (each for each in added if each.follows is kind)
    yield from (each for each in added if each.follows is each.precedes is None)


COMMANDS: Mapping[str, type[Command]] = {
    kind.model_fields["command"].default: kind
    for kind in _listed(OF_THE_GAME, (each for feature in FEATURES for each in feature.commands))
}
"""Name of each command -> its model."""
NAMES = {kind: name for name, kind in COMMANDS.items()}

CommandBody: Any = Annotated[
    Union[tuple(COMMANDS.values())],  # noqa: UP007 - of as many as there are
    Field(
        discriminator="command",
        examples=[{"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"}],
    ),
]
"""The body of a request: one of the commands, named by its field `command`."""


def on_offer(now: Situation) -> tuple[str, ...]:
    """Names of the commands that can be carried out now, given good fields."""
    kinds: Sequence[type[Command]] = [kind for kind in COMMANDS.values() if kind.available(now)]
    for each in now.at_table:
        kinds = each.offered(now.state, kinds)
    return tuple(NAMES[kind] for kind in kinds)
