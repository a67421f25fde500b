"""Boxes that are announced after the first throw, and what may be written then."""

from dataclasses import replace

import pytest

from messages.errors import BadInputError, RefusalError
from station import games
from station.contract.command import Button
from station.contract.commands import Choose, CorrectBox, EnterRoll, Press, ScoreBox, SetHeld, StartGame, Undo
from station.devices.lamp_patterns import Light, lights
from station.features.announced_boxes.announce_box import AnnounceBox
from station.features.announced_boxes.announcing import CALLED, announceable
from station.features.announced_boxes.feature import TablePart
from station.game.dice.sights import Sight
from station.game.dice.tray import offer
from station.game.evolve import evolve
from station.game.log.state import Phase, State
from station.game.sentences import undo_text, waiting_for
from station.rules import Entry, Sheet
from station.table.buttons import meaning
from tests.game.deciding import decide
from tests.game.playing import may, play, refused, seeing, snapshot
from tests.wording import in_words

ROLL = EnterRoll(faces=(2, 2, 3, 5, 6))
TWOS = AnnounceBox(category="announced-twos")


@pytest.fixture
def rolled() -> State:
    state = State()
    house = games.texts()["yamb"]
    for event in decide(state, StartGame(players=("Ana", "Ben"), rules="yamb"), house=house):
        state = evolve(state, event)
    return play(state, ROLL)


def test_an_announced_box_is_where_the_turn_goes(rolled):
    state = play(rolled, TWOS)
    view = snapshot(state, Sight())
    assert view.part(TablePart).announced_box == "announced-twos"
    assert set(view.players[0].potentials) == {"announced-twos"}
    assert refused(state, ScoreBox(category="free-twos"))[0] == "announce/elsewhere"
    state = play(state, SetHeld(slots=(1, 2)), EnterRoll(faces=(2, 2, 2, 4, 4)))
    assert refused(state, TWOS) == (
        "announce/not_now",
        "You can announce Twos, announced after the first roll only, before the second.",
    )
    assert refused(state, ScoreBox(category="free-twos")) == (
        "announce/elsewhere", "Ana has announced Twos, announced for this turn; no other box will do.",
    )  # fmt: skip
    state = play(state, ScoreBox(category="announced-twos"))
    assert state.players[0].sheet.points("announced-twos") == 6
    assert (CALLED.of(state), state.active) == ("", 1)
    again = play(state, ROLL, ScoreBox(category="free-twos"), ROLL)
    assert refused(again, TWOS) == (
        "announce/not_now", "Twos, announced is filled already; choose an open box.",
    )  # fmt: skip


def test_a_box_is_announced_by_the_buttons_at_the_table(rolled):
    """A long press goes to the boxes, hold 1 and hold 5 to the one that is meant, hold 3 announces it."""
    choosing = play(rolled, meaning(rolled, None, Press(button="confirm", long=True)))
    onwards = meaning(choosing, "free-choice", Press(button="hold-5"))
    assert onwards.category in snapshot(choosing, Sight()).players[0].potentials
    told = meaning(choosing, "announced-twos", Press(button="hold-3"))
    assert told == TWOS
    state = play(choosing, told)
    assert (state.phase, CALLED.of(state)) == (Phase.HOLDING, "announced-twos")
    assert play(state, Undo()).phase is Phase.CHOOSING
    assert refused(choosing, meaning(choosing, "free-twos", Press(button="hold-3")))[0] == "announce/never"
    second = play(state, SetHeld(slots=(1, 2)), EnterRoll(faces=(2, 2, 2, 4, 4)), Choose())
    assert refused(second, meaning(second, "announced-twos", Press(button="hold-3")))[0] == "announce/not_now"


def test_an_announced_box_is_closed_to_other_turns_after_the_second_throw(rolled):
    assert may(rolled, ScoreBox(category="announced-sixes"))  # announced by writing
    state = play(rolled, ROLL)
    assert refused(state, ScoreBox(category="announced-sixes"))[0] == "announce/not_announced"
    assert not any(each.startswith("announced") for each in snapshot(state, Sight()).players[0].potentials)
    assert announceable(state) == ()


def test_another_box_may_be_announced_until_the_second_throw_and_undone(rolled):
    state = play(rolled, TWOS, AnnounceBox(category="announced-sixes"))
    assert CALLED.of(state) == "announced-sixes"
    assert decide(state, AnnounceBox(category="announced-sixes")) == ()
    assert in_words(undo_text(state)) == "this turn goes to Sixes, announced"
    assert CALLED.of(play(state, Undo())) == "announced-twos"
    assert "(for Sixes, announced)" in in_words(waiting_for(state, offer(state, Sight())))


@pytest.mark.parametrize(("category", "code"), [("free-twos", "announce/never"), ("nothing", "box/unknown")])
def test_what_cannot_be_announced(rolled, category, code):
    with pytest.raises((RefusalError, BadInputError)) as caught:
        decide(rolled, AnnounceBox(category=category))
    assert caught.value.code == code


def test_nothing_is_announced_before_the_first_throw_or_while_dice_roll(rolled):
    assert refused(play(rolled, ScoreBox(category="free-twos")), TWOS)[0] == "announce/not_now"
    thrown = seeing(rolled, 1, 1, 1, 1, 1, at=40)
    assert refused(rolled, TWOS, thrown)[0] == "roll/unconfirmed"
    assert may(rolled, AnnounceBox(category="announced-twos", force=True), thrown)


def test_where_only_announced_boxes_are_left_one_is_named_before_the_second_throw(rolled):
    rules, ana, ben = rolled.rules, *rolled.players
    left = tuple(each for each in rules.categories if not rules.box(each).announced)
    ana = replace(ana, sheet=Sheet(tuple(Entry(each, 0) for each in left)))
    state = replace(rolled, players=(ana, ben))
    assert state.phase is Phase.HOLDING
    assert {*announceable(state)} == {*state.player.sheet.open(state.rules)}
    assert refused(state, ROLL)[0] == "announce/first"
    assert may(play(state, TWOS), ROLL)


def test_a_late_throw_is_not_corrected_into_a_box_that_nobody_announced(rolled):
    late = play(rolled, EnterRoll(faces=(2, 2, 2, 4, 4)), ScoreBox(category="free-twos"))
    wanted = CorrectBox(player=0, category="free-twos", faces=(2, 2, 2, 4, 4), to="announced-twos")
    assert refused(late, wanted) == (
        "announce/not_announced",
        "Twos, announced has to be announced before the second roll: pick another box.",
    )  # fmt: skip
    forced = play(late, wanted.model_copy(update={"force": True}))
    assert forced.players[0].sheet.points("announced-twos") == 6
    early = play(rolled, ScoreBox(category="free-twos"))
    moved = wanted.model_copy(update={"faces": (2, 2, 3, 5, 6)})
    assert play(early, moved).players[0].sheet.points("announced-twos") == 4


@pytest.mark.parametrize(("may", "light"), [("ones", Light.PULSE), ("twos", Light.ON)])
def test_confirm_pulses_while_hold_3_would_announce_the_marked_box(may, light):
    view = snapshot(State(), Sight())
    parts = (TablePart(None, (may,)), *view.parts)
    view = replace(view, phase="choosing", choice="ones", parts=parts)
    assert lights(view)[Button.CONFIRM] is light
