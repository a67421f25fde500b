"""House rules from TOML: what is read, and what is refused with its line and its reason."""

import re

import pytest

from messages.errors import BadInputError
from station.commands import rule_sets
from station.rules import Entry, Sheet, built_in, built_in_ids, fill, potentials, sheet_totals
from station.rules.builtin import BUILTIN
from station.rules.house import CATEGORIES, parse_rules
from station.rules.key_depth import deepest_key
from station.rules.reach import reach
from station.rules.ruleset import Bonus
from station.rules.scoring.number import Number
from station.rules.scoring.straight import Exactly
from station.rules.sentences import describe
from tests.conftest import ROOT
from tests.wording import in_words
from web.rules.as_toml import to_toml

FULL_HOUSE = 'points="sum"\nfive_of_a_kind=false'
BONUS = "[bonus]\nthreshold = 20\npoints = 10"
GOOD = """\
id = "grandma"
title = "Yacht as Grandma plays it"
throws = 4
players = [2, 6]
[bonus]
threshold = 20
points = 10
[further_yachts]
joker = "wild"
points = 20
[[box]]
category = "sixes"
label = "Sixes"
[[box]]
category = "four-of-a-kind"
label = "Four"
points = "matching"
[[box]]
category = "full-house"
label = "House"
points = 25
five_of_a_kind = true
[[box]]
category = "small-straight"
label = "Row"
points = 15
first_throw_points = 20
[[box]]
category = "yacht"
label = "Yacht"
points = 60
"""


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


EVERYTHING = """\
id = "all"
title = "Everything that can be said"
throws = 3
dice = 6
players = [2, 4]
count_only = "bonus"
simultaneous = true
first_throw_wins = false
first_die = "highest"
[[box]]
category = "sixes"
label = "Sixes"
count = 2
[[box]]
category = "choice"
label = "All"
factor = 3
optional = true
[[box]]
category = "yacht"
label = "Yacht"
points = 50
plus = 7
served = 5
after = "choice"
[[bonus]]
threshold = 20
points = 10
[[bonus]]
boxes = ["sixes"]
par = [18, 12]
each = 3
[[bonus]]
boxes = ["choice"]
par = [9]
[[bonus]]
boxes = ["choice", "yacht"]
each_box = 4
[[bonus]]
boxes = "all"
complete = true
points = 40
[[bonus]]
boxes = ["yacht"]
steps = [[0, -3], [50, 6]]
"""


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
        Bonus(boxes=("choice", "yacht"), each_box=4),
        Bonus(((1, 40),), every, complete=True),
        Bonus(((0, -3), (50, 6)), ("yacht",)),
    )


