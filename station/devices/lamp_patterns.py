"""Which lamp burns how: derived from the state alone, never from what happened. Pure."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

PULSE_S = 1.6
"""One slow pulse: a hint."""
BLINK_S = 0.24
"""One fast blink: a problem. Slower than three flashes in a second would be hard to tell from a pulse."""


class Light(StrEnum):
    """How a lamp burns."""

    OFF = "off"
    ON = "on"
    PULSE = "pulse"
    BLINK = "blink"


def lights(
    state: Mapping[str, Any], *, hinted: Iterable[int] = (), troubled: bool = False
) -> dict[str, Light]:
    """The light of every lamp: held dice on, a hint pulses, confirm waits for a yes, a problem blinks.

    state: what every screen is told too. hinted: slots recommended to hold. troubled: a press has just
    been refused.

    >>> lights({"phase": "holding", "dice": [{"slot": 2, "held": True}], "commands": []})["hold-2"]
    <Light.ON: 'on'>
    """
    found = {f"hold-{slot}": Light.OFF for slot in range(1, 6)}
    for slot in hinted:
        if f"hold-{slot}" in found:  # of ten dice only five have a lamp
            found[f"hold-{slot}"] = Light.PULSE
    for die in state.get("dice", ()):
        if die.get("held") and f"hold-{die['slot']}" in found:
            found[f"hold-{die['slot']}"] = Light.ON
    found["confirm"] = Light.ON if _waits_for_yes(state) else Light.OFF
    playing = state.get("phase") in {"throwing", "holding", "choosing"}
    if troubled or (playing and state.get("problem")):
        found["confirm"] = Light.BLINK
    return found


def _waits_for_yes(state: Mapping[str, Any]) -> bool:
    """A roll can be confirmed, or a marked box taken."""
    return "accept_roll" in state.get("commands", ()) or bool(
        state.get("phase") == "choosing" and state.get("choice")
    )


def burns(light: Light, now_s: float) -> bool:
    """Whether a lamp of that light is on at that moment.

    >>> [burns(Light.PULSE, t) for t in (0.0, 0.7, 0.9, 1.7)]
    [True, True, False, True]
    """
    match light:
        case Light.PULSE:
            return now_s % PULSE_S < PULSE_S / 2
        case Light.BLINK:
            return now_s % BLINK_S < BLINK_S / 2
        case _:
            return light is Light.ON
