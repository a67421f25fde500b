"""A box confirms the throw that lies there; dice that were not thrown are held without a mark."""

import pytest

from messages.errors import RefusalError
from station.contract.commands import AcceptRoll, Command, ScoreBox, SetHeld, Undo
from station.game.dice.sights import first_sight, look, settled
from station.game.events import RollAccepted
from station.game.evolve import evolve
from station.game.log.slots import Seen
from station.game.log.state import Phase
from tests.game.deciding import decide
from tests.game.playing import snapshot, started

PLACES = ((100.0, 100.0), (300.0, 120.0), (500.0, 90.0), (700.0, 130.0), (900.0, 110.0))
ELSEWHERE = ((150.0, 400.0), (350.0, 420.0), (550.0, 390.0), (750.0, 430.0), (950.0, 410.0))


class Tray:
    """A game and the dice that its camera sees."""

    def __init__(self, *names: str, rules: str = "yahtzee", unmoved: bool = True) -> None:
        self.state = started(rules, *(names or ("Ana", "Ben")))
        self.sight = first_sight(self.state, aside=False, keeps_unmoved=unmoved)
        self.lying: list[tuple[float, float, int]] = []

    def lie(self, *dice: tuple[float, float, int], status: str = "ready") -> None:
        """The dice come to rest there."""
        self.sight = look(self.sight, "moving", (), (), self.state.since)
        seen = [Seen(face, x, y, 60.0, "white") for x, y, face in dice]
        self.sight = look(self.sight, status, (), seen, self.state.since)
        self.lying = list(dice)

    def throw(self, *faces: int) -> None:
        """All dice are thrown."""
        places = ELSEWHERE if self.lying and self.lying[0][1] < 250 else PLACES
        self.lie(*((x, y, face) for (x, y), face in zip(places, faces, strict=True)))

    def throw_some(self, **faces: int) -> None:
        """Dice are thrown again, by their place from the left: `second=4`."""
        order = ("first", "second", "third", "fourth", "fifth")
        dice = sorted(self.lying)
        for name, face in faces.items():
            x, y, _ = dice[order.index(name)]
            dice[order.index(name)] = (x + 20, y + 150, face)
        self.lie(*dice)

    def do(self, command: Command) -> tuple[str, ...]:
        """What it brings about, by kind."""
        events = decide(self.state, command, self.sight)
        for event in events:
            self.state = evolve(self.state, event)
            if isinstance(event, RollAccepted):
                self.sight = settled(self.sight)
        return tuple(event.kind for event in events)

    def refused(self, command: Command) -> str:
        with pytest.raises(RefusalError) as caught:
            decide(self.state, command, self.sight)
        return caught.value.code

    @property
    def offer(self):
        return snapshot(self.state, self.sight).offer


def test_a_sure_throw_is_offered_with_what_each_box_would_score():
    tray = Tray()
    assert tray.offer is None, "nothing was thrown"
    tray.throw(6, 6, 6, 2, 1)
    assert tray.offer.faces == (6, 6, 6, 2, 1)
    assert tray.offer.potentials["sixes"] == 18
    assert tray.offer.potentials["three-of-a-kind"] == 21
    tray.do(AcceptRoll())
    assert tray.offer is None, "it is confirmed"


def test_a_box_confirms_the_throw_and_is_one_step_for_undo():
    tray = Tray()
    tray.throw(6, 6, 6, 2, 1)
    before = tray.state
    assert tray.do(ScoreBox(category="sixes", roll=(6, 6, 6, 2, 1))) == ("roll_accepted", "box_scored")
    assert tray.state.players[0].sheet.points("sixes") == 18
    assert tray.state.player.name == "Ben"
    assert tray.do(Undo()) == ("undone", "undone")
    assert tray.state == before
    assert tray.offer.faces == (6, 6, 6, 2, 1), "it waits to be confirmed again"


def test_no_box_is_written_with_dice_that_were_not_shown():
    tray = Tray()
    tray.throw(6, 6, 6, 2, 1)
    assert tray.refused(ScoreBox(category="sixes", roll=(6, 6, 6, 6, 1))) == "roll/other"
    assert tray.refused(ScoreBox(category="sixes")) == "box/no_roll"
    tray.lie(*((x, y, 6) for x, y in ELSEWHERE), status="unsure")
    assert tray.refused(ScoreBox(category="sixes", roll=(6, 6, 6, 6, 6))) == "roll/unsure"
    tray.sight = look(tray.sight, "moving", (), (), tray.state.since)
    assert tray.refused(ScoreBox(category="sixes", roll=(6, 6, 6, 6, 6))) == "roll/unsure"


