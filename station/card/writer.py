"""Puts the station onto a card's boot partition: all of it, or nothing that takes effect."""

import hashlib
import shutil
from pathlib import Path

from messages.atomic_write import replace_file, to_disk, write_out
from messages.errors import FailedError, cause
from station.card.files import FOLDER, PreparedCard, Wishes, is_prepared, station_files, switches

SPARE_BYTES = 16 * 2**20
"""So much stays free for what Raspberry Pi OS itself writes there."""

_BOOT = ("cmdline.txt", "config.txt")
_READ = ("cmdline.txt", "user-data", "firstrun.sh")


def write(boot: Path, wishes: Wishes, wheel: tuple[str, bytes], now: float) -> None:
    """Write everything; a card that is pulled out in the middle starts as it would have before.

    Raises FailedError where it cannot be done.
    wheel: its file name and what it is. now: seconds since 1970.
    """
    name, data = wheel
    if not all((boot / each).is_file() for each in _BOOT):
        raise FailedError("yacht/card/no_boot", path=str(boot))
    try:
        present = {each: (boot / each).read_text("utf-8") for each in _READ if (boot / each).is_file()}
    except (OSError, UnicodeDecodeError) as error:
        raise FailedError("yacht/card/unwritable", path=str(boot), why=cause(error)) from error
    if is_prepared(present):
        raise FailedError("yacht/card/prepared", path=str(boot))
    arming = switches(present, wishes)
    card = PreparedCard(name, hashlib.sha256(data).hexdigest(), now, wishes.language)
    texts = station_files(card)
    free, wanted = shutil.disk_usage(boot).free, len(data) + SPARE_BYTES
    if free < wanted:
        raise FailedError("yacht/card/full", free=free >> 20, wanted=wanted >> 20)
    folder, fresh = boot / FOLDER, boot / f"{FOLDER}.new"
    try:
        for old in (folder, fresh):  # of a writing that was cut off
            if old.exists():
                shutil.rmtree(old)
        fresh.mkdir()
        write_out(fresh / name, data)
        for file, text in texts.items():
            write_out(fresh / file, text.encode())
        to_disk(fresh)
        fresh.rename(folder)
        to_disk(boot)
        for file, text in arming.items():
            replace_file(boot / file, text.encode())
    except OSError as error:
        raise FailedError("yacht/card/unwritable", path=str(boot), why=cause(error)) from error
