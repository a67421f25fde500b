"""Two tables that play together over one broker for all tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from station.features.two_homes.line import ends, home_line
from tests.features.two_homes.pair import Pair
from tests.integrations.conftest import broker, copies_tried_here, patient_broker
from tests.integrations.mosquitto import DEADLINE_S, Mosquitto

__all__ = ["broker", "copies_tried_here", "patient_broker"]


@pytest.fixture(autouse=True)
def patient_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine stands still for seconds no line breaks, and no answer is late."""
    monkeypatch.setattr(home_line, "KEEPALIVE_S", int(DEADLINE_S))
    monkeypatch.setattr(ends, "ANSWER_S", DEADLINE_S)


@pytest.fixture
def pair(tmp_path: Path, broker: Mosquitto) -> Iterator[Pair]:
    made = Pair(tmp_path, broker)
    made.begin()
    yield made
    made.close()


@pytest.fixture
def drawing(tmp_path: Path, broker: Mosquitto) -> Iterator[Pair]:
    """Berlin has no tray."""
    made = Pair(tmp_path, broker)
    made.begin(without_tray=True)
    yield made
    made.close()
