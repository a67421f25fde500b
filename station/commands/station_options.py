"""Options of the commands that run a station, or look after its folder."""

import logging
import sys
from pathlib import Path

import click

from station.health.repeated_lines import RepeatedLines, formatter

FOLDER_OPTION = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("data"),
    show_default=True,
    help="Folder of games and settings.",
)
CONFIG_OPTION = click.option(
    "--config", "config_file", type=click.Path(path_type=Path, dir_okay=False), help="Settings file."
)
HOST_OPTION = click.option("--host", metavar="ADDRESS", help="Address to listen on (default: every network).")
DEBUG_OPTION = click.option("--debug", is_flag=True, help="Log everything, show the traceback of an error.")


def log_to_terminal(*, debug: bool) -> None:
    """Log to the terminal, the same line at most once a minute; debug: everything."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter())
    if not debug:
        handler.addFilter(RepeatedLines())
    logging.basicConfig(handlers=[handler], level=logging.DEBUG if debug else logging.INFO)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a burst of screens is no news
