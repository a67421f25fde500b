"""A loudspeaker at the station: says with espeak-ng what the screen that speaks would say.

A thread of its own listens to the table; what is being said breaks off when something newer is to be said,
or when a step is taken back, so that after a correction only the new value is heard.
"""

import logging
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from datetime import datetime

from messages.catalogue import text
from messages.message import Message
from station.config import Loudspeaker
from station.contract.view import TableView
from station.health.checks import Check, Level
from station.integrations.worker_thread import WorkerThread
from station.screens.publisher import Subscription

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""So long a sentence waits at most for the thread to be asked to stop."""
PROGRAM = "espeak-ng"


class LoudspeakerVoice(WorkerThread):
    """The thread that speaks, and what it says.

    language: of the words and of the voice. now: the time of day, for the quiet hours.
    """

    name = "loudspeaker"

    def __init__(
        self,
        settings: Loudspeaker,
        *,
        language: str,
        subscribe: Callable[[], Subscription[TableView]],
        now: Callable[[], datetime],
    ) -> None:
        super().__init__()
        self._settings, self._language, self._subscribe, self._now = settings, language, subscribe, now
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
        subscription = self._subscribe()
        before: TableView | None = None
        try:
            while not self._stop.is_set():
                state = subscription.get(LOOK_S)
                if state is not None:
                    if before is not None:
                        self._tell(before, state)
                    before = state
        finally:
            subscription.close()
            self._break_off()

    def _tell(self, before: TableView, state: TableView) -> None:
        said = news(before, state)
        if said is None:
            return
        self._break_off()
        if said and not self.quiet:
            self._say(text(said, self._language))

    def _say(self, words: str) -> None:
        loud = str(2 * self._settings.volume)  # espeak-ng counts to 200
        command = [PROGRAM, "-v", self._language, "-a", loud, "--stdin"]
        try:
            saying = subprocess.Popen(  # noqa: S603 - the words go in as text, not as options
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            assert saying.stdin is not None  # noqa: S101 - as asked for
            saying.stdin.write(words.encode())
            saying.stdin.close()
        except OSError as error:
            log.warning("nothing is said: %s", error)
        else:
            self._saying = saying

    def _break_off(self) -> None:
        """What is being said is old."""
        if self._saying is not None:
            self._saying.terminate()
            self._saying.wait()
            self._saying = None


def news(before: TableView, state: TableView) -> Message | str | None:
    """What to say of a change: "" to say no more of what was, None for nothing at all."""
    if _taken_back(before, state):
        return ""
    if state.finished and not before.finished:
        return state.waiting_for
    if (
        state.announced is not None
        and state.announced != before.announced
        and _filled(state) != _filled(before)
    ):
        return state.announced  # else somebody in it has another name
    faces, lay = (" ".join(str(die.face) for die in each.dice) for each in (state, before))
    if faces and state.throws_done > before.throws_done:
        return Message("page/news/throw", n=state.throws_done, faces=faces)
    if faces and faces != lay and state.throws_done == before.throws_done:
        return Message("page/news/corrected", faces=faces)
    return None


def _taken_back(before: TableView, state: TableView) -> bool:
    """Whether a game, its end, a box or a throw was: what stands then was said when it came about."""
    if state.game != before.game or state.finished:
        return state.game < before.game
    now, were = (sum(_filled(view).values()) for view in (state, before))
    silent = before.announced is not None and state.announced is None and not state.dice
    return before.finished or silent or now < were or (now == were and state.throws_done < before.throws_done)


def _filled(view: TableView) -> Counter[tuple[str, int]]:
    """The boxes that are filled and their points, whoever has them."""
    boxes = (box for player in view.players for box in player.boxes.items())
    return Counter((category, points) for category, points in boxes if points is not None)
