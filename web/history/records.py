"""Records that fall: the best total by some rules, of everybody here or of one's own. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from messages.message import Message
from station.contract.view import Text
from station.store.archive import FinishedGame, FinishedPlayer

FEW = 3
"""Whole games before there is a record that can fall."""


@dataclass(frozen=True, slots=True)
class FallenRecord:
    """A record that fell in a game: of everybody here (house), or of the player's own."""

    kind: Literal["house", "own"]
    name: str
    points: int
    before: Annotated[int, Field(description="What it was.")]
    told: Text


def records(games: Sequence[FinishedGame]) -> tuple[FallenRecord, ...]:
    """The records that fell in the latest game, the best first. games: the latest first."""
    if not games or games[0].ended_by != "complete":
        return ()
    latest = games[0]
    before = [game for game in games[1:] if game.rules == latest.rules and game.ended_by == "complete"]
    totals = [(player.name, player.own) for game in before for player in game.whole]
    if len(before) < FEW:
        return ()
    found = []
    house = max(total for _, total in totals)
    best = max((player.own for player in latest.whole), default=0)
    for player in latest.whole:
        own = [total for name, total in totals if name == player.name]
        if player.own == best > house:
            found.append(_record("house", player, house))
        elif len(own) >= FEW and player.own > max(own):
            found.append(_record("own", player, max(own)))
    return tuple(sorted(found, key=lambda each: (each.kind, -each.points)))


def _record(kind: Literal["house", "own"], player: FinishedPlayer, before: int) -> FallenRecord:
    message = Message(f"records/{kind}", name=player.name, points=player.own, before=before)
    return FallenRecord(kind, player.name, player.own, before, message)
