"""House rules by switches: each changes what it says and nothing else."""

from pathlib import Path

import pytest

from messages.catalogue import languages, text
from messages.errors import BadInputError
from station import games
from station.rules import built_in, built_in_ids, parse_rules
from station.rules.ruleset import Bonus, Counts
from station.rules.scoring.number import Number
from station.rules.written import to_toml
from station.store.house_rules import HouseRules
from tests.web.helpers import Stage
from web.rules.switches import KINDS, named, switched, switches

TEXTS = {each: to_toml(built_in(each)) for each in built_in_ids()} | dict(games.texts())


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["yahtzee", "general", "maxi-yatzy", "yams", "crag"])
def test_every_option_is_playable_and_the_way_back_leads_back(name: str):
    before = parse_rules(TEXTS[name])
    found = switches(TEXTS[name])
    assert {"throws", "big_general"} <= {each.key for each in found}
    for each in found:
        for option in each.options:
            after = switched(TEXTS[name], each.key, option.value)
            assert KINDS[each.key].now(parse_rules(after)) == option.value
            changed = parse_rules(after)
            for other in found:
                assert other.key == each.key or KINDS[other.key].now(changed) == other.value
            assert parse_rules(switched(after, each.key, each.value)) == before


TWO_DICE = (
    "id = 'two'\ntitle = 'Two'\ndice = 2\nthrows = 3\n"
    + "".join(f"[[box]]\ncategory = '{each}'\nlabel = '{each}'\n" for each in Number.variants)
    + "[[box]]\ncategory = 'choice'\nlabel = 'Choice'\nserved = [9, 5, 1]\n"
)


@pytest.mark.parametrize(
    ("rules", "key", "offered"),
    [(TEXTS["shared-roll"], "big_general", ()), (TWO_DICE, "bonus", ()), (TWO_DICE, "throws", ("3", "4"))],
)
def test_what_cannot_be_played_is_not_offered(rules: str, key: str, offered: tuple[str, ...]):
    """A big general where all throw together, 63 with two dice, two throws where the third has points."""
    found = {each.key: tuple(option.value for option in each.options) for each in switches(rules)}
    assert found.get(key, ()) == offered


@pytest.mark.parametrize("rules", TEXTS.values(), ids=TEXTS)
def test_options_are_told_apart(rules: str):
    """Poker dice has 35 points for 64, beside the 35 for 63 that are offered."""
    for switch in switches(rules):
        labels = [text(each.label) for each in switch.options]
        assert len({*labels}) == len(labels), (switch.key, labels)


def test_what_one_begins_from_is_played_as_it_was():
    for name in built_in_ids():
        one, other = built_in(name), parse_rules(to_toml(built_in(name)))
        assert one.first_throw_yacht_wins == other.first_throw_yacht_wins, name
        assert one.simultaneous == other.simultaneous, name


def test_an_example_says_what_the_rules_pay():
    rules = TEXTS["world-51"]
    [full_house] = [each for each in switches(rules) if each.key == "full_house"]
    box = parse_rules(rules).box("full-house")
    assert (
        text(full_house.example) == f"4-4-4-4-4 in {text(box.label)}: {box.score((4,) * 5, 2).points} points."
    )
    [full_house] = [
        each for each in switches(switched(rules, "full_house", "false")) if each.key == "full_house"
    ]
    assert text(full_house.example).endswith(": 0 points.")


def test_comments_and_what_else_stands_there_stay():
    written = "# ours\n" + TEXTS["yahtzee"].replace("throws = 3", "throws = 3  # as Grandma has it")
    after = switched(written, "bonus", "63/50")
    assert after.startswith("# ours\n")
    assert "throws = 3  # as Grandma has it" in after
    assert [line for line in written.splitlines() if line not in after.splitlines()] == [
        "[[bonus]]",
        "points = 35",
    ]


def test_when_a_bonus_counts_stays_as_it_was():
    text = to_toml(built_in("shared-roll"))
    assert parse_rules(text).bonuses == built_in("shared-roll").bonuses
    changed = parse_rules(switched(text, "bonus", "63/50")).bonus
    assert changed == Bonus(((63, 50),), counts=Counts.FILLED)


def test_a_name_makes_an_id():
    rules = parse_rules(named(TEXTS["yahtzee"], 'Am "See" 2', {}))
    assert (rules.id, rules.title) == ("am-see-2", 'Am "See" 2')
    assert parse_rules(named(TEXTS["yahtzee"], "5", {})).id == "our-yahtzee"
    assert parse_rules(named(TEXTS["yahtzee"], "Großmutters Été", {})).id == "grossmutters-ete"


def test_rules_of_another_name_do_not_take_the_place_of_others(tmp_path: Path):
    stage = Stage(house_rules=HouseRules(tmp_path))
    long = "Grandmother's yacht as in the"
    wanted = [f"{long} summer", f"{long} winter", f"{long} summer", "Игра", "Другая", "Kniffel", "Yacht 1938"]
    for title in wanted:
        changed = stage.client.post("/api/v1/rules/switches", json={"text": TEXTS["yahtzee"], "title": title})
        kept = stage.client.post("/api/v1/rules", json={"text": changed.get_json()["text"]})
        assert kept.status_code == 200, kept.text
    rules = stage.client.get("/api/v1/rules").get_json()["rules"]
    assert sorted(each["title"] for each in rules if each["house"]) == sorted(set(wanted))
    assert {"kniffel", "yacht-1938"} <= {each["id"] for each in rules if not each["house"]}


def test_rules_that_begin_from_the_same_ones_do_not_replace_each_other(tmp_path: Path):
    stage = Stage(house_rules=HouseRules(tmp_path))
    before = stage.client.get("/api/v1/rules").get_json()["rules"]
    for name in ("yatzy", "kniffel") * 2:
        text = stage.client.get(f"/api/v1/rules/{name}").get_json()["text"]
        assert stage.client.post("/api/v1/rules", json={"text": text}).status_code == 200
    rules = stage.client.get("/api/v1/rules").get_json()["rules"]
    assert [each for each in rules if not each["house"]] == before
    own = {each["id"]: each["title"] for each in rules if each["house"]}
    assert own.keys() == {"our-yatzy", "our-yatzy-2", "our-kniffel", "our-kniffel-2"}
    assert len(set(own.values())) == len(own)


@pytest.mark.parametrize(("key", "value"), [("throws", "99"), ("nothing", "true"), ("bonus", "63/35x")])
def test_nonsense_is_refused(key: str, value: str):
    with pytest.raises(BadInputError):
        switched(TEXTS["yahtzee"], key, value)


def test_the_address_in_every_language(stage: Stage):
    for language in languages():
        wanted = {"text": TEXTS["yahtzee"], "key": "full_house", "value": "true", "title": "Lake"}
        told = stage.client.post(f"/api/v1/rules/switches?language={language}", json=wanted).get_json()
        assert told["title"] == "Lake"
        assert parse_rules(told["text"]).id == "lake"
        words = [told["switches"][0]["told"], *(each["example"] for each in told["switches"])]
        words += [option["label"] for each in told["switches"] for option in each["options"]]
        assert not [each for each in words if "page/" in each]
    assert stage.client.post("/api/v1/rules/switches", json={"text": "x = "}).status_code == 400


def test_examples_have_as_many_dice_as_the_game_and_name_its_own_box():
    found = {each.key: str(each.example) for each in switches(TEXTS["maxi-yatzy"])}
    assert found["joker"] == "Maxi Yatzy is filled: 4-4-4-4-4-4 counts as any other dice."
    assert found["extra"] == "A second 4-4-4-4-4-4 brings nothing extra."
