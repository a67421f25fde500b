"""Everything that must not be forgotten, in one SQLite file. The only room that knows sqlite3."""

from station.store.files import FILE_NAME, restore
from station.store.store import Store

__all__ = ["FILE_NAME", "Store", "restore"]