def test_a_throw_that_somebody_confirmed_meanwhile_goes_into_the_box():
    tray = Tray()
    tray.throw(6, 6, 6, 2, 1)
    tray.do(AcceptRoll())
    assert tray.do(ScoreBox(category="sixes", roll=(6, 6, 6, 2, 1))) == ("box_scored",)


def test_a_throw_that_lay_there_before_the_turn_fills_no_box():
    tray = Tray()
    tray.throw(6, 6, 6, 2, 1)
    tray.do(ScoreBox(category="sixes", roll=(6, 6, 6, 2, 1)))
    assert tray.refused(ScoreBox(category="sixes", roll=(6, 6, 6, 2, 1))) == "roll/not_thrown"


def test_a_filled_box_takes_no_throw_and_nothing_is_confirmed():
    tray = Tray("Ana")
    tray.throw(6, 6, 6, 2, 1)
    tray.do(ScoreBox(category="sixes", roll=(6, 6, 6, 2, 1)))
    tray.throw(6, 5, 4, 3, 1)
    assert tray.refused(ScoreBox(category="sixes", roll=(6, 5, 4, 3, 1))) == "box/filled"
    assert tray.state.throws_done == 0


def test_a_throw_that_ends_the_game_needs_no_box():
    tray = Tray(rules="general")
    tray.throw(6, 6, 6, 6, 6)
    assert tray.do(ScoreBox(category="sixes", roll=(6, 6, 6, 6, 6))) == ("roll_accepted",)
    assert tray.state.phase is Phase.FINISHED


def test_dice_that_were_not_thrown_are_held_for_that_throw():
    tray = Tray()
    tray.throw(6, 6, 3, 2, 1)
    tray.do(AcceptRoll())
    tray.throw_some(third=4, fourth=5, fifth=6)
    assert tray.offer.unmoved == (1, 2)
    assert tray.offer.faces == (6, 6, 4, 5, 6)
    reading = snapshot(tray.state, tray.sight).reading
    assert [die.slot for die in reading.dice if die.held] == [1, 2]
    before = tray.state
    assert tray.do(AcceptRoll()) == ("held_set", "roll_accepted")
    assert tray.state.faces == (6, 6, 4, 5, 6)
    assert tray.state.held == (), "nobody marked them: they may be thrown next time"
    tray.do(Undo())
    assert tray.state == before, "hold and throw are one step"


def test_what_was_held_for_one_throw_may_be_thrown_in_the_next():
    tray = Tray()
    tray.throw(6, 6, 3, 2, 1)
    tray.do(AcceptRoll())
    tray.throw_some(third=4, fourth=5, fifth=6)
    tray.do(AcceptRoll())
    tray.throw_some(first=1, second=2)
    assert tray.offer.unmoved == (3, 4, 5)
    assert tray.offer.faces == (1, 2, 4, 5, 6)


def test_marks_count_beside_dice_that_did_not_move():
    tray = Tray()
    tray.throw(6, 6, 3, 2, 1)
    tray.do(AcceptRoll())
    tray.do(SetHeld(slots=(1,)))
    tray.throw_some(third=4, fourth=5, fifth=6)
    assert tray.offer.unmoved == (2,)
    tray.do(AcceptRoll())
    assert tray.state.held == (1,)


def test_a_die_that_was_turned_where_it_lay_is_thrown():
    tray = Tray()
    tray.throw(6, 6, 3, 2, 1)
    tray.do(AcceptRoll())
    x, y, _ = min(tray.lying)
    tray.throw_some(third=4)
    tray.lie(*((a, b, 2 if (a, b) == (x, y) else face) for a, b, face in tray.lying))
    assert 1 not in tray.offer.unmoved


def test_where_only_marks_count_nothing_is_held_without_one():
    tray = Tray(unmoved=False)
    tray.throw(6, 6, 3, 2, 1)
    tray.do(AcceptRoll())
    tray.throw_some(third=4, fourth=5, fifth=6)
    assert tray.offer.unmoved == ()
    assert tray.do(AcceptRoll()) == ("roll_accepted",)
