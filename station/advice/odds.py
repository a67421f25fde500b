"""The odds ready for use: chances to win, what to do to win, worked out in the background and kept.

Three ways, all of station.strategy: from the distributions of final scores; exactly, at the end of a game of
two; and from games on common throws, where players share theirs.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from messages.message import Message
from station.advice.jobs import Jobs, Tell
from station.advice.recent import Recent
from station.advice.table_cache import TableCache
from station.contract.answers import BoxChance
from station.rules import RuleSet
from station.rules.dice import Dice
from station.strategy.distributions import Distributions, distributions, is_too_large
from station.strategy.endgame import MOST_COLUMNS, MOST_OPEN, Endgame
from station.strategy.hints import Hint
from station.strategy.model import Model
from station.strategy.position import Place, Position, has_won, place
from station.strategy.reasons import keep, score
from station.strategy.shared import Lying, SharedGames
from station.strategy.solver import Solution
from station.strategy.win_chances import Standing, Throw, chances
from station.strategy.winning import WinHint, by_chance, win_hint

ROLLOUTS = 400
"""Games played to estimate chances where players share their throws: a standard error of at most 2.5 %."""
SEED = 1938
TABLES_KEPT = 2
"""Rule sets whose chances stay in memory."""


@dataclass(frozen=True, slots=True)
class HoldChance:
    """Dice to hold, and the chance to win when they are held."""

    hold: Dice
    chance: float


@dataclass(frozen=True, slots=True)
class WinningOdds:
    """Who is likely to win, and what to do to win, as far as it is known.

    chances: one for each player, adding up to 1; none while they are not known. errors: the standard error of
    each, where they are estimated. message: how far they are worked out. holds, boxes: what may be done now,
    best first. exact: whether these are exact. words: where playing to win differs from playing for points.
    """

    chances: tuple[float, ...] = ()
    errors: tuple[float, ...] = ()
    message: Message | str = ""
    holds: tuple[HoldChance, ...] = ()
    boxes: tuple[BoxChance, ...] = ()
    exact: bool = False
    words: Message | str = ""


class Odds:
    """The chances of any game whose values are known. Safe to call from several threads."""

    def __init__(self, cache: TableCache, jobs: Jobs) -> None:
        self._cache, self._jobs = cache, jobs
        self._lock = threading.Lock()
        self._distributions: Recent[str, Distributions] = Recent(TABLES_KEPT)
        self._endgames: Recent[str, Endgame] = Recent(TABLES_KEPT)
        self._games_lock = threading.Lock()
        self._games: tuple[object, SharedGames] | None = None
        self._estimates: dict[int, WinningOdds] = {}
        self._estimated: object = None

    def in_turns(
        self, solution: Solution, standings: Sequence[Standing], active: int, throw: Throw | None
    ) -> WinningOdds:
        """Who is likely to win where players take turns, and what to do to win."""
        table = self._table(solution, standings)
        if isinstance(table, Distributions):
            answer = WinningOdds(tuple(chances(solution, table, standings, active, throw)))
        else:
            answer = WinningOdds(message=Message("odds/points_until_then", message=table))
        if throw is None or len(standings) < 2:  # noqa: PLR2004 - alone nobody wins
            return answer
        if has_won(solution.model.rules, throw.dice, throw.rolls_left):
            return answer
        found = self._exactly(solution, standings, active, throw)
        if found is None and isinstance(table, Distributions):
            found = win_hint(solution, table, standings, active, throw)
        return answer if found is None else _with_decisions(solution.model.rules, answer, found)

    def _table(self, solution: Solution, standings: Sequence[Standing]) -> Distributions | Message:
        """The distributions of a game, or why there are none yet.

        Where those of all sheets would be too large, those that can follow from the players' sheets.
        """
        model = solution.model
        title = model.rules.title
        masks = [_place(model, each.where).mask for each in standings]
        within = masks if is_too_large(model) else []
        if within and is_too_large(model, within):
            return Message("odds/too_large", title=title)
        with self._lock:
            found = self._distributions.get(model.fingerprint)
        if found is None and not within:
            found = self._cache.distributions(model)
        if found is not None and all(found.has(mask) for mask in masks):
            with self._lock:
                self._distributions.put(model.fingerprint, found)
            return found if found.model is model else Distributions(model, found.spans, found.chances)

        def work(tell: Tell) -> None:
            table = distributions(solution, tell, within)
            kept = None
            if not within:
                self._cache.keep_distributions(table)
                kept = self._cache.distributions(model)  # which the system can read from disk bit by bit
            with self._lock:
                self._distributions.put(model.fingerprint, kept or table)

        doing = Message("odds/doing", title=title)
        name = "-".join(map(str, (model.fingerprint, *within)))
        return self._jobs.begin(f"odds-{name}", doing, work).message

    def _exactly(
        self, solution: Solution, standings: Sequence[Standing], active: int, throw: Throw
    ) -> WinHint | None:
        """The exact end of a game of two, once it is worked out; None where it is not, or takes too long."""
        model = solution.model
        if len(standings) != 2 or sum(len(each.where.open) for each in standings) > MOST_OPEN:  # noqa: PLR2004 - a game of two
            return None
        mine, others = (_place(model, each.where) for each in (standings[active], standings[1 - active]))
        with self._lock:
            game = self._endgames.get(model.fingerprint) or self._endgames.put(
                model.fingerprint, Endgame(model)
            )
        if not game.is_known(mine, others):
            if game.columns(mine, others, MOST_COLUMNS) <= MOST_COLUMNS:
                self._jobs.begin(
                    f"end-{model.fingerprint}-{mine}-{others}",
                    Message("odds/doing_end"),
                    lambda _: game.prepare(mine, others),
                )
            return None
        apart = standings[active].total - standings[1 - active].total
        return by_chance(solution, standings[active], throw, game.turn_ends(mine, others, apart), exact=True)

    def on_shared_throws(
        self,
        solution: Solution,
        standings: Sequence[Standing],
        active: int,
        lying: Lying | None,
    ) -> WinningOdds:
        """Who is likely to win where throws are shared, and what to do to win.

        Estimated from games played in the background, always on the same seeded throws.
        """
        position = (solution.model.rules, tuple(standings), lying)
        with self._lock:
            found = self._estimates.get(active) if self._estimated == position else None
        if found is not None:
            return found

        def work(tell: Tell) -> None:
            answer = _from_games(self._shared_games(solution, standings, lying, tell), active)
            with self._lock:
                if self._estimated != position:  # only the latest position matters
                    self._estimated, self._estimates = position, {}
                self._estimates[active] = answer

        name = f"shared-{hash((position, active))}"  # changes with every position
        preparation = self._jobs.begin(name, Message("odds/doing_shared"), work)
        return WinningOdds(message=preparation.message)

    def _shared_games(
        self, solution: Solution, standings: Sequence[Standing], lying: Lying | None, tell: Tell
    ) -> SharedGames:
        """The games from a position on, played once however many players ask."""
        rules = solution.model.rules
        position = (rules, tuple(standings), lying)
        with self._games_lock:
            if self._games is not None and self._games[0] == position:
                return self._games[1]
            hands = ((),) * len(standings) if lying is None else lying.hands
            turns = max(
                len(each.where.open) + (lying is not None and not hand)
                for each, hand in zip(standings, hands, strict=True)
            )
            shape = (ROLLOUTS, turns, rules.throws, rules.dice)
            faces = np.random.default_rng(SEED).integers(1, 7, size=shape, dtype=np.int8)
            games = SharedGames(solution, standings, faces, lying, tell)
            self._games = (position, games)
            return games


def _from_games(games: SharedGames, active: int) -> WinningOdds:
    """What games on shared throws tell."""
    estimate, tried = games.estimate(), games.tried(active)
    return WinningOdds(
        tuple(estimate.shares),
        tuple(estimate.errors),
        Message("odds/estimated", games=estimate.games),
        tuple(HoldChance(each.what, each.chance) for each in tried if isinstance(each.what, tuple)),
        tuple(BoxChance(each.what, each.chance) for each in tried if isinstance(each.what, str)),
    )


def _place(model: Model, where: Position) -> Place:
    """The place of a sheet, also of a full one."""
    return place(model, where) if where.open else Place(0, 0)


def _with_decisions(rules: RuleSet, odds: WinningOdds, found: WinHint) -> WinningOdds:
    """The odds with the decisions by the chance to win."""
    return replace(
        odds,
        holds=tuple(HoldChance(each.hold, each.chance) for each in found.holds),
        boxes=tuple(BoxChance(each.category, each.chance) for each in found.boxes),
        exact=found.exact,
        words=words(rules, found.points_hint, found) if found.differs else "",
    )


def words(rules: RuleSet, points: Hint, win: WinHint) -> Message:
    """What differs between the two advices: "for points keep 5-5; to win keep 6-6-6"."""
    if win.holds:
        return Message("odds/differs", points=keep(points.holds[0].hold), win=keep(win.holds[0].hold))
    best, to_win = points.boxes[0].category, win.boxes[0].category
    return Message("odds/differs", points=score(rules, best), win=score(rules, to_win))
