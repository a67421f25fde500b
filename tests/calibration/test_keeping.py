"""A profile and its picture belong together, wherever the writing is cut off."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import CalibrationProfile
from calibration.profile_files import delete_profile, load_empty_tray, save_profile
from messages.atomic_write import check_place
from messages.errors import FailedError
from tests.calibration.scenes import Image

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SIZE = (64, 48)


class PowerCutError(BaseException):
    """Nothing runs after it, not even what cleans up."""


def picture(level: int) -> Image:
    return np.full((SIZE[1], SIZE[0], 3), level, np.uint8)


def profile(level: int) -> CalibrationProfile:
    """One whose name tells which picture belongs to it."""
    return CalibrationProfile(name=str(level), size_wh=SIZE)


def stands(path: Path) -> int:
    """The level of the profile that stands there whole, with its picture."""
    found = CalibrationProfile.load(path)
    empty = load_empty_tray(path, found)
    assert empty is not None, "the picture is gone"
    assert int(found.name) == empty[0, 0, 0], "the picture is that of another profile"
    return int(found.name)


OPERATIONS = ((Path, "replace"), (Path, "unlink"), (os, "fsync"))


def cut_after(patch: pytest.MonkeyPatch, count: int) -> None:
    """Let the power go at the operation of that number, before it is carried out."""
    done = [0]

    def wrap(owner: object, name: str) -> None:
        real = getattr(owner, name)

        def step(*given: object, **more: object) -> object:
            done[0] += 1
            if done[0] > count:  # dead: what would clean up does nothing either
                raise PowerCutError
            return real(*given, **more)

        patch.setattr(owner, name, step)

    for owner, name in OPERATIONS:
        wrap(owner, name)


def test_a_power_cut_at_any_moment_leaves_a_profile_with_its_own_picture(tmp_path):
    seen = set()
    for count in range(12):
        path = tmp_path / str(count) / "kitchen.json"
        save_profile(path, profile(10), picture(10), NOON)
        with pytest.MonkeyPatch.context() as patch:
            cut_after(patch, count)
            try:
                save_profile(path, profile(20), picture(20), NOON + timedelta(seconds=1))
            except PowerCutError:
                cut = True
            else:
                cut = False
        seen.add((cut, stands(path)))
        save_profile(path, profile(30), picture(30), NOON + timedelta(seconds=2))
        assert stands(path) == 30
        assert len(list(path.parent.iterdir())) == 2, "what a cut left behind is swept up by the next"
    assert seen == {(True, 10), (True, 20), (False, 20)}, "no cut fell into the middle"


@pytest.mark.parametrize("fails", [1, 2])
def test_a_full_disk_leaves_the_old_one_and_nothing_else(tmp_path, fails):
    path = tmp_path / "kitchen.json"
    save_profile(path, profile(10), picture(10), NOON)
    real, calls = Path.replace, [0]

    def full(self: Path, target: Path) -> Path:
        calls[0] += 1
        if calls[0] == fails:
            raise OSError(28, "No space left on device")
        return real(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(FailedError, match="the old one stays"):
            save_profile(path, profile(20), picture(20), NOON + timedelta(seconds=1))
    assert stands(path) == 10
    assert len(list(tmp_path.iterdir())) == 2


def test_where_nothing_can_be_written_or_removed_there_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("no folder")
    path = tmp_path / "file" / "kitchen.json"
    for empty in (None, picture(10)):
        with pytest.raises(FailedError, match="cannot be written"):
            save_profile(path, profile(10), empty, NOON)
    with pytest.raises(FailedError, match="cannot be written"):
        check_place(path)
    check_place(tmp_path / "data" / "kitchen.json")
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_disk_that_turns_read_only_in_the_middle_is_a_sentence(tmp_path, monkeypatch):
    path = tmp_path / "kitchen.json"
    real = Path.replace

    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    def once(self: Path, target: Path) -> Path:
        monkeypatch.setattr(Path, "replace", read_only)
        monkeypatch.setattr(Path, "unlink", read_only)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", once)
    with pytest.raises(FailedError, match="Read-only"):
        save_profile(path, profile(20), picture(20), NOON)
    with pytest.raises(FailedError, match="cannot be deleted"):
        delete_profile(path)


def test_pictures_of_other_profiles_and_other_files_stay(tmp_path):
    one, other = tmp_path / "kitchen.json", tmp_path / "kitchen.v2.json"
    (tmp_path / "games.sqlite3").write_text("games")
    (tmp_path / "kitchen.empty.png").write_text("somebody's own")
    save_profile(other, profile(40), picture(40), NOON)
    save_profile(one, profile(10), picture(10), NOON)
    CalibrationProfile(name="10", reference="games.sqlite3").save(one)
    save_profile(one, profile(20), picture(20), NOON + timedelta(seconds=1))
    assert (stands(one), stands(other)) == (20, 40)
    delete_profile(one)
    assert stands(other) == 40
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {
        "games.sqlite3",
        "kitchen.empty.png",
        "kitchen.v2.json",
        CalibrationProfile.load(other).reference,
    }


@pytest.mark.parametrize("more", [{"version": 99}, {"mood": "good"}])
def test_a_profile_of_a_newer_program_is_kept_with_its_picture(tmp_path, more):
    path = tmp_path / "profile.json"
    theirs = save_profile(path, profile(10), picture(10), NOON)
    text = json.dumps({**json.loads(path.read_text()), **more})
    path.write_text(text)
    for again in (1, 2):
        save_profile(path, profile(20), picture(20), NOON + timedelta(seconds=again))
        assert stands(path) == 20
        assert (tmp_path / "profile.kept.json").read_text() == text
        assert (tmp_path / theirs.reference).exists()
        assert len(list(tmp_path.iterdir())) == 4
    path.write_text(json.dumps({**json.loads(text), "name": "another"}))
    save_profile(path, profile(30), picture(30), NOON + timedelta(seconds=3))
    assert '"another"' in (tmp_path / "profile.kept-1.json").read_text()


def test_the_picture_of_an_older_station_is_removed_with_its_profile(tmp_path):
    path = tmp_path / "kitchen.json"
    CalibrationProfile(name="10", reference="kitchen.empty.png").save(path)
    (tmp_path / "kitchen.empty.png").write_bytes(b"")
    save_profile(path, profile(20), picture(20), NOON)
    assert stands(path) == 20
    assert len(list(tmp_path.iterdir())) == 2
