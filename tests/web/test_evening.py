"""The running table of an evening."""

import io
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from messages.message import Message
from station.advice import reviews
from station.store.archive import FinishedGame, FinishedPlayer
from station.store.export import page_text, sheet_text
from tests.asking import do
from tests.web.archived import Archived
from web.history import evening_card, evening_routes
from web.history.evening import evening
from web.history.evening_card import BRASS, DEEP, FELT, EveningCard, Fact, PodiumPlace, drawn


def game(number: int, started: str, finished: str, /, **totals: int) -> FinishedGame:
    best = max(totals.values())
    players = tuple(
        FinishedPlayer(name, {}, 0, 0, 0, points, points == best) for name, points in totals.items()
    )
    begun, ended = f"2026-11-21T{started}:00Z", f"2026-11-21T{finished}:00Z"
    return FinishedGame(number, "yacht-1938", begun, ended, False, "complete", players)  # noqa: FBT003 - the row


NOW = datetime(2026, 11, 22, 2, 30, tzinfo=UTC)
FIRST = game(1, "18:00", "18:40", Ana=200, Ben=180)
SECOND = game(2, "18:45", "19:20", Ana=150, Ben=210, Cleo=210)
THIRD = game(3, "23:00", "23:30", Ana=190)


def told(*games: FinishedGame) -> list[tuple[str, int, int, int]]:
    players = evening(games, NOW).players
    return [(each.name, each.games, each.won, each.points) for each in players]


def test_who_had_no_turn_yet_when_a_game_was_cut_short_has_lost_it():
    """That one sat there; who left before a box was filled did not play."""
    ana, ben = FIRST.players
    first_turn = (
        replace(ana, boxes={"yacht": 50, "choice": None}),
        replace(ben, boxes={"yacht": None, "choice": None}),
    )
    assert [row[:3] for row in told(replace(FIRST, players=first_turn))] == [("Ana", 1, 1), ("Ben", 1, 0)]
    left = first_turn[0], replace(first_turn[1], gone=True)
    assert [row[:3] for row in told(replace(FIRST, players=left))] == [("Ana", 1, 0)]
    later = first_turn[0], replace(left[1], boxes={"yacht": None, "choice": 9})
    assert [row[:3] for row in told(replace(FIRST, players=later))] == [("Ana", 1, 1), ("Ben", 1, 0)]


def test_games_won_then_points_decide_the_order():
    assert told(SECOND, FIRST) == [("Ben", 2, 1, 390), ("Ana", 2, 1, 350), ("Cleo", 1, 1, 210)]


def test_alone_nobody_wins_but_points_count():
    assert told(THIRD, SECOND, FIRST)[0] == ("Ana", 3, 1, 540)


def test_a_long_pause_begins_another_evening():
    late = replace(THIRD, started_at="2026-11-22T01:20:01Z", finished_at="2026-11-22T02:00:00Z")
    assert told(late, SECOND, FIRST) == [("Ana", 1, 0, 190)]
    on_time = replace(late, started_at="2026-11-22T01:20:00Z")
    assert len(evening((on_time, SECOND, FIRST), NOW).games) == 3
    assert evening((on_time, SECOND, FIRST), NOW).since == FIRST.started_at


def test_a_game_taken_back_and_ended_anew_a_day_later_brings_no_evening_of_before_along():
    anew = replace(SECOND, finished_at="2026-11-22T18:00:00Z")
    next_day = replace(THIRD, started_at="2026-11-22T18:05:00Z", finished_at="2026-11-22T18:40:00Z")
    assert told(next_day, anew, FIRST) == [("Ana", 1, 0, 190)]
    assert [each.game for each in evening((anew, FIRST), NOW).games] == [1, 2], "the evening it began in"


def test_a_clock_that_was_set_right_keeps_no_evening_going():
    """A station without a network counts from wherever its clock was, and is put right days later."""
    ahead = replace(FIRST, started_at="2026-12-24T18:00:00Z", finished_at="2026-12-24T18:40:00Z")
    assert told(SECOND, ahead) == [("Ben", 1, 1, 210), ("Cleo", 1, 1, 210), ("Ana", 1, 0, 150)]
    back = replace(
        SECOND, started_at="2026-11-21T17:45:00Z"
    )  # the end of daylight saving, told as local time
    assert len(evening((back, FIRST), NOW).games) == 2
    assert evening((back, FIRST), NOW).over_in_s == -70 * 60


def test_the_time_played_is_that_of_the_games_without_the_pauses():
    wrong = replace(THIRD, started_at="2026-11-20T01:00:00Z", finished_at="2026-11-21T23:30:00Z")
    for games, told_ in (
        ((THIRD, SECOND, FIRST), Message("duration/hours", hours=1, minutes=45)),
        ((FIRST,), Message("duration/minutes", minutes=40)),
        ((wrong,), Message("duration/minutes", minutes=1)),
        ((), None),
    ):
        assert evening(games, NOW).played == told_


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archived]:
    archived = Archived(tmp_path)
    yield archived
    archived.store.close()


def test_the_api_tells_it(archive: Archived):
    def ask() -> Any:
        return archive.client.get("/api/v1/evening").get_json()

    nothing = {
        "since": None,
        "until": None,
        "over_in_s": None,
        "played": None,
        "games": [],
        "players": [],
        "records": [],
    }
    assert ask() == nothing
    numbers = [archive.play("Ana", "Ben", seed=seed) for seed in (1, 2)]
    answer = ask()
    assert 5 * 3600 < answer["over_in_s"] <= 6 * 3600
    assert [each["game"] for each in answer["games"]] == numbers
    assert answer["played"] == "1 min"
    games = archive.store.games()
    for player in answer["players"]:
        mine = [each for game in games for each in game.players if each.name == player["name"]]
        assert player["points"] == sum(each.total for each in mine)
        assert player["won"] == sum(each.won for each in mine)
        assert player["games"] == 2


