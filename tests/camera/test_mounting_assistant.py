"""The mounting assistant over the simulated tray: what it looks at, and how often."""

import math
import re

import pytest

from messages.errors import CameraError
from simulator.person import SimulatedPerson
from station.camera.camera_access import CameraAccess
from station.camera.mounting_assistant import LOOK_EVERY_S, LOOK_FRAMES, MountingAssistant
from tests.camera.stand import DICE, Table


def assistant_of(table: Table, **more: object) -> MountingAssistant:
    """One whose time passes only when somebody waits."""
    access = CameraAccess(
        table.frames,
        lambda: table.tray.name,
        dice=lambda: DICE,
        person=SimulatedPerson(table.tray, clock=table.clock, sleep=table.clock.sleep),
        **more,  # type: ignore[arg-type]
    )
    return MountingAssistant(access, lambda: None, clock=table.clock)


@pytest.mark.thorough
def test_markers_are_laid_and_all_is_well(table: Table):
    width, height = table.tray.view.size_wh
    across_deg = 2 * math.degrees(math.atan(width / 2 / table.tray.view.focal_px))
    assistant = assistant_of(table, across_deg=lambda: across_deg, dice_px=lambda: (47.0,))
    before = assistant.look()
    assert (before.good, before.outline, before.size_wh) == (False, None, (width, height))
    assert [line.standing for line in before.lines if line.id == "dice"] == ["good"], "its dice were seen"
    after = assistant.begin()
    assert after.good, after.lines
    assert after.outline is not None
    assert re.search(r"from about 4[123] cm", str(after.lines[0].messages[0]))


@pytest.mark.thorough
def test_several_phones_that_ask_at_once_cost_one_look(table: Table):
    assistant = assistant_of(table)
    first = assistant.look()
    seen = table.frames.latest
    assert assistant.look() is first
    assert table.frames.latest is seen
    table.clock.sleep(LOOK_EVERY_S)
    assert assistant.look() is not first
    assert table.frames.latest is not seen
    assert LOOK_FRAMES >= 4, "a lamp that flickers is seen in four"


def test_a_camera_that_gives_nothing_is_reported(table: Table):
    table.frames.broken = True
    with pytest.raises(CameraError):
        assistant_of(table).look()
