"""What is installed agrees with the station that reads it."""

import os
import re
import tomllib

import pytest

from station import cli, config
from tests.appliance.helpers import SERVICES, SYSTEMD, call

OPTIONAL = {"undo_button", "encoder", "buzzer"}


def commented() -> dict[str, object]:
    """The settings file with its examples switched on."""
    text = (SYSTEMD / "station.toml").read_text()
    return tomllib.loads(re.sub(r"^# (?=\[|\w+ = )", "", text, flags=re.MULTILINE))


def test_the_settings_file_as_installed_changes_nothing():
    assert tomllib.loads((SYSTEMD / "station.toml").read_text()) == {}


def test_its_examples_are_what_holds_without_them():
    settings = config.parse(commented()).model_dump()
    default = config.parse({}).model_dump()
    for part in OPTIONAL:
        assert settings["pins"].pop(part) is not None
        assert default["pins"].pop(part) is None
    assert settings == default


@pytest.mark.parametrize("unit", SERVICES[:2])
def test_units_call_the_program_with_options_it_has(unit):
    (line,) = re.findall(r"^ExecStart=\S+ -P \S+/start.py (.+)$", (SYSTEMD / unit).read_text(), re.MULTILINE)
    name, *arguments = line.split()
    if name not in cli.COMMANDS:
        pytest.skip(f"this program has no 'yacht {name}'")
    command = cli.yacht.get_command(None, name)
    known = {option for parameter in command.params for option in parameter.opts}
    assert [each for each in arguments if each.startswith("--") and each not in known] == []


@pytest.mark.parametrize(
    ("typed", "called"),
    [
        ("doctor --json", "doctor --config SETTINGS --data DATA --json"),
        ("export --data mine", "export --data DATA --config SETTINGS --data mine"),
        ("backup", "backup --data DATA --config SETTINGS"),
        ("calibrate --yes", "calibrate --profile DATA/profile.json --config SETTINGS --yes"),
        ("restore copy", "restore --data DATA --config SETTINGS copy"),
        ("replay game.txt --keep", "replay --data DATA game.txt --keep"),
        ("import old.csv --rules yatzy", "import --data DATA old.csv --rules yatzy"),
        ("score --dice 1,2", "score --dice 1,2"),
        ("run", "run"),
        ("", ""),
    ],
)
def test_the_installed_command_means_the_installed_station(typed, called, tmp_path):
    program = tmp_path / "yacht"
    program.write_text('#!/bin/sh\necho "$@"\nexit 3\n')
    program.chmod(0o755)
    environ = {"YACHT_PROGRAM": program, "YACHT_DATA": "DATA", "YACHT_SETTINGS": "SETTINGS"}
    done = call(SYSTEMD / "yacht.sh", *typed.split(), environ={k: str(v) for k, v in environ.items()})
    assert (done.stdout, done.returncode) == (f"{called}\n", 3)
    name, *options = [*called.split(), ""]
    known = {o for p in getattr(cli.yacht.get_command(None, name), "params", ()) for o in p.opts}
    assert {each for each in options if each.startswith("--")} <= known


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("command", ["restore", "backup", "calibrate", "replay", "import"])
def test_what_root_writes_belongs_to_the_station_afterwards(command, tmp_path):
    data, program = tmp_path / "data", tmp_path / "yacht"
    data.mkdir()
    os.chown(data, 12_345, 12_345)
    program.write_text(f"#!/bin/sh\necho games >{data}/games\n")
    program.chmod(0o755)
    done = call(
        SYSTEMD / "yacht.sh", command, "x", environ={"YACHT_PROGRAM": str(program), "YACHT_DATA": str(data)}
    )
    assert done.returncode == 0
    assert (data / "games").stat().st_uid == 12_345


def test_the_command_says_so_where_the_station_runs_a_release_of_the_setup_page(tmp_path):
    """Root does not run what came that way: it is the command that `make install` brought."""
    chosen = tmp_path / "data/program/chosen"
    chosen.parent.mkdir(parents=True)
    chosen.write_text("0.3.0\n\033[31m")
    environ = {"YACHT_PROGRAM": "/bin/echo", "YACHT_DATA": str(tmp_path / "data")}
    done = call(SYSTEMD / "yacht.sh", "rules", environ=environ)
    assert done.stdout == "rules\n"
    assert "the station runs release 0.3.031, from the setup page" in done.stderr


def test_units_and_announcement_mean_the_default_port():
    assert f"http://localhost:{config.Config().port}/tv" in (SYSTEMD / "yacht-kiosk.service").read_text()
    assert f'"port", {config.Config().port}' in (SYSTEMD / "install.sh").read_text()
