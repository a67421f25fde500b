"""Stations in the process of the tests."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from station.app import Station
from station.config import parse


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Callable[..., Station]]:
    """Makes a station and starts it, once the one before is stopped; stops the last one, too."""
    built: list[Station] = []

    def stop() -> None:
        while built:
            built.pop().stop()

    def make(*insisted: str, starts: bool = True, **more: object) -> Station:
        stop()
        settings = {"host": "127.0.0.1", "port": 0, "data": tmp_path / "data", "camera": "simulated"}
        station = Station(parse(settings | {"viewers_max": 1} | more), insisted=insisted)
        built.append(station)
        if starts:
            station.start()
        return station

    yield make
    stop()
