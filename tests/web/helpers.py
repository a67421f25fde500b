"""A table with a tray that is only spoken: tests say what the camera reads."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from jinja2 import FileSystemBytecodeCache

from messages.errors import StoreError
from station.advice.advisor import Advisor
from station.table.table import Table
from vision.reading import Colour, DieReading, Reading, Reason, Status
from web.core.config import WebConfig
from web.factory import create_app

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient

JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")
COLOURS = (Colour.WHITE, Colour.RED, Colour.BLUE, Colour.IVORY, Colour.GREEN)
TEMPLATES = FileSystemBytecodeCache()
"""Where jinja2 keeps what it has compiled for the next station."""


def reading(
    faces: Iterable[int] = (),
    status: Status = Status.READY,
    reasons: tuple[Reason, ...] = (),
    shift: float = 0,
) -> Reading:
    """Dice in a row from left to right; `shift` moves all, as a new throw would."""
    dice = tuple(
        DieReading(face, 0.99, (100.0 + 90 * i + shift, 120.0 + shift), 60.0, 0.0, COLOURS[i % 5])
        for i, face in enumerate(faces)
    )
    return Reading(status if dice else Status.EMPTY, dice, reasons)


class Nothing:
    """All that a station keeps, where there is nothing and nothing more fits on the disk."""

    def games(self, *_asked: object) -> tuple[()]:
        return ()

    games_aside = transcript = film = games

    def find(self, *_asked: object) -> None:
        return None

    delete_game = undelete_game = delete = drop = die_jpeg = find

    def texts(self) -> dict[str, str]:
        return {}

    def save(self, what: object, *_asked: object) -> Any:
        raise StoreError("store/disk-full", code="store/full", path=str(what))

    backup = add_past = save


IDLE = Advisor()
"""An advisor that knows what ships and works nothing out."""
IDLE.close()
NOTHING = dict.fromkeys(("archive", "pictures", "moments", "house_rules"), Nothing()) | {"advisor": IDLE}


class Stage:
    """The web room round a real table in memory."""

    def __init__(
        self, config: WebConfig | None = None, *, table: Table | None = None, **collaborators: Any
    ) -> None:
        self.table = table or Table()
        self.jpeg: bytes | None = JPEG
        self.widths: list[int] = []
        given = {"frame_jpeg": self._frame_jpeg, **NOTHING, **collaborators}
        self.app: Flask = create_app(self.table, config, **given)
        self.app.testing = False
        self.app.jinja_env.bytecode_cache = TEMPLATES
        self.client: FlaskClient = self.app.test_client()
        self._shift = 0.0

    @property
    def cookie(self) -> str:
        """What the cookie is called by which this station knows its screens."""
        return str(self.app.extensions["room"].cookie)

    def _frame_jpeg(self, width_max: int) -> bytes | None:
        self.widths.append(width_max)
        return self.jpeg

    def do(self, command: str, **fields: Any) -> dict[str, Any]:
        """A command that has to succeed; gives the new state."""
        answer = self.client.post("/api/v1/commands", json={"command": command, **fields})
        assert answer.status_code == 200, answer.get_json()
        state: dict[str, Any] = answer.get_json()
        return state

    def throw(self, *faces: int) -> None:
        """Dice fall so that the camera reads `faces`, from left to right."""
        self._shift = 40.0 - self._shift
        self.table.offer(reading(status=Status.EMPTY))
        self.table.offer(reading(faces, shift=self._shift))
