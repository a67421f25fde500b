"""The one function that decodes pictures: what it takes, what it refuses before OpenCV sees a byte of it."""

import os
import struct
import threading
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.empty_tray import load_picture
from messages.errors import BadInputError
from pictures.c_messages import captured
from pictures.decode import CAMERA_PIXELS_MAX, PIXELS_MAX, decode
from pictures.header import foreign_kind, kind_of
from tests.vision.helpers import empty_tray
from web.history.evening_card import EveningCard, Fact, drawn

NO_PICTURE = (
    b"",
    b"words",
    b"P6 8 8 255\n" + bytes(192),
    b"\x76\x2f\x31\x01",
    b"#?RADIANCE\n",
    b"\x59\xa6\x6a\x95",
)


def encoded(suffix: str, size: tuple[int, int] = (48, 64)) -> bytes:
    return cv2.imencode(suffix, empty_tray(size))[1].tobytes()


@pytest.fixture
def undecoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No picture may reach OpenCV."""
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".tif", ".bmp"])
def test_five_kinds_are_decoded(suffix: str) -> None:
    data = encoded(suffix)
    assert kind_of(data)
    assert decode(data).shape == (48, 64, 3)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (encoded(".jp2"), "JPEG 2000"),
        (b"\xff\x4f\xff\x51" + bytes(60), "JPEG 2000"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(40), "HEIC"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic" + bytes(40), "HEIC"),
        (b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf" + bytes(40), "AVIF"),
        (b"\0\0\0\x18ftypavif\0\0\0\0mif1avif" + bytes(40), "AVIF"),
        (b"\0\0\0\x0cJXL \r\n\x87\n" + bytes(40), "JPEG XL"),
        (b"GIF89a" + bytes(40), "GIF"),
    ],
)
@pytest.mark.usefixtures("undecoded")
def test_other_kinds_are_named_and_never_decoded(data: bytes, kind: str) -> None:
    with pytest.raises(
        BadInputError, match=f"shot is a {kind} picture, which cannot be read; save it as JPEG"
    ):
        decode(data, "shot")


@pytest.mark.parametrize("data", NO_PICTURE)
@pytest.mark.usefixtures("undecoded")
def test_what_begins_as_no_picture_is_never_decoded(data: bytes) -> None:
    assert foreign_kind(data) is None
    with pytest.raises(BadInputError, match="not a picture"):
        decode(data)


def png(width: int, height: int) -> bytes:
    """A PNG of one colour, one bit for a pixel: a few kB, however large."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes(min(height, 100) * (1 + -(-width // 8))), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def jpeg(width: int, height: int) -> bytes:
    data = bytearray(encoded(".jpg"))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def webp(width: int, height: int) -> bytes:
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + sides


def bmp(width: int, height: int) -> bytes:
    return b"BM" + bytes(12) + struct.pack("<IiiHH", 40, width, -height, 1, 1) + bytes(24)


def tiff(width: int, height: int, *more: tuple[int, int]) -> bytes:
    entries = [(256, width), (257, height), *more]
    told = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries)
    return b"II*\0\x08\0\0\0" + struct.pack("<H", len(entries)) + told + bytes(4)


@pytest.mark.parametrize("made", [png, jpeg, webp, bmp, tiff])
@pytest.mark.usefixtures("undecoded")
def test_a_picture_that_would_fill_the_memory_is_refused_by_its_header(
    made: Callable[[int, int], bytes],
) -> None:
    with pytest.raises(BadInputError, match="too large"):
        decode(made(16_000, 16_000))
    assert PIXELS_MAX < 16_000**2
    with pytest.raises(BadInputError, match="too large"):
        decode(made(5_000, 5_000), pixels_max=CAMERA_PIXELS_MAX)


