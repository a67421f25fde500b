"""Builds the pages of the board."""

import time
from collections.abc import Callable

from flask import Flask

from board.hall import Hall
from board.pages import board_pages, organise_pages
from board.pages.figures import halves
from board.pages.live import Lines
from board.pages.organiser import Organiser
from board.steps import NAME_MAX
from station.contract.check import Check
from station.screens.tries import Tries
from station.server.web_server import Bound
from web.core import installable
from web.core.application import BODY_MAX_BYTES, TOO_LARGE, new_app


def create_board(
    hall: Hall,
    *,
    title: str,
    code: str,
    secret: str,
    language: str = "en",
    names: tuple[str, ...] = (),
    frames: tuple[str, ...] = (),
    viewers_max: int = 200,
    checks: Callable[[], tuple[Check, ...]] = tuple,
) -> Flask:
    """The application. title: of its pages.

    code: what makes a screen an organiser's; secret: what its cookie is made with.

    Call `app.extensions["lines"].close()` before stopping the server.
    """
    app = new_app("board.pages", language=language, names=names, frames=frames)
    organiser = Organiser(code, secret, Tries(time.monotonic))
    lines = Lines(hall, viewers_max, app.extensions["pages"])
    app.extensions["lines"] = lines
    app.jinja_env.globals.update(
        board_title=title,
        storage=lambda: None,
        theme=None,
        name_max=NAME_MAX,
        organises=organiser.is_one,
    )
    app.jinja_env.filters["halves"] = halves
    app.register_blueprint(board_pages.create(hall))
    app.register_blueprint(board_pages.create_api(hall, lines, checks))
    app.register_blueprint(organise_pages.create(hall, organiser))
    app.register_blueprint(installable.create(app.jinja_env.globals["asset"]))
    return app


def bound(path: str, found: object) -> Bound:
    """The largest body of a request, the same for every path."""
    del path, found
    return Bound(BODY_MAX_BYTES, TOO_LARGE)
