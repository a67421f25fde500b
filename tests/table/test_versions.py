"""Versions under any order of commands and readings; and the same game again from the log."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from messages.errors import RefusalError, StoreError
from station.store.event_log import MemoryLog
from station.table.table import Table
from tests.asking import do, shown
from tests.table.helpers import reading
from vision.reading import Status

COMMANDS = (
    {"command": "accept_roll"},
    {"command": "enter_roll", "faces": [1, 2, 3, 4, 4]},
    {"command": "enter_roll", "faces": [6, 6, 6, 6, 6]},
    {"command": "correct_die", "slot": 2, "face": 5},
    {"command": "not_a_die", "slot": 3},
    {"command": "missed_die", "face": 6},
    {"command": "read_again"},
    {"command": "set_held", "slots": [1, 2]},
    {"command": "choose", "category": "twos"},
    {"command": "score_box", "category": "choice"},
    {"command": "score_box", "category": "ones"},
    {"command": "undo"},
    {"command": "add_player", "name": "Cleo"},
    {"command": "end_game"},
    {"command": "rematch"},
    {"command": "press", "button": "hold-1"},
    {"command": "press", "button": "hold-5"},
    {"command": "press", "button": "confirm"},
    {"command": "press", "button": "confirm", "long": True},
)


def seen(state):
    return {key: value for key, value in state.items() if key != "version"}


def sheets(state):
    """What players have; what boxes would bring depends on what the tray shows."""
    return [player | {"potentials": None} for player in state["players"]]


class Versions(RuleBasedStateMachine):
    """One screen acts, another looks now and then and acts on what it saw."""

    @initialize()
    def begin(self):
        self.log = MemoryLog()
        self.table = Table(self.log)
        self.do({"command": "start_game", "players": ["Ana", "Ben"], "rules": "yacht-1938"})
        self.old = shown(self.table)

    def do(self, command):
        """Carry out a command that carries the present version; whether the game then changed."""
        before = shown(self.table)
        try:
            after = do(self.table, {**command, "version": before["version"]})
        except RefusalError as error:
            if error.code == "version/stale":
                pytest.fail("the present version was called stale")
            assert shown(self.table) == before
            return
        assert (after["version"] > before["version"]) == (seen(after) != seen(before))
        if after["version"] > before["version"]:
            with pytest.raises(RefusalError, match="moved on"):
                do(self.table, {**command, "version": before["version"]})
            assert shown(self.table) == after

    @rule(command=st.sampled_from(COMMANDS))
    def act(self, command):
        self.do(command)

    @rule(
        faces=st.lists(st.integers(1, 6), min_size=4, max_size=6),
        at=st.sampled_from((0.0, 2.0, 90.0)),
        status=st.sampled_from((Status.READY, Status.UNSURE, Status.MOVING, Status.COVERED)),
    )
    def camera(self, faces, at, status):
        before = shown(self.table)
        self.table.offer(reading(*faces, at=at, status=status))
        after = shown(self.table)
        assert sheets(after) == sheets(before)
        assert (after["version"] > before["version"]) == (seen(after) != seen(before))
        # A reading in between makes no step of the game stale, only a confirmation of another roll.
        try:
            do(self.table, {"command": "add_player", "name": " ", "version": before["version"]})
        except RefusalError as error:
            if error.code == "version/stale":
                pytest.fail("a reading made a version stale")

    @rule()
    def look(self):
        self.old = shown(self.table)

    @rule()
    def a_version_from_the_future_is_stale(self):
        version = shown(self.table)["version"] + 1
        with pytest.raises(RefusalError, match="moved on"):
            do(self.table, {"command": "undo", "version": version})

    @invariant()
    def versions_never_go_back(self):
        assert shown(self.table)["version"] >= self.old["version"]

    def teardown(self):
        again = shown(Table(self.log))
        now = shown(self.table)
        assert again["version"] > now["version"]
        assert sheets(again) == sheets(now)
        for key in ("dice", "throws_done", "active_player", "undo", "winner", "finished"):
            assert again[key] == now[key]


TestVersions = pytest.mark.thorough(Versions.TestCase)
TestVersions.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)


def test_versions_go_on_when_a_block_is_used_up(monkeypatch):
    monkeypatch.setattr("station.table.versions.VERSION_BLOCK", 3)
    monkeypatch.setattr("station.store.event_log.VERSION_BLOCK", 3)
    log = MemoryLog()
    table, other = Table(log), None
    given = [shown(table)["version"]]
    for i in range(20):
        if i == 10:
            other = Table(log)
        do(
            table,
            {"command": "press", "button": "undo"} if i % 2 else {"command": "add_player", "name": "Ana"},
        )
        given.append(shown(table)["version"])
    assert given == sorted(set(given))
    assert other is not None
    assert shown(other)["version"] not in given


class Full(MemoryLog):
    full = False

    def reserve_version(self):
        if self.full:
            raise StoreError("store/step-lost", path="games.db")
        return super().reserve_version()


def test_versions_never_go_back_once_the_disk_has_room_again(monkeypatch):
    monkeypatch.setattr("station.table.versions.VERSION_BLOCK", 4)
    monkeypatch.setattr("station.store.event_log.VERSION_BLOCK", 4)
    log = Full()
    table = Table(log)
    given = []
    for turn in range(40):
        log.full = turn < 12
        fields = {"command": "undo"} if turn % 2 else {"command": "add_player", "name": "Ana"}
        given.append(do(table, fields)["version"])
    assert given == sorted(set(given))
    assert shown(Table(log))["version"] > given[-1]