def test_columns_multiply_boxes_and_what_their_bonus_brings():
    columns = (
        '[[column]]\nid = "down"\nlabel = "Down"\norder = "down"\nfactor = 2\n'
        '[[column]]\nid = "free"\nlabel = "Free"\n'
    )
    found = parse_rules(EVERYTHING.replace("[[box]]", columns + "[[box]]", 1))
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
        Bonus(boxes=("down-choice", "down-yacht"), each_box=8),
        Bonus(((1, 40),), found.categories, complete=True),
        Bonus(((0, -6), (100, 12)), ("down-yacht",)),
    ]


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


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("throws = 4", "throws = ", 3, "this is not TOML: Invalid value."),
        ('title = "Yacht as Grandma plays it"', "", 1, "'title' is missing"),
        ("throws = 4", "", 1, "'throws' is missing"),
        ("throws = 4", "throws = 0", 3, "'throws' must be a whole number from 1 to 10, not 0"),
        ("throws = 4", "throws = true", 3, "'throws' must be a whole number from 1 to 10, not True"),
        ("throws = 4", "throws = 4\ncolour = 1", 4,
         "the key 'colour' is not known here; known are id, title, source, starts, first_die, "),
        ('id = "grandma"', 'id = "Grand ma"', 1, "'id' must be small letters, digits"),
        ('id = "grandma"', '\nid = "Grand ma"', 2, "'id' must be small letters, digits and hyphens"),
        ('id = "grandma"', '\nid = "world-51"', 2, "'world-51' comes with the station"),
        ('id = "grandma"', 'id = "world-51"', 1, "'world-51' comes with the station"),
        ('id = "grandma"', 'id = ""', 1, "'id' must be a text of 1 to 24 characters, not ''"),
        ("throws = 4", "throws = 11", 3, "'throws' must be a whole number from 1 to 10, not 11."),
        ("throws = 4", "# a remark\n\nthrows = 0", 5, "'throws' must be a whole number"),
        ("throws = 4", f"throws = 0x{'f' * 5000}", 3, "'throws' must be a whole number from 1 to 10, not …."),
        ("players = [2, 6]", "players = [0, 6]", 4, "'players' must lie within 1 and 20"),
        ("players = [2, 6]", "players = [2, 21]", 4, "'players' must lie within 1 and 20"),
        ("players = [2, 6]", "players = [2, 3, 6]", 4, "'players' must be [fewest, most], not [2, 3, 6]."),
        ("players = [2, 6]", "players = [6, 2]", 4,
         "'players' must lie within 1 and 20, fewest first, not [6, 2]."),
        ("players = [2, 6]", "players = 6", 4, "'players' must be [fewest, most], not 6"),
        ("threshold = 20", "", 5, "'threshold' is missing"),
        ("threshold = 20", "threshold = 31", 6,
         "a threshold of 31 is out of reach: these boxes hold at most 30."),
        ("threshold = 20\npoints = 10", "steps = [[31, 10], [40, 11]]", 6, "a threshold of 31 is out of"),
        ('category = "sixes"', 'category = "sixes"\nafter = "yacht"', 13, "no box stands above the first"),
        ("points = 10\n", "points = 0\n", 7, "'points' must be a whole number from 1 to 1000, not 0."),
        ("threshold = 20\npoints = 10", "threshold = 0\npoints = 10", 6,
         "'threshold' must be a whole number from 1"),
        (BONUS, "bonus = {threshold = 20, points = 0}", 5, "'points' must be a whole number"),
        (BONUS, "bonus.threshold = 20\nbonus.points = 0", 5, "'points' must be a whole number"),
        (BONUS, "bonus = 10", 5, "'bonus' must be a table, written as [bonus]."),
        ('joker = "wild"', 'joker = "maybe"', 9, "'joker' must be 'none', 'wild' or 'forced', not 'maybe'"),
        ('category = "sixes"', 'category = "sevens"', 12, "'category' must be 'ones', 'twos', 'threes'"),
        ('label = "Sixes"', 'label = ""', 13, "'label' must be a text of 1 to 24 characters, not ''."),
        ('label = "Sixes"', f'label = "{"x" * 25}"', 13, "'label' must be a text of 1 to 24 characters"),
        ('label = "Sixes"', "", 11, "'label' is missing"),
        ('label = "Sixes"', 'label = "Sixes"\npoints = 6', 14, "the key 'points' is not known here"),
        ('label = "Four"', 'label = "Sixes"', 16, "the label 'Sixes' is taken already"),
        ('"matching"', '"all"', 17, "'points' must be 'sum' or 'matching', not 'all'"),
        ('"full-house"', '"sixes"', 21, "the key 'points' is not known here"),
        ('"full-house"\nlabel = "House"\npoints = 25\nfive_of_a_kind = true', '"sixes"\nlabel = "Six"', 19,
         "the box 'sixes' is there already"),
        ("points = 25", 'points = "all"', 21, "'points' must be 'sum' or 'matching', not 'all'"),
        ("throws = 4", "throws = 4\nsimultaneous = true\nfirst_throw_wins = true", 5,
         "all alike in the first throw cannot win where all play with the same throws."),
        ("points = 25", "points = -1001", 21, "'points' must be a whole number from -1000 to 1000, not"),
        ("five_of_a_kind = true", "", 18, "'five_of_a_kind' is missing"),
        ("five_of_a_kind = true", "five_of_a_kind = 1", 22, "'five_of_a_kind' must be true or false, not 1"),
        ("first_throw_points = 20", "first_throw_points = 10", 27,
         "'first_throw_points' must be a whole number from 15 to 1000, not 10."),
        ('"yacht"', '"large-straight"', 8, "there are no further yachts without a box 'yacht'"),
        ("points = 60", "", 28, "'points' is missing"),
    ],
)  # fmt: skip
def test_a_mistake_is_refused_with_its_line_and_reason(old, new, line, reason):
    assert GOOD.count(old) == 1
    with pytest.raises(BadInputError) as refused:
        parse_rules(GOOD.replace(old, new), "grandma.toml")
    told = re.sub(r", column \d+:", ":", in_words(refused.value.message), count=1)
    assert told.startswith(f"grandma.toml, line {line}: {reason}")
    assert refused.value.code == "rules/bad_file"


