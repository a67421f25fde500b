"""What a game is begun with: who plays and how, who starts, and for what."""

import re
from typing import Annotated, Literal

from pydantic import Field

from station.contract.fields import HANDICAP_MAX, PLAYERS_MAX, Body, Name, Seat, Word

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
