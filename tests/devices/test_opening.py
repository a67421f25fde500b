"""Which buttons are taken: those of a Pi where there is one, else those of the page."""

import tempfile

import pytest
from gpiozero import DigitalOutputDevice

from messages.errors import FailedError
from station.config import parse
from station.devices import gpio
from station.devices.factory import open_devices
from station.devices.panel import Panel
from station.table import Table
from tests.devices.rigs import ALL_PARTS, rig


@pytest.mark.parametrize(
    ("wanted", "pi", "name"),
    [
        ("none", True, "buttons on the page only"),
        ("auto", False, "buttons on the page only"),
        ("auto", True, "buttons on the header"),
        ("gpio", False, "buttons on the header"),
    ],
)
def test_the_machine_decides_where_nobody_does(monkeypatch, wanted, pi, name):
    monkeypatch.setattr(gpio, "on_a_pi", lambda: pi)
    buttons, lamps = open_devices(parse({"buttons": wanted}))
    assert str(buttons.name) == name
    assert set(lamps.names) == set(buttons.names)


def test_a_pi_is_known_by_its_model(tmp_path):
    model = tmp_path / "model"
    assert not gpio.on_a_pi(model)
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert gpio.on_a_pi(model)
    model.write_bytes(b"Some other board\0")
    assert not gpio.on_a_pi(model)


def test_lgpio_writes_where_it_may(tmp_path):
    assert gpio.lgpio_folder({"LG_WD": "/somewhere"}) == "/somewhere"
    environ = {"RUNTIME_DIRECTORY": f"{tmp_path}:/other"}
    assert gpio.lgpio_folder(environ) == environ["LG_WD"] == str(tmp_path)
    assert gpio.lgpio_folder({}) == tempfile.gettempdir()


@pytest.mark.parametrize("pin", [ALL_PARTS.hold_lamps[2], ALL_PARTS.hold_buttons[2], 18])
def test_where_one_pin_is_taken_none_is_kept(pin):
    with rig("gpiozero") as made:
        other = DigitalOutputDevice(pin, pin_factory=made.factory)
        panel = Panel(made.buttons, made.lamps, Table())
        with pytest.raises(FailedError, match=f"pin(s 15 and)? {pin} "):
            panel.start()
        assert not made.buttons.pressed("hold-1")
        assert made.lit() == set()
        panel.stop()
        other.close()
        made.lamps.start()
        made.buttons.start(lambda *_: None, lambda _: None)
