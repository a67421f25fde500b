"""What a message of a table says: its state, that it is there, a game that is over, a step taken back.

Pure. Everything comes from outside: what is no contract becomes a sentence, never an error.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from board.reports import Report
from messages.message import Message
from station.contract.fields import Exact, Number, Text

VERSION = "1"
TOPICS = ("state", "availability", "event/game_over", "event/undo")
"""What the board asks for of each table, besides the pairing that it sent there itself."""
TABLES_MAX = 2000
"""More names than that are no hall but a flood."""
KEPT_MAX = 64
"""Letters of a name, and players of a game, that are shown."""

BOXES_MAX = 600
"""More than any sheet has."""

Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{0,64}$")]
Seats = Annotated[tuple[Number, ...], Field(max_length=KEPT_MAX)]


class _Told(BaseModel):
    """Fields of tomorrow pass."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Player(_Told):
    name: Text
    total: Number
    boxes: Annotated[dict[Text, Number | None], Field(max_length=BOXES_MAX)] = {}
    gone: bool = False

    @property
    def played(self) -> bool:
        """As a station tells it when a game ends: not one who left before a box was filled."""
        return not self.gone or any(points is not None for points in self.boxes.values())


class _State(_Told):
    """game_id: None from an older station, "" for a game that is not stored there.

    Another home tells of its end, or the station itself once it stores it.
    """

    version: Exact
    game: Exact
    game_id: Id | None = None
    phase: Text
    waiting_for: Text = ""
    rules_title: Text | None = None
    active_player: Number | None = None
    players: Annotated[tuple[_Player, ...], Field(max_length=KEPT_MAX)]
    finished: bool = False
    ended_by: Text | None = None
    winners: Seats = ()
    announced: Text | None = None


class _Score(_Told):
    name: Text
    total: Number


class _Event(_Told):
    event: Exact
    game: Exact
    game_id: Id = ""
    at: Text = ""
    late: bool = False
    undone_game: Exact | None = None
    ended_by: Text = ""
    winners: Annotated[tuple[Text, ...], Field(max_length=KEPT_MAX)] = ()
    scores: Annotated[tuple[_Score, ...], Field(max_length=KEPT_MAX)] = ()


@dataclass(frozen=True, slots=True)
class LivePlayer:
    """One column, as the board shows it."""

    name: str
    total: int
    won: bool = False


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table now. there: null before the broker has said so. filled, boxes: how far who still plays is.

    guest: a game goes on there that another table tells of.
    """

    table: str
    there: bool | None = None
    version: int = -1
    game: int = 0
    phase: str = ""
    waiting_for: str = ""
    rules: str = ""
    active: int | None = None
    players: tuple[LivePlayer, ...] = ()
    filled: int = 0
    boxes: int = 0
    announced: str = ""
    guest: bool = False


@dataclass(frozen=True, slots=True)
class Heard:
    """What one message came to; of what it is not there is nothing."""

    table: str = ""
    live: LiveTable | None = None
    there: bool | None = None
    report: Report | None = None
    at: str = ""
    late: bool = False
    odd: Message | None = field(default=None)


@lru_cache(TABLES_MAX)
def by_number(name: str) -> tuple[tuple[int, str], ...]:
    """Orders names as people do.

    >>> sorted(["hall-10", "hall-9", "attic"], key=by_number)
    ['attic', 'hall-9', 'hall-10']
    """
    return tuple((int(each) if each.isdecimal() else -1, each) for each in re.split(r"(\d+)", name))


def heard(base: str, topic: str, payload: bytes, seen: int) -> Heard:
    """Read one message. base: what all topics begin with; seen: how far the log of the board is.

    >>> heard("yacht", "yacht/1/kitchen/availability", b"online", 0).there
    True
    >>> heard("yacht", "yacht/2/kitchen/state", b"{}", 0).odd
    Message('board/odd/version', table='kitchen', version='2')
    """
    parts = topic.removeprefix(f"{base}/").split("/", 2)
    if len(parts) < 3 or not parts[1] or len(parts[1]) > KEPT_MAX:  # noqa: PLR2004 - version, table, what
        return Heard(odd=Message("board/odd/topic", topic=topic[:100]))
    version, table, what = parts
    if version != VERSION:
        return Heard(table, odd=Message("board/odd/version", table=table, version=version[:20]))
    try:
        if what == "availability":
            return _available(table, payload)
        if what == "state":
            return _shown(table, payload, seen)
        return _event(table, what, _Event.model_validate_json(payload), seen)
    except (ValidationError, ValueError) as error:
        return Heard(
            table, odd=Message("board/odd/contract", table=table, topic=topic[:100], why=_why(error))
        )


def _why(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)[:100]
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"[:120]


def _available(table: str, payload: bytes) -> Heard:
    if payload not in {b"online", b"offline", b""}:
        raise ValueError(payload[:20].decode(errors="replace"))
    return Heard(table, there=payload == b"online")


def _shown(table: str, payload: bytes, seen: int) -> Heard:
    if not payload:  # somebody had the broker forget a table that is gone for good
        return Heard(table, live=LiveTable(table))
    state = _State.model_validate_json(payload)
    boxes = [points for each in state.players if not each.gone for points in each.boxes.values()]
    players = tuple(
        LivePlayer(each.name, each.total, state.finished and i in state.winners)
        for i, each in enumerate(state.players)
    )
    live = LiveTable(
        table, None, state.version, state.game, state.phase, state.waiting_for, state.rules_title or "",
        None if state.finished else state.active_player, players,
        sum(points is not None for points in boxes), len(boxes), state.announced or "",
        guest=state.game_id == "" and bool(players) and not state.finished,
    )  # fmt: skip
    report = None
    none = state.ended_by == "early" and not any(points is not None for points in boxes)
    if state.finished and players and state.game_id != "" and not none:
        report = Report(
            table, state.game, seen, state.game_id or "", ended=0, ended_by=state.ended_by or "",
            scores=tuple((each.name, each.total) for each in state.players if each.played),
            winners=tuple(each.name for each in players if each.won),
        )  # fmt: skip
    return Heard(table, live=live, report=report)


def _event(table: str, what: str, event: _Event, seen: int) -> Heard:
    if what == "event/undo":
        game = event.game if event.undone_game is None else event.undone_game
        scores = tuple((each.name, each.total) for each in event.scores) if game == event.game else ()
        report = Report(table, game, seen, event.game_id, undone=event.event, scores=scores)
    elif what == "event/game_over":
        scores = tuple((each.name, each.total) for each in event.scores)
        report = Report(
            table, event.game, seen, event.game_id, ended=event.event, at=event.at, ended_by=event.ended_by,
            scores=scores, winners=event.winners,
        )  # fmt: skip
    else:
        raise ValueError(what)
    return Heard(table, report=report, at=event.at, late=event.late)
