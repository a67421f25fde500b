"""One broker for all tests of a file."""

from collections.abc import Iterator

import pytest

from station.integrations import broker as line
from tests.integrations.mosquitto import DEADLINE_S, Mosquitto
from tests.trials import copies_tried_here

__all__ = ["copies_tried_here"]


@pytest.fixture(autouse=True)
def patient_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine stands still for seconds no answer is late."""
    monkeypatch.setattr(line, "ANSWER_S", DEADLINE_S)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("broker")) as made:
        yield made
