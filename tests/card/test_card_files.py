"""`yacht card`: what it writes onto a boot partition, what it refuses, a card that was pulled out."""

import os
import subprocess
import zipfile
from email import message_from_string
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from messages.errors import FailedError
from station.card import writer
from station.card.files import PreparedCard, Wishes, begin_script, cmdline, firstrun, unit, user_data
from station.card.steps import read_card
from station.card.wheel import packed_again
from station.cli import run

LINE = "console=tty1 root=PARTUUID=9710ec8c-02 rootfstype=ext4 rootwait quiet\n"
IMAGER = """#cloud-config
hostname: raspberrypi
users:
- name: jörg
  passwd: $5$abc
"""
IMAGER_BOOKWORM = """#!/bin/sh

set +e

/usr/lib/raspberrypi-sys-mods/imager_custom set_hostname raspberrypi
/usr/lib/raspberrypi-sys-mods/imager_custom set_wlan 'Home' 'abc' 'GB'
rm -f /boot/firstrun.sh
sed -i 's| systemd.run.*||g' /boot/cmdline.txt
exit 0
"""
CLOUD_CONFIG = """#cloud-config
hostname: den
manage_etc_hosts: true
locale: de_DE.UTF-8
timezone: Europe/Berlin
"""
BOOTHOOK = """#cloud-boothook
#!/bin/sh
sed -i 's/^# *de_DE.UTF-8 /de_DE.UTF-8 /' /etc/locale.gen
sh /boot/firmware/yacht/begin.sh start
"""
ALL = Wishes("den", "de", "Europe/Berlin", "DE")
WHEEL = ("yacht_station-1-py3-none-any.whl", b"a program")


def boot(folder: Path, **files: str) -> Path:
    folder.mkdir()
    named = {"cmdline.txt": LINE, "config.txt": "# Pi\n"} | {
        name.replace("_", "-"): text for name, text in files.items()
    }
    for name, text in named.items():
        (folder / name).write_text(text)
    return folder


def trixie(folder: Path) -> Path:
    return boot(folder, user_data=IMAGER, meta_data="instance-id: rpios-image\n")


def bookworm_by_imager(folder: Path) -> Path:
    card = boot(folder)
    (card / "firstrun.sh").write_text(IMAGER_BOOKWORM)
    (card / "cmdline.txt").write_text(LINE.strip() + " systemd.run=/boot/firstrun.sh\n")
    return card


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_cloud_init_gets_what_imager_wrote_then_ours_then_the_call():
    parts = message_from_string(user_data(IMAGER, ALL)).get_payload()
    assert [(part.get_content_type(), part.get_payload(decode=True).decode()) for part in parts] == [
        ("text/plain", IMAGER),
        ("text/cloud-config", CLOUD_CONFIG),
        ("text/cloud-boothook", BOOTHOOK),
    ]


def test_bookworm_without_imagers_settings_gets_a_script_of_its_own():
    assert (
        firstrun("", ALL)
        == """#!/bin/sh
set +e
/usr/lib/raspberrypi-sys-mods/imager_custom set_hostname den
raspi-config nonint do_change_locale de_DE.UTF-8
/usr/lib/raspberrypi-sys-mods/imager_custom set_timezone Europe/Berlin
sh /boot/firmware/yacht/begin.sh
sed -i 's| systemd\\.[^ ]*||g' /boot/firmware/cmdline.txt
rm -f /boot/firmware/firstrun.sh
exit 0
"""
    )
    assert cmdline(LINE, ALL, run=True) == (
        "console=tty1 root=PARTUUID=9710ec8c-02 rootfstype=ext4 rootwait quiet cfg80211.ieee80211_regdom=DE "
        "systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot "
        "systemd.unit=kernel-command-line.target\n"
    )


def test_imagers_script_does_ours_after_its_own_and_before_it_tidies_up():
    ours = (
        "/usr/lib/raspberrypi-sys-mods/imager_custom set_hostname yacht\nsh /boot/firmware/yacht/begin.sh\n"
    )
    tidies = IMAGER_BOOKWORM.index("rm -f")
    assert firstrun(IMAGER_BOOKWORM, Wishes()) == IMAGER_BOOKWORM[:tidies] + ours + IMAGER_BOOKWORM[tidies:]


@pytest.mark.parametrize("script", [firstrun("", ALL), firstrun(IMAGER_BOOKWORM, ALL), begin_script()])
def test_scripts_are_sound(script: str):
    assert subprocess.run(["sh", "-n"], input=script, text=True, check=False).returncode == 0


@pytest.mark.parametrize("card", [trixie, bookworm_by_imager, boot])
def test_whoever_pulls_a_card_out_has_the_old_one_or_the_whole_one(card, tmp_path, monkeypatch):
    whole = card(tmp_path / "whole")
    writer.write(whole, ALL, WHEEL, 5.0)
    before = contents(card(tmp_path / "before"))
    switches = {
        name for name, data in contents(whole).items() if before.get(name) != data and "/" not in name
    }
    cut = 0
    while True:
        cut += 1
        pulled = card(tmp_path / str(cut))
        left = iter(range(cut))

        def until_pulled(*arguments: object, done: object, left=left) -> None:
            if next(left, None) is None:
                raise OSError("pulled out")
            done(*arguments)

        for name in ("write_out", "replace_file", "to_disk"):
            real = getattr(writer, name)
            monkeypatch.setattr(writer, name, lambda *a, real=real, **_: until_pulled(*a, done=real))
        try:
            writer.write(pulled, ALL, WHEEL, 5.0)
        except FailedError as error:
            said = error.code
        else:
            break
        finally:
            monkeypatch.undo()
        assert said == "yacht/card/unwritable"
        # Only the country of the Wi-Fi, or a script that nobody calls, may be there before the rest.
        armed = [name for name in switches if contents(pulled).get(name) == contents(whole)[name]]
        assert set(armed) < switches
        writer.write(pulled, ALL, WHEEL, 5.0)
        assert contents(pulled) == contents(whole)
    assert cut > 6


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda card: (card / "config.txt").unlink(), "no_boot"),
        (lambda card: writer.write(card, ALL, WHEEL, 5.0), "prepared"),
        (lambda card: (card / "user-data").write_text("Content-Type: multipart/mixed\n"), "parts"),
    ],
)
def test_what_cannot_be_prepared_stays_as_it_is(spoil, code, tmp_path):
    card = trixie(tmp_path / "card")
    spoil(card)
    before = contents(card)
    with pytest.raises(FailedError) as refused:
        writer.write(card, Wishes(), WHEEL, 5.0)
    assert refused.value.code == f"yacht/card/{code}"
    assert contents(card) == before


