"""Shows the table on a small display, in a thread of its own: its bus takes longer than a button may wait."""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Protocol

from PIL import Image

from messages.message import Message
from station.contract.check import Check, Level
from station.extras.display.picture import SIZE, picture
from station.integrations.extra import Parts
from station.integrations.worker_thread import RetryingThread

LOOK_S = 0.5
DARK_S = 600.0
"""A picture that has not changed for this long is taken away: it would burn in."""


class SmallDisplay(Protocol):
    """128 by 64 points that are on or off."""

    def show(self, image: Image.Image) -> None:
        """Show a picture of mode "1". Raises FailedError when the display is gone."""

    def close(self) -> None:
        """Switch the display off and release it."""


class TableDisplay(RetryingThread):
    """An `Integration`. opened: takes the display, raises FailedError. clock: monotonic seconds."""

    name = "display"
    retry_s = (5.0,)

    def __init__(
        self,
        opened: Callable[[], SmallDisplay],
        parts: Parts,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._opened, self._parts, self._clock = opened, parts, clock

    def check(self) -> Check:
        """Its status, for health."""
        if self.trouble is not None:
            return Check("display", Level.WARNING, self.trouble)
        return Check("display", Level.OK, Message("display/good"))

    def _try(self) -> None:
        with closing(self._opened()) as display:
            self.trouble = None
            self._show(display)

    def _show(self, display: SmallDisplay) -> None:
        """Draw every state until stopped; only changed pictures go over the bus."""
        news, shown, since_s = self._parts.subscribe(), b"", self._clock()
        with closing(news):
            while not self._stop.is_set() and news.open:
                state = news.get(LOOK_S)
                image = None if state is None else picture(state, self._parts.language)
                if image is not None and image.tobytes() != shown:
                    shown, since_s = image.tobytes(), self._clock()
                    display.show(image)
                elif shown and self._clock() - since_s > DARK_S:
                    display.show(Image.new("1", SIZE, 0))
                    since_s = float("inf")
