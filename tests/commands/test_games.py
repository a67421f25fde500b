"""The tools for games as files: checked, simulated, asked in batches, looked back at."""

import json

import pytest

from station import games
from station.advice.advisor import Advisor
from station.advice.situation import AdviceSituation
from station.cli import run
from station.commands import rule_sets
from station.rules import Sheet
from tests.wording import in_words

CRAG = games.texts()["crag"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder in which the values of crag are kept, once somebody has asked for them."""
    return tmp_path_factory.mktemp("data")


def test_a_file_is_checked_and_drawn(tmp_path, capsys):
    file = tmp_path / "ours.toml"
    file.write_text(games.texts()["yams"].replace('id = "yams"', 'id = "ours"'), encoding="utf-8")
    assert run(["rules", "check", str(file)]) == 0
    output = capsys.readouterr().out
    assert "The column “down” is filled from the top to the bottom." in output
    assert "3 parts are solved apart" in output
    assert "|  free  |  down  |   up   |" in output
    assert output.count("|Ones ") == 1


def test_every_mistake_has_its_line_and_column(tmp_path, capsys):
    file = tmp_path / "ours.toml"
    text = 'id = "ours"\ntitle = "Ours"\nthrows = 3\n[[box]]\ncategory = "sixs"\nlabel = "A"\n'
    file.write_text(text + '[[box]]\ncategory = "sixes"\nlable = "B"\n', encoding="utf-8")
    assert run(["rules", "check", str(file)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("ours.toml, line 5, column 12: 'category' must be ")
    assert first.endswith("Did you mean 'sixes'?")
    assert second.startswith("ours.toml, line 9, column 9: the key 'lable' is not known here")
    assert second.endswith("Did you mean 'label'?")
    assert run(["rules", "check", str(file), "--json"]) == 2
    found = json.loads(capsys.readouterr().out)["mistakes"]
    assert [(each["line"], each["column"], each["code"]) for each in found] == [
        (5, 12, "rules/bad_file"), (9, 9, "rules/bad_file"),
    ]  # fmt: skip


def test_mistakes_at_the_top_in_columns_boxes_and_bonuses_are_told_at_once(tmp_path, capsys):
    file = tmp_path / "ours.toml"
    lines = [
        'id = "ours"', 'titel = "Ours"', "throws = 30", "[[column]]", 'id = "A"', 'label = "A"', "[[box]]",
        'category = "sixes"', 'label = "Sixes"', "[[box]]", 'category = "nothing"', 'label = "B"',
        "[[bonus]]", 'boxes = ["nothing"]', "complete = true", "points = 5", "[[bonus]]", "threshold = 0",
    ]  # fmt: skip

    def places():
        file.write_text("\n".join(lines), encoding="utf-8")
        assert run(["rules", "check", str(file), "--json"]) == 2
        return [each["line"] for each in json.loads(capsys.readouterr().out)["mistakes"]]

    assert places() == [1, 2, 3, 5, 11, 18]
    lines[10] = 'category = "choice"'  # now it is the bonus that names a box there is not
    assert places() == [1, 2, 3, 5, 14, 18]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("faces = [1, 3, 5]", "faces = [1, 3, 5, 6]", "no throw of 3 dice scores in Odd straight"),
        ('category = "twos"', 'category = "ones"', "the box 'ones' is there already"),
        ("throws = 2", "throws = 2\n[bonus]\nthreshold = 64\npoints = 9", "these boxes hold at most 63"),
        ("throws = 2", "throws = 1\nsaved_throws = true", "saved throws need more than one throw a turn"),
        ("throws = 2", 'throws = 2\ncount_only = "bonus"', "nothing would count"),
        ("throws = 2", "throws = 2\n" + "# a line\n" * 10_000, "64 kB"),
        ("[[box]]\n", "[[box]]\noptional = true\n", "every box is optional"),
        ("points = 50", 'points = 50\nafter = "nothing"', "no box 'nothing' stands above this one"),
        *(("points = 50", "points = 50\ncount = 10\n" + "".join(
            f'[[box]]\ncategory = "a{n}"\npattern = "choice"\nlabel = "a{n}"\n' for n in range(more)
        ), "more than 60 tables 'box'") for more in (40, 50)),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_told(tmp_path, capsys, old, new, sentence):
    file = tmp_path / "ours.toml"
    assert old in CRAG
    file.write_text(CRAG.replace('id = "crag"', 'id = "ours"').replace(old, new), encoding="utf-8")
    assert run(["rules", "check", str(file)]) == 2
    assert sentence in capsys.readouterr().err


def test_a_game_beyond_any_budget_is_told_before_it_begins(tmp_path, capsys):
    file, sums = tmp_path / "ours.toml", ""
    for n in range(40):
        sums += f'[[box]]\ncategory = "b{n}"\npattern = "sum"\nfaces = [{n % 6 + 1}]\nlabel = "B{n}"\n'
        sums += f"plus = {n}\n"
    names = json.dumps([f"b{n}" for n in range(39)])
    bonus = f"[bonus]\nboxes = {names}\nthreshold = 500\npoints = 50\n"
    file.write_text(f'id = "ours"\ntitle = "Ours"\nthrows = 3\n{bonus}{sums}', encoding="utf-8")
    assert run(["rules", "check", str(file)]) == 0
    assert "sheets, too many to solve, even in parts" in capsys.readouterr().out
    asked = ["--rules", str(file), "--data", str(tmp_path)]
    for command in (["hint", "--dice", "1,2,3,4,5", "--rolls-left", "2"], ["value"], ["simulate"]):
        assert run([*command, *asked]) == 2
        assert "too many different score sheets for advice" in capsys.readouterr().err
    advisor, rules = Advisor(tmp_path), rule_sets.find(str(file))
    assert advisor.solution(rules) is None
    assert "it can be played" in in_words(advisor.preparation(rules).message)
    assert "it can be played" in in_words(advisor.odds(rules, AdviceSituation([Sheet(), Sheet()], 0)).message)


@pytest.mark.thorough
def test_games_are_simulated(tmp_path, data, capsys):
    picture = tmp_path / "scores.svg"
    arguments = ["simulate", "--rules", "crag", "--players", "perfect,0", "--games", "400"]
    assert run([*arguments, "--picture", str(picture), "--json", "--data", str(data)]) == 0
    best, worst = json.loads(capsys.readouterr().out)["players"]
    assert best["mean"] == pytest.approx(149.85, abs=2 * best["error"])
    assert worst["mean"] < best["mean"]
    assert best["won"] + worst["won"] == pytest.approx(1)
    assert picture.read_text(encoding="utf-8").count("<polyline") == 2
    assert run([*arguments[:-1], "4", "--data", str(data)]) == 0
    assert "points on average" in capsys.readouterr().out
    assert run(["simulate", "--rules", "crag", "--players", "clever"]) == 2


@pytest.mark.thorough
def test_who_plays_to_win_is_simulated_at_one_table(tmp_path, capsys):
    file = tmp_path / "ours.toml"
    boxes = "".join(f'[[box]]\ncategory = "{each}"\nlabel = "{each}"\n' for each in ("sixes", "choice"))
    file.write_text(f'id = "ours"\ntitle = "Ours"\nthrows = 2\n{boxes}', encoding="utf-8")
    asked = ["simulate", "--games", "60", "--json", "--data", str(tmp_path), "--rules"]
    assert run([*asked, str(file), "--players", "0,to-win"]) == 0
    found = json.loads(capsys.readouterr().out)["players"]
    assert [each["player"] for each in found] == ["0", "to-win"]
    assert found[1]["won"] > 0.5
    assert run([*asked, str(file), "--players", "to-win"]) == 0  # alone nobody wins: for points
    alone = json.loads(capsys.readouterr().out)["players"][0]
    assert run([*asked, str(file), "--players", "perfect"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0] == {**alone, "player": "perfect"}
    assert run([*asked, "yams", "--players", "perfect,to-win"]) == 2
    assert "no advice to win" in capsys.readouterr().err


@pytest.mark.thorough
def test_positions_are_answered_line_by_line(tmp_path, data, capsys):
    file = tmp_path / "positions.jsonl"
    asked = [
        {"dice": [1, 6, 6], "rolls_left": 0},
        {"dice": [1, 6, 6], "rolls_left": 0, "boxes": {"crag": 50}},
        {"dice": [1, 6], "rolls_left": 0},
        {"rolls_left": 0},
    ]
    file.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    assert run(["hint", "--rules", "crag", "--batch", str(file), "--data", str(data)]) == 2
    first, second, third, fourth = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["boxes"][0]["category"] == "crag"
    assert "exact" not in first
    assert "crag" not in {each["category"] for each in second["boxes"]}
    assert (third["line"], third["error"]["code"]) == (3, "input/bad")
    assert fourth["line"] == 4
    assert run(["hint", "--rules", "crag"]) == 2


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"dice": [1, 6, 6], "rolls_left": 1.5}', "request/invalid"),
        ('{"dice": [1, 6, 6], "rolls_left": "1"}', "request/invalid"),
        ('{"dice": [1, 6, 6], "rolls_left": null}', "request/invalid"),
        ('{"dice": [1, 6, 6], "rolls_left": 0, "upper": Infinity}', "request/invalid"),
        ('{"dice": [1, 6, 6], "rolls_left": 0, "boxes": {"crag": 1e400}}', "request/invalid"),
        ('{"dice": [1, 6, 6], "rolls_left": 0, "saved": 3}', "position/saved"),
        ('{"dice": [1, 6, 6], "rolls_left": 0, "colour": 1}', "request/invalid"),
        ("[1]", "request/bad"),
        ("[" * 200_000, "input/bad"),
    ],
    ids=lambda line: line[:60],
)
def test_a_line_that_is_no_position_keeps_no_other_from_its_answer(tmp_path, data, capsys, line, code):
    file = tmp_path / "positions.jsonl"
    good = '{"dice": [1, 6, 6], "rolls_left": 0}'
    file.write_text(f"{good}\n{line}\n{good}\n", encoding="utf-8")
    assert run(["hint", "--rules", "crag", "--batch", str(file), "--data", str(data)]) == 2
    first, second, third = map(json.loads, capsys.readouterr().out.splitlines())
    assert (second["line"], second["error"]["code"]) == (2, code)
    assert first == third


def test_an_answer_nobody_takes_is_not_blamed_on_the_positions(tmp_path, data, monkeypatch):
    file = tmp_path / "positions.jsonl"
    file.write_text('{"dice": [1, 6, 6], "rolls_left": 0}\n', encoding="utf-8")

    def closed(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("click.echo", closed)
    with pytest.raises(BrokenPipeError):
        run(["hint", "--rules", "crag", "--batch", str(file), "--data", str(data)])


def test_positions_of_an_input_that_is_closed(data, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    assert run(["hint", "--rules", "crag", "--batch", "-", "--data", str(data)]) == 2
    assert capsys.readouterr().err.startswith("yacht: - cannot be read")


def test_the_value_says_whether_it_is_exact(data, capsys):
    assert run(["value", "--rules", "crag", "--json", "--data", str(data)]) == 0
    assert json.loads(capsys.readouterr().out) == {"value": pytest.approx(149.847593)}


@pytest.mark.slow
def test_the_value_of_a_large_game_has_its_error(tmp_path, capsys):
    arguments = ["value", "--rules", "yams", "--games", "100", "--data", str(tmp_path)]
    assert run([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["exact"], found["games"]) == (False, 100)
    assert 0 < found["error"] < 30
    assert found["value"] == pytest.approx(495, abs=2 * found["error"])
    asked = ["hint", "--rules", "yams", "--dice", "1,2,4,4,6", "--rolls-left", "2", "--data", str(tmp_path)]
    assert run([*asked, "--json"]) == 0
    hint = json.loads(capsys.readouterr().out)
    assert hint["exact"] is False
    assert hint["error"] == pytest.approx(found["error"], rel=0.01)
    assert hint["holds"][0]["value"] == pytest.approx(found["value"], abs=15)
    assert run(asked) == 0
    assert "give or take" in capsys.readouterr().err


GAME = """start 1 1 crag "Ana"
roll 1 6 6
box crag
roll 1 2 3
hold 1 2
roll 1 2 6
box ones
"""


def test_each_decision_of_a_game_is_told(tmp_path, data, capsys):
    file = tmp_path / "game.txt"
    house = json.dumps(CRAG)
    file.write_text(GAME.replace('"Ana"', f'"Ana" with {house}'), encoding="utf-8")
    assert run(["review", str(file), "--data", str(data)]) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[0].startswith("Ana: 51 points")
    assert len(output) == 4
    assert run(["review", str(file), "--json", "--data", str(data)]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["score"] == 51
