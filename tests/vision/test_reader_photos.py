"""The reader on real photographs and films."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from station.cli import run
from tests.vision.helpers import photographs
from vision.frame import Frame
from vision.picture import load
from vision.reader import Reader
from vision.reading import Status
from vision.stream import StreamReader

pytestmark = [pytest.mark.photos, pytest.mark.slow]


def test_five_white_dice_in_a_box(photos: Path) -> None:
    reader = Reader(5)
    right, wrong = 0, []
    pictures = photographs(photos, "seanwieser")
    for path, faces in pictures:
        reading = reader.read(load(path))
        if reading.status is Status.READY:
            right += reading.faces == faces
            if reading.faces != faces:
                wrong.append(path.name)
    assert not wrong
    assert right >= 0.95 * len(pictures)


@pytest.mark.parametrize(
    ("clip", "faces"),
    [
        ("csard90_tirada_1.mp4", [1, 1, 2, 3, 4]),
        ("csard90_tirada_2.mp4", [1, 2, 2, 3, 3]),
        ("csard90_tirada_3.mp4", [2, 2, 2, 2, 4]),
    ],
)
def test_a_filmed_throw_offers_its_roll_and_no_other(
    photos: Path, capsys: pytest.CaptureFixture[str], clip: str, faces: list[int]
) -> None:
    assert run(["read", "--json", "--every-frame", str(photos / "video" / clip)]) == 0
    frames = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    offered = [frame["faces"] for frame in frames if frame["status"] == "ready"]
    assert offered
    assert all(roll == faces for roll in offered)


def test_pictures_without_dice_are_never_ready(photos: Path) -> None:
    readings = [
        Reader(5).read(load(path)) for path, faces in photographs(photos, "wiktoriakeller") if not faces
    ]
    assert readings
    assert all(reading.status is not Status.READY for reading in readings)


def test_what_is_refused_in_a_picture_is_refused_in_a_stream_of_it(photos: Path) -> None:
    doubtful = 0
    for path, faces in photographs(photos, "nell-byler")[::3]:
        if len(faces) > 10:
            continue
        reader, image = Reader(len(faces)), load(path)
        still = reader.read(image)
        if still.status is Status.READY or not still.dice:
            continue
        doubtful += 1
        stream = StreamReader(reader)
        offered = [stream.feed(Frame(image, number / 10, number)).status for number in range(6)]
        assert Status.READY not in offered, path.name
    assert doubtful


@pytest.mark.parametrize("gamma", [0.5, 0.6, 1.0, 1.3, 1.4])
def test_a_face_that_one_look_denies_is_not_believed(photos: Path, gamma: float) -> None:
    (path,) = (photos / "nell-byler__dice_detection").glob("IMG_20191209_095526.jpg")
    lit = np.clip(255 * (load(path) / 255.0) ** gamma, 0, 255).astype(np.uint8)
    reading = Reader(8).read(lit)
    assert reading.status is not Status.READY or reading.faces == (1, 2, 3, 3, 4, 4, 4, 5)


def test_a_face_that_is_doubted_on_average_is_not_believed(photos: Path) -> None:
    (path,) = (photos / "nell-byler__dice_detection").glob("IMG_20191208_112116.jpg")
    grey = cv2.cvtColor(cv2.cvtColor(load(path), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    reading = Reader(7).read(np.asarray(grey, np.uint8))
    assert reading.status is not Status.READY or reading.faces == (1, 4, 5, 5, 6, 6, 6)
