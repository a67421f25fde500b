"""Throws and boxes that make people cheer: what an event brought about, in a sentence. Pure."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from messages.message import Message
from station.contract.view import Text
from station.game.log.event import Event
from station.game.log.state import Phase, State
from station.game.players.seats import thrower
from station.rules import sheet_totals
from station.rules.dice import Dice, newly_alike
from station.rules.scoring.straight import AceStraight, Exactly, Run

ROW = 5
"""How many faces in a row make the long straight."""


@dataclass(frozen=True, slots=True)
class GreatView:
    """What the last step brought that deserves to be seen again."""

    kind: Annotated[
        Literal["yacht", "straight", "won"],
        Field(description="Five alike, five in a row, or the last box that turned the game."),
    ]
    words: Text


def great(event: Event, before: State, after: State) -> GreatView | None:
    """What deserves to be seen again after one event; None for nearly all of them."""
    if event.is_roll:
        return _thrown(before, after)
    return _won(before, after) if event.in_turn and after.phase is Phase.FINISHED else None


def _thrown(before: State, after: State) -> GreatView | None:
    if after.rules is None or not after.lying:
        return None
    faces: Dice = tuple(sorted(die.face for die in after.lying))
    name = Message("great/everybody") if after.simultaneous else thrower(before)
    face = newly_alike(faces, before.faces)
    if face is not None:
        return GreatView("yacht", Message("great/yacht", name=name, face=face, count=faces.count(face)))
    if _in_a_row(faces) and not _in_a_row(tuple(sorted(before.faces))) and _pays_for_a_row(after, faces):
        return GreatView("straight", Message("great/straight", name=name, first=faces[0], last=faces[-1]))
    return None


def _in_a_row(faces: Dice) -> bool:
    return len(faces) == ROW and all(two - one == 1 for one, two in pairwise(faces))


def _pays_for_a_row(state: State, faces: Dice) -> bool:
    """Whether the game has a box, filled or not, that asks for such a row."""
    boxes = state.rules.boxes if state.rules else ()
    return any(
        isinstance(box.scoring, Run | Exactly | AceStraight)
        and box.score(faces, state.throws_done).points > 0
        for box in boxes
    )


def _won(before: State, after: State) -> GreatView | None:
    """The last box of the game, where it turned the game."""
    if len(after.winners) != 1 or len(after.players) < 2:  # noqa: PLR2004 - alone nobody wins
        return None
    seat = after.winners[0]
    if after.rules is None:
        return None
    sums = [sheet_totals(after.rules, each.sheet).total for each in before.players]
    rivals = [own for i, own in enumerate(sums) if i != seat and not after.players[i].gone]
    name, category = after.players[seat].name, _filled(before, after, seat)
    if category is None or not rivals or sums[seat] > max(rivals):
        return None
    points = after.players[seat].sheet.points(category)
    box = after.rules.box(category).label
    return GreatView("won", Message("great/won", name=name, box=box, points=points or 0))


def _filled(before: State, after: State, seat: int) -> str | None:
    """The box that this player filled in this step."""
    entries = after.players[seat].sheet.entries
    return entries[-1].category if len(entries) > len(before.players[seat].sheet.entries) else None
