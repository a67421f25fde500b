"""Newer releases for a station that systemd/start.py started: found, taken, laid beside the program.

Nothing is looked up outside the house: a release comes on a stick, or from the host. The program that runs is
never touched. A release is unpacked into a folder of its own and written down to be tried; the next start
tries it, and goes back by itself where it does not answer (systemd/start.py says what files there are).
"""

import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from messages.atomic_write import replace_file, to_disk
from messages.errors import BadInputError, FailedError, RefusalError, os_error_as
from messages.message import Message
from station.updates import release_file
from station.updates.release_file import NAME, Here, Release, numbers

log = logging.getLogger(__name__)

STARTS = 2
"""As systemd/start.py counts them."""
GIVEN = "given.zip"
"""What the host sent."""
MARGIN_BYTES = 64 * 1024**2
"""Left free for the games."""
COMPILE = """
import compileall, os, sys
os.nice(10)
compileall.compile_dir(sys.argv[1], quiet=2, stripdir=sys.argv[1], prependdir=sys.argv[2])
"""
"""In a process of its own, so that nobody at the table waits. The trial finds what does not compile."""
Place = Literal["stick", "sent"]


@dataclass(frozen=True, slots=True)
class Newer:
    """A newer release that can be installed. notes: what it says has changed. place: where it came from."""

    version: str
    notes: str
    place: Place


@dataclass(frozen=True, slots=True)
class Found:
    """What there is to say. running: the version that runs; newer: None where there is nothing newer.

    fault: what is wrong with a file on the stick; failed: the release that did not answer, so that the one
    before runs again.
    """

    running: str
    newer: Newer | None = None
    fault: Message | None = None
    failed: str | None = None