@pytest.mark.parametrize(
    "data",
    [
        tiff(64, 48, (322, 30_000), (323, 30_000)),  # a tile of 900 million pixels
        tiff(64, 48, (258, 64)),
        tiff(64, 48, (277, 200)),
        b"BM" + bytes(12) + struct.pack("<IiiHH", 16, 64, 48, 1, 1) + bytes(24),
        b"II+\0\x08\0\0\0" + bytes(60),
        png(0, 40),
        b"\x89PNG\r\n\x1a\n\0\0\0\0tEXt" + bytes(60),
    ],
)
@pytest.mark.usefixtures("undecoded")
def test_a_header_that_leaves_open_what_is_taken_is_refused(data: bytes) -> None:
    with pytest.raises(BadInputError):
        decode(data)


@pytest.mark.usefixtures("undecoded")
def test_of_an_entry_that_is_there_twice_the_larger_counts() -> None:
    with pytest.raises(BadInputError, match="too large"):
        decode(tiff(64, 48, (256, 60_000)))


@pytest.mark.parametrize(("size_wh", "side"), [(None, 5_000), ((64, 48), 4_000), ((5_000, 5_000), 5_000)])
@pytest.mark.usefixtures("undecoded")
def test_the_empty_tray_of_a_profile_is_not_decoded_in_another_size(
    tmp_path: Path, size_wh: tuple[int, int] | None, side: int
) -> None:
    """A copy may bring it: one of 30,000 by 30,000 pixels took 5 GB at each start."""
    (tmp_path / "empty.png").write_bytes(png(side, side))
    with pytest.raises(BadInputError, match="damaged or of another size"):
        load_picture(tmp_path / "empty.png", size_wh)


@pytest.mark.parametrize("bad", [encoded(".jp2"), png(16_000, 16_000), b"words"])
def test_a_card_of_an_evening_leaves_out_a_picture_that_is_none(bad: bytes) -> None:
    """A copy may bring it; Pillow would open any kind."""
    plain = drawn(EveningCard("", "", (), (Fact("The luckiest roll", "five sixes"),)))
    assert drawn(EveningCard("", "", (), (Fact("The luckiest roll", "five sixes", bad),))) == plain
    assert (
        drawn(EveningCard("", "", (), (Fact("The luckiest roll", "five sixes", encoded(".jpg")),))) != plain
    )


def _with(data: bytes, at: float, put: bytes) -> bytes:
    place = round(at * len(data))
    return data[:place] + put + data[place + len(put) :]


BROKEN = {
    "a PNG with a bit error": _with(encoded(".png"), 0.5, b"\x55\xaa\x55\xaa"),
    "a JPEG written over": _with(encoded(".jpg", (480, 640)), 0.6, bytes(64)),
    "half a TIFF": encoded(".tif")[: len(encoded(".tif")) // 2],
    "half a WebP": encoded(".webp")[:40],
}


@pytest.mark.parametrize("name", BROKEN)
def test_of_a_damaged_picture_only_we_say_something(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInputError):
        decode(BROKEN[name])
    assert capfd.readouterr() == ("", "")


def test_what_is_only_odd_in_a_jpeg_is_neither_damage_nor_printed(capfd: pytest.CaptureFixture[str]) -> None:
    data = encoded(".jpg")
    assert decode(data[:-2] + b"abc" + data[-2:]).shape == (48, 64, 3)
    assert capfd.readouterr() == ("", "")


def test_only_what_the_c_library_prints_is_caught(capfd: pytest.CaptureFixture[str]) -> None:
    """What others write to standard error meanwhile arrives there."""

    def work() -> int:
        told = threading.Thread(target=lambda: os.write(2, b"a log\n"))
        told.start()
        told.join()
        cv2.imdecode(np.frombuffer(BROKEN["a PNG with a bit error"], np.uint8), cv2.IMREAD_COLOR)
        return 7

    found, messages = captured(work)
    assert found == 7
    assert messages.startswith("libpng error")
    assert captured(lambda: None) == (None, "")
    assert capfd.readouterr().err == "a log\n"
