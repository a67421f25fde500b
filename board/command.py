"""`yacht board`: many tables, one evening."""

import signal
from pathlib import Path

import click

from messages.message import Message
from station.commands.language import say, say_line, words
from station.commands.station_options import CONFIG_OPTION, DEBUG_OPTION, HOST_OPTION, log_to_terminal


@click.command("board")
@HOST_OPTION
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port of the pages (default: 8090; 0: any that is free)."
)
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder; it has one in it.")
@CONFIG_OPTION
@DEBUG_OPTION
def command(
    *, host: str | None, port: int | None, data: Path | None, config_file: Path | None, debug: bool
) -> None:
    """Show many tables on one screen and every phone, and keep the club's evening.

    Follows the stations at the broker that [mqtt] of the settings names; options stand above the file.
    """
    from station import resources
    from station.config import load_settings

    resources.bound()
    config = load_settings(config_file, host=host, data=data)
    if port is not None:
        config = config.model_copy(update={"board": config.board.model_copy(update={"port": port})})
    log_to_terminal(debug=debug)

    from board.app import Board

    board = Board(config)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, board.ask_to_stop)
    board.start()
    try:
        say_line(
            "broker", words(Message("board/no_broker")) if board.listener is None else str(config.mqtt.host)
        )
        say_line("kept", board.store.where)
        say_line("code", board.code)
        for i, address in enumerate(board.addresses):
            say_line("or" if i else "open", address)
        resources.settle()
        board.wait()
        say(Message("yacht/run/stopping"))
    finally:
        board.stop()
