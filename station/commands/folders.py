"""The option that names the folder of games and settings."""

from pathlib import Path

import click

FOLDER_OPTION = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("data"),
    show_default=True,
    help="Folder of games and settings.",
)
