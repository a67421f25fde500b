"""Calibration on the running station, played with the simulated tray."""

import itertools
import random
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.keeping import keep
from calibration.lens import VIEWS_GOOD, Lens
from calibration.profile import Profile
from station.calibrator import Calibrator
from station.errors import CameraError, FailedError, RefusalError
from station.person import SimulatedPerson
from station.profiles import Profiles, key_of
from tests.calibration.drawn import board_view
from vision.cameras.live import Held
from vision.cameras.simulated import SimulatedTray
from vision.frame import Frame
from vision.pipeline import Reader
from vision.reading import Reading, Status

DICE = 5


class Eyes:
    """A watcher without a thread: it reads the tray when it is asked for pictures."""

    def __init__(self, tray: SimulatedTray) -> None:
        self.tray, self.broken = tray, False
        self.latest: Frame | None = None
        self.change: NDArray[np.float64] | None = None

    def frame(self) -> Frame | None:
        return self.latest

    def next_frames(self, count: int, timeout_s: float) -> list[Frame]:
        if self.broken:
            raise CameraError("The simulated tray gives no pictures; look at its cable.")
        frames = []
        while len(frames) < count:
            frame = self.tray.read(timeout_s)
            assert frame is not None
            frames.append(frame if self.change is None else self.pushed(frame, self.change))
        self.latest = frames[-1]
        return frames

    @staticmethod
    def pushed(frame: Frame, change: NDArray[np.float64]) -> Frame:
        """The frame as a camera sees it that was pushed."""
        height, width = frame.image.shape[:2]
        image = cv2.warpAffine(frame.image, change, (width, height), borderMode=cv2.BORDER_REFLECT)
        return replace(frame, image=np.asarray(image, np.uint8))


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def read(self) -> float:
        return self.now_s

    def wait(self, seconds: float) -> None:
        self.now_s += seconds


class Table:
    """A station as far as calibration goes."""

    def __init__(self, folder: Path, seed: int = 7, like: "Table | None" = None) -> None:
        """like: shares its tray and clock, which take long to make."""
        self.days = itertools.count()
        self.clock = Clock() if like is None else like.clock
        self.tray = self.new_tray(seed) if like is None else like.tray
        self.tray.clear()
        self.eyes = Eyes(self.tray)
        self.profiles = Profiles(folder / "profile.json", self.day)
        self.used = 0
        self.calibrator = Calibrator(
            self.eyes,
            self.tray.name,
            self.profiles,
            use=self.use,
            dice=lambda: DICE,
            now=self.day,
            person=SimulatedPerson(self.tray, clock=self.clock.read, sleep=self.clock.wait),
        )

    def new_tray(self, seed: int) -> SimulatedTray:
        return SimulatedTray(
            random.Random(seed), dice=DICE, fps=30, clock=self.clock.read, sleep=self.clock.wait
        )

    def day(self) -> datetime:
        return datetime(2026, 11, 20, 12, tzinfo=UTC) + timedelta(minutes=next(self.days))

    def use(self) -> None:
        self.used += 1

    def through(self, name: str = "Kitchen") -> dict[str, Any]:
        """The four steps, four presses."""
        self.calibrator.find_tray()
        self.calibrator.learn_empty()
        self.calibrator.learn_dice()
        return self.calibrator.save(name)

    def bump(self, right_px: float, down_px: float) -> None:
        """From now on the camera looks a little elsewhere."""
        self.eyes.change = np.array([[1.0, 0.0, right_px], [0.0, 1.0, down_px]])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Never calibrated."""
    table = Table(tmp_path)
    with table.tray:
        yield table


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Table, dict[str, Any]]]:
    """A folder with the outcome of one calibration, which nobody changes, and what the last press told."""
    folder = tmp_path_factory.mktemp("made")
    table = Table(folder)
    with table.tray:
        yield folder, table, table.through()


@pytest.fixture
def settled(made: tuple[Path, Table, dict[str, Any]], tmp_path: Path) -> Table:
    """The same tray, calibrated before the station was started anew."""
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    table = Table(tmp_path, like=made[1])
    table.eyes.next_frames(1, 1.0)
    return table


def corners_of(table: Table) -> Any:
    """Of the profile in use."""
    profile = table.profiles.current()
    assert profile is not None
    return np.array(profile.outline)


def truth(table: Table) -> Any:
    """Where the corners of the tray's floor really are in the picture."""
    x, y = table.tray.scene.tray.half_mm
    return table.tray.view.project(np.array([[-x, y, 0.0], [x, y, 0.0], [x, -y, 0.0], [-x, -y, 0.0]]))


