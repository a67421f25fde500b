"""What the tests of all extras have in common."""

import pytest

from station.config.extras import installed
from station.integrations import broker
from tests.integrations.mosquitto import DEADLINE_S

installed()  # of which come the words


@pytest.fixture(autouse=True)
def patient_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the machine stands still for seconds no line breaks, and no answer is late."""
    monkeypatch.setattr(broker, "ANSWER_S", DEADLINE_S)
