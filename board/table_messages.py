"""Parses messages of tables: state, availability, the end of a game, a step taken back.

Pure. Everything comes from outside: what breaks the contract becomes a sentence, never an error.
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
"""The topics of each table that the board subscribes to, besides the pairing that it publishes itself."""
TABLES_MAX = 2000
"""More names than that are a flood."""
KEPT_MAX = 64
"""Letters of a name, and players of a game, that are shown."""

BOXES_MAX = 600
"""More than any sheet has."""

Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z-]{0,64}$")]
Seats = Annotated[tuple[Number, ...], Field(max_length=KEPT_MAX)]


class _Lenient(BaseModel):
    """Unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class _Player(_Lenient):
    name: Text
    total: Number
    boxes: Annotated[dict[Text, Number | None], Field(max_length=BOXES_MAX)] = {}
    gone: bool = False

    @property
    def played(self) -> bool:
        """Whether the station lists the player when a game ends: not if they left before filling a box."""
        return not self.gone or any(points is not None for points in self.boxes.values())


class _State(_Lenient):
    """game_id: None from an older station, "" for a game that is not stored there.

    Another home reports its end, or the station itself once it stores it.
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


class _Score(_Lenient):
    name: Text
    total: Number


class _Event(_Lenient):
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
    """A table now. there: null until the broker says. filled, boxes: how far those are who still play.

    guest: a game goes on there that another table reports.
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
class TableMessage:
    """One parsed message; fields it does not have keep their defaults."""

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


def parse_message(base: str, topic: str, payload: bytes, after_step: int) -> TableMessage:
    """Parse one message. base: what all topics begin with; after_step: the last step of the board.

    >>> parse_message("yacht", "yacht/1/kitchen/availability", b"online", 0).there
    True
    >>> parse_message("yacht", "yacht/2/kitchen/state", b"{}", 0).odd
    Message('board/odd/version', table='kitchen', version='2')
    """
    parts = topic.removeprefix(f"{base}/").split("/", 2)
    if len(parts) < 3 or not parts[1] or len(parts[1]) > KEPT_MAX:  # noqa: PLR2004 - version, table, what
        return TableMessage(odd=Message("board/odd/topic", topic=topic[:100]))
    version, table, what = parts
    if version != VERSION:
        return TableMessage(table, odd=Message("board/odd/version", table=table, version=version[:20]))
    try:
        if what == "availability":
            return _availability(table, payload)
        if what == "state":
            return _state(table, payload, after_step)
        return _event(table, what, _Event.model_validate_json(payload), after_step)
    except (ValidationError, ValueError) as error:
        return TableMessage(
            table, odd=Message("board/odd/contract", table=table, topic=topic[:100], why=_why(error))
        )


def _why(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)[:100]
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"[:120]


def _availability(table: str, payload: bytes) -> TableMessage:
    if payload not in {b"online", b"offline", b""}:
        raise ValueError(payload[:20].decode(errors="replace"))
    return TableMessage(table, there=payload == b"online")


def _state(table: str, payload: bytes, after_step: int) -> TableMessage:
    if not payload:  # somebody had the broker forget a table that is gone for good
        return TableMessage(table, live=LiveTable(table))
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
            table, state.game, after_step, state.game_id or "", ended=0, ended_by=state.ended_by or "",
            scores=tuple((each.name, each.total) for each in state.players if each.played),
            winners=tuple(each.name for each in players if each.won),
        )  # fmt: skip
    return TableMessage(table, live=live, report=report)


def _event(table: str, what: str, event: _Event, after_step: int) -> TableMessage:
    if what == "event/undo":
        game = event.game if event.undone_game is None else event.undone_game
        scores = tuple((each.name, each.total) for each in event.scores) if game == event.game else ()
        report = Report(table, game, after_step, event.game_id, undone=event.event, scores=scores)
    elif what == "event/game_over":
        scores = tuple((each.name, each.total) for each in event.scores)
        report = Report(
            table, event.game, after_step, event.game_id, ended=event.event, at=event.at,
            ended_by=event.ended_by, scores=scores, winners=event.winners,
        )  # fmt: skip
    else:
        raise ValueError(what)
    return TableMessage(table, report=report, at=event.at, late=event.late)