def test_four_presses_make_a_profile_that_is_used(made: tuple[Path, Table, dict[str, Any]]):
    _, table, told = made
    assert (table.used, told["saved"], told["active"]["name"]) == (1, True, "Kitchen")
    assert told["tray"]["tray_mm"] == pytest.approx([280, 200], abs=1.0)
    assert told["light"]["good"], told["light"]
    assert told["dice"]["count"] == DICE
    assert told["dice"]["edge_mm"] == pytest.approx([16, 16], abs=1.2)
    profile = table.profiles.current()
    assert profile is not None
    assert (profile.camera, profile.size_wh) == (table.tray.name, (1280, 720))
    assert table.profiles.empty() is not None
    assert np.abs(corners_of(table) - truth(table)).max() < 1.5
    assert [(each.key, each.active) for each in table.profiles.kept()] == [("kitchen", True)]


def test_the_automatics_run_from_the_first_step_to_the_second(settled: Table):
    told = []

    def hold() -> Held:
        told.append("hold")
        return Held((("exposure", 157.0),))

    eyes, name, profiles = settled.eyes, settled.tray.name, settled.profiles
    calibrator = Calibrator(
        eyes,
        name,
        profiles,
        use=settled.use,
        dice=lambda: DICE,
        now=settled.day,
        hold=hold,
        release=lambda: told.append("release"),
    )
    settled.tray.clear()
    calibrator.find_tray([tuple(map(float, point)) for point in truth(settled)], width_mm=280)
    assert told == ["release"]
    calibrator.learn_empty()
    assert told == ["release", "hold"]
    calibrator.save("Kitchen")
    profile = profiles.current()
    assert profile is not None
    assert profile.controls == (("exposure", 157.0),)


def test_corners_by_hand_with_the_width_do_as_well(table: Table):
    told = table.calibrator.find_tray([tuple(map(float, point)) for point in truth(table)], width_mm=280)
    assert told["tray"]["tray_mm"] == pytest.approx([280, 200], rel=0.06)


def test_corners_without_a_width_are_refused(table: Table):
    with pytest.raises(RefusalError, match="how wide"):
        table.calibrator.find_tray([(100, 100), (900, 100), (900, 600), (100, 600)])


@pytest.mark.parametrize("step", ["learn_empty", "learn_dice"])
def test_no_step_before_the_tray_is_found(table: Table, step: str):
    with pytest.raises(RefusalError, match="Find the tray first"):
        getattr(table.calibrator, step)()


@pytest.mark.slow
def test_nothing_is_kept_before_the_empty_tray_is_learnt(table: Table):
    table.calibrator.find_tray()
    with pytest.raises(RefusalError, match="empty tray first"):
        table.calibrator.save("Kitchen")
    assert table.profiles.current() is None
    assert table.used == 0


def test_a_failed_calibration_leaves_the_one_in_use(settled: Table, monkeypatch: pytest.MonkeyPatch):
    file = settled.profiles.active.read_bytes()
    monkeypatch.setattr(SimulatedPerson, "lay_markers", lambda person: person.clear())
    with pytest.raises(RefusalError, match="No marker"):
        settled.calibrator.find_tray()
    assert settled.profiles.active.read_bytes() == file
    assert settled.used == 0


@pytest.mark.slow
def test_a_die_left_in_the_tray_is_noticed(table: Table, monkeypatch: pytest.MonkeyPatch):
    table.calibrator.find_tray()
    monkeypatch.setattr(SimulatedPerson, "clear", lambda person: person.throw(DICE))
    with pytest.raises(RefusalError, match="in the tray; take everything out") as refused:
        table.calibrator.learn_empty()
    assert refused.value.code == "calibration/empty"
    assert not table.calibrator.state()["empty"]


