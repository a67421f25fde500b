"""The camera worker and what calibration says of its pictures."""

import numpy as np

from calibration.profile import CalibrationProfile
from messages.message import Message
from station.camera.profile_guard import ProfileGuard, ProfileVerdict
from station.table.table import Table
from tests.asking import do
from tests.camera.scripted_camera import ScriptedCamera, Sure, frame, lost, seen, until
from vision.frame import Frame
from vision.reading import Reading, Status

LOST = ProfileVerdict(None, trusted=False, message=Message("calibration/movement/lost"))
SENTENCE = "The picture no longer shows the tray as it was; find the tray again."


class Guard:
    """Gives a verdict by the number of the frame."""

    def __init__(self, verdict):
        self._verdict = verdict

    def look(self, frame, camera=None):
        del camera
        return self._verdict(frame.number)

    begin = look


def test_a_camera_that_was_moved_is_reported_and_its_rolls_are_not_called_sure(watched):
    table, camera = Table(), ScriptedCamera(frame())
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    watched(
        camera, table, guard=Guard(lambda number: LOST if number else ProfileVerdict(None)), new_stream=Sure
    )
    until(table, lambda state: "accept_roll" in state["commands"])
    camera.add(frame(1))
    state = until(table, lambda state: state["reading"]["reasons"] == ["camera_moved"])
    assert state["problem"] == SENTENCE
    assert "accept_roll" not in state["commands"]
    assert "enter_roll" in state["commands"]


def test_what_is_wrong_with_the_camera_is_reported_again_when_its_picture_is_another(watched):
    table, camera = Table(), ScriptedCamera(frame())
    watcher = watched(camera, table, guard=Guard(lambda _: LOST))
    lost(table)
    watcher.reopen()
    camera.add(frame(1))
    seen(table)
    camera.add(frame(2))
    state = lost(table)
    assert state["problem"] == SENTENCE


def test_no_roll_is_offered_before_it_is_known_how_the_camera_stands(watched):
    class Thrown(Sure):
        def feed(self, frame):
            return super().feed(frame) if frame.number else Reading(Status.MOVING)

    offered = []

    class Listening(Table):
        def offer(self, reading, *, taken_s=None):
            offered.append((reading.status, taken_s))
            super().offer(reading, taken_s=taken_s)

    table, camera = Listening(), ScriptedCamera(*(frame(number) for number in range(4)))
    do(table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    watched(
        camera,
        table,
        guard=Guard(lambda number: ProfileVerdict(None, settled=number >= 3)),
        new_stream=Thrown,
    )
    until(table, lambda state: "accept_roll" in state["commands"])
    assert offered == [(Status.MOVING, 0.0), (Status.READY, 3.0)]


def test_another_profile_is_used_from_the_next_frame_on(watched, tmp_path):
    table, camera = Table(), ScriptedCamera(frame())
    watcher = watched(camera, table)
    seen(table)
    assert watcher.frame().number == 0
    watcher.use(ProfileGuard(CalibrationProfile(camera="another camera"), tmp_path))
    camera.add(frame(1))
    message = until(table, lambda state: state["camera"]["message"])["camera"]["message"]
    assert "was made for the another camera, not for the scripted camera" in message
    watcher.use(None)
    camera.add(frame(2))
    assert until(table, lambda state: not state["camera"]["message"])["camera"]["ok"]


def test_a_picture_of_another_size_is_not_read_with_the_profile_of_the_first(watched, tmp_path):
    """A phone that is turned while it films, or a camera that comes back in another mode."""
    turned = Frame(np.full((160, 120, 3), 90, np.uint8), 1.0, 1)
    table, camera = Table(), ScriptedCamera(frame())
    profile = CalibrationProfile(camera=ScriptedCamera.name, size_wh=(160, 120))
    watched(camera, table, guard=ProfileGuard(profile, tmp_path))
    assert until(table, lambda state: state["camera"]["name"])["camera"]["message"] == ""
    camera.add(turned)
    message = until(table, lambda state: state["camera"]["message"])["camera"]["message"]
    assert "turned on its side since" in message
    camera.add(frame(2))
    assert until(table, lambda state: not state["camera"]["message"])["camera"]["ok"]
