"""Past games that tests of the pages share: a station that keeps them, and columns of sheets."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from station.store import Store
from station.store.archive import FinishedPlayer
from station.table.table import Table
from tests.asking import do
from tests.web.helpers import JPEG, NOTHING, TEMPLATES
from web.factory import create_app


class Archived:
    """A table that keeps its games, and the pages round it."""

    def __init__(self, folder: Path, **more: Any) -> None:
        """more: of the pages' collaborators, as they are to be."""
        self.store = Store(folder)
        self.table = Table(self.store)
        self.pictures: dict[tuple[int, ...], bytes] = {}
        self.sit: Sequence[str] = ()
        kept = {**NOTHING, "archive": self.store, "pictures": self, **more}
        self.app = create_app(self.table, frame_jpeg=lambda _: JPEG, **kept)
        self.app.jinja_env.bytecode_cache = TEMPLATES
        self.client = self.app.test_client()

    def find(self, game: int, seat: int, turn: int, throw: int, names: Sequence[str]) -> bytes | None:
        """As a station keeps them; who sits where is noted."""
        self.sit = names
        return self.pictures.get((game, seat, turn, throw))

    def drop(self, game: int) -> None:
        """As a station forgets them."""
        self.pictures = {moment: jpeg for moment, jpeg in self.pictures.items() if moment[0] != game}

    def play(
        self, *names: str, rules: str = "world-51", turns: int | None = None, seed: int = 1, **more: object
    ) -> int:
        """A game with typed rolls; without `turns` to its end. Gives its number."""
        rng = random.Random(seed)
        state = do(self.table, {"command": "start_game", "players": list(names), "rules": rules, **more})
        while not state["finished"] and (turns is None or turns > 0):
            faces = [rng.randint(1, 6) for _ in range(5)]
            state = do(self.table, {"command": "enter_roll", "faces": faces})
            potentials = state["players"][state["active_player"]]["potentials"]
            best = max(potentials, key=lambda box: potentials[box])
            state = do(self.table, {"command": "score_box", "category": best})
            turns = None if turns is None else turns - 1
        if not state["finished"]:
            do(self.table, {"command": "end_game"})
        return int(state["game"])


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archived]:
    archived = Archived(tmp_path)
    yield archived
    archived.store.close()


def column(name: str, total: int = 210, **more: Any) -> FinishedPlayer:
    values = {"boxes": {}, "upper": 63, "bonus": 35, "extra": 0, "total": total, "won": False, **more}
    return FinishedPlayer(name=name, **values)
