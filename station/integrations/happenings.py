"""Happenings at the table, as they are published: an event of the log, and its result.

Pure. A box, say, is published with its points, a turn with whose it is; the log has only what people did.
This is found by comparing the state before with the state after, so that a box that is corrected, or written
for everybody at the end of a common round, needs no rule of its own.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from messages.catalogue import text
from station.contract.happening import HappeningKind
from station.game.events import (
    BoxCorrected,
    DieCorrected,
    Event,
    GameStarted,
    PlayerMoved,
    PlayerRenamed,
    RollAccepted,
    Undone,
)
from station.game.feature import Feature, implementing
from station.game.log.state import Phase, State, totals
from station.game.way import WAY


@dataclass(frozen=True, slots=True)
class TableEvent:
    """One thing that happened. event: the number of the event in the log that brought it about.

    game_id: tells its game from all others, whatever the station is called; of what was undone, the game in
    which that was. values: JSON, described in docs/mqtt.md.
    """

    event: int
    kind: StrEnum
    at: str
    game: int
    game_id: str
    values: Mapping[str, Any]

    def to_json(self, *, late: bool) -> dict[str, Any]:
        """The JSON that is published. late: it happened while it could not be delivered."""
        published = {"event": self.event, "kind": self.kind.value, "game": self.game, "game_id": self.game_id}
        return published | {"at": self.at, "late": late} | dict(self.values)


def table_events(
    number: int,
    at: str,
    event: Event,
    before: State,
    after: State,
    game_id: Callable[[int], str],
    language: str,
) -> tuple[TableEvent, ...]:
    """The happenings of one event of the log. game_id: of a game by its number; language: of labels."""
    return tuple(
        TableEvent(number, kind, at, after.game, game_id(values.get("undone_game", after.game)), values)
        for kind, values in _events(event, before, after, language)
    )


def _events(
    event: Event, before: State, after: State, language: str
) -> Iterator[tuple[StrEnum, Mapping[str, Any]]]:
    if isinstance(event, Undone):
        yield HappeningKind.UNDO, {"undone_game": before.game, "scores": _scores(after)}
        if None not in (_result(before), _result(after)):
            yield HappeningKind.GAME_OVER, _over(after)  # a correction was taken back, the game is still over
    else:
        if isinstance(event, RollAccepted | DieCorrected):
            yield from _rolled(event, before, after)
        if not isinstance(event, GameStarted | PlayerMoved):
            yield from _written(event, before, after, language)
        if _result(after) is not None and _result(after) != _result(before):
            yield HappeningKind.GAME_OVER, _over(after)
    if not isinstance(event, PlayerMoved | PlayerRenamed) and _turn(after) not in {None, _turn(before)}:
        yield HappeningKind.TURN, _whose(after)


def _whose(state: State) -> dict[str, Any]:
    """The player whose turn it is; none where all play at once."""
    if not WAY.of(state).in_turns:
        return {"player": None, "name": None}
    return {"player": state.active, "name": state.player.name}


def _scores(state: State) -> list[dict[str, Any]]:
    """The scores of all who played, without those who left before filling a box."""
    played = (player for player in state.players if player.fillings or not player.gone)
    return [{"name": player.name, "total": totals(state, player).total} for player in played]


def _rolled(
    event: RollAccepted | DieCorrected, before: State, after: State
) -> Iterator[tuple[StrEnum, Mapping[str, Any]]]:
    faces = [die.face for die in after.lying]
    roll = {
        **_whose(before),
        "faces": faces,
        "throw": max(after.throws_done, before.throws_done + isinstance(event, RollAccepted)),
        "typed": isinstance(event, RollAccepted) and event.typed,
        "corrected": isinstance(event, DieCorrected),
    }
    yield HappeningKind.ROLL, roll
    for feature in implementing(Feature.of_roll):
        for kind, values in feature.of_roll(before, after):
            yield kind, {**_whose(before), **values}


def _written(
    event: Event, before: State, after: State, language: str
) -> Iterator[tuple[StrEnum, Mapping[str, Any]]]:
    """Boxes that were filled or set right."""
    rules = after.rules
    if rules is None or before.game != after.game:
        return
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=False)):
        for category in rules.categories:
            points = new.sheet.points(category)
            if points != old.sheet.points(category):
                yield (
                    HappeningKind.BOX,
                    {
                        "player": seat,
                        "name": new.name,
                        "category": category,
                        "label": text(rules.box(category).label, language),
                        "points": points,
                        "total": totals(after, new).total,
                        "corrected": isinstance(event, BoxCorrected),
                    },
                )


def _result(state: State) -> tuple[object, ...] | None:
    """The result of a game; None while it goes on, and for one that ended before a box was filled."""
    if state.phase is not Phase.FINISHED:
        return None
    if state.ended_by == "early" and not any(player.sheet.entries for player in state.players):
        return None
    return (state.game, state.winners, *(player.sheet for player in state.players))


def _over(state: State) -> dict[str, Any]:
    return {
        "winners": [state.players[seat].name for seat in state.winners],
        "ended_by": state.ended_by,
        "scores": _scores(state),
    }


def _turn(state: State) -> tuple[object, ...] | None:
    """The identity of the turn; None while there is none."""
    if not state.running or not WAY.of(state).scores_in:
        return None
    if not WAY.of(state).in_turns:
        return state.game, sum(len(player.fillings) for player in state.players)
    return state.game, state.active, len(state.player.fillings) - WAY.of(state).filled_in_turn(state)
