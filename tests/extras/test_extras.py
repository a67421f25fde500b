"""Extras come and go: each can be taken away, another one is found, and a broken one harms nobody."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from messages import catalogue
from messages.errors import BadInputError
from station.app import Station
from station.config import extras, parse
from station.config.taken import changes
from station.contract import commands
from station.contract.check import Level
from station.integrations.extra import Integration
from station.integrations.factory import open_integrations
from station.store import Store
from station.table.table import Table

COME_WITH_IT = ("display", "loudspeaker", "mqtt", "webhooks")
BELL = """
import threading
from station.config.group import Group
from station.contract.check import Check, Level
from messages.message import Message
from station.integrations.extra import Extra
from station.integrations.worker_thread import WorkerThread

class Bell(Group):
    on: bool = False

class Settings(Group):
    bell: Bell = Bell()

class Ringer(WorkerThread):
    name = "bell"

    def __init__(self, parts):
        super().__init__()
        self.parts, self.rung = parts, threading.Event()

    def check(self):
        return Check("bell", Level.OK, Message("health/bell/rings", station=self.parts.station))

    def _run(self):
        news = self.parts.subscribe()
        while not self._stop.is_set():
            state = news.get(0.05)
            if state is not None and state.phase != "lobby":
                self.rung.set()
        news.close()

def _open(settings, parts):
    return Ringer(parts) if settings.bell.on else None

EXTRA = Extra(Settings, _open, {"bell": ("on",)})
"""
WORDS = '[health.bell]\nname = "Bell"\nrings = "{station} rings."\n[health.part]\nbell = "The bell"\n'
WORTE = '[health.bell]\nname = "Glocke"\nrings = "{station} läutet."\n'


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], extras.Installed]]:
    """Looks which extras there are, as a new process does."""

    def look() -> extras.Installed:
        monkeypatch.setattr(catalogue, "FOLDERS", [catalogue.FOLDER])
        extras.installed.cache_clear()
        return extras.installed()

    yield look
    monkeypatch.undo()
    look()


@pytest.fixture
def bell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package of somebody else, installed as pip does it."""
    package, about = tmp_path / "site" / "yacht_bell", tmp_path / "site" / "yacht_bell-1.0.dist-info"
    (package / "words").mkdir(parents=True)
    about.mkdir()
    (package / "__init__.py").write_text(BELL)
    (package / "words" / "en.toml").write_text(WORDS)
    (package / "words" / "de.toml").write_text(WORTE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: yacht-bell\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[yacht.extra]\nbell = yacht_bell:EXTRA\n")
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.delitem(sys.modules, "yacht_bell", raising=False)
    return package


def groups(tmp_path: Path) -> dict[str, dict[str, object]]:
    """Settings that ask for each extra, by its name."""
    lamp = {"name": "shelf", "url": "http://127.0.0.1:9/shelf", "presets": {"box": 1}}
    scores = {"name": "scores", "url": "http://127.0.0.1:9/scores", "secret_file": tmp_path / "secret"}
    return {
        "display": {"display": {"kind": "ssd1306", "bus": 20}},
        "loudspeaker": {"loudspeaker": {"on": True}},
        "mqtt": {"mqtt": {"host": "127.0.0.1", "port": 9, "home_assistant": "homeassistant"}},
        "webhooks": {"webhooks": [scores], "wled": [lamp]},
    }


@contextmanager
def started(tmp_path: Path, *asked: dict[str, object]) -> Iterator[Station]:
    settings: dict[str, object] = {"camera": "simulated", "buttons": "none", "host": "127.0.0.1", "port": 0}
    for each in asked:
        settings |= each
    station = Station(parse({**settings, "data": tmp_path / "data"}))
    try:
        station.start()
        yield station
    finally:
        station.stop()


def said(station: Station, language: str = "en") -> dict[str, str]:
    return {check.id: f"{check.to_json(language)['name']}: {check.to_json(language)['message']}"
            for check in station.checks()}  # fmt: skip


def test_those_that_come_with_the_station_are_found(anew):
    assert (tuple(anew().extras), anew().failed) == (COME_WITH_IT, {})


@pytest.mark.slow
@pytest.mark.parametrize("name", COME_WITH_IT)
def test_each_can_be_taken_away(name, tmp_path, anew, monkeypatch):
    left = EntryPoints(each for each in extras.entry_points(group=extras.GROUP) if each.name != name)
    monkeypatch.setattr(extras, "entry_points", lambda **_: left)
    assert set(anew().extras) == set(COME_WITH_IT) - {name}
    asked = groups(tmp_path)
    gone = asked.pop(name)
    with started(tmp_path, *asked.values()) as station:
        assert [each.name for each in station.integrations] == sorted(asked)
        assert set(asked) < set(said(station))
        assert "extras" not in said(station)
    for group, settings in gone.items():
        with pytest.raises(BadInputError) as refused:
            parse({group: settings})
        for language in catalogue.languages():
            sentence = catalogue.text(refused.value.message, language)
            if name == "mqtt":  # the connection to a broker is the station's own
                assert "mqtt.home_assistant" in sentence
            else:
                assert group in sentence
                assert sentence.endswith(f"{', '.join(asked)}).")
    assert parse({"mqtt": {"host": "127.0.0.1"}, "homes": {"guests": ["attic"]}}).mqtt.host


@pytest.mark.slow
@pytest.mark.usefixtures("bell")
def test_one_of_somebody_else_is_found_and_started(tmp_path, anew):
    assert set(anew().extras) == {"bell", *COME_WITH_IT}
    with started(tmp_path, {"bell": {"on": True}, "mqtt": {"station": "kitchen"}}) as station:
        (ringer,) = station.integrations
        fields = {"players": ["Ana"], "rules": "yacht-1938"}
        station.table.execute(commands.StartGame.model_validate(fields))
        assert ringer.rung.wait(180)
        assert [said(station, each)["bell"] for each in catalogue.languages()] == [
            "Bell: kitchen rings.",
            "Glocke: kitchen läutet.",
            "Bell: kitchen rings.",  # it speaks no French
        ]
    assert not ringer._thread.is_alive()
    with pytest.raises(BadInputError, match=r"'bell\.loud' \(there are on\)"):
        parse({"bell": {"loud": True}})
    assert [str(each) for each in changes(b"[bell]\non = true\n", b"")] == ["[bell] on = true"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "broken", "why"),
    [
        ("__init__.py", "import no_such_bell", "No module named 'no_such_bell'"),
        ("__init__.py", "", "has no attribute 'EXTRA'"),
        ("__init__.py", BELL.replace("bell: Bell = Bell()", "port: str = 'loud'"), "'port'"),
        ("__init__.py", BELL.replace("def _open(settings, parts):", "def _open(settings, parts):\n    1 / 0"),
         "division by zero"),
        ("words/de.toml", "[health", "Expected"),
    ],
)  # fmt: skip
def test_a_broken_one_is_a_warning_and_the_station_starts(file, broken, why, bell, tmp_path, anew):
    (bell / file).write_text(broken)
    importlib.invalidate_caches()
    anew()
    with started(tmp_path, {"bell": {"on": True}, "loudspeaker": {"on": True}}) as station:
        assert [each.name for each in station.integrations] == ["loudspeaker"]
        (check,) = [each for each in station.checks() if each.id == "extras"]
        assert check.status is Level.WARNING
        assert "The extra bell does not work" in said(station)["extras"]
        assert why in said(station)["extras"]
    with pytest.raises(BadInputError, match="'port'"):
        parse({"bell": {"on": True}, "port": "http"})


