"""The page of a player: look and sound, other names, averages, ratings, and how it goes against others."""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from flask import Blueprint, abort, render_template, request
from pydantic import ConfigDict, Field

from messages.errors import RefusalError
from station.contract.fields import Body, Name
from station.contract.names import clean_name
from station.features.listed import FEATURES
from station.game.past import PastQuestion
from station.screens.people import Jingle, KeptProfile, OwnColour, Profile, Sign
from station.screens.room import Room
from web.core.endpoints import endpoint
from web.core.i18n import t
from web.history import charts, rivals, statistics
from web.history.history_routes import Games, average_boxes, labels
from web.history.rivals import Rival
from web.join.seats import source, token


class WantedProfile(Body):
    """How somebody looks and sounds."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "Ana", "colour": "red", "sign": "star", "jingle": "bells"}]}
    )
    name: Name
    colour: OwnColour
    sign: Sign
    jingle: Jingle = Jingle.NONE


class OtherName(Body):
    """Somebody is shown under another name; `name` is the one that is shown now."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Tom", "to": "Thomas"}]})
    name: Name
    to: Name


class OldName(Body):
    """An earlier name."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Tom"}]})
    name: Name


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has finished a game here."""

    name: str
    games: Annotated[int, Field(description="How many were played.")]
    rating: Annotated[float | None, Field(description="Elo; null for who has only played alone.")]
    names: Annotated[tuple[str, ...], Field(description="Other names that are shown as this one.")]
    against: tuple[Rival, ...]


@dataclass(frozen=True, slots=True)
class Everybody:
    """Who has played here, the most frequent first, and the profiles there are."""

    people: tuple[Person, ...]
    profiles: tuple[Profile, ...]


class PeopleOf:
    """Who has played, from the archive and the room."""

    def __init__(self, games: Games, room: Room) -> None:
        self.games, self.room = games, room

    def known(self) -> dict[str, set[int]]:
        """Everybody who finished a game, with the games."""
        found: dict[str, set[int]] = {}
        for game in self.games.all():
            for player in game.took_part:
                found.setdefault(player.name, set()).add(game.game)
        return found

    def everybody(self) -> Everybody:
        """All of them."""
        every = self.games.all()
        ratings, names = rivals.ratings(every), self.room.people.names()
        people = [
            Person(
                name,
                len(played),
                ratings[name][-1] if name in ratings else None,
                tuple(old for old, new in names.items() if new == name),
                rivals.rivals(every, name),
            )
            for name, played in self.known().items()
        ]
        people.sort(key=lambda each: (-each.games, each.name.casefold()))
        return Everybody(tuple(people), self.room.people.profiles())


def _page(people: PeopleOf, name: str) -> str:
    every, known = people.games.all(), people.known()
    if name not in known:
        with suppress(RefusalError):  # of a link from before, or as somebody typed it
            name = people.room.people.display_name(clean_name(name))
    mine = next((each for each in people.everybody().people if each.name == name), None) or abort(404)
    played = [game for game in every if any(player.name == name for player in game.took_part)]
    sheets = []
    for rules in statistics.rule_sets(played):
        figures = next(each for each in statistics.players(played, rules) if each.name == name)
        game = next(game for game in played if game.rules == rules)
        its_rules = people.games.rules(game)
        average = average_boxes(figures, labels(its_rules))
        sheets.append((people.games.title(game), figures, statistics.of_rules(its_rules), average))
    profile = next((each for each in people.room.people.profiles() if each.name == name), None)
    return render_template(
        "player.html",
        person=mine,
        profile=profile,
        others=[each for each, games in known.items() if not games & known[name]],
        sheets=sheets,
        ratings=charts.lines(t("html/people/ratings"), _rounded(rivals.ratings(every), name)),
        colours=tuple(OwnColour),
        signs=tuple(Sign),
        jingles=tuple(Jingle),
        hints=people.room.wants_hints(name),
    )


def _rounded(ratings: dict[str, tuple[float, ...]], first: str) -> dict[str, list[int]]:
    """Whole numbers, the player of the page first, then who played most evenings."""
    order = sorted(ratings, key=lambda name: (name != first, -len(ratings[name])))
    return {name: [round(each) for each in ratings[name]] for name in order}


def _answer(people: PeopleOf, question: PastQuestion[Any, Any], wanted: object) -> Any:
    return question.answer(people.games.all(), people.room.people.display_name, wanted)


def create(games: Games, room: Room) -> Blueprint:
    """The blueprint."""
    pages = Blueprint("people", __name__)
    people = PeopleOf(games, room)

    @pages.get("/history/player")
    def page() -> str:
        return _page(people, request.args.get("name", ""))

    @pages.get("/api/v1/people")
    @endpoint(errors=(503,))
    def everybody() -> Everybody:
        """Who has played here, their ratings, and how it goes against each other."""
        return people.everybody()

    for question in (each for feature in FEATURES for each in feature.questions):
        described = endpoint(
            errors=(503,), gives=question.gives, body=question.takes, summary=question.summary
        )
        view = described(partial(_answer, people, question))
        pages.post(f"/api/v1/people/{question.name}", endpoint=question.name)(view)

    @pages.post("/api/v1/people/profile")
    @endpoint(errors=(403, 422, 503))
    def profile(wanted: WantedProfile) -> Everybody:
        """Choose how somebody looks and sounds."""
        profile = KeptProfile(colour=wanted.colour, sign=wanted.sign, jingle=wanted.jingle)
        room.people.set_profile(token() or "", wanted.name, profile, source())
        return people.everybody()

    @pages.post("/api/v1/people/rename")
    @endpoint(errors=(403, 422, 503))
    def rename(wanted: OtherName) -> Everybody:
        """Show somebody under a new name, in past games too."""
        room.check_settings(token())
        room.people.rename(wanted.name, wanted.to, people.known())
        return people.everybody()

    @pages.post("/api/v1/people/merge")
    @endpoint(errors=(403, 422, 503))
    def merge(wanted: OtherName) -> Everybody:
        """Two names are one person's; refused where they have played each other."""
        room.check_settings(token())
        room.people.merge(wanted.name, wanted.to, people.known())
        return people.everybody()

    @pages.post("/api/v1/people/apart")
    @endpoint(errors=(403, 422, 503))
    def apart(wanted: OldName) -> Everybody:
        """Take a renaming or a merging back."""
        room.check_settings(token())
        room.people.apart(wanted.name)
        return people.everybody()

    return pages
