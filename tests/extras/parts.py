"""What an extra is given of a table, and a table for it."""

from pathlib import Path
from typing import Any

from station.contract import commands
from station.integrations.extra import Parts
from station.store import Store
from station.table.table import Table


def parts(table: Table, **others: Any) -> Parts:
    """Of a table alone there is nothing to be told later, and no picture."""
    given = {"subscribe": table.subscribe, "outbox": None, "press": table.press, "picture": lambda: None}
    named = {"station": "kitchen", "language": "en", "data": Path()}
    return Parts(**{**given, **named, **others})


class Kitchen:
    """A table with its store, at which Ana and Ben play."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.table = Table(self.store)

    def begin(self) -> None:
        players = {"players": ["Ana", "Ben"], "rules": "yacht-1938"}
        self.table.execute(commands.StartGame.model_validate(players))

    def turn(self, category: str, faces: tuple[int, ...] = (6, 6, 6, 6, 6)) -> None:
        self.table.execute(commands.EnterRoll(faces=faces))
        self.table.execute(commands.ScoreBox(category=category))

    def close(self) -> None:
        self.table.close()
        self.store.close()
