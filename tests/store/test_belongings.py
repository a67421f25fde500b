"""What a copy holds besides the games: whatever became of those files, the games come back."""

import errno
import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from messages.errors import BadInputError
from station.store import Store, backup, belongings, restore
from tests.store.helpers import files, house_rules

NOON = datetime(2026, 1, 6, 12, 0, tzinfo=UTC)
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
    restore(copy, other, now=NOON)
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
    def refused(path, read=Path.read_bytes):
        if path.name == "quick-yacht.toml":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read(path)

    copy = tmp_path / "copy.sqlite3"
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refused)
        backup(data, copy)
    assert "quick-yacht.toml: [Errno 13] Permission denied" in caplog.text
    restore(copy, tmp_path / "other", now=NOON)
    assert list(files(tmp_path / "other")) == ["room.json"]


def test_of_files_too_large_for_a_copy_the_largest_stay_out_and_it_can_be_put_back(
    data, tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(belongings, "BYTES_MAX", 100_000)
    (data / "profiles").mkdir()
    for number in range(3):
        (data / "profiles" / f"{number}.png").write_bytes(bytes(40_000 + number))
    copy, other = tmp_path / "copy.sqlite3", tmp_path / "other"
    backup(data, copy)
    restore(copy, other, now=NOON)
    assert [path.name for path in sorted((other / "profiles").iterdir())] == ["0.png", "1.png"]
    assert "profiles/2.png" in caplog.text
    assert "room.json" in files(other)


def test_settings_a_station_cannot_start_with_stay_in_the_copy_or_are_refused(data, tmp_path):
    settings, copy = tmp_path / "station.toml", tmp_path / "copy.sqlite3"
    settings.write_text("prot = 1\n")
    backup(data, copy, settings=settings)
    sound = 'language = "de"\n'
    settings.write_text(sound)
    with pytest.raises(BadInputError, match=r"no setting 'prot' .* in station\.toml"):
        restore(copy, data, now=NOON, settings=settings)
    assert not list(data.glob("*before*"))
    assert restore(copy, data, now=NOON) is not None
    assert settings.read_text() == sound
