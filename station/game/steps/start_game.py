"""A game begins: who plays and how, by which rules, who starts, and for what."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, ClassVar, Self

from messages.message import Message
from station.contract.fields import AMOUNT, HANDICAP_MAX, Count, Flag, Number
from station.contract.new_game import STRENGTH, Stakes, StartGame
from station.game.log.event import Leaves
from station.game.log.fields import Agreed, Category, House, Index, Lying, Players
from station.game.log.player import Player
from station.game.log.state import Phase, State, left, rule_set, with_player
from station.game.log.words import quoted, unquoted
from station.rules import Sheet


@dataclass(frozen=True, slots=True)
class Seat:
    """One column of a game to come: name; what plays it, "" for people; members of a team; home; handicap.

    without_tray: in that home there is none, and both stations draw the dice together.
    """

    name: str
    computer: str = ""
    members: tuple[str, ...] = ()
    home: str = ""
    handicap: int = 0
    without_tray: bool = False


@dataclass(frozen=True, slots=True)
class GameStarted(Leaves):
    """A game began. game: its number in the store; previous: the number of the one before, 0 if none.

    house: the text of house rules (docs/house-rules.md), so that the log can be replayed when their file
    has changed or gone; empty for rules that come with the station. starter: how it was found out who starts,
    a word of `station.contract.new_game.Starter`, empty where people said it; first: the seat that does, from
    0, unless it is thrown for. stakes: what is played for (`station.game.players.stakes.checked`).
    simultaneous: all play at once; games from before there was such a thing were played in turns.
    computers, teams: for each player what plays it, "" for people, and the members; empty without any.
    homes: for each player the station before which they throw, "" for this one; empty without any.
    handicaps: the points each began with; empty without any.
    without_tray: for each player whether both stations draw the dice together; empty without any.
    """

    kind: ClassVar[str] = "game_started"
    word: ClassVar[str] = "start"
    begins_game: ClassVar[bool] = True
    told_back: ClassVar[bool] = True
    game: Count
    previous: Count
    rules: Category
    players: Players
    house: House = ""
    left: Lying = ()
    rolling: Flag = False
    first: Index = 0
    starter: Category = ""
    stakes: Agreed = ()
    simultaneous: Flag = False
    computers: tuple[Category, ...] = ()
    teams: tuple[Players, ...] = ()
    homes: tuple[Category, ...] = ()
    handicaps: tuple[Number, ...] = ()
    without_tray: tuple[Flag, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The columns that the game begins with."""
        columns = (getattr(self, name) or (usual,) * len(self.players) for name, usual in LISTS.values())
        return tuple(Seat(*each) for each in zip(self.players, *columns, strict=True))

    def check_lists(self) -> None:
        """Raise ValueError unless each list has something of every player, or nothing at all."""
        count = len(self.players)
        lists = (getattr(self, name) for name, _ in LISTS.values())
        if not all(len(each) in {0, count} for each in lists) or self.first >= max(count, 1):
            raise ValueError(count)

    def apply(self, state: State) -> State:
        """The first turn begins, or the throwing for it."""
        players = tuple(
            Player(
                each.name,
                Sheet(handicap=each.handicap),
                computer=each.computer,
                members=each.members,
                home=each.home,
                without_tray=each.without_tray,
            )
            for each in self.seats
        )
        rules = rule_set(self.rules, self.house, as_played=True)
        begun = State(Phase.THROWING, self.game, rules, players, house=self.house, lying=state.lying)
        begun = replace(begun, starter=self.starter, stakes=self.stakes, active=self.first)
        if self.starter == "throw":
            begun = replace(begun, phase=Phase.STARTING)
        else:
            begun = with_player(begun, self.first, starts=True)
        return left(replace(begun, simultaneous=self.simultaneous), self)

    def undo_words(self, after: State, before: Callable[[], State]) -> Message:
        """Who would play no more."""
        return Message("undo/start", names=self.players)

    def asked(self) -> StartGame:
        """The request for a game; who was drawn, due or last is asked for by the seat."""
        players = [
            {
                "name": each.name,
                "computer": int(each.computer) if each.computer.isdigit() else each.computer or None,
                "members": each.members or None,
                "home": each.home or None,
                "handicap": each.handicap,
                "without_tray": each.without_tray,
            }
            for each in self.seats
        ]
        stakes = None
        if self.stakes:
            point, general, sign = self.stakes
            stakes = Stakes(per_point=point, big_general=None if general == "0" else general, currency=sign)
        starter = "throw" if self.starter == "throw" else self.first or None
        body = {"players": players, "rules": self.rules, "starter": starter, "stakes": stakes}
        return StartGame.model_validate(body)

    def words(self) -> list[str]:
        """Numbers, rules and names, then the options that are not as usual, each a word and its value."""
        names = [quoted(name) for name in self.players]
        house = ["with", quoted(self.house)] if self.house else []
        return [self.word, str(self.game), str(self.previous), self.rules, *names, *house, *self._options()]

    def _options(self) -> list[str]:
        first = ["first", str(self.first)] if self.first else []
        starter = ["by", self.starter] if self.starter else []
        together = ["play", "together"] if self.simultaneous else []
        stakes = ["for", quoted(" ".join(self.stakes).rstrip())] if self.stakes else []
        computers = ["computers", ",".join(self.computers)] if self.computers else []
        teams = ["teams", quoted(quoted(self.teams))] if self.teams else []
        homes = ["homes", quoted(",".join(self.homes))] if self.homes else []
        ahead = ["handicaps", ",".join(map(str, self.handicaps))] if self.handicaps else []
        trays = ["drawn", ",".join(str(int(each)) for each in self.without_tray)] if self.without_tray else []
        return [*first, *starter, *together, *stakes, *computers, *teams, *homes, *ahead, *trays]

    @classmethod
    def of_words(cls, words: list[str]) -> Self:
        """Read back `words`' work."""
        game, previous, rules, *rest = words
        names = list(takewhile(lambda word: word.startswith('"'), rest))
        options = iter(rest[len(names) :])
        given = dict(zip(options, options, strict=True))
        house = unquoted(given.pop("with", '""'))
        first, starter = int(given.pop("first", "0")), given.pop("by", "")
        stakes, play = _stakes(unquoted(given.pop("for", '""'))), given.pop("play", "")
        if play not in ("", "together"):
            raise ValueError
        players = tuple(unquoted(name) for name in names)
        said = given.pop("computers", "")
        computers = tuple(said.split(",")) if said else ()
        teams = json.loads(unquoted(given.pop("teams", '"[]"')))
        members = tuple(tuple(map(str, each)) for each in teams)
        lives = unquoted(given.pop("homes", '""'))
        homes = tuple(lives.split(",")) if lives else ()
        ahead = given.pop("handicaps", "")
        handicaps = tuple(map(int, ahead.split(","))) if ahead else ()
        trays = given.pop("drawn", "")
        without_tray = tuple(bool(int(each)) for each in trays.split(",")) if trays else ()
        known = all(STRENGTH.fullmatch(each) for each in computers if each)
        lists = (computers, members, homes, handicaps, without_tray)
        fits = all(len(each) in (0, len(players)) for each in lists)
        fits = fits and all(0 <= each <= HANDICAP_MAX for each in handicaps)
        if given or not known or not fits or not 0 <= first < len(players):
            raise ValueError
        return cls(
            int(game),
            int(previous),
            rules,
            players,
            house,
            first=first,
            starter=starter,
            stakes=stakes,
            simultaneous=bool(play),
            computers=computers,
            teams=members,
            homes=homes,
            handicaps=handicaps,
            without_tray=without_tray,
        )


LISTS: Mapping[str, tuple[str, Any]] = {
    "computer": ("computers", ""),
    "members": ("teams", ()),
    "home": ("homes", ""),
    "handicap": ("handicaps", 0),
    "without_tray": ("without_tray", False),
}
"""What a seat has besides its name -> the list of it in `GameStarted`, and what it mostly is."""


def lists_of(seats: Sequence[Seat]) -> dict[str, tuple[Any, ...]]:
    """The lists of these seats, each empty where none of them has any."""
    columns = {name: tuple(getattr(each, of) for each in seats) for of, (name, _) in LISTS.items()}
    return {name: each if any(each) else () for name, each in columns.items()}


def _stakes(text: str) -> Agreed:
    """What is played for: a point, a big general, the sign of the currency."""
    if not text:
        return ()
    point, general, *sign = text.split()
    if not all(AMOUNT.fullmatch(amount) for amount in (point, general)):
        raise ValueError
    return point, general, " ".join(sign)
