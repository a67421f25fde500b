"""The organiser's page: forms that are steps of the evening. It needs no script; one keeps what is typed."""

import secrets
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as Answer

from board import reports, steps
from board.competition import ResultSource, Spot
from board.hall import BoardEvening, Hall
from board.pages.evening_view import evening_view
from board.pages.figures import DASH
from board.pages.organiser import Organiser
from board.steps import System
from board.table_messages import by_number
from messages.errors import RefusalError, YachtError
from web.core import errors, i18n

HERE = "/organise"

NEEDS: Mapping[str, tuple[str, ...]] = {
    System.ROUND_ROBIN: ("meetings",),
    System.SWISS: ("rounds",),
    System.SEATINGS: ("rounds", "size"),
}
"""The further settings of each system; its form shows no others."""
DIGITS_MAX = 18
"""No step has a number of more: what is longer is the number of none."""


def create(hall: Hall, organiser: Organiser) -> Blueprint:
    """The page and what its forms do."""
    pages = Blueprint("organise", __name__)
    forms = _Forms(hall)

    def page(fault: YachtError | None = None) -> Response:
        evening = hall.evening
        message = None if fault is None else i18n.sentence(fault.message)
        response = make_response(
            render_template(
                "organise.html",
                fault=message,
                typed=request.form,
                systems=[each.value for each in System],
                evening=evening_view(evening),
                competition=evening.competition,
                unclaimed=evening.unclaimed,
                last_step=evening.last_step,
                open_games=_open(evening),
                by_hand=_by_hand(evening),
                decided=_decided(evening),
                tables=[each.table for each in hall.tables()],
                sent={(table, each.players) for table, each in hall.next_games("").items()},
            )
        )
        if fault is not None:
            response.status_code = errors.status_of(fault)
        return response

    @pages.get(HERE)
    def organise() -> Response:
        return page()

    @pages.post(f"{HERE}/code")
    def code() -> Answer:
        try:
            return organiser.enter(request.form.get("code", ""), redirect(HERE, code=303))
        except YachtError as fault:
            return page(fault)

    @pages.post(f"{HERE}/<what>")
    def do(what: str) -> Answer:
        organiser.check()
        try:
            forms.carry_out(what, request.form.to_dict())
        except YachtError as fault:
            return page(fault)
        return redirect(f"{HERE}#{request.form.get('back', 'main')}", code=303)

    return pages


def _by_hand(evening: BoardEvening) -> frozenset[str]:
    """The games with a result set by hand, which can be dropped: round, seating and game, as "0.1.0"."""
    now = evening.competition
    spots = () if now is None else (*now.by_hand, *now.taken)
    return frozenset(f"{each.round}.{each.seating}.{each.game}" for each in spots)


def _decided(evening: BoardEvening) -> dict[str, str]:
    """Decisions on games other than points: by game, the value of its form's field."""
    found = {}
    for each, result in evening.results.items():
        if result.how is not ResultSource.STATION and (result.points is None or result.winners):
            who = str(result.winners[0]) if len(result.winners) == 1 else ""
            what = "forfeit" if result.points is None else "won"
            found[f"{each.round}.{each.seating}.{each.game}"] = f"{what}{who}"
    return found


def _open(evening: BoardEvening) -> tuple[tuple[Spot, str, int, frozenset[str]], ...]:
    """Games without a result to choose from, with the number of players and their names for comparison."""
    competition, found = evening.competition, evening.results
    if competition is None:
        return ()
    return tuple(
        (spot, f"{spot.round + 1}: {DASH.join(players)}", len(players), reports.players(players))
        for spot, players in competition.games()
        if spot not in found
    )


class _Forms:
    """The steps of the forms."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def carry_out(self, what: str, typed: dict[str, str]) -> None:
        """Raises RefusalError, BadInputError or StoreError; nothing is done then."""
        typed.pop("back", None)
        # A form that was sent twice, or after another organiser's step, is outdated.
        after_text = typed.pop("after", "")
        after = int(after_text[:DIGITS_MAX]) if after_text.isdecimal() else None
        match what:
            case "enter":
                self._hall.take(*_entrants(typed.get("names", "")))
            case "lots":
                self._hall.take(steps.Shuffle(order=self._lots()), after=after)
            case "draw":
                self._hall.draw(after=after)
            case "score":
                self._hall.take(_score(typed), after=after)
            case "take":
                spot, _, report = typed.get("what", "").partition(";")
                station, _, number = report.rpartition("/")
                given = {"step": "take", **_spot(spot), "station": station, "number": number}
                self._hall.take(steps.made(given), after=after)
            case "open":
                system = typed.get("system", "")
                needed = {"title", "system", *NEEDS.get(system, ())}
                fields = {name: value for name, value in typed.items() if name in needed}
                self._hall.take(steps.made({"step": what, **fields}), after=after)
            case "attend" | "move" | "clear" | "undo":
                self._hall.take(steps.made({"step": what, **typed}), after=after)
            case _:
                raise RefusalError("request/not_found")

    def _lots(self) -> tuple[int, ...]:
        competition = self._hall.evening.competition
        order = list(range(0 if competition is None else len(competition.entrants)))
        secrets.SystemRandom().shuffle(order)
        return tuple(order)


def _entrants(names: str) -> list[steps.Step]:
    """A line for each: a name, or a team with its members behind a colon."""
    found: list[steps.Step] = []
    for line in filter(str.strip, names.splitlines()):
        name, _, members = line.partition(":")
        team = [each for each in members.split(",") if each.strip()]
        found.append(steps.made({"step": "enter", "name": name, "members": team}))
    return found


def _spot(text: str) -> dict[str, str]:
    """Round, seating and game, as "0.1.0"."""
    numbers = [*text.split("."), "", ""][:3]
    return dict(zip(("round", "seating", "game"), numbers, strict=True))


def _score(typed: dict[str, str]) -> steps.Step:
    """Points, or who was there where nobody played."""
    columns = sorted((name for name in typed if name.startswith("points")), key=by_number)
    points = [typed[name].strip() for name in columns]
    decided = typed.get("decided", "")
    fields: dict[str, Any] = {"step": "score", **_spot(typed.get("spot", "")), "size": max(len(points), 1)}
    if decided.startswith("forfeit"):
        there = decided.removeprefix("forfeit")
        return steps.made({**fields, "points": None, "winners": [there] if there else []})
    if "" in points:
        raise RefusalError("board/points_missing")
    winners = [decided.removeprefix("won")] if decided.startswith("won") else []
    return steps.made({**fields, "points": points, "winners": winners})
