"""`yacht read`: what it prints and how it answers bad input."""

import json
import resource
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from messages.errors import FailedError
from station.cli import run
from tests.vision.helpers import draw, empty_tray
from vision.corrections import LIST, load_corrections, save_correction

PLACES = ((100, 120), (250, 110), (420, 140), (180, 330), (430, 340))


@pytest.fixture
def roll(tmp_path: Path) -> Path:
    image = empty_tray()
    for face, place in zip((2, 3, 3, 5, 6), PLACES, strict=True):
        draw(image, face, place)
    cv2.imwrite(str(tmp_path / "roll.png"), image)
    return tmp_path / "roll.png"


def test_a_picture_gives_one_object(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", "--json", str(roll)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert set(found) == {"file", "status", "faces", "reasons", "ms", "dice"}
    assert (found["file"], found["status"], found["faces"]) == (str(roll), "ready", [2, 3, 3, 5, 6])
    assert set(found["dice"][0]) == {"face", "confidence", "center", "size", "angle", "colour"}


def test_without_json_it_is_a_sentence(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", str(roll)]) == 0
    assert capsys.readouterr().out == f"{roll}: ready: 2 3 3 5 6\n"


def test_other_numbers_of_dice(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", "--json", "--dice", "6", str(roll)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["reasons"]) == ("unsure", ["too_few"])


def test_a_folder_gives_one_object_for_each_picture(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(roll.parent / "empty.png"), empty_tray())
    assert run(["read", "--json", str(roll.parent)]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [f["status"] for f in found] == ["empty", "ready"]


@pytest.mark.thorough
def test_a_folder_as_a_stream_gives_each_roll_once(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = cv2.imread(str(roll))
    folder = roll.parent / "film"
    folder.mkdir()
    for k in range(12):
        cv2.imwrite(str(folder / f"{k}.png"), image)
    assert run(["read", "--json", "--stream", "--fps", "10", str(folder)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert (found["frame"], found["time_s"]) == (3, 0.3)
    assert run(["read", "--json", "--stream", "--every-frame", str(folder)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 12


def film_of(picture: Path, frames: int) -> Path:
    """A film beside a picture of 640 by 480 that shows it for so long."""
    film = picture.parent / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (640, 480))
    for _ in range(frames):
        writer.write(cv2.imread(str(picture)))
    writer.release()
    return film


def test_a_video_gives_its_roll(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    video = film_of(roll, 10)
    assert run(["read", "--json", str(video)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["faces"] == [2, 3, 3, 5, 6]


@pytest.mark.thorough
def test_a_film_that_is_cut_short_is_read_as_far_as_it_goes_and_told(
    roll: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = film_of(roll, 20)
    whole = film.read_bytes()
    film.write_bytes(whole[: len(whole) // 2])
    assert run(["read", "--json", str(film)]) == 2
    printed = capsys.readouterr()
    assert json.loads(printed.out)["faces"] == [2, 3, 3, 5, 6]
    assert printed.err == f"yacht: {film} is cut short (its end is missing); copy it again.\n"


@pytest.mark.parametrize(
    ("content", "says"), [(None, "There is no file"), (b"", "is empty"), (b"words", "is not a picture")]
)
def test_a_bad_file_is_one_sentence_and_the_others_are_read(
    roll: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, says: str
) -> None:
    bad = roll.parent / "bad.jpg"
    if content is not None:
        bad.write_bytes(content)
    assert run(["read", "--json", str(bad), str(roll)]) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert len(printed.err.splitlines()) == 1
    assert json.loads(printed.out)["status"] == "ready"


def test_a_bad_picture_in_a_film_is_told_and_what_follows_is_read(
    roll: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = roll.parent / "film"
    film.mkdir()
    (film / "0.png").write_bytes(roll.read_bytes())
    (film / "1.png").write_bytes(roll.read_bytes()[:1000])
    still = roll.parent / "stills"
    still.mkdir()
    (still / "0.png").write_bytes(roll.read_bytes())
    assert run(["read", "--json", "--stream", "--every-frame", str(film), str(still)]) == 2
    printed = capsys.readouterr()
    assert printed.err == f"yacht: {film / '1.png'} is cut short (its end is missing); copy it again.\n"
    assert [json.loads(line)["file"] for line in printed.out.splitlines()] == [str(film), str(still)]


def test_pictures_of_one_pixel_and_of_a_folder_without_any(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["read", str(tmp_path)]) == 2
    assert "no pictures" in capsys.readouterr().err
    cv2.imwrite(str(tmp_path / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    assert run(["read", "--json", str(tmp_path / "dot.png")]) == 2
    printed = capsys.readouterr()
    assert "has only 1 by 1 pixels" in printed.err
    assert not printed.out


def test_any_number_of_dice(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", "--json", "--dice", "any", str(roll)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["faces"], found["reasons"]) == ("ready", [2, 3, 3, 5, 6], [])
    cv2.imwrite(str(roll), empty_tray())
    assert run(["read", "--json", "--dice", "any", str(roll)]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "empty"


@pytest.mark.thorough
def test_more_dice_than_ten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image, faces = empty_tray((720, 1280)), [k % 6 + 1 for k in range(24)]
    for k, face in enumerate(faces):
        draw(image, face, (110.0 + 150 * (k % 8), 130.0 + 220 * (k // 8)), turn=0.3 * k)
    cv2.imwrite(str(tmp_path / "many.png"), image)
    for asked in ("24", "any"):
        assert run(["read", "--json", "--dice", asked, str(tmp_path / "many.png")]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["status"], found["faces"]) == ("ready", sorted(faces))


@pytest.mark.parametrize(
    "arguments", [["--dice", "0"], ["--dice", "41"], ["--dice", "some"], ["--fps", "0"], []]
)
def test_bad_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", *arguments]) == 2
    assert capsys.readouterr().out == ""


def test_a_profile_of_another_version_is_refused(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = roll.parent / "profile.json"
    profile.write_text('{"version": 99}')
    assert run(["read", "--profile", str(profile), str(roll)]) == 2
    assert "calibrate again" in capsys.readouterr().err


@pytest.mark.parametrize("stream", [False, True])
def test_a_picture_of_another_shape_than_the_profiles_is_refused(
    roll: Path,
    capsys: pytest.CaptureFixture[str],
    stream: bool,  # noqa: FBT001
) -> None:
    image = cv2.imread(str(roll))
    assert image is not None
    height, width = image.shape[:2]
    profile = roll.parent / "profile.json"
    outline = ((0.0, 0.0), (2.0 * width, 0.0), (2.0 * width, 2.0 * height), (0.0, 2.0 * height))
    Profile(outline=outline, size_wh=(2 * width, 2 * height)).save(profile)
    assert run(["read", "--json", "--profile", str(profile), str(roll)]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "ready"
    roll.unlink()
    cv2.imwrite(str(roll), cv2.copyMakeBorder(image, height, 0, 0, 0, cv2.BORDER_REPLICATE))
    options = ["--stream", str(roll.parent)] if stream else [str(roll)]
    assert run(["read", "--json", "--profile", str(profile), *options]) == 2
    printed = capsys.readouterr()
    assert "another shape" in printed.err
    assert not printed.out


def test_corrections_are_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = empty_tray()
    draw(image, 4, (200, 200))
    save_correction(tmp_path / "kept", image, (200.0, 200.0), 60.0, face=4, read=None)
    save_correction(tmp_path / "kept", image, (200.0, 200.0), 60.0, face=6, read=4)
    assert run(["read", "--json", "--check", str(tmp_path / "kept")]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(f["truth"], f["was"], f["right"]) for f in found] == [(4, None, True), (6, 4, False)]
    assert run(["read", "--check", str(tmp_path / "kept")]) == 0
    assert "1 of 2 corrected dice are read correctly now." in capsys.readouterr().out
    profile = tmp_path / "profile.json"
    Profile(outline=((0.0, 0.0), (9.0, 0.0), (9.0, 9.0)), size_wh=(1280, 720)).save(profile)
    assert run(["read", "--profile", str(profile), "--check", str(tmp_path / "kept")]) == 0
    assert "1 of 2 corrected dice are read correctly now." in capsys.readouterr().out


def test_a_correction_for_which_there_is_no_room_spoils_no_other(tmp_path: Path) -> None:
    def kept() -> None:
        save_correction(tmp_path, np.full((90, 90, 3), 40, np.uint8), (45, 45), 20, 4, 6)

    for _ in range(20):
        kept()
    before = (tmp_path / LIST).read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, hard))  # room for half a line
    try:
        with pytest.raises(FailedError):
            kept()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / LIST).read_bytes() == before
    kept()
    assert len(list(load_corrections(tmp_path))) == 21


@pytest.mark.parametrize("thrown_away", ["000001.png", "000003.png"])
def test_a_crop_may_be_thrown_away_and_its_name_is_not_given_again(tmp_path: Path, thrown_away: str) -> None:
    crops = {}
    for shade, face in ((10, 1), (20, 2), (30, 3)):
        crops[face] = save_correction(
            tmp_path, np.full((90, 90, 3), shade, np.uint8), (45, 45), 20, face, 6
        ).path
    (tmp_path / thrown_away).unlink()
    (tmp_path / "a copy.png").touch()
    crops[4] = save_correction(tmp_path, np.full((90, 90, 3), 40, np.uint8), (45, 45), 20, 4, 6).path
    assert crops[4].name == "000004.png"
    assert {one.face: one.path for one in load_corrections(tmp_path)} == {
        face: path for face, path in crops.items() if path.name != thrown_away
    }
    assert [cv2.imread(str(one.path))[0, 0, 0] for one in load_corrections(tmp_path)] == [
        10 * one.face for one in load_corrections(tmp_path)
    ]


@pytest.mark.parametrize("line", [None, "nonsense", '{"file": "a.png", "face": 7, "read": null}'])
def test_a_folder_without_corrections_or_with_damaged_ones_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str | None
) -> None:
    if line is not None:
        (tmp_path / "corrections.jsonl").write_text(line + "\n")
    assert run(["read", "--check", str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(40)
AVIF = b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + bytes(40)


def test_pictures_of_other_kinds_are_told_and_everything_else_is_read(
    roll: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
    assert run(["read", "--json", str(folder)]) == 2
    printed = capsys.readouterr()
    assert sorted(printed.err.splitlines()) == sorted(
        f"yacht: {folder / name} is a {kind} picture, which cannot be read; save it as JPEG."
        for name, (_, kind) in others.items()
    )
    read = [json.loads(line) for line in printed.out.splitlines()]
    assert [Path(each["file"]).name for each in read] == ["photo.HEIC", "roll.png"]
    assert all(each["faces"] == [2, 3, 3, 5, 6] for each in read)


def test_a_folder_of_other_kinds_alone_has_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "IMG_0001.HEIC").write_bytes(HEIC)
    assert run(["read", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("is a HEIC picture, which cannot be read; save it as JPEG.\n")


def test_a_picture_of_another_kind_beside_a_film_of_pictures(
    roll: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (roll.parent / "0.HEIC").write_bytes(HEIC)
    assert run(["read", "--json", "--stream", "--every-frame", str(roll.parent)]) == 2
    printed = capsys.readouterr()
    assert "0.HEIC is a HEIC picture" in printed.err
    (frame,) = map(json.loads, printed.out.splitlines())
    assert frame["frame"] == 0


def test_a_film_that_only_names_other_files_is_none(roll: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = film_of(roll, 10)
    (roll.parent / "list.mp4").write_text(f"ffconcat version 1.0\nfile {film.name}\n")
    assert run(["read", "--json", str(roll.parent / "list.mp4")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1


def test_of_damaged_pictures_and_films_there_is_one_line_each(
    roll: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = roll.read_bytes()
    bad = [roll.parent / name for name in ("bad.png", "bad.jpg", "bad.tif", "bad.mp4")]
    bad[0].write_bytes(data[: len(data) // 2] + b"\x55\xaa\x55\xaa" + data[len(data) // 2 + 4 :])
    jpeg = cv2.imencode(".jpg", cv2.imread(str(roll)))[1].tobytes()
    bad[1].write_bytes(jpeg[: len(jpeg) // 2] + bytes(64) + jpeg[len(jpeg) // 2 + 64 :])
    bad[2].write_bytes(cv2.imencode(".tif", cv2.imread(str(roll)))[1].tobytes()[:5000])
    bad[3].write_bytes(b"\0\0\0\x18ftypisom\0\0\2\0isomiso2" + bytes(200))
    assert run(["read", *map(str, bad)]) == 2
    printed = capfd.readouterr()
    assert printed.out == ""
    assert [line.split(" ")[1] for line in printed.err.splitlines()] == [str(each) for each in bad]
