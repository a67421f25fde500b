"""The live line: full state on connect, versions as ids, signs of life, the latest only, a cap."""

import json
from collections.abc import Iterator
from itertools import count

import pytest

from tests.asking import shown
from tests.web.helpers import Stage
from web import WebConfig


def parse(chunk: bytes) -> list[dict[str, str]]:
    """Events of a chunk; comments as {"": text}."""
    events = []
    for block in chunk.decode().strip("\n").split("\n\n"):
        fields = [line.split(":", 1) for line in block.split("\n")]
        events.append({name: value.removeprefix(" ") for name, value in fields})
    return events


def listen(stage: Stage) -> Iterator[bytes]:
    answer = stage.client.get("/api/v1/events")
    assert answer.status_code == 200
    assert answer.mimetype == "text/event-stream"
    return answer.iter_encoded()


@pytest.fixture
def quick() -> Stage:
    """A station whose clock runs a second at every look: each wait brings a sign of life."""
    ticks = count()
    return Stage(WebConfig(heartbeat_s=0.01), clock=lambda: float(next(ticks)))


def test_the_whole_state_on_connect(stage: Stage):
    events = parse(next(listen(stage)))
    state = next(event for event in events if event.get("event") == "state")
    assert json.loads(state["data"]) == shown(stage.table)
    assert state["id"] == str(shown(stage.table)["version"])


def test_every_change_is_told_with_its_version(stage: Stage):
    lines = listen(stage)
    next(lines)
    told = stage.do("start_game", players=["Ana"], rules="yacht-1938")
    (event,) = parse(next(lines))
    assert event["event"] == "state"
    assert event["id"] == str(told["version"])
    assert json.loads(event["data"])["waiting_for"] == "Ana: throw all five dice"


def test_who_is_slow_gets_only_the_latest(game: Stage):
    lines = listen(game)
    next(lines)
    for faces in ([1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]):
        last = game.do("enter_roll", faces=faces)
    events = parse(next(lines))
    assert [event["id"] for event in events] == [str(last["version"])]


def test_signs_of_life(quick: Stage):
    lines = listen(quick)
    next(lines)
    comment, beat = parse(next(lines))
    assert "" in comment
    assert beat["event"] == "beat"
    assert json.loads(beat["data"])["version"] == shown(quick.table)["version"]


def test_one_viewer_too_many_gets_a_sentence():
    stage = Stage(WebConfig(viewers_max=2))
    lines = [listen(stage), listen(stage)]
    for line in lines:
        next(line)
    answer = stage.client.get("/api/v1/events")
    assert answer.status_code == 503
    assert answer.get_json()["error"]["code"] == "events/too_many_viewers"


def test_who_leaves_makes_room():
    stage = Stage(WebConfig(viewers_max=1))
    answer = stage.client.get("/api/v1/events")
    next(answer.iter_encoded())
    assert stage.client.get("/api/v1/events").status_code == 503
    answer.close()
    assert stage.client.get("/api/v1/events").status_code == 200


def test_who_leaves_before_the_first_event_makes_room_too():
    stage = Stage(WebConfig(viewers_max=1))
    stage.client.get("/api/v1/events").close()
    assert stage.app.extensions["viewers"].count == 0


def test_closing_ends_every_line(quick: Stage):
    lines = listen(quick)
    next(lines)
    quick.app.extensions["viewers"].close()
    assert all(b"event: state" not in chunk for chunk in lines)
    assert quick.client.get("/api/v1/events").status_code == 503
