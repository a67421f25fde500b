"""`yacht restore`: put a copy back."""

from datetime import UTC, datetime
from pathlib import Path

import click

from station.commands.folders import FOLDER_OPTION


@click.command()
@FOLDER_OPTION
@click.argument("source", type=click.Path(path_type=Path, dir_okay=False))
def command(*, data: Path, source: Path) -> None:
    """Put the copy SOURCE in the place of all games. The station must not be running.

    What is there now is kept beside it under another name.
    """
    from station.store import restore

    kept = restore(source, data, now=datetime.now(UTC))
    click.echo(f"{source} is back in {data}.")
    if kept is not None:
        click.echo(f"What was there before is kept as {kept}.")
