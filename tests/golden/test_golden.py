"""Recorded frames are read today as they were yesterday."""

import json
from pathlib import Path

import pytest

from messages.errors import BadInputError
from simulator.cases import CASES
from tests.golden.verdicts import FOLDER, expected, known_right, labels, read
from vision.cameras.recorded import stills
from vision.frame import EndOfRecording
from vision.picture import load
from vision.reader import Reader
from vision.reading import Reading, Status
from vision.stream import StreamReader


def rolls_offered(folder: Path) -> list[tuple[int, Reading]]:
    """Frame number and reading of every frame that is offered as a roll."""
    reader = StreamReader(Reader(5))
    offered = []
    with stills(folder) as camera:
        while True:
            try:
                frame = camera.read()
            except EndOfRecording:
                return offered
            assert frame is not None
            reading = reader.feed(frame)
            if reading.status is Status.READY:
                offered.append((frame.number, reading))


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["throws-white", pytest.param("throws-mixed", marks=pytest.mark.slow)])
def test_a_recorded_throw_ends_in_its_roll_and_never_in_another(name: str) -> None:
    rows = labels(FOLDER / name)
    offered = rolls_offered(FOLDER / name)
    for number, reading in offered:
        label = rows[number]
        # A hand on its way out may still be in a corner of the picture: what counts is that all lie.
        assert label["state"] != "moving", f"frame {number} is offered while dice move"
        assert list(reading.faces) == label["lying"], f"frame {number} is read wrongly"
    for throw in {row["throw"] for row in rows if row["state"] == "settled"}:
        assert any(rows[number]["throw"] == throw for number, _ in offered), f"throw {throw} is never offered"


@pytest.fixture(scope="module")
def readings() -> dict[str, Reading]:
    """Case -> what the reader says of its still today."""
    return {label["case"]: read(label) for label in labels(FOLDER / "stills")}


@pytest.mark.slow
def test_no_still_that_was_right_has_turned_wrong(readings: dict[str, Reading]) -> None:
    right = {
        label["case"]
        for label in labels(FOLDER / "stills")
        if expected(label).accepts(readings[label["case"]])
    }
    lost = known_right() - right
    assert not lost, f"once read rightly, now not: {sorted(lost)}"


@pytest.mark.slow
def test_no_readable_still_is_sure_but_wrong(readings: dict[str, Reading]) -> None:
    for label in labels(FOLDER / "stills"):
        reading = readings[label["case"]]
        if reading.status is Status.READY and label["faces"] is not None:
            assert list(reading.faces) == label["faces"], label["case"]


def test_the_labels_fit_the_pictures() -> None:
    for folder in ("throws-white", "throws-mixed", "stills"):
        rows = labels(FOLDER / folder)
        files = sorted(file.name for file in (FOLDER / folder).glob("*.jpg"))
        assert [row["file"] for row in rows] == files
    cases = [row["case"] for row in labels(FOLDER / "stills")]
    assert len(set(cases)) == len(cases)
    assert known_right() <= set(cases)
    assert set(cases) <= set(CASES)


def test_the_golden_frames_stay_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.rglob("*") if file.is_file()) < 6_000_000


def test_a_damaged_golden_frame_is_refused_and_not_read(tmp_path: Path) -> None:
    row = labels(FOLDER / "stills")[0]
    data = (FOLDER / "stills" / row["file"]).read_bytes()
    (tmp_path / "half.jpg").write_bytes(data[: len(data) // 2])
    with pytest.raises(BadInputError, match="cut short"):
        load(tmp_path / "half.jpg")
    assert expected(json.loads(json.dumps(row))).statuses
