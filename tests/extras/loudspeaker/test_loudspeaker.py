"""A loudspeaker at the station: what it says, and when it breaks off; the program notes what it hears."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from unittest.mock import Mock

import pytest

from station.contract.check import Level
from station.extras.loudspeaker import Loudspeaker
from station.extras.loudspeaker.voice import LoudspeakerVoice
from station.table.table import Table
from tests.asking import do
from tests.extras.parts import parts
from tests.integrations.mosquitto import until

NOON = datetime(2026, 1, 2, 12, 0)  # noqa: DTZ001 - the hour of the clock on the wall
SPEAKS = """#!/bin/sh
trap 'echo "[broken off]" >> {heard}; exit 0' TERM
echo "$* $(cat)" >> {heard}
while :; do sleep 0.05; done
"""


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where an espeak-ng writes what it is asked to say; it speaks until it is ended."""
    program, notes = tmp_path / "espeak-ng", tmp_path / "heard"
    program.write_text(SPEAKS.format(heard=notes))
    program.chmod(0o755)
    notes.touch()
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return notes


@pytest.fixture
def table() -> Table:
    return Table()


def speaking(table: Table, now: datetime = NOON, **others: object) -> LoudspeakerVoice:
    settings = Loudspeaker(on=True, volume=40, needs=True)
    return LoudspeakerVoice(settings, parts(table, language="de", **others), lambda: now)


@pytest.fixture
def voice(table: Table, heard: Path) -> Iterator[LoudspeakerVoice]:
    """One that has begun to listen: what was news before is not said."""
    assert heard.exists()
    listening = Mock(wraps=table.subscribe())
    voice = speaking(table, subscribe=lambda: listening)
    voice.start()
    until(lambda: listening.get.call_count == 2)
    yield voice
    voice.stop(5)


def told(heard: Path, words: str) -> str:
    """What was heard, once those words were."""
    until(lambda: words in heard.read_text())
    return heard.read_text()


@pytest.mark.slow
def test_throws_and_scores_are_spoken_and_a_correction_breaks_off(table, voice, heard):
    do(table, {"command": "start_game", "players": ["Ana", "-w /tmp/x"], "rules": "yacht-1938"})
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 4]})
    assert told(heard, "1 2 3 4 4").startswith("-v de -a 80 --stdin Wurf 1")
    do(table, {"command": "correct_die", "slot": 5, "face": 5})
    assert "[broken off]" in told(heard, "1 2 3 4 5")
    do(table, {"command": "set_held", "slots": [2, 3, 4, 5]})
    told(heard, "Ana braucht eine 1 oder eine 6")
    do(table, {"command": "score_box", "category": "choice"})
    told(heard, "Freie Wahl, 15")
    do(table, {"command": "undo"})
    told(heard, "Zurückgenommen: 15 Punkte")
    do(table, {"command": "score_box", "category": "little-straight"})
    said = told(heard, ", 30")
    assert said.count("Freie Wahl, 15") == 1
    assert said.count("vorn") == 1  # who leads is not said again with what was put right
    voice.stop(5)
    assert heard.read_text().rstrip().endswith("[broken off]")
    assert voice.wrong() is None


@pytest.mark.parametrize(
    ("hour", "quiet"), [(21, False), (22, True), (23, True), (0, True), (6, True), (7, False)]
)
def test_it_is_quiet_at_night(table, hour, quiet):
    assert speaking(table, NOON.replace(hour=hour)).quiet == quiet
    always = Loudspeaker(on=True, quiet_from=5, quiet_until=5)
    voice = LoudspeakerVoice(always, parts(table), lambda: NOON)
    assert not voice.quiet


def test_a_missing_program_is_reported_and_stops_nothing(table, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    voice = speaking(table)
    assert voice.check().status is Level.WARNING
    voice.start()
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    before = table.snapshot().version
    do(table, {"command": "enter_roll", "faces": [1, 2, 3, 4, 4]})
    assert table.snapshot().version > before
    assert voice.wrong() is None
    voice.stop(5)