def test_a_card_that_is_too_full_is_not_touched(tmp_path, monkeypatch):
    card = trixie(tmp_path / "card")
    before = contents(card)
    monkeypatch.setattr(writer.shutil, "disk_usage", lambda _: type("Usage", (), {"free": 9 << 20})())
    with pytest.raises(FailedError, match="25 MB are needed, 9 MB are free") as refused:
        writer.write(card, Wishes(), (WHEEL[0], bytes(9 << 20)), 5.0)
    assert refused.value.code == "yacht/card/full"
    assert contents(card) == before


@pytest.mark.parametrize(
    "words", [("--name", "Wohn zimmer"), ("--time-zone", "Europe/Nowhere"), ("--country", "Germany")]
)
def test_wishes_that_no_system_knows_are_refused_first(words, tmp_path, capsys):
    card = trixie(tmp_path / "card")
    assert run(["card", *words, str(card)]) == 2
    assert words[1] in capsys.readouterr().err
    assert not (card / "yacht").exists()


def wheel_of(folder: Path) -> Path:
    """A wheel with a file of its own outside its packages, and one that says it was unpacked."""
    path = folder / WHEEL[0]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("station/mark.txt", "unpacked")
    return path


@pytest.mark.slow
def test_begin_may_be_cut_off_at_every_command(tmp_path):
    """Each command of the script is replaced by one that counts, and pulls the plug when it is its turn."""
    card = tmp_path / "yacht"
    card.mkdir()
    wheel_of(card)
    (card / "begin.sh").write_text(begin_script())
    (card / "yacht-first-start.service").write_text(unit())
    shims, left = tmp_path / "shims", tmp_path / "left"
    shims.mkdir()
    for name in ("rm", "mkdir", "python3", "sync", "mv", "cp", "systemctl"):
        real = f"exec /usr/bin/{name}" if name != "systemctl" else "exec true"
        shim = shims / name
        shim.write_text(
            f'#!/bin/sh\nread -r n <{left}\n[ "$n" -gt 0 ] || {{ kill -9 $PPID; exit; }}\n'
            f'echo $((n - 1)) >{left}\n{real} "$@"\n'
        )
        shim.chmod(0o755)
    cut = 0
    while True:
        root = tmp_path / f"root-{cut}"
        left.write_text(f"{cut}\n")
        call = ["sh", str(card / "begin.sh"), "start"]
        environ = {**os.environ, "ROOT": str(root), "PATH": f"{shims}:{os.environ['PATH']}"}
        over = subprocess.run(call, env=environ, check=False).returncode == 0
        left.write_text("99\n")
        assert subprocess.run(call, env=environ, check=False).returncode == 0
        kept = root / "var/lib/yacht-first-start/program/station/mark.txt"
        assert kept.read_text() == "unpacked"
        assert (root / "etc/systemd/system/yacht-first-start.service").read_text() == unit()
        if over:
            break
        cut += 1
    assert cut > 8


def test_what_is_installed_is_packed_as_the_wheel_it_came_from(tmp_path):
    site = tmp_path / "lib/python3.13/site-packages"
    files = {
        "station/__init__.py": b"",
        "station/words.toml": b"a = 1\n",
        "yacht_station-1.dist-info/METADATA": b"Metadata-Version: 2.1\nName: yacht-station\nVersion: 1\n",
        "yacht_station-1.dist-info/WHEEL": b"Tag: py3-none-any\n",
        "../../../share/yacht-station/systemd/install.sh": b"#!/bin/sh\n",
    }
    made = ("station/__pycache__/x.pyc", "yacht_station-1.dist-info/INSTALLER", "../../../bin/yacht")
    for name, data in {**files, **dict.fromkeys(made, b"made")}.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(data)
    info = site / "yacht_station-1.dist-info"
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in (*files, *made)))
    name, data = packed_again(Distribution.at(info))
    (tmp_path / name).write_bytes(data)
    with zipfile.ZipFile(tmp_path / name) as archive:
        packed = {each: archive.read(each) for each in archive.namelist()}
    record = packed.pop("yacht_station-1.dist-info/RECORD").decode()
    share = "yacht_station-1.data/data/share/"
    assert packed == {each.replace("../../../share/", share): data for each, data in files.items()}
    assert "station/words.toml,sha256=" in record
    assert record.endswith("yacht_station-1.dist-info/RECORD,,\n")


def test_what_the_card_says_is_read_as_it_was_written(tmp_path):
    card = PreparedCard("w.whl", "00", 1.5, "fr")
    (tmp_path / "card.json").write_text(card.text())
    assert read_card(tmp_path) == card
