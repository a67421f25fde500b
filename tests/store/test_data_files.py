"""What a copy holds besides the games: whatever became of those files, the games come back."""

import errno
import io
import os
import re
import stat
from contextlib import closing

import pytest

from messages.regular_file import read_regular
from station.cli import run
from station.store import data_files
from station.store.house_rules import HouseRules
from station.table.table import Table
from tests.store.helpers import Store, backup, files, house_rules, play, restore
from tests.store.stores import NOON

SPOILT = {
    "rules/broken.toml": b"id = [",
    "rules/hole.toml": b"id = 1",
    "rules/latin.toml": "title = 'Unsere Würfel'".encode("latin-1"),
    "rules/same.toml": house_rules().encode(),
    "rules/Our rules (2).toml": house_rules().replace("quick-yacht", "second").encode(),
    "profile.json": b"{}",
    "profile-old.json": b"",
    "profiles/table (1).json": b"no profile",
    "picture.json": b"{",
}
"""What a station lives with: it says what is wrong, and goes on without."""


@pytest.mark.parametrize("name", SPOILT)
def test_a_copy_with_a_file_a_station_passes_over_is_put_back_as_it_was(data, tmp_path, name):
    file = data / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(SPOILT[name])
    copy, other = tmp_path / "copy.sqlite3", tmp_path / "other"
    backup(data, copy)
    restore(copy, other, now=NOON, with_access=True)
    assert files(other) == files(data)
    with closing(Store(other)) as store:
        assert len(store.games()) == 1


def test_what_is_no_file_or_has_no_name_a_copy_can_hold_stays_out_of_it(data, tmp_path):
    (data / "rules" / "folder.toml").mkdir()
    os.close(os.open(os.fsencode(data) + b"/rules/w\xfcrfel.toml", os.O_CREAT | os.O_WRONLY))
    copy, other = tmp_path / "copy.sqlite3", tmp_path / "other"
    backup(data, copy)
    restore(copy, other, now=NOON)
    assert [path.name for path in (other / "rules").iterdir()] == ["quick-yacht.toml"]


def test_a_file_that_cannot_be_read_keeps_nobody_from_copies(data, tmp_path, monkeypatch, caplog):
    def refused(path, *, follow):
        if path.name == "quick-yacht.toml":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read_regular(path, follow=follow)

    copy = tmp_path / "copy.sqlite3"
    with monkeypatch.context() as patched:
        patched.setattr("station.store.data_files.read_regular", refused)
        backup(data, copy)
    assert "quick-yacht.toml: [Errno 13] Permission denied" in caplog.text
    restore(copy, tmp_path / "other", now=NOON)
    assert list(files(tmp_path / "other")) == ["room.json"]


