"""`make install` into a staged root: complete, independent of where it was built, gentle to what is there."""

import io
import os
import shutil
import subprocess
import tomllib
import zipfile
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from release.site import PACKAGES
from station.card.wheel import packed, packed_again
from station.updates.release_file import Here
from station.updates.updates import Updates
from tests.appliance.helpers import PROGRAM, ROOT, SYSTEMD, call, need, need_index
from tests.updates.releases import whole

pytestmark = pytest.mark.slow


PARTS = (*PACKAGES, "systemd", "docs")


def make(target: str, root: Path, source: Path = ROOT, **environ: str) -> subprocess.CompletedProcess[str]:
    return call("make", "-s", target, f"DESTDIR={root}", cwd=source, environ=environ)


def files_and_links(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir())


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    need("systemctl")
    need_index()
    folder = tmp_path_factory.mktemp("staged")
    made = make("install", folder, KIOSK="1")
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="module")
def newer(tmp_path_factory):
    """A checkout that needs no packages, for updates: whole ones were installed before, in the same way."""
    folder = tmp_path_factory.mktemp("newer")
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("Makefile", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, folder)
    pins = (ROOT / "requirements/run.txt").read_text().replace("\\\n", "\0").splitlines()
    (builder,) = [pin.replace("\0", "\\\n") for pin in pins if pin.startswith("setuptools==")]
    (folder / "requirements").mkdir()
    (folder / "requirements/run.txt").write_text(f"{builder}\n")
    return folder


def test_program_stands_by_itself(root):
    python = root / PROGRAM / "venv/bin/python"
    call_from_elsewhere = call(
        python,
        "-I",
        "-c",
        "import messages, pictures, simulator, station, vision, calibration, web; print(web.__file__)",
        cwd="/",
    )
    assert call_from_elsewhere.stdout.startswith(str(root)), call_from_elsewhere.stderr


def test_program_knows_its_final_place_only(root):
    yacht = root / PROGRAM / "venv/bin/yacht"
    assert yacht.read_text().startswith("#!/opt/yacht-station/venv/bin/python\n")
    found = call("grep", "-rlF", str(root), root / PROGRAM)
    assert found.stdout == ""


def test_a_release_from_the_setup_page_runs_in_place_of_the_program(root, tmp_path):
    """In the environment that was installed, which stays as it is."""
    data = root / "var/lib/yacht-station"
    whole(tmp_path / "stick", "99.0.0", {})
    before = files_and_links(root / PROGRAM)
    Updates(data / "program", tmp_path / "stick", Here.current(), restart=lambda: None).install("99.0.0")
    assert files_and_links(root / PROGRAM) == before

    def output(*words):
        start = root / PROGRAM / "start.py"
        call_it = (root / PROGRAM / "venv/bin/python", "-P", start, *words)
        return call(*call_it, environ={"STATE_DIRECTORY": str(data)}, cwd="/").stdout.split()[-1]

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert output("--version") == version, "nobody has tried it yet"
    (data / "program/trial").rename(data / "program/chosen")  # it answered
    assert output("--version") == "99.0.0"
    assert (
        output("score", "--rules", "yacht-1938", "--dice", "5,5,5,2,2", "--category", "full-house") == "19."
    )
    shutil.rmtree(data)


def test_every_data_file_of_the_packages_is_there(root):
    listed = call("git", "ls-files", *PACKAGES, cwd=ROOT)
    if listed.returncode:
        pytest.skip("this is not a git checkout: what belongs to the packages is not known")
    installed = next((root / PROGRAM / "venv/lib").glob("python3*/site-packages"))
    # Types of the scripts are for make check alone.
    wanted = [path for path in listed.stdout.split() if not path.endswith(".d.ts")]
    missing = [path for path in wanted if not (installed / path).exists()]
    assert missing == []


def test_units_are_enabled_for_the_first_start(root):
    wanted = root / "etc/systemd/system"
    assert (wanted / "multi-user.target.wants/yacht-station.service").is_symlink()
    assert (wanted / "multi-user.target.wants/yacht-kiosk.service").is_symlink()
    assert (wanted / "timers.target.wants/yacht-backup.timer").is_symlink()


