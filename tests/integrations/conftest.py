"""One broker for all tests of a file."""

from collections.abc import Iterator

import pytest

from station.integrations import home_line, homes
from tests.integrations.mosquitto import DEADLINE_S, Mosquitto


@pytest.fixture(autouse=True)
def patient_homes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine stands still for seconds no line between homes breaks, and no answer is late."""
    monkeypatch.setattr(home_line, "KEEPALIVE_S", int(DEADLINE_S))
    monkeypatch.setattr(homes, "ANSWER_S", DEADLINE_S)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("broker")) as made:
        yield made