@pytest.mark.slow
def test_a_person_may_say_that_a_pattern_is_no_die(table: Table, monkeypatch: pytest.MonkeyPatch):
    table.calibrator.find_tray()
    monkeypatch.setattr(SimulatedPerson, "clear", lambda person: person.throw(DICE))
    assert table.calibrator.learn_empty(surely_empty=True)["empty"]


def test_a_disk_that_is_full_leaves_the_old_profile_with_its_picture(
    settled: Table, monkeypatch: pytest.MonkeyPatch
):
    before, picture = settled.profiles.current(), settled.profiles.empty()

    def full(self: Profile, path: Path) -> None:
        raise FailedError(f"The profile {self.name} cannot be written to {path}; the old one stays.")

    monkeypatch.setattr(Profile, "save", full)
    with pytest.raises(FailedError, match="the old one stays"):
        settled.calibrator.relearn()
    assert settled.profiles.current() == before
    assert picture is not None
    assert np.array_equal(settled.profiles.empty(), picture)
    assert settled.used == 0
    assert len(list(settled.profiles.active.parent.rglob("*.png"))) == 2


def test_a_camera_that_is_gone_is_said(settled: Table):
    settled.eyes.broken = True
    with pytest.raises(CameraError, match="gives no pictures"):
        settled.calibrator.find_tray()
    assert settled.calibrator.state()["active"]["name"] == "Kitchen"


def test_one_press_repairs_a_bump_with_dice_in_the_tray(settled: Table):
    settled.bump(18.0, -11.0)
    settled.calibrator.read_throw()
    told = settled.calibrator.repair()
    assert told["message"] == "The profile fits the picture again."
    assert np.abs(corners_of(settled) - (truth(settled) + np.array([18.0, -11.0]))).max() < 2.0
    # From now on that is how the camera stands.
    settled.eyes.next_frames(1, 1.0)
    with pytest.raises(RefusalError, match="stands as it did"):
        settled.calibrator.repair()
    assert settled.used == 1


def test_what_cannot_be_repaired_is_refused_and_stays(settled: Table):
    before = corners_of(settled)
    settled.eyes.change = np.array([[-0.7, 0.7, 700.0], [-0.7, -0.7, 1000.0]])
    settled.eyes.next_frames(1, 1.0)
    with pytest.raises(RefusalError, match="find the tray again"):
        settled.calibrator.repair()
    assert np.array_equal(corners_of(settled), before)


@pytest.mark.slow
def test_another_light_is_learnt_without_the_markers(settled: Table):
    told = settled.calibrator.relearn()
    assert told["message"] == "The empty tray is learnt again."
    assert np.abs(corners_of(settled) - truth(settled)).max() < 1.5
    assert settled.used == 1


def test_learning_the_light_follows_a_small_bump(settled: Table):
    settled.bump(18.0, -11.0)
    settled.calibrator.relearn()
    assert np.abs(corners_of(settled) - (truth(settled) + np.array([18.0, -11.0]))).max() < 2.0


def test_learning_the_light_does_not_hide_a_large_bump(settled: Table):
    before, picture = settled.profiles.current(), settled.profiles.empty()
    for right_px in (60.0, 250.0):
        settled.bump(right_px, 15.0)
        with pytest.raises(RefusalError, match="find the tray again"):
            settled.calibrator.relearn()
    assert settled.profiles.current() == before
    assert picture is not None
    assert np.array_equal(settled.profiles.empty(), picture)


@pytest.mark.parametrize("share", [0.3, 0.05])
def test_learning_the_light_takes_any_light(settled: Table, share: float, monkeypatch: pytest.MonkeyPatch):
    def darker(frame: Frame, _: NDArray[np.float64]) -> Frame:
        return replace(frame, image=np.asarray(frame.image * share, np.uint8))

    before = corners_of(settled)
    settled.bump(0.0, 0.0)
    monkeypatch.setattr(settled.eyes, "pushed", darker)
    settled.calibrator.relearn()
    assert np.array_equal(corners_of(settled), before)


