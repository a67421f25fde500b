"""`yacht replay`: prints, checks, keeps, and plays a game on a real station."""

import json
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from station.cli import run as call
from station.cli import yacht
from station.commands.replay import command
from station.integrations.outbox import Outbox
from station.store import Archive, Store
from station.table.table import Table
from tests.asking import do
from tests.process.station import RunningStation

GAME = """# one turn each
start 7 6 yacht-1938 "Ana" "Ben" first 1
roll 5 5 5 2 2; box full-house
roll 4 6 1 6 2; hold 2 4; roll 3 6 3 6 1; box sixes
end
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    return path


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, list(arguments), catch_exceptions=True)
    return result.exit_code, result.output + (str(result.exception) if result.exception else "")


def test_it_prints_the_sheet_and_who_won(game: Path):
    code, printed = run(str(game))
    assert code == 0
    lines = [line.split() for line in printed.splitlines()]
    assert ["Full", "House", "19"] in lines
    assert ["Total", "12", "19"] in lines
    assert "Ben wins! 19 points." in printed
    assert "The rules allow every step of it." in printed


def test_a_game_written_in_an_editor_of_windows_is_read(game: Path):
    game.write_bytes(b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode())
    assert run(str(game))[0] == 0


def test_json_is_the_result_and_nothing_else(game: Path):
    told = json.loads(run(str(game), "--json")[1])
    assert (told["rules"], told["winners"], told["ended_by"]) == ("yacht-1938", [1], "early")
    assert told["players"][0]["boxes"]["sixes"] == 12


def test_what_is_wrong_is_said(game: Path, tmp_path: Path):
    game.write_text(GAME.replace("roll 3 6", "roll 3 5"), encoding="utf-8")
    assert "Line 4: the rules do not allow that: Die 2 is kept" in run(str(game))[1]
    (tmp_path / "none.txt").write_text("# nothing", encoding="utf-8")
    assert "holds no game" in run(str(tmp_path / "none.txt"))[1]
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in run(str(tmp_path / "bytes.txt"))[1]
    assert "cannot be read" in run(str(tmp_path / "nowhere.txt"))[1]


@pytest.mark.parametrize(
    ("was", "wrong", "sentence"),
    [
        ("roll 4 6 1 6 2", "roll 4 6 1 6 9", "Line 4 is no event of a game: 'roll 4 6 1 6 9'."),
        ("roll 4 6 1 6 2", "roll", "Line 4 is no event of a game: 'roll'."),
        ("hold 2 4", "hold 2 11", "Line 4 is no event of a game: 'hold 2 11'."),
        ("hold 2 4", 'rename 12 "Cleo"', "Line 4 is no event of a game: 'rename 12 \"Cleo\"'."),
        ("hold 2 4", "join 7", "Line 4 is no event of a game: "),
        ('"Ben"', '"Ben" for 6', "Line 2 is no event of a game: "),
        ('"Ben"', '"Ben" with 6', "Line 2 is no event of a game: "),
        ('"Ben"', f'"{"B" * 5000}"', "Line 2 is no event of a game: "),
        ("yacht-1938", "nope", "There is no rule set 'nope'; there are yacht-1938, "),
    ],
)
def test_a_line_that_no_command_says_is_named(
    game: Path, was: str, wrong: str, sentence: str, capsys: pytest.CaptureFixture[str]
):
    game.write_text(GAME.replace(was, wrong), encoding="utf-8")
    for name in ("replay", "review"):
        assert call([name, str(game)]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"yacht: {sentence}")
        assert len(told) < 400


def test_a_game_of_the_family_is_named_by_its_id(game: Path):
    game.write_text('start 1 0 crag "Ana"\nroll 6 6 1; box crag\nend\n', encoding="utf-8")
    told = json.loads(run(str(game), "--json")[1])
    assert (told["rules"], told["players"][0]["total"]) == ("crag", 50)


def test_it_is_kept_in_the_history_beside_what_was_there(game: Path, tmp_path: Path):
    data = tmp_path / "data"
    with_one = Store(data)
    table = Table(with_one)
    do(table, {"command": "start_game", "players": ["Cleo"], "rules": "lawn"})
    assert "Another Yacht Station is using" in run(str(game), "--keep", "--data", str(data))[1]
    with_one.close()
    assert "A game is being played" in run(str(game), "--keep", "--data", str(data))[1]
    store = Store(data)
    do(Table(store), {"command": "enter_roll", "faces": [1, 2, 3, 4, 6]})
    do(Table(store), {"command": "score_box", "category": "yacht"})
    do(Table(store), {"command": "end_game"})
    store.close()
    code, printed = run(str(game), "--keep", "--data", str(data))
    assert (code, "Kept as game 2." in printed) == (0, True)
    with Archive(data) as archive:
        assert [(each.game, [p.total for p in each.players]) for each in archive.games()] == [
            (2, [12, 19]),
            (1, [0]),
        ]
    game.write_text(GAME.replace("5 5 5 2 2", "5 5 5 3 3"), encoding="utf-8")
    code, again = run(str(game), "--keep", "--data", str(data))
    assert "Kept as game 3." in again


def test_a_game_that_is_in_the_history_is_not_kept_once_more(game: Path, tmp_path: Path):
    """Whatever number its text has, and whatever was taken back in it; one that was deleted is."""
    keep = (str(game), "--keep", "--data", str(tmp_path / "data"))
    assert "Kept as game 1." in run(*keep)[1]
    game.write_text(GAME.replace("start 7 6", "start 9 2"), encoding="utf-8")
    assert "as game 1, and is not kept twice" in run(*keep)[1]
    game.write_text(GAME.replace("box sixes", "box ones; undo; box sixes"), encoding="utf-8")
    assert "as game 1, and is not kept twice" in run(*keep)[1]
    with closing(Store(tmp_path / "data")) as store:
        assert [each.game for each in store.games()] == [1]
        assert store.delete_game(1)
    assert "Kept as game 2." in run(*keep)[1]


def test_nobody_is_told_of_a_game_that_is_kept_as_of_one_that_was_just_played(game: Path, tmp_path: Path):
    """But for who has not heard yet of all that happened before: it is told in order."""
    with closing(Store(tmp_path)) as store:
        do(Table(store), {"command": "start_game", "players": ["Cleo"], "rules": "lawn"})
        do(Table(store), {"command": "end_game"})
        store.note_delivered({"mqtt": 2, "webhook:club": 1})
    assert run(str(game), "--keep", "--data", str(tmp_path))[0] == 0
    with closing(Store(tmp_path)) as store:
        assert Outbox(store, "mqtt", "en").waiting() == []
        assert [step.number for step in Outbox(store, "webhook:club", "en").waiting()][:2] == [2, 3]
        do(Table(store), {"command": "rematch"})
        (told,) = [each for step in Outbox(store, "mqtt", "en").waiting() for each in step.events]
        assert (told.kind, told.game) == ("turn", 3)


def test_what_is_exported_as_text_is_read_again(game: Path, tmp_path: Path):
    data = tmp_path / "data"
    run(str(game), "--keep", "--data", str(data))
    result = CliRunner().invoke(yacht, ["export", "--format", "text", "--data", str(data)])
    assert result.output.splitlines()[0].endswith("yacht-1938: Ana 12, Ben 19")
    assert result.output.splitlines()[1:] == GAME.replace("7 6", "1 0").splitlines()[1:]


@pytest.mark.slow
def test_it_is_played_on_the_pages_of_a_station(game: Path, tmp_path: Path):
    with RunningStation(tmp_path / "data") as station:
        code, _ = run(str(game), "--play", station.url, "--speed", "1000")
        assert code == 0
        state = station.state()
        assert (state["finished"], [player["total"] for player in state["players"]]) == (True, [12, 19])
        assert state["winners"] == [1], "who has most, as the text means it"
        with urllib.request.urlopen(f"{station.url}/history/{state['game']}/game.txt") as page:  # noqa: S310 - our own http
            lines = page.read().decode().splitlines()
        played = f"{GAME.strip()} 1".replace("7 6", "1 0").replace("roll", "typed")
        assert lines[1:] == played.splitlines()[1:]
        station.send("start_game", players=["Eva"], rules="lawn")
        assert (
            "The station refuses step 1: A game is being played" in run(str(game), "--play", station.url)[1]
        )
    assert "No station answers" in run(str(game), "--play", station.url)[1]
    assert "no address of a station" in run(str(game), "--play", "yacht.local")[1]
