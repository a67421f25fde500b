"""Seats, the host and hints: who may do what, and what survives."""

from pathlib import Path

import pytest

from station.screens.room import Room
from station.screens.room_file import ROOM_NAME
from tests.web.helpers import Stage
from tests.web.hosting import ROLL, become_host, code, command, post, room, you
from web.core.config import WebConfig


def test_a_seat_belongs_to_the_screen_and_has_the_name_as_the_player_has_it(game: Stage):
    assert post(game.client, "seat", name=" Dora  May ").get_json()["you"]["seat"] == "Dora May"
    taken = post(game.client, "seat", name="Ana")
    assert "HttpOnly" in taken.headers["Set-Cookie"]
    assert "SameSite=Strict" in taken.headers["Set-Cookie"]
    assert room(game.client)["seats"] == ["Ana"]
    assert you(game.app.test_client())["seat"] is None
    game.do("move_player", player=0, to=1)
    game.do("remove_player", player=0)
    assert you(game.client)["seat"] == "Ana"
    assert post(game.client, "seat", name=None).get_json()["you"]["seat"] is None


def test_seat_and_score_keeping_survive_a_restart_of_the_station(tmp_path: Path):
    first = Stage(WebConfig(data_dir=tmp_path))
    post(first.client, "seat", name="Cleo")
    post(first.client, "scorekeeper", name="Cleo")
    cookie = first.client.get_cookie(first.cookie)
    second = Stage(WebConfig(data_dir=tmp_path))
    assert second.cookie == first.cookie
    second.client.set_cookie(second.cookie, cookie.value)
    assert (you(second.client)["seat"], room(second.client)["scorekeeper"]) == ("Cleo", "Cleo")
    assert cookie.value not in (tmp_path / ROOM_NAME).read_text()
    assert (tmp_path / ROOM_NAME).stat().st_mode & 0o077 == 0
    left = post(second.client, "seat", name=None).get_json()
    assert left["scorekeeper"] is None, "it ends with the last screen of that seat"


def test_a_seat_outlives_an_answer_that_was_under_way(game: Stage):
    """Of a page's first look and the seat that is taken at once, either may be answered last."""
    game.client.get("/")
    by_page = game.client.get_cookie(game.cookie).value
    post(game.client, "seat", name="Ana")
    late = game.app.test_client()
    late.set_cookie(game.cookie, by_page)
    room(late)
    game.client.set_cookie(game.cookie, late.get_cookie(game.cookie).value)
    game.client.get("/")
    assert you(game.client)["seat"] == "Ana"


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
    assert (you(one.client)["seat"], you(other.client)["seat"]) == ("Ana", "Ben")


def test_a_seat_outlives_the_update_that_renamed_the_cookie(game: Stage):
    post(game.client, "seat", name="Ana")
    mark = game.client.get_cookie(game.cookie).value
    old, page = game.app.test_client(), game.app.test_client()
    for client in (old, page):
        client.set_cookie("screen", mark)
    assert you(old)["seat"] == "Ana"
    page.get("/")
    page.delete_cookie("screen")  # another station of this host has taken it
    assert you(page)["seat"] == "Ana"


def test_a_damaged_file_is_set_aside_and_one_of_another_version_read_as_far_as_it_is_known(tmp_path: Path):
    (tmp_path / ROOM_NAME).write_text("{ half")
    assert Room(tmp_path).public()[1].seats == ()
    assert (tmp_path / "room.damaged").exists()
    (tmp_path / "room.damaged").unlink()
    (tmp_path / ROOM_NAME).write_text('{"hints": {"Ana": true}, "unknown": 1}')
    assert Room(tmp_path).public()[1].hints == ("Ana",)


