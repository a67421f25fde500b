"""Tells addresses of the owner what happens: signed webhooks, rooms of a chat, and WLED lamps."""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from messages.errors import BadInputError
from station.config.group import Group, Name
from station.contract.happening import AnyKind, kinds
from station.integrations.extra import Extra, Integration, Parts


def _address(url: str) -> str:
    """Check an address: http or https, with a host, without name and password."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
        _ = parts.port
    except ValueError:
        good = False
    if not good or not url.isascii() or not url.isprintable() or " " in url:
        raise BadInputError("webhook/no-address", url=url)
    return url


class ReceiverSettings(Group):
    """A receiver of events; the last delivered one is stored under its name."""

    name: Annotated[Name, Field(title="Name", description="A word of yours.")]
    url: Annotated[
        str, Field(title="Address", description="It begins with http or https."), AfterValidator(_address)
    ]


class Webhook(ReceiverSettings):
    """A program that gets signed requests."""

    secret_file: Annotated[
        Path, Field(title="Secret file", description="Holds what it knows the station's signature by.")
    ]
    events: Annotated[
        tuple[AnyKind, ...], Field(min_length=1, title="Events", description="Left out: everything.")
    ] = kinds()


class Wled(ReceiverSettings):
    """A lamp that shows a preset when something happens."""

    presets: Annotated[
        dict[AnyKind, Annotated[int, Field(ge=1, le=250)]],
        Field(min_length=1, title="Presets", description="Event -> number of the preset."),
    ]


class Chat(ReceiverSettings):
    """A room of people, who read it as a sentence."""

    kind: Annotated[Literal["discord", "slack", "ntfy", "matrix"], Field(title="Kind")]
    room: Annotated[
        str | None,
        Field(
            pattern=r"^![!-~]{1,254}$",
            title="Room",
            description="Of Matrix: its internal id, !abc:example.org.",
        ),
    ] = None
    token_file: Annotated[
        Path | None,
        Field(title="Token file", description="Of Matrix, and of an ntfy topic that is not open to all."),
    ] = None
    events: Annotated[
        tuple[Literal["great_throw", "box", "game_over"], ...],
        Field(min_length=1, title="Events", description="Left out: the end of a game."),
    ] = ("game_over",)

    @model_validator(mode="after")
    def _what_its_kind_needs(self) -> "Chat":
        given = {name for name in ("room", "token_file") if getattr(self, name) is not None}
        if self.kind == "matrix" and given != {"room", "token_file"}:
            raise BadInputError("webhook/matrix", name=self.name)
        if given and self.kind != "matrix" and not (self.kind == "ntfy" and given == {"token_file"}):
            raise BadInputError(
                "webhook/not-of-kind", name=self.name, kind=self.kind, keys=tuple(sorted(given))
            )
        return self


class Settings(Group):
    """The extra's group in the settings file."""

    webhooks: Annotated[
        tuple[Webhook, ...],
        Field(max_length=20, title="Webhooks", description="Who is notified by requests."),
    ] = ()
    chats: Annotated[
        tuple[Chat, ...], Field(max_length=20, title="Chats", description="Who reads it as a sentence.")
    ] = ()
    wled: Annotated[
        tuple[Wled, ...], Field(max_length=20, title="WLED", description="Lamps that show what happens.")
    ] = ()

    @model_validator(mode="after")
    def _no_name_twice(self) -> "Settings":
        for receivers in (self.webhooks, self.chats, self.wled):
            names = [each.name for each in receivers]
            if len(set(names)) < len(names):
                raise BadInputError("webhook/name-twice", names=tuple(names))
        return self


def _open(settings: Settings, parts: Parts) -> Integration | None:
    if not (settings.webhooks or settings.chats or settings.wled):
        return None
    from station.extras.webhooks import chat, sender

    named = [(f"webhook:{each.name}", sender.webhook(each, parts.station)) for each in settings.webhooks]
    named += [
        (f"chat:{each.name}", chat.chat(each, parts.station, parts.language)) for each in settings.chats
    ]
    named += [(f"wled:{each.name}", sender.wled(each)) for each in settings.wled]
    return sender.Webhooks([sender.Sender(receiver, name, parts) for name, receiver in named])


EXTRA = Extra(Settings, _open)
