"""Pins the board has for something else: named by the doctor and in the building guide."""

import re
from pathlib import Path

import pytest

from messages.message import Message
from station.config import Config, Pins
from station.devices.pin_conflicts import BUSES, conflicts
from station.health.checks import Level
from station.health.diagnosis import buttons

DOCS = Path(__file__).parents[2] / "docs" / "build.md"


def switched_on(root: Path, *signs: str) -> Path:
    for sign in signs:
        (root / sign).parent.mkdir(parents=True, exist_ok=True)
        (root / sign).touch()
    return root


def clashing(root: Path) -> list[tuple[int, str]]:
    return [(each.pin, each.bus.key) for each in conflicts(Pins(), root)]


def test_a_board_as_it_comes_has_every_pin_free(tmp_path):
    assert clashing(tmp_path) == []


def test_spi_and_one_wire_take_pins_of_the_usual_wiring(tmp_path):
    assert clashing(switched_on(tmp_path, "dev/spidev0.0")) == [(10, "spi0"), (9, "spi0"), (11, "spi0")]
    (tmp_path / "dev/spidev0.0").unlink()
    assert clashing(switched_on(tmp_path, "sys/bus/w1/devices/w1_bus_master1")) == [(4, "one-wire")]


def test_a_fan_takes_the_pin_the_device_tree_names(tmp_path):
    fan = switched_on(tmp_path, "proc/device-tree/fan0/gpios") / "proc/device-tree/fan0/gpios"
    fan.write_bytes(b"".join(each.to_bytes(4) for each in (7, 13, 0)))
    assert clashing(tmp_path) == [(13, "fan")]
    fan.write_bytes(b"")
    assert clashing(tmp_path) == []


def test_the_doctor_names_the_part_and_the_way_out(tmp_path):
    header = tmp_path / "gpiochip0"
    header.touch()
    config = Config(buttons="gpio")
    assert buttons(config, on_a_pi=True, header=header, root=tmp_path).status is Level.OK
    switched_on(tmp_path, "dev/spidev0.0")
    found = buttons(config, on_a_pi=True, header=header, root=tmp_path)
    assert found.status is Level.WARNING
    part, bus = Message("pin/hold-button", number=4), Message("pin/bus/spi0")
    assert found.message == Message("health/buttons/conflict", part=part, pin=10, bus=bus)
    assert "GPIO 10" in str(found.message)


@pytest.mark.parametrize("bus", BUSES, ids=lambda bus: bus.key)
def test_the_guide_has_the_pins_of_every_bus(bus):
    row_of = rf"^\| {re.escape(str(bus.name))} \| GPIO ([0-9, ]+) \|$"
    (row,) = re.findall(row_of, DOCS.read_text(), re.MULTILINE)
    assert {int(pin) for pin in row.split(",")} == bus.pins
