"""House rules from TOML: what is read, and how it scores."""

import re

import pytest

from messages.errors import BadInputError
from station.commands import rule_sets
from station.rules import Entry, Sheet, built_in, built_in_ids, fill, potentials, sheet_totals
from station.rules.builtin import BUILTIN
from station.rules.house import CATEGORIES, parse_rules
from station.rules.reach import reach
from station.rules.ruleset import Bonus, Counts
from station.rules.scoring.number import Number
from station.rules.scoring.straight import Exactly
from station.rules.sentences import describe
from station.rules.written import to_toml
from tests.conftest import ROOT
from tests.rules.house_files import BONUS, COLUMNS, EVERYTHING, FULL_HOUSE, GOOD, IN_COLUMNS
from tests.wording import in_words


def test_a_whole_file_is_read():
    found = parse_rules(GOOD, "grandma.toml")
    assert found.id == "grandma"
    assert found.throws == 4
    assert found.players == (2, 6)
    assert (found.bonus.threshold, found.bonus.points) == (20, 10)
    assert found.joker == "wild"
    assert found.categories == ("sixes", "four-of-a-kind", "full-house", "small-straight", "yacht")
    assert potentials(found, Sheet(), (6, 6, 6, 6, 6), 4) == {
        "sixes": 30, "four-of-a-kind": 24, "full-house": 25, "small-straight": 0, "yacht": 60,
    }  # fmt: skip
    assert potentials(found, Sheet(), (1, 2, 3, 4, 6), 1)["small-straight"] == 20


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("throws = 4", "throws = 1"),
        ("throws = 4", "throws = 10"),
        ("players = [2, 6]", "players = [1, 1]"),
        ("players = [2, 6]", "players = [20, 20]"),
        (BONUS, "[bonus]\nthreshold = 1\npoints = 1"),
        (BONUS, "[bonus]\nthreshold = 30\npoints = 1000"),
        ("points = 60", "points = 0"),
        ("points = 60", "points = 1000"),
        ("first_throw_points = 20", "first_throw_points = 15"),
        ("first_throw_points = 20", "first_throw_points = 1000"),
        ('"wild"\npoints = 20', '"wild"\npoints = 0'),
        ('label = "Sixes"', f'label = "{"x" * 24}"'),
        ('title = "Yacht as Grandma plays it"', f'title = "{"x" * 200}"'),
    ],
)
def test_the_ends_of_a_range_belong_to_it(old, new):
    assert GOOD.count(old) == 1
    assert parse_rules(GOOD.replace(old, new)).id == "grandma"


BY_THROW = """
id = "by-throw"
title = "Early pays"
throws = 3
[[box]]
category = "sixes"
label = "Sixes"
served = [20, 10]
[[box]]
category = "choice"
label = "All"
"""


def test_any_box_may_pay_by_the_number_of_the_throw():
    found = parse_rules(BY_THROW)
    dice = (6, 6, 1, 2, 3)
    assert [found.boxes[0].score(dice, throw).points for throw in (1, 2, 3)] == [32, 22, 12]
    assert [potentials(found, Sheet(), (1, 2, 3, 4, 5), throw)["sixes"] for throw in (1, 2, 3)] == [0, 0, 0]
    assert "from the first on, so many more: 20, 10" in in_words(describe(found)[3])
    assert found.boxes[0].throws_told_apart(3) == (1, 2, 3)
    assert reach(found.boxes[0], 5, 3) == (0, 50)


@pytest.mark.parametrize("kind", ["complete = true\npoints = 40", "each_box = 5"])
@pytest.mark.parametrize("never", ["factor = -2", 'pattern = "yacht"\npoints = 0'])
def test_a_bonus_for_a_box_that_never_holds_points_is_refused(kind, never):
    head, sixes, choice = BY_THROW.partition("[[box]]")
    file = f'{head}{sixes}{choice.replace("served = [20, 10]", never)}[[bonus]]\nboxes = ["sixes"]\n{kind}\n'
    with pytest.raises(BadInputError, match=r"this bonus can never come, for Sixes never holds points"):
        parse_rules(file)
    parse_rules(file.replace(never, ""))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[20, 10]", "[4, 3, 2, 1]", "more throws than a turn has, 3"),
        ("[20, 10]", "[20, -10]", "served"),
        ("[20, 10]", "[20, 10]\nannounced = true", "do not go together"),
        ("throws = 3", "throws = 3\nsaved_throws = true", "do not go together"),
    ],
)
def test_points_by_throw_that_cannot_be_played_are_refused(old, new, told):
    with pytest.raises(BadInputError, match=told):
        parse_rules(BY_THROW.replace(old, new))


