"""`yacht backup`: a copy of everything, also while the station runs."""

from datetime import UTC, datetime
from pathlib import Path

import click

from messages.message import Message
from station.commands.folders import FOLDER_OPTION
from station.commands.language import say


@click.command()
@FOLDER_OPTION
@click.option("--keep", type=click.IntRange(min=1), help="Of its own copies, the newest (default: as set).")
@click.option(
    "--config", "config_file", type=click.Path(path_type=Path, dir_okay=False), help="Settings file."
)
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
def command(*, data: Path, keep: int | None, config_file: Path | None, target: Path | None) -> None:
    """Copy all games to TARGET.

    Without TARGET the copy goes to the folder "backups" in the data folder, under today's date, and only
    the newest ones are kept there.
    """
    from station import config as settings
    from station.store import backup, prune

    most = keep or settings.load(config_file).backups_kept
    own = data / "backups"
    path = target or own / f"yacht-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite3"
    backup(data, path)
    say(Message("yacht/backup/copied", path=str(path)))
    if target is None:
        for old in prune(own, most):
            say(Message("yacht/backup/deleted", file=old.name))