@pytest.mark.parametrize(("category", "points"), [("little-straight", 15), ("straight", 15)])
def test_a_wild_yacht_stands_for_any_straight(category, points):
    found = parse_rules(GOOD.replace("small-straight", category))
    yachts = Sheet((Entry("yacht", 60),))
    assert potentials(found, yachts, (3, 3, 3, 3, 3), 4)[category] == points
    assert sheet_totals(found, fill(found, yachts, category, (3, 3, 3, 3, 3), 4)).extra == 20


@pytest.mark.parametrize("box", ["", "box = []", "box = 3", "box = [3]"])
def test_a_file_without_boxes_is_refused(box):
    with pytest.raises(BadInputError) as refused:
        parse_rules(f'id="a"\ntitle="A"\nthrows=3\n{box}')
    told = "'box' must be a list of tables, each written as [[box]]." if box else "'box' is missing."
    assert (
        in_words(refused.value.message)
        == f"house rules, line {4 if box else 1}, column {7 if box else 1}: {told}"
    )


def test_a_number_past_all_bounds_is_refused():
    with pytest.raises(BadInputError) as refused:
        parse_rules(f'id="a"\ntitle="A"\nthrows={"1" * 5000}', "grandma.toml")
    assert in_words(refused.value.message) == "grandma.toml: a number in it is far too long."
    assert refused.value.code == "rules/bad_file"


def test_a_text_that_breaks_off_names_its_last_line():
    with pytest.raises(BadInputError, match="line 2, column 11: this is not TOML"):
        parse_rules('id = "a"\ntitle = "A')


@pytest.mark.parametrize(
    "deep",
    [
        "x = " + "[" * 20_000,
        "id" + ".a" * 3_000 + " = 1",
        "id" + ".a" * 10 + " = 1",
        "id = [[[[[[[[[1]]]]]]]]]",
    ],
)
def test_a_text_that_is_nested_too_deep_is_refused(deep):
    with pytest.raises(BadInputError) as refused:
        parse_rules(deep)
    assert in_words(refused.value.message) == "house rules: this is nested deeper than any house rules."
    assert refused.value.code == "rules/bad_file"


@pytest.mark.parametrize(
    "value", ['"' + "a" * 50_000 + '"', "[" + "1, " * 9_000 + "]", "0x" + "f" * 5_000, "{a.b.c.d.e = 1}"]
)
def test_what_a_sentence_shows_of_a_value_is_short(value):
    with pytest.raises(BadInputError, match="must be a whole number from 1 to 10") as refused:
        parse_rules(f'id = "a"\ntitle = "A"\nthrows = {value}\n[[box]]\ncategory = "choice"\nlabel = "All"')
    assert len(str(refused.value)) < 200


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


@pytest.mark.parametrize(
    "text",
    [
        "a." * 29_999 + "a=1",
        '"a".' * 14_999 + "a=1",
        "a . " * 14_999 + "a=1",
        "x={" + "a." * 29_000 + "a=1}",
        "[" + "a." * 29_000 + "a]",
        "x = '''\n''' \n" + "'a'." * 12_000 + "a=1",
    ],
)
def test_deep_keys_are_refused_before_they_are_parsed(monkeypatch, text):
    monkeypatch.setattr("tomllib.loads", lambda _: pytest.fail("it was parsed"))
    with pytest.raises(BadInputError, match="nested deeper"):
        parse_rules(text)


def test_points_in_texts_and_comments_are_no_keys():
    for text in (
        'a = "1.2.3.4.5.6.7.8.9.10.11.12" # 1.2.3.4.5.6.7.8.9.10.11',
        "a = '''\n1.2.3.4.5.6.7.8.9.10\n'''",
        'a = """\n1.2.3.4.5.6.7.8.9.10 " "" \\""" 1.2.3.4.5.6.7.8.9.10"""',
        '"a.b.c.d.e.f.g.h.i.j" = 1',
    ):
        assert deepest_key(text) <= 2
