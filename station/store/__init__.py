"""Everything that must not be forgotten, in one SQLite file. The only room that knows sqlite3."""

from station.store.archive import Archive
from station.store.backups import backup, restore
from station.store.copier import Copier, Places
from station.store.data_files import DataFiles, KeptFile
from station.store.database_file import FILE_NAME
from station.store.store import Store, wall_clock

__all__ = [
    "FILE_NAME",
    "Archive",
    "Copier",
    "DataFiles",
    "KeptFile",
    "Places",
    "Store",
    "backup",
    "restore",
    "wall_clock",
]
