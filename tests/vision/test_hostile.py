"""Nothing that can come as a picture makes the reader fall over, or sure of what is not there."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from messages.errors import BadInputError
from tests.vision.helpers import draw, empty_tray
from vision.picture import decode, encode_jpeg
from vision.reader import Reader
from vision.reading import Status

Picture = NDArray[np.uint8]


def _noise(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    return rng.integers(0, 256, (*size, 3), dtype=np.uint8)


def _plain(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    return np.full((*size, 3), rng.integers(0, 256), np.uint8)


def _speckled(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    return np.repeat((rng.random((*size, 1)) < 0.5).astype(np.uint8) * 255, 3, axis=2)


def _chequered(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    y, x = np.mgrid[: size[0], : size[1]] / rng.uniform(2, 30)
    return np.repeat(((np.sin(x) * np.sin(y) > 0) * 255).astype(np.uint8)[..., None], 3, axis=2)


def _dotted(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    image = np.full((max(20, size[0]), max(20, size[1]), 3), rng.integers(0, 256, 3), np.uint8)
    for _ in range(int(rng.integers(1, 150))):
        place = tuple(int(v) for v in rng.integers(0, 300, 2))
        cv2.circle(image, place, int(rng.integers(1, 20)), tuple(int(v) for v in rng.integers(0, 256, 3)), -1)
    return image


def _twisted(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    image = empty_tray()
    draw(image, int(rng.integers(1, 7)), (300, 200))
    matrix = np.column_stack([rng.normal(0, 1, (2, 2)), rng.normal(0, 100, 2)])
    return cv2.warpAffine(image, matrix, (max(2, size[1]), max(2, size[0]))).astype(np.uint8)


KINDS = (_noise, _plain, _speckled, _chequered, _dotted, _twisted)


def _size(rng: np.random.Generator) -> tuple[int, int]:
    height, width = np.exp(rng.uniform(0, np.log(240), 2)).astype(int)
    return int(height), int(width)


@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_picture_is_never_ready(kind: Callable[..., Picture]) -> None:
    rng = np.random.default_rng(17)
    for _ in range(8):
        assert Reader(5).read(kind(rng, _size(rng))).status is not Status.READY


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_five_hundred_hostile_pictures(seed: int) -> None:
    rng = np.random.default_rng([5, seed])
    reader = Reader(5)
    for k in range(500):
        reading = reader.read(KINDS[k % len(KINDS)](rng, _size(rng)))
        assert reading.status is not Status.READY


def test_damaged_files_are_read_or_refused() -> None:
    image = empty_tray((120, 160))
    draw(image, 5, (80, 60), edge=40)
    whole = encode_jpeg(image)
    rng = np.random.default_rng(3)
    for _ in range(40):
        data = bytearray(whole)
        for place in rng.integers(0, len(data), int(rng.integers(1, 30))):
            data[place] = int(rng.integers(0, 256))
        cut = int(rng.integers(1, len(data) + 1)) if rng.random() < 0.5 else len(data)
        try:
            seen = decode(bytes(data[:cut]))
        except BadInputError:
            continue
        Reader(1).read(seen)


@pytest.mark.slow
def test_a_picture_of_twelve_thousand_pixels() -> None:
    small = empty_tray((600, 800))
    for k, place in enumerate(((150, 150), (400, 120), (650, 160), (220, 430), (600, 420))):
        draw(small, k + 1, place, edge=70, turn=0.3 * k)
    large = cv2.resize(small, (12_000, 9_000), interpolation=cv2.INTER_NEAREST)
    reading = Reader(5).read(large)
    assert reading.faces == (1, 2, 3, 4, 5)
    assert reading.dice[0].size > 800
