"""Stakes: who owes whom at the end, to the last penny."""

from dataclasses import astuple

import pytest

from messages.catalogue import text
from messages.errors import RefusalError
from station.contract.commands import EndGame, EnterRoll, Rematch, RemovePlayer, StartGame, Undo
from station.features.stakes.feature import StakesFeature
from station.features.stakes.option import STAKES, Stakes
from station.features.stakes.settlement import settlement
from station.game import notation
from station.game.evolve import replay
from station.game.log.state import State
from station.store.archive import end_of
from tests.game.deciding import decide
from tests.game.playing import play, turn


def game(*names: str, rules: str = "general", **stakes: str) -> State:
    return play(State(), StartGame(players=names, rules=rules, stakes=Stakes(**stakes)))


def owed(state: State) -> list[tuple[int, int, str]]:
    return [(each.payer, each.payee, str(each.amount)) for each in settlement(state)]


def test_each_pays_the_winner_the_difference():
    state = game("Ana", "Ben", "Cleo", per_point="0.05")
    state = play(
        state, *turn("sixes", 6, 6, 6, 6, 1), *turn("fives", 5, 5, 1, 2, 3), *turn("ones", 1, 2, 3, 4, 6)
    )
    assert settlement(state) == (), "nothing is owed before the end"
    state = play(state, EndGame(winners=(0,)))
    assert owed(state) == [(1, 0, "0.70"), (2, 0, "1.15")]
    payments = StakesFeature().of_past(state).settlement
    assert [astuple(each)[:3] for each in payments] == owed(state)
    assert owed(play(state, Undo())) == []
    assert [str(each) for each in StakesFeature().at_end(state)] == [
        "Ben pays Ana 0.70",
        "Cleo pays Ana 1.15",
    ]


def test_amounts_are_exact_and_written_as_the_language_does():
    state = game("Ana", "Ben", per_point="0.0001", currency="€")
    state = play(state, *turn("sixes", 6, 6, 6, 6, 1), *turn("ones", 1, 2, 3, 4, 6), EndGame(winners=(0,)))
    assert owed(state) == [(1, 0, "0.0023")]
    (told,) = StakesFeature().at_end(state)
    assert (text(told), text(told, "de"), text(told, "fr")) == (
        "Ben pays Ana €0.0023",
        "Ben zahlt Ana 0,0023\N{NO-BREAK SPACE}€",
        "Ben paie 0,0023\N{NO-BREAK SPACE}€ à Ana",
    )
    whole = play(
        game("Ana", "Ben", per_point="2"), *turn("ones", 1, 1, 1, 4, 6), *turn("ones", 2, 2, 3, 4, 6)
    )
    assert owed(play(whole, EndGame(winners=(0,)))) == [(1, 0, "6")]
    assert owed(play(whole, EndGame())) == [], "nobody has won"


def test_a_big_general_counts_60_points_and_what_was_agreed_for_it():
    before = play(
        game("Ana", "Ben", per_point="0.05", big_general="5"),
        *turn("ones", 1, 2, 3, 4, 6),
        *turn("sixes", 6, 6, 6, 6, 1),
    )
    state = play(before, EnterRoll(faces=(2, 2, 2, 2, 2)))
    assert state.ended_by == "big_general"
    assert owed(state) == [(1, 0, "6.85")], "(1 - 24 + 60) points at 0.05, and 5"


def test_who_throws_a_big_general_never_pays():
    state = play(
        game("Ana", "Ben", per_point="1"),
        *turn("ones", 1, 2, 3, 4, 6),
        *turn("four-of-a-kind", 6, 6, 6, 6, 1),
    )
    state = play(
        state, *turn("twos", 1, 3, 3, 4, 6), *turn("full-house", 6, 6, 6, 1, 1), EnterRoll(faces=(2,) * 5)
    )
    assert state.winners == (0,)
    assert owed(state) == [], "79 points behind, 60 for it"


def test_winners_share_what_they_are_owed():
    state = play(
        game("Ana", "Ben", "Cleo", per_point="0.05"),
        *turn("ones", 1, 1, 1, 2, 3),
        *turn("ones", 1, 1, 1, 2, 3),
        *turn("ones", 2, 2, 3, 3, 4),
        EndGame(winners=(0, 1)),
    )
    assert owed(state) == [(2, 0, "0.08"), (2, 1, "0.07")]


def test_who_has_left_neither_pays_nor_is_paid():
    state = play(
        game("Ana", "Ben", "Cleo", per_point="1"), *turn("ones", 1, 1, 1, 2, 3), RemovePlayer(player=1)
    )
    assert owed(play(state, EndGame(winners=(0,)))) == [(2, 0, "3")]


@pytest.mark.parametrize(
    ("stakes", "rules", "code"),
    [
        ({"per_point": "five"}, "general", "stakes/amount"),
        ({"per_point": "-1"}, "general", "stakes/amount"),
        ({"per_point": "1e3"}, "general", "stakes/amount"),
        ({"per_point": "\N{ARABIC-INDIC DIGIT FIVE}"}, "general", "stakes/amount"),
        ({"per_point": "1", "big_general": ""}, "general", None),
        ({"per_point": "1", "big_general": "5"}, "yacht-1938", "stakes/no_big_general"),
        ({"per_point": "1", "currency": "1 €"}, "general", "stakes/sign"),
        ({"per_point": "1"}, "yacht-1938", None),
    ],
)
def test_stakes_that_will_not_do_are_refused_before_the_start(stakes, rules: str, code: str | None):
    command = StartGame(players=("Ana", "Ben"), rules=rules, stakes=Stakes(**stakes))
    if code is None:
        assert decide(State(), command)
        return
    with pytest.raises(RefusalError) as caught:
        decide(State(), command)
    assert caught.value.code == code


def test_a_rematch_is_played_for_the_same_and_the_text_says_so():
    state = play(game("Ana", "Ben", per_point="0.05", big_general="5", currency="€"), EndGame(), Rematch())
    assert STAKES.of(state) == ("0.05", "5", "€")
    text_of_game = notation.write(state.past[-1:])
    assert text_of_game == 'start 1 1 general "Ana" "Ben" for "0.05 5 €"\n'
    assert STAKES.of(replay(notation.read(text_of_game))) == STAKES.of(state)


def test_the_end_of_a_game_without_stakes_is_not_replayed():
    """Its rules may be gone; nothing is owed anyway."""
    staked = play(game("Ana", "Ben", per_point="1"), *turn("sixes", 6, 6, 6, 6, 1), EndGame())
    assert end_of(staked.past) == staked
    without = play(State(), StartGame(players=("Ana",), rules="general"), EndGame())
    assert end_of(without.past) == State()
