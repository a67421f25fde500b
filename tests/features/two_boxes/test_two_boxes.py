"""Ten dice for two boxes: which five go where."""

from dataclasses import replace

import pytest

from messages.errors import RefusalError
from station.contract.commands import EnterRoll, ScoreBox, Undo
from station.features.two_boxes.feature import TablePart
from station.features.two_boxes.two_box_way import BOXES, SeveralBoxes, best_five
from station.game.dice.sights import Sight
from station.game.log.player import Player
from station.game.log.slots import Die
from station.game.log.state import Phase, State
from station.game.way import WAY
from station.rules import Entry, Sheet, built_in
from tests.game.deciding import decide
from tests.game.playing import play, refusal, refused, snapshot, started
from tests.game.test_games import waiting


def test_of_ten_dice_only_the_five_that_are_named_say_where_a_joker_may_go():
    """No rule set has ten dice and jokers; house rules might."""
    rules = replace(built_in("yahtzee"), dice=10, boxes_per_turn=2)
    dice = tuple(Die(slot, face) for slot, face in enumerate((4, 4, 4, 4, 4, 1, 2, 3, 5, 6), start=1))
    player = Player("Ana", Sheet((Entry("yacht", 50),)))
    state = State(Phase.HOLDING, 1, rules, (player,), dice=dice, throws_done=1)
    state = WAY.put(state, SeveralBoxes())
    fives, others = (1, 2, 3, 4, 5), (6, 7, 8, 9, 10)
    assert refused(state, ScoreBox(category="sixes", slots=fives))[0] == "box/not_allowed"
    assert decide(state, ScoreBox(category="sixes", slots=others))[0].slots == others


def test_the_last_box_takes_the_best_five_of_ten_and_leaves_the_rest_to_none():
    rules = built_in("double-cameroon")
    sheet = Sheet(tuple(Entry(each, 0) for each in rules.categories if each != "twos"))
    dice = tuple(Die(slot, face) for slot, face in enumerate((1, 2, 2, 2, 3, 3, 3, 4, 5, 2), start=1))
    state = State(Phase.HOLDING, 1, rules, (Player("Ana", sheet),), dice=dice, throws_done=1)
    assert {2, 3, 4, 10} < {*best_five(state, "twos")}


def test_a_box_takes_the_five_dice_that_bring_it_most_and_leave_most():
    rules = built_in("double-cameroon")
    state = play(started(rules.id, "Ana"), EnterRoll(faces=(1, 2, 2, 2, 3, 3, 3, 4, 5, 1)))
    assert best_five(state, "little-straight") == (1, 2, 5, 8, 9)
    assert best_five(state, "twos") == (2, 3, 4, 8, 9)  # which leaves the full house 1-1-3-3-3
    assert best_five(state, "sixes") == (1, 2, 3, 5, 6)  # 0 anyway, and the straight stays
    with pytest.raises(RefusalError) as caught:
        best_five(state, "choice")
    assert caught.value.code == "box/unknown"


def test_the_throw_counts_for_the_box_and_for_the_rest():
    """No rule set has ten dice and points for the first throw; house rules might."""
    rules = replace(built_in("general"), dice=10, boxes_per_turn=2)
    dice = tuple(Die(slot, face) for slot, face in enumerate((2, 3, 4, 5, 6, 6, 6, 6, 2, 2), start=1))
    sheet = Sheet((Entry("four-of-a-kind", 0), Entry("full-house", 0)))
    first = State(Phase.HOLDING, 1, rules, (Player("Ana", sheet),), dice=dice, throws_done=1)
    # The ones get 0 from any five; of the rest the straight is worth 25 now and 20 later, four sixes 24.
    assert best_five(first, "ones") == (1, 5, 6, 7, 9)
    assert best_five(replace(first, throws_done=2), "ones") == (1, 2, 3, 9, 10)


def test_double_cameroon_fills_two_boxes_a_turn():
    state = play(started("double-cameroon", "Ana", "Ben"), EnterRoll(faces=(5, 5, 5, 5, 2, 2, 2, 2, 2, 5)))
    assert waiting(state) == "Ana: tap what you keep, roll the rest – or pick two boxes"
    shown = snapshot(state, Sight())
    assert (shown.dice_count, shown.part(TablePart).boxes_per_turn) == (10, 2)
    assert shown.players[0].potentials["five-of-a-kind"] == 50
    state = play(state, ScoreBox(category="five-of-a-kind"))
    assert waiting(state) == "Ana: pick a box for the other five dice"
    assert state.faces == (5, 5, 5, 5, 5)  # of two yachts the one that leaves more for another box
    assert refusal(state, EnterRoll(faces=(1,) * 10)) == "box/second"
    state = play(state, ScoreBox(category="fives"))
    assert state.players[0].sheet.points("fives") == 25
    assert (state.player.name, state.phase) == ("Ben", Phase.THROWING)
    assert BOXES.of(play(state, Undo())) == 1


def test_double_cameroon_takes_the_five_dice_people_choose():
    state = play(started("double-cameroon", "Ana"), EnterRoll(faces=(1, 2, 3, 4, 5, 6, 6, 6, 6, 6)))
    assert refusal(state, ScoreBox(category="sixes", slots=(6, 7, 8))) == "box/five_dice"
    state = play(state, ScoreBox(category="ones", slots=(6, 7, 8, 9, 10)))
    assert state.players[0].sheet.points("ones") == 0
    assert state.faces == (1, 2, 3, 4, 5)
