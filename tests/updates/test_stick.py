"""What is taken from a USB stick: the newest release, whole, and nothing else."""

import os
from pathlib import Path

import pytest

from tests.appliance.helpers import SYSTEMD, call

MOUNT = """#!/bin/sh
test "$1 $2 $3" = "-o ro,nosuid,nodev,noexec /dev/sda1" && cp -a "{stick}/." "$4"
"""
UMOUNT = """#!/bin/sh
find "$1" -mindepth 1 -delete
"""


@pytest.mark.slow
def test_the_newest_release_of_a_stick_is_copied(tmp_path: Path):
    """Mounted by a program that copies what lies on the stick: to mount takes a disk and root."""
    stick, folder = tmp_path / "stick", tmp_path / "folder"
    programs = {"mount": MOUNT.format(stick=stick), "umount": UMOUNT}
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    stick.mkdir()
    folder.mkdir()

    def put_in() -> list[str]:
        environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
        done = call(SYSTEMD / "stick.sh", "/dev/sda1", folder, environ=environ)
        assert done.returncode == 0, done.stderr
        assert not list(tmp_path.glob("tmp.*")), "something of the stick is left"
        return sorted(each.name for each in folder.iterdir())

    (stick / "holiday.jpg").write_text("Sun.")
    assert put_in() == []
    for version in ("0.9.0", "0.10.0"):
        (stick / f"yacht-station-{version}.zip").write_text(version)
    (folder / "yacht-station-0.8.0.zip").write_text("of an earlier stick")
    (folder / "yacht-station-0.10.0.zip.part").write_text("the plug was pulled")
    (stick / "yacht-station-0.11.0.zip").symlink_to("/etc/shadow")
    assert put_in() == ["yacht-station-0.10.0.zip"]
    assert (folder / "yacht-station-0.10.0.zip").read_text() == "0.10.0"
