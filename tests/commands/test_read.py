"""`yacht read`: what it prints and how it answers bad input."""

import json
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.profile import CalibrationProfile
from messages.errors import FailedError
from station.cli import run
from tests.vision.helpers import draw, empty_tray
from vision.corrections import LIST, load_corrections, save_correction

PLACES = ((100, 120), (250, 110), (420, 140), (180, 330), (430, 340))
FACES = [2, 3, 3, 5, 6]
Read = Callable[..., tuple[int, list[dict[str, Any]], str]]


@pytest.fixture
def roll(tmp_path: Path) -> Path:
    image = empty_tray()
    for face, place in zip(FACES, PLACES, strict=True):
        draw(image, face, place)
    cv2.imwrite(str(tmp_path / "roll.png"), image)
    return tmp_path / "roll.png"


@pytest.fixture
def read(capfd: pytest.CaptureFixture[str]) -> Read:
    """Calls `yacht read --json`: its exit code, the objects it prints, and what it says is wrong."""

    def called(*arguments: object) -> tuple[int, list[dict[str, Any]], str]:
        code = run(["read", "--json", *map(str, arguments)])
        printed = capfd.readouterr()
        return code, [json.loads(line) for line in printed.out.splitlines()], printed.err

    return called


def test_a_picture_gives_one_object_or_a_sentence(
    roll: Path, read: Read, capfd: pytest.CaptureFixture[str]
) -> None:
    code, (found,), _ = read(roll)
    assert set(found) == {"file", "status", "faces", "reasons", "ms", "dice"}
    assert (code, found["file"], found["status"], found["faces"]) == (0, str(roll), "ready", FACES)
    assert set(found["dice"][0]) == {"face", "confidence", "center", "size", "angle", "colour"}
    code, (found,), _ = read("--dice", "6", roll)
    assert (code, found["status"], found["reasons"]) == (0, "unsure", ["too_few"])
    assert run(["read", str(roll)]) == 0
    assert capfd.readouterr().out == f"{roll}: ready: 2 3 3 5 6\n"


def test_any_number_of_dice_and_a_folder_of_pictures(roll: Path, read: Read) -> None:
    cv2.imwrite(str(roll.parent / "empty.png"), empty_tray())
    for dice in ("5", "any"):
        code, found, _ = read("--dice", dice, roll.parent)
        assert code == 0
        assert [(each["status"], each["faces"]) for each in found] == [("empty", []), ("ready", FACES)]


