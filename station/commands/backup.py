"""`yacht backup`: a copy of everything, also while the station runs."""

from datetime import UTC, datetime
from pathlib import Path

import click

from messages.message import Message
from station.commands.language import say
from station.commands.station_options import CONFIG_OPTION, FOLDER_OPTION


@click.command()
@FOLDER_OPTION
@click.option("--keep", type=click.IntRange(min=1), help="Of its own copies, the newest (default: as set).")
@CONFIG_OPTION
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
def command(*, data: Path, keep: int | None, config_file: Path | None, target: Path | None) -> None:
    """Copy everything to TARGET: games, players, seats, profiles, house rules and the settings of --config.

    Without TARGET the copy goes to the folder "backups" in the data folder and to the second place that the
    settings name, and only the newest ones are kept there.
    """
    from station.config import load_settings
    from station.data_folder import data_files
    from station.store import Places, backup

    config, files = load_settings(config_file), data_files(config_file)
    if target is not None:
        backup(data, target, files)
        say(Message("yacht/backup/copied", path=str(target)))
        return
    places = Places(data, files, keep or config.backups_kept, config.backups_second)
    for place in places.all:
        path, gone = places.copy_to(place, datetime.now(UTC))
        say(Message("yacht/backup/copied", path=str(path)))
        for old in gone:
            say(Message("yacht/backup/deleted", file=old.name))
