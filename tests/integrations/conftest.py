"""One broker for all tests of a file."""

from collections.abc import Iterator

import pytest

from tests.integrations.mosquitto import Mosquitto


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("broker")) as made:
        yield made
