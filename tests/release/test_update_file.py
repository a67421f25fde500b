"""The one file by which a station updates itself: it brings what changed, and installs here."""

from pathlib import Path
from typing import Any

import pytest

from release import update_file
from release.pins import MACHINES, PYTHONS
from station.updates import release_file
from station.updates.release_file import Here
from tests.conftest import ROOT
from tests.updates.releases import SMALL, SMALL_ENTRY, wheel

PINS = ROOT / "requirements" / "run.txt"


def program(folder: Path) -> Path:
    made = folder / "yacht_station-99.0.0-py3-none-any.whl"
    made.write_bytes(wheel("99.0.0", SMALL, SMALL_ENTRY))
    return made


def test_the_first_release_installs_where_its_pins_are(tmp_path: Path):
    """As in this environment, which `make test` made of them."""
    made = update_file.make(tmp_path, "99.0.0", program(tmp_path), "More.", PINS, None)
    found = release_file.look(made, Here.current())
    assert (found.version, found.notes, found.files) == ("99.0.0", "More.", (program(tmp_path).name,))


def test_a_release_brings_what_changed_since_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """pip is asked for each Python and each machine, and for nothing that is as it was."""
    before = tmp_path / "before.txt"
    before.write_text(PINS.read_text().replace("segno==1.6.6", "segno==1.6.1"))
    asked: list[list[str]] = []

    def download(call: Any, **_: object) -> None:
        asked.append([word for word in call if "==" in word])
        folder = Path(call[call.index("--dest") + 1])
        folder.mkdir(parents=True)
        (folder / "segno-1.6.6-py3-none-any.whl").write_bytes(wheel("1.6.6", {"segno/__init__.py": ""}, ""))

    monkeypatch.setattr(update_file.subprocess, "run", download)
    made = update_file.make(tmp_path, "99.0.0", program(tmp_path), "More.", PINS, before)
    assert asked == [["segno==1.6.6"]] * len(PYTHONS) * len(MACHINES)
    monkeypatch.setattr(
        release_file, "_changed", lambda _: {"segno": "1.6.6"}
    )  # of a station that has the older
    found = release_file.look(made, Here.current())
    assert found.files == (program(tmp_path).name, "segno-1.6.6-py3-none-any.whl")
    release_file.unpack(found, tmp_path / "laid")
    assert (tmp_path / "laid/segno/__init__.py").exists()
    assert (tmp_path / "laid/station/small.py").exists()
