"""Teams: how they are asked for, and whose hand throws."""

import pytest

from station.contract.commands import EndGame, EnterRoll, Rematch, ScoreBox, StartGame
from station.contract.view import in_json
from station.features.teams.feature import MEMBERS
from station.game import notation
from station.game.dice.sights import Sight
from station.game.dice.tray import Offer
from station.game.evolve import replay
from station.game.log.state import State
from station.game.sentences import waiting_for
from station.game.steps.start_game import PlayerAsked
from tests.game.playing import play, refusal, refused, snapshot, started, turn

REDS = PlayerAsked(name="Reds", members=("Ana", "Ben"))


def members(state: State) -> list[str | None]:
    """Whose turn it is, or will be next, in each team."""
    return [in_json(player)["member"] for player in snapshot(state, Sight()).players]


@pytest.mark.parametrize(
    ("players", "rules", "code"),
    [
        ((REDS, PlayerAsked(name="Blues", members=("Ana",))), "yacht-1938", "player/twice"),
        (("Eva", REDS), "shared-roll", "team/together"),
    ],
)
def test_what_does_not_fit_is_refused_before_the_start(players, rules: str, code: str):
    assert refusal(State(), StartGame(players=players, rules=rules)) == code


@pytest.mark.needs_feature("computer_players")
def test_a_team_is_no_computer_player():
    players = (PlayerAsked(name="X", computer=1, members=("Ana",)),)
    told = "X is either a team or a computer player."
    assert refused(State(), StartGame(players=players, rules="yacht-1938")) == ("team/computer", told)


def test_members_throw_in_turn_and_it_is_said_who():
    state = started("yacht-1938", REDS, "Eva")
    seen = []
    for category in ("ones", "twos", "threes"):
        seen.append(str(waiting_for(state, Offer("empty"))))
        state = play(state, *turn(category), *turn(category))
    assert seen == [f"{name} (Reds): roll all five dice" for name in ("Ana", "Ben", "Ana")]
    assert members(state) == ["Ben", None]
    after = play(state, *turn("fours"))
    assert (after.active, members(after)[0]) == (1, "Ana"), "the next of those who wait"


@pytest.mark.needs_feature("two_boxes")
def test_both_boxes_of_a_turn_are_the_same_member_s():
    state = started("double-cameroon", REDS)
    state = play(state, EnterRoll(faces=(1, 2, 3, 4, 5, 6, 6, 6, 6, 6)), ScoreBox(category="sixes"))
    assert members(state) == ["Ana"]
    state = play(state, ScoreBox(category="ones"))
    assert members(state) == ["Ben"]


def test_a_rematch_keeps_the_members():
    same = play(started("yacht-1938", "Eva", REDS), EndGame(), Rematch())
    assert [(each.name, MEMBERS.of(each)) for each in same.players] == [("Eva", ()), ("Reds", ("Ana", "Ben"))]


def test_odd_names_are_written_as_text_and_read_back():
    state = started("yacht-1938", "Eva", PlayerAsked(name='A "b"', members=("x, y", "z/w")))
    assert replay(notation.read(notation.write(state.past))) == state
