"""Every worked example of the documents, as a table."""

import re
from itertools import combinations_with_replacement

import pytest

from station.rules import Entry, Sheet, Totals, built_in, built_in_ids, fill, potentials, sheet_totals

ALL_ROLLS = tuple(combinations_with_replacement(range(1, 7), 5))


def points(rules_id, category, dice, throw, sheet=None):
    return potentials(built_in(rules_id), sheet or Sheet(), dice, throw)[category]


def naturally(rules_id, category, dice, throw):
    return built_in(rules_id).box(category).scoring.score(dice, throw).points


def faces(row):
    return tuple(int(face) for face in row["dice"].split())


def test_there_are_134_rows(seed_examples):
    assert len(seed_examples) == 134


def test_printed_points(seed_examples):
    rows = [row for row in seed_examples if row["dice"] and re.fullmatch(r"\d+", row["points"])]
    assert len(rows) > 70
    for row in rows:
        assert points(row["rules"], row["category"], faces(row), 3) == int(row["points"]), row


def test_points_that_depend_on_the_throw(seed_examples):
    rows = [row for row in seed_examples if "first throw /" in row["points"]]
    assert len(rows) == 6
    for row in rows:
        early, late = (int(number) for number in re.findall(r"\d+", row["points"]))
        for throw, expected in ((1, early), (2, late), (3, late)):
            assert points(row["rules"], row["category"], faces(row), throw) == expected, row


def test_big_and_small_general(seed_examples):
    (row,) = [row for row in seed_examples if row["category"] == "general"]
    assert row["points"] == "first throw: wins the game (big general) / later 60 (small general)"
    assert built_in(row["rules"]).first_throw_yacht_wins
    assert points(row["rules"], "general", faces(row), 2) == 60


def test_wildcards_of_game_rules_guru(seed_examples):
    rows = [row for row in seed_examples if "as wildcard" in row["points"]]
    assert len(rows) == 2
    guru = built_in("game-rules-guru")
    for row in rows:
        category, wild = row["category"], int(row["points"].split()[0])
        assert points(guru.id, category, faces(row), 3) == 0, row
        for held, extra in ((50, 100), (0, 0)):
            before = Sheet((Entry("yacht", held),))
            assert points(guru.id, category, faces(row), 3, before) == wild
            assert fill(guru, before, category, faces(row)).entries[-1] == (category, wild, extra)


def test_scores_without_dice_can_be_thrown(seed_examples):
    rows = [row for row in seed_examples if not row["dice"] and row["category"].islower()]
    assert len(rows) >= 36
    for row in rows:
        reachable = {naturally(row["rules"], row["category"], dice, 3) for dice in ALL_ROLLS}
        assert int(row["points"]) in reachable, row


def test_sheets_of_world_51_add_up(seed_examples):
    rows = [row for row in seed_examples if row["rules"] == "world-51" and not row["dice"]]
    for start, upper, bonus, total in ((0, 63, 35, 214), (16, 76, 35, 224)):
        boxes = rows[start : start + 12]
        sheet = Sheet(tuple(Entry(row["category"], int(row["points"])) for row in boxes))
        expected = Totals(upper, 0, bonus, 0, total)
        assert sheet_totals(built_in("world-51"), sheet) == expected
        assert [int(row["points"]) for row in rows[start + 12 : start + 16]] == [
            upper, bonus, total - upper - bonus, total,
        ]  # fmt: skip


def test_bonus_thresholds(seed_examples):
    rows = [row for row in seed_examples if row["category"] == "UPPER BONUS"]
    assert {row["rules"] for row in rows} == {"game-rules-guru", "shared-roll", "scorecard"}
    for row in rows:
        assert built_in(row["rules"]).bonus.steps == ((63, 35),)


def test_best_games_as_printed(seed_examples):
    rows = [row for row in seed_examples if row["category"] == "MAXIMUM GAME"]
    assert len(rows) == 4
    for row in rows:
        assert best_game(built_in(row["rules"])) == int(row["points"]), row


def best_game(rule_set):
    """The most a sheet can hold, each box filled with its best dice, the yacht last (so without extra)."""
    sheet = Sheet()
    yacht = rule_set.yacht
    for box in sorted(rule_set.boxes, key=lambda box: box is yacht):
        best = max(ALL_ROLLS, key=lambda dice, box=box: naturally(rule_set.id, box.category, dice, 2))
        sheet = fill(rule_set, sheet, box.category, best, 2)
    return sheet_totals(rule_set, sheet).total


BEST_GAMES = {
    "yacht-1938": 297, "treasurehouse": 297, "yacht-spruce": 303, "dice-play-yahtzee": 342, "general": 270,
    "general-chance": 300, "double-cameroon": 234, "game-rules-guru": 375, "coolmath": 375,
    "shared-roll": 375, "world-51": 325, "clubhouse-51": 323, "scorecard": 323, "lawn": 288, "yahtzee": 375,
    "yatzy": 374,
}  # fmt: skip
"""Without what further yachts bring: at most 1,200 where each brings 100."""


@pytest.mark.thorough
def test_best_games_of_all_rule_sets():
    """The two of General pay 15 more where all but the General and the faces are made in the first throw."""
    found = {rules_id: best_game(built_in(rules_id)) for rules_id in built_in_ids()}
    assert found == BEST_GAMES | {"general": 255, "general-chance": 285}


@pytest.mark.parametrize("rules_id", ["general", "general-chance"])
def test_best_game_of_general_makes_all_but_the_general_in_the_first_throw(rules_id):
    rule_set, sheet = built_in(rules_id), Sheet()
    for category in rule_set.categories:
        throw = 2 if category in {"general", *rule_set.categories[:6]} else 1
        best = max(ALL_ROLLS, key=lambda dice, c=category, t=throw: naturally(rule_set.id, c, dice, t))
        sheet = fill(rule_set, sheet, category, best, throw)
    assert sheet_totals(rule_set, sheet).total == BEST_GAMES[rules_id]
