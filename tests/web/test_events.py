"""The live line: full state on connect, versions as ids, signs of life, the latest only, a cap."""

import json
from collections.abc import Iterator
from itertools import count

import pytest

from tests.asking import shown
from tests.web.helpers import Stage
from tests.web.hosting import become_host
from web.core.config import WebConfig
from web.table.viewers import Viewer


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


def test_a_line_begins_with_the_version_of_the_pages_that_each_answer_names(stage: Stage):
    (pages,) = [each for each in parse(next(listen(stage))) if each.get("event") == "pages"]
    page = stage.client.get("/")
    assert f"/assets/{json.loads(pages['data'])}/table.js" in page.text
    assert page.headers["X-Pages"] == json.loads(pages["data"])
    assert stage.client.get("/api/v1/state").headers["X-Pages"] == json.loads(pages["data"])


def test_every_change_is_told_with_its_version(stage: Stage):
    lines = listen(stage)
    next(lines)
    told = stage.do("start_game", players=["Ana"], rules="yacht-1938")
    (event,) = parse(next(lines))
    assert event["event"] == "state"
    assert event["id"] == str(told["version"])
    assert json.loads(event["data"])["waiting_for"] == "Ana: roll all five dice"


def test_who_is_slow_gets_only_the_latest(game: Stage):
    lines = listen(game)
    next(lines)
    for faces in ([1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]):
        last = game.do("enter_roll", faces=faces)
    events = parse(next(lines))
    assert [event["id"] for event in events] == [str(last["version"])]


def barred(chunk: bytes) -> list[set[str]]:
    """What a chunk says is not for this screen."""
    return [set(json.loads(each["data"])) for each in parse(chunk) if each.get("event") == "refused"]


@pytest.mark.needs_feature("all_at_once", "two_boxes")
@pytest.mark.parametrize("rules", ["yacht-1938", "shared-roll", "double-cameroon"])
def test_a_screen_is_told_what_is_not_for_it_and_nothing_else_is_refused(stage: Stage, rules: str):
    ana, ben = stage.app.test_client(), stage.app.test_client()
    for client, name in ((ana, "Ana"), (ben, "Ben")):
        client.post("/api/v1/room/seat", json={"name": name})
    stage.do("start_game", players=["Ana", "Ben"], rules=rules)
    lines = ben.get("/api/v1/events").iter_encoded()
    assert barred(next(lines)) == [set()]
    become_host(stage.client)
    stage.client.post("/api/v1/room/roles", json={"on": True})
    (not_ben,) = barred(next(lines))
    together = shown(stage.table)["simultaneous"]
    assert {"end_game", "remove_player"} <= not_ben
    assert ("enter_roll" in not_ben) is not together
    assert "rename_player" not in not_ben
    dice = shown(stage.table)["dice_count"]
    stage.do("enter_roll", faces=[1, 2, 3, 4, 5, 6, 6, 6, 6, 6][:dice])
    told = barred(next(lines))
    not_ben = told[0] if told else not_ben
    for client, refused in ((ben, not_ben), (ana, barred(next(ana.get("/api/v1/events").iter_encoded()))[0])):
        for command in set(shown(stage.table)["commands"]) & {"score_box", "set_held", "choose", "undo"}:
            asked = _asked(command, 0 if client is ana else 1, together=together)
            answer = client.post("/api/v1/commands", json=asked)
            assert (answer.status_code == 403) is (command in refused), command


def _asked(command: str, seat: int, *, together: bool) -> dict[str, object]:
    fields = {"score_box": {"category": "none"}, "set_held": {"slots": [1]}}.get(command, {})
    own = {"player": seat} if together and command in {"score_box", "set_held"} else {}
    return {"command": command, "version": 0, **fields, **own}


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


def listening(stage: Stage, address: str, *, seat: str | None = None) -> Iterator[bytes] | None:
    """The live line of a screen at an address, begun; None when it was refused."""
    client = stage.app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    if seat is not None:
        client.post("/api/v1/room/seat", json={"name": seat})
    answer = client.get("/api/v1/events")
    if answer.status_code == 503:
        return None
    lines = answer.iter_encoded()
    next(lines)
    return lines


def test_an_address_with_many_lines_gives_one_up_to_another():
    stage = Stage(WebConfig(viewers_max=10))
    hoard = [listening(stage, "192.168.1.66") for _ in range(10)]
    assert listening(stage, "192.168.1.66") is None, "not to itself"
    guest = listening(stage, "192.168.1.30")
    assert guest is not None
    assert list(hoard[0]) == [], "the oldest has ended"
    assert stage.app.extensions["viewers"].count == 10


def test_screens_with_a_seat_have_a_reserve():
    stage = Stage(WebConfig(viewers_max=4))
    guests = [listening(stage, f"192.168.1.{number}") for number in range(4)]
    assert None not in guests
    assert listening(stage, "192.168.1.40") is None
    assert listening(stage, "192.168.1.41", seat="Ana") is not None


def test_a_screen_that_has_gone_leaves_its_place_at_once():
    gone: set[int] = set()
    stage = Stage(WebConfig(viewers_max=2))
    viewers = stage.app.extensions["viewers"]
    for number in range(20):
        line = viewers.listen("en", Viewer("192.168.1.7", gone=lambda number=number: number in gone))
        next(line)
        gone.add(number - 1)
    assert viewers.count == 2
