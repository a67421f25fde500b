"""Who is host: made at the table, and nobody before that."""

from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from messages.errors import NotAllowedError
from station.screens.bounds import LIMITS, Kind, Limit
from station.screens.host_requests import ASK_S
from station.screens.room import Room
from station.screens.tokens import hashed
from station.screens.tries import FREE, FREE_OF_HOUSE
from station.store import Store
from station.table.table import Table
from tests.table.helpers import Clock
from tests.web.helpers import Stage
from tests.web.hosting import ROLL, become_host, code, command, post, you

AFAR = {"REMOTE_ADDR": "192.168.1.30"}
"""A phone of the house, not the station itself."""


class House(Stage):
    """A station whose room has a clock that is moved by hand."""

    def __init__(self, folder: Path | None = None) -> None:
        self.clock = Clock()
        self.room = Room(folder, clock=self.clock)
        super().__init__(room=self.room)

    def screen(self, address: str = AFAR["REMOTE_ADDR"]):
        """A new browser at that address."""
        client = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        return client


@pytest.fixture
def house() -> House:
    return House()


HOSTS_ALONE = [
    ("DELETE", "/api/v1/history/1", None),
    ("POST", "/api/v1/history/1/undelete", {}),
    ("GET", "/api/v1/history/aside", None),
    ("POST", "/history/1/delete", None),
    ("POST", "/history/1/undelete", None),
    ("GET", "/api/v1/backup", None),
    ("POST", "/api/v1/restore", None),
    ("POST", "/api/v1/room/pin", {"pin": "4711"}),
    ("POST", "/api/v1/room/pass", {"to": "Ana"}),
    ("POST", "/api/v1/room/roles", {"on": True}),
    ("POST", "/api/v1/room/only-seated", {"on": True}),
    ("GET", "/api/v1/room/screens", None),
    ("DELETE", "/api/v1/rules/lake", None),
    ("DELETE", "/api/v1/calibration/profiles/kitchen", None),
]


@pytest.mark.parametrize(("method", "path", "body"), HOSTS_ALONE)
def test_on_a_fresh_station_nobody_deletes_restores_or_fetches(
    shared_stage: Stage, method: str, path: str, body
):
    answer = shared_stage.client.open(path, method=method, json=body, headers={"Accept": "application/json"})
    assert (answer.status_code, code(answer)) == (403, "room/host_only")


def test_without_a_cookie_everybody_plays(house: House):
    for name, fields in (
        ("start_game", {"players": ["Ana", "Ben"], "rules": "yacht-1938"}),
        ("enter_roll", {"faces": [1, 2, 3, 4, 5]}),
        ("score_box", {"category": "choice"}),
        ("undo", {}),
        ("undo", {}),
        ("end_game", {}),
        ("rematch", {}),
    ):
        assert command(house.app.test_client(use_cookies=False), name, **fields) == "ok", name


def test_the_button_makes_the_one_screen_that_asks_host(house: House):
    phone = house.screen()
    told: list[str] = []
    house.room.requests.show = told.append
    assert post(phone, "ask", on=True).get_json()["you"]["asking"]
    assert house.room.requests.held()
    assert you(phone)["host"]
    assert not you(house.screen())["host"]
    assert post(phone, "pin", pin="4711").status_code == 200
    (number,) = told
    assert len(number) == 6


def test_the_button_answers_nobody_when_two_ask_or_none_does(house: House):
    assert not house.room.requests.held()
    one, other = house.screen("192.168.1.30"), house.screen("192.168.1.31")
    post(one, "ask", on=True)
    post(other, "ask", on=True)
    assert not house.room.requests.held()
    assert not you(one)["host"]
    assert not you(other)["host"]
    post(other, "ask", on=False)
    assert house.room.requests.held()
    assert you(one)["host"]


def test_a_request_ends_by_itself(house: House):
    phone = house.screen()
    post(phone, "ask", on=True)
    house.clock.pass_s(ASK_S + 1)
    assert not you(phone)["asking"]
    assert not house.room.requests.held()
    assert code(post(phone, "number", number="123456")) == "room/not_asking"


