"""`yacht import`: games from before there was a station, from an old score file."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messages.errors import BadInputError, cause
from messages.message import Message
from station.commands.language import say
from station.commands.station_options import FOLDER_OPTION

if TYPE_CHECKING:
    from station.store.archive import FinishedGame
    from station.store.past_games import PastGame

LARGEST_BYTES = 2_000_000
"""Some 50,000 games."""
TOLD = 20
"""Wrong lines that are told one by one."""


@click.command("import")
@FOLDER_OPTION
@click.option("--rules", "rules_id", required=True, metavar="ID", help="By which they were played.")
@click.argument("file", type=click.Path(path_type=Path))
def command(*, data: Path, rules_id: str, file: Path) -> None:
    """Bring the games of an old score file into the history; stop the station first.

    FILE is CSV with a date and totals on each line (docs/house.md). All of it is taken, or nothing.
    """
    from station import games
    from station.data_folder import data_files
    from station.store import Store, score_file

    games.check(rules_id, games.texts())
    found, faults = score_file.read(_text(file), rules_id, datetime.now().astimezone().date())
    for fault in faults[:TOLD]:
        say(Message("score-file/line", line=fault.line, why=fault.why), err=True)
    if faults:
        raise BadInputError("score-file/refused", code="input/bad", count=len(faults), path=str(file))
    if not found:
        raise BadInputError("score-file/empty", code="input/bad", path=str(file))
    store = Store(data, files=data_files())
    try:
        there = {_of_finished(game) for game in store.games()}
        new = [game for game in found if _of_past(game) not in there]
        store.add_past(sorted(new, key=lambda game: game.finished_at))
    finally:
        store.close()
    say(Message("score-file/imported", count=len(new)), err=True)
    if len(new) < len(found):
        say(Message("score-file/there", count=len(found) - len(new)), err=True)


def _of_finished(game: "FinishedGame") -> tuple[object, ...]:
    """What two games have in common that are the same one."""
    return game.day, game.rules, frozenset((player.name, player.total) for player in game.players)


def _of_past(game: "PastGame") -> tuple[object, ...]:
    day = datetime.fromisoformat(game.finished_at).astimezone().date().isoformat()
    return day, game.rules, frozenset(game.totals)


def _text(file: Path) -> str:
    """What the file says. Raises BadInputError."""
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise BadInputError("score-file/large", code="input/bad", path=str(file))
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInputError(
            "score-file/unreadable", code="input/bad", path=str(file), why=cause(error)
        ) from error
    except UnicodeDecodeError as error:
        raise BadInputError("score-file/no-text", code="input/bad", path=str(file)) from error
