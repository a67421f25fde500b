"""The settings of a station: what they are called, what they mean, in which unit and between which bounds.

One TOML file holds them (`yacht run --config FILE`); every one has a value that works. Options of the
command line stand above the file.
"""

import re
import socket
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from messages.catalogue import languages
from messages.errors import BadInputError
from messages.message import Message
from station.contract.commands import HOLD_BUTTONS, Button
from station.contract.happening import Kind

Pin = Annotated[int, Field(ge=2, le=27, json_schema_extra={"unit": "GPIO number (BCM)"})]
"""A GPIO line on the header; 0 and 1 are kept for the EEPROM of add-on boards."""


def _with_a_catalogue(language: str) -> str:
    if language not in languages():
        raise BadInputError("config/no-language", language=language, known=languages())
    return language


def _a_name(name: str) -> str:
    """A host's name, or "*." and one."""
    if not re.fullmatch(r"(\*\.)?[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*", name):
        raise BadInputError("config/no-name", name=name)
    return name


class _Group(BaseModel):
    """Settings are values; an unknown key is a mistake."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Pins(_Group):
    """Where buttons and lamps are wired. The defaults are the twelve free lines of the header's odd side.

    A button connects its pin to ground (the pull-up is inside the Pi); a lamp stands between its pin and
    ground with a resistor of about 330 ohm.
    """

    hold_buttons: Annotated[
        tuple[Pin, Pin, Pin, Pin, Pin],
        Field(title="Hold buttons", description="Pins of the buttons for dice 1 to 5, left to right."),
    ] = (17, 27, 22, 10, 9)
    hold_lamps: Annotated[
        tuple[Pin, Pin, Pin, Pin, Pin],
        Field(title="Hold lamps", description="Pins of the lamps at these buttons."),
    ] = (5, 6, 13, 19, 26)
    confirm_button: Annotated[
        Pin, Field(title="Confirm button", description="Short: yes. Long: choose a box.")
    ] = 11
    confirm_lamp: Annotated[
        Pin, Field(title="Confirm lamp", description="On while a roll waits for a yes.")
    ] = 4
    undo_button: Annotated[
        Pin | None, Field(title="Undo button", description="Takes the last step back; none if left out.")
    ] = None
    encoder: Annotated[
        tuple[Pin, Pin, Pin] | None,
        Field(
            title="Turning knob",
            description="Pins A, B and push of a rotary encoder that chooses the box; none if left out.",
        ),
    ] = None
    buzzer: Annotated[
        Pin | None, Field(title="Buzzer", description="Clicks when a press counts; none if left out.")
    ] = None

    @model_validator(mode="after")
    def _no_pin_twice(self) -> "Pins":
        seen: dict[int, Message] = {}
        for part, pin in self.used():
            if pin in seen:
                raise BadInputError("config/pin-twice", pin=pin, first=seen[pin], second=part)
            seen[pin] = part
        return self

    def of_buttons(self) -> dict[str, int]:
        """Every button that is wired -> its pin; a single one has it under its own name."""
        pins = {each: getattr(self, f"{each.value}_button", None) for each in Button}
        pins |= dict(zip(HOLD_BUTTONS, self.hold_buttons, strict=True))
        return {each.value: pin for each, pin in pins.items() if pin is not None}

    def used(self) -> tuple[tuple[Message, int], ...]:
        """Every part that is wired, with its pin: "hold button 1" and 5, and so on."""
        parts: list[tuple[Message, int]] = []
        for i, (button, lamp) in enumerate(zip(self.hold_buttons, self.hold_lamps, strict=True), start=1):
            parts.append((Message("pin/hold-button", number=i), button))
            parts.append((Message("pin/hold-lamp", number=i), lamp))
        for name, pin in self:
            if isinstance(pin, int):
                parts.append((Message(f"pin/{name.replace('_', '-')}"), pin))
        knob = zip(("a", "b", "push"), self.encoder or (), strict=False)
        parts += [(Message(f"pin/knob-{name}"), pin) for name, pin in knob]
        return tuple(parts)


Side = Annotated[int, Field(ge=240, le=4608, multiple_of=2, json_schema_extra={"unit": "px"})]


class Picture(_Group):
    """The picture of a live camera. What a camera cannot do of it, health says."""

    size: Annotated[
        tuple[Side, Side] | None,
        Field(
            title="Size",
            description="Width and height, before the picture is turned; left out: 1280 by 720.",
        ),
    ] = None
    fps: Annotated[
        float | None,
        Field(
            ge=5,
            le=60,
            title="Pictures a second",
            description="Left out: 20 of a Pi camera, 30 of a USB camera.",
            json_schema_extra={"unit": "1/s"},
        ),
    ] = None
    rotation: Annotated[
        Literal[0, 90, 180, 270],
        Field(title="Rotation", description="Degrees clockwise; 180 for a camera that hangs upside down."),
    ] = 0
    mirrored: Annotated[
        bool, Field(title="Mirrored", description="Left and right change places, as after a mirror.")
    ] = False
    flicker_hz: Annotated[
        Literal[0, 50, 60],
        Field(
            title="Mains",
            description="50 or 60 where lamps show as bands in the picture; 0 leaves it to the camera.",
            json_schema_extra={"unit": "Hz"},
        ),
    ] = 0
    hdr: Annotated[
        bool,
        Field(title="HDR", description="Several exposures in one, for a tray with hard light (Pi 5)."),
    ] = False
    exposure: Annotated[
        Literal["normal", "short"],
        Field(title="Exposure", description="short: less smear when dice roll, and more noise."),
    ] = "normal"
    exposure_ms: Annotated[
        float | None,
        Field(
            ge=0.1,
            le=200,
            title="Exposure time",
            description="How long each picture is exposed; the gain follows the light. Left out: the camera "
            "chooses.",
            json_schema_extra={"unit": "ms"},
        ),
    ] = None
    number: Annotated[
        int | None,
        Field(
            ge=0,
            le=9,
            title="Camera number",
            description="Which of several Pi or USB cameras, from 0; left out: the one that camera names.",
        ),
    ] = None


class Display(_Group):
    """A small display beside the tray."""

    kind: Annotated[
        Literal["none", "ssd1306"],
        Field(title="Display", description="ssd1306: 128 by 64 points, on the I2C bus of the header."),
    ] = "none"
    address: Annotated[
        Literal[0x3C, 0x3D],
        Field(title="Address", description="0x3C, or 0x3D where its back is bridged for that."),
    ] = 0x3C
    bus: Annotated[int, Field(ge=0, le=20, title="Bus", description="Number of the I2C bus.")] = 1
    turned: Annotated[bool, Field(title="Turned", description="Upside down.")] = False


class PressTimes(_Group):
    """How presses are told from bounces."""

    settle_s: Annotated[
        float,
        Field(
            ge=0.001,
            le=0.1,
            title="Settling time",
            description="So long a contact must keep still before it counts.",
            json_schema_extra={"unit": "s"},
        ),
    ] = 0.008
    long_s: Annotated[
        float,
        Field(
            ge=0.3,
            le=3.0,
            title="Long press",
            description="So long confirm must be held down to go to choosing a box.",
            json_schema_extra={"unit": "s"},
        ),
    ] = 0.7
    stuck_s: Annotated[
        float,
        Field(
            ge=5.0,
            le=600.0,
            title="Stuck after",
            description="A button held down longer than this is reported as stuck.",
            json_schema_extra={"unit": "s"},
        ),
    ] = 20.0


class Limits(_Group):
    """What the station may take of its machine."""

    memory: Annotated[
        Literal["normal", "small"],
        Field(
            title="Memory",
            description="small: for boards of 512 MB; chances to win are then mostly estimated.",
        ),
    ] = "normal"


class Simulated(_Group):
    """The simulated tray."""

    fps: Annotated[
        float,
        Field(ge=1, le=60, title="Frames", description="Frames a second.", json_schema_extra={"unit": "1/s"}),
    ] = 15.0
    pace: Annotated[
        float,
        Field(ge=0.1, le=20, title="Pace", description="2 lets hand and dice move twice as fast."),
    ] = 1.0
    seed: Annotated[
        int | None, Field(ge=0, title="Seed", description="The same seed gives the same dice.")
    ] = None
    dice: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=10, title="Dice", description="Their looks, repeated as needed."),
    ] = ("white",)
    scale: Annotated[
        Literal["table", "lawn"],
        Field(title="Scale", description="lawn: dice of 10 cm, and the camera 2.5 m above them."),
    ] = "table"


class Computer(_Group):
    """Computer players."""

    dice: Annotated[
        Literal["thrown", "simulated"],
        Field(title="Dice", description="thrown: people throw for them; simulated: the station draws them."),
    ] = "thrown"
    by_itself: Annotated[
        bool,
        Field(title="By itself", description="Whether their decisions are carried out unasked."),
    ] = False
    pause_s: Annotated[
        float,
        Field(
            ge=0.2,
            le=60,
            title="Pause",
            description="By itself, after so long, for people to read it.",
            json_schema_extra={"unit": "s"},
        ),
    ] = 3.0


def _a_topic(topic: str) -> str:
    """One or several words that can stand in a topic, divided by slashes."""
    if not re.fullmatch(r"[^+#/\x00-\x1f]+(/[^+#/\x00-\x1f]+)*", topic):
        raise BadInputError("config/no-topic", topic=topic)
    return topic


def _a_station(name: str) -> str:
    """A name that can stand in topics, and in names of Home Assistant."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        raise BadInputError("config/no-station", name=name)
    return name


