"""`yacht calibrate`: the tray, the light, the dice and the lens, step by step, in the terminal."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from messages.errors import BadInputError, CameraError, FailedError, os_error_as
from messages.message import Message
from station.commands.language import say, words
from station.commands.numbers import BoundedNumber

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from calibration.session import CalibrationSession
    from vision.frame import Camera

CORNERS = 4
FRAMES = 8
"""Pictures taken for the empty tray: enough to take noise out and to see a lamp flicker."""


@click.command("calibrate")
@click.option("--camera", metavar="SPEC", help="As for 'yacht run' (default: as set, else auto).")
@click.option("--config", "config_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Settings file: of its camera and picture.")  # fmt: skip
@click.option("--profile", type=click.Path(path_type=Path, dir_okay=False), default=Path("data/profile.json"),
              show_default=True, help="The file to write.")  # fmt: skip
@click.option("--name", default="table", show_default=True, help="What to call it: kitchen, living room.")
@click.option("--print", "page", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.pdf|FILE.svg",
              help="Write the page with the markers to print, and stop.")  # fmt: skip
@click.option("--corners", metavar="'x,y x,y x,y x,y'", help="No printer: the tray's corners in the picture.")
@click.option("--width", type=float, metavar="MM", help="With --corners: the tray's inner width.")
@click.option(
    "--marker", type=BoundedNumber(5, 200), metavar="MM", help="The markers' black edge, if not 30."
)
@click.option("--lens", type=click.Path(path_type=Path, file_okay=False, exists=True), metavar="DIR",
              help="Pictures of the lens board.")  # fmt: skip
@click.option(
    "--dice", type=click.IntRange(1, 10), default=5, show_default=True, help="How many dice you use."
)
@click.option("--yes", is_flag=True, help="Do not wait for the Enter key between the steps.")
def command(
    *,
    camera: str | None,
    config_file: Path | None,
    profile: Path,
    name: str,
    page: Path | None,
    corners: str | None,
    width: float | None,
    marker: float | None,
    lens: Path | None,
    dice: int,
    yes: bool,
) -> None:
    """Learn where the tray is, what it looks like when it is empty, and which dice are used."""
    if page is not None:
        _print(page)
        return
    from calibration.session import CalibrationSession
    from calibration.target import MARKER_MM
    from messages.atomic_write import check_place
    from messages.camera_names import camera_label
    from station.camera.camera_factory import open_camera
    from station.camera.wanted_picture import WantedPicture
    from station.config import load_settings
    from vision.cameras.live import SETTLING_FRAMES, LiveCamera

    by_hand = _corners(corners, width)
    check_place(profile)
    config = load_settings(config_file, camera=camera, data=profile.parent)
    wanted = WantedPicture(config, profile.exists).now  # a profile is of the picture that the station takes
    source = open_camera(config.camera, dice=dice, wanted=wanted)
    stage = _Stage(source, waits=not yes)
    session = CalibrationSession(_reader(dice), source.name, lambda: datetime.now(UTC))
    say(Message("yacht/calibrate/camera", camera=camera_label(source.name)))
    with source:
        if isinstance(source, LiveCamera):
            source.release()  # a camera keeps what the last calibration had it hold
            stage.frames(SETTLING_FRAMES)
        if lens is not None:
            _lens(session, lens)
        if by_hand is None:
            stage.prepare("markers", Message("yacht/calibrate/markers"))
            say(session.find_tray(stage.frames(2)[-1], marker or MARKER_MM))
        else:
            say(session.set_corners(stage.frames(2)[-1], by_hand, width or 0))
        if isinstance(source, LiveCamera):
            source.hold(("focus",))  # hands come in next, and a lens with a motor would follow them
        stage.prepare("empty", Message("yacht/calibrate/empty"))
        if isinstance(source, LiveCamera):
            # What the automatics have settled on by now is what every later picture is taken with.
            held = source.hold()
            session.hold_controls(held.controls)
            say(held.message)
        for message in session.learn_empty(stage.frames(FRAMES)):
            say(message)
        stage.prepare("dice", Message("yacht/calibrate/dice", count=dice))
        say(session.learn_dice(stage.frames(2)[-1]))
    session.save(profile, name)
    say(Message("yacht/calibrate/done", path=str(profile)))


class _Stage:
    """The camera and the person before it; with the simulated tray, also the person's hands."""

    def __init__(self, camera: "Camera", *, waits: bool) -> None:
        self._camera, self._waits = camera, waits

    def prepare(self, what: str, request: Message) -> None:
        """Ask for something to be laid out, and wait for it."""
        from simulator import SimulatedTray
        from simulator.things import corner_markers

        say(request)
        if isinstance(self._camera, SimulatedTray):
            self._camera.lay(corner_markers(self._camera.scene.tray) if what == "markers" else ())
            if what == "dice":
                self._camera.throw()
                while self._camera.moving:
                    self._camera.read()
            return
        if self._waits:
            click.prompt(words(Message("yacht/calibrate/enter")), default="", show_default=False, err=True)

    def frames(self, count: int) -> list["NDArray[np.uint8]"]:
        """The next pictures of the camera. Raises CameraError when it gives none."""
        from vision.frame import EndOfRecording

        taken: list[NDArray[np.uint8]] = []
        for _ in range(count * 20):
            try:
                frame = self._camera.read(timeout_s=1.0)
            except EndOfRecording:
                raise FailedError("yacht/calibrate/too-short", code="station/failed") from None
            if frame is not None:
                taken.append(frame.image)
            if len(taken) == count:
                return taken
        from messages.camera_names import camera_label

        raise CameraError(
            "yacht/calibrate/few-pictures", code="camera/failed", camera=camera_label(self._camera.name)
        )