def test_an_update_keeps_settings_games_drop_ins_and_what_was_switched_off(root, newer, tmp_path):
    """A release that ran in its place ends. The new program is on the disk before it is linked: after a power
    cut a link may be there whose files are empty.
    """
    config = root / "etc/yacht-station/station.toml"
    config.write_text("port = 9000\n")
    games = root / "var/lib/yacht-station/games.sqlite"
    release = games.parent / "program/chosen"
    release.mkdir(parents=True)
    games.write_text("all the games")
    units = root / "etc/systemd/system"
    for unit in ("yacht-backup.timer", "yacht-kiosk.service"):
        assert call("systemctl", f"--root={root}", "disable", unit).returncode == 0
    own = units / "yacht-station.service.d/own.conf"
    own.parent.mkdir()
    own.write_text("[Service]\nNice=5\n")
    with (units / "yacht-station.service").open("a") as unit:
        unit.write("# edited in place\n")
    venv, at_sync, sync = root / PROGRAM / "venv", tmp_path / "at-sync", tmp_path / "sync"
    sync.write_text(f"#!/bin/sh\nreadlink {venv} >>{at_sync}\n")
    sync.chmod(0o755)
    before = venv.readlink()
    installed = make("install", root, newer, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert installed.returncode == 0, installed.stderr
    assert at_sync.read_text().splitlines()[0] == str(before)
    assert venv.readlink() != before
    assert not (root / PROGRAM / before).exists()
    assert not release.parent.exists()
    assert config.read_text() == "port = 9000\n"
    assert games.read_text() == "all the games"
    assert "<port>9000</port>" in (root / "etc/avahi/services/yacht-station.service").read_text()
    assert (units / "yacht-kiosk.service").exists()
    assert (units / "yacht-backup.timer").exists()
    assert not (units / "timers.target.wants/yacht-backup.timer").is_symlink()
    assert not (units / "multi-user.target.wants/yacht-kiosk.service").is_symlink()
    assert (units / "multi-user.target.wants/yacht-station.service").is_symlink()
    assert own.read_text() == "[Service]\nNice=5\n"
    assert (units / "yacht-station.service").read_bytes() == (SYSTEMD / "yacht-station.service").read_bytes()
    own.unlink()


def test_the_wheel_brings_all_that_makes_a_station_and_makes_up_for_a_first_run_that_was_interrupted(
    root, newer, tmp_path
):
    """It is packed again from what it installed."""
    name, data = packed()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(tmp_path / "program")
        files = {each: archive.read(each) for each in archive.namelist() if not each.endswith("/RECORD")}
    (tmp_path / name).write_bytes(data)
    (shared,) = (tmp_path / "program").glob("*.data/data/share/yacht-station")
    shutil.copy(newer / "requirements/run.txt", shared / "requirements")
    units = root / "etc/systemd/system"
    call("systemctl", f"--root={root}", "disable", "yacht-station.service", "yacht-backup.timer")
    assert not (units / "multi-user.target.wants/yacht-station.service").is_symlink()
    environ = {"DESTDIR": str(root), "WHEEL": str(tmp_path / name), "KIOSK": "1"}
    installed = call("sh", shared / "systemd/install.sh", cwd=tmp_path, environ=environ)
    assert installed.returncode == 0, installed.stderr
    assert (units / "multi-user.target.wants/yacht-station.service").is_symlink()
    assert (units / "timers.target.wants/yacht-backup.timer").is_symlink()
    assert (units / "multi-user.target.wants/yacht-kiosk.service").is_symlink()
    (info,) = (root / PROGRAM).glob("venv-*/lib/python3*/site-packages/yacht_station-*.dist-info")
    again = packed_again(Distribution.at(info))
    assert again[0] == name
    with zipfile.ZipFile(io.BytesIO(again[1])) as archive:
        found = {each: archive.read(each) for each in archive.namelist() if not each.endswith("/RECORD")}
    assert found == files


def test_failed_update_leaves_the_program_that_was_there(root):
    before = sorted(path.name for path in (root / PROGRAM).iterdir())
    made = make("install", root, PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert made.returncode != 0
    assert sorted(path.name for path in (root / PROGRAM).iterdir()) == before
    python = root / PROGRAM / "venv/bin/python"
    assert call(python, "-I", "-c", "import station", cwd="/").returncode == 0


def test_uninstall_leaves_the_games_unless_purged(root):
    games = root / "var/lib/yacht-station/games.sqlite"
    games.parent.mkdir(parents=True, exist_ok=True)
    games.write_text("all the games")
    assert "Games stay" in make("uninstall", root).stdout
    assert files_and_links(root) == [
        "etc/yacht-station/kiosk.env",
        "etc/yacht-station/station.toml",
        "var/lib/yacht-station/games.sqlite",
    ]
    make("uninstall", root, PURGE="1")
    assert files_and_links(root) == []


def test_uninstall_with_everything_takes_drop_ins_and_the_user_of_the_screen(tmp_path):
    """As they are on a machine whose station was set up and used: the next one began with them."""
    need("userdel")
    edited = tmp_path / "etc/systemd/system/yacht-station.service.d/override.conf"
    edited.parent.mkdir(parents=True)
    edited.write_text("[Service]\nIPAddressAllow=203.0.113.9\n")
    for file, (theirs, ours) in {
        "passwd": ("root:x:0:0:root:/root:/bin/bash\n", "yacht-kiosk:x:998:998::/:/usr/sbin/nologin\n"),
        "group": ("root:x:0:\n", "yacht-kiosk:x:998:\n"),
        "shadow": ("root:*:19000:0:99999:7:::\n", "yacht-kiosk:!*:19000::::::\n"),
    }.items():
        (tmp_path / "etc" / file).write_text(theirs + ours)
    (tmp_path / "etc/login.defs").write_text("USERGROUPS_ENAB yes\n")  # as on Debian
    assert make("uninstall", tmp_path).returncode == 0
    assert edited.exists()
    made = make("uninstall", tmp_path, PURGE="1")
    assert (made.returncode, made.stderr) == (0, "")
    assert not edited.parent.exists()
    for file in ("passwd", "group", "shadow"):
        assert "root" in (tmp_path / "etc" / file).read_text()
        assert "yacht-kiosk" not in (tmp_path / "etc" / file).read_text()


def test_a_relative_folder_is_refused():
    made = make("install", Path("staged"))
    assert made.returncode != 0
    assert "DESTDIR has to begin with a slash" in made.stderr
