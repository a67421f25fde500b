"""Wiring of the header: buttons and lamps, and the debouncing of presses."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from messages.errors import BadInputError
from messages.message import Message
from station.config.group import Group
from station.contract.command import HOLD_BUTTONS, Button

Pin = Annotated[int, Field(ge=2, le=27, json_schema_extra={"unit": "GPIO number (BCM)"})]
"""A GPIO line on the header; 0 and 1 are kept for the EEPROM of add-on boards."""


ALONE = frozenset(("knob", "buzzer"))
"""Parts that are neither a button nor a lamp."""


class Pins(Group):
    """Where buttons and lamps are wired. The defaults are the twelve free lines of the header's odd side.

    A button connects its pin to ground (the pull-up is inside the Pi); a lamp stands between its pin and
    ground with a resistor of about 330 ohm.
    """

    hold_buttons: Annotated[
        tuple[Pin, Pin, Pin, Pin, Pin],
        Field(title="Hold buttons", description="Pins of the buttons for dice 1 to 5, left to right."),
    ] = (17, 27, 22, 10, 9)
    hold_lamps: Annotated[
        tuple[Pin, Pin, Pin, Pin, Pin],
        Field(title="Hold lamps", description="Pins of the lamps at these buttons."),
    ] = (5, 6, 13, 19, 26)
    confirm_button: Annotated[
        Pin, Field(title="Confirm button", description="Short: yes. Long: choose a box.")
    ] = 11
    confirm_lamp: Annotated[
        Pin, Field(title="Confirm lamp", description="On while a roll waits for a yes.")
    ] = 4
    undo_button: Annotated[
        Pin | None, Field(title="Undo button", description="Takes the last step back; none if left out.")
    ] = None
    encoder: Annotated[
        tuple[Pin, Pin, Pin] | None,
        Field(
            title="Turning knob",
            description="Pins A, B and push of a rotary encoder that chooses the box; none if left out.",
        ),
    ] = None
    buzzer: Annotated[
        Pin | None, Field(title="Buzzer", description="Clicks when a press counts; none if left out.")
    ] = None

    @model_validator(mode="after")
    def _no_pin_twice(self) -> "Pins":
        seen: dict[int, Message] = {}
        for part, pin in self.used():
            if pin in seen:
                raise BadInputError("config/pin-twice", pin=pin, first=seen[pin], second=part)
            seen[pin] = part
        return self

    def of_buttons(self) -> dict[str, int]:
        """Every button that is wired -> its pin; a single one has it under its own name."""
        pins = {each: getattr(self, f"{each.value}_button", None) for each in Button}
        pins |= dict(zip(HOLD_BUTTONS, self.hold_buttons, strict=True))
        return {each.value: pin for each, pin in pins.items() if pin is not None}

    def used(self) -> tuple[tuple[Message, int], ...]:
        """Every part that is wired, with its pin: "hold button 1" and 5, and so on."""
        parts: list[tuple[Message, int]] = []
        for i, (button, lamp) in enumerate(zip(self.hold_buttons, self.hold_lamps, strict=True), start=1):
            parts.append((Message("pin/hold-button", number=i), button))
            parts.append((Message("pin/hold-lamp", number=i), lamp))
        for name, pin in self:
            if isinstance(pin, int):
                parts.append((Message(f"pin/{name.replace('_', '-')}"), pin))
        knob = zip(("a", "b", "push"), self.encoder or (), strict=False)
        parts += [(Message(f"pin/knob-{name}"), pin) for name, pin in knob]
        return tuple(parts)


def called(name: str, kind: Literal["button", "lamp"] = "button") -> Message:
    """The name of a button, or of the lamp beside it, in a sentence. name: as in the ports."""
    if name in HOLD_BUTTONS:
        return Message(f"pin/hold-{kind}", number=HOLD_BUTTONS.index(Button(name)) + 1)
    return Message(f"pin/{name}" if name in ALONE else f"pin/{name}-{kind}")


class PressTimes(Group):
    """Debouncing, and the length of presses."""

    settle_s: Annotated[
        float,
        Field(
            ge=0.001,
            le=0.1,
            title="Settling time",
            description="So long a contact must keep still before it counts.",
            json_schema_extra={"unit": "s"},
        ),
    ] = 0.008
    long_s: Annotated[
        float,
        Field(
            ge=0.3,
            le=3.0,
            title="Long press",
            description="So long confirm must be held down, at the table or on a screen, to choose a box.",
            json_schema_extra={"unit": "s"},
        ),
    ] = 0.7
    stuck_s: Annotated[
        float,
        Field(
            ge=5.0,
            le=600.0,
            title="Stuck after",
            description="A button held down longer than this is reported as stuck.",
            json_schema_extra={"unit": "s"},
        ),
    ] = 20.0
