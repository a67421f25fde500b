"""Writing events down: in one transaction with what follows from them, the results of finished games."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from station.game.events import Event, GameEnded, GameStarted, Undone
from station.game.evolve import UNPLAYABLE, evolve, replay
from station.game.log.state import Phase, State, totals
from station.store import chain
from station.store.archive import decoded, standing
from station.store.chain import Log
from station.store.clock_of_run import ClockOfRun, moved


@dataclass(frozen=True, slots=True)
class Played:
    """An event that was written down elsewhere, with the number that its game had there, and when."""

    game: int
    at: str
    event: Event


def all_played(db: sqlite3.Connection, path: Path) -> list[Played]:
    """All that is written down there, but for the lobby."""
    rows = db.execute("SELECT game, at, body FROM events WHERE game > 0 ORDER BY id").fetchall()
    events = decoded([(body,) for _, _, body in rows], path)
    return [Played(game, at, event) for (game, at, _), event in zip(rows, events, strict=True)]


def _by_game(played: Iterable[Played]) -> dict[int, list[Played]]:
    """The events of each game, in the order in which they began.

    A game whose start was taken back is none: the one before it went on after that, and so ends it here.
    """
    games: dict[int, list[Played]] = {}
    for each in played:
        games.setdefault(each.game, []).append(each)
    undone = {game: sum(isinstance(each.event, Undone) for each in events) for game, events in games.items()}
    return {game: events for game, events in games.items() if 2 * undone[game] < len(events)}


@dataclass(frozen=True, slots=True)
class EventWriter:
    """Writes in a transaction that was begun. log: grows with what is written. next_event: least number."""

    db: sqlite3.Connection
    log: Log
    next_event: int
    clock: ClockOfRun | None = None

    def set_times(self, before: ClockOfRun) -> None:
        """Set the times of games right that the clock showed wrong. before: the clock until it was set."""
        clock = self.clock
        if clock is None or clock.settings == before.settings:
            return
        by, began = clock.settings[-1].by, before.began.isoformat(timespec="seconds")
        for game in [game for game, (_, last) in self.log.spans.items() if last >= before.first]:
            share = chain.of_game(self.db, game)
            row = self.db.execute(
                "SELECT started_at, finished_at FROM games WHERE game = ?", (game,)
            ).fetchone()
            if row is None:
                continue
            times = (moved(at, by) if at >= began else at for at in row)
            self.db.execute("UPDATE games SET started_at = ?, finished_at = ? WHERE game = ?", (*times, game))
            chain.mix_seal(self.db, share, chain.of_game(self.db, game))

    def append(self, events: Sequence[Event], state: State, at: str) -> None:
        """Write events down, and whether the game is finished with them. state: after them."""
        for event in events:
            self._put(event, state, at)

    def take_in(self, played: Iterable[Played], path: Path) -> None:
        """Write games that were played elsewhere, each from its start; anything else is left out.

        An unfinished game ends early when another one begins. path: of this database, for error messages.
        """
        games = _by_game(played)
        state = replay(standing(self.db, self.log, path))
        spans = self.log.spans
        for game, events in games.items():
            number = max(game, *spans, 0) if game not in spans else 0
            number = number if number == game else max((*spans, 0)) + 1
            state = self._take_game(state, number, events)

    def _take_game(self, state: State, number: int, events: Sequence[Played]) -> State:
        """Write down one game, as far as it can be followed; the state after it."""
        if not isinstance(events[0].event, GameStarted):
            return state
        for each in events:
            event = each.event
            if isinstance(event, GameStarted):
                if state.running:
                    state = self._take(state, GameEnded(winners=()), each.at)
                event = replace(event, game=number, previous=state.game)
            try:
                state = self._take(state, event, each.at)
            except UNPLAYABLE:
                return state
        return state

    def _take(self, state: State, event: Event, at: str) -> State:
        after = evolve(state, event)
        self._put(event, after, at)
        return after

    def _put(self, event: Event, after: State, at: str) -> None:
        """Write one event down, and what follows from it. after: the state then, or later in that game."""
        game = self.log.standing[-1][1] if isinstance(event, Undone) else after.game
        self._write(event, game, at)
        if game == after.game:  # not where a start was undone: the game before may have been forgotten
            self._keep_result(after, at)

    def _write(self, event: Event, game: int, at: str) -> None:
        """Put one event at the end of the log."""
        number = max(self.log.last + 1, self.next_event)
        body = json.dumps(event.to_json(), separators=(",", ":"), ensure_ascii=False)
        kind = event.kind.encode()
        hash_ = chain.link(self.log.hash, number, game, at.encode(), kind, body.encode())
        row = (number, game, at, event.kind, body, hash_)
        self.db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", row)
        self.log.add(number, game, kind, hash_)

    def _keep_result(self, state: State, at: str) -> None:
        """A finished game has a row with its results; one that is not, or not any more, has none."""
        over = state.phase is Phase.FINISHED and state.rules is not None
        share = chain.of_game(self.db, state.game)
        if not over and share == chain.START:
            return
        if over:
            self._write_result(state, at)
        else:
            self.db.execute("DELETE FROM games WHERE game = ?", (state.game,))
            chain.put_seal(self.db, "aside")
        chain.mix_seal(self.db, share, chain.of_game(self.db, state.game))

    def _write_result(self, state: State, at: str) -> None:
        """The row of a finished game; one that is there keeps when the game finished."""
        first = self.log.spans[state.game][0]
        (started,) = self.db.execute("SELECT at FROM events WHERE id = ?", (first,)).fetchone()
        started = started if self.clock is None else self.clock.right(started, first)
        # A correction comes here again: the game finished when it finished.
        self.db.execute("DELETE FROM results WHERE game = ?", (state.game,))
        self.db.execute(
            "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?)",
            (state.game, state.played.id, started, at, state.ended_by == "early", state.ended_by),
        )
        for seat, player in enumerate(state.players):
            total = totals(state, player)
            boxes = json.dumps({box: player.sheet.points(box) for box in state.played.categories})
            self.db.execute(
                "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    state.game,
                    seat,
                    player.name,
                    boxes,
                    total.upper,
                    total.bonus,
                    total.extra,
                    total.total,
                    seat in state.winners,
                    player.gone,
                ),
            )
