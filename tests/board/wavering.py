"""A board's database behind a line that breaks where a test says so, as one to a server may anywhere."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from board.store import Database
from messages.errors import StoreError


class Wavering:
    """The database. away_in: how many statements still get their answer; None: all do.

    late: the first that gets none is carried out all the same, if it writes.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.away_in: int | None = None
        self.late = False

    def _reached(self) -> bool:
        if self.away_in is None:
            return True
        self.away_in -= 1
        return self.away_in >= 0

    def _away(self) -> StoreError:
        return StoreError("board/store/unreachable", where=self.where, why="away")

    def ask(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        if not self._reached():
            raise self._away()
        return iter(list(self.database.ask(sql, values)))

    def write(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        reached = self._reached()
        if reached or (self.late and self.away_in == -1):
            self.database.write(sql, rows)
        if not reached:
            raise self._away()

    @property
    def where(self) -> str:
        return self.database.where

    def close(self) -> None:
        self.database.close()
