"""Throws and boxes that make people cheer: what an event brought about, in a sentence. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from messages.message import Message
from station.contract.view import Text
from station.game.feature import PlayedStep
from station.game.log.event import Event
from station.game.log.state import Phase, State
from station.game.players.seats import thrower
from station.game.sentences import awaited
from station.game.way import WAY
from station.rules import Box, sheet_totals
from station.rules.dice import ALIKE, Dice, newly_alike
from station.rules.needs import brought
from station.rules.scoring.of_a_kind import OfAKind
from station.rules.scoring.straight import AceStraight, Exactly, Run
from station.rules.scoring.yacht import Yacht

ROW = 5
"""Number of faces in a row that make the long straight."""


@dataclass(frozen=True, slots=True)
class GreatView:
    """What the last step brought that deserves to be seen again."""

    kind: Annotated[
        Literal["yacht", "straight", "last_throw", "won"],
        Field(
            description="Five alike, five in a row, the last throw that brought what was needed, or the last "
            "box that turned the game."
        ),
    ]
    words: Text
    call: Annotated[Text | None, Field(description="What is called at the throw: “Yahtzee!”")] = None


def of_step(step: PlayedStep) -> GreatView | None:
    """The last great thing that the events of a step brought about."""
    found = [great(*each) for each in zip(step.events, step.states, step.states[1:], strict=False)]
    return next((each for each in reversed(found) if each), None)


def great(event: Event, before: State, after: State) -> GreatView | None:
    """The great throw after one event, worth showing again; None for nearly all events."""
    if event.is_roll:
        return _thrown(before, after)
    return _won(before, after) if event.in_turn and after.phase is Phase.FINISHED else None


def _thrown(before: State, after: State) -> GreatView | None:
    if after.rules is None or not after.lying:
        return None
    faces: Dice = tuple(sorted(die.face for die in after.lying))
    name = thrower(before) if WAY.of(after).in_turns else Message("great/everybody")
    face = newly_alike(faces, before.faces)
    if face is not None:
        yacht = [box for box in after.rules.boxes if _asks_for_alike(box)]
        words = Message("great/yacht", name=name, face=face, count=faces.count(face))
        return GreatView("yacht", words, _called(_best(yacht, faces, after)))
    row = [box for box in after.rules.boxes if isinstance(box.scoring, Run | Exactly | AceStraight)]
    straight = _best(row, faces, after) if _in_a_row(faces) else None
    if straight is not None and not _in_a_row(tuple(sorted(before.faces))):
        words = Message("great/straight", name=name, first=faces[0], last=faces[-1])
        return GreatView("straight", words, _called(straight))
    waited = awaited(before) if before.rolls_left == 1 else None
    thrown = tuple(die.face for die in after.dice if die.slot not in before.held)
    hit = brought(*waited, thrown) if waited else None
    return GreatView("last_throw", Message("great/last_throw", name=name), _called(hit)) if hit else None


def _in_a_row(faces: Dice) -> bool:
    return len(faces) == ROW and all(two - one == 1 for one, two in pairwise(faces))


def _asks_for_alike(box: Box) -> bool:
    scoring = box.scoring
    return isinstance(scoring, Yacht) or (isinstance(scoring, OfAKind) and scoring.length >= ALIKE)


def _best(boxes: Sequence[Box], faces: Dice, state: State) -> Box | None:
    """The box, filled or not, for which such dice bring most; None where they bring nothing."""
    best = max(boxes, key=lambda box: box.score(faces, state.throws_done).points, default=None)
    return best if best is not None and best.score(faces, state.throws_done).points > 0 else None


def _called(box: Box | None) -> Message | None:
    """The name of the box, as it is called across the table."""
    return Message("great/call", box=box.row) if box else None


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
