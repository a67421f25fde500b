"""What strangers add has bounds, and pushes nobody of the house out; the host takes each away."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from messages.errors import RefusalError
from station.screens import bounds
from station.screens.bounds import LIMITS, Kind, Limit, RoomBounds
from station.screens.room import Room
from station.screens.room_file import KeptRoom
from station.store import Store
from station.store.house_rules import HouseRules
from station.table.table import Table
from tests.store.helpers import house_rules, play
from tests.web.helpers import Stage
from tests.web.hosting import become_host

PROFILE = {"colour": "red", "sign": "star", "jingle": "none"}


class House(Stage):
    """A station with a host; strangers come from any address."""

    def __init__(self, **given: object) -> None:
        super().__init__(**given)
        self.room = self.app.extensions["room"]
        become_host(self.client)

    def screen(self, number: int):
        """A new browser; each number is another address."""
        client = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = f"192.168.{1 + number // 250}.{1 + number % 250}"
        return client


@pytest.fixture
def house(tmp_path: Path):
    store = Store(tmp_path)
    with closing(store):
        yield House(archive=store, table=Table(store), house_rules=HouseRules(tmp_path / "rules"))


def ask(client, path: str, **body: object):
    return client.post(f"/api/v1/{path}", json=body)


def code(answer) -> str:
    return "ok" if answer.status_code == 200 else answer.get_json()["error"]["code"]


def sit(client, name: str) -> str:
    return code(ask(client, "room/seat", name=name))


def start(house: House) -> None:
    house.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")


# -- seats -------------------------------------------------------------------------------------------


@pytest.fixture
def few_seats(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many seats there are, so that a test need not fill two hundred."""
    monkeypatch.setitem(LIMITS, Kind.SEAT, Limit(8, 5))
    return 8


@pytest.mark.parametrize("roles", [False, True])
@pytest.mark.usefixtures("few_seats")
def test_visitors_push_out_each_other_and_nobody_of_the_game(house: House, *, roles: bool):
    start(house)
    ana, keeper = house.screen(0), house.screen(1)
    assert (sit(ana, "Ana"), sit(keeper, "Oma")) == ("ok", "ok")
    ask(house.client, "room/scorekeeper", name="Oma")
    ask(house.client, "room/roles", on=roles)
    for number in range(30):
        assert sit(house.screen(10 + number), f"Guest {number}") == "ok"
    told = ana.get("/api/v1/room").get_json()
    assert (told["you"]["seat"], told["scorekeeper"], len(told["seats"])) == ("Ana", "Oma", 8)
    assert keeper.get("/api/v1/room").get_json()["you"]["role"] == "scorekeeper"
    refused = ask(house.screen(99), "commands", command="enter_roll", faces=[1, 2, 3, 4, 5])
    assert code(refused) == "room/scorekeeper_only"


@pytest.mark.usefixtures("few_seats")
def test_the_seat_of_who_finished_a_game_here_stays(house: House):
    play(house.table, ("Oma", "Opa"))
    house.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    oma = house.screen(0)
    sit(oma, "Oma")
    for number in range(20):
        sit(house.screen(10 + number), f"Guest {number}")
    assert oma.get("/api/v1/room").get_json()["you"]["seat"] == "Oma"


@pytest.mark.usefixtures("few_seats")
def test_who_sits_down_as_a_player_by_the_dozen_leaves_room_for_others(house: House):
    start(house)
    ana = house.screen(0)
    sit(ana, "Ana")
    for number in range(20):
        sit(house.screen(10 + number), "Ana")
    assert sit(house.screen(50), "Cleo") == "ok"
    assert ana.get("/api/v1/room").get_json()["you"]["seat"] == "Ana"


@pytest.mark.usefixtures("few_seats")
def test_one_address_takes_so_many_seats_and_the_host_more(house: House):
    said = [sit(house.screen(10), f"Guest {number}") for number in range(7)]
    assert said == ["ok"] * 5 + ["room/enough"] * 2
    assert sit(house.screen(11), "Cleo") == "ok"


