"""`yacht export`: past games as CSV, JSON or a score sheet to print."""

from pathlib import Path

import click

from messages.errors import BadInputError
from messages.message import Message
from station.commands.folders import FOLDER_OPTION
from station.commands.language import language, say


@click.command()
@FOLDER_OPTION
@click.option(
    "--format", "form", type=click.Choice(["csv", "json", "sheet"]), default="csv", show_default=True,
    help="csv: a line for each player; json: with every event; sheet: to print.",
)  # fmt: skip
@click.option("--game", "number", type=int, help="Only this game (default: all).")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write (default: print)."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def command(*, data: Path, form: str, number: int | None, output: Path | None, as_json: bool) -> None:
    """Write out past games. The station may be running."""
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
        else:
            sheets = (export.sheet_text(game, language(), archive.transcript(game.game)) for game in games)
            text = "\n".join(sheets)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInputError("store/not-written", code="input/bad", path=str(output), why=why) from error
    say(Message("yacht/export/written", count=len(games), path=str(output)), err=True)
