"""The light of each lamp, derived from the state alone, never from events. Pure."""

from collections.abc import Iterable
from enum import StrEnum

from station.contract.command import HOLD_BUTTONS, Button
from station.contract.commands import COMMANDS
from station.contract.view import TableView
from station.game.feature import Feature, buttons_from, implementing

PULSE_S = 1.6
"""One slow pulse: a hint."""
FLASH_SHARE = 0.1
"""Share of a pulse in which a flash is on: a free die, where the buttons act for later dice."""
BLINK_S = 0.24
"""One fast blink: a problem. Slower than three flashes in a second would be hard to tell from a pulse."""


class Light(StrEnum):
    """The lights of a lamp."""

    OFF = "off"
    ON = "on"
    PULSE = "pulse"
    BLINK = "blink"
    FLASH = "flash"


ROUNDS = (Light.ON, Light.PULSE, Light.BLINK)
"""The light of a row's lamp: for the first five rows, the next, and those after."""
FIFTEEN = len(HOLD_BUTTONS) * len(ROUNDS)
"""Number of rows that the lamps distinguish."""


def lights(state: TableView, *, hinted: Iterable[int] = (), troubled: bool = False) -> dict[str, Light]:
    """The light of every lamp: held dice on, a hint pulses, confirm waits for a yes, a problem blinks.

    Of more dice the lamps tell of those for which the buttons act; unless these are the first, free ones
    flash.

    While a box is chosen the lamps count out the row of the marked one: lamp 1 to 5 is lit for rows 1 to 5,
    pulses for 6 to 10 and blinks for 11 to 15. On longer sheets another lamp flashes as well: the next one to
    the right in the second fifteen rows, the next but one in the third, and so on (after lamp 5 comes lamp
    1). Confirm pulses where features say so. After a game it does, too: a long press begins another.

    hinted: slots recommended to hold. troubled: a press has just been refused, or a screen asks to be host.
    """
    held = {die.slot for die in state.at_hand if die.held}
    found: dict[str, Light] = {}
    first = buttons_from(state)
    for slot, button in enumerate(HOLD_BUTTONS, start=first):
        free = Light.FLASH if first > 1 else Light.OFF
        found[button] = Light.ON if slot in held else Light.PULSE if slot in hinted else free
    if state.phase == "choosing":
        found |= _counted_out(state)
    found[Button.CONFIRM] = Light.ON if _waits_for_yes(state) else Light.OFF
    if any(feature.pulses(state) for feature in implementing(Feature.pulses)):
        found[Button.CONFIRM] = Light.PULSE
    lobby = state.phase == "lobby" and bool(state.players) and "start_game" in state.commands
    if lobby or (state.finished and "rematch" in state.commands):
        found[Button.CONFIRM] = Light.PULSE
    playing = state.phase not in {"lobby", "finished"}
    if troubled or (playing and state.problem):
        found[Button.CONFIRM] = Light.BLINK
    return found


def _counted_out(state: TableView) -> dict[str, Light]:
    """The row of the marked box on the hold lamps; nothing while none is marked."""
    rows = [row.category for row in state.categories]
    found: dict[str, Light] = dict.fromkeys(HOLD_BUTTONS, Light.OFF)
    if state.choice in rows:
        fifteens, row = divmod(rows.index(state.choice), FIFTEEN)
        fives, lamp = divmod(row, len(HOLD_BUTTONS))
        found[HOLD_BUTTONS[(lamp + fifteens) % len(HOLD_BUTTONS)]] = Light.FLASH
        found[HOLD_BUTTONS[lamp]] = ROUNDS[fives]
    return found


def _waits_for_yes(state: TableView) -> bool:
    """A roll can be confirmed, a marked box taken, a player at the table be ready, a feature go on."""
    if state.awaits_player is not None:
        return state.awaits_player
    offered = any(COMMANDS[name].by_confirm for name in state.commands)
    return offered or (state.phase == "choosing" and state.choice is not None)


def burns(light: Light, now_s: float) -> bool:
    """Whether a lamp of that light is on at that moment.

    >>> [burns(Light.PULSE, t) for t in (0.0, 0.7, 0.9, 1.7)]
    [True, True, False, True]
    """
    match light:
        case Light.PULSE:
            return now_s % PULSE_S < PULSE_S / 2
        case Light.FLASH:
            return now_s % PULSE_S < PULSE_S * FLASH_SHARE
        case Light.BLINK:
            return now_s % BLINK_S < BLINK_S / 2
        case _:
            return light is Light.ON