def test_the_controls_of_a_scorekeeper_who_is_gone_are_the_hosts(house: House):
    start(house)
    keeper, guest = house.screen(0), house.screen(1)
    sit(keeper, "Oma")
    ask(house.client, "room/scorekeeper", name="Oma")
    ask(keeper, "room/seat", name=None)
    roll = {"command": "enter_roll", "faces": [1, 2, 3, 4, 5]}
    assert code(ask(guest, "commands", **roll)) == "room/scorekeeper_only"
    assert sit(guest, "Oma") == "room/seat_taken", "nobody becomes it by the name"
    assert code(ask(house.client, "commands", **roll)) == "ok"
    assert code(ask(house.client, "room/scorekeeper", name=None)) == "ok"
    assert code(ask(guest, "commands", command="undo")) == "ok"


# -- hints, profiles, names --------------------------------------------------------------------------


def test_hints_by_the_thousand_leave_a_small_room(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(LIMITS, Kind.HINTS, Limit(10, 4))
    start(house)
    assert code(ask(house.screen(0), "room/hints", name="Ana", on=True)) == "ok"
    said = [code(ask(house.screen(1), "room/hints", name=f"X{each}", on=True)) for each in range(6)]
    assert said.count("room/enough") == 6 - LIMITS[Kind.HINTS].address
    for number in range(10, 14):
        for each in range(LIMITS[Kind.HINTS].address):
            ask(house.screen(number), "room/hints", name=f"{number} {each}", on=True, tv=True)
    told = house.client.get("/api/v1/room").get_json()
    assert len({*told["hints"], *told["tv_hints"]}) == LIMITS[Kind.HINTS].house
    assert "Ana" in told["hints"]
    assert code(ask(house.screen(0), "room/hints", name="y" * 150, on=True)) == "player/name"


def test_profiles_by_the_hundred_do_not_push_out_the_familys_own(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(LIMITS, Kind.PROFILE, Limit(5, 3))
    start(house)
    assert code(ask(house.screen(0), "people/profile", name="Ana", **PROFILE)) == "ok"
    for number in range(12):
        assert (
            code(ask(house.screen(10 + number // 3), "people/profile", name=f"X{number}", **PROFILE)) == "ok"
        )
    assert code(ask(house.screen(10), "people/profile", name="Y", **PROFILE)) == "ok", "theirs are gone"
    names = [each["name"] for each in house.client.get("/api/v1/room").get_json()["profiles"]]
    assert len(names) == 5
    assert "Ana" in names
    assert code(ask(house.screen(0), "people/profile", name="y\u202ez", **PROFILE)) == "player/name"


def test_a_player_renamed_again_and_again_leaves_no_profile_each_time(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(LIMITS, Kind.PROFILE, Limit(3, 3))
    start(house)
    ask(house.client, "people/profile", name="Ana", **PROFILE)
    names = ["Ana", *(f"Ana {number}" for number in range(6))]
    for name in names[1:]:
        house.do("rename_player", player=0, name=name)
    assert len(house.client.get("/api/v1/room").get_json()["profiles"]) == 3


def test_names_have_a_bound_too(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(LIMITS, Kind.NAME, Limit(1, 1))
    play(house.table, ("Tom", "Kim"))
    assert code(ask(house.client, "people/rename", name="Tom", to="Thomas")) == "ok"
    full = ask(house.client, "people/rename", name="Kim", to="Kimberly")
    assert code(full) == "room/full"
    assert "No room for more names" in full.get_json()["error"]["message"]


# -- rules, pictures ---------------------------------------------------------------------------------


def rules(number: int) -> str:
    return house_rules().replace("quick-yacht", f"quick-{number}")


def test_house_rules_have_a_bound(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(LIMITS, Kind.RULES, Limit(3, 2, 500_000))
    said = [code(ask(house.screen(0), "rules", text=rules(each))) for each in range(2)]
    assert said == ["room/host_only"] * 2, "where there is a host they are the host's"
    said = [
        code(ask(house.client, "rules", text=rules(each))) for each in range(LIMITS[Kind.RULES].house + 1)
    ]
    assert said == ["ok"] * LIMITS[Kind.RULES].house + ["room/full"]
    assert code(ask(house.client, "rules", text=rules(0))) == "ok", "those there are may change"


def test_house_rules_of_one_address_have_a_bound_on_a_station_without_a_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(LIMITS, Kind.RULES, Limit(3, 2, 500_000))
    open_to_all = Stage(house_rules=HouseRules(tmp_path))
    said = [code(ask(open_to_all.client, "rules", text=rules(each))) for each in range(3)]
    assert said == ["ok", "ok", "room/enough"]


def test_house_rules_together_have_a_bound(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(LIMITS, Kind.RULES, Limit(9, 9, 2 * len(rules(0).encode())))
    said = [code(ask(house.client, "rules", text=rules(each))) for each in range(3)]
    assert said == ["ok", "ok", "room/full"]
    longer = rules(0) + "# and what else there is to say\n"
    assert code(ask(house.client, "rules", text=longer)) == "room/full"


# -- the host ----------------------------------------------------------------------------------------


def test_the_host_sees_what_was_added_and_takes_each_away(house: House):
    play(house.table, ("Tom", "Kim"))
    guest = house.screen(0)
    ask(guest, "room/hints", name="Ana", on=True)
    ask(guest, "room/hints", name="Ana", on=True, tv=True)
    ask(guest, "people/profile", name="Ben", **PROFILE)
    ask(house.client, "people/rename", name="Tom", to="Thomas")
    ask(house.client, "rules", text=rules(1))
    for refused in (guest.get("/api/v1/room/added"), ask(guest, "room/added/remove", kind="hints", id="Ana")):
        assert code(refused) == "room/host_only"
    there = house.client.get("/api/v1/room/added").get_json()["added"]
    assert [(each["kind"], each["id"], each["address"]) for each in there] == [
        ("hints", "Ana", "192.168.1.1"),
        ("profile", "Ben", "192.168.1.1"),
        ("name", "Tom", None),
        ("rules", "quick-1", None),
    ]
    for left, each in reversed(list(enumerate(reversed(there)))):
        answer = ask(house.client, "room/added/remove", kind=each["kind"], id=each["id"])
        assert len(answer.get_json()["added"]) == left
    told = house.client.get("/api/v1/room").get_json()
    assert (told["hints"], told["tv_hints"], told["profiles"]) == ([], [], [])
    gone = ask(house.client, "room/added/remove", kind="hints", id="Ana")
    assert (gone.status_code, code(gone)) == (422, "room/not_added")


# -- the bounds themselves ---------------------------------------------------------------------------


def test_what_gives_way_is_the_oldest_of_the_address_that_added_most(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(LIMITS, Kind.HINTS, Limit(4, 4))
    here = RoomBounds()
    there: dict[str, int] = {}
    for key, address in (("one", "a"), ("two", "b"), ("three", "b"), ("four", "c")):
        assert here.admit(Kind.HINTS, there, key, 0, address=address, stays=lambda _: False) == ()
        there[key] = 0
    assert here.admit(Kind.HINTS, there, "five", 0, address="d", stays=lambda _: False) == ("two",)
    assert here.admit(Kind.HINTS, there, "five", 0, address="d", stays={"two"}.__contains__) == ("three",)


def test_a_room_that_is_too_full_already_is_brought_down_to_its_bound(tmp_path: Path):
    """As one is that was filled before there were bounds."""
    many = KeptRoom(hints={f"X{each}": True for each in range(15_000)}).model_dump_json()
    (tmp_path / "room.json").write_text(many)
    room = Room(tmp_path)
    assert len(room.public()[1].hints) == LIMITS[Kind.HINTS].house
    room.set_hints(None, "Ana", on=True)
    assert len(room.public()[1].hints) == LIMITS[Kind.HINTS].house
    assert (tmp_path / "room.json").stat().st_size < 10_000


def test_what_no_screen_could_have_added_comes_from_no_file(tmp_path: Path):
    odd = ["Ana\u202e", "B" * 2_000_000, "Cleo\n", " Dan", ""]
    profile = {"colour": "red", "sign": "star"}
    text = json.dumps(
        {
            "hints": dict.fromkeys([*odd, "Eve"], True),
            "people": {
                "profiles": dict.fromkeys([*odd, "Eve"], profile),
                "names": {"Old": "New", "Tom": "T\u202eom", **dict.fromkeys(odd, "Eve")},
            },
        }
    )
    (tmp_path / "room.json").write_text(text)
    room = Room(tmp_path)
    assert [room.added(kind) for kind in (Kind.HINTS, Kind.PROFILE, Kind.NAME)] == [
        ("Eve",),
        ("Eve",),
        ("Old",),
    ]


def test_every_kind_has_a_limit_and_is_named():
    assert set(bounds.LIMITS) == set(Kind)
    for kind in Kind:
        with pytest.raises(RefusalError) as full:
            RoomBounds().admit(kind, {str(each): 0 for each in range(LIMITS[kind].house)}, "new", 0)
        assert str(full.value).startswith("No room for more ")
