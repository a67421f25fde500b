"""`yacht board`: many tables, one evening."""

import logging
import signal
import sys
from pathlib import Path

import click

from messages.message import Message
from station.commands.language import say, words


@click.command("board")
@click.option("--host", metavar="ADDRESS", help="Address to listen on (default: every network).")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port of the pages (default: 8090; 0: any that is free)."
)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder; it has one in it.")
@click.option(
    "--config", "config_file", type=click.Path(path_type=Path, dir_okay=False), help="Settings file."
)
@click.option("--debug", is_flag=True, help="Log everything, show the traceback of an error.")
def command(
    *, host: str | None, port: int | None, data: Path | None, config_file: Path | None, debug: bool
) -> None:
    """Show many tables on one screen and every phone, and keep the club's evening.

    Follows the stations at the broker that [mqtt] of the settings names; options stand above the file.
    """
    from station import config as settings
    from station import resources

    resources.bound()
    config = settings.load(config_file, host=host, data=data)
    if port is not None:
        config = config.model_copy(update={"board": config.board.model_copy(update={"port": port})})
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.DEBUG if debug else logging.INFO,
        format="%(levelname)s %(name)s: %(message)s",
    )
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)

    from station.board.app import Board

    board = Board(config)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, board.ask_to_stop)
    board.start()
    try:
        _line(
            "broker", words(Message("board/no_broker")) if board.listener is None else str(config.mqtt.host)
        )
        _line("kept", board.kept.where)
        _line("code", board.code)
        for i, address in enumerate(board.addresses):
            _line("or" if i else "open", address)
        resources.settle()
        board.wait()
        say(Message("yacht/run/stopping"))
    finally:
        board.stop()


def _line(what: str, told: str) -> None:
    click.echo(f"{words(Message(f'yacht/run/what/{what}')):8} {told}")
