"""Replacing everything in a data folder: the new files are staged beside it, then moved in, all or nothing.

A folder is filled and on the disk before it gets the name that counts. From then on `finish` moves what is in
it to where it belongs: now, or at the next start after a power cut. Every step of that can be done again.
"""

import logging
import os
import shutil
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from messages.atomic_write import to_disk, write_out
from messages.regular_file import read_regular
from station.contract.fields import Exact
from station.store.data_files import DataFiles
from station.store.database_file import ENDINGS, FILE_NAME
from station.store.last_event import LastEvent, Mark

log = logging.getLogger(__name__)

FOLDER = "restoring"
ROUGH = "restoring.part"
"""While it is filled, and while it is removed: what has this name never counts."""
PLAN = "plan.json"
FILES = "files"


class _Plan(BaseModel):
    """The files to move in, by name, and the end of the log."""

    files: tuple[str, ...]
    event: Exact
    hash: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
    version: Exact


def begin(folder: Path) -> Path:
    """An empty folder to be filled; the database goes there under its own name. Raises OSError."""
    rough = folder / ROUGH
    forget(rough)
    rough.mkdir(mode=0o700)
    return rough


def commit(rough: Path, files: Mapping[str, bytes], mark: Mark) -> None:
    """Make it valid, with these files and this last event; on the disk when this returns."""
    for name, content in files.items():
        path = rough / FILES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_out(path, content, 0o600)  # a PIN's hash stands in one of them: nobody else has to read it
    plan = _Plan(files=tuple(files), event=mark.event, hash=mark.hash.hex(), version=mark.version)
    write_out(rough / PLAN, plan.model_dump_json().encode(), 0o600)
    for place, _, _ in os.walk(rough, topdown=False):
        to_disk(Path(place))
    rough.rename(rough.with_name(FOLDER))
    to_disk(rough.parent)


def finish(folder: Path, last: LastEvent, data: DataFiles) -> bool:
    """Move in what counts, for who holds the lock of the folder; whether there was any. Raises OSError."""
    staged = folder / FOLDER
    with suppress(OSError):
        forget(folder / ROUGH)
    if not _is_folder(staged):
        return False
    try:
        plan = _Plan.model_validate_json(read_regular(staged / PLAN, follow=False))
        data.check(plan.files)
    except ValueError as error:
        log.warning("%s is no copy that was to be put back: %s", staged, error)
        drop(folder)
        return False
    target = folder / FILE_NAME
    data.drop_of_log(folder)
    if (staged / FILE_NAME).exists():
        for ending in ENDINGS[1:]:  # they would be read as those of the file that takes the place
            target.with_name(target.name + ending).unlink(missing_ok=True)
        to_disk(folder)
        (staged / FILE_NAME).replace(target)
    for name in plan.files:
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        if not _is_folder(place.parent) and place.parent != folder:
            raise NotADirectoryError(str(place.parent))  # a link leads elsewhere
        with suppress(FileNotFoundError):
            (staged / FILES / name).replace(place)
    data.placed(folder, plan.files)
    for place in {folder, *((folder / name).parent for name in plan.files)}:
        to_disk(place)
    last.write(Mark(plan.event, bytes.fromhex(plan.hash), plan.version))
    drop(folder)
    return True


def drop(folder: Path) -> None:
    """Discard the staged files. Raises OSError."""
    with suppress(FileNotFoundError):
        (folder / FOLDER).rename(folder / ROUGH)
        to_disk(folder)
    with suppress(OSError):
        forget(folder / ROUGH)


def forget(path: Path) -> None:
    """Remove a folder with all that is in it, or whatever has its name. Raises OSError."""
    if _is_folder(path):
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _is_folder(path: Path) -> bool:
    """Whether it is one itself, and no link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False
