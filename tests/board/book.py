"""What an evening comes to by the words of docs/board.md, for a model that knows no logs, reports and steps.

It has what tables told of each game last, and for each competition a list of games with who plays them and
what was last said of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from board.competition import Spot
from board.steps import System

Pair = tuple[str, str]


@dataclass
class Station:
    """A table: its name, how far it has counted games and events, and the game that it shows."""

    name: str
    number: int = 0
    event: int = 0
    last: int | None = None


@dataclass
class Told:
    """A game at some table, as it was told of last. number: as its table counts."""

    table: int
    number: int
    players: Pair
    points: tuple[int, int]
    over: bool = True


@dataclass
class Book:
    """One competition. begun: how many games were told of until then; games: spot, entrants, the same."""

    system: System
    names: tuple[str, ...]
    begun: int
    absent: set[int] = field(default_factory=set)
    games: list[tuple[Spot, tuple[int, int], int]] = field(default_factory=list)
    by_hand: dict[Spot, tuple[int, int] | int] = field(default_factory=dict)
    given: dict[Spot, int] = field(default_factory=dict)
    resting: list[int] = field(default_factory=list)

    def players(self, entrants: tuple[int, int]) -> Pair:
        return self.names[entrants[0]], self.names[entrants[1]]

    def meets(self, players: Pair, told: int | None = None) -> bool:
        """Whether these two meet; told: in a game that was drawn before that was first told of."""
        return any(
            set(self.players(each)) == set(players) and (told is None or drawn <= told)
            for _, each, drawn in self.games
        )

    def results(
        self, told: Sequence[Told], later: Sequence["Book"] = ()
    ) -> dict[Spot, tuple[int, int] | int]:
        """Points of each game that has a result, or who was there (-1: nobody). later: competitions."""
        used = {*self.given.values()}
        for book in later:
            used |= {*book.given.values()}
            used |= {i for i, each in enumerate(told) if book.meets(each.players, i)}
        found: dict[Spot, tuple[int, int] | int] = {}
        for spot, entrants, drawn in self.games:
            mine = self._told(spot, self.players(entrants), drawn, told, used)
            there = [each for each in entrants if each not in self.absent]
            if spot in self.by_hand:
                found[spot] = self.by_hand[spot]
            elif mine is not None:
                found[spot] = mine
            elif len(there) < 2:
                found[spot] = there[0] if there else -1
        return found

    def _told(
        self, spot: Spot, players: Pair, drawn: int, told: Sequence[Told], used: set[int]
    ) -> tuple[int, int] | None:
        """What a table told of that game: of those that are left the first, which then is none of another."""
        if spot in self.given:
            each = told[self.given[spot]]
            return (
                (each.points[::-1] if each.players == players[::-1] else each.points) if each.over else None
            )
        for i, each in enumerate(told):
            if i >= drawn and i not in used and each.over and set(each.players) == set(players):
                used.add(i)
                return each.points if each.players == players else each.points[::-1]
        return None

    def nobodys(self, told: Sequence[Told]) -> set[int]:
        """Which games wait for a word: not what two play once their game is drawn, or has a result."""
        results = self.results(told)
        open_ = [{*self.players(each)} for spot, each, _ in self.games if spot not in results]
        return {
            i
            for i, each in enumerate(told)
            if each.over and i >= self.begun and i not in self.given.values()
            if not self.meets(each.players, i)
            if not self.meets(each.players) or {*each.players} in open_
        }  # fmt: skip

    def rows(self, told: Sequence[Told]) -> dict[int, tuple[float, float, float]]:
        """Score, points of the dice and games of everybody."""
        count = len(self.names)
        score, points, played = (dict.fromkeys(range(count), 0.0) for _ in range(3))
        results = self.results(told)
        pairs = {spot: entrants for spot, entrants, _ in self.games}
        for spot, result in results.items():
            if isinstance(result, tuple):
                for each in pairs[spot]:
                    played[each] += 1
        gone = {
            each for each in self.absent
            if self.system is System.ROUND_ROBIN and played[each] < count - 1
        }  # fmt: skip
        played = dict.fromkeys(played, 0.0)
        for spot, result in results.items():
            one, other = pairs[spot]
            if {one, other} & gone:
                continue
            if isinstance(result, int):
                if result >= 0:
                    score[result] += 1
                continue
            for each, own, theirs in ((one, *result), (other, *result[::-1])):
                played[each] += 1
                points[each] += own
                score[each] += 1 if own > theirs else 0.5 if own == theirs else 0
        for each in self.resting if self.system is System.SWISS else ():
            score[each] += 1
        return {each: (score[each], points[each], played[each]) for each in score}