class Loudspeaker(_Group):
    """A loudspeaker at the station, for which espeak-ng speaks."""

    on: Annotated[bool, Field(title="On", description="Whether the station says throws and scores.")] = False
    volume: Annotated[int, Field(ge=1, le=100, title="Volume", description="In per cent.")] = 60
    quiet_from: Annotated[
        int, Field(ge=0, le=23, title="Quiet from", description="The hour from which it says nothing.")
    ] = 22
    quiet_until: Annotated[
        int, Field(ge=0, le=23, title="Quiet until", description="The same as quiet_from: never quiet.")
    ] = 7


class Mqtt(_Group):
    """The broker that is told of the table; none without a host."""

    host: Annotated[
        str | None,
        Field(min_length=1, title="Broker", description="Its name or address; left out: nobody is told."),
    ] = None
    port: Annotated[
        int | None,
        Field(ge=1, le=65535, title="Port", description="Left out: 1883, or 8883 with TLS."),
    ] = None
    tls: Annotated[bool, Field(title="TLS", description="Encrypted, and the broker proves who it is.")] = (
        False
    )
    ca: Annotated[
        Path | None,
        Field(title="Authority", description="PEM file of who signed for a broker of your own."),
    ] = None
    user: Annotated[str | None, Field(min_length=1, title="User", description="As the broker knows it.")] = (
        None
    )
    password_file: Annotated[
        Path | None, Field(title="Password file", description="Holds the user's password and nothing else.")
    ] = None
    topic: Annotated[
        str,
        Field(max_length=200, title="Topic", description="All topics begin with it."),
        AfterValidator(_a_topic),
    ] = "yacht"
    station: Annotated[
        Annotated[str, AfterValidator(_a_station)] | None,
        Field(title="Station", description="Its name in topics; left out, the machine's."),
    ] = None
    home_assistant: Annotated[
        Annotated[str, AfterValidator(_a_topic)] | None,
        Field(
            title="Home Assistant",
            description="Its prefix of discovery, homeassistant where nobody changed it; left out: not told.",
        ),
    ] = None
    control: Annotated[
        bool, Field(title="Control", description="Whether confirm and undo may be pressed from there.")
    ] = False
    picture: Annotated[
        bool, Field(title="Picture", description="Whether the tray's picture is told with every roll.")
    ] = False

    @model_validator(mode="after")
    def _nothing_alone(self) -> "Mqtt":
        if self.ca is not None and not self.tls:
            raise BadInputError("config/ca-alone")
        if self.password_file is not None and self.user is None:
            raise BadInputError("config/password-alone")
        return self

    @property
    def port_used(self) -> int:
        """The port, or the usual one."""
        return self.port or (8883 if self.tls else 1883)

    @property
    def station_used(self) -> str:
        """The station's name in topics."""
        return self.station or re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:64] or "station"

    @property
    def base(self) -> str:
        """What the station's topics begin with. The 1 is the version of what stands in them."""
        return f"{self.topic}/1/{self.station_used}"


