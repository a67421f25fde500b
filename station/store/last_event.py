"""The last acknowledged event, in a small file beside the database that is written with every event.

A log whose end was cut off, or an older database instead of the current one, looks sound by itself; it
does not have this event. Two records stand in the file and are written in turn, so that one is always whole.
"""

import errno
import mmap
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from messages.regular_file import read_regular
from station.store.chain import START, hashed

FILE_NAME = "yacht.last"
RECORD_BYTES = 512
"""Size of a record: what a disk writes at once."""

FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
RECORD = re.compile(
    r"(?P<turn>\d+) (?P<kind>written|coming) event (?P<event>\d+) (?P<hash>[0-9a-f]{32})"
    r" version (?P<version>\d+) (?P<check>[0-9a-f]{8}) *\n"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """An event by number and hash (0 and START: before the first); the next free version, 0 if unknown."""

    event: int = 0
    hash: bytes = START
    version: int = 0


@dataclass(frozen=True, slots=True)
class _Record:
    turn: int
    coming: bool
    mark: Mark


def _text(turn: int, mark: Mark) -> bytes:
    line = f"{turn} written event {mark.event} {mark.hash.hex()} version {mark.version}"
    return f"{line} {_check(line)}".ljust(RECORD_BYTES - 1).encode() + b"\n"


def _check(line: str) -> str:
    return hashed(line.encode())[:4].hex()


def _record(text: bytes) -> _Record | None:
    """The record of that text; None when it is not whole."""
    found = RECORD.fullmatch(text.decode("ascii", errors="replace"))
    if found is None or _check(found[0][: found.start("check") - 1]) != found["check"]:
        return None
    mark = Mark(int(found["event"]), bytes.fromhex(found["hash"]), int(found["version"]))
    return _Record(int(found["turn"]), found["kind"] == "coming", mark)


class LastEvent:
    """The file of a data folder. Reading never fails; writing raises OSError."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._file: int | None = None
        self._turn = 0
        self._buffer = memoryview(mmap.mmap(-1, mmap.PAGESIZE))[:RECORD_BYTES]  # aligned, as a disk wants it

    def read(self) -> tuple[Mark, ...]:
        """The marks a database may show, the likelier one first; none without a file with a whole record.

        Two, where a restore by 0.2.0 was interrupted: it announced the "coming" database before it replaced
        the current one.
        """
        found = self._records()
        if not found:
            return ()
        if found[-1].coming:
            return tuple(record.mark for record in reversed(found))
        return (found[-1].mark,)

    def write(self, mark: Mark) -> None:
        """Record that this event was written; on the disk when this returns."""
        fresh = self._file is None
        if self._file is None:
            found = self._records()
            self._turn = found[-1].turn if found else 0
            self._file = self._opened()
        self._turn += 1
        self._buffer[:] = _text(self._turn, mark)
        place = self._turn % 2 * RECORD_BYTES
        try:
            os.pwrite(self._file, self._buffer, place)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            self.close()  # a disk of larger sectors
            self._file = os.open(self.path, FLAGS, 0o666)
            os.pwrite(self._file, self._buffer, place)
        (os.fsync if fresh else os.fdatasync)(self._file)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _records(self) -> list[_Record]:
        """The records that are whole, by turn."""
        content = b""
        with suppress(OSError):
            content = read_regular(self.path)
        parts = (content[i : i + RECORD_BYTES] for i in range(0, 2 * RECORD_BYTES, RECORD_BYTES))
        return sorted(filter(None, map(_record, parts)), key=lambda record: record.turn)

    def _opened(self) -> int:
        """The file; past the system's cache where that can be: half a kilobyte is written then, not four."""
        try:
            return os.open(self.path, FLAGS | os.O_DIRECT, 0o666)
        except OSError:
            return os.open(self.path, FLAGS, 0o666)