@pytest.mark.thorough
def test_more_dice_than_ten(tmp_path: Path, read: Read) -> None:
    image, faces = empty_tray((720, 1280)), [k % 6 + 1 for k in range(24)]
    for k, face in enumerate(faces):
        draw(image, face, (110.0 + 150 * (k % 8), 130.0 + 220 * (k // 8)), turn=0.3 * k)
    cv2.imwrite(str(tmp_path / "many.png"), image)
    for count in ("24", "any"):
        code, (found,), _ = read("--dice", count, tmp_path / "many.png")
        assert (code, found["status"], found["faces"]) == (0, "ready", sorted(faces))


@pytest.mark.thorough
def test_a_folder_as_a_stream_gives_each_roll_once(roll: Path, read: Read) -> None:
    folder = roll.parent / "film"
    folder.mkdir()
    for k in range(12):
        (folder / f"{k}.png").write_bytes(roll.read_bytes())
    code, (found,), _ = read("--stream", "--fps", "10", folder)
    assert (code, found["frame"], found["time_s"]) == (0, 3, 0.3)
    assert len(read("--stream", "--every-frame", folder)[1]) == 12


def film_of(picture: Path, frames: int) -> Path:
    """A film beside a picture of 640 by 480 that shows it for so long."""
    film = picture.parent / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (640, 480))
    for _ in range(frames):
        writer.write(cv2.imread(str(picture)))
    writer.release()
    return film


@pytest.mark.thorough
def test_a_film_gives_its_roll_and_one_that_is_cut_short_as_far_as_it_goes(roll: Path, read: Read) -> None:
    film = film_of(roll, 20)
    code, (found,), _ = read(film)
    assert (code, found["faces"]) == (0, FACES)
    whole = film.read_bytes()
    film.write_bytes(whole[: len(whole) // 2])
    code, (found,), err = read(film)
    assert (code, found["faces"]) == (2, FACES)
    assert err == f"yacht: {film} is cut short (its end is missing); copy it again.\n"


@pytest.mark.parametrize(
    ("content", "says"), [(None, "There is no file"), (b"", "is empty"), (b"words", "is not a picture")]
)
def test_a_bad_file_is_one_sentence_and_the_others_are_read(
    roll: Path, read: Read, content: bytes | None, says: str
) -> None:
    bad = roll.parent / "bad.jpg"
    if content is not None:
        bad.write_bytes(content)
    code, (found,), err = read(bad, roll)
    assert (code, found["status"], len(err.splitlines())) == (2, "ready", 1)
    assert says in err


def test_a_bad_picture_in_a_film_is_told_and_what_follows_is_read(roll: Path, read: Read) -> None:
    film, still = roll.parent / "film", roll.parent / "stills"
    film.mkdir()
    still.mkdir()
    (film / "0.png").write_bytes(roll.read_bytes())
    (film / "1.png").write_bytes(roll.read_bytes()[:1000])
    (still / "0.png").write_bytes(roll.read_bytes())
    code, found, err = read("--stream", "--every-frame", film, still)
    assert err == f"yacht: {film / '1.png'} is cut short (its end is missing); copy it again.\n"
    assert (code, [each["file"] for each in found]) == (2, [str(film), str(still)])


def test_pictures_of_one_pixel_and_of_a_folder_without_any(tmp_path: Path, read: Read) -> None:
    code, found, err = read(tmp_path)
    assert (code, found, "no pictures" in err) == (2, [], True)
    cv2.imwrite(str(tmp_path / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    code, found, err = read(tmp_path / "dot.png")
    assert (code, found, "has only 1 by 1 pixels" in err) == (2, [], True)


@pytest.mark.parametrize(
    "arguments", [["--dice", "0"], ["--dice", "41"], ["--dice", "some"], ["--fps", "0"], []]
)
def test_bad_arguments(arguments: list[str], read: Read) -> None:
    assert read(*arguments)[:2] == (2, [])


@pytest.mark.parametrize("stream", [False, True])
def test_a_profile_of_another_version_or_shape_is_refused(roll: Path, read: Read, *, stream: bool) -> None:
    profile, image = roll.parent / "profile.json", cv2.imread(str(roll))
    assert image is not None
    options = ["--profile", profile, *(["--stream", roll.parent] if stream else [roll])]
    profile.write_text('{"version": 99}')
    code, found, err = read(*options)
    assert (code, found, "calibrate again" in err) == (2, [], True)
    height, width = image.shape[:2]
    outline = ((0.0, 0.0), (2.0 * width, 0.0), (2.0 * width, 2.0 * height), (0.0, 2.0 * height))
    CalibrationProfile(outline=outline, size_wh=(2 * width, 2 * height)).save(profile)
    assert [each["status"] for each in read("--profile", profile, roll)[1]] == ["ready"]
    cv2.imwrite(str(roll), cv2.copyMakeBorder(image, height, 0, 0, 0, cv2.BORDER_REPLICATE))
    code, found, err = read(*options)
    assert (code, found, "another shape" in err) == (2, [], True)


def test_corrections_are_read_again(tmp_path: Path, read: Read, capfd: pytest.CaptureFixture[str]) -> None:
    image, kept, profile = empty_tray(), tmp_path / "kept", tmp_path / "profile.json"
    draw(image, 4, (200, 200))
    save_correction(kept, image, (200.0, 200.0), 60.0, face=4, read=None)
    save_correction(kept, image, (200.0, 200.0), 60.0, face=6, read=4)
    code, found, _ = read("--check", kept)
    assert [(f["truth"], f["was"], f["right"]) for f in found] == [(4, None, True), (6, 4, False)]
    CalibrationProfile(outline=((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), size_wh=(1280, 720)).save(profile)
    for more in ([], ["--profile", str(profile)]):
        assert run(["read", "--check", str(kept), *more]) == code == 0
        assert "1 of 2 corrected dice are read correctly now." in capfd.readouterr().out


@pytest.mark.parametrize("line", [None, "nonsense", '{"file": "a.png", "face": 7, "read": null}'])
def test_a_folder_without_corrections_or_with_damaged_ones_is_refused(
    tmp_path: Path, read: Read, line: str | None
) -> None:
    if line is not None:
        (tmp_path / LIST).write_text(line + "\n")
    code, _, err = read("--check", tmp_path)
    assert (code, len(err.splitlines())) == (2, 1)


def correct(folder: Path, face: int) -> Path:
    """Keep a crop whose shade is ten times its face; its file."""
    return save_correction(folder, np.full((90, 90, 3), 10 * face, np.uint8), (45, 45), 20, face, 6).path


def test_a_correction_for_which_there_is_no_room_spoils_no_other(tmp_path: Path) -> None:
    for _ in range(20):
        correct(tmp_path, 4)
    before = (tmp_path / LIST).read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, hard))  # room for half a line
    try:
        with pytest.raises(FailedError):
            correct(tmp_path, 4)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / LIST).read_bytes() == before
    correct(tmp_path, 4)
    assert len(list(load_corrections(tmp_path))) == 21


@pytest.mark.parametrize("thrown_away", [1, 3])
def test_a_crop_may_be_thrown_away_and_its_name_is_not_given_again(tmp_path: Path, thrown_away: int) -> None:
    crops = {face: correct(tmp_path, face) for face in (1, 2, 3)}
    crops.pop(thrown_away).unlink()
    (tmp_path / "a copy.png").touch()
    crops[4] = correct(tmp_path, 4)
    assert crops[4].name == "000004.png"
    loaded = {one.face: one.path for one in load_corrections(tmp_path)}
    assert loaded == crops
    assert {face: cv2.imread(str(path))[0, 0, 0] // 10 for face, path in loaded.items()} == {
        face: face for face in crops
    }


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(40)
AVIF = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(40)


def test_pictures_of_other_kinds_are_told_and_everything_else_is_read(roll: Path, read: Read) -> None:
    folder = roll.parent
    others = {
        "IMG_0001.HEIC": (HEIC, "HEIC"),
        "IMG_0002.avif": (AVIF, "AVIF"),
        "named.jpg": (HEIC, "HEIC"),
        "no-ending": (HEIC, "HEIC"),
        "raw.dng": (b"II*\0" + bytes(60), "DNG"),
    }
    for name, (data, _) in others.items():
        (folder / name).write_bytes(data)
    (folder / "photo.HEIC").write_bytes(roll.read_bytes())  # what a file is called does not make it one
    (folder / "notes.txt").write_text("five dice")
    (folder / ".hidden.heic").write_bytes(HEIC)
    code, found, err = read(folder)
    assert (code, sorted(err.splitlines())) == (
        2,
        sorted(
            f"yacht: {folder / name} is a {kind} picture, which cannot be read; save it as JPEG."
            for name, (_, kind) in others.items()
        ),
    )
    assert [Path(each["file"]).name for each in found] == ["photo.HEIC", "roll.png"]
    assert all(each["faces"] == FACES for each in found)


def test_a_picture_of_another_kind_beside_a_film_of_pictures_or_alone(roll: Path, read: Read) -> None:
    (roll.parent / "0.HEIC").write_bytes(HEIC)
    code, (frame,), err = read("--stream", "--every-frame", roll.parent)
    assert (code, frame["frame"], "0.HEIC is a HEIC picture" in err) == (2, 0, True)
    roll.unlink()
    code, found, err = read(roll.parent)
    assert (code, found) == (2, [])
    assert err.endswith("is a HEIC picture, which cannot be read; save it as JPEG.\n")


def test_of_damaged_pictures_and_films_there_is_one_line_each(roll: Path, read: Read) -> None:
    """A film that only names other files is none."""
    film, data, picture = film_of(roll, 10), roll.read_bytes(), cv2.imread(str(roll))
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    damaged = {
        "bad.png": data[: len(data) // 2] + b"\x55\xaa\x55\xaa" + data[len(data) // 2 + 4 :],
        "bad.jpg": jpeg[: len(jpeg) // 2] + bytes(64) + jpeg[len(jpeg) // 2 + 64 :],
        "bad.tif": cv2.imencode(".tif", picture)[1].tobytes()[:5000],
        "bad.mp4": b"\0\0\0\x18ftypisom\0\0\2\0isomiso2" + bytes(200),
        "list.mp4": f"ffconcat version 1.0\nfile {film.name}\n".encode(),
    }
    bad = [roll.parent / name for name in damaged]
    for path in bad:
        path.write_bytes(damaged[path.name])
    code, found, err = read(*bad)
    assert (code, found) == (2, [])
    assert [line.split(" ")[1] for line in err.splitlines()] == [str(each) for each in bad]
