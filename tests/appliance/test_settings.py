"""What is installed agrees with the station that reads it."""

import re
import tomllib

import pytest

from station import cli, config
from tests.appliance.helpers import SERVICES, SYSTEMD

OPTIONAL = {"undo_button", "encoder", "buzzer"}


def commented() -> dict[str, object]:
    """The settings file with its examples switched on."""
    text = (SYSTEMD / "station.toml").read_text()
    return tomllib.loads(re.sub(r"^# (?=\[|\w+ = )", "", text, flags=re.MULTILINE))


def test_the_settings_file_as_installed_changes_nothing():
    assert tomllib.loads((SYSTEMD / "station.toml").read_text()) == {}


def test_its_examples_are_what_holds_without_them():
    settings = config.parse(commented()).model_dump()
    default = config.Config().model_dump()
    for part in OPTIONAL:
        assert settings["pins"].pop(part) is not None
        assert default["pins"].pop(part) is None
    assert settings == default


@pytest.mark.parametrize("unit", SERVICES[:2])
def test_units_call_the_program_with_options_it_has(unit):
    (line,) = re.findall(r"^ExecStart=\S+/yacht (.+)$", (SYSTEMD / unit).read_text(), re.MULTILINE)
    name, *arguments = line.split()
    if name not in cli.COMMANDS:
        pytest.skip(f"this program has no 'yacht {name}'")
    command = cli.yacht.get_command(None, name)
    known = {option for parameter in command.params for option in parameter.opts}
    assert [each for each in arguments if each.startswith("--") and each not in known] == []


def test_units_and_announcement_mean_the_default_port():
    assert f"http://localhost:{config.Config().port}/tv" in (SYSTEMD / "yacht-kiosk.service").read_text()
    assert f'"port", {config.Config().port}' in (SYSTEMD / "install.sh").read_text()
