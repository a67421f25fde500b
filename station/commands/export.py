"""`yacht export`: past games as CSV, JSON or a score sheet to print."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messages.atomic_write import replace_file
from messages.errors import BadInputError, FailedError, os_error_as
from messages.message import Message
from station.commands.language import language, say
from station.commands.station_options import FOLDER_OPTION

if TYPE_CHECKING:
    from station.store.archive import Archive, FinishedGame


@click.command()
@FOLDER_OPTION
@click.option(
    "--format", "form", type=click.Choice(["csv", "json", "sheet", "text", "bgstats", "everything"]),
    default="csv", show_default=True,
    help="csv: a line for each player; json: with every event; sheet: to print; text: for 'yacht replay'; "
    "bgstats: plays for the app BG Stats; everything: the whole station as JSON, for 'yacht restore'.",
)  # fmt: skip
@click.option("--game", "number", type=int, help="Only this game (default: all).")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write (default: print)."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--config", "config_file", type=click.Path(path_type=Path, dir_okay=False),
    help="Settings file, a part of everything.",
)  # fmt: skip
def command(
    *,
    data: Path,
    form: str,
    number: int | None,
    output: Path | None,
    as_json: bool,
    config_file: Path | None,
) -> None:
    """Write out past games, or everything. The station may be running."""
    from station.store.database_file import check_target

    if output is not None:
        check_target(data, output)
    if form == "everything":
        if number is not None:
            raise BadInputError("yacht/export/whole", code="input/bad")
        _write(_everything(data, config_file), output)
        return
    from station.store import Archive, export

    with Archive(data) as archive:
        games = [game for game in archive.games() if number in (None, game.game)]
        if number is not None and not games:
            raise BadInputError("yacht/export/no-game", code="input/bad", game=number)
        form = "json" if as_json else form
        if form == "json":
            text = export.json_text(games, {game.game: archive.transcript(game.game) for game in games})
        elif form == "csv":
            text = export.csv_text(games)
        elif form == "bgstats":
            text = _plays(archive, games)
        elif form == "text":
            text = "\n".join(export.page_text(game, archive.transcript(game.game)) for game in games)
        else:
            sheets = (export.sheet_text(game, language(), archive.transcript(game.game)) for game in games)
            text = "\n".join(sheets)
    _write(text, output)
    if output is not None:
        say(Message("yacht/export/written", count=len(games), path=str(output)), err=True)


def _plays(archive: "Archive", games: "list[FinishedGame]") -> str:
    from messages.catalogue import text
    from station.store.archive import rules_of
    from station.store.bg_stats import play_text

    def title(game: "FinishedGame") -> str:
        rules = rules_of(game.rules, archive.transcript(game.game))
        return game.rules if rules is None else text(rules.title, language())

    return play_text(games, title)


def _everything(data: Path, settings: Path | None) -> str:
    """The whole station."""
    import tempfile

    from station.data_folder import data_files
    from station.store import backup, everything

    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy.sqlite3"
        backup(data, copy, data_files(settings))
        return everything.text_of(copy)


def _write(text: str, output: Path | None) -> None:
    """Print it, or put it into a file; one before stays where it cannot be, which raises FailedError."""
    if output is None:
        # what a program reads is UTF-8, as a file is, whatever alphabet the terminal knows
        click.echo(text if sys.stdout.isatty() else text.encode(), nl=False)
        return
    with os_error_as(
        lambda why: FailedError("store/not-written", code="station/failed", path=str(output), why=why)
    ):
        if output.is_file() or (output.parent.is_dir() and not output.exists()):
            replace_file(output.resolve(), text.encode())
        else:
            output.write_text(text, encoding="utf-8")
