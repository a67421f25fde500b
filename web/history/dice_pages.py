"""The page and the address that say whether the dice are fair."""

from collections import Counter
from datetime import date

from flask import Blueprint, render_template

from messages.message import Message
from station.game.thrown_dice import ThrownDie, thrown_dice
from station.store.archive import FinishedGame
from web.core import i18n
from web.core.collaborators import GameArchive
from web.core.endpoints import endpoint
from web.core.i18n import t
from web.history import charts
from web.history.fairness import ENOUGH, TINY, TRIES, DiceSet, Fairness, Tested, fairness

OPEN_GAMES = 2
"""The latest games, which undo and corrections can still change: they are counted each time."""


class ThrownDice:
    """The throws of every finished game, each counted once."""

    def __init__(self, archive: GameArchive) -> None:
        self._archive = archive
        self._counted: dict[tuple[int, str], Counter[ThrownDie]] = {}

    def fairness(self) -> Fairness:
        """What all games that are over say about the dice."""
        games = self._archive.games()
        still_open = {game.game for game in games[:OPEN_GAMES]}
        return fairness([(game.day, self._of(game, again=game.game in still_open)) for game in games])

    def _of(self, game: FinishedGame, *, again: bool) -> Counter[ThrownDie]:
        key = game.game, game.finished_at
        if again or key not in self._counted:
            self._counted[key] = thrown_dice(self._archive.transcript(game.game))
        return self._counted[key]


def _called(tested: Tested) -> str:
    """Which die, or dice, it is about."""
    if not tested.dice:
        return t("html/dice/every")
    return t("html/dice/die", count=tested.dice, colour=Message(f"page/colour/{tested.colour}"))


def _verdict(tested: Tested) -> str:
    """What the throws say, as one says it to a child."""
    if tested.p is None:
        return t("html/dice/few", wanted=ENOUGH)
    of = {"fair": 100, "odd": 1000, "unfair": 10_000}[tested.verdict]
    return t(f"html/dice/{tested.verdict}", count=round(tested.p * of))


def _furthest(tested: Tested) -> str:
    """The face that is furthest from a fair one, in throws of a hundred."""
    face = tested.furthest
    often, least, most = (round(100 * each) for each in (face.count / tested.thrown, face.least, face.most))
    return t("html/dice/furthest", face=face.face, often=often, least=least, most=most)


def _figure(tested: Tested) -> str:
    """The p-value for who knows what that is, and how it was found."""
    if tested.p is None:
        return ""
    if tested.p < TINY:
        return t("html/dice/p_tiny", p=TINY)
    if not tested.p_error:
        return t("html/dice/p_exact", p=tested.p)
    return t("html/dice/p_about", p=tested.p, error=max(tested.p_error, TINY), tries=TRIES)


def _picture(tested: Tested) -> str:
    return charts.faces(
        t("html/dice/picture", die=_called(tested)),
        [each.count for each in tested.faces],
        [(each.least * tested.thrown, each.most * tested.thrown) for each in tested.faces],
    )


def _set_called(dice: DiceSet) -> str:
    return " · ".join(map(_called, dice.dice))


def create(thrown: ThrownDice) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("dice", __name__)

    @pages.get("/history/dice")
    def page() -> str:
        return render_template(
            "dice.html",
            found=thrown.fairness(),
            called=_called,
            set_called=_set_called,
            verdict=_verdict,
            furthest=_furthest,
            figure=_figure,
            picture=_picture,
            day_of=lambda text: i18n.day(date.fromisoformat(text)),
        )

    @pages.get("/api/v1/history/dice")
    @endpoint(errors=(503,))
    def dice_answer() -> Fairness:
        """Whether the dice are fair, from every throw of every finished game."""
        return thrown.fairness()

    return pages
