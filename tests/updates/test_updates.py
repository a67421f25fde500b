"""A newer release beside the program that runs: what is refused, and what a power cut leaves behind."""

import importlib.util
import os
import shutil
import sqlite3
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from messages.errors import BadInputError, RefusalError
from station.updates.release_file import Here
from station.updates.updates import Updates
from tests.appliance.helpers import SYSTEMD, call
from tests.updates.releases import HERE, cut_short, release

spec = importlib.util.spec_from_file_location("start", SYSTEMD / "start.py")
assert spec is not None
assert spec.loader is not None
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)


def updates(
    data: Path, on_trial: str = "", restart: Callable[[], None] = lambda: None, here: Here = HERE
) -> Updates:
    return Updates(data / "program", data.parent / "stick", here, on_trial=on_trial, restart=restart)


def cut_behind_its_wheel(path: Path) -> None:
    """What is left ends as a zip does."""
    with zipfile.ZipFile(path) as packed:
        directory = packed.start_dir
    path.write_bytes(path.read_bytes()[:directory])


def one_byte_other(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[content.index(b"return 7") + 7] = ord("8")  # in the wheel, whose own sum would tell too
    path.write_bytes(content)


def without_sums(path: Path) -> None:
    with zipfile.ZipFile(path) as packed:
        files = {name: packed.read(name) for name in packed.namelist() if name != "SHA256SUMS"}
    with zipfile.ZipFile(path, "w") as packed:
        for name, content in files.items():
            packed.writestr(name, content)


def one_more(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("more.whl", b"")


def another_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("holiday.txt", "Sun.")


REFUSED = {
    "no zip": ("foreign", {}, lambda path: path.write_bytes(b"GIF89a, and nothing else")),
    "empty": ("foreign", {}, lambda path: path.write_bytes(b"")),
    "another zip": ("foreign", {}, another_zip),
    "another program": ("foreign", {"program": "chess-station"}, None),
    "cut short": ("damaged", {}, cut_short),
    "cut short behind its wheel": ("damaged", {}, cut_behind_its_wheel),
    "one byte other": ("damaged", {}, one_byte_other),
    "no sums": ("damaged", {}, without_sums),
    "more than was released": ("damaged", {}, one_more),
    "out of its folder": ("damaged", {"files": {"../station/__init__.py": ""}}, None),
    "its wheel is missing": ("damaged", {"wheel": "none.whl"}, None),
    "the same": ("older", {"version": "0.2.0"}, None),
    "older": ("older", {"version": "0.1.9"}, None),
    "a Python or a processor it was not made for": ("system", {"systems": {"3.15 aarch64": {}}}, None),
    "32 bit": ("system", {}, None),
    "a package that is not here": ("packages", {"systems": {HERE.name: {"nowhere": "1.0"}}}, None),
    "a package in another version": ("packages", {"systems": {HERE.name: {"flask": "99.0"}}}, None),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_file_that_cannot_be_installed_is_refused_in_a_sentence(tmp_path: Path, case: str):
    code, told, spoil = REFUSED[case]
    path = release(tmp_path, **{"version": "0.3.0", **told})
    if spoil:
        spoil(path)
    mine = updates(tmp_path / "data", here=Here("0.2.0", HERE.name, 4) if case == "32 bit" else HERE)
    with path.open("rb") as file, pytest.raises(BadInputError) as refused:
        mine.take(iter(lambda: file.read(1000), b""))
    assert refused.value.code == f"update/{code}"
    assert str(refused.value).endswith((".", ")"))
    assert mine.look().newer is None
    assert list((tmp_path / "data/program").iterdir()) == [], "something of it stays"


def test_of_a_stick_the_newest_is_offered_and_what_is_damaged_told(tmp_path: Path):
    mine = updates(tmp_path / "data")
    assert mine.look().newer is None
    for version in ("0.2.0", "0.10.0", "0.9.0"):
        release(tmp_path / "stick", version)
    newer = mine.look().newer
    assert newer is not None
    assert (newer.version, newer.place, newer.notes) == ("0.10.0", "stick", "More.")
    cut_short(tmp_path / "stick/yacht-station-0.10.0.zip")
    found = mine.look()
    assert found.newer is not None
    assert found.newer.version == "0.9.0"
    assert found.fault is not None
    shutil.rmtree(tmp_path / "stick")
    with pytest.raises(RefusalError) as gone:
        mine.install("0.9.0")
    assert gone.value.code == "update/gone"


@pytest.mark.slow
def test_packages_that_changed_come_along(tmp_path: Path):
    """Without a network: a wheel that the file holds takes the place of the one in the old environment."""
    flask = release(
        tmp_path,
        "0.3.0",
        systems={HERE.name: {"flask": "99.0"}},
        wheels={HERE.name: {"flask": "yacht_station-0.3.0-py3-none-any.whl"}},
    )
    mine = updates(tmp_path / "data")
    with flask.open("rb") as file:
        mine.take([file.read()])
    mine.install("0.3.0")
    assert (tmp_path / "data/program/0.3.0/station/small.py").exists()


class PowerCutError(BaseException):
    """The plug was pulled."""


class Disk:
    """Counts what changes the disk, and pulls the plug before one of these steps."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.left = -1
        for where, name in (
            *((Path, each) for each in ("write_text", "replace", "unlink", "mkdir", "rename")),
            *((os, each) for each in ("fsync", "sync", "open")),
            *((shutil, each) for each in ("copyfile", "rmtree")),
            (zipfile.ZipFile, "extractall"),
        ):
            patch.setattr(where, name, self.counted(getattr(where, name)))

    def counted(self, act: Callable[..., object]) -> Callable[..., object]:
        nothing = act.__name__ in ("fsync", "sync")  # no plug of this machine is pulled

        def step(*given: object, **named: object) -> object:
            if self.left == 0:
                raise PowerCutError
            self.left -= 1
            return None if nothing else act(*given, **named)

        return step


def games(data: Path, form: int) -> list[str]:
    """What a program that knows this form reads; it brings older ones to it, and refuses newer ones."""
    with closing(sqlite3.connect(data / "yacht.sqlite3")) as db:
        db.execute("PRAGMA synchronous = OFF")
        there = db.execute("PRAGMA user_version").fetchone()[0]
        assert there <= form, "the games are of a newer version"
        if there < form:
            db.execute("ALTER TABLE games RENAME COLUMN name TO title")
            db.execute(f"PRAGMA user_version = {form}")
            db.commit()
        return [name for (name,) in db.execute("SELECT * FROM games")]


class Home:
    """A station's folder; what starts there is as real as its files, and programs are small."""

    def __init__(self, folder: Path, before: str) -> None:
        self.data, self.before, self.ran = folder / "data", before, list[str]()
        shutil.copytree(folder.parent / "new", self.data)
        (folder / "stick").symlink_to(folder.parent / "stick")

    def boot(self, *, answers: bool, installs: bool) -> None:
        """One start, by a program that reads its games, and all that it does."""
        name, on_trial = start.pick(self.data)
        assert name in (self.before, NEWER)
        assert name == "" or (self.data / f"program/{name}/station/small.py").exists()
        self.ran.append(name)
        newer = name == NEWER
        assert games(self.data, 2 if newer else 1) == ["Ana against Ben"]
        mine = updates(self.data, on_trial=name if on_trial else "")
        if newer and answers:
            mine.answered()
        if installs and not newer and not mine.look().failed:
            mine.install(NEWER)


NEWER = "0.4.0"


def make_new(folder: Path, before: str) -> None:
    """What a station is like before the update, and what lies on the stick."""
    data = folder / "new"
    data.mkdir()
    (data / "room.json").write_text("seats")
    with closing(sqlite3.connect(data / "yacht.sqlite3")) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE games (name)")
        db.execute("INSERT INTO games VALUES ('Ana against Ben')")
        db.execute("PRAGMA user_version = 1")
        db.commit()
    if before:
        release(folder / "stick", before)
        updates(data).install(before)
        start.pick(data)
        updates(data, on_trial=before).answered()
    release(folder / "stick", NEWER)


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("before", ["", "0.3.0"])
@pytest.mark.slow
def test_whenever_the_plug_is_pulled_a_whole_program_runs_and_reads_all_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, answers: bool, before: str
):
    """The newer one changes the form of the games. Every step of the update is the one not done, once."""
    monkeypatch.setattr("station.updates.updates.subprocess.run", lambda *_, **__: None)
    make_new(tmp_path, before)
    disk = Disk(monkeypatch)
    for cut in range(400):
        home = Home(tmp_path / str(cut), before)
        disk.left = cut
        pulled = False
        for boot in range(6):
            try:
                home.boot(answers=answers, installs=boot < 2)
            except PowerCutError:
                pulled = True
                disk.left = -1
        disk.left = -1
        left = {each.name for each in (home.data / "program").iterdir()}
        assert "trial" not in left
        if answers:
            assert home.ran[-1] == NEWER
            assert left == {"chosen", NEWER}
        else:
            assert home.ran[-1] == before
            assert updates(home.data).look().failed == NEWER
            assert (home.data / "room.json").read_text() == "seats"
            assert [each.name for each in (home.data / f"program/left-{NEWER}").glob("*.sqlite3*")] == [
                "yacht.sqlite3"
            ]
        shutil.rmtree(home.data.parent)
        if not pulled:
            assert cut > 20
            return
    raise AssertionError("it never got through")


@pytest.mark.slow
def test_the_start_takes_what_was_chosen_and_a_trial_that_refuses_the_settings_is_tried_again(tmp_path: Path):
    """As systemd calls it: code 2 would keep the station off."""
    data = tmp_path / "data"
    release(tmp_path / "stick", "99.0.0")
    updates(data, here=Here.current()).install("99.0.0")

    def started(*words: str) -> int:
        return call(
            sys.executable, "-P", SYSTEMD / "start.py", *words, environ={"STATE_DIRECTORY": str(data)}
        ).returncode

    assert started("backup", "--help") == 0, "no other command tries it"
    assert started("run") == 7
    small = data / "program/99.0.0/station/small.py"
    small.write_text("def main():\n    raise SystemExit(2)\n")
    assert started("run") == 1
    assert started("run", "--help") == 0
    assert (data / "program/failed").read_text() == "99.0.0\n"