def test_what_changes_nothing_is_neither_written_nor_published(tmp_path: Path):
    kept, file = Room(tmp_path), tmp_path / ROOM_NAME
    found = []
    for _ in range(2):
        kept.set_hints(None, "Ana", on=True)
        kept.sit("a-token", "Ana")
        found.append((file.stat().st_ino, file.stat().st_mtime_ns, kept.public()[0]))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "text", ['{"seats": 7, "hints": {}}', '{"pin": {"salt": "zz", "hash": ""}}', '{"pin": "47', "[]"]
)
def test_a_pin_that_cannot_be_read_is_not_forgotten(tmp_path: Path, text: str):
    (tmp_path / ROOM_NAME).write_text(text)
    for _ in range(2):  # a restart changes nothing
        stage = Stage(WebConfig(data_dir=tmp_path))
        stage.do("start_game", players=["Ana"], rules="yacht-1938")
        sat = post(stage.client, "seat", name="Ana").get_json()["you"]
        assert (sat["seat"], sat["host"]) == ("Ana", False)
        for path in ("host", "pin"):
            assert post(stage.client, path, pin="4711").status_code == 403
        refused = stage.client.post("/api/v1/commands", json={"command": "end_game"})
        assert code(refused) == "room/host_only"
        assert refused.get_json()["error"]["values"]["path"] == str(tmp_path / "room.damaged")
    become_host(stage.client)
    assert command(stage.client, "end_game") == "ok"
    assert command(Stage(WebConfig(data_dir=tmp_path)).client, "end_game") == "game/none"


def test_hints_are_off_until_a_player_wants_them(game: Stage):
    assert room(game.client)["hints"] == []
    assert post(game.client, "hints", name="Ana", on=True).get_json()["hints"] == ["Ana"]
    assert post(game.client, "hints", name="Ana", on=True, tv=True).get_json()["tv_hints"] == ["Ana"]
    assert post(game.client, "hints", name="Ana", on=False).get_json()["hints"] == []


def test_one_screen_speaks(game: Stage):
    other = game.app.test_client()
    assert post(game.client, "voice", on=True).get_json()["you"]["voice"]
    assert post(other, "voice", on=True).get_json()["you"]["voice"]
    assert not you(game.client)["voice"]
    found = post(game.client, "voice", on=True, tv=True).get_json()
    assert (found["tv_voice"], found["voice"], found["you"]["voice"]) == (True, True, False)
    assert not you(other)["voice"]
    assert not post(other, "voice", on=True).get_json()["tv_voice"]
    assert post(game.client, "needs-aloud", on=True).get_json()["needs_aloud"]
    assert not post(game.client, "voice", on=False).get_json()["voice"]


@pytest.fixture
def guarded(game: Stage) -> Stage:
    """A game whose host has set a PIN; `game.client` is the host's screen."""
    become_host(game.client)
    assert post(game.client, "pin", pin="4711").status_code == 200
    return game


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("rename_player", {"player": 0, "name": "Anna"}, "can change who plays."),
        ("move_player", {"player": 0, "to": 1}, "can change who plays."),
        ("remove_player", {"player": 0}, "can change who plays."),
        ("correct_box", {"player": 0, "category": "ones", "faces": [1, 1, 3, 4, 5]}, "can correct"),
        ("end_game", {}, "can end"),
    ],
)
def test_a_pin_keeps_for_the_host_what_everybody_may_without(
    guarded: Stage, name: str, fields: dict[str, object], message: str
):
    guarded.do("enter_roll", **ROLL)
    guarded.do("score_box", category="ones")
    guest = guarded.app.test_client()
    answer = guest.post("/api/v1/commands", json={"command": name, **fields})
    assert code(answer) == "room/host_only"
    assert answer.get_json()["error"]["message"].startswith(f"Only the host {message}")
    assert command(guarded.client, name, **fields) == "ok"


def test_everybody_takes_back_the_last_turn_but_only_the_host_goes_further(guarded: Stage):
    guest = guarded.app.test_client()
    for category in ("ones", "twos"):
        command(guest, "enter_roll", **ROLL)
        command(guest, "score_box", category=category)
    asked = [("undo", {}), ("undo", {}), ("undo", {}), ("press", {"button": "undo"}), ("read_again", {})]
    codes = [command(guest, name, **fields) for name, fields in (*asked, ("undo", {}))]
    assert codes == ["ok", "ok", "room/host_only", "room/host_only", "ok", "room/host_only"]
    assert command(guarded.client, "undo") == "ok"