def _a_database(url: str) -> str:
    """Of a PostgreSQL server, as its own programs write it, without a password."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"postgresql", "postgres"} and parts.password is None
    except ValueError:
        good = False
    if not good:
        raise BadInputError("config/no-database")
    return url


class BoardSettings(_Group):
    """The board of `yacht board`: many tables, one evening."""

    title: Annotated[
        str, Field(min_length=1, max_length=60, title="Title", description="What its pages are called.")
    ] = "Yacht"
    port: Annotated[
        int, Field(ge=0, le=65535, title="Port", description="Of its pages; 0 takes any free one.")
    ] = 8090
    viewers_max: Annotated[
        int, Field(ge=1, le=1000, title="Screens", description="How many may follow the board at once.")
    ] = 200
    database: Annotated[
        Annotated[str, AfterValidator(_a_database)] | None,
        Field(title="Database", description="Address of a PostgreSQL; left out, a file in the data folder."),
    ] = None
    database_password_file: Annotated[
        Path | None, Field(title="Password file", description="Holds the database's password alone.")
    ] = None


class Homes(_Group):
    """One game in two homes, over the broker; off by default."""

    host: Annotated[
        Annotated[str, AfterValidator(_a_station)] | None,
        Field(title="Plays along at", description="The station that keeps the game this one plays along in."),
    ] = None
    guests: Annotated[
        tuple[Annotated[str, AfterValidator(_a_station)], ...],
        Field(max_length=8, title="Play along here", description="The stations that may, by their names."),
    ] = ()


def _an_address(url: str) -> str:
    """Of a page: http or https, a host, and no name and password in it."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc
        _ = parts.port
    except ValueError:
        good = False
    if not good or not url.isascii() or not url.isprintable() or " " in url:
        raise BadInputError("config/no-address", url=url)
    return url


