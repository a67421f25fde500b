"""The people who play here: their profiles, and the names of one person. Stored with the room.

Scores keep the names they were written under; another name for somebody is looked up when the past is shown,
so that it can be taken back and no game is changed.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from messages.errors import RefusalError
from station.contract.names import clean_name, looks
from station.screens.bounds import LIMITS, Kind, RoomBounds


class OwnColour(StrEnum):
    """A colour that somebody can have."""

    GREEN = "green"
    BLUE = "blue"
    RED = "red"
    ORANGE = "orange"
    PURPLE = "purple"
    PINK = "pink"
    BROWN = "brown"
    BLACK = "black"


class Sign(StrEnum):
    """A sign that somebody can have, drawn by the pages."""

    CIRCLE = "circle"
    SQUARE = "square"
    TRIANGLE = "triangle"
    DIAMOND = "diamond"
    STAR = "star"
    HEART = "heart"
    CROSS = "cross"
    MOON = "moon"


class Jingle(StrEnum):
    """A few notes that somebody can have, played by the screen that speaks."""

    NONE = "none"
    FANFARE = "fanfare"
    BELLS = "bells"
    BIRD = "bird"
    MARCH = "march"
    DROPS = "drops"
    DANCE = "dance"


class KeptProfile(BaseModel):
    """A profile as it is kept."""

    model_config = ConfigDict(strict=False)
    colour: OwnColour
    sign: Sign
    jingle: Jingle = Jingle.NONE


class KeptPeople(BaseModel):
    """Profiles by name, and names that are another one's: old -> the one to show."""

    profiles: dict[str, KeptProfile] = {}
    names: dict[str, str] = {}

    def share_profile(self, name: str, to: str) -> None:
        """Copy the profile to the new name, if there is room for one more."""
        if name in self.profiles and len(self.profiles) < LIMITS[Kind.PROFILE].house:
            self.profiles.setdefault(to, self.profiles[name])


@dataclass(frozen=True, slots=True)
class Profile:
    """How somebody looks and sounds."""

    name: str
    colour: OwnColour
    sign: Sign
    jingle: Annotated[Jingle, Field(description="Played where a screen speaks; none for silence.")]


class People:
    """Profiles and names. changing: what is kept, to be changed. kept: what is kept now.

    bounds: of both.
    """

    def __init__(
        self,
        changing: Callable[[], AbstractContextManager[KeptPeople]],
        kept: Callable[[], KeptPeople],
        may: Callable[[str, str], None],
        bounds: RoomBounds,
    ) -> None:
        self._changing, self._kept, self._may, self._bounds = changing, kept, may, bounds

    def profiles(self) -> tuple[Profile, ...]:
        """The chosen profiles, by name."""
        kept = self._kept().profiles
        return tuple(Profile(name, **dict(kept[name])) for name in sorted(kept))

    def names(self) -> Mapping[str, str]:
        """Earlier names -> the name that is shown."""
        return dict(self._kept().names)

    def display_name(self, name: str) -> str:
        """The name that is shown for one that somebody played under."""
        return self._kept().names.get(name, name)

    def set_profile(self, token: str, name: str, profile: KeptProfile, address: str = "") -> None:
        """Somebody looks and sounds so.

        address: of the screen; "" is not limited. Raises NotAllowedError where roles are given and it is
        another's, RefusalError where there is no room for one more.
        """
        name, known = clean_name(name), self._bounds.known()
        with self._changing() as kept:
            self._may(token, name)
            for gone in self._bounds.admit_name(Kind.PROFILE, kept.profiles, name, address, known):
                del kept.profiles[gone]
            kept.profiles[name] = profile

    def rename(self, name: str, to: str, known: Mapping[str, set[int]]) -> str:
        """Show somebody under a new name; gives it as it is kept.

        known: every name shown so far, with the games played under it. Raises RefusalError for one of them.
        """
        clean = clean_name(to)
        if name not in known:
            raise RefusalError("people/unknown", name=name)
        for other in known:
            if other != name and looks(other) == looks(clean):
                raise RefusalError("people/known", name=other)
        if clean != name:
            self._point(name, clean)
        return clean

    def merge(self, name: str, to: str, known: Mapping[str, set[int]]) -> None:
        """Two names are one person's, shown as `to`. Raises RefusalError where they played each other."""
        for each in (name, to):
            if each not in known:
                raise RefusalError("people/unknown", name=each)
        if name == to or known[name] & known[to]:
            raise RefusalError("people/together", name=name, other=to)
        self._point(name, to)

    def apart(self, name: str) -> None:
        """An earlier name is shown again as it was written."""
        with self._changing() as kept:
            if kept.names.pop(name, None) is None:
                raise RefusalError("people/unknown", name=name)

    def _point(self, name: str, to: str) -> None:
        with self._changing() as kept:
            self._bounds.admit(Kind.NAME, dict.fromkeys(kept.names, 0), name, 0)
            kept.names = {old: to if new == name else new for old, new in kept.names.items() if old != to}
            kept.names[name] = to
            kept.share_profile(name, to)  # it stays for a game that goes on, and for when it is taken back
