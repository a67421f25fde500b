"""`yacht import`: games from before there was a station, from an old score file."""

from datetime import datetime
from pathlib import Path

import click

from messages.errors import BadInputError, cause
from messages.message import Message
from station.commands.language import say
from station.commands.station_options import FOLDER_OPTION

LARGEST_BYTES = 2_000_000
"""Some 50,000 games."""
TOLD = 20
"""The most wrong lines that are listed one by one."""


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
        new = store.add_past(found)
    finally:
        store.close()
    say(Message("score-file/imported", count=new), err=True)
    if new < len(found):
        say(Message("score-file/there", count=len(found) - new), err=True)


def _text(file: Path) -> str:
    """The text of the file. Raises BadInputError."""
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
