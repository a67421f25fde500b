"""`yacht backup`: a copy of everything, also while the station runs."""

from datetime import UTC, datetime
from pathlib import Path

import click

from station.commands.folders import FOLDER_OPTION


@click.command()
@FOLDER_OPTION
@click.option(
    "--keep", type=click.IntRange(min=1), default=14, show_default=True, help="Of its own copies, the newest."
)
@click.argument("target", required=False, type=click.Path(path_type=Path, dir_okay=False))
def command(*, data: Path, keep: int, target: Path | None) -> None:
    """Copy all games to TARGET.

    Without TARGET the copy goes to the folder "backups" in the data folder, under today's date, and only
    the newest ones are kept there.
    """
    from station.store import backup, prune

    own = data / "backups"
    path = target or own / f"yacht-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite3"
    backup(data, path)
    click.echo(f"Copied to {path}.")
    if target is None:
        for old in prune(own, keep):
            click.echo(f"Deleted the old copy {old.name}.")
