"""Which buttons are taken: those of a Pi where there is one, else those of the page."""

import subprocess
import sys
import tempfile

import pytest
from gpiozero import DigitalOutputDevice
from gpiozero.pins.mock import MockFactory, MockPWMPin

from messages.errors import FailedError
from station.config import parse
from station.config.machine import board_model, on_a_pi
from station.devices import factory, gpio
from station.devices.factory import open_devices
from station.devices.panel import Panel
from station.table.table import Table
from tests.devices.rigs import ALL_PARTS, rig


@pytest.mark.parametrize(
    ("wanted", "pi", "where", "drawn"),
    [
        ("none", True, "buttons on the page only", False),
        ("page", True, "buttons on the page only", True),
        ("page", False, "buttons on the page only", True),
        ("auto", False, "buttons on the page only", False),
        ("auto", True, "buttons on the header", True),
        ("gpio", False, "buttons on the header", True),
    ],
)
def test_the_machine_decides_where_nobody_does_and_the_sheet_draws_what_is_wired_or_wanted(
    monkeypatch: pytest.MonkeyPatch,
    wanted: str,
    pi: bool,  # noqa: FBT001
    where: str,
    drawn: bool,  # noqa: FBT001
):
    monkeypatch.setattr(factory, "on_a_pi", lambda: pi)
    buttons, lamps = open_devices(parse({"buttons": wanted}))
    assert str(buttons.name) == where
    assert set(lamps.names) == set(buttons.names)
    assert factory.on_page(parse({"buttons": wanted}), on_a_pi=pi) is drawn


def test_a_pi_is_known_by_its_model(tmp_path):
    model = tmp_path / "proc/device-tree/model"
    assert not on_a_pi(tmp_path)
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert on_a_pi(tmp_path)
    assert board_model(tmp_path) == "Raspberry Pi 5 Model B Rev 1.0"
    model.write_bytes(b"Some other board\0")
    assert not on_a_pi(tmp_path)


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


class LgpioError(Exception):
    """As lgpio declares its own: of no narrower kind."""


def factory_like_lgpio(*, taken: int | None = None, busy: int = 0) -> MockFactory:
    """Mock pins; that pin is taken by a bus, and each is busy so many times when it is let go."""

    class Pin(MockPWMPin):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.busy = busy
            if self.info.name == f"GPIO{taken}":
                raise LgpioError("'GPIO busy'")

        def close(self):
            if self.busy:
                self.busy -= 1
                raise LgpioError("'GPIO busy'")
            super().close()

    return MockFactory(pin_class=Pin)


@pytest.mark.parametrize("pin", [ALL_PARTS.hold_lamps[2], ALL_PARTS.hold_buttons[2], 18])
def test_a_pin_that_a_bus_has_is_reported_in_a_sentence(pin):
    factory = factory_like_lgpio(taken=pin)
    panel = Panel(gpio.GpioButtons(ALL_PARTS, factory), gpio.GpioLamps(ALL_PARTS, factory), Table())
    with pytest.raises(FailedError, match=f"pin(s 15 and)? {pin} .*GPIO busy"):
        panel.start()
    panel.stop()


@pytest.mark.parametrize(("busy", "warned"), [(1, False), (9, True)])
def test_pins_that_are_busy_when_let_go_stop_nothing(busy, warned, caplog):
    factory = factory_like_lgpio(busy=busy)
    buttons, lamps = gpio.GpioButtons(ALL_PARTS, factory), gpio.GpioLamps(ALL_PARTS, factory)
    panel = Panel(buttons, lamps, Table())
    panel.start()
    panel.stop()
    assert not buttons.pressed("hold-1")
    assert ("was not let go: 'GPIO busy'" in caplog.text) is warned
    for pin in factory.pins.values():
        pin.busy = 0  # Python lets go of them once more when it forgets them


@pytest.mark.slow
def test_where_no_pins_are_wanted_no_pin_library_is_loaded():
    code = (
        "import sys; from station.app import Station; from station.config import Config;"
        "from station.devices.factory import open_devices; open_devices(Config(buttons='none'));"
        "print([name for name in sys.modules if name.startswith(('gpiozero', 'lgpio', 'colorzero'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
