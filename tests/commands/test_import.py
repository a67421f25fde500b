"""Old score files: what is taken, what is refused by its line, and that the history shows it."""

import io
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from messages.errors import StoreError, YachtError
from station.cli import yacht
from station.copy_trial import try_copy
from station.store import FILE_NAME, score_file
from station.store.archive import Archive
from station.store.past_games import PastGame
from station.store.salvage import salvage
from station.table.table import Table
from tests.asking import do
from tests.store.helpers import Store, backup
from tests.web.helpers import Stage
from tests.web.hosting import become_host

TODAY = date(2026, 1, 6)
WIDE = "date;Ana;Ben;Cleo\n2019-12-24;231;187;\n\n24.12.2019;;201;198\n26.12.2019 20:30;150;-5;150\n"
PAIRS = '2018-03-04,Ana,200,"Ben, the old",210\n'


def bring(folder: Path, text: str, *, rules: str = "yatzy") -> str:
    """What the command says; its refusal is the last line."""
    file = folder.parent / "old.csv"
    file.write_text(text, encoding="utf-8-sig")
    done = CliRunner().invoke(yacht, ["import", "--data", str(folder), "--rules", rules, str(file)])
    return done.output + (str(done.exception) if isinstance(done.exception, YachtError) else "")


def shown(folder: Path) -> list[tuple[str, str, dict[str, int]]]:
    with Archive(folder) as archive:
        return [
            (game.day, game.rules, {player.name: player.own for player in game.players})
            for game in archive.games()
        ]


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder with a game of its own, which was played now."""
    folder = tmp_path / "data"
    with closing(Store(folder)) as store, closing(Table(store)) as table:
        do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "yatzy"})
        do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
        do(table, {"command": "score_box", "category": "yacht"})
        do(table, {"command": "end_game", "winners": [0]})
    return folder


def test_games_of_a_file_stand_in_the_history_by_their_day(played: Path):
    assert "3 games are in the history now." in bring(played, WIDE)
    assert "1 game is in" in bring(played, PAIRS)
    now, *past = shown(played)
    assert now[2] == {"Ana": 50, "Ben": 0}, "the one that was played here is the latest"
    assert past == [
        ("2019-12-26", "yatzy", {"Ana": 150, "Ben": -5, "Cleo": 150}),
        ("2019-12-24", "yatzy", {"Ben": 201, "Cleo": 198}),
        ("2019-12-24", "yatzy", {"Ana": 231, "Ben": 187}),
        ("2018-03-04", "yatzy", {"Ana": 200, "Ben, the old": 210}),
    ]
    sentence = bring(played, WIDE + "2020-01-01;1;2;3\n")
    assert "1 game is in" in sentence
    assert "3 games of the file were there already" in sentence
    with Archive(played) as archive:
        won = [{player.name for player in game.players if player.won} for game in archive.games()[1:4]]
    assert won == [{"Cleo"}, {"Ana", "Cleo"}, {"Ben"}]


@pytest.mark.thorough
def test_every_page_shows_them_and_a_copy_and_a_rescue_bring_them_along(played: Path, tmp_path: Path):
    bring(played, WIDE, rules="kniffel")
    with closing(Store(played)) as store:
        stage = Stage(archive=store)
        number = store.games()[1].game
        for page in (
            "/history", "/history?rules=kniffel", "/history/player?name=Ana", "/history/dice",
            f"/history/{number}", f"/history/{number}/game.txt", "/history/games.csv",
            "/api/v1/history", f"/api/v1/history/{number}", "/api/v1/export.json", "/api/v1/evening",
            "/evening.png",
            f"/history/{number}/sheet.pdf", "/api/v1/people", f"/api/v1/history/{number}/review",
        ):  # fmt: skip
            answer = stage.client.get(page)
            assert answer.status_code in {200, 404}, page
            assert answer.status_code == 200 or page.endswith(("sheet.pdf", "review")), page
        page = stage.client.get(f"/history/{number}").text
        assert all(words in page for words in ("Kniffel", "150", "only the totals are known"))
        assert "sheet.pdf" not in page
        assert store.delete_game(number)
        assert store.undelete_game(number)
    copy = tmp_path / "copy.sqlite3"
    backup(played, copy)
    (tmp_path / "scratch").mkdir()
    try_copy(copy, tmp_path / "scratch")
    saved = salvage(played, tmp_path)
    assert saved is not None
    assert saved.games == 4


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("date,Ana\nyesterday,200", "Line 2: 'yesterday' is no date; write it as 2019-12-24 or 24.12.2019."),
        ("12/24/2019,Ana,200", "Line 1: '12/24/2019' is no date"),
        ("2019-02-30,Ana,200", "Line 1: '2019-02-30' is no date"),
        ("2099-01-01,Ana,200", "Line 1: 2099-01-01 is still to come."),
        ("date,Ana\n2019-01-01,2OO", "Line 2: the total of Ana is '2OO'; write a whole number."),
        ("date,Ana\n2019-01-01,200,5", "Line 2: there are more cells than the one player"),
        ("date,Ana,ana\n2019-01-01,200,5", "Line 1: "),
        ("2019-01-01,Ana,200,Ben", "Line 1: behind 'Ben' a name or a total is missing"),
        ("2019-01-01,Ana,200,Ana,5", "Line 1: "),
        ("date,Ana\n2019-01-01,\n", "Line 2: a game has 1 to 12 players"),
        ("2019-01-01,Ana,200\n\n2019-01-01,Ana,200", "Line 3: this is the same game as on line 1"),
        ('2019-01-01,"Ana,200', "Line 1: this is no CSV"),
        ("\n;;\n", "There is no game in"),
    ],
)
def test_what_cannot_be_taken_is_refused_by_its_line_and_nothing_is_imported(
    tmp_path: Path, text: str, sentence: str
):
    outcome = bring(tmp_path / "data", "2018-05-05,Ana,100\n" * text.startswith("2") + text)
    lines = 1 if text.startswith("2") else 0
    if lines:  # a good line before it, which is not imported either
        number = int(sentence.partition(":")[0].removeprefix("Line ")) + 1
        sentence = f"Line {number}{sentence[sentence.index(':') :]}".replace("on line 1", "on line 2")
    assert sentence in outcome
    assert not (tmp_path / "data").exists()


def test_every_wrong_line_is_told_at_once():
    _, faults = score_file.read("x,Ana\n1,1\n2019-01-01,1\n2,2\n", "yatzy", TODAY)
    assert [fault.line for fault in faults] == [2, 4]


def test_a_station_that_runs_and_rules_that_nobody_knows_are_told(tmp_path: Path):
    assert "nosuch" in bring(tmp_path / "data", PAIRS, rules="nosuch")
    with closing(Store(tmp_path / "data")):
        assert "Line" not in (told := bring(tmp_path / "data", PAIRS))
        assert str(tmp_path / "data") in told


def test_the_host_brings_a_file_in_by_the_history(played: Path):
    with closing(Store(played)) as store:
        stage = Stage(archive=store)
        host, guest = stage.client, stage.app.test_client()
        for each in (host, guest):
            assert "Bring in old scores" in each.get("/history").text
        become_host(host, stage.app)

        def send(screen: FlaskClient, text: bytes, rules: str = "kniffel") -> TestResponse:
            form = {"file": (io.BytesIO(text), "old.csv"), "rules": rules}
            return screen.post("/history/import", data=form, headers={"Accept": "text/html"})

        assert send(guest, WIDE.encode()).status_code == 403
        wrong = send(host, f"{WIDE}soon;1;2;3\n".encode())
        assert wrong.status_code == 400
        assert "Line 6: &#39;soon&#39; is no date" in wrong.text
        for text in (b"", "Zoë".encode("latin-1")):
            assert send(host, text).status_code == 400
        assert send(host, WIDE.encode(), "nosuch").status_code == 400
        assert len(store.games()) == 1
        done = send(host, WIDE.encode())
        assert (done.status_code, done.headers["Location"]) == (303, "/history?rules=kniffel")
        assert "198" in host.get("/history?rules=kniffel").text
        assert [game.rules for game in store.games()] == ["yatzy", "kniffel", "kniffel", "kniffel"]


def test_old_scores_are_copied_at_once_and_refused_while_nothing_can_be_stored(tmp_path: Path):
    past = [PastGame("yatzy", "2019-12-24T12:00:00+00:00", (("Ana", 231),))]
    calls: list[int] = []
    with closing(Store(tmp_path / "good", finished=lambda: calls.append(1))) as store:
        assert store.add_past(past) == 1
        assert calls == [1]
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / FILE_NAME).write_bytes(b"no database" * 100)
    with closing(Store(tmp_path / "bad", rescue=True)) as store:
        with pytest.raises(StoreError):
            store.add_past(past)
        assert store.games() == []
