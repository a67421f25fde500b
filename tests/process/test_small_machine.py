"""A board of 512 MB finds out by itself that memory is scarce."""

from pathlib import Path

import pytest

from station.config import parse, settings
from station.config.machine import memory_mb
from station.contract.check import Level
from station.health import checks

KILOBYTES = {"Zero 2 W": 436_580, "Pi 3": 924_868, "Pi 4": 3_883_048}


def meminfo(folder: Path, text: str) -> Path:
    file = folder / "meminfo"
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("MemTotal:         436580 kB\nMemFree:           62180 kB\n", 436),
        ("MemFree:           62180 kB\n", None),
        ("MemTotal: much\n", None),
        ("", None),
    ],
)
def test_the_kernel_is_asked(tmp_path, text, memory):
    assert memory_mb(meminfo(tmp_path, text)) == memory


def test_a_kernel_that_does_not_say_is_no_trouble(tmp_path):
    assert memory_mb(tmp_path / "none") is None


@pytest.mark.parametrize(
    ("board", "said", "scarce"),
    [
        ("Zero 2 W", {}, True),
        ("Zero 2 W", {"memory": "normal"}, False),
        ("Pi 3", {}, False),
        ("Pi 4", {}, False),
        ("Pi 4", {"memory": "small"}, True),
    ],
)
def test_what_the_settings_leave_open_the_board_decides(monkeypatch, board, said, scarce):
    monkeypatch.setattr(settings, "memory_mb", lambda: KILOBYTES[board] // 1000)
    assert parse({"limits": said}).limits.scarce is scarce


def test_health_says_what_is_done_without():
    (found,) = checks.memory(scarce=True)
    assert found.status is Level.INFO
    assert "estimates" in str(found.message)
    assert checks.memory(scarce=False) == ()
