"""What a competition of any system comes to by the words of docs/board.md, with teams and tables of many.

The second small model beside `book`: it knows each game by what was heard of it, and of a competition who
sat where and what was said last. No logs, no reports, no steps.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from board.competition import Spot
from board.steps import System

Said = tuple[tuple[int, ...] | None, tuple[int, ...]]
"""Points, None where nobody played; who won, by place."""
PLAYERS_MIN = 2


@dataclass(frozen=True)
class End:
    """How a table said that a game ended. whole: by its rules, not early."""

    names: tuple[str, ...]
    points: tuple[int, ...]
    winners: frozenset[str]
    whole: bool = True

    @property
    def players(self) -> frozenset[str]:
        return frozenset(each.lower() for each in self.names)

    def said(self, players: Sequence[str]) -> Said:
        """In the order of these players, who have other names or the same."""
        places = list(range(len(players)))
        if self.players == {each.lower() for each in players}:
            places = [[each.lower() for each in self.names].index(name.lower()) for name in players]
        won = tuple(i for i, place in enumerate(places) if self.names[place] in self.winners)
        return tuple(self.points[place] for place in places), won


@dataclass
class Told:
    """A game, by all that was heard of it: ends and what was taken back, by the numbers of events."""

    ends: dict[int, End] = field(default_factory=dict)
    backs: set[int] = field(default_factory=set)

    @property
    def end(self) -> End | None:
        """How it ended; None where it goes on."""
        last = max(self.ends, default=-1)
        return self.ends[last] if last >= max(self.backs, default=0) else None

    @property
    def whole(self) -> frozenset[str]:
        """Who played it to its end; nobody did if it goes on, or was ended early."""
        return self.end.players if self.end is not None and self.end.whole else frozenset()


@dataclass
class Drawn:
    """A round. heard: how many games were heard of until then."""

    heard: int
    seatings: list[tuple[int, ...]]
    tables: list[list[str]]
    resting: tuple[int, ...]


def against(said: Said, one: int, other: int) -> float:
    """What that one got against the other in a game."""
    points, won = said
    if (one in won) != (other in won):
        return float(one in won)
    if points is None:
        return 0.0
    level = one in won or points[one] == points[other]
    return 0.5 if level else float(points[one] > points[other])


def share(said: Said, one: int, count: int) -> float:
    """What that one of so many got for a game."""
    return sum(against(said, one, other) for other in range(count) if other != one)


def match(games: Sequence[Said], one: int, other: int, count: int) -> float:
    """What one got against the other in what they played; teams by the sum of their tables."""
    if len(games) == 1:
        return against(games[0], one, other)
    own, theirs = (sum(share(each, who, count) for each in games) for who in (one, other))
    return float(own > theirs) if own != theirs else 0.5 if own else 0.0


@dataclass
class Ledger:
    """One competition. begun: how many games were heard of before; given: the place of a game in that order.

    lines: of a knockout, as its last round was drawn: the first meets the last, the second the last but one.
    """

    system: System
    begun: int
    size: int = 2
    meetings: int = 1
    planned: int = 0
    teams: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    absent: set[int] = field(default_factory=set)
    rounds: list[Drawn] = field(default_factory=list)
    by_hand: dict[Spot, Said] = field(default_factory=dict)
    given: dict[Spot, int] = field(default_factory=dict)
    lines: list[int | None] = field(default_factory=list)

    def games(self) -> Iterator[tuple[Spot, tuple[int, ...], tuple[str, ...], int]]:
        """Where, which entrants, which players, and how many had been heard of when it was drawn."""
        for number, drawn in enumerate(self.rounds):
            for place, met in enumerate(drawn.seatings):
                for game in range(len(drawn.tables[place])):
                    names = tuple((self.teams[each][1] or (self.teams[each][0],))[game] for each in met)
                    yield Spot(number, place, game), met, names, drawn.heard

    def meets(self, players: frozenset[str], told: int | None = None) -> bool:
        """Whether they sit together, in a game that was drawn before that one was heard of."""
        return any(
            {each.lower() for each in names} == players and (told is None or heard <= told)
            for _, _, names, heard in self.games()
        )

    def results(self, told: Sequence[Told], later: Sequence["Ledger"] = ()) -> dict[Spot, Said]:
        """later: competitions after it, which have what was told for them."""
        used = set(self.given.values())
        for each in later:
            used |= {*each.given.values()}
            used |= {i for i, game in enumerate(told) if game.end and each.meets(game.end.players, i)}
        found: dict[Spot, Said] = {}
        for spot, met, names, heard in self.games():
            mine = self._mine(spot, names, heard, told, used)
            if spot in self.by_hand:
                found[spot] = self.by_hand[spot]
            elif mine is not None:
                found[spot] = mine
            elif self.absent & set(met):
                found[spot] = None, tuple(i for i, each in enumerate(met) if each not in self.absent)
        return found

    def _mine(
        self, spot: Spot, names: tuple[str, ...], heard: int, told: Sequence[Told], used: set[int]
    ) -> Said | None:
        """What a table said of it: of those that are left the first, which then is none of another."""
        if spot in self.given:
            end = told[self.given[spot]].end
            return end.said(names) if end is not None and len(end.names) == len(names) else None
        for i, each in enumerate(told):
            if i >= heard and i not in used and each.whole == {name.lower() for name in names}:
                used.add(i)
                return each.ends[max(each.ends)].said(names)
        return None

    def nobodys(self, told: Sequence[Told]) -> set[int]:
        """Which games wait for a word: not what is played once their game is drawn, or has a result."""
        results = self.results(told)
        open_ = [
            {each.lower() for each in names} for spot, _, names, _ in self.games() if spot not in results
        ]
        return {
            i
            for i, each in enumerate(told)
            if i >= self.begun and each.end is not None and i not in self.given.values()
            if not (each.whole and self.meets(each.whole, i))
            if not (each.whole and self.meets(each.whole)) or each.whole in open_
        }  # fmt: skip

    # -- who may do what -------------------------------------------------------------------------------

    def why_not_in(self, name: str, members: tuple[str, ...]) -> str:
        """Why they cannot take part; empty where they can."""
        known = {each.lower() for team in self.teams for each in (team[0], *team[1])}
        mine = [each.lower() for each in (name, *members)]
        if self.rounds and self.system in {System.ROUND_ROBIN, System.KNOCKOUT}:
            return "board/begun"
        if known & set(mine) or len(set(mine)) < len(mine):
            return "board/name_taken"
        if self.teams and len(self.teams[0][1]) != len(members):
            return "board/other_size"
        return "board/no_teams" if members and self.system is System.SEATINGS else ""

    def why_no_round(self, results: Mapping[Spot, Said]) -> str:
        """Why none is drawn now; empty where one is."""
        count = len(self.teams)
        planned = {
            System.ROUND_ROBIN: (count - 1 + count % 2) * self.meetings,
            System.KNOCKOUT: (count - 1).bit_length(),
        }.get(self.system, self.planned)
        if count - len(self.absent) < PLAYERS_MIN:
            return "board/too_few"
        if len(self.rounds) >= planned:
            return "board/all_drawn"
        if self.system is not System.ROUND_ROBIN and len(results) < len(list(self.games())):
            return "board/round_open"
        level = self.system is System.KNOCKOUT and self.rounds and None in self._onward(results).values()
        return "board/no_winner" if level else ""

    def _onward(self, results: Mapping[Spot, Said]) -> dict[int, tuple[int | None] | None]:
        """Who goes on, by lines: somebody, or nobody came; None where they played and are level."""
        found: dict[int, tuple[int | None] | None] = {}
        for line in range(len(self.lines) // 2):
            pair = self.lines[line], self.lines[-1 - line]
            place = [i for i, met in enumerate(self.rounds[-1].seatings) if set(met) == set(pair)]
            if not place:
                found[line] = (pair[0] if pair[1] is None else pair[1],)
                continue
            met, at = self.rounds[-1].seatings[place[0]], len(self.rounds) - 1
            games = [results[Spot(at, place[0], i)] for i in range(len(self.rounds[-1].tables[place[0]]))]
            first, second = match(games, 0, 1, 2), match(games, 1, 0, 2)
            if first != second:
                found[line] = (met[0] if first > second else met[1],)
            else:
                found[line] = (None,) if all(points is None for points, _ in games) else None
        return found

    def draws(self, drawn: Drawn, results: Mapping[Spot, Said]) -> None:
        """A round was drawn: it has to be one that may be."""
        there = sorted([each for met in drawn.seatings for each in met] + [*drawn.resting])
        count, every = len(self.teams), list(range(len(self.teams)))
        present = [each for each in every if each not in self.absent]
        if self.system is not System.ROUND_ROBIN:  # what nobody played stays so
            self.by_hand |= {spot: each for spot, each in results.items() if each[0] is None}
        if self.system is System.KNOCKOUT:
            if self.rounds:
                self.lines = [each[0] if each else None for each in self._onward(results).values()]
            else:
                self.lines = [*every, *[None] * ((1 << (count - 1).bit_length()) - count)]
            half = len(self.lines) // 2
            pairs = [(self.lines[i], self.lines[-1 - i]) for i in range(half)]
            assert {frozenset(met) for met in drawn.seatings} == {
                frozenset(each) for each in pairs if None not in each
            }
            assert there == sorted(each for each in self.lines if each is not None)
        elif self.system is System.SEATINGS:
            sizes = [len(met) for met in drawn.seatings]
            assert (there, len(sizes)) == (present, ceil(len(present) / self.size))
            assert max(sizes) <= self.size
            assert max(sizes) - min(sizes) <= 1
            assert not drawn.resting
        else:
            robin = self.system is System.ROUND_ROBIN
            assert there == (every if robin else present)
            assert len(drawn.resting) == len(there) % 2
            assert {len(met) for met in drawn.seatings} == {2}
            cycle = len(self.rounds) % (count - 1 + count % 2) if robin else 0
            before = self.rounds[len(self.rounds) - cycle :]
            met_before = {frozenset(met) for each in before for met in each.seatings}
            assert not met_before & {frozenset(met) for met in drawn.seatings}
        self.rounds.append(drawn)

    # -- how they stand --------------------------------------------------------------------------------

    def rows(self, told: Sequence[Told]) -> dict[int, tuple[float, float, int]]:
        """Score, points of the dice and how often each played."""
        results = self.results(told)
        boards: dict[int, int] = dict.fromkeys(range(len(self.teams)), 0)
        for spot, met, _, _ in self.games():
            for each in met if spot in results and results[spot][0] is not None else ():
                boards[each] += 1
        own = (
            (len(self.teams) - 1) * self.meetings * max((len(team[1]) or 1 for team in self.teams), default=1)
        )
        robin = self.system is System.ROUND_ROBIN
        out = {each for each in self.absent if robin and 2 * boards[each] < own}
        rows = dict.fromkeys(boards, (0.0, 0.0, 0))
        for number, drawn in enumerate(self.rounds):
            for each in drawn.resting if not robin else ():
                rows[each] = rows[each][0] + 1, *rows[each][1:]
            for place, met in enumerate(drawn.seatings):
                spots = [Spot(number, place, game) for game in range(len(drawn.tables[place]))]
                if out & set(met) or not all(spot in results for spot in spots):
                    continue
                games = [results[spot] for spot in spots]
                for i, each in enumerate(met):
                    score, points, played = rows[each]
                    score += sum(match(games, i, j, len(met)) for j in range(len(met)) if j != i)
                    points += sum(said[0][i] for said in games if said[0] is not None)
                    rows[each] = score, points, played + any(said[0] is not None for said in games)
        if self.system is System.KNOCKOUT:
            rows = {each: (self.came_through(each, results), *row[1:]) for each, row in rows.items()}
        return rows

    def came_through(self, entrant: int, results: Mapping[Spot, Said]) -> float:
        """How many rounds of a knockout somebody came through: who is in the next one did."""
        found = 0.0
        for number, drawn in enumerate(self.rounds):
            if entrant in drawn.resting:
                found += 1
            elif number + 1 < len(self.rounds):
                later = self.rounds[number + 1]
                found += any(entrant in met for met in (*later.seatings, later.resting))
            else:
                for place, met in enumerate(drawn.seatings):
                    spots = [Spot(number, place, game) for game in range(len(drawn.tables[place]))]
                    if entrant in met and all(spot in results for spot in spots):
                        i = met.index(entrant)
                        found += match([results[spot] for spot in spots], i, 1 - i, 2)
        return found