def test_the_number_is_told_beside_the_station_only(house: House):
    phone = house.screen()
    post(phone, "ask", on=True)
    assert you(phone)["number"] is None
    kiosk = house.app.test_client()
    assert kiosk.get("/api/v1/room", base_url="http://localhost").get_json()["you"]["number"]
    led = kiosk.get("/api/v1/room", base_url="http://yacht.local").get_json()["you"]
    assert led["number"] is None, "asked for by a name that others may lead here"
    become_host(phone, house.app)


def test_who_comes_through_a_proxy_is_not_beside_the_station(house: House):
    post(house.client, "ask", on=True)
    assert you(house.client)["number"]
    for passed_on in (
        {"headers": {"X-Forwarded-For": "192.168.1.30"}},
        {"headers": {"Forwarded": "for=192.168.1.30"}},
        {"headers": {"X-Real-IP": "192.168.1.30"}},
        {"headers": {"Via": "1.1 proxy"}},
        {"environ_overrides": {"SERVER_PROTOCOL": "HTTP/1.0"}},
    ):
        found = house.client.get("/api/v1/room", **passed_on).get_json()
        assert found["you"]["number"] is None, passed_on


def test_a_page_under_another_name_is_told_which_setting_helps(house: House):
    refused = house.client.post(
        "/api/v1/room/seat",
        json={"name": "Ana"},
        headers={"Origin": "http://games.example", "Host": "localhost:8080"},
    )
    error = refused.get_json()["error"]
    assert (refused.status_code, error["code"]) == (403, "request/forbidden")
    assert error["values"] == {
        "page": "http://games.example", "host": "localhost:8080", "header": "Host",
    }  # fmt: skip
    assert "proxy_set_header Host" in error["message"]
    assert "'names'" in error["message"]


@pytest.mark.thorough
def test_wrong_tries_slow_down_their_address_and_nobody_else(house: House):
    host, guest, other = house.screen("192.168.1.2"), house.screen(), house.screen("192.168.1.31")
    become_host(host, house.app)
    post(host, "pin", pin="4711")
    for _ in range(FREE + 1):
        assert code(post(guest, "host", pin="0000")) == "room/pin_wrong"
    assert code(post(guest, "host", pin="4711")) == "room/wait"
    same = house.screen()
    assert code(post(same, "host", pin="4711")) == "room/wait"
    assert post(other, "host", pin="4711").get_json()["you"]["host"]
    house.clock.pass_s(3)
    assert post(guest, "host", pin="4711").get_json()["you"]["host"]


def screen_of(house: House, **known: str) -> dict:
    """The only screen of the host's list with that address or seat."""
    screens = house.client.get("/api/v1/room/screens").get_json()["screens"]
    (found,) = [each for each in screens if known.items() <= each.items()]
    return found


