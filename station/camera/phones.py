"""The phone that is the camera, one at a time. Another asks; a screen that may change settings decides."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from messages.errors import NotAllowedError, RefusalError
from messages.message import Message
from station.screens.room import Room
from station.screens.sessions import Session, Sessions
from station.screens.tokens import hashed
from vision.cameras.phone import PhoneLine, Trouble, Wants

__all__ = ["Phones", "Standing", "Trouble", "Wants"]

ASKS_S = 15.0
"""A phone that asks says so again and again; after so long without it asks no more."""


class Standing(StrEnum):
    """What a screen is to the camera."""

    NONE = "none"
    ASKS = "asks"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone as the others see it. id: names it; it is no token."""

    id: str
    seat: str | None
    device: str | None
    you: bool


class Phones:
    """The phones of one station; thread-safe. clock: seconds, monotonic."""

    def __init__(self, line: PhoneLine, room: Room, clock: Callable[[], float] = time.monotonic) -> None:
        self.line, self._room, self._clock = line, room, clock
        self._asking: dict[str, float] = {}
        line.has_request = lambda: bool(self._asks())

    def ask(self, token: str) -> Standing:
        """Make this phone the camera if there is none and it may change settings, else note its request."""
        mark = hashed(token)
        if self._room.phone == mark:
            return Standing.CAMERA
        if self._room.phone is None and self.may_choose(token):
            self._use(mark)
            return Standing.CAMERA
        self._asking[mark] = self._clock()
        return Standing.ASKS

    def withdraw(self, token: str) -> None:
        """This screen is not the camera any more, or does not ask to be. The only one that asks follows."""
        mark = hashed(token)
        self._asking.pop(mark, None)
        if self._room.phone == mark:
            asks = self._asks()
            self._use(asks[0] if len(asks) == 1 else None)

    def choose(self, token: str | None, name: str | None) -> None:
        """Let the phone of that id be the camera; None: none. The phone that is the camera may as well.

        Raises NotAllowedError, and RefusalError where there is no such phone.
        """
        mark = hashed(token)
        if self._room.phone != mark:
            self._room.check_settings(token)
        found = next((each for each in (*self._asks(), mark) if Sessions.name(each) == name), None)
        if name is not None and not found:
            raise RefusalError("phone/gone")
        self._use(found)

    def check(self, token: str | None) -> None:
        """Raise NotAllowedError unless this screen is the camera."""
        if not token or self._room.phone != hashed(token):
            raise NotAllowedError("phone/not_camera")

    def standing(self, token: str | None) -> Standing:
        """The standing of this screen."""
        mark = hashed(token)
        if mark and self._room.phone == mark:
            return Standing.CAMERA
        return Standing.ASKS if mark in self._asks() else Standing.NONE

    def may_choose(self, token: str | None) -> bool:
        """Whether this screen decides which phone is the camera."""
        try:
            self._room.check_settings(token)
        except NotAllowedError:
            return self._room.phone is not None and self._room.phone == hashed(token)
        return True

    def camera(self, token: str | None) -> Phone | None:
        """The phone that is the camera, as this screen sees it."""
        mark = self._room.phone
        return None if mark is None else _phone(self._room.screen(mark, token))

    def asking(self, token: str | None) -> tuple[Phone, ...]:
        """The phones that ask, the first one first."""
        return tuple(_phone(self._room.screen(mark, token)) for mark in self._asks())

    def _asks(self) -> tuple[str, ...]:
        late_s = self._clock() - ASKS_S
        return tuple(mark for mark, asked_s in list(self._asking.items()) if asked_s > late_s)

    def _use(self, mark: str | None) -> None:
        if mark == self._room.phone:
            return
        before = self._room.phone
        self._room.set_phone(mark)
        self._asking = {each: asked_s for each, asked_s in self._asking.items() if each != mark}
        other = mark is not None and before is not None
        self.line.change(Message("camera/phone/another" if other else "camera/phone/none"))


def _phone(session: Session) -> Phone:
    return Phone(session.id, session.seat, session.device, session.you)
