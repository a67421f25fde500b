"""A loudspeaker at the station: says with espeak-ng what the screen that speaks says (`news` of the state).

A thread of its own listens to the table; speech breaks off when there is something newer to say, so
that after a correction only the new value is spoken.
"""

import logging
import shutil
import subprocess
from collections.abc import Callable
from datetime import datetime

from messages.catalogue import text
from messages.message import Message
from station.contract.check import Check, Level
from station.contract.view import in_json
from station.extras.loudspeaker import Loudspeaker
from station.integrations.extra import Parts
from station.integrations.worker_thread import WorkerThread

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""Seconds for which the thread waits for news before it checks whether to stop."""
PROGRAM = "espeak-ng"


class LoudspeakerVoice(WorkerThread):
    """The thread that speaks, and what it says.

    now: the time of day on the wall, for the quiet hours.
    """

    name = "loudspeaker"

    def __init__(
        self, settings: Loudspeaker, parts: Parts, now: Callable[[], datetime] = datetime.now
    ) -> None:
        super().__init__()
        self._settings, self._parts, self._now = settings, parts, now
        self._saying: subprocess.Popen[bytes] | None = None

    def check(self) -> Check:
        """Whether there is a program that speaks."""
        if shutil.which(PROGRAM) is None:
            return Check(self.name, Level.WARNING, Message("health/loudspeaker/none", program=PROGRAM))
        return Check(self.name, Level.OK, Message("health/loudspeaker/good"))

    @property
    def quiet(self) -> bool:
        """Whether it is one of the quiet hours."""
        first, last = self._settings.quiet_from, self._settings.quiet_until
        hour = self._now().hour
        return first <= hour < last if first <= last else hour >= first or hour < last

    def _run(self) -> None:
        subscription = self._parts.subscribe()
        began, before, needed = False, None, None
        try:
            while not self._stop.is_set():
                state = subscription.get(LOOK_S)
                if state is not None:
                    view = in_json(state)
                    news, needs = view.get("news"), view.get("needs") if self._settings.needs else None
                    if began and news not in {None, before}:
                        self._tell(news.text)
                    elif began and needs not in {None, needed}:
                        self._tell(needs)
                    began, before, needed = True, news, needs
        finally:
            subscription.close()
            self._break_off()

    def _tell(self, words: Message | str) -> None:
        self._break_off()
        if not self.quiet:
            self._say(text(words, self._parts.language))

    def _say(self, words: str) -> None:
        loud = str(2 * self._settings.volume)  # espeak-ng counts to 200
        command = [PROGRAM, "-v", self._parts.language, "-a", loud, "--stdin"]
        try:
            saying = subprocess.Popen(  # noqa: S603 - the words go in as text, not as options
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            assert saying.stdin is not None  # noqa: S101 - requested as a pipe
            saying.stdin.write(words.encode())
            saying.stdin.close()
        except OSError as error:
            log.warning("nothing is said: %s", error)
        else:
            self._saying = saying

    def _break_off(self) -> None:
        """Stop the current sentence: it is out of date."""
        if self._saying is not None:
            self._saying.terminate()
            self._saying.wait()
            self._saying = None
