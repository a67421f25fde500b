"""Pages about the station itself: joining, setup, health, the problem bundle, the install manifest."""

import io
import json
import platform
import re
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import segno
from flask import Blueprint, Response, render_template, request
from pydantic import BaseModel

from messages.message import Message
from station.contract.check import Check, Level
from station.contract.view import as_json
from station.games import rules_of, texts
from station.health.checks import installed
from station.rules import built_in_ids
from station.screens.room import Room
from station.table.table import Table
from web.core.application import named
from web.core.collaborators import GameArchive
from web.core.config import WebConfig
from web.core.endpoints import endpoint
from web.core.i18n import language, sentence
from web.join.seats import token
from web.table.viewers import Viewers

Checks = Callable[[], Sequence[Check]]
"""Health checks of the station."""


class CheckShape(BaseModel):
    """One thing that was looked at: how it is, and in a sentence what to do."""

    id: str
    name: str
    status: Literal["ok", "info", "warning", "problem"]
    message: str


class HealthShape(BaseModel):
    """All checks, the worst first, and the versions of what runs here."""

    checks: list[CheckShape]
    versions: dict[str, str]


def versions() -> dict[str, str]:
    """Versions of what runs here."""
    own = {name: version or "-" for name, version in installed()}
    return {"python": platform.python_version(), "system": platform.platform(), **own}


def qr_svg(address: str) -> str:
    """A QR code as an SVG document, black on white in every light, so that every phone reads it."""
    out = io.BytesIO()
    segno.make(address, error="m").save(out, kind="svg", border=3, dark="#000", light="#fff", xmldecl=False)
    return out.getvalue().decode()


FRAME_PX = 1280
"""Width of the tray's picture in the problem bundle, at most."""


class House:
    """What the pages about the station need."""

    def __init__(
        self,
        table: Table,
        config: WebConfig,
        room: Room,
        viewers: Viewers,
        archive: GameArchive,
        *,
        frame_jpeg: Callable[[int], bytes | None],
        checks: Checks,
        log_tail: Callable[[], str],
    ) -> None:
        self.table, self.config, self.room, self.viewers, self.archive = table, config, room, viewers, archive
        self.frame_jpeg, self.checks, self.log_tail = frame_jpeg, checks, log_tail

    def addresses(self) -> tuple[str, ...]:
        """Where screens reach this station; without better knowledge, where this one did."""
        return self.config.addresses() or (request.host_url.rstrip("/"),)

    def health(self) -> list[CheckShape]:
        """All checks, the worst first: the station's own, and those the web room can make itself."""
        count, most = self.viewers.count, self.config.viewers_max
        screens = Check(
            "screens",
            Level.OK if count < 0.9 * most else Level.WARNING,
            Message("health/screens/listening", listening=count, most=most),
        )
        found = [*self.checks(), screens]
        found.sort(key=lambda check: list(Level).index(check.status), reverse=True)
        return [CheckShape.model_validate(check.to_json(language())) for check in found]

    def bundle(self) -> bytes:
        """One zip for somebody who can help: tray picture, state without names, health, log, versions."""
        state = as_json(self.table.snapshot())
        names = {
            name: f"player {seat}"
            for seat, player in enumerate(state["players"], start=1)
            for name in (player["name"], *player["members"])
        }
        checks = without_names([check.model_dump() for check in self.health()], names)
        files: dict[str, str | bytes] = {
            "state.json": json.dumps(without_names(state, names), indent=1),
            "health.json": json.dumps(checks, indent=1),
            "versions.json": json.dumps(versions(), indent=1),
            "log.txt": self.log_tail(),
        }
        jpeg = self.frame_jpeg(FRAME_PX)
        if jpeg is not None:
            files["tray.jpg"] = jpeg
        return zipped(files, time.localtime())


def zipped(files: Mapping[str, str | bytes], when: time.struct_time) -> bytes:
    """Files in one zip. when: by the clock, which may say 1970; a zip knows 1980 to 2107."""
    out = io.BytesIO()
    year = min(max(when.tm_year, 1980), 2107)
    at = (year, when.tm_mon, when.tm_mday, when.tm_hour, when.tm_min, when.tm_sec)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, at)
            info.compress_type = zipfile.ZIP_DEFLATED
            bundle.writestr(info, content)
    return out.getvalue()


def without_names(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with each of the names, at any depth, replaced by its mapping.

    >>> without_names({"great": ["Ana-Lena wins", 3]}, {"Ana": "player 1", "Ana-Lena": "player 2"})
    {'great': ['player 2 wins', 3]}
    """
    if isinstance(value, dict):
        return {key: without_names(each, names) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [without_names(each, names) for each in value]
    if isinstance(value, str) and names:
        longest_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        return re.sub(longest_first, lambda found: names[found[0]], value)
    return value


def create(house: House) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("house", __name__)

    @pages.get("/join.svg")
    def join_code() -> Response:
        # By number: a phone finds that everywhere, a name ending in .local only where it knows mDNS.
        return Response(qr_svg(f"{house.addresses()[-1]}/join"), mimetype="image/svg+xml")

    @pages.get("/setup")
    def setup() -> str:
        rules = [(rules_id, sentence(rules_of(rules_id).title)) for rules_id in (*built_in_ids(), *texts())]
        return render_template(
            "setup.html", rules=rules, addresses=house.addresses(), secure=house.config.secure_addresses()
        )

    @pages.get("/setup/first")
    def first() -> str:
        return render_template("first.html")

    @pages.get("/health")
    def health() -> str:
        # The page lists the versions by themselves.
        checks = [check for check in house.health() if check.id != "versions"]
        return render_template("health.html", checks=checks, versions=versions())

    @pages.get("/api/v1/health")
    @endpoint()
    def health_json() -> HealthShape:
        """How the station is."""
        return HealthShape(checks=house.health(), versions=versions())

    @pages.get("/api/v1/problem.zip")
    @endpoint(gives="No names in it.", kind="application/zip", errors=(403,))
    def bundle() -> Response:
        """What helps to find a fault."""
        house.room.check_settings(token())
        return named(Response(house.bundle(), mimetype="application/zip"), "yacht-problem.zip", "attachment")

    return pages
