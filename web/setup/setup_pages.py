"""Pages about the station itself: joining, setup, health, the problem bundle, the install manifest."""

import io
import json
import platform
import zipfile
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import segno
from flask import Blueprint, Flask, Response, jsonify, render_template, request

from station import rules as rulebook
from station.screens.room import Room
from web.core.collaborators import Archive, Table
from web.core.config import WebConfig
from web.core.i18n import said
from web.join.seats import token
from web.table.viewers import Viewers

Checks = Callable[[], Sequence[Mapping[str, str]]]
"""Health checks of the station: each with name, status (ok, info, warning, problem) and message."""

PACKAGES = ("yacht-station", "flask", "waitress", "numpy", "opencv-python", "pydantic", "gpiozero")
ORDER = ("problem", "warning", "info", "ok")


def versions() -> dict[str, str]:
    """Versions of what runs here."""
    found = {"python": platform.python_version(), "system": platform.platform()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "-"
    return found


def qr_svg(address: str) -> str:
    """A QR code as an SVG document, black on white in every light, so that every phone reads it."""
    out = io.BytesIO()
    segno.make(address, error="m").save(out, kind="svg", border=3, dark="#000", light="#fff", xmldecl=False)
    return out.getvalue().decode()


class House:
    """What the pages about the station need."""

    def __init__(
        self,
        table: Table,
        config: WebConfig,
        room: Room,
        viewers: Viewers,
        archive: Archive,
        *,
        frame_jpeg: Callable[[], bytes | None],
        checks: Checks,
        log_tail: Callable[[], str],
    ) -> None:
        self.table, self.config, self.room, self.viewers, self.archive = table, config, room, viewers, archive
        self.frame_jpeg, self.checks, self.log_tail = frame_jpeg, checks, log_tail

    def addresses(self) -> tuple[str, ...]:
        """Where screens reach this station; without better knowledge, where this one did."""
        return self.config.addresses or (request.host_url.rstrip("/"),)

    def health(self) -> list[dict[str, str]]:
        """All checks, the worst first: the station's own, and those the web room can make itself."""
        state = self.table.snapshot()
        camera = state.get("camera") or {}
        own = [
            {
                "name": "Camera",
                "status": "ok" if camera.get("ok", True) else "problem",
                "message": camera.get("message") or camera.get("name") or "No camera reported yet",
            },
            {
                "name": "Screens",
                "status": "ok" if self.viewers.count < 0.9 * self.config.viewers_max else "warning",
                "message": f"{self.viewers.count} of {self.config.viewers_max} are listening.",
            },
        ]
        given = [dict(check) for check in self.checks()]
        names = {check["name"] for check in given}
        found = [*given, *(check for check in own if check["name"] not in names)]
        return sorted(
            found, key=lambda check: ORDER.index(check["status"]) if check["status"] in ORDER else 0
        )

    def bundle(self) -> bytes:
        """One zip for somebody who can help: tray picture, state without names, health, log, versions."""
        state = dict(self.table.snapshot())
        state["players"] = [
            {**player, "name": f"player {seat}"}
            for seat, player in enumerate(state.get("players", []), start=1)
        ]
        for words in ("waiting_for", "undo", "problem", "winner"):
            state.pop(words, None)
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
            jpeg = self.frame_jpeg()
            if jpeg is not None:
                bundle.writestr("tray.jpg", jpeg)
            bundle.writestr("state.json", json.dumps(state, indent=1))
            bundle.writestr("health.json", json.dumps(self.health(), indent=1))
            bundle.writestr("versions.json", json.dumps(versions(), indent=1))
            bundle.writestr("log.txt", self.log_tail())
        return out.getvalue()


def create(house: House) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("house", __name__)

    @pages.get("/join.svg")
    def join_code() -> Response:
        # By number: a phone finds that everywhere, a name ending in .local only where it knows mDNS.
        return Response(qr_svg(f"{house.addresses()[-1]}/join"), mimetype="image/svg+xml")

    @pages.get("/setup")
    def setup() -> str:
        rules = [(rules_id, said(rulebook.get(rules_id).title)) for rules_id in rulebook.ids()]
        return render_template(
            "setup.html", rules=rules, addresses=house.addresses(), secure=house.config.secure_addresses
        )

    @pages.get("/health")
    def health() -> str:
        # The page lists the versions by themselves; the station tells everything in English.
        checks = [
            check | {"name": said(check["name"]), "message": said(check["message"])}
            for check in house.health()
            if check["name"] != "Versions"
        ]
        return render_template("health.html", checks=checks, versions=versions())

    @pages.get("/api/v1/health")
    def health_json() -> Response:
        return jsonify({"checks": house.health(), "versions": versions()})

    @pages.get("/api/v1/problem.zip")
    def bundle() -> Response:
        house.room.check_host(token())
        response = Response(house.bundle(), mimetype="application/zip")
        response.headers["Content-Disposition"] = 'attachment; filename="yacht-problem.zip"'
        return response

    return pages


def install_manifest(app: Flask) -> None:
    """What a phone needs to put the station on its home screen."""
    asset = app.jinja_env.globals["asset"]
    assert callable(asset)  # noqa: S101 - web.core.assets puts it there

    @app.get("/manifest.webmanifest")
    def manifest() -> Response:
        icons: list[dict[str, Any]] = [
            {"src": asset(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
            for size in (192, 512)
        ]
        icons += [{**icon, "purpose": "maskable"} for icon in icons]
        response = jsonify(
            {
                "name": "Yacht Station",
                "short_name": "Yacht",
                "start_url": "/",
                "scope": "/",
                "display": "standalone",
                "background_color": "#174637",
                "theme_color": "#174637",
                "icons": icons,
            }
        )
        response.mimetype = "application/manifest+json"
        return response
