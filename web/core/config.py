"""Settings of the pages, given by the composition root."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


def _nowhere() -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Settings of the pages and the API.

    viewers_max: how many screens may listen at the same time; each one costs the server a thread.
    heartbeat_s: seconds between two signs of life to a listening screen, > 0.
    data_dir: folder for what the web room itself has to remember (seats, host, hints, house style of
        this table); None keeps it in memory until the process ends.
    addresses: where screens reach this station by now, best first ("http://yacht.local:8080"), for the lobby.
    secure_addresses: the same by https, where the house has a certificate; setup shows them.
    names: further names by which screens ask for it, beyond those that are plainly of the house.
    frames: addresses whose pages may show its own in a frame.
    language: of screens whose browser asks for none that we have.
    long_press_s: how long confirm is held down for a long press.
    buttons: whether the sheet draws the buttons of the table.
    """

    viewers_max: int = 200
    heartbeat_s: float = 4.0
    data_dir: Path | None = None
    addresses: Callable[[], tuple[str, ...]] = _nowhere
    secure_addresses: Callable[[], tuple[str, ...]] = _nowhere
    names: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    language: str = "en"
    long_press_s: float = 0.7
    buttons: bool = False
