"""What the API answers, status by status (docs/api.md)."""

import json
from types import SimpleNamespace

import pytest

from messages.message import Message
from station.advice.odds import HoldChance, WinningOdds
from station.cli import run
from station.contract.answers import BoxChance
from tests.asking import shown
from tests.web.helpers import JPEG, Stage


def test_state_is_whole_and_has_a_version(stage: Stage):
    answer = stage.client.get("/api/v1/state")
    state = answer.get_json()
    assert answer.status_code == 200
    assert state["phase"] == "lobby"
    assert isinstance(state["version"], int)
    assert answer.headers["Cache-Control"] == "no-store"


def test_every_command_of_the_contract_is_understood(game: Stage):
    game.throw(2, 3, 4, 5, 6)
    assert game.do("accept_roll")["throws_done"] == 1
    assert game.do("correct_die", slot=1, face=1)["dice"][0]["face"] == 1
    assert game.do("undo")["dice"][0]["face"] == 2
    game.do("set_held", slots=[1, 2])
    assert game.do("enter_roll", faces=[2, 3, 1, 1, 1])["throws_done"] == 2
    assert game.do("choose")["phase"] == "choosing"
    assert game.do("score_box", category="choice")["players"][0]["total"] == 8
    assert [player["name"] for player in game.do("add_player", name="Cleo")["players"]][2] == "Cleo"
    assert game.do("end_game")["finished"]
    assert game.do("rematch")["phase"] == "throwing"


def test_a_stale_version_is_a_conflict(game: Stage):
    version = game.client.get("/api/v1/state").get_json()["version"]
    game.do("enter_roll", faces=[1, 2, 3, 4, 5])
    answer = game.client.post(
        "/api/v1/commands", json={"command": "score_box", "category": "ones", "version": version}
    )
    assert answer.status_code == 409
    assert answer.get_json()["error"]["code"] == "version/stale"


def test_what_the_rules_forbid_is_refused_in_a_sentence(game: Stage):
    answer = game.client.post("/api/v1/commands", json={"command": "score_box", "category": "ones"})
    assert answer.status_code == 422
    assert answer.get_json() == {"error": {"code": "box/no_roll", "message": "Roll first, then pick a box."}}


NONSENSE = (
    {},
    {"command": None},
    {"command": "fly"},
    {"command": ["undo"]},
    {"command": "correct_die", "slot": 1, "face": 7},
    {"command": "correct_die", "slot": "1", "face": 3},
    {"command": "correct_die", "slot": 1},
    {"command": "enter_roll", "faces": "12345"},
    {"command": "enter_roll", "faces": [1, 2, 3, 4, True]},
    {"command": "start_game", "players": []},
    {"command": "start_game", "players": ["A"] * 13},
    {"command": "start_game", "players": ["Ana"], "rules": "../../etc/passwd"},
    {"command": "undo", "version": "1"},
    {"command": "undo", "version": 1.5},
    {"command": "undo", "surprise": 1},
    {"command": "press", "button": "self-destruct"},
    {"command": "set_held", "slots": [0]},
)


def test_nonsense_is_not_understood_and_changes_nothing(game: Stage):
    before = shown(game.table)
    for body in NONSENSE:
        answer = game.client.post("/api/v1/commands", json=body)
        assert answer.status_code == 400, body
        error = answer.get_json()["error"]
        assert error["code"]
        assert error["message"].endswith((".", "!"))
    assert shown(game.table) == before


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("score", {"rules": "nope", "dice": [1, 2, 3, 4, 5]}),
        ("score", {"rules": "yacht-1938", "dice": [1, 2]}),
        ("score", {"rules": "yacht-1938", "dice": [1, 2, 3, 4, 5], "category": "nope"}),
        ("score", {"rules": "yacht-1938"}),
        ("advice", {"rules": "yacht-1938", "dice": [1, 2, 3, 4, 5], "rolls_left": 3}),
        ("advice", {"rules": "yacht-1938", "dice": [1, 2, 3, 4, 5]}),
    ],
)
def test_questions_that_make_no_sense(shared_stage: Stage, path: str, body: object):
    answer = shared_stage.client.post(f"/api/v1/{path}", json=body)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["message"]


def test_advice_is_what_the_command_says(shared_stage: Stage, capsys: pytest.CaptureFixture[str]):
    body = {"rules": "yacht-1938", "dice": [2, 2, 3, 5, 6], "rolls_left": 1, "open": ["twos", "choice"]}
    answer = shared_stage.client.post("/api/v1/advice", json=body)
    said = ["--dice", "2,2,3,5,6", "--rolls-left", "1", "--open", "twos,choice", "--json"]
    assert run(["hint", "--rules", "yacht-1938", *said]) == 0
    assert answer.get_json() == json.loads(capsys.readouterr().out)


def test_advice_that_is_not_ready_is_said():
    class Busy:
        def solution(self, _: object) -> None: ...

        def preparation(self, _: object) -> object:
            return SimpleNamespace(message=Message("advice/working", doing="It", share=0.12))

    stage = Stage(advisor=Busy())
    answer = stage.client.post(
        "/api/v1/advice", json={"rules": "yacht-1938", "dice": [2, 2, 3, 5, 6], "rolls_left": 1}
    )
    assert answer.status_code == 503
    assert answer.get_json()["error"] == {
        "code": "advice/preparing",
        "message": "It …",
        "values": {"doing": "It", "share": 0.12},
    }


