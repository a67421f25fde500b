"""Seats, the host and hints: who may do what, and what survives."""

from pathlib import Path

import pytest

from station.screens.room import Room
from station.screens.room_file import ROOM_NAME
from tests.web.helpers import Stage
from tests.web.hosting import become_host
from web.core.config import WebConfig


def post(client, path: str, **body: object):
    return client.post(f"/api/v1/room/{path}", json=body)


def test_a_seat_belongs_to_the_screen(game: Stage):
    assert post(game.client, "seat", name="Ana").get_json()["you"]["seat"] == "Ana"
    assert game.client.get("/api/v1/room").get_json()["seats"] == ["Ana"]
    other = game.app.test_client()
    assert other.get("/api/v1/room").get_json()["you"]["seat"] is None
    assert post(game.client, "seat", name=None).get_json()["you"]["seat"] is None


def test_a_seat_has_the_name_as_the_player_has_it(game: Stage):
    assert post(game.client, "seat", name=" Dora  May ").get_json()["you"]["seat"] == "Dora May"


def test_a_seat_survives_a_restart_of_the_station(tmp_path: Path):
    first = Stage(WebConfig(data_dir=tmp_path))
    post(first.client, "seat", name="Ana")
    cookie = first.client.get_cookie(first.cookie)
    second = Stage(WebConfig(data_dir=tmp_path))
    second.client.set_cookie(second.cookie, cookie.value)
    assert second.client.get("/api/v1/room").get_json()["you"]["seat"] == "Ana"
    assert cookie.value not in (tmp_path / ROOM_NAME).read_text()
    assert (tmp_path / ROOM_NAME).stat().st_mode & 0o077 == 0


def test_a_seat_outlives_an_answer_that_was_under_way(game: Stage):
    """Of a page's first look and the seat that is taken at once, either may be answered last."""
    game.client.get("/")
    by_page = game.client.get_cookie(game.cookie).value
    assert post(game.client, "seat", name="Ana").get_json()["you"]["seat"] == "Ana"
    late = game.app.test_client()
    late.set_cookie(game.cookie, by_page)
    late.get("/api/v1/room")
    game.client.set_cookie(game.cookie, late.get_cookie(game.cookie).value)
    game.client.get("/")
    assert game.client.get("/api/v1/room").get_json()["you"]["seat"] == "Ana"


def test_only_a_page_that_is_shown_brings_a_token(game: Stage):
    game.client.get("/assets/core/base.css")
    game.client.get("/nowhere")
    game.client.get("/", headers={"Host": "evil.example"})
    assert game.client.get_cookie(game.cookie) is None


def test_two_stations_of_one_host_leave_each_other_the_seat():
    """A browser sends a host's cookies to each of its ports."""
    one, other = Stage(), Stage()
    other.client = other.app.test_client()
    other.client._cookies = one.client._cookies  # one browser
    post(one.client, "seat", name="Ana")
    post(other.client, "seat", name="Ben")
    other.client.get("/")
    assert one.client.get("/api/v1/room").get_json()["you"]["seat"] == "Ana"
    assert other.client.get("/api/v1/room").get_json()["you"]["seat"] == "Ben"


def test_a_seat_outlives_the_update_that_renamed_the_cookie(game: Stage):
    post(game.client, "seat", name="Ana")
    mark = game.client.get_cookie(game.cookie).value
    old = game.app.test_client()
    old.set_cookie("screen", mark)
    assert old.get("/api/v1/room").get_json()["you"]["seat"] == "Ana"
    page = game.app.test_client()
    page.set_cookie("screen", mark)
    page.get("/")
    page.delete_cookie("screen")  # another station of this host has taken it
    assert page.get("/api/v1/room").get_json()["you"]["seat"] == "Ana"


def test_a_station_keeps_the_name_of_its_cookie_over_a_restart(tmp_path: Path):
    assert Stage(WebConfig(data_dir=tmp_path)).cookie == Stage(WebConfig(data_dir=tmp_path)).cookie


