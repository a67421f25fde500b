"""`yacht backup`, `yacht restore`, `yacht export`, called as from the command line."""

import csv
import io
import json
from contextlib import closing

import pytest

from station.cli import run
from station.game import notation
from station.store import FILE_NAME
from station.table.table import Table
from tests.asking import do
from tests.rules.house_files import GOOD
from tests.store.helpers import Store, play
from tests.store.stores import of_version


@pytest.fixture
def data(tmp_path):
    """A folder with one finished game and one that goes on."""
    folder = tmp_path / "data"
    store = Store(folder)
    table = Table(store)
    do(table, {"command": "start_game", "players": ["Ana", "=Ben"], "rules": "yacht-1938"})
    for faces, category in (([5, 5, 5, 2, 2], "full-house"), ([6, 6, 6, 6, 6], "yacht")):
        do(table, {"command": "enter_roll", "faces": faces})
        do(table, {"command": "score_box", "category": category})
    do(table, {"command": "end_game", "winners": [1]})
    do(table, {"command": "rematch"})
    store.close()
    return folder


def test_export_as_csv(data, capsys):
    assert run(["export", "--data", str(data)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["player"], row["won"], row["total"], row["full-house"], row["ones"]) for row in rows] == [
        ("Ana", "0", "19", "19", ""),
        ("'=Ben", "1", "50", "", ""),
    ]


def test_what_a_program_reads_is_utf8_whatever_the_terminal_knows(data, monkeypatch):
    with closing(Store(data)) as store:
        table = Table(store)
        do(table, {"command": "end_game"})
        play(table, ["Zoé", "Šárka"])
    for form in ("json", "csv", "text", "sheet", "everything"):
        printed = io.BytesIO()
        stdout = io.TextIOWrapper(printed, encoding="latin-1", errors="backslashreplace")
        monkeypatch.setattr("sys.stdout", stdout)
        assert run(["export", "--data", str(data), "--format", form]) == 0
        stdout.flush()
        told = printed.getvalue().decode()
        assert "Zoé" in told
        assert "Šárka" in told
        if form in {"json", "everything"}:
            json.loads(told)


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_games_of_older_versions_are_exported_and_their_file_stays_as_it_is(version, tmp_path, capsys):
    file = of_version(version, tmp_path) / FILE_NAME
    before = file.read_bytes()
    for form in ("csv", "json", "sheet", "text"):
        assert run(["export", "--data", str(file.parent), "--format", form]) == 0
        assert "Ana" in capsys.readouterr().out
    assert file.read_bytes() == before


@pytest.mark.parametrize("call", ["export", "backup"])
def test_games_that_cannot_be_got_at_are_not_called_damaged(data, call, capsys):
    shared = data / f"{FILE_NAME}-shm"
    shared.symlink_to(shared)  # as on a full disk, SQLite cannot have what it needs to look into the file
    assert run([call, "--data", str(data)]) == 1
    printed = capsys.readouterr().err
    assert "does not open, or cannot be written" in printed
    assert "damaged" not in printed


def test_export_as_json_has_the_whole_game_in_it(data, capsys):
    assert run(["export", "--data", str(data), "--json"]) == 0
    (game,) = json.loads(capsys.readouterr().out)["games"]
    events = notation.read("\n".join(game["transcript"]))
    assert [event.kind for event in events] == [
        "game_started",
        *("roll_accepted", "box_scored") * 2,
        "game_ended",
    ]
    assert game["ended_early"] is True


def test_export_as_a_sheet_to_print(data, tmp_path):
    target = tmp_path / "sheet.txt"
    assert (
        run(["export", "--data", str(data), "--format", "sheet", "--game", "1", "--output", str(target)]) == 0
    )
    lines = target.read_text().splitlines()
    assert lines[2].split() == ["Ana", "=Ben"]
    assert ["Full", "House", "19"] in [line.split() for line in lines]
    assert lines[-1].split() == ["Total", "19", "50"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--game", "7"], 2, "There is no finished game 7"),
        (["--output", "/nowhere/at/all.csv"], 1, "cannot be written"),
        (["--output", "/dev/full"], 1, "cannot be written: No space left on device"),
        (["--format", "xml"], 2, "Invalid value for '--format'"),
    ],
)
def test_export_that_cannot_be(data, capsys, arguments, code, sentence):
    assert run(["export", "--data", str(data), *arguments]) == code
    assert sentence in capsys.readouterr().err


def test_nothing_to_export_or_copy_is_reported(tmp_path, capsys):
    assert run(["export", "--data", str(tmp_path)]) == 2
    assert "There are no games in" in capsys.readouterr().err
    assert run(["backup", "--data", str(tmp_path)]) == 2
    assert "nothing to copy" in capsys.readouterr().err


def test_a_copy_is_made_while_the_station_runs_and_put_back(data, tmp_path, capsys):
    copy = tmp_path / "copy.sqlite3"
    store = Store(data)
    assert run(["backup", "--data", str(data), str(copy)]) == 0
    assert run(["restore", "--data", str(data), str(copy)]) == 1
    assert "Another Yacht Station is using" in capsys.readouterr().err
    do(Table(store), {"command": "end_game"})
    store.close()
    assert run(["restore", "--data", str(data), str(copy)]) == 0
    assert "What was there before is in" in capsys.readouterr().out
    store = Store(data)
    assert len(store.games()) == 1
    store.close()


def test_own_copies_are_dated_and_old_ones_go(data):
    folder = data / "backups"
    folder.mkdir()
    for day in range(1, 6):
        (folder / f"yacht-2025010{day}-120000.sqlite3").write_text("old")
    (folder / "mine.sqlite3").write_text("not touched")
    assert run(["backup", "--data", str(data), "--keep", "3"]) == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names[0] == "mine.sqlite3"
    assert names[1:3] == ["yacht-20250104-120000.sqlite3", "yacht-20250105-120000.sqlite3"]
    assert len(names) == 4


def test_a_damaged_database_is_not_copied_over_a_good_copy(data, tmp_path, capsys):
    copy = tmp_path / "copy.sqlite3"
    assert run(["backup", "--data", str(data), str(copy)]) == 0
    good = copy.read_bytes()
    (data / FILE_NAME).write_bytes(b"spoilt" * 1000)
    assert run(["backup", "--data", str(data), str(copy)]) == 1
    assert "damaged" in capsys.readouterr().err
    assert copy.read_bytes() == good


def test_the_sheet_of_a_game_by_house_rules_calls_its_boxes_as_they_did(tmp_path, capsys):
    with closing(Store(tmp_path)) as store:
        table = Table(store, house_rules=lambda: {"grandma": GOOD})
        do(table, {"command": "start_game", "players": ["Ana", "Ben"], "rules": "grandma"})
        do(table, {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]})
        do(table, {"command": "score_box", "category": "sixes"})
        do(table, {"command": "end_game"})
    assert run(["export", "--data", str(tmp_path), "--format", "sheet"]) == 0
    assert "\nHouse" in capsys.readouterr().out