def test_a_correction_that_changes_other_boxes_names_them(stage: Stage):
    stage.do("start_game", players=["Ana", "Ben"], rules="game-rules-guru")
    for faces, category in (([4] * 5, "yacht"), ([1] * 5, "ones"), ([6] * 5, "sixes")):
        stage.do("enter_roll", faces=faces)
        stage.do("score_box", category=category)
    wish = {"command": "correct_box", "player": 0, "category": "yacht", "faces": [4, 4, 4, 4, 3]}
    stage.client.set_cookie("language", "de")
    error = stage.client.post("/api/v1/commands", json=wish).get_json()["error"]
    assert error["code"] == "box/changes_others"
    (change,) = error["values"]["changes"]
    assert change.pop("message").startswith("6er von Ana von 130 zu 30 (")
    assert change.pop("why")
    assert change == {"box": "6er", "category": "sixes", "player": "Ana", "was": 130, "now": 30}
    after = stage.client.post("/api/v1/commands", json={**wish, "force": True}).get_json()
    assert after["players"][0]["total"] == 30
    assert stage.do("undo")["players"][0]["boxes"]["sixes"] == 30


def test_the_hint_for_the_table(game: Stage):
    assert set(game.client.get("/api/v1/hint").get_json()) == {"version"}
    game.do("enter_roll", faces=[6, 2, 6, 6, 1])
    told = game.client.get("/api/v1/hint").get_json()
    assert told["slots"] == [1, 3, 4]
    assert told["reason"]
    assert told["given"]["choice"] > 0


def test_why_a_box_has_its_points(game: Stage):
    game.do("enter_roll", faces=[5, 5, 5, 2, 2])
    told = game.client.get("/api/v1/why?category=full-house").get_json()
    assert told["pays"].startswith("three of one face and two of another")
    ana, ben = told["players"]
    assert ana == {
        "name": "Ana",
        "points": 19,
        "open": True,
        "why": "Full House: 5-5-5 and 2-2 add up to 19.",
        "faces": [],
        "elsewhere": {},
    }
    assert ben["why"] is None
    assert game.client.get("/api/v1/why?category=nope").status_code == 400


def test_the_frame_is_a_picture_and_not_sent_twice(stage: Stage):
    answer = stage.client.get("/api/v1/frame.jpg")
    assert answer.data == JPEG
    assert answer.mimetype == "image/jpeg"
    again = stage.client.get("/api/v1/frame.jpg", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_the_frame_is_as_wide_as_a_page_needs_it(stage: Stage):
    for asked in ("", "?width=640", "?width=320"):
        stage.client.get(f"/api/v1/frame.jpg{asked}")
    assert stage.widths == [1280, 640, 320]
    refused = stage.client.get("/api/v1/frame.jpg?width=5000")
    assert refused.status_code == 400
    assert "it should be '320', '640' or '1280'" in refused.json["error"]["message"]


def test_no_frame_yet_is_said(stage: Stage):
    stage.jpeg = None
    answer = stage.client.get("/api/v1/frame.jpg")
    assert answer.status_code == 503
    assert answer.get_json()["error"]["code"] == "camera/no_frame"


class Knowing:
    """An advisor that has worked the odds out."""

    def odds(self, *_: object, **_in_turns: bool) -> dict[str, object]:
        return WinningOdds(
            (0.61, 0.39),
            (0.02, 0.02),
            "Estimated.",
            (HoldChance((6, 6, 6), 0.61), HoldChance((), 0.4)),
            (BoxChance("sixes", 0.5),),
        )


def test_the_odds_say_how_each_choice_changes_the_chance_to_win():
    stage = Stage(advisor=Knowing())
    assert stage.client.get("/api/v1/odds").get_json()["chances"] == []
    stage.do("start_game", players=["Ana", "Ben"], rules="yacht-1938")
    stage.do("enter_roll", faces=[6, 2, 6, 6, 1])
    told = stage.client.get("/api/v1/odds").get_json()
    assert told["chances"] == [0.61, 0.39]
    assert told["errors"] == [0.02, 0.02]
    assert told["holds"] == [
        {"hold": [6, 6, 6], "slots": [1, 3, 4], "chance": 0.61},
        {"hold": [], "slots": [], "chance": 0.4},
    ]
    assert told["boxes"] == [{"category": "sixes", "chance": 0.5}]


@pytest.mark.needs_feature("all_at_once")
def test_the_odds_are_told_though_who_is_asked_about_has_left():
    stage = Stage(advisor=Knowing())
    stage.do("start_game", players=["Ana", "Ben", "Cleo"], rules="shared-roll")
    stage.do("enter_roll", faces=[6, 2, 6, 6, 1])
    stage.do("ready", player=0)
    stage.do("ready", player=1)
    stage.do("remove_player", player=2)
    for asked in ("/api/v1/odds", "/api/v1/odds?player=2"):
        assert stage.client.get(asked).get_json()["chances"] == [0.61, 0.39, 0.0]


@pytest.mark.parametrize("asked", ["hint?player=x", "odds?player=-1", "die.jpg?slot=two", "hint?player="])
def test_what_is_no_number_in_an_address_is_told_to_be_one(asked):
    refused = Stage().client.get(f"/api/v1/{asked}")
    assert refused.status_code == 400
    told = refused.get_json()["error"]["message"]
    assert told.endswith(("it should be a valid integer.", "it should be greater than or equal to 0."))