class Receiver(_Group):
    """Somebody who is told what happens, and by this name remembered how far."""

    name: Annotated[str, Field(title="Name", description="A word of yours."), AfterValidator(_a_station)]
    url: Annotated[
        str, Field(title="Address", description="It begins with http or https."), AfterValidator(_an_address)
    ]


class Webhook(Receiver):
    """A program that is told by a signed request."""

    secret_file: Annotated[
        Path, Field(title="Secret file", description="Holds what it knows the station's signature by.")
    ]
    events: Annotated[
        tuple[Kind, ...], Field(min_length=1, title="Events", description="Left out: everything.")
    ] = tuple(Kind)


class Wled(Receiver):
    """A lamp that shows a preset when something happens."""

    presets: Annotated[
        dict[Kind, Annotated[int, Field(ge=1, le=250)]],
        Field(min_length=1, title="Presets", description="Event -> number of the preset."),
    ]


class Config(_Group):
    """All settings."""

    host: Annotated[
        str,
        Field(
            min_length=1,
            title="Address to listen on",
            description=":: is every network of this machine, by IPv6 and IPv4; 0.0.0.0 only by IPv4.",
        ),
    ] = "::"
    port: Annotated[
        int,
        Field(ge=0, le=65535, title="Port", description="Of the pages and the API; 0 takes any free one."),
    ] = 8080
    certificate: Annotated[
        Path | None,
        Field(title="Certificate", description="PEM file of the house's own; there is https then, too."),
    ] = None
    key: Annotated[
        Path | None,
        Field(title="Key", description="PEM file; left out, it stands in that of the certificate."),
    ] = None
    https_port: Annotated[
        int,
        Field(ge=0, le=65535, title="Port of https", description="In use with a certificate; 0: any."),
    ] = 8443
    names: Annotated[
        tuple[Annotated[str, AfterValidator(_a_name)], ...],
        Field(
            title="Names",
            description="Names of yours on the internet that lead here; those of the house need no mention.",
        ),
    ] = ()
    data: Annotated[
        Path, Field(title="Data folder", description="Where games and settings of the table are kept.")
    ] = Path("data")
    camera: Annotated[
        str,
        Field(
            min_length=1,
            title="Camera",
            description="auto, picamera or picamera:N, usb:N, an address, a folder of frames, a video, or "
            "simulated.",
        ),
    ] = "auto"
    picture: Annotated[Picture, Field(title="Picture")] = Picture()
    buttons: Annotated[
        Literal["auto", "gpio", "none"],
        Field(
            title="Buttons", description="auto: those of a Pi, where there is one; none: only on the page."
        ),
    ] = "auto"
    display: Annotated[Display, Field(title="Display")] = Display()
    profile: Annotated[
        Path | None, Field(title="Profile", description="What calibration found out about camera and tray.")
    ] = None
    held_dice: Annotated[
        Literal["tray", "aside"],
        Field(
            title="Held dice",
            description="tray: they stay in the tray and are checked; aside: they are laid beside it.",
        ),
    ] = "tray"
    keep_corrections: Annotated[
        bool,
        Field(
            title="Learn from corrections",
            description="Keep a small picture of each die a person had to set right, on this machine only.",
        ),
    ] = False
    keep_pictures: Annotated[
        bool,
        Field(
            title="Pictures of throws",
            description="Keep a picture of the tray for each confirmed throw of the last 40 games, on this "
            "machine only, to look back at; without it those of the last two games, in memory.",
        ),
    ] = False
    viewers_max: Annotated[
        int, Field(ge=1, le=500, title="Screens", description="How many may follow the table at once.")
    ] = 64
    language: Annotated[
        str,
        Field(title="Language", description="Of screens that ask for none we have."),
        AfterValidator(_with_a_catalogue),
    ] = "en"
    backups_kept: Annotated[
        int,
        Field(ge=1, le=365, title="Copies kept", description="'yacht backup' deletes older ones of its own."),
    ] = 14
    backups_second: Annotated[
        Path | None,
        Field(title="Second place for copies", description="A folder on a stick or of the network, say."),
    ] = None
    pins: Annotated[Pins, Field(title="Wiring")] = Pins()
    ask_before_zero: Annotated[
        bool,
        Field(title="Ask before a 0", description="Whether a box that would get 0 is asked about once."),
    ] = True
    press: Annotated[PressTimes, Field(title="Presses")] = PressTimes()
    limits: Annotated[Limits, Field(title="Limits")] = Limits()
    simulated: Annotated[Simulated, Field(title="Simulated tray")] = Simulated()
    computer: Annotated[Computer, Field(title="Computer players")] = Computer()
    loudspeaker: Annotated[Loudspeaker, Field(title="Loudspeaker")] = Loudspeaker()
    mqtt: Annotated[Mqtt, Field(title="Broker")] = Mqtt()
    board: Annotated[BoardSettings, Field(title="Board")] = BoardSettings()
    homes: Annotated[Homes, Field(title="Two homes")] = Homes()
    webhooks: Annotated[
        tuple[Webhook, ...], Field(max_length=20, title="Webhooks", description="Who is told by requests.")
    ] = ()
    wled: Annotated[
        tuple[Wled, ...], Field(max_length=20, title="WLED", description="Lamps that show what happens.")
    ] = ()

    @model_validator(mode="after")
    def _no_key_alone(self) -> "Config":
        if self.key is not None and self.certificate is None:
            raise BadInputError("config/key-alone")
        return self

    @model_validator(mode="after")
    def _homes_over_a_broker(self) -> "Config":
        homes = self.homes
        if (homes.host or homes.guests) and self.mqtt.host is None:
            raise BadInputError("config/homes-alone")
        if homes.host and (homes.guests or homes.host == self.mqtt.station_used):
            raise BadInputError("config/homes-both")
        return self

    @model_validator(mode="after")
    def _no_name_twice(self) -> "Config":
        for receivers in (self.webhooks, self.wled):
            names = [each.name for each in receivers]
            if len(set(names)) < len(names):
                raise BadInputError("config/name-twice", names=tuple(names))
        return self