def test_the_cookie_is_not_for_scripts(game: Stage):
    header = post(game.client, "seat", name="Ana").headers["Set-Cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Strict" in header


def test_a_damaged_file_is_set_aside_and_the_evening_goes_on(tmp_path: Path):
    (tmp_path / ROOM_NAME).write_text("{ half")
    room = Room(tmp_path)
    assert room.public()[1].seats == ()
    assert (tmp_path / "room.damaged").exists()


def test_a_file_of_another_version_is_read_as_far_as_it_is_known(tmp_path: Path):
    (tmp_path / ROOM_NAME).write_text('{"hints": {"Ana": true}, "unknown": 1}')
    assert Room(tmp_path).public()[1].hints == ("Ana",)


def test_what_changes_nothing_is_neither_written_nor_told(tmp_path: Path):
    room, file = Room(tmp_path), tmp_path / "room.json"
    room.set_hints(None, "Ana", on=True)
    room.sit("a-token", "Ana")
    before, (numbers, _) = file.stat(), room.public()
    room.set_hints(None, "Ana", on=True)
    room.sit("a-token", "Ana")
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert room.public()[0] == numbers


@pytest.mark.parametrize(
    "text",
    ['{"seats": 7, "hints": {}}', '{"pin": {"salt": "zz", "hash": ""}}', '{"pin": "47', "[]"],
)
def test_a_pin_that_cannot_be_read_is_not_forgotten(tmp_path: Path, text: str):
    (tmp_path / ROOM_NAME).write_text(text)
    for _ in range(2):  # a restart changes nothing
        stage = Stage(WebConfig(data_dir=tmp_path))
        stage.do("start_game", players=["Ana"], rules="yacht-1938")
        you = post(stage.client, "seat", name="Ana").get_json()["you"]
        assert (you["seat"], you["host"]) == ("Ana", False)
        assert post(stage.client, "host", pin="4711").status_code == 403
        assert post(stage.client, "pin", pin="4711").status_code == 403
        error = command(stage.client, "end_game").get_json()["error"]
        assert (error["code"], error["values"]["path"]) == (
            "room/host_only",
            str(tmp_path / "room.damaged"),
        )
    stage = Stage(WebConfig(data_dir=tmp_path))
    stage.do("start_game", players=["Ana"], rules="yacht-1938")
    become_host(stage.client)
    assert command(stage.client, "end_game").status_code == 200
    assert (
        command(Stage(WebConfig(data_dir=tmp_path)).client, "end_game").get_json()["error"]["code"]
        == "game/none"
    )


def test_hints_are_off_until_a_player_wants_them(game: Stage):
    assert game.client.get("/api/v1/room").get_json()["hints"] == []
    assert post(game.client, "hints", name="Ana", on=True).get_json()["hints"] == ["Ana"]
    assert post(game.client, "hints", name="Ana", on=True, tv=True).get_json()["tv_hints"] == ["Ana"]
    assert post(game.client, "hints", name="Ana", on=False).get_json()["hints"] == []


def test_a_seat_stays_with_its_player_when_others_change_places_or_go(game: Stage):
    post(game.client, "seat", name="Ana")
    game.do("move_player", player=0, to=1)
    game.do("remove_player", player=0)
    assert game.client.get("/api/v1/room").get_json()["you"]["seat"] == "Ana"


def test_one_screen_speaks(game: Stage):
    other = game.app.test_client()
    assert post(game.client, "voice", on=True).get_json()["you"]["voice"]
    assert post(other, "voice", on=True).get_json()["you"]["voice"]
    assert not game.client.get("/api/v1/room").get_json()["you"]["voice"]
    room = post(game.client, "voice", on=True, tv=True).get_json()
    assert (room["tv_voice"], room["voice"], room["you"]["voice"]) == (True, True, False)
    assert not other.get("/api/v1/room").get_json()["you"]["voice"]
    assert not post(other, "voice", on=True).get_json()["tv_voice"]
    assert post(game.client, "needs-aloud", on=True).get_json()["needs_aloud"]
    assert not post(game.client, "voice", on=False).get_json()["voice"]


@pytest.fixture
def guarded(game: Stage) -> Stage:
    """A game whose host has set a PIN; `game.client` is the host's screen."""
    become_host(game.client)
    assert post(game.client, "pin", pin="4711").status_code == 200
    return game


def command(client, name: str, /, **fields: object):
    return client.post("/api/v1/commands", json={"command": name, **fields})


def test_without_a_pin_everybody_may_do_everything(game: Stage):
    assert command(game.app.test_client(), "end_game").status_code == 200


def test_the_end_of_a_game_is_the_hosts(guarded: Stage):
    guest = guarded.app.test_client()
    answer = command(guest, "end_game")
    assert answer.status_code == 403
    assert answer.get_json()["error"]["code"] == "room/host_only"
    assert command(guarded.client, "end_game").status_code == 200


def test_everybody_takes_back_the_last_box_but_only_the_host_goes_further(guarded: Stage):
    guest = guarded.app.test_client()
    for category in ("ones", "twos"):
        command(guest, "enter_roll", faces=[1, 2, 3, 4, 5])
        command(guest, "score_box", category=category)
    assert command(guest, "undo").status_code == 200  # Ben's box
    assert command(guest, "undo").status_code == 200  # Ben's roll
    assert command(guest, "undo").status_code == 403  # Ana's box, an earlier turn
    assert command(guest, "press", button="undo").status_code == 403
    assert command(guest, "read_again").status_code == 200
    assert command(guest, "undo").status_code == 403
    assert command(guarded.client, "undo").status_code == 200


def test_correcting_an_earlier_box_is_the_hosts(guarded: Stage):
    command(guarded.client, "enter_roll", faces=[1, 2, 3, 4, 5])
    command(guarded.client, "score_box", category="ones")
    wish = {"player": 0, "category": "ones", "faces": [1, 1, 3, 4, 5]}
    guest = guarded.app.test_client()
    assert command(guest, "correct_box", **wish).status_code == 403
    assert command(guarded.client, "correct_box", **wish).get_json()["players"][0]["boxes"]["ones"] == 2


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("rename_player", {"player": 0, "name": "Anna"}),
        ("move_player", {"player": 0, "to": 1}),
        ("remove_player", {"player": 0}),
    ],
)
def test_who_plays_is_the_hosts(guarded: Stage, name: str, fields: dict[str, object]):
    guest = guarded.app.test_client()
    answer = command(guest, name, **fields)
    assert answer.get_json()["error"] == {
        "code": "room/host_only",
        "message": "Only the host can change who plays.",
    }
    assert command(guarded.client, name, **fields).status_code == 200