@pytest.mark.slow
def test_profiles_are_chosen_by_looking_at_the_picture(settled: Table, tmp_path: Path):
    other = Table(tmp_path / "other", seed=3)
    with other.tray:
        other.through("Garden")
    # Both stand in one folder; the one of another tray is in use.
    for file in (tmp_path / "other" / "profiles").iterdir():
        file.rename(settled.profiles.folder / file.name)
    assert settled.calibrator.choose("garden")["active"]["name"] == "Garden"
    assert settled.calibrator.choose()["active"]["name"] == "Kitchen"
    # A station that is carried to another tray finds that by itself when it starts, and stays where it fits.
    assert settled.calibrator.settle(1.0) is None
    settled.calibrator.choose("garden")
    assert settled.calibrator.settle(1.0) == "Kitchen"


def test_a_profile_made_elsewhere_is_kept_when_another_takes_its_place(settled: Table):
    Profile(name="by hand", made="2026-01-01").save(settled.profiles.active)
    settled.calibrator.choose("kitchen")
    assert {each.profile.name for each in settled.profiles.kept()} == {"by hand", "Kitchen"}


@pytest.mark.parametrize("name", ["table", "the table under the lamp in the living room"])
def test_two_profiles_of_one_name_are_both_kept(tmp_path: Path, name: str):
    days = (datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 30))
    profiles = Profiles(tmp_path / "profile.json", lambda: next(days))

    def picture(level: int) -> NDArray[np.uint8]:
        return np.full((72, 128, 3), level, np.uint8)

    def used() -> tuple[str | None, int]:
        profile, empty = profiles.current(), profiles.empty()
        assert profile is not None
        assert empty is not None
        return profile.made, int(empty[0, 0, 0])

    page, command = (Profile(name=name, made=made, size_wh=(128, 72)) for made in ("page", "command"))
    profiles.keep(page, picture(10))
    keep(profiles.active, command, picture(200), next(days))  # as the command does
    profiles.use(profiles.kept()[0].key)
    assert used() == ("page", 10)
    keys = {each.profile.made: each.key for each in profiles.kept()}
    assert set(keys) == {"page", "command"}
    profiles.use(keys["command"])
    profiles.keep(replace(command, camera="USB camera 0"), picture(100))  # repaired
    assert used() == ("command", 100)
    profiles.use(keys["page"])
    assert used() == ("page", 10)
    assert len(profiles.kept()) == 2


def test_a_profile_that_was_deleted_cannot_be_chosen(settled: Table):
    settled.calibrator.forget("kitchen")
    with pytest.raises(RefusalError, match="no profile"):
        settled.calibrator.choose("kitchen")
    assert settled.profiles.current() is not None


def test_a_check_counts_what_a_person_nods_at_or_corrects(settled: Table):
    read = [die["face"] for die in settled.calibrator.read_throw()["check"]["reading"]["dice"]]
    assert sorted(read) == sorted(die.face for die in settled.tray.truth())
    checked = settled.calibrator.check(read)["check"]
    assert (checked["throws"], checked["dice"], checked["wrong"], checked["reading"]) == (1, DICE, 0, None)
    read = [die["face"] for die in settled.calibrator.read_throw()["check"]["reading"]["dice"]]
    checked = settled.calibrator.check([read[0] % 6 + 1, *read[1:]])["check"]
    assert (checked["throws"], checked["wrong"]) == (2, 1)
    with pytest.raises(RefusalError, match="Throw first"):
        settled.calibrator.check(read)


def test_a_die_that_was_missed_and_one_that_is_none_are_told(settled: Table, monkeypatch: pytest.MonkeyPatch):
    read = [die["face"] for die in settled.calibrator.read_throw()["check"]["reading"]["dice"]]
    with pytest.raises(RefusalError, match=f"{DICE} dice were read; say of each what it shows"):
        settled.calibrator.check(read[1:])
    checked = settled.calibrator.check([None, *read[1:]], missed=[4])["check"]
    assert (checked["throws"], checked["dice"], checked["wrong"]) == (1, DICE + 1, 2)
    # What the station did not claim to be sure of cannot be wrong.
    monkeypatch.setattr(Reader, "read", lambda *_: Reading(Status.UNSURE))
    settled.calibrator.read_throw()
    checked = settled.calibrator.check([], missed=[1, 2, 3, 4, 5])["check"]
    assert (checked["throws"], checked["dice"], checked["wrong"], checked["unsure"]) == (2, DICE + 1, 2, 1)


