"""Reports of stations about their games, and their assignment to the competition's games.

Pure. A report is merged from messages that may come twice, late and in any order: of each game the highest
event that ended it and the highest that took something back are kept, and which of the two is higher says
whether the game is over. Merging is the same in every order, and once is the same as twice.
"""

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from board.competition import Competition, Result, ResultSource, Spot
from board.steps import NUMBER_MAX

Game = tuple[Spot, tuple[str, ...]]
"""The place of a game, and who plays it."""

COMPLETE = ("complete", "big_general")
"""Ends of a game whose result counts automatically; one ended early is for a person to judge."""


@dataclass(frozen=True, slots=True)
class Report:
    """One game of one station. ended, undone: the highest numbers of such events; -1 for none.

    A state that shows the end, without its event, counts as number 0. after_step: the board's last step when
    the game was first reported, instead of a time. game_id: unique, and independent of the station's and
    players' names; "" if unknown.
    """

    station: str
    number: int
    after_step: int
    game_id: str = ""
    ended: int = -1
    undone: int = -1
    at: str = ""
    ended_by: str = ""
    scores: tuple[tuple[str, int], ...] = ()
    winners: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game is over, as far as is known."""
        return self.ended >= 0 and self.ended >= self.undone

    @property
    def counts(self) -> bool:
        """Whether its result counts without a person's word."""
        return self.over and self.ended_by in COMPLETE

    def result(self, players: tuple[str, ...]) -> Result | None:
        """The result in the order of these players; None where it is not theirs."""
        places = {folded(name): place for place, (name, _) in enumerate(self.scores)}
        if len(places) != len(players) or {folded(each) for each in players} != set(places):
            return None
        points = tuple(self.scores[places[folded(each)]][1] for each in players)
        won = {folded(each) for each in self.winners}
        winners = tuple(i for i, each in enumerate(players) if folded(each) in won)
        return Result(points, winners, ResultSource.STATION)

    def in_order(self, players: tuple[str, ...]) -> Result | None:
        """The result with its columns taken as these players, whatever they are called there."""
        if len(self.scores) != len(players):
            return None
        return Result(
            tuple(points for _, points in self.scores),
            tuple(i for i, (name, _) in enumerate(self.scores) if name in self.winners),
            ResultSource.STATION,
        )

    @property
    def key(self) -> tuple[str, int]:
        """The key of the game: station and number."""
        return self.station, self.number

    @property
    def names(self) -> frozenset[str]:
        """The names of the players in the form in which they are compared."""
        return players(tuple(name for name, _ in self.scores))


def strangers(known: Report, news: Report) -> bool:
    """Whether they are two games: of one number at one table, and by their ids, else by players.

    >>> over = Report("kitchen", 3, 0, "f00d", ended=40, scores=(("Ana", 5), ("Ben", 6)))
    >>> strangers(over, replace(over, game_id="beef"))
    True
    >>> over = replace(over, game_id="")
    >>> strangers(over, replace(over, ended=50, scores=(("Ana", 7), ("Ben", 6))))
    False
    >>> strangers(over, replace(over, ended=50, scores=(("Cleo", 7), ("Dan", 6))))
    True
    """
    if known.game_id and news.game_id:
        return known.game_id != news.game_id
    return known.over and bool(known.names) and bool(news.names) and known.names != news.names


def folded(name: str) -> str:
    """A name for comparison: stations store names composed (NFC), the organiser's input may not be.

    >>> folded("  ANA ") == folded("Ana"), folded("Rene\u0301") == folded("René")
    (True, True)
    """
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


@lru_cache(4096)
def players(names: tuple[str, ...]) -> frozenset[str]:
    """The names of players in the form in which they are compared."""
    return frozenset(map(folded, names))


def merged(known: Report | None, news: Report) -> Report:
    """The merged report of a game after one more.

    >>> over, back = Report("kitchen", 3, 0, ended=40), Report("kitchen", 3, 0, undone=41)
    >>> merged(merged(None, back), over).over, merged(merged(None, over), back).over
    (False, False)
    """
    if known is None:
        return news
    newest = news if news.ended > known.ended else known
    game_id = known.game_id or news.game_id
    return replace(
        newest, after_step=known.after_step, game_id=game_id, undone=max(known.undone, news.undone)
    )


