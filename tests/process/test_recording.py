"""A real throw, filmed from above: the station ends up offering the roll that fell."""

import csv

import pytest

from messages.message import Message
from tests.asking import do

pytestmark = [pytest.mark.slow, pytest.mark.photos]

DEADLINE_S = 180.0


def test_a_filmed_throw_is_offered(photos, build):
    name = "csard90_tirada_1.mp4"
    with (photos / "video" / "list.csv").open(newline="") as rows:
        (row,) = [row for row in csv.DictReader(rows) if row["file"].endswith(name)]
    wanted = sorted(int(face) for face in row["faces_at_rest"] if face.isdigit())
    station = build(camera=str(photos / "video" / name), buttons="none", starts=False)
    do(station.table, {"command": "start_game", "players": ["Ana"], "rules": "yacht-1938"})
    news = station.table.subscribe()
    station.start()
    while (view := news.get(DEADLINE_S)) is not None:
        if view.camera.message == Message("camera/recording_ended"):
            break
    assert view is not None, "the recording has not ended"
    assert (view.reading.status, list(view.reading.faces)) == ("ready", wanted)
    assert "accept_roll" in view.commands
    do(station.table, {"command": "accept_roll"})
