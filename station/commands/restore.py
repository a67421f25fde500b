"""`yacht restore`: put a copy back."""

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messages.catalogue import text
from messages.message import Message
from station.commands.language import language, say
from station.commands.station_options import FOLDER_OPTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from station.config.taken import SettingChange


@click.command()
@FOLDER_OPTION
@click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Settings file of this station: kept with what was there before, and see --with-settings.",
)
@click.option(
    "--with-settings", is_flag=True,
    help="Also take settings from the copy into the file of --config: shown line by line, and confirmed.",
)  # fmt: skip
@click.option("--with-access", is_flag=True, help="Take hosts, PIN and seats from the copy, too.")
@click.argument("source", type=click.Path(path_type=Path, dir_okay=False))
def command(
    *, data: Path, config_file: Path | None, with_settings: bool, with_access: bool, source: Path
) -> None:
    """Put the copy SOURCE in the place of everything. The station must not be running.

    SOURCE is a copy, or what `yacht export --format everything` wrote. What is there now is kept beside it
    under another name. Hosts, PIN and seats stay as they are here, unless --with-access is given;
    settings too, unless --with-settings is, and then those alone that name no path, address, port or name.
    """
    from station.data_folder import data_files
    from station.store import restore

    kept = restore(
        source,
        data,
        data_files(config_file),
        now=datetime.now(UTC),
        take=_taken if with_settings else None,
        with_access=with_access,
        notify=partial(say, err=True),
    )
    say(Message("yacht/restore/done", source=str(source), data=str(data)))
    if kept is not None:
        say(Message("yacht/restore/kept", path=str(kept)))


def _taken(theirs: bytes, mine: bytes) -> bytes | None:
    """The settings file with what may be taken out of theirs; None for nothing. Raises BadInputError."""
    from station.config.taken import changes, merged

    found = changes(theirs, mine)
    return merged(mine, found) if _confirmed(found) and found else None


def _confirmed(changes: "Sequence[SettingChange]") -> bool:
    """Print the settings that would change, a line each, and ask for a confirmation."""
    if not changes:
        say(Message("yacht/restore/no-settings"), err=True)
        return False
    for each in changes:
        before = Message("yacht/restore/instead", before=each.before) if each.before else ""
        say(Message("yacht/restore/setting", line=str(each), before=before))
    return click.confirm(text(Message("yacht/restore/take"), language()))
