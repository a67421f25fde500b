"""Pins the board has for something else: named by the doctor and in the building guide."""

import re
from pathlib import Path

import pytest

from station.config import Config, Pins
from station.contract.check import Level
from station.contract.view import DeviceView
from station.devices.pin_conflicts import BUSES, conflicts
from station.health.diagnosis import buttons, panel

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


@pytest.mark.parametrize(
    ("model", "there", "taken"),
    [
        ("Raspberry Pi 4 Model B Rev 1.5", "serial0", True),
        ("Raspberry Pi 4 Model B Rev 1.5", "ttyS0", True),
        ("Raspberry Pi 4 Model B Rev 1.5", "ttyAMA0", False),  # Bluetooth
        ("Raspberry Pi 5 Model B Rev 1.0", "serial0", False),  # the debug connector
        ("Raspberry Pi 5 Model B Rev 1.0", "ttyAMA0", True),
        ("Raspberry Pi 500 Rev 1.0", "ttyAMA0", True),
    ],
)
def test_which_serial_port_is_at_the_header_differs_from_board_to_board(tmp_path, model, there, taken):
    (tmp_path / "proc" / "device-tree").mkdir(parents=True)
    (tmp_path / "proc" / "device-tree" / "model").write_text(f"{model}\0")
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / there).symlink_to("ttyAMA10")  # udev's links lead nowhere here
    found = conflicts(Pins().model_copy(update={"confirm_lamp": 14}), tmp_path)
    assert [each.bus.key for each in found] == ["uart"] * taken


def test_a_fan_takes_the_pin_the_device_tree_names(tmp_path):
    path = "proc/device-tree/gpio-fan@0/gpios"
    fan = switched_on(tmp_path, path) / path
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
    assert found == panel(DeviceView("Buttons", ok=True), config, on_a_pi=True, root=tmp_path)
    sentence = str(found.message)
    assert all(
        part in sentence
        for part in ("hold button 4 at GPIO 10 (SPI)", "hold button 5 at GPIO 9", "confirm button at GPIO 11")
    )
    page_only = panel(DeviceView("None", ok=True), Config(buttons="none"), on_a_pi=True, root=tmp_path)
    assert page_only.status is Level.OK


@pytest.mark.parametrize("bus", BUSES, ids=lambda bus: bus.key)
def test_the_guide_has_the_pins_of_every_bus(bus):
    row_of = rf"^\| {re.escape(str(bus.name))} \| GPIO ([0-9, ]+) \|$"
    (row,) = re.findall(row_of, DOCS.read_text(), re.MULTILINE)
    assert {int(pin) for pin in row.split(",")} == bus.pins
