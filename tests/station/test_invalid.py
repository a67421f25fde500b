"""What is wrong with a request: the first mistake, by its field."""

import pytest
from pydantic import TypeAdapter

from messages.catalogue import text
from messages.errors import BadInputError
from station.config import Picture
from station.contract.commands import StartGame
from station.contract.invalid import checked
from tests.asking import parse
from web.calibration.calibration_requests import FindTray


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "The field 'command' is missing."),
        (
            {"command": "dance"},
            "There is no command 'dance'; GET /api/v1/openapi.json describes those there are.",
        ),
        ({"command": "undo", "mood": "good"}, "The field 'mood' is not known here."),
        ({"command": "score_box"}, "The field 'category' is missing."),
        ({"command": "correct_die", "slot": 1, "face": "six"},
         "The field 'face' is not right: it should be a valid integer."),
        ({"command": "enter_roll", "faces": [1, 2, 7]},
         "The field 'faces.2' is not right: it should be less than or equal to 6."),
        pytest.param({"command": "start_game", "players": ["Ana", {"name": "Robo", "computer": 101}]},
         "The field 'players.1.computer' is not right: it should be less than or equal to 100.",
         marks=pytest.mark.needs_feature("computer_players")),
        pytest.param({"command": "start_game", "players": ["Ana", {"name": "Robo", "computer": "best"}]},
         "The field 'players.1.computer' is not right: it should be 'perfect' or 'to-win'.",
         marks=pytest.mark.needs_feature("computer_players")),
        ({"command": "start_game", "players": ["Ana", {"name": "Robo", "mood": 1}]},
         "The field 'players.1.mood' is not known here."),
        ({"command": "start_game", "players": ["Ana", {"computer": 1}]},
         "The field 'players.1.name' is missing."),
        ({"command": "start_game", "players": ["Ana", 7]},
         "The field 'players.1' is not right: it should be a valid string."),
        ({"command": "start_game", "players": ["Ana"], "starter": "middle"},
         "The field 'starter' is not right: it should be 'throw', 'random', 'loser' or 'rotate'."),
        pytest.param({"command": "start_game", "players": ["Ana"], "stakes": {"per_point": 5}},
         "The field 'stakes.per_point' is not right: it should be a valid string.",
         marks=pytest.mark.needs_feature("stakes")),
        ({"command": "press", "button": "hold-9", "long": 2}, "The field 'button' is not right"),
    ],
)  # fmt: skip
def test_the_first_mistake_is_named(body, sentence):
    with pytest.raises(BadInputError) as refused:
        parse(body)
    assert refused.value.code == "request/invalid"
    assert str(refused.value).startswith(sentence)


def test_an_entry_that_a_list_lacks_is_named():
    pairs = TypeAdapter(tuple[tuple[int, int], ...])
    for given, field in (([[1]], "0.1"), ([[]], "0.0"), ([[1, 2], [3]], "1.1")):
        with pytest.raises(BadInputError) as refused:
            checked(pairs, given)
        assert str(refused.value) == f"The field '{field}' is missing."


@pytest.mark.parametrize(
    ("model", "body", "what"),
    [
        pytest.param(StartGame, {"stakes": 5}, "ein Objekt", marks=pytest.mark.needs_feature("stakes")),
        (StartGame, {"rules": "\ud800"}, "ein Text"),
        (FindTray, {"corners": 1}, "eine Liste"),
        (FindTray, {"width_mm": 0}, "größer als 0.0"),
        (FindTray, {"width_mm": float("nan")}, "eine Zahl"),
        (Picture, {"size": [641, 480]}, "ein Vielfaches von 2"),
        (Picture, {"rotation": 45}, "0, 90, 180 oder 270"),
        (StartGame, {"starter": "middle"}, "'throw', 'random', 'loser' oder 'rotate'"),
    ],
)
def test_what_should_stand_there_is_told_in_the_language_of_who_asks(model, body, what):
    with pytest.raises(BadInputError) as refused:
        checked(TypeAdapter(model), body)
    assert text(refused.value.message, "de").endswith(f"Es sollte {what} sein.")
