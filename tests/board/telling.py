"""What stations tell, made by hand, as docs/mqtt.md has it."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from board.hall import Hall
from board.store import BoardLog, SqliteFile

AT = "2026-01-06T19:30:00+00:00"


def game_over(
    station: str,
    event: int,
    game: int,
    scores: dict[str, int],
    *,
    ended_by: str = "complete",
    at: str = AT,
    late: bool = True,
    game_id: str = "",
    winners: Collection[str] | None = None,
) -> tuple[str, bytes]:
    """A game that ended; most points win, where nobody says who does."""
    best = max(scores.values())
    told = {
        "event": event, "kind": "game_over", "game": game, "game_id": game_id, "at": at, "late": late,
        "ended_by": ended_by,
        "winners": [
            name for name, points in scores.items()
            if (points == best if winners is None else name in winners)
        ],
        "scores": [{"name": name, "total": points} for name, points in scores.items()],
    }  # fmt: skip
    return f"yacht/1/{station}/event/game_over", json.dumps(told).encode()


def undo(
    station: str, event: int, game: int, scores: dict[str, int] | None = None, *, game_id: str = ""
) -> tuple[str, bytes]:
    """A step that was taken back in that game."""
    told = {
        "event": event,
        "kind": "undo",
        "game": game,
        "game_id": game_id,
        "at": AT,
        "late": True,
        "undone_game": game,
        "scores": [{"name": name, "total": points} for name, points in (scores or {}).items()],
    }
    return f"yacht/1/{station}/event/undo", json.dumps(told).encode()


def state(station: str, version: int, players: dict[str, int], **more: Any) -> tuple[str, bytes]:
    """A state with the fields that the board reads."""
    shown = {
        "version": version, "game": 1, "phase": "throwing", "waiting_for": "", "rules_title": "Yacht",
        "active_player": 0, "finished": False, "ended_by": None, "winners": [],
        "players": [
            {"name": name, "total": total, "boxes": {"ones": total, "twos": None}}
            for name, total in players.items()
        ],
    }  # fmt: skip
    return f"yacht/1/{station}/state", json.dumps({**shown, **more}).encode()


def open_hall(folder: Path) -> tuple[Hall, BoardLog]:
    """A hall on a file of its own."""
    kept = BoardLog(SqliteFile(folder))
    return Hall(kept), kept
