"""House rules that are refused as a whole, and why what cannot be played together is refused.

What is wrong in a single line is in `test_recorded_rules`.
"""

import pytest

from messages.errors import BadInputError
from station.rules.house import parse_rules
from station.rules.scoring.number import Number
from tests.rules.house_files import CLASH, GOOD
from tests.wording import in_words

HEAD = 'id = "full"\ntitle = "Full"\nthrows = 3\n'
CHOICE = '[[box]]\ncategory = "choice"\nlabel = "Choice"\n'


def refusal(text: str, name: str = "house rules") -> str:
    """The sentence with which that text is refused."""
    with pytest.raises(BadInputError) as refused:
        parse_rules(text, name)
    assert refused.value.code == "rules/bad_file"
    return in_words(refused.value.message)


def test_more_boxes_than_a_sheet_has_room_for_are_refused():
    rows = "".join(
        f'[[box]]\ncategory = "{name}"\nlabel = "{name}"\ncount = 10\n' for name in Number.variants
    )
    assert len(parse_rules(HEAD + rows).boxes) == 60
    assert "line 28, column 1: there are more than 60" in refusal(f"{HEAD}{rows}{CHOICE}")
    assert "line 31, column 9: there are more than 60" in refusal(f"{HEAD}{rows}{CHOICE}count = 2\n")
    columns = "".join(f'[[column]]\nid = "c{i}"\nlabel = "C{i}"\n' for i in range(6))
    ten = f"{HEAD}{columns}{CHOICE}count = 10\n"
    assert len(parse_rules(ten).boxes) == 60
    one_more = '[[box]]\ncategory = "ones"\nlabel = "Ones"\n'
    assert "there are more than 60 tables 'box'" in refusal(ten + one_more)


@pytest.mark.parametrize("box", ["", "box = []", "box = 3", "box = [3]"])
def test_a_file_without_boxes_is_refused(box):
    place, reason = "line 1, column 1", "'box' is missing."
    if box:
        place, reason = "line 4, column 7", "'box' must be a list of tables, each written as [[box]]."
    assert refusal(HEAD + box) == f"house rules, {place}: {reason}"


@pytest.mark.parametrize("letter", ["x", "é"])
def test_a_text_larger_than_64_kb_is_refused_and_the_largest_is_not(letter):
    room = 64 * 1024 - len(GOOD.encode()) - len("\n# ")
    fits = f"{GOOD}\n# {letter * (room // len(letter.encode()))}"
    assert parse_rules(fits).id == parse_rules(GOOD).id
    assert refusal(fits + 2 * letter) == "House rules cannot be larger than 64 kB."


def test_a_text_that_breaks_off_names_its_last_line():
    assert "line 2, column 11: this is not TOML" in refusal('id = "a"\ntitle = "A')


def test_a_number_past_all_bounds_is_refused():
    too_long = f'id="a"\ntitle="A"\nthrows={"1" * 5000}'
    assert refusal(too_long, "grandma.toml") == "grandma.toml: a number in it is far too long."


@pytest.mark.parametrize("deep", ["x = " + "[" * 20_000, "id = [[[[[[[[[1]]]]]]]]]"])
def test_lists_that_are_nested_too_deep_are_refused(deep):
    assert refusal(deep) == "house rules: this is nested deeper than any house rules."


@pytest.mark.parametrize(
    "text",
    [
        "id" + ".a" * 10 + " = 1",
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
    assert "nested deeper" in refusal(text)


@pytest.mark.parametrize(
    "value", ['"' + "a" * 50_000 + '"', "[" + "1, " * 9_000 + "]", "0x" + "f" * 5_000, "{a.b.c.d.e = 1}"]
)
def test_what_a_sentence_shows_of_a_value_is_short(value):
    sentence = refusal(f'id = "a"\ntitle = "A"\nthrows = {value}\n{CHOICE}')
    assert "must be a whole number from 1 to 10" in sentence
    assert len(sentence) < 200


def test_boxes_are_not_announced_where_all_play_at_once():
    announced = GOOD.replace('label = "Sixes"', 'label = "Sixes"\nannounced = true')
    assert parse_rules(announced).boxes[0].announced
    for alone in ("simultaneous", "saved_throws"):
        file = announced.replace("throws = 4", f"throws = 4\n{alone} = true").replace(
            "first_throw_points = 20\n", ""
        )
        assert "boxes that are announced need more than one throw a turn" in refusal(file)


def test_a_first_throw_of_one_die_does_not_win():
    file = f'id = "one"\ntitle = "One die"\nfirst_throw_wins = true\nthrows = 3\ndice = 2\n{CHOICE}'
    assert parse_rules(file).first_throw_yacht_wins
    one_die = file.replace("dice = 2", "dice = 1")
    assert "line 3, column 20: every first throw of one die would win." in refusal(one_die)


@pytest.mark.parametrize(
    ("without", "place_and_reason"),
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
def test_what_cannot_be_played_together_is_refused(without, place_and_reason):
    lines = [line for line in CLASH.splitlines() if not line.startswith(tuple(without.split()))]
    with pytest.raises(BadInputError) as refused:
        parse_rules("\n".join(lines))
    values = refused.value.message.values
    assert (values["line"], values["column"], values["reason"].key.partition("/")[2]) == place_and_reason
    assert parse_rules("\n".join(lines), as_played=True).id == "clash"
