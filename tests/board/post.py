"""What tables write, on its way to the board: it comes in any order, late, or twice."""

import random
from collections.abc import Sequence

from tests.board.ledger import End, Told
from tests.board.telling import game_over, state, undo

TABLES = ("kitchen", "hall-9", "attic")
Messages = list[tuple[str, bytes]]
Letter = tuple[tuple[str, bytes], int, int, End | None]
"""A message, its game, the number of its event, and how the game ended; None: that was taken back."""


class Post:
    """The tables, what they wrote, and what was heard of it. names: who played each game, as last written."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.tables = list(TABLES)
        self.names: dict[int, tuple[str, ...]] = {}
        self.heard: dict[int, Told] = {}
        self.waiting: list[Letter] = []
        self._brought: list[Letter] = []
        self._events, self._games = 0, 0
        self._last = [0] * len(TABLES)
        self._numbers: dict[int, int] = {}

    @property
    def told(self) -> Sequence[Told]:
        """What was heard of each game, in the order in which they were first heard of."""
        return tuple(self.heard.values())

    def place(self, game: int) -> int:
        """Of a game in that order."""
        return list(self.heard).index(game)

    def played(self, names: tuple[str, ...], *, shown: bool = False, early: bool = False) -> None:
        """A new game ended; its table may have begun to count anew."""
        self._games += 1
        table = self._games % len(TABLES)
        self._last[table] = 1 if self._chance.random() < 0.1 else self._last[table] + 1
        self._numbers[self._games] = self._last[table]
        self.ended(self._games, names, shown=shown, early=early)

    def ended(self, game: int, names: tuple[str, ...], *, shown: bool = False, early: bool = False) -> None:
        """A table writes that a game ended. shown: by what it still shows, too."""
        self.names[game] = names
        called = tuple(name.upper() if self._chance.random() < 0.3 else name for name in names)
        points = tuple(self._chance.randrange(9) for _ in names)
        won = frozenset(name for name in called if self._chance.random() < 0.5)
        end = End(called, points, won, whole=not early and self._chance.random() < 0.85)
        self._events += 1
        table, scores = self.tables[game % len(TABLES)], dict(zip(called, points, strict=True))
        how = {"ended_by": "complete" if end.whole else "stopped", "game_id": f"game-{game}"}
        over = game_over(table, self._events, self._numbers[game], scores, winners=won, **how)
        self.waiting.append((over, game, self._events, end))
        if shown:
            places = [i for i, name in enumerate(called) if name in won]
            last = state(table, 1, scores, finished=True, winners=places, game=self._numbers[game], **how)
            self.waiting.append((last, game, 0, end))

    def takes_back(self, game: int) -> None:
        """A table takes back how a game ended."""
        self._events += 1
        table = self.tables[game % len(TABLES)]
        message = undo(table, self._events, self._numbers[game], game_id=f"game-{game}")
        self.waiting.append((message, game, self._events, None))

    def some(self, *, every: bool = True, twice: bool = False) -> Messages:
        """Some of what waits, or all; twice: and some once more. As if it were heard."""
        count = len(self.waiting) if every or not self.waiting else self._chance.randint(1, len(self.waiting))
        bag = self._chance.sample(self.waiting, count)
        self.waiting = [each for each in self.waiting if each not in bag]
        again = [*self._chance.sample(self._brought, min(len(self._brought), 3)), *bag[:2]] if twice else []
        return self._bring([*bag, *again])

    def last(self) -> Messages:
        """What was written last."""
        return self._bring([self.waiting.pop()])

    def _bring(self, letters: Sequence[Letter]) -> Messages:
        self._brought += letters
        for _, game, event, end in letters:
            told = self.heard.setdefault(game, Told())
            if end is None:
                told.backs.add(event)
            else:
                told.ends.setdefault(event, end)
        return [message for message, *_ in letters]