def test_the_pin_makes_another_screen_host(guarded: Stage):
    guest = guarded.app.test_client()
    assert post(guest, "pin", pin="0000").status_code == 403
    assert post(guest, "host", pin="1234").get_json()["error"]["code"] == "room/pin_wrong"
    assert post(guest, "host", pin="4711").get_json()["you"]["host"]
    assert post(guest, "pin", pin=None).get_json()["pin"] is False


@pytest.mark.parametrize("pin", ["12", "abcd", "123456789", "12 4", "४७११"])
def test_what_is_no_pin(game: Stage, pin: str):
    become_host(game.client)
    assert post(game.client, "pin", pin=pin).status_code == 400


def test_the_hosts_role_is_passed_on(guarded: Stage):
    guest = guarded.app.test_client()
    assert post(guarded.client, "pass", to="Ben").status_code == 422
    post(guest, "seat", name="Ben")
    assert post(guarded.client, "pass", to="Ben").status_code == 200
    assert guest.get("/api/v1/room").get_json()["you"]["host"]
    assert command(guarded.client, "end_game").status_code == 403


def test_screens_without_a_seat_only_look_on_where_that_is_wished(guarded: Stage):
    guest = guarded.app.test_client()
    assert post(guarded.client, "only-seated", on=True).status_code == 200
    assert command(guest, "enter_roll", faces=[1, 2, 3, 4, 5]).get_json()["error"]["code"] == "room/no_seat"
    post(guest, "seat", name="Ben")
    assert command(guest, "enter_roll", faces=[1, 2, 3, 4, 5]).status_code == 200