def test_every_key_is_read():
    found = parse_rules(EVERYTHING)
    assert (found.dice, found.throws, found.players) == (6, 3, (2, 4))
    assert (found.bonus_only, found.simultaneous, found.first_throw_yacht_wins) == (True, True, False)
    assert found.first_die == "highest"
    again, yacht = found.boxes[1], found.boxes[3]
    assert (again.category, in_words(again.label)) == ("sixes-2", "Sixes 2")
    assert (found.boxes[2].factor, found.boxes[2].optional) == (3, True)
    assert (yacht.plus, yacht.served, yacht.after, yacht.optional) == (7, 5, "choice", False)
    choice, every = ("choice",), found.categories
    assert found.bonuses == (
        Bonus(((20, 10),)),
        Bonus(boxes=("sixes", "sixes-2"), par=(18, 12), each=3),
        Bonus(boxes=choice, par=(9,), each=1),
        Bonus(boxes=("choice", "yacht"), each_box=4, counts=Counts.END),
        Bonus(((1, 40),), every, complete=True),
        Bonus(((0, -3), (50, 6)), ("yacht",)),
    )


def test_columns_multiply_boxes_and_what_their_bonus_brings():
    found = parse_rules(EVERYTHING.replace("[[box]]", COLUMNS + "[[box]]", 1))
    assert [(column.id, column.order) for column in found.columns] == [("down", "down"), ("free", "free")]
    down = [box for box in found.boxes if box.column == "down"]
    assert [(box.category, box.factor, box.after) for box in down] == [
        ("down-sixes", 2, ""),
        ("down-sixes-2", 2, ""),
        ("down-choice", 6, ""),
        ("down-yacht", 2, "down-choice"),
    ]
    assert [bonus for bonus in found.bonuses if bonus.boxes[0].startswith("down")] == [
        Bonus(((40, 20),), ("down-sixes", "down-sixes-2")),
        Bonus(boxes=("down-sixes", "down-sixes-2"), par=(36, 24), each=3),
        Bonus(boxes=("down-choice",), par=(18,)),
        Bonus(boxes=("down-choice", "down-yacht"), each_box=8, counts=Counts.END),
        Bonus(((1, 40),), found.categories, complete=True),
        Bonus(((0, -6), (100, 12)), ("down-yacht",)),
    ]


