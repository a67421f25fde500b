"""One broker for all tests of a file, and two tables that play together."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from station.features.two_homes.line import ends, home_line
from station.integrations import broker as line
from tests.integrations.mosquitto import DEADLINE_S, Mosquitto
from tests.integrations.pair import Pair
from tests.trials import copies_tried_here

__all__ = ["copies_tried_here"]


@pytest.fixture(autouse=True)
def patient_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine stands still for seconds no line breaks, and no answer is late."""
    monkeypatch.setattr(line, "ANSWER_S", DEADLINE_S)
    monkeypatch.setattr(home_line, "KEEPALIVE_S", int(DEADLINE_S))
    monkeypatch.setattr(ends, "ANSWER_S", DEADLINE_S)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("broker")) as made:
        yield made


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
