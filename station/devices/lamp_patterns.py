"""Which lamp burns how: derived from the state alone, never from what happened. Pure."""

from collections.abc import Iterable
from enum import StrEnum

from station.contract.commands import HOLD_BUTTONS, Button
from station.contract.view import TableView

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


def lights(state: TableView, *, hinted: Iterable[int] = (), troubled: bool = False) -> dict[str, Light]:
    """The light of every lamp: held dice on, a hint pulses, confirm waits for a yes, a problem blinks.

    hinted: slots recommended to hold. troubled: a press has just been refused, or a screen asks to be host.
    """
    # Where all play at once the lamps are those of the player at the table.
    copied = state.simultaneous and state.active_player is not None
    dice = state.players[state.active_player or 0].dice if copied else state.dice
    held = {die.slot for die in dice if die.held}
    found: dict[str, Light] = {}
    for slot, button in enumerate(HOLD_BUTTONS, start=1):  # of ten dice only five have a lamp
        found[button] = Light.ON if slot in held else Light.PULSE if slot in hinted else Light.OFF
    found[Button.CONFIRM] = Light.ON if _waits_for_yes(state) else Light.OFF
    playing = state.phase in {"starting", "throwing", "holding", "choosing"}
    if troubled or (playing and state.problem):
        found[Button.CONFIRM] = Light.BLINK
    return found


def _waits_for_yes(state: TableView) -> bool:
    """A roll can be confirmed, a marked box taken, a player at the table be ready, a computer player move."""
    if state.simultaneous and state.phase in {"holding", "choosing"}:
        return state.active_player in state.waits_for
    asked = {"accept_roll", "computer_move"} & {*state.commands}
    return bool(asked) or (state.phase == "choosing" and state.choice is not None)


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
