"""The ways of determining the starting player."""

from typing import Annotated, Literal

from pydantic import Field

from station.contract.fields import Seat

StarterWord = Literal["throw", "random", "loser", "rotate"]
"""Each throws a die, it is drawn, the last loser does, or all in turn."""

Starter = Annotated[
    StarterWord | Seat | None,
    Field(description="Who starts: a word, or an index into the players; the first when left out."),
]