def load(path: Path | None, **options: Any) -> Config:
    """The settings of a file with the options above them.

    path: None for no file. options: those that are None are left to the file.
    Raises BadInputError naming the key that is unknown or wrong, or why the file cannot be read.
    """
    data = {} if path is None else _read(path)
    return parse({**data, **{key: value for key, value in options.items() if value is not None}}, path)


def parse(data: Mapping[str, object], path: Path | None = None) -> Config:
    """Check settings; `path` is named in the sentence when they are wrong."""
    try:
        return Config.model_validate(data)
    except ValidationError as error:
        what = _first(error)
        told = (
            Message("config/wrong-in", what=what, path=str(path))
            if path
            else Message("config/wrong", what=what)
        )
        raise BadInputError(told, code="config/bad") from error


def _first(error: ValidationError) -> Message:
    """The first thing that is wrong, with its key."""
    first = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        parent: Any = (
            Config if len(first["loc"]) == 1 else Config.model_fields[str(first["loc"][0])].annotation
        )
        known = tuple(getattr(parent, "model_fields", ()))
        return Message("config/unknown-of" if known else "config/unknown", key=key, known=known)
    own = first.get("ctx", {}).get("error")
    why = own.message if isinstance(own, BadInputError) else first["msg"]
    return Message("config/setting", key=key, why=why) if key else Message("text", text=why)


def _read(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInputError("config/missing", path=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError("config/unreadable", code="config/bad", path=str(path), why=str(error)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadInputError("config/no-toml", code="config/bad", path=str(path), why=str(error)) from None
    except (ValueError, RecursionError):
        raise BadInputError("config/too-long", code="config/bad", path=str(path)) from None
