"""`yacht doctor`: one page of checks, and a live trial of the buttons."""

import contextlib
import json
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messages.catalogue import DEFAULT
from messages.message import Message
from station.commands.language import language, words
from station.commands.station_options import CONFIG_OPTION

if TYPE_CHECKING:
    from station.config import Config

EXIT_CODES = {"ok": 0, "info": 0, "warning": 3, "problem": 1}


@click.command()
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of games and settings."
)
@CONFIG_OPTION
@click.option("--camera", metavar="WHICH", help="Camera to look for, as for 'yacht run'.")
@click.option("--port", type=int, help="Port of the pages.")
@click.option("--buttons", "trial", is_flag=True, help="Show live what each button does (end with Ctrl-C).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def command(
    *,
    data: Path | None,
    config_file: Path | None,
    camera: str | None,
    port: int | None,
    trial: bool,
    as_json: bool,
) -> int:
    """Look at camera, buttons, disk, database, memory, certificate, network, heat and power; say what to do.

    Exit code: 0 when all is well, 3 with a warning, 1 with a problem.
    """
    from station.config import load_settings

    config = load_settings(config_file, data=data, camera=camera, port=port)
    if trial:
        return _try_buttons(config)

    from simulator import SimulatedTray
    from station.camera.camera_factory import find_camera
    from station.camera.profiles import PROFILE_NAME
    from station.camera.wanted_picture import WantedPicture
    from station.config.machine import on_a_pi
    from station.health import checks, diagnosis

    profile = config.profile or config.data / PROFILE_NAME
    of_station = own = diagnosis.running(config, DEFAULT if as_json else language())
    if own is None:
        # without a profile, so that one that cannot be read is no reason not to look
        found = find_camera(config, WantedPicture(config, profile.exists).now, insisted=camera is not None)
        own = (diagnosis.camera(found, simulated=isinstance(found, SimulatedTray)),)
    found_checks = [
        *own,
        diagnosis.buttons(config, on_a_pi=on_a_pi()),
        *checks.machine(config.data, profile, scarce=config.limits.scarce),
        *diagnosis.https(config, datetime.now(UTC)),
        diagnosis.port(config, answers=of_station is not None),
        diagnosis.address(config),
    ]
    worst = checks.worst(found_checks)
    if as_json:
        found_json = [check.to_json(DEFAULT) for check in found_checks]
        click.echo(json.dumps({"worst": worst.value, "checks": found_json}))
    else:
        for check in found_checks:
            name = f"{words(check.name)}:"
            mark = words(Message(f"health/mark/{check.status.value}"))
            click.echo(f"{mark:8} {name:13} {words(check.message)}")
    return EXIT_CODES[worst.value]


def _try_buttons(config: "Config") -> int:
    from station.devices.button_test import Trial
    from station.devices.gpio import GpioButtons, GpioLamps

    trial = Trial(GpioButtons(config.pins), GpioLamps(config.pins), click.echo, press=config.press)
    with contextlib.suppress(KeyboardInterrupt):
        trial.run(threading.Event())
    return 0
