"""What the last change is told as, on the screens and aloud: decided here, said by whoever speaks.

Pure; not kept. Each telling has a number of its own, so that none is said twice.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from messages.message import Message
from station.contract.view import Text
from station.game.log.state import Phase, State, totals
from station.game.sentences import announced, box_written, result
from station.rules.dice import ALIKE
from station.rules.scoring.of_a_kind import OfAKind
from station.rules.scoring.yacht import Yacht


@dataclass(frozen=True, slots=True)
class WrittenView:
    """A box that was written."""

    player: Annotated[int, Field(description="Index into `players`.")]
    category: str


@dataclass(frozen=True, slots=True)
class NewsView:
    """What the last change was told as: what a screen that speaks says, and the loudspeaker."""

    number: Annotated[int, Field(description="Another one each time: what has that of before was told.")]
    kind: Annotated[
        Literal["starts", "roll", "score", "yacht", "corrected", "back", "end"],
        Field(description="`back`: what is being said is no more so, and is broken off."),
    ]
    text: Text
    boxes: Annotated[tuple[WrittenView, ...], Field(description="Those that a score wrote.")] = ()


def news(before: State, after: State, last: NewsView | None, number: int) -> NewsView | None:
    """What is told of a change; `last`, what was told before, where that is nothing. number: a new one."""
    now, were = after.past, before.past
    if now == were[: len(now)]:
        gone = any(event.told_back for event in were[len(now) :]) or _filled(after, before)
        return NewsView(number, "back", Message("news/taken_back")) if gone else last
    if after.phase is Phase.FINISHED and before.phase is not Phase.FINISHED:
        return NewsView(number, "end", result(after))
    if before.phase is Phase.STARTING and after.phase is Phase.THROWING:
        return NewsView(number, "starts", Message("news/starts", name=after.player.name))
    if now[-1].corrects:
        box = now[-1].box
        told = box_written(after, *box) if box else Message("news/corrected", faces=_faces(after))
        return NewsView(number, "corrected", told)
    if now[-1].is_roll:
        return NewsView(number, "roll", Message("news/throw", n=after.throws_done, faces=_faces(after)))
    return _score(before, after, last, number) or last


def _score(before: State, after: State, last: NewsView | None, number: int) -> NewsView | None:
    """The boxes that were filled; after a step back without the lead again."""
    filled, said = _filled(before, after), announced(after)
    if not filled or said is None:
        return None
    if last is None or last.kind != "back":
        said = _with_lead(after, said)
    yacht = any(_is_yacht(after, each) for each in filled)
    return NewsView(number, "yacht" if yacht else "score", said, filled)


def _faces(state: State) -> str:
    """The roll, slot by slot."""
    return " ".join(str(die.face) for die in state.dice)


def _filled(before: State, after: State) -> tuple[WrittenView, ...]:
    """The boxes that were open; people are known by their names, for they change places."""
    sheets = {player.name: player.sheet for player in before.players}
    return tuple(
        WrittenView(seat, entry.category)
        for seat, player in enumerate(after.players)
        for entry in player.sheet.entries
        if player.name in sheets and sheets[player.name].points(entry.category) is None
    )


def _is_yacht(state: State, box: WrittenView) -> bool:
    """Whether that box asks for five alike, and got them."""
    scoring = state.played.box(box.category).scoring
    alike = isinstance(scoring, Yacht) or (isinstance(scoring, OfAKind) and scoring.length >= ALIKE)
    return alike and bool(state.players[box.player].sheet.points(box.category))


def _with_lead(state: State, said: Message) -> Message:
    """The same, and who leads by how many points; nobody alone."""
    there = [player for player in state.players if not player.gone]
    if len(there) < 2:  # noqa: PLR2004
        return said
    points = {player.name: totals(state, player).total for player in there}
    first, second = sorted(points, key=points.__getitem__, reverse=True)[:2]
    ahead = points[first] - points[second]
    lead = Message("news/leads", name=first, n=ahead) if ahead else Message("news/tie")
    return Message("announced/more", said=said, more=lead)