@pytest.mark.thorough
def test_the_card_is_a_picture_of_the_evening(archive: Archived):
    assert archive.client.get("/evening.png").status_code == 404
    assert "evening.png" not in archive.client.get("/history").get_data(as_text=True)
    archive.play("Ana", "Ben", rules="yacht-1938", turns=4)
    plain = archive.client.get("/evening.png", headers={"Accept-Language": "en"})
    assert (plain.status_code, plain.mimetype) == (200, "image/png")
    with Image.open(io.BytesIO(plain.data)) as card:
        assert card.width == 1080
        assert 900 < card.height < 1350, "as high as what stands on it, and nothing has an empty place"
        last = card.crop((0, card.height - 80, 1080, card.height))
        assert last.getcolors() != [(last.width * last.height, FELT)]
    german = archive.client.get("/evening.png", headers={"Accept-Language": "de"})
    assert german.data != plain.data
    assert "/evening.png" in archive.client.get("/history").get_data(as_text=True)


@pytest.mark.thorough
def test_the_card_of_a_long_evening_reviews_each_game_once(
    archive: Archived, monkeypatch: pytest.MonkeyPatch
):
    reviewed: list[int] = []
    work_out = reviews.game_review

    def noted(solution: Any, game: int, *more: Any) -> Any:
        reviewed.append(game)
        return work_out(solution, game, *more)

    monkeypatch.setattr(reviews, "game_review", noted)
    games = [archive.play("Ana", "Ben", rules="yacht-1938", turns=1, seed=seed) for seed in range(15)]
    for _ in range(2):
        assert archive.client.get("/evening.png").status_code == 200
    assert sorted(reviewed) == games


def test_who_has_won_as_often_with_as_many_points_shares_a_place(
    archive: Archived, monkeypatch: pytest.MonkeyPatch
):
    cards: list[EveningCard] = []
    monkeypatch.setattr(evening_routes, "drawn", lambda card: cards.append(card) or b"")
    do(archive.table, {"command": "start_game", "players": ["Ana", "Ben", "Cleo"], "rules": "world-51"})
    for _ in range(3):
        do(archive.table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
        do(archive.table, {"command": "score_box", "category": "choice"})
    do(archive.table, {"command": "end_game"})
    assert archive.client.get("/evening.png").status_code == 200
    archive.play("Ana", turns=1)
    assert archive.client.get("/evening.png").status_code == 200
    assert [[each.place for each in card.best] for card in cards] == [[1, 1, 1], [1, 2, 2]]


def test_a_shared_place_is_as_high():
    def steps(*places: int) -> list[int]:
        best = [PodiumPlace(name, "", "", place) for name, place in zip("abc", places, strict=False)]
        with Image.open(io.BytesIO(drawn(EveningCard("", "", best, ())))) as card:
            grounds = [[card.getpixel((x, y)) for y in range(100, card.height)] for x in (130, 450, 770)]
        return [round(sum(each in {BRASS, DEEP} for each in column), -1) for column in grounds]

    second, first, third = steps(1, 2, 3)
    assert first > second > third
    assert steps(1, 1, 3) == [first, first, third]
    assert steps(1, 2, 2) == [second, first, second]


def test_five_and_more_stand_on_the_podium_with_smooth_edges_in_the_typeface_of_the_pages():
    names = [f"Player {number}" for number in range(7)]
    best = [PodiumPlace(name, "", "", 1 + at) for at, name in enumerate(names)]
    with Image.open(io.BytesIO(drawn(EveningCard("", "", best, ())))) as card:
        foot = card.height - 64 - 40
        grounds = [card.getpixel((x, foot)) for x in range(1080)]
        corner = {card.getpixel((x, y)) for x in range(64, 400) for y in range(100, card.height)}
    steps = sum(one == FELT and other != FELT for one, other in pairwise(grounds))
    assert steps == len(names)
    assert any(DEEP[0] < red < FELT[0] and DEEP[1] < green < FELT[1] for red, green, _ in corner), (
        "round corners have shades between step and ground"
    )
    faces = {evening_card._face(letter, style) for letter in "aÄß–Žř" for style in ("serif", "sans")}
    assert all(face.endswith(".woff2") for face in faces)


def test_a_card_takes_any_names_and_leaves_out_what_has_no_room():
    names = ["Maximiliane-Friederike " * 3, "רבקה", "Tim 🎲"]
    facts = [Fact("Best throw", "a long sentence " * 20, dice=(1, 2, 3, 4, 5))] * 9
    curve = [[1 / 3] * 3, [0.2, 0.3, 0.5], [0, 0, 1]]
    picture = drawn(
        EveningCard(
            "Evening " * 20,
            "today",
            [PodiumPlace(name, "3", "3", 1 + at) for at, name in enumerate(names)],
            facts,
            names,
            curve,
        )
    )
    with Image.open(io.BytesIO(picture)) as card:
        assert card.height <= 1350
        assert card.getpixel((8, 700)) == FELT  # nothing runs out of it
        assert card.getpixel((1072, 700)) == FELT


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC0", "2026-11-21"), ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-11-22"), ("PST8", "2026-11-21")],
)
def test_a_game_ended_on_the_day_of_the_clock_on_the_wall(
    monkeypatch: pytest.MonkeyPatch, zone: str, day: str
):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    late = game(1, "23:00", "23:30", Ana=190)
    here, title = (late.day, page_text(late, ()).split()[1]), sheet_text(late, "de").splitlines()[0]
    monkeypatch.undo()
    time.tzset()
    assert here == (day, day)
    assert title.endswith(f", {int(day[-2:])}. November 2026")