@pytest.fixture
def besieged(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose PIN strangers try for three hours from two hundred addresses; `house.tried`: how often.

    Two screens were host when the PIN was set: that of `house.client` and `house.former`.
    """
    tried: list[str] = []

    def is_it(_: object, pin: str) -> bool:  # without the hash, which takes a twentieth of a second
        tried.append(pin)
        return pin == "4711"

    monkeypatch.setattr("station.screens.room_file.KeptPin.is_it", is_it)
    house.former, house.dismissed = house.screen("192.168.1.2"), house.screen("192.168.1.3")
    for screen in (house.former, house.dismissed, house.client):
        become_host(screen, house.app)
    gone = screen_of(house, address="192.168.1.3")["id"]
    post(house.client, f"screens/{gone}/role", role="viewer")
    post(house.client, "pin", pin="4711")
    tried.clear()
    house.tried = tried
    for _ in range(36):
        for number in range(200):
            with suppress(NotAllowedError):
                house.room.claim_host(f"stranger {number}", "0000", f"192.168.7.{number}")
        house.clock.pass_s(300)
    return house


def test_a_pin_is_tried_from_two_hundred_addresses_no_more_often_than_from_few(besieged: House):
    assert FREE_OF_HOUSE < len(besieged.tried) < 50


def test_strangers_who_try_the_pin_lock_nobody_of_the_house_out(besieged: House):
    house = besieged
    waits = post(house.dismissed, "host", pin="4711").get_json()["error"]
    assert (waits["code"], "at the table" in waits["message"]) == ("room/wait", True)
    assert post(house.former, "host", pin="4711").get_json()["you"]["host"], "who was host before"
    phone = house.screen("192.168.1.44")
    assert post(phone, "ask", on=True).status_code == 200
    assert house.room.requests.held()
    assert you(phone)["host"], "who stands at the table"


def test_at_the_machine_nobody_waits_for_what_others_try(house: House):
    for number in range(300):
        for _ in range(FREE + 2):
            with suppress(NotAllowedError):
                house.room.ask_host(f"stranger {number}", f"192.168.{number // 100}.{number % 100}")
    assert post(house.screen("192.168.9.9"), "ask", on=True).status_code == 403
    assert post(house.client, "ask", on=True).status_code == 200
    assert post(house.client, "number", number=you(house.client)["number"]).get_json()["you"]["host"]


@pytest.mark.thorough
def test_the_waits_grow(house: House):
    host, guest = house.screen("192.168.1.2"), house.screen()
    become_host(host, house.app)
    post(host, "pin", pin="4711")
    waits = []
    for _ in range(FREE + 8):
        error = post(guest, "host", pin="0000").get_json()["error"]
        if error["code"] == "room/wait":
            waits.append(error["values"]["count"])
            house.clock.pass_s(error["values"]["count"])
    assert waits == [2, 4, 8, 16]


def test_asking_again_and_again_is_slowed_down(house: House):
    phone = house.screen()
    codes = [post(phone, "ask", on=True).status_code for _ in range(FREE + 2)]
    assert codes == [200] * (FREE + 1) + [403]


def test_the_gesture_recovers_a_lost_pin(house: House):
    become_host(house.client)
    post(house.client, "pin", pin="4711")
    phone = house.screen()
    post(phone, "ask", on=True)
    house.room.requests.held()
    assert post(phone, "pin", pin="2222").status_code == 200
    assert not you(house.client)["host"], "the others type the new one"
    assert post(house.client, "host", pin="2222").get_json()["you"]["host"]


def test_a_token_that_somebody_made_up_is_nobodys(house: House):
    made_up = "x" * 32
    house.client.set_cookie(house.cookie, made_up)
    post(house.client, "seat", name="Ana")
    stranger = house.app.test_client()
    stranger.set_cookie(house.cookie, made_up)
    assert you(stranger)["seat"] is None
    assert house.client.get_cookie(house.cookie).value != made_up


def test_a_token_of_before_signatures_keeps_its_seat(tmp_path: Path):
    (tmp_path / "room.json").write_text(f'{{"seats": {{"{hashed("old" * 10)}": "Ana"}}}}')
    stage = Stage(room=Room(tmp_path))
    stage.client.set_cookie("screen", "old" * 10)
    assert you(stage.client)["seat"] == "Ana"


def test_a_full_disk_sets_no_half_pin(tmp_path: Path, monkeypatch):
    house = House(tmp_path)
    become_host(house.client)
    before = (tmp_path / "room.json").read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("messages.atomic_write.os.fsync", full)
    assert code(post(house.client, "pin", pin="4711")) == "room/not_kept"
    assert house.client.get("/api/v1/room").get_json()["pin"] is False
    assert (tmp_path / "room.json").read_bytes() == before
    assert not (tmp_path / "room.json.new").exists()


def test_how_rolls_count_is_kept_and_up_to_the_host(tmp_path: Path):
    house = House(tmp_path)
    assert not house.client.get("/api/v1/room").get_json()["next_confirms"]
    guest = house.screen()
    assert post(guest, "next-confirms", on=True).get_json()["next_confirms"], "nobody is host yet"
    assert Room(tmp_path).next_confirms(), "after a restart"
    become_host(house.client)
    assert code(post(guest, "next-confirms", on=False)) == "room/host_only"
    assert not post(house.client, "next-confirms", on=False).get_json()["next_confirms"]
    assert not Room(tmp_path, next_confirms=True).next_confirms(), "the settings are the default alone"
    assert Room(next_confirms=True).public()[1].next_confirms


# -- roles -------------------------------------------------------------------------------------------


@pytest.fixture
def parted(house: House) -> House:
    """Ana and Ben play, each screen its own seat; `house.client` is the host's."""
    become_host(house.client)
    house.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    assert post(house.client, "roles", on=True).status_code == 200
    return house


def seated(house: House, name: str, address: str):
    client = house.screen(address)
    assert post(client, "seat", name=name).status_code == 200
    return client


def test_a_guest_without_a_seat_changes_nothing(parted: House):
    guest = parted.screen()
    before = parted.table.snapshot()
    assert command(guest, "enter_roll", **ROLL) == command(guest, "press", button="confirm") == "room/no_seat"
    assert post(guest, "hints", name="Ana", on=True).status_code == 403
    assert parted.table.snapshot() == before


def test_a_seat_is_one_screens(parted: House):
    seated(parted, "Ana", "192.168.1.30")
    guest = parted.screen("192.168.1.31")
    assert code(post(guest, "seat", name="Ana")) == "room/seat_taken"
    assert post(guest, "seat", name="Cleo").status_code == 200
    assert command(guest, "add_player", name="Cleo") == "ok"


def test_a_scorekeeper_plays_for_all_and_is_no_host(parted: House):
    keeper = seated(parted, "Oma", "192.168.1.40")
    there = screen_of(parted, seat="Oma")
    assert (there["address"], there["role"], there["you"]) == ("192.168.1.40", "player", False)
    assert post(parted.client, f"screens/{there['id']}/role", role="scorekeeper").status_code == 200
    assert command(keeper, "enter_roll", **ROLL) == "ok"
    assert command(keeper, "score_box", category="choice") == "ok"
    assert command(keeper, "end_game") == "ok"
    assert keeper.get("/api/v1/backup").status_code == 403
    assert keeper.get("/api/v1/room/screens").status_code == 403


def test_the_host_ends_a_session(parted: House):
    ben = seated(parted, "Ben", "192.168.1.31")
    there = screen_of(parted, seat="Ben")
    left = parted.client.delete(f"/api/v1/room/screens/{there['id']}").get_json()["screens"]
    assert "Ben" not in [each["seat"] for each in left]
    assert you(ben)["seat"] is None
    assert command(ben, "enter_roll", **ROLL) == "room/no_seat"
    assert parted.client.delete("/api/v1/room/screens/0000").status_code == 422


# -- deleting ----------------------------------------------------------------------------------------


def test_a_deleted_game_is_put_back(tmp_path: Path):
    store = Store(tmp_path)
    stage = Stage(archive=store, table=Table(store))
    become_host(stage.client)
    stage.do("start_game", players=["Ana"], rules="yacht-1938")
    stage.do("enter_roll", faces=[5, 5, 5, 2, 2])
    stage.do("score_box", category="full-house")
    stage.do("end_game")
    before = stage.client.get("/api/v1/history").get_json()["games"]
    assert stage.client.delete("/api/v1/history/1").status_code == 200
    assert stage.client.get("/api/v1/history").get_json()["games"] == []
    assert stage.client.get("/api/v1/history/1").status_code == 404
    assert stage.client.get("/api/v1/history/aside").get_json()["games"] == before
    assert "Put back" in stage.client.get("/history").get_data(as_text=True)
    assert "Put back" not in stage.app.test_client().get("/history").get_data(as_text=True)
    assert stage.client.post("/history/1/undelete").headers["Location"] == "/history/1"
    assert stage.client.get("/api/v1/history").get_json()["games"] == before
    assert stage.client.post("/api/v1/history/1/undelete", json={}).status_code == 404
    assert stage.client.post("/history/1/delete").status_code == 303
    assert stage.client.delete("/api/v1/history/1").status_code == 404
    store.close()


@pytest.mark.needs_feature("computer_players")
def test_anybody_with_a_seat_throws_for_a_computer(house: House):
    become_host(house.client)
    house.do("start_game", players=[{"name": "Robot", "computer": "perfect"}, "Ana"], rules="yacht-1938")
    post(house.client, "roles", on=True)
    ana, guest = seated(house, "Ana", "192.168.1.30"), house.screen("192.168.1.31")
    assert command(guest, "enter_roll", **ROLL) == "room/no_seat"
    assert command(ana, "enter_roll", **ROLL) == "ok"


@pytest.mark.needs_feature("teams")
def test_a_member_of_a_team_plays_the_teams_seat(house: House):
    become_host(house.client)
    teams = [{"name": "Reds", "members": ["Ana", "Ben"]}, {"name": "Blues", "members": ["Cleo", "Dan"]}]
    house.do("start_game", players=teams, rules="yacht-1938")
    post(house.client, "roles", on=True)
    ben, dan = seated(house, "Ben", "192.168.1.30"), seated(house, "Dan", "192.168.1.31")
    assert command(dan, "enter_roll", **ROLL) == "room/own_seat"
    assert command(ben, "enter_roll", **ROLL) == "ok"
    assert command(dan, "undo") == "room/own_seat"
    assert command(ben, "undo") == "ok"


@pytest.mark.needs_feature("all_at_once")
def test_where_all_play_at_once_each_takes_back_the_own_step(house: House):
    become_host(house.client)
    house.do("start_game", players=["Ana", "Ben"], rules="shared-roll")
    post(house.client, "roles", on=True)
    ana, ben = seated(house, "Ana", "192.168.1.30"), seated(house, "Ben", "192.168.1.31")
    assert command(ben, "enter_roll", **ROLL) == "ok"
    assert command(ben, "set_held", slots=[1], player=0) == "room/own_seat"
    assert command(ben, "set_held", slots=[1], player=1) == "ok"
    assert command(ana, "undo") == "room/own_seat"
    assert command(ben, "undo") == "ok"


def test_strangers_who_sit_down_push_no_player_out(parted: House, monkeypatch):
    monkeypatch.setitem(LIMITS, Kind.SEAT, Limit(2, 2))
    ana, ben = seated(parted, "Ana", "192.168.1.30"), seated(parted, "Ben", "192.168.1.31")
    for number in range(3):
        answer = post(parted.screen("192.168.1.66"), "seat", name=f"Guest {number}")
        assert code(answer) == "room/full"
    assert (you(ana)["seat"], you(ben)["seat"]) == ("Ana", "Ben")
    assert post(ben, "seat", name=None).status_code == 200


@pytest.mark.parametrize(
    ("changes", "path", "body"),
    [
        ("set_pin", "pin", {"pin": "4711"}),
        ("pass_host", "pass", {"to": "Ben"}),
        ("set_only_seated", "only-seated", {"on": True}),
        ("set_roles", "roles", {"on": True}),
        ("give_role", "screens/0123456789ab/role", {"role": "host"}),
        ("end_session", "screens/0123456789ab", None),
    ],
)
def test_nobody_stops_being_host_between_the_permission_and_the_change(
    house: House, monkeypatch: pytest.MonkeyPatch, changes: str, path: str, body: dict | None
):
    """Else a host who was just dismissed could set a PIN, and would be the only host by that."""
    free = []

    def look(*_asked: object, **_fields: object) -> None:
        def another_thread() -> None:
            free.append(house.room._lock.acquire(blocking=False))
            if free[-1]:
                house.room._lock.release()

        other = Thread(target=another_thread)
        other.start()
        other.join()

    become_host(house.client)
    monkeypatch.setattr(house.room, changes, look)
    method = house.client.delete if body is None else house.client.post
    assert method(f"/api/v1/room/{path}", json=body).status_code == 200
    assert free == [False], "it is changed while nobody else can change what this screen may do"
