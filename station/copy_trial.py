"""A copy on trial: `python -m station.copy_trial SOURCE SCRATCH MEMORY_BYTES CPU_S`, started by the store.

A copy is a stranger's file. In this process, which has bounds, it is opened, and all is done with it that a
station does: every game is played again, the state and each page and picture of the last games are sent, one
more command is taken, and one back. What comes of it is written to the standard output, as JSON.
"""

import json
import logging
import os
import resource
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from calibration.profile import CalibrationProfile
from messages.errors import BadInputError, StoreError, YachtError, reason
from messages.message import Message
from station.advice.advisor import Advisor
from station.advice.jobs import JobStage, Preparation
from station.camera.moments import Moments
from station.camera.picture_choice import PictureChoice
from station.camera.throw_pictures import ThrowPictures
from station.config import Picture
from station.data_folder import data_files
from station.rules import RuleSet
from station.screens.room import Room
from station.screens.room_file import ROOM_NAME, RoomFile
from station.store import FILE_NAME, Store
from station.store.house_rules import RULES_FOLDER, HouseRules
from station.store.soundness import no_copy, sound
from station.store.trial import to_json
from station.table.exercise import exercise
from station.table.table import Table
from web.core.config import WebConfig
from web.factory import create_app
from web.table.viewers import LIVE

NICE = 10
LAST = 3
"""Games whose pages are looked at: the latest."""
PAGES = (
    "/", "/tv", "/join", "/history", "/history/dice", "/history/games.csv", "/evening.png", "/sheet.pdf",
    "/setup", "/setup/rules", "/api/v1/state", "/api/v1/room", "/api/v1/people", "/api/v1/rules",
    "/api/v1/history", "/api/v1/evening", "/api/v1/history/dice", "/api/v1/export.csv", "/api/v1/export.json",
)  # fmt: skip
OF_GAME = ("/history/{}", "/history/{}/sheet.pdf", "/history/{}/game.txt", "/api/v1/history/{}")
FAILED = 500


class _NoAdvice(Advisor):
    """An advisor without values: no copy contains them, and none are computed for a trial."""

    def solution(self, rules: RuleSet) -> None:
        """Nothing is known."""

    def preparation(self, rules: RuleSet) -> Preparation:
        """Nothing is begun."""
        return Preparation(JobStage.WORKING, 0.0, Message("advice/ready", title=rules.title))


def open_files(folder: Path) -> None:
    """Open the files of a folder as a station does. Raises ValueError, OSError.

    Profiles, house rules and a choice of picture that have a mistake keep no station from starting: they are
    put back as they were.
    """
    room = RoomFile(folder)
    room.load()
    if room.unread:
        raise ValueError(ROOM_NAME)
    PictureChoice(folder, Picture())
    HouseRules(folder / RULES_FOLDER)
    for path in (*folder.glob("profile*.json"), *folder.glob("profiles/*.json")):
        with suppress(BadInputError):
            CalibrationProfile.load(path)


def _live(folder: Path) -> None:
    """An evening of a station with this folder, as short as can be. Raises whatever it cannot live with."""
    open_files(folder)
    rules = HouseRules(folder / RULES_FOLDER)
    with closing(Store(folder)) as store, closing(_NoAdvice()) as advisor:
        table = Table(store, house_rules=rules.texts)
        app = create_app(
            table,
            WebConfig(data_dir=folder),
            frame_jpeg=lambda _: None,
            moments=Moments(),
            pictures=ThrowPictures(lambda: None),
            archive=store,
            house_rules=rules,
            advisor=advisor,
            room=Room(folder),
        )
        client = app.test_client()
        for page in _pages(store):
            with client.get(page) as answer:
                if answer.status_code >= FAILED:
                    raise ValueError(page)
        with client.get(LIVE, buffered=False) as line:
            next(iter(line.response))
        exercise(table)
        app.extensions["viewers"].close()


def _pages(store: Store) -> Iterator[str]:
    yield from PAGES
    for game in store.games(LAST):
        yield from (page.format(game.game) for page in OF_GAME)


def try_copy(source: Path, scratch: Path, live: Callable[[Path], None] = _live) -> Path:
    """The copy in `scratch`, of this version, with which a station could live. Raises YachtError.

    live: what is done with a folder that holds it; by default all of a station.
    """
    found, folder = sound(source, scratch, data_files())
    shutil.copyfile(found, folder / FILE_NAME)
    try:
        live(folder)
    except (YachtError, MemoryError):
        raise
    except Exception as error:
        raise no_copy(source, "broken-game", reason(error)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found


def _bound(memory_bytes: int, cpu_s: int) -> None:
    """Limit the memory of this process, and write no core dump."""
    for what, most in (
        (resource.RLIMIT_DATA, memory_bytes),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    with suppress(OSError):
        os.nice(NICE)


def _answer(source: Path, scratch: Path) -> dict[str, object]:
    try:
        return {"sound": try_copy(source, scratch).name}
    except (BadInputError, StoreError) as error:
        return {
            "refused": to_json(error.message),
            "code": error.code,
            "of_store": isinstance(error, StoreError),
        }
    except MemoryError:
        return {"large": True}


def _main() -> None:
    source, scratch, memory_bytes, cpu_s = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    _bound(int(memory_bytes), int(cpu_s))
    sys.stdout.write(json.dumps(_answer(Path(source), Path(scratch))))


if __name__ == "__main__":
    _main()
