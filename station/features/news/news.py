"""The news of the last change, for screens and for speech.

Pure; not stored. Each has a number of its own, so that none is spoken twice.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from messages.message import Message
from station.contract.view import Text
from station.game.feature import Call, PlayedStep
from station.game.log.state import Phase, State, totals
from station.game.sentences import announced, box_written, result, undo_text


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
        Literal[
            "starts", "roll", "yacht", "straight", "last_throw", "score", "zero", "corrected", "back", "end"
        ],
        Field(
            description="`yacht`, `straight`, `last_throw`: a great throw. `zero`: a box without points. "
            "`back`: what is being said is no longer so."
        ),
    ]
    text: Text
    boxes: Annotated[tuple[WrittenView, ...], Field(description="Those that a score wrote.")] = ()


def news(step: PlayedStep, last: NewsView | None, call: Call | None) -> NewsView | None:
    """The news of a step; `last`, the news before, where there is none. call: of the step."""
    before, after, number = step.states[0], step.states[-1], step.number
    now, were = after.past, before.past
    if now == were[: len(now)]:
        back = undo_text(before) if len(now) < len(were) else None
        return NewsView(number, "back", Message("news/taken_back", what=back)) if back else last
    if after.phase is Phase.FINISHED and before.phase is not Phase.FINISHED:
        return NewsView(number, "end", result(after))
    if not isinstance(before.phase, Phase) and after.phase is Phase.THROWING:
        return NewsView(number, "starts", Message("news/starts", name=after.player.name))
    if now[-1].corrects:
        box, faces = now[-1].box, Message("news/corrected", faces=_faces(after))
        text = Message("news/corrected_box", box=box_written(after, *box)) if box else faces
        return NewsView(number, "corrected", text)
    score = _score(before, after, last, number)
    if not any(event.is_roll for event in now[len(were) :]):
        return score or last
    throw = NewsView(number, "roll", Message("news/throw", n=after.throws_done, faces=_faces(after)))
    return _called(call, score or throw) if call else score or throw


def _called(call: Call, throw: NewsView) -> NewsView:
    """The call's words, or the filled box that confirmed the throw, after the call's name."""
    text = throw.text if throw.boxes else call.words
    if call.name is not None:
        text = Message("announced/more", said=call.name, more=text)
    return replace(throw, kind=call.kind, text=text)


def _score(before: State, after: State, last: NewsView | None, number: int) -> NewsView | None:
    """The boxes that were filled; after a step back without the lead again."""
    filled, text = _filled(before, after), announced(after)
    if not filled or text is None:
        return None
    if last is None or last.kind != "back":
        text = _with_lead(after, text)
    zero = not any(after.players[each.player].sheet.points(each.category) for each in filled)
    return NewsView(number, "zero" if zero else "score", text, filled)


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


def _with_lead(state: State, text: Message) -> Message:
    """The same, and who leads by how many points; nobody alone."""
    there = [player for player in state.players if not player.gone]
    if len(there) < 2:  # noqa: PLR2004
        return text
    points = {player.name: totals(state, player).total for player in there}
    first, second = sorted(points, key=points.__getitem__, reverse=True)[:2]
    ahead = points[first] - points[second]
    lead = Message("news/leads", name=first, n=ahead) if ahead else Message("news/tie")
    return Message("announced/more", said=text, more=lead)