def _reader(dice: int) -> Callable[["NDArray[np.uint8]"], list[Any]]:
    from calibration.dice_in_use import SeenDie
    from vision.reader import Reader

    reader = Reader(dice)

    def look(image: "NDArray[np.uint8]") -> list[Any]:
        found = reader.read(image).dice
        return [SeenDie(die.center, die.size, die.angle, die.colour.value) for die in found]

    return look


def _lens(session: "CalibrationSession", folder: Path) -> None:
    from calibration import lens
    from vision.cameras.recorded import picture_files
    from vision.picture import load

    views, size = [], None
    for file in picture_files(folder):
        try:
            image = load(file)
        except BadInputError as error:
            say(error.message, err=True)
            continue
        size = size or (image.shape[1], image.shape[0])
        if (image.shape[1], image.shape[0]) != size:
            raise BadInputError("yacht/calibrate/other-size", code="input/bad", file=file.name)
        try:
            views.append(lens.view_of(image))
        except BadInputError as error:
            say(Message("yacht/calibrate/picture", file=file.name, why=error.message), err=True)
    if size is None:
        raise BadInputError("yacht/calibrate/no-pictures", code="input/bad", folder=str(folder))
    say(session.use_lens(lens.solve(views, size)))


def _corners(text: str | None, width: float | None) -> list[tuple[float, float]] | None:
    if text is None:
        if width is not None:
            raise BadInputError("yacht/calibrate/width-alone", code="input/bad")
        return None
    if width is None:
        raise BadInputError("yacht/calibrate/no-width", code="input/bad")
    try:
        pairs = [tuple(float(number) for number in pair.split(",")) for pair in text.split()]
        corners = [(x, y) for x, y in pairs]
    except ValueError:
        raise BadInputError("yacht/calibrate/no-corners", code="input/bad", corners=text) from None
    if len(corners) != CORNERS:
        raise BadInputError("yacht/calibrate/corner-count", code="input/bad", corners=len(corners))
    return corners


def _print(page: Path) -> None:
    from calibration import target

    makers: dict[str, Callable[[], bytes]] = {".pdf": target.pdf, ".svg": lambda: target.svg().encode()}
    if page.suffix.lower() not in makers:
        raise BadInputError("yacht/calibrate/no-page", code="input/bad", file=page.name)
    with os_error_as(
        lambda why: FailedError("store/not-written", code="station/failed", path=str(page), why=why)
    ):
        page.write_bytes(makers[page.suffix.lower()]())
    say(Message("yacht/calibrate/print", path=str(page)))