def test_a_bonus_for_all_boxes_is_one_for_all_columns():
    text = EVERYTHING.partition("[[box]]")[0] + COLUMNS + IN_COLUMNS
    steps, par = (bonus for bonus in parse_rules(text).bonuses if len(bonus.boxes) == 6)
    assert (steps.threshold, par.par) == (40, (18, 20, 22, 9, 10, 11))
    full = Sheet(tuple(Entry(category, 20) for category in par.boxes))
    assert sheet_totals(parse_rules(text), full).bonus == 10 + 5 + 6 + 2 * 30 + 2 + 21 + 8 + 4 + 80 + 40
    with pytest.raises(BadInputError, match="of 379 is out of reach: these boxes hold at most 378"):
        parse_rules(text.replace("[40, -3]", "[379, -3]").replace("[70, 6]", "[380, 6]"))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("par = [9]", "par = [-1]",
         "'par' must be a list of 1 to 60 whole numbers from 0 to 1000, not [-1]."),
        ("par = [9]", "par = 9", "'par' must be a list of 1 to 60 whole numbers from 0 to 1000, not 9."),
        ("[[0, -3], [50, 6]]", "[[0, true]]", "'steps' must be a list of pairs of whole numbers, as in"),
        ("[[0, -3], [50, 6]]", "[[9, 1], [3, 2]]", "'steps' must rise"),
        ("simultaneous = true", "simultaneous = true\nsaved_throws = true",
         "line 8, column 16: saved throws and points by the number of the throw do not go together"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_list_is_shown(old, new, reason):
    assert EVERYTHING.count(old) == 1
    with pytest.raises(BadInputError) as refused:
        parse_rules(EVERYTHING.replace(old, new))
    assert reason in in_words(refused.value.message)


@pytest.mark.parametrize(("paid", "points"), [("points = 25", 25), ('points = "sum"', 20), ("", 14)])
def test_groups_bring_what_their_file_says(paid, points):
    box = f'[[box]]\ncategory="groups"\nlabel="Two pairs"\nsizes=[2, 2]\n{paid}'
    assert potentials(parse_rules(f'id="a"\ntitle="A"\nthrows=3\n{box}'), Sheet(), (2, 2, 5, 5, 6)) == {
        "groups": points
    }


def test_factors_late_bonuses_and_sums_are_told_in_words():
    bonus = '[bonus]\nthreshold = 6\npoints = 10\ncounts = "filled"\n'
    sixes = '[[box]]\ncategory = "sixes"\nlabel = "Sixes"\nfactor = 2\n'
    some = '[[box]]\ncategory = "sum"\nlabel = "Some"\nfaces = [4, 5]\n'
    found = parse_rules(f'id="a"\ntitle="A"\nthrows=3\n{bonus}{sixes}{some}')
    told = [in_words(line) for line in describe(found)]
    assert told[3].endswith("the sum of the 6s, times 2")
    assert told[4].endswith("the sum of the dice that show 4 or 5")
    assert told[5].endswith(", added once all of these boxes are filled")


def test_what_may_be_left_out():
    found = parse_rules('id="a"\ntitle="A"\nthrows=3\n[[box]]\ncategory="choice"\nlabel="All"')
    assert (found.bonuses, found.players, found.joker, found.extra_yacht) == ((), (1, 12), "none", 0)
    assert in_words(found.starts) == "the players agree who starts"
    assert str(found.source) == "house rules"


def test_every_category_can_be_used_and_is_written_as_it_is_read():
    more = {
        "pair": 'points="sum"', "four-of-a-kind": 'points="matching"', "full-house": FULL_HOUSE,
        "alike": 'points="matching"\nlength=5', "groups": 'points="sum"\nsizes=[3, 2]', "two-pairs": "",
        "only": 'points="sum"\nfaces=[2, 3]', "total": "points=26\nleast=13\nmost=13\nlength=1",
        "different": "points=5\nfaces=4", "run": "points=5\nlength=3", "exactly": "points=5\nfaces=[1, 2, 4]",
        "sum": "faces=[4, 5]", "counted": "faces=[6]\ntable=[0, 1, 4]",
    }  # fmt: skip
    keys = {
        category: more.get(category, "points=5" if hasattr(pattern, "points") else "")
        for category, pattern in CATEGORIES.items()
    }
    text = 'id="a"\ntitle="A"\nsource="us"\nstarts="the youngest"\nthrows=3\n'
    text += "".join(f'[[box]]\ncategory="{each}"\nlabel="{each}"\n{more}\n' for each, more in keys.items())
    found = parse_rules(text)
    assert found.categories == tuple(keys)
    assert (found.source, found.starts) == ("us", "the youngest")
    assert scorings(parse_rules(to_toml(found))) == scorings(found)


def scorings(rule_set):
    return [box.scoring for box in rule_set.boxes]


@pytest.mark.parametrize("rules_id", built_in_ids())
def test_boxes_that_come_with_the_station_are_written_as_they_are_read(rules_id):
    assert scorings(parse_rules(to_toml(built_in(rules_id)))) == scorings(built_in(rules_id))


@pytest.mark.parametrize("box", {box.scoring: box for rules in BUILTIN for box in rules.boxes}.values())
def test_the_example_of_a_pattern_scores(box):
    if not isinstance(box.scoring, Exactly | Number):  # of which each needs faces of its own
        assert box.scoring.score(box.scoring.example, 3).points > 0


@pytest.mark.parametrize(("category", "points"), [("little-straight", 15), ("straight", 15)])
def test_a_wild_yacht_stands_for_any_straight(category, points):
    found = parse_rules(GOOD.replace("small-straight", category))
    yachts = Sheet((Entry("yacht", 60),))
    assert potentials(found, yachts, (3, 3, 3, 3, 3), 4)[category] == points
    assert sheet_totals(found, fill(found, yachts, category, (3, 3, 3, 3, 3), 4)).extra == 20


def test_the_documentation_lists_every_category():
    text = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (`.*?) \| .*? \| (.*) \| (`.*`) \|$", text[text.index("| pattern |") :], flags=re.MULTILINE
    )
    listed = {category: keys for first, keys, _ in rows for category in re.findall(r"`([\w-]+)`", first)}
    assert set(listed) >= set(CATEGORIES)
    for rules in BUILTIN:
        for scoring in (box.scoring for box in rules.boxes):
            told = listed[scoring.name]
            assert all(f"`{key}`" in told for key in set(scoring.settings()) - {"first_throw_points"})
    for example in (each for _, _, each in rows):
        box = example.strip("`").replace("; ", "\n")
        dice = 6 if "1, 2, 3, 4, 5, 6" in box else 5
        parse_rules(f'id="a"\ntitle="A"\nthrows=3\ndice={dice}\n[[box]]\nlabel="A"\n{box}')


def test_files_are_found_by_their_name(tmp_path):
    path = tmp_path / "ours.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert rule_sets.find(str(path)) == parse_rules(GOOD)
    assert rule_sets.find("lawn") == built_in("lawn")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(BadInputError, match="cannot be read: No such file"):
        rule_sets.find(str(tmp_path / "none.toml"))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInputError, match="is not a text in UTF-8"):
        rule_sets.find(str(tmp_path / "binary.toml"))


def test_the_two_examples_of_the_documentation_are_whole():
    text = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    assert [parse_rules(example).id for example in examples] == ["our-yacht", "quick-yacht"]
