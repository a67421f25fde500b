"""`python -m station.card.first_start CARD`: installs the station, and shows on port 80 how far it is.

The unit that `yacht card` writes starts it as root at every start of the machine until it is done. Nothing is
installed yet: it runs on Python's standard library and on what the card's wheel has.
"""

import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path

from messages.atomic_write import replace_file
from messages.catalogue import DEFAULT, languages
from messages.errors import FailedError, YachtError, cause
from messages.message import Message
from station.card import page, steps

PAGE_PORT = 80
AFTERWARDS_S = 3600.0
"""So long the page leads on to the station, for a telephone that slept when it was done."""

RETRY_S = (10.0, 20.0, 40.0, 60.0)
"""How long is waited before something is tried again, the last for good."""

_FIRST = page.StartProgress(1)


@dataclass(slots=True)
class FirstStart:
    """The steps, done one after the other, and how far they are.

    wait: lets that many seconds pass. progress: what the page shows, replaced as a whole.
    """

    machine: steps.Machine
    wait: Callable[[float], object]
    progress: page.StartProgress = _FIRST

    def run(self) -> None:
        """Do what is left to do; it returns when the station is there."""
        names = tuple(steps.STEPS)
        for number in range(self._reached() + 1, len(names) + 1):
            self._do(number, steps.STEPS[names[number - 1]])
            self.machine.sync()
            self._reach(str(number).encode())
        self.machine.run(("systemctl", "disable", "yacht-first-start.service"), {})
        replace_file(self.machine.state_folder / "done", b"")
        self.progress = page.StartProgress(len(names), done=True)

    def _do(self, number: int, step: Callable[[steps.Machine], None]) -> None:
        tries = 0
        while True:
            if not tries:
                self.progress = page.StartProgress(number)
                _log(page.words(self.progress, DEFAULT))
            try:
                step(self.machine)
            except YachtError as error:
                message = error.message
            except (OSError, ValueError) as error:
                message = Message("card/trouble/failed", what=cause(error))
            else:
                return
            self.progress = page.StartProgress(number, message)
            _log(str(message))
            self.wait(RETRY_S[min(tries, len(RETRY_S) - 1)])
            tries += 1

    def _reached(self) -> int:
        """The last step that was done before the power went."""
        try:
            return min(max(int((self.machine.state_folder / "reached").read_text()), 0), len(steps.STEPS))
        except (OSError, ValueError):
            return 0

    def _reach(self, number: bytes) -> None:
        with suppress(OSError):  # on a full card the step is done again after a power cut
            replace_file(self.machine.state_folder / "reached", number)


def _log(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _language(card: Path) -> str:
    """The language the page has for a browser with none of ours."""
    try:
        wanted = steps.read_card(card).language
    except FailedError:
        return DEFAULT
    return wanted if wanted in languages() else DEFAULT


def main(card: Path) -> None:
    """Show the page and do the steps, also where port 80 is in use."""
    machine = steps.Machine(card, Path("/"), steps.run, time.time, steps.answers, os.sync)
    first = FirstStart(machine, time.sleep)
    handler = page.handler(lambda: first.progress, _language(card), socket.gethostname)
    try:
        server = ThreadingHTTPServer(("", PAGE_PORT), handler)
    except OSError as error:
        _log(cause(error))
    else:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    first.run()
    time.sleep(AFTERWARDS_S)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
