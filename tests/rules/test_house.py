"""House rules from TOML: what is read, and how it scores."""

import re

import pytest

from messages.errors import BadInputError
from station.commands import rule_sets
from station.rules import Entry, Sheet, built_in, built_in_ids, fill, potentials, sheet_totals
from station.rules.builtin import BUILTIN
from station.rules.house import CATEGORIES, parse_rules
from station.rules.reach import reach
from station.rules.scoring.number import Number
from station.rules.scoring.straight import Exactly
from station.rules.sentences import describe
from station.rules.written import to_toml
from tests.conftest import ROOT
from tests.rules.house_files import BY_THROW, COLUMNS, EVERYTHING, FULL_HOUSE, GOOD, IN_COLUMNS
from tests.wording import in_words


def test_a_whole_file_is_read():
    found = parse_rules(GOOD, "grandma.toml")
    assert potentials(found, Sheet(), (6, 6, 6, 6, 6), 4) == {
        "sixes": 30, "four-of-a-kind": 24, "full-house": 25, "small-straight": 0, "yacht": 60,
    }  # fmt: skip
    assert potentials(found, Sheet(), (1, 2, 3, 4, 6), 1)["small-straight"] == 20


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


def test_a_bonus_for_all_boxes_is_one_for_all_columns():
    text = EVERYTHING.partition("[[box]]")[0] + COLUMNS + IN_COLUMNS
    steps, par = (bonus for bonus in parse_rules(text).bonuses if len(bonus.boxes) == 6)
    assert (steps.threshold, par.par) == (40, (18, 20, 22, 9, 10, 11))
    full = Sheet(tuple(Entry(category, 20) for category in par.boxes))
    assert sheet_totals(parse_rules(text), full).bonus == 10 + 5 + 6 + 2 * 30 + 2 + 21 + 8 + 4 + 80 + 40
    with pytest.raises(BadInputError, match="of 379 is out of reach: these boxes hold at most 378"):
        parse_rules(text.replace("[40, -3]", "[379, -3]").replace("[70, 6]", "[380, 6]"))


@pytest.mark.parametrize(("paid", "points"), [("points = 25", 25), ('points = "sum"', 20), ("", 14)])
def test_groups_bring_what_their_file_says(paid, points):
    box = f'[[box]]\ncategory="groups"\nlabel="Two pairs"\nsizes=[2, 2]\n{paid}'
    assert potentials(parse_rules(f'id="a"\ntitle="A"\nthrows=3\n{box}'), Sheet(), (2, 2, 5, 5, 6)) == {
        "groups": points
    }


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