def test_of_files_too_large_for_a_copy_the_largest_stay_out_and_it_can_be_put_back(
    data, tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(data_files, "BYTES_MAX", 100_000)
    (data / "profiles").mkdir()
    for number in range(3):
        (data / "profiles" / f"{number}.png").write_bytes(bytes(40_000 + number))
    copy, other = tmp_path / "copy.sqlite3", tmp_path / "other"
    backup(data, copy)
    restore(copy, other, now=NOON)
    assert [path.name for path in sorted((other / "profiles").iterdir())] == ["0.png", "1.png"]
    assert "profiles/2.png" in caplog.text
    assert "room.json" in files(other)


MACHINE = """
host = "203.0.113.9"
port = 9999
https_port = 9998
certificate = "/of/another/house.pem"
key = "/of/another/house.key"
names = ["stranger.example"]
data = "/elsewhere"
camera = "http://stranger.example/stream"
profile = "/etc/passwd"
backups_second = "/etc"
language = "de"
ask_before_zero = false
[picture]
rotation = 180
[loudspeaker]
volume = 70
[mqtt]
host = "stranger.example"
user = "u"
password_file = "/etc/shadow"
[homes]
guests = ["stranger"]
[board]
database = "postgresql://stranger.example/x"
[[webhooks]]
name = "w"
url = "http://stranger.example"
secret_file = "/etc/shadow"
[[wled]]
name = "l"
url = "http://stranger.example"
presets = {box = 1}
"""


@pytest.mark.needs_feature("two_homes")
@pytest.mark.parametrize(("answer", "taken"), [("y\n", True), ("n\n", False), ("", False), (None, False)])
def test_settings_come_back_only_on_request_and_never_addresses(
    data, tmp_path, capsys, monkeypatch, answer, taken
):
    settings, copy = tmp_path / "station.toml", tmp_path / "copy.sqlite3"
    settings.write_text(MACHINE)
    backup(data, copy, settings=settings)
    mine = "# ours\nport = 8080\nask_before_zero = true\n\n[loudspeaker]\n# softly\nvolume = 20\n"
    settings.write_text(mine)
    settings.chmod(0o600)
    call = ["restore", "--data", str(data), "--config", str(settings), str(copy)]
    monkeypatch.setattr("sys.stdin", io.StringIO(answer or ""))
    run(call if answer is None else [*call, "--with-settings"])
    printed = capsys.readouterr().out
    lines = ('language = "de"', "ask_before_zero = false   (now true)", "[picture] rotation = 180")
    assert [line in printed for line in (*lines, "[loudspeaker] volume = 70   (now 20)")] == [
        answer is not None
    ] * 4
    assert "stranger" not in printed
    assert "/etc" not in printed
    changed = (
        '# ours\nport = 8080\nask_before_zero = false\nlanguage = "de"\n\n[loudspeaker]\n# softly\n'
        "volume = 70\n\n[picture]\nrotation = 180\n"
    )
    assert settings.read_text() == (changed if taken else mine)
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600


def test_nothing_to_take_is_reported(data, tmp_path, capsys):
    settings, copy = tmp_path / "station.toml", tmp_path / "copy.sqlite3"
    settings.write_text('host = "203.0.113.9"\n')
    backup(data, copy, settings=settings)
    settings.write_text("backups_kept = 1\n")
    call = ["restore", "--with-settings", "--data", str(data), "--config", str(settings), str(copy)]
    assert run(call) == 0
    assert "no settings that may be taken" in capsys.readouterr().err
    assert settings.read_text() == "backups_kept = 1\n"


def test_settings_a_station_cannot_start_with_stay_in_the_copy(data, tmp_path, capsys):
    settings, copy = tmp_path / "station.toml", tmp_path / "copy.sqlite3"
    settings.write_text("prot = 1\n")
    backup(data, copy, settings=settings)
    for sound in ('language = "de"\n', None):
        settings.unlink() if sound is None else settings.write_text(sound)
        with closing(Store(data)) as store:
            play(Table(store), ("Cleo",))
        call = ["restore", "--with-settings", "--data", str(data), "--config", str(settings), str(copy)]
        assert run(call) == 0
        printed = capsys.readouterr().err
        assert re.search(r"station\.toml: There is no setting 'prot' .* stay in the copy", printed)
        with closing(Store(data)) as store:
            assert len(store.games()) == 1
        assert (settings.read_text() if settings.exists() else None) == sound


def test_rules_that_were_put_back_count_and_not_the_same_in_a_renamed_file(data, tmp_path):
    copy, rules = tmp_path / "copy.sqlite3", data / "rules"
    backup(data, copy)
    before = HouseRules(rules).texts()
    (rules / "quick-yacht.toml").rename(rules / "renamed.toml")
    (rules / "renamed.toml").write_text(house_rules().replace("three throws", "four throws") + "# later\n")
    (rules / "other.toml").write_text(house_rules().replace("quick-yacht", "other"))
    changed = files(data)
    with closing(Store(data)) as store:
        Table(store).stored.restore(copy)
    now = HouseRules(rules).texts()
    assert now["quick-yacht"] == before["quick-yacht"]
    assert set(now) == {"quick-yacht", "other"}
    (kept,) = data.glob("*before*")
    restore(kept, tmp_path / "as-before", now=NOON, with_access=True)
    assert files(tmp_path / "as-before") == changed


def test_pictures_of_throws_go_with_the_games_that_go(data, tmp_path):
    copy, picture = tmp_path / "copy.sqlite3", data / "pictures" / "1" / "0-1-1.jpg"
    backup(data, copy)
    for put_back in (put_back_by_command, put_back_while_it_runs):
        picture.parent.mkdir(parents=True)
        picture.write_bytes(b"a throw of game 1")
        put_back(copy, data)
        assert not picture.exists()


def put_back_by_command(copy, data):
    assert run(["restore", "--data", str(data), str(copy)]) == 0


def put_back_while_it_runs(copy, data):
    with closing(Store(data)) as store:
        Table(store).stored.restore(copy)


@pytest.mark.parametrize(
    "command", [["backup"], ["export", "--output"], ["export", "--format", "everything", "--output"]]
)
def test_nothing_is_written_over_the_games(data, tmp_path, command, capsys):
    with closing(Store(data)) as store:
        link = tmp_path / "link"
        link.symlink_to(store.path)
        for path in (store.path, link):
            before = store.path.stat()
            options = [*command, str(path), "--data", str(data)]
            assert run(options) == 2
            assert store.path.stat().st_ino == before.st_ino
            assert "is what the games are stored in" in capsys.readouterr().err
        play(Table(store), ("Cleo",))
    with closing(Store(data)) as store:
        assert len(store.games()) == 2


def test_an_export_that_finds_no_room_leaves_the_one_before(data, tmp_path, monkeypatch, capsys):
    output = tmp_path / "games.csv"
    assert run(["export", "--data", str(data), "--output", str(output)]) == 0
    before = output.read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert run(["export", "--data", str(data), "--format", "json", "--output", str(output)]) == 1
    assert "No space left" in capsys.readouterr().err
    assert output.read_bytes() == before
    assert run(["export", "--data", str(data), "--output", "/dev/null"]) == 0


def test_a_folder_called_like_a_copy_stays_and_spoils_no_copies(data):
    place = data / "backups"
    folder = place / "yacht-20260101-000000-event-1.sqlite3"
    folder.mkdir(parents=True)
    for _ in range(2):
        with closing(Store(data)) as store:
            play(Table(store), ("Cleo",))
        assert run(["backup", "--data", str(data), "--keep", "1"]) == 0
        (copy,) = (path for path in place.iterdir() if path != folder)
    assert folder.is_dir()
    assert copy.is_file()