def results(
    competition: Competition, reports: Iterable[Report], games: Iterable[Game] | None = None
) -> dict[Spot, Result]:
    """The result of every game that has one: by hand, else from a station, else by somebody's absence.

    games: of these only; with one all others of the same players have to be there, and all reports of them.

    A report belongs to the first game drawn before it came in whose players have its names; of several
    reports of one pair the earliest counts, so that two who play on for fun change nothing. reports: as they
    first came in.
    """
    finished = [each for each in reports if each.over]
    spots = dict(competition.games() if games is None else games)
    found = {spot: competition.by_hand[spot] for spot in spots if spot in competition.by_hand}
    _given(competition, finished, found, spots)
    _named(competition, finished, found, by_players(spots.items()))
    for spot in spots:
        lost = None if spot in found else competition.forfeit(spot)
        if lost is not None:
            found[spot] = lost
    return found


def _given(
    competition: Competition,
    finished: list[Report],
    found: dict[Spot, Result],
    games: Mapping[Spot, tuple[str, ...]],
) -> None:
    """Games that somebody gave a spot."""
    named = {each.key: each for each in finished}
    for spot, key in competition.taken.items():
        report, names = named.get(key), games.get(spot)
        if report is None or names is None:
            continue
        result = report.result(names) or report.in_order(names)
        if result is not None:
            found.setdefault(spot, result)


def _named(
    competition: Competition,
    finished: list[Report],
    found: dict[Spot, Result],
    waiting: Mapping[frozenset[str], list[Game]],
) -> None:
    """Games that are found by the names of their players."""
    used = set(competition.taken.values())
    for report in finished:
        games = waiting.get(report.names, []) if report.counts and report.key not in used else []
        for spot, names in games:
            result = report.result(names) if spot not in competition.taken else None
            if result is not None and competition.rounds[spot.round].drawn <= report.after_step:
                games.remove((spot, names))
                found.setdefault(spot, result)
                break


def by_players(games: Iterable[Game]) -> dict[frozenset[str], list[Game]]:
    """The games of each who meet, as names are compared."""
    found: dict[frozenset[str], list[Game]] = {}
    for spot, names in games:
        found.setdefault(players(names), []).append((spot, names))
    return found


def left_over(reports: Iterable[Report], later: Sequence[Competition]) -> tuple[Report, ...]:
    """The reports for which no later competition had a game when they arrived.

    A game counts in one competition only, also where the same players left one open in an earlier one.
    """
    drawn: dict[frozenset[str], int] = {}
    for each in later:
        for spot, names in each.games():
            drawn.setdefault(players(names), each.rounds[spot.round].drawn)
    taken = {key for each in later for key in each.taken.values()}
    return tuple(
        each
        for each in reports
        if each.key not in taken and each.after_step < drawn.get(each.names, NUMBER_MAX)
    )


def unclaimed(
    competition: Competition, reports: Iterable[Report], found: Collection[Spot]
) -> tuple[Report, ...]:
    """Finished games reported since the competition began that belong to no game of it, the latest first.

    reports: in the order of their first report, so that those since the last step have an order, too. found:
    the games with a result. Further games of two players who meet here are left out: nobody waits for them. A
    game they played before theirs was drawn may be that game.
    """
    used = set(competition.taken.values())
    pairs = by_players(competition.games())

    def beyond(each: Report) -> bool:
        games = [spot for spot, _ in pairs.get(each.names, ())] if each.counts else []
        drawn = any(competition.rounds[spot.round].drawn <= each.after_step for spot in games)
        return drawn or (bool(games) and all(spot in found for spot in games))

    return tuple(
        each
        for each in sorted(reports, key=lambda each: each.after_step)[::-1]
        if each.over and each.after_step >= competition.number and each.key not in used and not beyond(each)
    )
