"""Builds the web application from its collaborators; nothing here is a singleton."""

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from flask import Flask, request

from station.camera.moments import Moments
from station.camera.throw_pictures import ThrowPictures
from station.contract.commands import Command
from station.contract.view import TableView
from station.game.feature import features
from station.game.log.state import State
from station.screens.roles import Role
from station.screens.room import Room
from station.screens.shown import PublicRoom
from station.store.house_rules import HouseRules
from station.table.table import Table
from web.advice import answers
from web.calibration import calibration_routes, mounting_routes
from web.core import installable, origin
from web.core.application import new_app
from web.core.collaborators import GameArchive
from web.core.config import WebConfig
from web.history import dice_pages, evening_routes, history_routes, paper_routes, people_routes
from web.history.named import NamedArchive
from web.join import seats
from web.phone import phone_help, phone_routes, use_phone
from web.rescue import rescue_routes
from web.rules import rules_routes
from web.setup import added_routes, backups, https_routes, picture_settings, setup_pages, update_routes
from web.table import api, own_sounds, table_pages
from web.table.viewers import Viewer, Viewers
from web.tv import moment_routes, tv_pages

if TYPE_CHECKING:
    from station.advice.advisor import Advisor
    from station.camera.calibrator import Calibrator
    from station.camera.camera_choice import CameraChoice
    from station.camera.phones import Phones
    from station.camera.picture_choice import PictureChoice
    from station.rescue import Rescue
    from station.updates.updates import Updates

T = TypeVar("T")