def test_the_pin_makes_another_screen_host_and_the_role_is_passed_on(guarded: Stage):
    guest = guarded.app.test_client()
    assert post(guest, "pin", pin="0000").status_code == 403
    assert code(post(guest, "host", pin="1234")) == "room/pin_wrong"
    assert post(guest, "host", pin="4711").get_json()["you"]["host"]
    other = guarded.app.test_client()
    assert post(guarded.client, "pass", to="Ben").status_code == 422
    post(other, "seat", name="Ben")
    assert post(guarded.client, "pass", to="Ben").status_code == 200
    assert you(other)["host"]
    assert command(guarded.client, "end_game") == "room/host_only"
    assert post(guest, "pin", pin=None).get_json()["pin"] is False


def test_what_is_no_pin(game: Stage):
    become_host(game.client)
    for pin in ("12", "abcd", "123456789", "12 4", "४७११"):
        assert post(game.client, "pin", pin=pin).status_code == 400, pin


def test_screens_without_a_seat_only_look_on_where_that_is_wished(guarded: Stage):
    guest = guarded.app.test_client()
    assert post(guarded.client, "only-seated", on=True).status_code == 200
    assert command(guest, "enter_roll", **ROLL) == "room/no_seat"
    post(guest, "seat", name="Ben")
    assert command(guest, "enter_roll", **ROLL) == "ok"


def test_a_disk_that_is_full_is_reported(tmp_path: Path):
    folder = tmp_path / "file"
    folder.write_text("")
    answer = post(Stage(WebConfig(data_dir=folder / "below")).client, "seat", name="Ana")
    assert (answer.status_code, code(answer)) == (503, "room/not_kept")


@pytest.mark.needs_feature("all_at_once")
def test_where_all_play_at_once_a_copy_is_its_players(guarded: Stage):
    guarded.do("end_game")
    guarded.do("start_game", players=["Ana", "Ben", "Cleo"], rules="shared-roll")
    guarded.do("enter_roll", **ROLL)
    ben, tablet = guarded.app.test_client(), guarded.app.test_client()
    post(ben, "seat", name="Ben")
    for client, player, allowed in ((ben, 1, True), (ben, 2, False), (tablet, 2, True), (tablet, 1, False)):
        assert (command(client, "set_held", player=player, slots=[player]) == "ok") is allowed
    assert command(guarded.client, "ready", player=1) == "ok", "the host plays on for a sleeper"


def test_who_keeps_the_score_has_the_controls_alone_and_passes_them_on(game: Stage):
    keeper, player = game.app.test_client(), game.app.test_client()
    post(keeper, "seat", name="Cleo")
    post(player, "seat", name="Ana")
    assert code(post(keeper, "scorekeeper", name="Dora")) == "room/no_heir"
    found = post(keeper, "scorekeeper", name="Cleo").get_json()
    assert (found["scorekeeper"], found["you"]["role"]) == ("Cleo", "scorekeeper")
    refused = player.post("/api/v1/commands", json={"command": "enter_roll", **ROLL})
    error = refused.get_json()["error"]
    assert (refused.status_code, error["code"]) == (403, "room/scorekeeper_only")
    assert error["values"] == {"name": "Cleo"}
    assert command(keeper, "enter_roll", **ROLL) == "ok"
    assert post(keeper, "scorekeeper", name="Ana").get_json()["you"]["role"] == "player"
    assert command(keeper, "score_box", category="choice") == "room/scorekeeper_only"
    assert command(player, "score_box", category="choice") == "ok"
    assert post(player, "scorekeeper", name=None).get_json()["scorekeeper"] is None
    assert command(keeper, "undo") == "ok"


def test_where_there_is_a_host_score_keeping_is_given_not_taken(game: Stage):
    become_host(game.client)
    guest, keeper = game.app.test_client(), game.app.test_client()
    post(guest, "seat", name="Ana")
    post(keeper, "seat", name="Cleo")
    assert post(guest, "scorekeeper", name="Ana").status_code == 403
    assert post(game.client, "scorekeeper", name="Cleo").status_code == 200
    assert code(post(guest, "seat", name="Cleo")) == "room/seat_taken"
    assert command(game.client, "enter_roll", **ROLL) == "ok", "the host may too"
    assert post(keeper, "scorekeeper", name="Ana").status_code == 200
    assert command(guest, "score_box", category="choice") == "ok"