def test_a_tray_that_is_found_again_keeps_its_dice(settled: Table):
    found = settled.calibrator.find_tray()
    assert found["dice"]["count"] == DICE
    settled.calibrator.learn_empty()
    settled.calibrator.save("kitchen")
    profile = settled.profiles.current()
    assert profile is not None
    assert profile.dice is not None
    assert profile.dice.count == DICE
    assert profile.die_mm == pytest.approx(16.0, rel=0.03)


@pytest.mark.slow
def test_a_simulated_person_holds_the_board_until_the_lens_is_known(table: Table):
    said = {}
    for _ in range(VIEWS_GOOD + 1):
        said = table.calibrator.add_view()["lens"]
    assert said["enough"], said
    assert "very well" in table.calibrator.solve_lens()["lens"]["known"]
    found = table.calibrator.find_tray()
    assert np.abs(np.array(found["tray"]["outline"]) - truth(table)).max() < 1.0
    table.calibrator.add_view()
    table.calibrator.forget_views()
    assert not table.tray.scene.things


def test_a_picture_without_the_board_is_no_view(table: Table, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(SimulatedPerson, "hold_board", lambda person: person.clear())
    with pytest.raises(RefusalError, match="Too little of the board"):
        table.calibrator.add_view()
    assert table.calibrator.state()["lens"]["views"] == 0
    with pytest.raises(RefusalError, match="different places"):
        table.calibrator.solve_lens()


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "", "Küche & Bad", "x" * 99])
def test_a_name_never_leaves_the_folder(name: str):
    key = key_of(name)
    assert key
    assert not set(key) & set("/\\. ")
    assert len(key) <= 40


class Shown(Eyes):
    """Eyes that see one picture after the other."""

    def __init__(self, tray: SimulatedTray, images: Iterator[NDArray[np.uint8]]) -> None:
        super().__init__(tray)
        self.images = images
        self.number = 0

    def next_frames(self, count: int, timeout_s: float) -> list[Frame]:
        del timeout_s  # pictures are there at once
        self.latest = Frame(next(self.images), 0.1 * self.number, self.number)
        self.number += 1
        return [self.latest] * count


@pytest.mark.slow
def test_the_lens_is_learnt_from_views_of_the_board_and_used_for_the_tray(table: Table):
    truth = Lens((800, 600), (690.0, 690.0), (405.0, 296.0), (-0.2, 0.01, 0.0, 0.0, 0.0))
    rng = random.Random(3)
    far = [rng.uniform(230, 330) for _ in range(40)]
    images = (
        board_view(
            truth,
            (rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4)),
            (rng.uniform(-0.55, 0.0) * each, rng.uniform(-0.45, 0.0) * each, each),
            seed,
        )
        for seed, each in enumerate(far)
    )
    eyes = Shown(table.tray, images)
    calibrator = Calibrator(eyes, "board", table.profiles, use=table.use, dice=lambda: DICE, now=table.day)
    for _ in range(30):
        with suppress(RefusalError):
            told = calibrator.add_view()["lens"]
            if told["views"] == VIEWS_GOOD:
                break
    assert told["views"] == VIEWS_GOOD
    assert len(told["missing"]) <= 2
    solved = calibrator.solve_lens()
    assert "very well" in solved["lens"]["known"]
    assert solved["tray"] is None
    # The same view twice tells nothing new.
    again = board_view(truth, (0.1, 0.2, 0.0), (-90.0, -60.0, 300.0), 1)
    eyes.images = iter([again, again])
    calibrator.add_view()
    with pytest.raises(RefusalError, match="elsewhere"):
        calibrator.add_view()
