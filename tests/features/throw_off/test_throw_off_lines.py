"""Dice that are thrown for the start, in the log."""

import pytest

from station.features.throw_off.starter_thrown import StarterThrown
from station.game.log.slots import Seen
from tests.game.lines import is_json_and_back, is_line_and_back, is_no_event


@pytest.mark.parametrize("typed", [True, False])
def test_it_is_a_line_and_json_and_back(typed):
    event = StarterThrown(4, typed)
    is_line_and_back("starter 4 typed" if typed else "starter 4", event)
    is_json_and_back(event)


def test_the_dice_that_lay_there_are_json_and_back():
    is_json_and_back(StarterThrown(4, left=(Seen(0, 30.0, 40.0, 60.0, "red", 7),), rolling=True))


@pytest.mark.parametrize("line", ["starter", "starter a", "starter 4 read"])
def test_a_line_without_sense_is_named(line):
    is_no_event(line)