def create_app(
    table: Table,
    config: WebConfig | None = None,
    *,
    frame_jpeg: Callable[[int], bytes | None],
    moments: Moments,
    die_picture: Callable[[str, int], bytes | None] = lambda _name, _slot: None,
    pictures: ThrowPictures,
    archive: GameArchive,
    house_rules: HouseRules,
    advisor: "Advisor",
    checks: setup_pages.Checks = tuple,
    log_tail: Callable[[], str] = str,
    calibration: "Calibrator | None" = None,
    picture: "PictureChoice | None" = None,
    phones: "Callable[[], Phones | None]" = lambda: None,
    room: Room | None = None,
    restored: Callable[[], None] = lambda: None,
    rescue: "Rescue | None" = None,
    https: https_routes.Https | None = None,
    updates: "Updates | None" = None,
    camera: "CameraChoice | None" = None,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The application: pages, API, live line.

    frame_jpeg: the newest picture of the tray with the dice drawn in, at most so many pixels wide; None while
    there is none.
    moments: what is kept of the dice of the last throws.
    die_picture: the picture of a die that a feature has, by name and slot.
    pictures: of confirmed throws. archive: finished games. house_rules: those of this station.
    advisor: gives the values of advice.
    checks: the station's own health checks. log_tail: the last lines of the log, for the problem bundle.
    calibration: the steps of `/setup/calibrate`; without it that page has nothing to show.
    picture: settings of the camera's picture; without it there are none.
    phones: which phone is the camera; None while another camera is.
    room: seats, hints and host; one of its own by default.
    restored: called when a copy was put back, whose house rules and profile count from now on.
    rescue: what to do while games cannot be stored.
    https: its port, which the host may open.
    updates: newer releases, where the station can install them itself.
    camera: whether a phone is the camera instead of the one of the settings.
    clock: seconds, monotonic.
    Call `app.extensions["viewers"].close()` before stopping the server: every live line then ends.
    """
    settings = config or WebConfig()
    room = room or Room(settings.data_dir)
    named_archive = NamedArchive(archive, room.people.display_name)
    app = new_app(
        "web",
        language=settings.language,
        names=settings.names,
        frames=settings.frames,
        parts=features_pages(),
    )
    app.extensions["room"] = room
    table.listeners.renamed, table.stored.exchanging = room.rename, room.exchanging
    table.listeners.taken_back, table.from_outside = room.taken_back, room.check_outside

    def names() -> tuple[str, ...]:
        view = table.snapshot()
        here = tuple(name for player in view.players for name in player.people)
        return (*here, *lately(named_archive)["known"])

    room.bounds.names = names

    def room_version() -> tuple[object, PublicRoom]:
        number, public = room.public()
        view = table.snapshot()
        # A game that is over changes who is known, also where nobody looked before the next one began.
        over = view.game if view.finished else max(view.game - 1, 0)
        return (number, over), public

    def shared() -> tuple[object, seats.KnownRoom]:
        number, public = room_version()
        return number, seats.KnownRoom(**asdict(public), **lately(named_archive))

    viewers = Viewers(
        table,
        viewers_max=settings.viewers_max,
        heartbeat_s=settings.heartbeat_s,
        pages=app.extensions["pages"],
        room=_remembered(room_version, shared),
        clock=clock,
    )
    app.extensions["viewers"] = viewers
    app.jinja_env.globals["storage"] = lambda: table.snapshot().storage
    app.jinja_env.globals["updates"] = updates is not None
    app.url_map.converters["game"] = history_routes.GameNumber
    about = setup_pages.House(
        table, settings, room, viewers, named_archive, frame_jpeg=frame_jpeg, checks=checks, log_tail=log_tail
    )

    def may(command: Command) -> Callable[[TableView, State], None]:
        token = seats.token()
        return lambda view, state: room.check(token, command, view, lambda: state.last_mover)

    def viewer() -> Viewer:
        seated = room.of(seats.token()).role is not Role.VIEWER
        gone = request.environ.get("waitress.client_disconnected", bool)
        token = seats.token()

        def refused() -> tuple[str, ...]:
            view, state = table.moment()
            return room.refused(token, view, lambda: state.last_mover)

        return Viewer(origin.address(), seated, gone, refused)

    @app.before_request
    def note_screen() -> None:
        token = seats.token()
        if token is not None:
            room.saw(token, origin.address(), request.headers.get("User-Agent", ""))

    advice = answers.Advice(advisor)
    games = history_routes.Games(named_archive, room, advice, pictures, table.snapshot)
    blueprints = (
        installable.create(app.jinja_env.globals["asset"]),
        table_pages.create(table, settings),
        tv_pages.create(table, about),
        own_sounds.create(settings.data_dir),
        moment_routes.create(table, moments, die_picture),
        history_routes.create(games),
        evening_routes.create(games),
        paper_routes.create(house_rules),
        people_routes.create(games, room),
        dice_pages.create(dice_pages.ThrownDice(named_archive)),
        rules_routes.create(table, house_rules),
        rules_routes.create_keeping(house_rules, room),
        history_routes.create_api(games),
        backups.create(table, named_archive, room, restored),
        *seats.create(room, lately=lambda: lately(named_archive)),
        setup_pages.create(about),
        https_routes.create(https, room),
        phone_help.create(https),
        use_phone.create(camera, room),
        added_routes.create(room, house_rules, calibration),
        update_routes.create(updates, room),
        *rescue_routes.create(rescue, room, restored),
        *calibration_routes.create(calibration, room),
        mounting_routes.create(calibration, room),
        picture_settings.create(picture, room),
        *phone_routes.create(phones, calibration, settings.secure_addresses),
        api.create(
            table,
            viewers,
            frame_jpeg=frame_jpeg,
            viewer=viewer,
            may=may,
        ),
        api.create_questions(table, advice=advice, house_rules=house_rules.texts),
    )
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    return app


def features_pages() -> tuple[Path, ...]:
    """The folders with what features bring to the pages, in the order in which they are listed."""
    modules = (sys.modules[type(feature).__module__] for feature in features())
    return tuple(Path(str(module.__file__)).parent / "page" for module in modules)


def lately(archive: GameArchive) -> dict[str, Any]:
    """Who finished a game here, and by which rule sets, the latest first."""
    games = archive.games(50)
    return {
        "known": tuple(dict.fromkeys(player.name for game in games for player in game.players)),
        "played": tuple(dict.fromkeys(game.rules for game in games)),
    }


def _remembered(
    look: Callable[[], tuple[object, object]], fetch: Callable[[], tuple[object, T]]
) -> Callable[[], tuple[object, T]]:
    """`fetch`, called again only when `look` gives another number: every viewer looks every second."""
    last: list[tuple[object, T]] = []

    def latest() -> tuple[object, T]:
        if not last or last[0][0] != look()[0]:
            last[:] = [fetch()]
        return last[0]

    return latest
