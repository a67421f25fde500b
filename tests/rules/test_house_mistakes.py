"""What is wrong in house rules is refused with its line and its reason."""

import re

import pytest

from messages.errors import BadInputError
from station.rules.house import parse_rules
from station.rules.key_depth import deepest_key
from station.rules.scoring.number import Number
from tests.rules.house_files import BONUS, CLASH, GOOD
from tests.wording import in_words


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
        ('label = "Sixes"', f'label = {{en = "{"x" * 25}"}}', 13, "'en' must be a text of 1 to 24"),
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
        ("[bonus]", '[[column]]\nid = "Down"\nlabel = "Down"\n[bonus]', 6,
         "'id' of a column must be small letters, digits and hyphens, and another one for each, not 'Down'."),
        ("threshold = 20", "threshold = 20\nboxes = [1]", 7, "'boxes' must be a list of names of boxes, or"),
        ('label = "Four"', 'label = "Four"\nafter = "total"', 17,
         "no box 'total' stands above this one; there are sixes"),
    ],
)  # fmt: skip
def test_a_mistake_is_refused_with_its_line_and_reason(old, new, line, reason):
    assert GOOD.count(old) == 1
    with pytest.raises(BadInputError) as refused:
        parse_rules(GOOD.replace(old, new), "grandma.toml")
    told = re.sub(r", column \d+:", ":", in_words(refused.value.message), count=1)
    assert told.startswith(f"grandma.toml, line {line}: {reason}")
    assert refused.value.code == "rules/bad_file"


def test_more_boxes_than_a_sheet_has_room_for_are_refused():
    rows = [f'[[box]]\ncategory = "{name}"\nlabel = "{name}"\ncount = 10\n' for name in Number.variants]
    full = "".join(['id = "full"\ntitle = "Full"\nthrows = 3\n', *rows])
    assert len(parse_rules(full).boxes) == 60
    with pytest.raises(BadInputError, match="line 28, column 1: there are more than 60"):
        parse_rules(full + '[[box]]\ncategory = "choice"\nlabel = "Choice"\n')
    with pytest.raises(BadInputError, match="line 31, column 9: there are more than 60"):
        parse_rules(full + '[[box]]\ncategory = "choice"\nlabel = "Choice"\ncount = 2\n')


def test_more_boxes_than_that_in_all_columns_are_refused():
    head = 'id = "full"\ntitle = "Full"\nthrows = 3\n'
    columns = "".join(f'[[column]]\nid = "c{i}"\nlabel = "C{i}"\n' for i in range(6))
    box = '[[box]]\ncategory = "choice"\nlabel = "Choice"\ncount = 10\n'
    assert len(parse_rules(head + columns + box).boxes) == 60
    with pytest.raises(BadInputError) as refused:
        parse_rules(head + columns + box + '[[box]]\ncategory = "ones"\nlabel = "Ones"\n')
    assert "there are more than 60 tables 'box'" in in_words(refused.value.message)


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


@pytest.mark.parametrize("letter", ["x", "é"])
def test_a_text_larger_than_64_kb_is_refused_and_the_largest_is_not(letter):
    room = 64 * 1024 - len(GOOD.encode()) - len("\n# ")
    fits = f"{GOOD}\n# {letter * (room // len(letter.encode()))}"
    assert parse_rules(fits).id == parse_rules(GOOD).id
    with pytest.raises(BadInputError) as refused:
        parse_rules(fits + 2 * letter)
    assert in_words(refused.value.message) == "House rules cannot be larger than 64 kB."


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


def test_throws_are_not_saved_where_a_first_throw_pays_more():
    saving = GOOD.replace("throws = 4", "throws = 4\nsaved_throws = true")
    assert parse_rules(saving.replace("first_throw_points = 20\n", "")).saved_throws
    with pytest.raises(BadInputError) as refused:
        parse_rules(saving)
    assert "do not go together" in in_words(refused.value.message)


def test_boxes_are_not_announced_where_all_play_at_once():
    announced = GOOD.replace('label = "Sixes"', 'label = "Sixes"\nannounced = true')
    assert parse_rules(announced).boxes[0].announced
    for alone in ("simultaneous", "saved_throws"):
        file = announced.replace("throws = 4", f"throws = 4\n{alone} = true")
        with pytest.raises(BadInputError) as refused:
            parse_rules(file.replace("first_throw_points = 20\n", ""))
        assert "boxes that are announced need more than one throw a turn" in in_words(refused.value.message)


def test_a_first_throw_of_one_die_does_not_win():
    file = """\
id = "one"
title = "One die"
first_throw_wins = true
throws = 3
dice = 2
[[box]]
category = "choice"
label = "Any"
"""
    assert parse_rules(file).first_throw_yacht_wins
    with pytest.raises(BadInputError) as refused:
        parse_rules(file.replace("dice = 2", "dice = 1"))
    assert "line 3, column 20: every first throw of one die would win." in in_words(refused.value.message)


@pytest.mark.parametrize(
    ("without", "told"),
    [
        ("", (1, 1, "all-optional")),
        ("optional", (4, 16, "saved-served")),
        ("optional served", (4, 16, "saved-served")),
        ("optional served first_throw_p", (4, 16, "saved-alone")),
        ("optional saved", (5, 20, "first-throw-together")),
        ("optional saved first_throw_w", (1, 1, "announced-alone")),
        ("optional saved first_throw_w simultaneous", (1, 1, "announced-served")),
        ("optional saved first_throw_w simultaneous announced", (4, 14, "count-nothing")),
    ],
)
def test_what_cannot_be_played_together_is_refused(without, told):
    lines = [line for line in CLASH.splitlines() if not line.startswith(tuple(without.split()))]
    with pytest.raises(BadInputError) as refused:
        parse_rules("\n".join(lines))
    values = refused.value.message.values
    assert (values["line"], values["column"], values["reason"].key.partition("/")[2]) == told
    assert parse_rules("\n".join(lines), as_played=True).id == "clash"