class Updates:
    """The updates of one station; thread-safe.

    folder: of the releases, as start.py has it. stick: where files of a stick are laid. on_trial: the release
    that runs, while it has not answered yet. restart: ends this process, so that systemd restarts it.
    """

    def __init__(
        self, folder: Path, stick: Path, here: Here, *, on_trial: str = "", restart: Callable[[], None]
    ) -> None:
        self._folder, self._stick, self._here, self._on_trial = folder, stick, here, on_trial
        self._restart = restart
        self._lock = threading.Lock()
        self._looked: dict[tuple[Path, int, int], Release | BadInputError] = {}
        if not on_trial:
            self._tidy()

    @classmethod
    def of_process(cls, environ: Mapping[str, str], restart: Callable[[], None]) -> Self | None:
        """As start.py says it; None for a station that something else started."""
        folder = environ.get("YACHT_RELEASES")
        if folder is None:
            return None
        stick = Path(environ.get("YACHT_STICK", "/var/lib/yacht-stick"))
        on_trial = environ.get("YACHT_ON_TRIAL", "")
        return cls(Path(folder), stick, Here.current(), on_trial=on_trial, restart=restart)

    def answered(self) -> None:
        """The pages answer: a release on trial is the one that runs from now on. Called more than once."""
        if not self._on_trial:
            return
        try:
            replace_file(self._folder / "chosen", f"{self._on_trial}\n".encode())
        except OSError as error:
            log.warning("the update to %s cannot be kept: %s", self._on_trial, error)
            return
        log.info("updated to %s", self._on_trial)
        self._on_trial = ""
        for name in ("failed", GIVEN):
            (self._folder / name).unlink(missing_ok=True)
        self._tidy()

    def _tidy(self) -> None:
        """Remove what no start needs any more."""
        chosen, trial = _word(self._folder / "chosen"), _word(self._folder / "trial")
        with suppress(OSError):
            if trial == chosen:
                (self._folder / "trial").unlink(missing_ok=True)
                trial = ""
            for each in self._folder.iterdir():
                needed = each.name in {chosen, trial, f"before-{trial}"} or each.name.startswith("left-")
                if each.is_dir() and not needed:
                    shutil.rmtree(each, ignore_errors=True)

    def look(self) -> Found:
        """What there is now."""
        faults = []
        newer: list[tuple[Release, Place]] = []
        for path, place in self._files():
            with suppress(OSError):
                seen = self._release_at(path)
                if isinstance(seen, Release):
                    newer.append((seen, place))
                elif seen.code != "update/older":  # everybody's stick has the release that runs, too
                    faults.append(seen.message)
        newer.sort(key=lambda each: numbers(each[0].version))
        best = Newer(newer[-1][0].version, newer[-1][0].notes, newer[-1][1]) if newer else None
        failed = _word(self._folder / "failed") or None
        return Found(self._here.running, best, faults[0] if faults else None, failed)

    def take(self, pieces: Iterable[bytes]) -> Found:
        """Take a file from the host; it is there to be installed then. Raises BadInputError, FailedError."""
        path = self._folder / GIVEN
        fresh = path.with_name(f"{path.name}.part")
        with self._one_at_a_time():
            self._folder.mkdir(parents=True, exist_ok=True)
            try:
                with fresh.open("wb") as file:
                    for piece in pieces:
                        file.write(piece)
                release_file.look(fresh, self._here)
                fresh.replace(path)
            finally:
                fresh.unlink(missing_ok=True)
        return self.look()

    def install(self, version: str) -> None:
        """Unpack it beside the running program, and restart with it. Raises RefusalError, FailedError."""
        with self._one_at_a_time():
            found = [self._release_at(path) for path, _ in self._files()]
            wanted = [each for each in found if isinstance(each, Release) and each.version == version]
            if not wanted:
                raise RefusalError("update/gone", version=version)
            self._lay_beside(wanted[0])
        log.info("the update to %s is tried by the next start", version)
        self._restart()

    def _lay_beside(self, release: Release) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self._folder).free
        games = sum(each.stat().st_size for each in self._folder.parent.iterdir() if each.is_file())
        needs = 2 * release.size + games + MARGIN_BYTES  # compiled it is twice as large
        if free < needs:
            raise FailedError("update/no-room", code="store/full", needs=_mb(needs), free=_mb(free))
        target = self._folder / release.version
        for name in ("trial", "failed"):
            (self._folder / name).unlink(missing_ok=True)
        self._tidy()
        fresh = Path(tempfile.mkdtemp(prefix="new-", dir=self._folder))
        try:
            release_file.unpack(release, fresh)
            subprocess.run((sys.executable, "-c", COMPILE, fresh, target), check=False)  # noqa: S603 - our own
            os.sync()
            shutil.rmtree(target, ignore_errors=True)
            fresh.replace(target)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        to_disk(self._folder)
        replace_file(self._folder / "trial", f"{release.version} {STARTS}\n".encode())

    def _files(self) -> list[tuple[Path, Place]]:
        """What may be a release, by the names alone."""
        given = self._folder / GIVEN
        found: list[tuple[Path, Place]] = [(given, "sent")] if given.exists() else []
        with suppress(OSError):
            found += [(each, "stick") for each in sorted(self._stick.iterdir()) if NAME.fullmatch(each.name)]
        return found

    def _release_at(self, path: Path) -> Release | BadInputError:
        """The release in a file, which is read once. Raises OSError."""
        status = path.stat()
        key = path, status.st_mtime_ns, status.st_size
        if key not in self._looked:
            try:
                self._looked[key] = release_file.look(path, self._here)
            except BadInputError as error:
                self._looked[key] = error
        return self._looked[key]

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        """One host at a time; what the system refuses becomes a sentence."""
        if not self._lock.acquire(blocking=False):
            raise RefusalError("update/busy")
        try:
            with os_error_as(self._not_written):
                yield
        finally:
            self._lock.release()

    def _not_written(self, why: str) -> FailedError:
        return FailedError("store/not-written", code="store/failed", path=str(self._folder), why=why)


def _word(path: Path) -> str:
    """The first word of one of the small files; "" where there is none."""
    with suppress(OSError, ValueError):
        return "".join(path.read_text(encoding="ascii").split()[:1])
    return ""


def _mb(size: int) -> int:
    return -(-size // 1024**2)
