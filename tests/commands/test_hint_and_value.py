"""`yacht hint` and `yacht value`, as a person and as a program call them."""

import json

import pytest

from station.cli import run


def hint(capsys, *arguments):
    assert run(["hint", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_hint_as_json_is_best_first(capsys):
    still = "fives,sixes,full-house,four-of-a-kind,little-straight,big-straight,choice,yacht"
    call = ("--rules", "yacht-1938", "--dice", "6,6,3,3,5", "--rolls-left", "2", "--open", still)
    found = hint(capsys, *call)
    assert set(found) == {"holds", "boxes"}
    assert found["holds"][0]["hold"] == [6, 6]
    assert found["holds"][0]["value"] == pytest.approx(115.846482839, abs=1e-6)
    for decisions in found.values():
        values = [each["value"] for each in decisions]
        assert values == sorted(values, reverse=True)
    assert set(found["boxes"][0]) == {"category", "points", "value"}


def test_after_the_last_throw_there_is_nothing_to_hold(capsys):
    found = hint(capsys, "--rules", "general-chance", "--dice", "1,3,4,5,6", "--rolls-left", "0",
                 "--open", "twos,fours,fives,four-of-a-kind")  # fmt: skip
    assert found["holds"] == []
    assert found["boxes"][0]["category"] == "fours"
    assert found["boxes"][0]["value"] == pytest.approx(43.180933144, abs=1e-6)


def test_further_yachts_and_upper_points_count(capsys):
    found = hint(capsys, "--rules", "game-rules-guru", "--dice", "3,3,3,3,3", "--rolls-left", "2",
                 "--open", "large-straight", "--upper", "58", "--yachts", "1")  # fmt: skip
    assert found["boxes"] == [{"category": "large-straight", "points": 40, "value": 140.0}]


@pytest.mark.thorough
def test_double_cameroon_fills_two_boxes(capsys):
    dice = "1,1,2,2,2,3,3,3,4,5"
    found = hint(capsys, "--rules", "double-cameroon", "--dice", dice, "--rolls-left", "0")
    assert found["boxes"][0]["category"] == "twos+little-straight"
    assert found["boxes"][0]["value"] == pytest.approx(193.46849015, abs=1e-6)
    same = hint(capsys, "--rules", "double-cameroon", "--dice", dice, "--rolls-left", "0",
                "--open", "twos,little-cameroon")  # fmt: skip
    assert [box["category"] for box in same["boxes"]] == ["twos+little-straight"]


@pytest.mark.parametrize(
    ("rules_id", "dice", "left", "more", "line"),
    [
        ("world-51", "1,2,4,4,6", "2", "", "keep 4-4; most likely "),
        ("world-51", "1,2,4,4,6", "0", "", "Ace: 1 point now"),
        ("game-rules-guru", "3,3,3,3,3", "0", "--yachts 1 --open large-straight",
         "140.000  Large straight: 140 points now, 40 and 100 on top"),
        ("double-cameroon", "1,1,2,2,2,3,3,3,4,5", "0", "", "Twos and Little Cameroon: 25 points now"),
    ],
)  # fmt: skip
def test_hint_in_words_names_boxes_by_their_labels_with_all_that_is_written(
    capsys, rules_id, dice, left, more, line
):
    call = ["hint", "--rules", rules_id, "--dice", dice, "--rolls-left", left]
    assert run([*call, *more.split()]) == 0
    assert line in capsys.readouterr().out.splitlines()[0]


def test_a_big_general_has_won_and_nothing_is_advised(capsys):
    call = ("--rules", "general", "--dice", "6,6,6,6,6", "--rolls-left", "2")
    assert run(["hint", *call]) == 0
    assert "win the game at once" in capsys.readouterr().out
    assert hint(capsys, *call) == {"holds": [], "boxes": []}


@pytest.mark.parametrize(("left", "won"), [("2", True), ("1", False)])
def test_a_big_general_is_one_of_the_first_throw_where_throws_are_saved_too(capsys, tmp_path, left, won):
    """With a throw saved the second one was taken for the first, and the first was advised on."""
    path = tmp_path / "saved.toml"
    path.write_text(
        "id = 's'\ntitle = 'S'\ndice = 2\nthrows = 2\nsaved_throws = true\nfirst_throw_wins = true\n"
        "[[box]]\ncategory = 'ones'\nlabel = 'Ones'\n[[box]]\ncategory = 'twos'\nlabel = 'Twos'\n"
    )
    call = ("--rules", str(path), "--saved", "1", "--dice", "6,6", "--rolls-left", left)
    assert (hint(capsys, *call) == {"holds": [], "boxes": []}) is won
    assert run(["hint", *call]) == 0
    assert ("win the game at once" in capsys.readouterr().out) is won


@pytest.mark.parametrize("left", ["0", "1"])
def test_nothing_is_advised_in_a_turn_that_no_box_was_announced_for(capsys, tmp_path, left):
    """It told of -1,000,000,000 points, or of nothing at all."""
    path = tmp_path / "named.toml"
    path.write_text(
        'id="named"\ntitle="Named"\nthrows=3\n[[box]]\ncategory="choice"\nlabel="All"\nannounced=true\n'
        '[[box]]\ncategory="sixes"\nlabel="Six"\n'
    )
    call = ["--rules", str(path), "--dice", "6,6,6,6,5", "--data", str(tmp_path), "--open", "choice"]
    assert run(["hint", *call, "--rolls-left", left]) == 2
    assert "say which one was announced" in capsys.readouterr().err
    assert hint(capsys, *call, "--rolls-left", left, "--announced", "choice")["boxes"][0]["points"] == 29
    assert hint(capsys, *call, "--rolls-left", "2")["holds"][0]["value"] == pytest.approx(29)


def test_hint_for_house_rules(capsys, tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(
        'id="two"\ntitle="Two"\nthrows=2\n[[box]]\ncategory="choice"\nlabel="All"\n'
        '[[box]]\ncategory="sixes"\nlabel="Six"\n'
    )
    call = ("--rules", str(path), "--dice", "6,6,6,6,6", "--rolls-left", "0", "--data", str(tmp_path))
    found = hint(capsys, *call)
    assert found == hint(capsys, *call)
    assert found["boxes"][0]["category"] == "sixes"
    assert len(list((tmp_path / "advice").glob("*.means"))) == 1


@pytest.mark.parametrize(
    ("rules_id", "dice", "rolls_left", "more", "sentence"),
    [
        ("lawn", "1,2,3,4,7", "1", "", "7 is not a face of a die"),
        ("lawn", "1,2,3,4,5", "3", "", "The number of throws left cannot be 3"),
        ("lawn", "1,2,3,4,5", "-1", "", "The number of throws left cannot be -1"),
        ("lawn", "1,2,3,4,5", "1", "--open=pair", "has no box 'pair'"),
        ("lawn", "1,2,3,4,5", "1", "--open=ones,ones", "named twice"),
        ("lawn", "1,2,3,4,5", "1", "--open=", "No box is open"),
        ("world-51", "1,2,3,4,5", "1", "--upper=5", "cannot be 5; with these boxes filled it is 0 to 0"),
        ("world-51", "1,2,3,4,5", "1", "--upper=-1", "cannot be -1"),
        ("world-51", "1,2,3,4,5", "1", "--open=yacht,ones,twos,threes,fours,fives --upper=7",
         "No dice lead to an upper total of 7"),
        ("yahtzee", "1,2,3,4,5", "1", "--yachts=1", "cannot be 1 while the box 'yacht' is open"),
        ("yahtzee", "1,2,3,4,5", "1", "--yachts=-1", "cannot be -1"),
        ("double-cameroon", "1,1,1,1,1,1,1,1,1,1", "1", "--open=ones,twos,threes", "3 cannot be open"),
    ],
)  # fmt: skip
def test_bad_input_gets_a_sentence(capsys, rules_id, dice, rolls_left, more, sentence):
    call = ["hint", "--rules", rules_id, "--dice", dice, "--rolls-left", rolls_left, *more.split()]
    assert run(call) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(("rules_id", "value"), [("world-51", 191.774369), ("double-cameroon", 197.731836)])
def test_value(capsys, rules_id, value):
    assert run(["value", "--rules", rules_id]) == 0
    assert capsys.readouterr().out == f"{value:.6f}\n"
    assert run(["value", "--rules", rules_id, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == pytest.approx(value, abs=1e-6)
