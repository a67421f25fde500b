"""`yacht restore`: put a copy back."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from messages.message import Message
from station.commands.language import say
from station.commands.station_options import FOLDER_OPTION


@click.command()
@FOLDER_OPTION
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Settings file to write the copy's settings to (default: they stay in the copy).",
)
@click.option("--with-access", is_flag=True, help="Take hosts, PIN and seats from the copy, too.")
@click.argument("source", type=click.Path(path_type=Path, dir_okay=False))
def command(*, data: Path, config_file: Path | None, with_access: bool, source: Path) -> None:
    """Put the copy SOURCE in the place of everything. The station must not be running.

    SOURCE is a copy, or what `yacht export --format everything` wrote. What is there now is kept beside it
    under another name. Hosts, PIN and seats stay as they are here, unless --with-access is given.
    """
    from station.store import restore

    kept = restore(
        source,
        data,
        now=datetime.now(UTC),
        settings=config_file,
        with_access=with_access,
        told=partial(say, err=True),
    )
    say(Message("yacht/restore/done", source=str(source), data=str(data)))
    if kept is not None:
        say(Message("yacht/restore/kept", path=str(kept)))
