"""Handicaps: points that a player begins with count in every total, and in who wins."""

from pathlib import Path

import pytest

from messages.errors import RefusalError
from station import games
from station.contract.commands import CorrectBox, EndGame, Rematch, StartGame
from station.contract.view import in_json
from station.game import notation
from station.game.dice.sights import Sight
from station.game.evolve import evolve
from station.game.log.state import State
from station.game.steps.end_game import GameEnded
from station.game.steps.start_game import PlayerAsked
from station.store.export import state_text
from tests.game.deciding import decide
from tests.game.playing import play, snapshot, turn
from tests.game.test_replaying import again

BEN_AHEAD = ("Ana", PlayerAsked(name="Ben", handicap=12))
TURNS = (*turn("sixes", 6, 6, 1, 2, 3), *turn("ones", 1, 2, 3, 4, 6))


def game(*turns: object, rules: str = "yacht-1938") -> State:
    return play(State(), StartGame(players=BEN_AHEAD, rules=rules), *turns)


def shown(state: State) -> list[tuple[int, int]]:
    return [(in_json(player)["handicap"], player.total) for player in snapshot(state, Sight()).players]


def test_a_handicap_counts_from_the_first_moment_and_decides_the_game():
    assert shown(game()) == [(0, 0), (12, 12)]
    over = evolve(game(*TURNS), GameEnded())  # as earlier versions wrote it: who has most has won
    assert shown(over) == [(0, 12), (12, 13)]
    assert over.winners == (1,)
    assert [line.split() for line in state_text(over).splitlines()[-3:]] == [
        ["Handicap", "0", "12"], ["-" * 25], ["Total", "12", "13"],
    ]  # fmt: skip


def test_it_outlasts_a_correction_a_rematch_and_the_log_as_text():
    fixed = game(*TURNS, CorrectBox(player=1, category="ones", faces=(1, 1, 1, 4, 6)))
    assert shown(fixed) == [(0, 12), (12, 15)]
    assert shown(again(notation.page(fixed.past))) == shown(fixed)
    assert shown(play(fixed, EndGame(), Rematch())) == [(0, 0), (12, 12)]


def test_there_is_none_where_points_of_boxes_do_not_count():
    house = (Path(games.__file__).parent / "balut.toml").read_text(encoding="utf-8")
    with pytest.raises(RefusalError) as caught:
        decide(State(), StartGame(players=BEN_AHEAD, rules="balut"), house=house)
    assert caught.value.code == "handicap/bonus_only"
