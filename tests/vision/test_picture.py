"""Files in, drawings and JPEGs out."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from messages.errors import BadInputError
from pictures.decode import decode
from pictures.header import size_wh
from tests.vision.helpers import draw, empty_tray
from vision.picture import annotate, encode_jpeg, load, load_to_read
from vision.reader import Reader


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


def _with_half(whole: bytes, share: float) -> bytes:
    """A JPEG of whose scan only a share is there, but for its end."""
    begins = whole.index(b"\xff\xda")
    return whole[: begins + round((len(whole) - begins) * share)] + b"\xff\xd9"


def _overwritten(whole: bytes, share: float) -> bytes:
    """A JPEG in which a block of a card was lost."""
    at = whole.index(b"\xff\xda") + 20 + round(len(whole) * share / 2)
    return whole[:at] + bytes(512) + whole[at + 512 :]


def _turned(whole: bytes) -> bytes:
    """A JPEG whose first segment says that the camera stood on its head (Exif, orientation 3)."""
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0"
    return whole[:2] + b"\xff\xe1" + (2 + len(exif)).to_bytes(2) + exif + whole[2:]


@pytest.mark.parametrize("damaged", [_with_half, _overwritten])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("size", [(480, 640), (360, 500)])
@pytest.mark.parametrize("shrink", [1, 2])
def test_a_photograph_of_which_the_middle_is_missing_is_refused(
    damaged: Callable[[bytes, float], bytes], share: float, size: tuple[int, int], shrink: int
) -> None:
    """The decoder fills it up with grey: dice that had lain there were none, and the tray was empty."""
    whole = encode_jpeg(empty_tray(size), quality=90)
    for photograph in (whole, _turned(whole)):
        decode(photograph, shrink=shrink)
        with pytest.raises(BadInputError, match="damaged"):
            decode(damaged(photograph, share), shrink=shrink)


def test_a_picture_that_is_grey_to_its_corner_is_one() -> None:
    image = empty_tray()
    image[240:] = 128
    assert decode(encode_jpeg(image)).shape == image.shape


@pytest.mark.parametrize("size", [(1, 1), (1, 500), (500, 7)])
def test_a_picture_in_which_no_die_has_room_is_not_read(tmp_path: Path, size: tuple[int, int]) -> None:
    """It was called an empty tray."""
    cv2.imwrite(str(tmp_path / "dot.png"), np.zeros((*size, 3), np.uint8))
    with pytest.raises(BadInputError, match=f"{size[1]} by {size[0]} pixels"):
        load_to_read(tmp_path / "dot.png")


def test_of_a_truncated_png_nobody_else_complains(capfd: pytest.CaptureFixture[str]) -> None:
    whole = cv2.imencode(".png", empty_tray())[1].tobytes()
    assert np.array_equal(decode(whole + bytes(9)), empty_tray())
    for cut in (len(whole) // 2, len(whole) - 9):
        with pytest.raises(BadInputError, match="cut short"):
            decode(whole[:cut])
    assert capfd.readouterr().err == ""


def _with_preview(whole: bytes, preview: bytes) -> bytes:
    """A JPEG that holds a small one in its first segment, as cameras write it."""
    return whole[:2] + b"\xff\xe1" + (2 + len(preview)).to_bytes(2) + preview + whole[2:]


@pytest.mark.parametrize("behind", [bytes(5000), b"\x00\x00\x00\x18ftypmp42" + bytes(range(256)) * 40])
def test_a_photograph_with_a_film_behind_its_end_is_read(behind: bytes) -> None:
    whole = encode_jpeg(empty_tray())
    assert np.array_equal(decode(whole + behind), decode(whole))


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9])
def test_the_end_of_a_preview_is_not_the_end_of_a_photograph(share: float) -> None:
    whole = encode_jpeg(empty_tray())
    photograph = _with_preview(whole, encode_jpeg(empty_tray((48, 64))))
    assert np.array_equal(decode(photograph), decode(whole))
    with pytest.raises(BadInputError, match="cut short"):
        decode(photograph[: round(share * len(photograph))])


def test_bytes_that_fill_up_before_a_segment_are_passed_over() -> None:
    whole = encode_jpeg(empty_tray())
    assert np.array_equal(decode(whole[:2] + b"\xff\xff" + whole[2:]), decode(whole))


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


@pytest.mark.thorough
def test_a_very_large_jpeg_is_read_smaller_and_told_of_in_its_own_pixels(tmp_path: Path) -> None:
    small = empty_tray((300, 400))
    draw(small, 5, (150, 120), edge=60)
    cv2.imwrite(str(tmp_path / "large.jpg"), cv2.resize(small, (8000, 6000), interpolation=cv2.INTER_NEAREST))
    image, smaller = load_to_read(tmp_path / "large.jpg")
    assert smaller == 2
    assert image.shape == (3000, 4000, 3)
    (die,) = Reader(1).read(image).enlarged(smaller).dice
    assert die.center == pytest.approx((150 * 20, 120 * 20), abs=40)
    assert die.size == pytest.approx(60 * 20, rel=0.2)


def test_an_ordinary_picture_is_read_as_it_is(tmp_path: Path) -> None:
    image = empty_tray()
    for name in ("a.jpg", "a.png"):
        cv2.imwrite(str(tmp_path / name), image)
        read, smaller = load_to_read(tmp_path / name)
        assert smaller == 1
        assert np.array_equal(read, load(tmp_path / name))


@pytest.mark.thorough
def test_a_jpeg_that_lies_about_its_size_is_refused_or_decoded(tmp_path: Path) -> None:
    data = bytearray(encode_jpeg(empty_tray()))
    start = data.index(b"\xff\xc0")
    data[start + 5 : start + 9] = b"\x27\x10\x27\x10"  # 10,000 by 10,000
    (tmp_path / "lies.jpg").write_bytes(bytes(data))
    try:
        image, smaller = load_to_read(tmp_path / "lies.jpg")
    except BadInputError:
        return
    assert smaller == 2
    assert image.shape[0] <= 5000


@pytest.mark.parametrize(
    ("suffix", "settings"),
    [
        (".jpg", ()),
        (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)),
        (".png", ()),
        (".webp", (cv2.IMWRITE_WEBP_QUALITY, 80)),
        (".webp", (cv2.IMWRITE_WEBP_QUALITY, 101)),
        (".tif", ()),
        (".bmp", ()),
    ],
)
def test_the_size_stands_in_the_header(suffix: str, settings: tuple[int, ...]) -> None:
    _, data = cv2.imencode(suffix, empty_tray((300, 517)), settings)
    assert size_wh(data.tobytes()) == (517, 300)


def test_a_header_that_names_no_size() -> None:
    for start in (b"", b"GIF89a", b"\xff\xd8\xff", b"II*\0", b"MM\0*\0\0\0\x08\0\x02", b"RIFF....WEBPVP8?"):
        assert size_wh(start) is None
    extended = b"RIFF....WEBPVP8X" + bytes(8) + (639).to_bytes(3, "little") + (479).to_bytes(3, "little")
    assert size_wh(extended) == (640, 480)


def test_halves_are_decoded_as_halves() -> None:
    image = decode(encode_jpeg(empty_tray((96, 128))), shrink=2)
    assert image.shape == (48, 64, 3)


@pytest.mark.parametrize("size", [(40_000, 8), (8, 40_000)])
def test_a_picture_of_a_very_long_side_is_refused(size: tuple[int, int]) -> None:
    data = cv2.imencode(".png", np.zeros((*size, 3), np.uint8))[1].tobytes()
    with pytest.raises(BadInputError, match="too large"):
        decode(data)


@pytest.mark.parametrize("length", [0x7FFFFFFF, 0x10000000, 100_000])
def test_a_chunk_that_claims_to_be_longer_than_its_file_is_refused_undecoded(
    monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    data = bytearray(cv2.imencode(".png", np.full((40, 60, 3), 90, np.uint8))[1].tobytes())
    decode(bytes(data))
    at = data.index(b"IDAT")
    data[at - 4 : at] = length.to_bytes(4, "big")
    data += b"IEND"
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(BadInputError):
        decode(bytes(data))
