"""`yacht doctor --buttons`: what each button does, said live."""

import threading

import pytest

from messages.errors import FailedError
from station.cli import run
from station.devices.button_test import Trial
from tests.devices.rigs import SimulatedRig

DEADLINE_S = 60.0


def test_each_press_is_reported_and_lights_its_lamp(any_rig):
    stop, said, lit = threading.Event(), [], []
    news = threading.Condition()

    def say(line):
        with news:
            said.append(str(line))
            lit.append(any_rig.lit())
            news.notify_all()

    def wait_for(text):
        with news:
            assert news.wait_for(lambda: any(text in line for line in said), DEADLINE_S), said

    trial = Trial(any_rig.buttons, any_rig.lamps, say)
    thread = threading.Thread(target=trial.run, args=(stop,))
    thread.start()
    wait_for("Press the buttons")
    any_rig.close("hold-2")
    wait_for("hold button 2: pressed (keeps die 2, or lets it go)")
    assert lit[-1] == {"hold-2"}
    any_rig.open("hold-2")
    wait_for("hold button 2: released")
    any_rig.close("confirm")
    wait_for("confirm button: long press (goes to choosing a box)")
    any_rig.turn(1)
    wait_for("knob: forward")
    stop.set()
    thread.join(DEADLINE_S)
    assert not thread.is_alive()
    assert any_rig.lit() == set()


def test_a_button_that_is_down_from_the_start_is_reported():
    any_rig = SimulatedRig()
    any_rig.close("hold-4")
    lines = []
    stop = threading.Event()
    stop.set()
    Trial(any_rig.buttons, any_rig.lamps, lines.append).run(stop)
    assert str(lines[0]).startswith("hold button 4: pressed right now")


def test_a_machine_without_pins_says_so(capsys, monkeypatch):
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    monkeypatch.setattr("gpiozero.Device.pin_factory", None)
    assert run(["doctor", "--buttons"]) == 1
    assert "does not work" in capsys.readouterr().err


def test_pins_taken_twice_are_reported(any_rig):
    if not hasattr(any_rig, "factory"):
        pytest.skip("thought-of buttons cannot be taken twice")
    any_rig.lamps.start()
    again = type(any_rig.lamps)(any_rig.pins, any_rig.factory)
    with pytest.raises(FailedError, match="The hold lamp 1 on pin 5 does not work"):
        again.start()
