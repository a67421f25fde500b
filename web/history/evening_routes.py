"""The evening's card: its content, and the picture."""

from contextlib import suppress
from datetime import UTC, datetime

from flask import Blueprint, Response, abort
from werkzeug.exceptions import NotFound

from station.contract.reviewed import GameReview
from station.store.archive import FinishedGame
from web.advice.answers import PreparingError
from web.core import i18n
from web.core.i18n import t
from web.history.evening import Evening, evening
from web.history.evening_card import EveningCard, Fact, PodiumPlace, drawn
from web.history.history_routes import Games

LUCK_MIN = 0.05
"""Less of it, in points, is shown as none."""


def create(games: Games) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("evening", __name__)

    @pages.get("/evening.png")
    def card() -> Response:
        every = games.all()
        tonight = evening(every, datetime.now(UTC))
        if not tonight.games:
            abort(404)
        numbers = {each.game for each in tonight.games}
        played = [game for game in every if game.game in numbers]
        response = Response(drawn(_card(games, tonight, played)), mimetype="image/png")
        response.headers["Cache-Control"] = "no-store"
        return response

    return pages


def _card(games: Games, tonight: Evening, played: list[FinishedGame]) -> EveningCard:
    """Its content, in the language of the screen. played: the latest game first."""
    reviews = [found for game in played if (found := _review(games, game)) is not None]
    curve = games.review(played[0].game).curve if reviews and reviews[0].game == played[0].game else ()
    return EveningCard(
        t("page/evening/title", count=len(tonight.games)),
        " · ".join(
            (i18n.day(played[0].when), *([] if tonight.played is None else [i18n.sentence(tonight.played)]))
        ),
        [
            PodiumPlace(
                each.name,
                t("html/evening/won", count=each.won, points=each.points),
                f"{each.points:.0f}",
                1 + sum((other.won, other.points) > (each.won, each.points) for other in tonight.players),
            )
            for each in tonight.players
        ],
        [each for each in (_lucky_throw(games, reviews), _lucky_player(reviews), _decision(reviews)) if each],
        [player.name for player in played[0].players] if curve else (),
        curve,
    )


def _review(games: Games, game: FinishedGame) -> GameReview | None:
    """Luck and skill of a game; None where its rules are not known, or its values are being worked out."""
    with suppress(PreparingError, NotFound):
        return games.luck(game)
    return None


def _lucky_throw(games: Games, reviews: list[GameReview]) -> Fact | None:
    """The best throw of the evening, with its picture where there is one."""
    found = [(each.luckiest.luck, each.game, each.luckiest) for each in reviews if each.luckiest]
    if not found:
        return None
    _, game, lucky = max(found, key=lambda one: one[0])
    jpeg = games.picture(game, lucky.seat, lucky.turn, lucky.throw)
    return Fact(t("html/game/luckiest"), i18n.sentence(lucky.words), jpeg, () if jpeg else lucky.dice)


def _lucky_player(reviews: list[GameReview]) -> Fact | None:
    """Who had most luck over the games of the evening."""
    luck: dict[str, float] = {}
    for player in (player for each in reviews for player in each.players):
        luck[player.name] = luck.get(player.name, 0.0) + player.luck
    if len(luck) < 2:  # noqa: PLR2004 - nobody to compare with
        return None
    name = max(luck, key=lambda each: luck[each])
    if luck[name] < LUCK_MIN:
        return None
    return Fact(t("html/evening/luckiest"), t("html/evening/luck", name=name, luck=luck[name]))


def _decision(reviews: list[GameReview]) -> Fact | None:
    """The decision that was better than the obvious one by most."""
    found = [each.best for each in reviews if each.best]
    if not found:
        return None
    return Fact(t("html/game/best"), i18n.sentence(max(found, key=lambda each: each.saved).words))
