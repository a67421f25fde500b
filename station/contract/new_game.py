"""What a game is begun with: who plays and how, who starts, and for what."""

import re
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from station.contract.command import CommandBase, Whose
from station.contract.fields import HANDICAP_MAX, PLAYERS_MAX, Body, Name, Seat, Word

if TYPE_CHECKING:
    from station.game.situation import Situation

STRENGTH = re.compile(r"perfect|to-win|100|[1-9]?[0-9]")
"""How a computer player plays, as a text."""

StarterWord = Literal["throw", "random", "loser", "rotate"]
"""How it is found out who starts: each throws a die, it is drawn, the last loser does, or all in turn."""

Starter = Annotated[
    StarterWord | Seat | None,
    Field(description="Who starts: a word, or an index into the players; the first when left out."),
]


class PlayerAsked(Body):
    """A column of the sheet: a person, a computer player, or a team whose members throw in turn."""

    name: Name
    computer: Annotated[
        Literal["perfect", "to-win"] | Annotated[int, Field(strict=True, ge=0, le=100)] | None,
        Field(description="How it plays: for points, to win, or with a strength of 0 to 100."),
    ] = None
    members: Annotated[
        tuple[Name, ...] | None, Field(min_length=1, max_length=PLAYERS_MAX, description="Of a team.")
    ] = None
    home: Annotated[
        Word | None, Field(description="The station before which it throws; left out: this one.")
    ] = None
    handicap: Annotated[
        int, Field(strict=True, ge=0, le=HANDICAP_MAX, description="Points it begins with.")
    ] = 0
    without_tray: Annotated[
        bool,
        Field(strict=True, description="There is no tray in that home: both stations draw its dice."),
    ] = False


class Stakes(Body):
    """What a game is played for: exact decimals as texts, in a currency or in matches."""

    per_point: Annotated[
        str, Field(max_length=40, description='Of each point of difference, such as "0.05".')
    ]
    big_general: Annotated[
        str | None, Field(max_length=40, description="Besides, from each, for a big general.")
    ] = None
    currency: Annotated[str, Field(max_length=4, description='Its sign, such as "€".')] = ""


class StartGame(CommandBase):
    """Begin a game; left out, the players are those who joined, and the rules the last ones."""

    whose: ClassVar[Whose] = Whose.ANYBODY
    command: Literal["start_game"] = "start_game"
    players: Annotated[
        tuple[Name | PlayerAsked, ...] | None,
        Field(min_length=1, max_length=PLAYERS_MAX, description="In the order in which they throw."),
    ] = None
    rules: Annotated[Word | None, Field(description="The last rule set when left out.")] = None
    starter: Starter = None
    stakes: Annotated[Stakes | None, Field(description="Left out, nothing is played for.")] = None

    @classmethod
    def available(cls, now: "Situation") -> bool:
        """While none is played."""
        return not now.state.running


class Rematch(CommandBase):
    """The same people and rules once more; who starts is found out as before, unless it is said."""

    whose: ClassVar[Whose] = Whose.ANYBODY
    command: Literal["rematch"] = "rematch"
    order: Annotated[
        Literal["keep", "shuffle", "rotate"],
        Field(description="How they sit: as before, by lot, or each one further."),
    ] = "keep"
    starter: Starter = None

    @classmethod
    def available(cls, now: "Situation") -> bool:
        """After a game, while there are as many as its rules take."""
        state, rules = now.state, now.state.rules
        if state.ended_by is None or rules is None:
            return False
        fewest, most = rules.players
        return fewest <= sum(not player.gone for player in state.players) <= most
