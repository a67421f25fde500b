"""Views of the room: one for all screens, and one for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from station.contract.pairing import Pairing
from station.screens.host_requests import HostRequests
from station.screens.people import Profile
from station.screens.roles import Role
from station.screens.room_file import KeptRoom


@dataclass(frozen=True, slots=True)
class PublicRoom:
    """What every screen may know."""

    seats: Annotated[tuple[str, ...], Field(description="Names of those who have a screen of their own.")]
    hints: Annotated[tuple[str, ...], Field(description="Who wants hints.")]
    tv_hints: Annotated[tuple[str, ...], Field(description="Who agrees to hints on the big screen.")]
    host: Annotated[bool, Field(description="Whether there is a host.")]
    asking: Annotated[int, Field(description="How many screens ask to be host now.")]
    pin: Annotated[bool, Field(description="Whether a host's PIN is set.")]
    only_seated: Annotated[bool, Field(description="Whether screens without a seat only look on.")]
    next_confirms: Annotated[
        bool, Field(description="Whether a sure throw that was shown counts when the next one begins.")
    ]
    roles: Annotated[bool, Field(description="Whether each screen plays its own seat only.")]
    scorekeeper: Annotated[
        str | None, Field(description="Whose screens alone have the controls; null where all have.")
    ]
    voice: Annotated[bool, Field(description="Whether some screen speaks.")]
    tv_voice: Annotated[bool, Field(description="Whether the television does.")]
    needs_aloud: Annotated[bool, Field(description="Whether `needs` of the state is said, too.")]
    set_up: Annotated[bool, Field(description="Whether the first-run pages are through.")]
    profiles: Annotated[tuple[Profile, ...], Field(description="How those look and sound who chose it.")]
    pairing: Annotated[Pairing | None, Field(description="Who meets here next, as the board of a club says.")]


@dataclass(frozen=True, slots=True)
class You:
    """What concerns the screen that asks."""

    seat: str | None
    host: bool
    role: Role
    voice: Annotated[bool, Field(description="Whether it is the one that speaks.")]
    asking: Annotated[bool, Field(description="Whether it asks to be host.")]
    button: Annotated[bool, Field(description="Whether holding the confirm button makes it host.")]
    number: Annotated[
        str | None,
        Field(
            description="What a screen that asks has to type; told only to a screen of the station itself."
        ),
    ]


def public(
    kept: KeptRoom,
    asking: int,
    profiles: Sequence[Profile],
    pairing: Pairing | None = None,
    *,
    next_confirms: bool,
) -> PublicRoom:
    """The view for all screens. asking: number of requests to be host. next_confirms: chosen, or as set."""
    return PublicRoom(
        seats=tuple(sorted(set(kept.seats.values()))),
        hints=tuple(sorted(name for name, on in kept.hints.items() if on)),
        tv_hints=tuple(sorted(name for name, on in kept.tv_hints.items() if on)),
        host=bool(kept.hosts),
        asking=asking,
        pin=kept.pin is not None,
        only_seated=kept.only_seated,
        next_confirms=next_confirms,
        roles=kept.roles,
        scorekeeper=kept.scorekeeper,
        voice=kept.voice is not None or kept.tv_voice,
        tv_voice=kept.tv_voice,
        needs_aloud=kept.needs_aloud,
        set_up=kept.set_up,
        profiles=tuple(profiles),
        pairing=pairing,
    )


def you(kept: KeptRoom, mark: str, requests: HostRequests, *, beside: bool) -> You:
    """The view for one screen. beside: it is at the station itself, where the number may be read."""
    return You(
        seat=kept.seats.get(mark),
        host=mark in kept.hosts,
        role=kept.role(mark),
        voice=bool(mark) and kept.voice == mark,
        asking=requests.asks(mark),
        button=requests.buttons,
        number=requests.number if beside else None,
    )
