"""Builds the web application from its collaborators; nothing here is a singleton."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask

from web import api, assets, headers, pages, problems, scoring, words
from web.config import WebConfig
from web.ports import Table
from web.viewers import Viewers


def create_app(
    table: Table,
    config: WebConfig | None = None,
    *,
    frame_jpeg: Callable[[], bytes | None],
    advise: Callable[[dict[str, Any]], dict[str, Any]] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """The application: pages, API, live line.

    frame_jpeg: the newest picture of the tray with the dice drawn in; None while there is none.
    advise: answers a checked AdviceRequest as `yacht hint --json` does; by default station.advice does.
    clock: seconds, monotonic.
    Call `app.extensions["viewers"].close()` before stopping the server: every live line then ends.
    """
    settings = config or WebConfig()
    app = Flask("web", static_folder=None)
    app.json.sort_keys = False  # type: ignore[attr-defined]  # the provider's, missing in its base class
    viewers = Viewers(
        table,
        viewers_max=settings.viewers_max,
        heartbeat_s=settings.heartbeat_s,
        room=lambda: (0, {}),
        clock=clock,
    )
    app.extensions["viewers"] = viewers
    words.install(app, default=settings.language)
    headers.install(app)
    problems.install(app)
    assets.install(app)
    api.limit(app)
    app.register_blueprint(pages.create(table))
    app.register_blueprint(
        api.create(
            table,
            viewers,
            frame_jpeg=frame_jpeg,
            score=scoring.score,
            advise=advise or scoring.advise,
            may=_everybody_may,
        )
    )
    return app


def _everybody_may(command: Mapping[str, Any]) -> None:
    del command
