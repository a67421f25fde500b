"""What every set of buttons and lamps must do, whoever makes it."""

import pytest

HOLDS = tuple(f"hold-{i}" for i in range(1, 6))


@pytest.fixture
def told(any_rig):
    """The edges and turns reported since the start."""
    found: list[object] = []
    any_rig.buttons.start(lambda name, level: found.append((name, level)), found.append)
    return found


def test_it_has_a_name_and_all_the_buttons(any_rig):
    assert any_rig.buttons.name
    assert any_rig.buttons.names == (*HOLDS, "confirm", "undo", "knob")
    assert any_rig.lamps.names == (*HOLDS, "confirm", "buzzer")


def test_every_contact_is_reported_under_its_name(any_rig, told):
    for name in any_rig.buttons.names:
        any_rig.close(name)
        assert any_rig.buttons.pressed(name)
        any_rig.open(name)
        assert not any_rig.buttons.pressed(name)
    assert told == [edge for name in any_rig.buttons.names for edge in ((name, True), (name, False))]


def test_two_contacts_at_once(any_rig, told):
    any_rig.close("hold-1")
    any_rig.close("confirm")
    any_rig.open("hold-1")
    assert any_rig.buttons.pressed("confirm")
    assert told == [("hold-1", True), ("confirm", True), ("hold-1", False)]


def test_a_bounce_is_reported_as_it_is(any_rig, told):
    for _ in range(3):
        any_rig.close("hold-3")
        any_rig.open("hold-3")
    assert len(told) == 6


def test_a_lost_edge_can_be_seen_by_looking(any_rig, told):
    any_rig.close("hold-4", lost=True)
    assert told == []
    assert any_rig.buttons.pressed("hold-4")


def test_the_knob_turns_both_ways(any_rig, told):
    any_rig.turn(1)
    any_rig.turn(-1)
    any_rig.turn(-1)
    assert told == [1, -1, -1]


def test_nothing_is_reported_after_stop_and_again_after_start(any_rig, told):
    any_rig.buttons.stop()
    any_rig.buttons.stop()
    again: list[object] = []
    any_rig.buttons.start(lambda name, level: again.append((name, level)), again.append)
    any_rig.close("confirm")
    assert (told, again) == ([], [("confirm", True)])


def test_lamps_begin_dark_burn_one_by_one_and_end_dark(any_rig):
    any_rig.lamps.start()
    assert any_rig.lit() == set()
    for name in any_rig.lamps.names:
        any_rig.lamps.set(name, on=True)
        assert any_rig.lit() == {name}
        any_rig.lamps.set(name, on=False)
    any_rig.lamps.set("confirm", on=True)
    any_rig.lamps.stop()
    any_rig.lamps.stop()
    assert any_rig.lit() == set()
    any_rig.lamps.start()
    assert any_rig.lit() == set()