def opened(store: Store, *asked: dict[str, object]) -> tuple[Integration, ...]:
    settings: dict[str, object] = {"data": store.path.parent}
    for each in asked:
        settings |= each
    return open_integrations(parse(settings), store, Table(store), lambda: None)[0]


def test_who_waits_for_a_broken_one_is_not_forgotten(tmp_path, anew, monkeypatch):
    broken = EntryPoint("webhooks", "station.extras.no_such_thing:EXTRA", extras.GROUP)
    hooks = groups(tmp_path)["webhooks"]
    with closing(Store(tmp_path / "data")) as store:
        store.note_delivered({"webhook:scores": 0, "wled:shelf": 0, "wled:gone": 0})
        opened(store, hooks)
        assert set(store.delivered()) == {"webhook:scores", "wled:shelf"}
        monkeypatch.setattr(extras, "entry_points", lambda **_: EntryPoints([broken]))
        anew()
        opened(store, hooks)
        assert set(store.delivered()) == {"webhook:scores", "wled:shelf"}
        monkeypatch.setattr(extras, "entry_points", lambda **_: EntryPoints())
        anew()
        opened(store)
        assert store.delivered() == {}


def test_each_has_its_name_in_words(tmp_path):
    with closing(Store(tmp_path / "data")) as store:
        found = opened(store, *groups(tmp_path).values())
    assert len(found) == len(COME_WITH_IT)
    for each in found:
        for language in catalogue.languages():
            words = set(catalogue.entries(language))
            assert {f"health/part/{each.name}", f"health/{each.check().id}/name"} <= words
