"""Files in, drawings and JPEGs out."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from station.errors import BadInputError
from tests.vision.helpers import draw, empty_tray
from vision.picture import annotate, encode_jpeg, load
from vision.pipeline import Reader


def test_a_picture_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    image = np.random.default_rng(0).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "a.png"), image)
    assert np.array_equal(load(tmp_path / "a.png"), image)


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "empty"), (b"no picture", "not a picture"), (b"\xff\xd8\xff\xe0cut", "cut short")],
)
def test_a_bad_file_is_named_in_a_sentence(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "bad.jpg"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=says):
        load(path)


def test_a_truncated_photograph_is_refused(tmp_path: Path) -> None:
    whole = encode_jpeg(empty_tray())
    (tmp_path / "half.jpg").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInputError, match="cut short"):
        load(tmp_path / "half.jpg")


@pytest.mark.parametrize("name", ["missing.jpg", "."])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInputError):
        load(tmp_path / name)


def test_annotate_draws_into_a_copy() -> None:
    image = empty_tray()
    draw(image, 4, (200, 200))
    before = image.copy()
    drawn = annotate(image, Reader(1).read(image))
    assert np.array_equal(image, before)
    assert not np.array_equal(drawn, before)


def test_a_jpeg_is_no_wider_than_asked() -> None:
    image = cv2.imdecode(np.frombuffer(encode_jpeg(empty_tray((600, 1600)), width_max=400), np.uint8), 1)
    assert image.shape == (150, 400, 3)
