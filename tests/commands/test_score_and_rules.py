"""`yacht score` and `yacht rules`, as a person and as a program call them."""

import json

import pytest

from station import games
from station.cli import run
from station.rules import built_in, built_in_ids


def test_score_as_json(capsys):
    assert run(["score", "--rules", "world-51", "--dice", "5,5,5,2,2", "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert list(scores) == list(built_in("world-51").categories)
    assert scores["full-house"] == 19


def test_score_of_one_box_in_words(capsys):
    assert run(["score", "--rules", "world-51", "--dice", "5 5 5 2 2", "--category", "full-house"]) == 0
    assert capsys.readouterr().out == " 19  Full House: 5-5-5 and 2-2 add up to 19.\n"


def test_every_line_tells_the_points(capsys):
    assert run(["score", "--rules", "yahtzee", "--dice", "1,2,2,4,6"]) == 0
    output = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert output == ["1", "4", "0", "4", "0", "6", "0", "0", "0", "0", "0", "0", "15"]


@pytest.mark.parametrize(("roll", "points"), [("1", 25), ("2", 20), ("3", 20), (None, 20)])
def test_score_in_the_first_throw(capsys, roll, points):
    call = ["score", "--rules", "general", "--dice", "1,3,4,5,6", "--category", "straight", "--json"]
    assert run(call + (["--roll", roll] if roll else [])) == 0
    assert json.loads(capsys.readouterr().out) == {"scores": {"straight": points}}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rules", "chess", "--dice", "1,2,3,4,5"], "There is no rule set 'chess'"),
        (["--rules", "chess", "--dice", "1,2,3,4,5"], ", yatzy, balut, crag,"),
        (["--rules", "none.toml", "--dice", "1,2,3,4,5"], "none.toml cannot be read"),
        (["--rules", "lawn", "--dice", "1,2,3,4"], "There are 4 dice where 5 are needed"),
        (["--rules", "lawn", "--dice", "1,2,3,4,7"], "7 is not a face of a die"),
        (["--rules", "lawn", "--dice", "1,2,3,4,x"], "are no dice; write them as"),
        (["--rules", "lawn", "--dice", "1,-2,3,4,5"], "are no dice; write them as"),
        (["--rules", "lawn", "--dice", "1,2,,3,4,5"], "are no dice; write them as"),
        (["--rules", "lawn", "--dice", "1,2,3,4,5", "--category", "pair"], "has no box 'pair'"),
        (
            ["--rules", "lawn", "--dice", "1,2,3,4,5", "--roll", "4"],
            "no throw 4; a turn has the throws 1 to 3",
        ),
        (["--rules", "lawn"], "Missing option '--dice'"),
    ],
)
def test_bad_input_gets_a_sentence(capsys, arguments, sentence):
    assert run(["score", *arguments]) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.out == ""


def test_the_list_of_rule_sets(capsys):
    assert run(["rules"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(built_in_ids()) + len(games.texts())
    assert run(["rules", "--json"]) == 0
    assert [each["id"] for each in json.loads(capsys.readouterr().out)] == [*built_in_ids(), *games.texts()]


def test_one_rule_set_in_words(capsys):
    assert run(["rules", "world-51"]) == 0
    output = capsys.readouterr().out
    assert "  B. Straight: five in a row: 30\n" in output
    assert "Source: “Yacht Rules”, World Game Encyclopedia 51.\n" in output


def test_one_rule_set_as_json(capsys):
    assert run(["rules", "yahtzee", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    boxes = output.pop("boxes")
    assert boxes[0] == {"category": "ones", "label": "Aces", "section": "upper"}
    assert [box["category"] for box in boxes] == list(built_in("yahtzee").categories)
    assert output == {
        "id": "yahtzee",
        "title": "Yahtzee – the official rules",
        "bonus": {"threshold": 63, "points": 35},
        "dice": 5,
        "throws": 3,
        "saved_throws": False,
        "players": [1, 12],
        "boxes_per_turn": 1,
        "simultaneous": False,
        "starts": "each player rolls; the highest total starts, then to the left",
        "source": "the well-known rules",
    }
    assert run(["rules", "lawn", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bonus"] is None


def test_yacht_speaks_the_language_of_its_terminal(capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert run(["rules", "world-51"]) == 0
    assert "  Gr. Straße: fünf in Folge: 30\n" in capsys.readouterr().out
    assert run(["score", "--rules", "lawn", "--dice", "1,2,3,4"]) == 2
    assert "Da sind 4 Würfel, wo 5 gebraucht werden." in capsys.readouterr().err
