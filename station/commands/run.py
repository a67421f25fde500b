"""`yacht run`: the station."""

import logging
import os
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from messages.errors import YachtError
from messages.message import Message
from station.commands.language import say, say_line, words
from station.commands.station_options import CONFIG_OPTION, DEBUG_OPTION, HOST_OPTION, log_to_terminal


@click.command()
@click.option(
    "--camera",
    metavar="WHICH",
    help="auto, picamera, picamera:N, usb:N, phone, an address, a folder of frames, a video, or simulated.",
)
@click.option(
    "--buttons", type=click.Choice(["auto", "gpio", "page", "none"]), help="Buttons and lamps to use."
)
@HOST_OPTION
@click.option("--port", type=int, help="Port of the pages (default: 8080; 0: any that is free).")
@click.option("--certificate", metavar="FILE", type=click.Path(path_type=Path), help="For https: PEM file.")
@click.option("--key", metavar="FILE", type=click.Path(path_type=Path), help="Its private key, PEM file.")
@click.option("--https-port", type=int, help="Port of https (default: 8443; 0: any that is free).")
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of games and settings."
)
@CONFIG_OPTION
@click.option("--profile", type=click.Path(path_type=Path, dir_okay=False), help="Profile of the camera.")
@DEBUG_OPTION
def command(*, config_file: Path | None, debug: bool, **given: Any) -> None:
    """Run the station: camera, buttons and pages.

    Options stand above the settings file.
    """
    from station import resources
    from station.config import load_settings

    config = load_settings(config_file, **given)
    log_to_terminal(debug=debug)
    say(Message("yacht/run/starting"))

    threads = resources.bound()  # before numpy and OpenCV are loaded

    from station.app import Station
    from vision.threads import use_threads

    use_threads(threads.opencv)

    insisted = {key for key, value in given.items() if value is not None}
    station = Station(config, settings=config_file, insisted=insisted)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, station.ask_to_stop)
    station.room.requests.show = lambda number: say(Message("yacht/run/host", number=number))
    try:
        station.start()
        seen = station.table.snapshot().camera
        say_line("camera", words(station.note if seen.ok or not seen.message else seen.message))
        say_line("buttons", words(station.panel.name))
        say_line("games", str(station.store.path.resolve()))
        if station.store.trouble is not None:
            say(station.store.trouble, err=True)
        for i, address in enumerate(station.entrances.addresses):
            say_line("or" if i else "open", address)
        for address in station.entrances.secure_addresses:
            say_line("https", address)
        station.wait()
        say(Message("yacht/run/stopping"))
    except BaseException as error:
        if station.stop():
            raise
        click.echo(f"yacht: {words(error.message) if isinstance(error, YachtError) else error}", err=True)
        _leave(1)
    station.stop()
    _leave(0)


def _leave(code: int) -> NoReturn:
    """End this process at once; all that needs closing has been closed.

    Taking Python down in order takes longer than stopping the station. And a thread that comes back from its
    driver meanwhile aborts the process, which systemd would call a failure.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # as for who was started without
            stream.flush()
    os._exit(code)