def test_a_page_of_another_site_may_not_play_along(game: Stage):
    answer = game.client.post(
        "/api/v1/commands", json={"command": "undo"}, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403


def test_a_disk_that_is_full_is_said(tmp_path: Path):
    folder = tmp_path / "file"
    folder.write_text("")
    stage = Stage(WebConfig(data_dir=folder / "below"))
    answer = post(stage.client, "seat", name="Ana")
    assert answer.status_code == 503
    assert answer.get_json()["error"]["code"] == "room/not_kept"


@pytest.mark.needs_feature("all_at_once")
def test_where_all_play_at_once_a_copy_is_its_players(guarded: Stage):
    guarded.do("end_game")
    guarded.do("start_game", players=["Ana", "Ben", "Cleo"], rules="shared-roll")
    guarded.do("enter_roll", faces=[1, 2, 3, 4, 5])
    ben, tablet = guarded.app.test_client(), guarded.app.test_client()
    post(ben, "seat", name="Ben")
    for client, player, status in ((ben, 1, 200), (ben, 2, 403), (tablet, 2, 200), (tablet, 1, 403)):
        assert command(client, "set_held", player=player, slots=[player]).status_code == status
    assert command(guarded.client, "ready", player=1).status_code == 200, "the host plays on for a sleeper"


def test_who_keeps_the_score_has_the_controls_alone_and_passes_them_on(game: Stage):
    keeper, player = game.app.test_client(), game.app.test_client()
    post(keeper, "seat", name="Cleo")
    post(player, "seat", name="Ana")
    assert post(keeper, "scorekeeper", name="Dora").get_json()["error"]["code"] == "room/no_heir"
    told = post(keeper, "scorekeeper", name="Cleo").get_json()
    assert (told["scorekeeper"], told["you"]["role"]) == ("Cleo", "scorekeeper")
    refused = command(player, "enter_roll", faces=[1, 2, 3, 4, 5])
    assert refused.status_code == 403
    error = refused.get_json()["error"]
    assert (error["code"], error["values"]) == ("room/scorekeeper_only", {"name": "Cleo"})
    assert command(keeper, "enter_roll", faces=[1, 2, 3, 4, 5]).status_code == 200
    assert post(keeper, "scorekeeper", name="Ana").get_json()["you"]["role"] == "player"
    assert command(keeper, "score_box", category="choice").status_code == 403
    assert command(player, "score_box", category="choice").status_code == 200
    assert post(player, "scorekeeper", name=None).get_json()["scorekeeper"] is None
    assert command(keeper, "undo").status_code == 200


def test_score_keeping_survives_a_restart_and_ends_with_the_last_screen_of_that_seat(tmp_path: Path):
    first = Stage(WebConfig(data_dir=tmp_path))
    post(first.client, "seat", name="Cleo")
    post(first.client, "scorekeeper", name="Cleo")
    cookie = first.client.get_cookie(first.cookie)
    second = Stage(WebConfig(data_dir=tmp_path))
    second.client.set_cookie(second.cookie, cookie.value)
    assert second.client.get("/api/v1/room").get_json()["scorekeeper"] == "Cleo"
    assert post(second.client, "seat", name=None).get_json()["scorekeeper"] is None


def test_where_there_is_a_host_score_keeping_is_given_not_taken(game: Stage):
    become_host(game.client)
    guest, keeper = game.app.test_client(), game.app.test_client()
    post(guest, "seat", name="Ana")
    post(keeper, "seat", name="Cleo")
    assert post(guest, "scorekeeper", name="Ana").status_code == 403
    assert post(game.client, "scorekeeper", name="Cleo").status_code == 200
    assert post(guest, "seat", name="Cleo").get_json()["error"]["code"] == "room/seat_taken"
    assert command(game.client, "enter_roll", faces=[1, 2, 3, 4, 5]).status_code == 200, "the host may too"
    assert post(keeper, "scorekeeper", name="Ana").status_code == 200
    assert command(guest, "score_box", category="choice").status_code == 200
