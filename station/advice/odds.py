"""The odds ready for use: chances to win, what to do to win, worked out in the background and kept.

Four ways, all of station.strategy: from the distributions of final scores; about, from mean and variance,
where those would be more than their share; exactly, at the end of a game of two; and from games on common
throws, where players share theirs. What is long is worked out in a process of its own.
"""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from messages.message import Message
from station.advice import work
from station.advice.apart import Apart, OnProgress
from station.advice.budget import Budget, LruCache
from station.advice.jobs import Jobs
from station.advice.table_cache import TableCache
from station.contract.answers import BoxChance
from station.rules import RuleSet
from station.rules.dice import Dice
from station.strategy.forward.simulation import Faces
from station.strategy.model.model import Model
from station.strategy.model.position import Position, SheetIndex, has_won, place
from station.strategy.odds.distributions import Distributions, Finals, layer_bytes, spans
from station.strategy.odds.endgame import MOST_COLUMNS, MOST_OPEN, Endgame
from station.strategy.odds.shared import Estimate, Lying, Tried
from station.strategy.odds.spreads import ERROR, Spreads, spreads_table
from station.strategy.odds.win_chances import CurrentRoll, PlayerStanding, chances
from station.strategy.odds.winning import WinHint, by_chance, win_hint
from station.strategy.reasons import keep, score
from station.strategy.values.hints import Hint
from station.strategy.values.solver import Solution

if TYPE_CHECKING:
    from station.strategy.model.multisets import Indices

ROLLOUTS = 400
"""Games played to estimate chances where players share their throws: a standard error of at most 2.5 %."""
SEED = 1938


@dataclass(frozen=True, slots=True)
class HoldChance:
    """Dice to hold, and the chance to win when they are held."""

    hold: Dice
    chance: float


@dataclass(frozen=True, slots=True)
class WinningOdds:
    """The chances to win, and the decisions that serve them best, as far as they are known.

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

    def __init__(self, cache: TableCache, jobs: Jobs, apart: Apart, budget: Budget) -> None:
        self._cache, self._jobs, self._apart, self._budget = cache, jobs, apart, budget
        self._lock = threading.Lock()
        self._tables: LruCache[str, Distributions | Spreads] = LruCache(budget.kept_bytes, budget.games)
        self._endgames: LruCache[str, Endgame] = LruCache(1)
        self._fitting: LruCache[tuple[str, tuple[int, ...]], bool] = LruCache(4 * budget.games)
        self._requested_end: object = None
        """The latest position whose end was requested: the only one that matters."""
        self._finals: tuple[object, Indices | None] = ((), None)
        self._estimates: dict[int, WinningOdds] = {}
        self._estimated: object = None

    def in_turns(
        self, solution: Solution, standings: Sequence[PlayerStanding], active: int, throw: CurrentRoll | None
    ) -> WinningOdds:
        """The chances to win where players take turns, and the decisions that serve them best."""
        table = self._table(solution, standings)
        if isinstance(table, Message):
            answer = WinningOdds(message=Message("odds/points_until_then", message=table))
        else:
            answer = WinningOdds(tuple(chances(solution, table, standings, active, throw)))
            if isinstance(table, Spreads):
                answer = replace(answer, errors=(ERROR,) * len(standings), message=Message("odds/about"))
        if throw is None or len(standings) < 2:  # noqa: PLR2004 - alone nobody wins
            return answer
        if has_won(solution.model.rules, throw.dice, throw.rolls_left):
            return answer
        found = self._exactly(solution, standings, active, throw)
        if found is None and not isinstance(table, Message):
            found = win_hint(solution, table, standings, active, throw)
        return answer if found is None else _with_decisions(solution.model.rules, answer, found)

    def finals_now(self, solution: Solution, progress: OnProgress) -> Finals:
        """The distributions of a game, or its spreads where they are too large, however long it takes."""
        model = solution.model
        if self._fits(model, ()):
            kept = self._cache.distributions(model)
            if kept is None:
                place = self._cache.place_of_distributions(model)
                work.work_out_chances(progress, model.rules, solution.values, (), place)
                kept = self._cache.take(model, place, ())
            return kept
        cached = self._cache.spreads(solution)
        if cached is None:
            cached = spreads_table(solution, work.work_out_variances(progress, model.rules, solution.values))
            self._cache.keep_spreads(cached)
        return cached

    def _table(self, solution: Solution, standings: Sequence[PlayerStanding]) -> Finals | Message:
        """The distributions of a game, or its spreads where they are too large, or why there are none yet.

        Where those of all sheets would be too large, those that can follow from the players' sheets.
        """
        model = solution.model
        masks = tuple(_place(model, each.where).mask for each in standings)
        if self._fits(model, ()):
            return self._exact_table(solution, masks, ())
        within = tuple(sorted(set(masks)))
        return (
            self._exact_table(solution, masks, within)
            if self._fits(model, within)
            else self._spreads(solution)
        )

    def _fits(self, model: Model, within: tuple[int, ...]) -> bool:
        """Whether these distributions are within their share; every screen asks for it with every step."""
        key = model.fingerprint, within
        found = self._fitting.get(key)
        if found is not None:
            return found
        where = spans(model, within)
        small = where.size * 4 <= self._budget.table_bytes
        return self._fitting.put(key, small and layer_bytes(model, where) <= self._budget.layer_bytes)

    def _exact_table(
        self, solution: Solution, masks: tuple[int, ...], within: tuple[int, ...]
    ) -> Distributions | Message:
        model = solution.model
        key = f"odds-{model.fingerprint}"
        found = self._tables.get(key)
        if found is None and not within:
            found = self._cache.distributions(model)
            if found is not None:
                self._tables.put(key, found, found.chances.nbytes)
        if isinstance(found, Distributions) and all(found.has(mask) for mask in masks):
            return Distributions(model, found.spans, found.chances)

        def build(progress: OnProgress) -> None:
            place = self._cache.passing_place() if within else self._cache.place_of_distributions(model)
            self._apart.call(progress, work.work_out_chances, model.rules, solution.values, within, place)
            table = self._cache.take(model, place, within)
            self._tables.put(key, table, table.chances.nbytes)

        doing = Message("odds/doing")
        return self._jobs.begin("-".join(map(str, (key, *within))), doing, build).message

    def _spreads(self, solution: Solution) -> Spreads | Message:
        """The spreads of a game, or how far they are."""
        model = solution.model
        key = f"spreads-{model.fingerprint}"
        found = self._tables.get(key)
        if found is None:
            found = self._cache.spreads(solution)
            if found is not None:
                self._tables.put(key, found, found.variances.nbytes)
        if isinstance(found, Spreads):
            return Spreads(solution, found.spans, found.variances)

        def build(progress: OnProgress) -> None:
            variances = self._apart.call(progress, work.work_out_variances, model.rules, solution.values)
            table = spreads_table(solution, variances)
            self._cache.keep_spreads(table)
            self._tables.put(key, self._cache.spreads(solution) or table, variances.nbytes)

        return self._jobs.begin(key, Message("odds/doing"), build).message

    def _exactly(
        self, solution: Solution, standings: Sequence[PlayerStanding], active: int, throw: CurrentRoll
    ) -> WinHint | None:
        """The exact end of a game of two, once it is worked out; None where it is not, or takes too long."""
        model = solution.model
        if len(standings) != 2 or sum(len(each.where.open) for each in standings) > MOST_OPEN:  # noqa: PLR2004 - a game of two
            return None
        mine, others = (_place(model, each.where) for each in (standings[active], standings[1 - active]))
        game = self._endgames.get(model.fingerprint) or Endgame(model)
        if not game.is_known(mine, others):
            if game.columns(mine, others, MOST_COLUMNS) <= MOST_COLUMNS:
                self._begin_end(model, mine, others)
            return None
        apart = standings[active].total - standings[1 - active].total
        return by_chance(solution, standings[active], throw, game.turn_ends(mine, others, apart), exact=True)

    def _begin_end(self, model: Model, mine: SheetIndex, others: SheetIndex) -> None:
        """Work out the end of a game in the background; what follows from it is known then, too."""
        request = self._requested_end = (model.fingerprint, mine, others)

        def build(progress: OnProgress) -> None:
            cached = self._endgames.get(model.fingerprint)
            if self._requested_end != request or (cached is not None and cached.is_known(mine, others)):
                return  # the game has gone on, or what was worked out for the turn before holds for this one
            game = Endgame(model)
            game.chances.update(self._apart.call(progress, work.work_out_end, model.rules, mine, others))
            self._endgames.put(model.fingerprint, game)

        self._jobs.begin(f"end-{model.fingerprint}-{mine}-{others}", Message("odds/doing_end"), build)

    def on_shared_throws(
        self,
        solution: Solution,
        standings: Sequence[PlayerStanding],
        active: int,
        lying: Lying | None,
    ) -> WinningOdds:
        """The chances to win where throws are shared, and the decisions that serve them best.

        Estimated from games played in the background, always on the same seeded throws.
        """
        position = (solution.model.rules, tuple(standings), lying)
        with self._lock:
            found = self._estimates.get(active) if self._estimated == position else None
        if found is not None:
            return found

        with self._lock:
            if self._finals[0] != position:  # only the latest position matters
                self._finals = (position, None)

        def play(progress: OnProgress) -> None:
            def still(share: float) -> None:
                progress(share)
                if self._finals[0] != position:
                    raise _PassedError

            finals = self._finals[1]  # the games are played once however many players ask
            with suppress(_PassedError):
                played = work.SharedPosition(solution.model.rules, tuple(standings), lying, active)
                faces = _throws(solution.model.rules, standings, lying)
                finals, estimate, tried = self._apart.call(
                    still, work.play_shared, played, solution.values, faces, finals
                )
                with self._lock:
                    if self._finals[0] == position:
                        self._finals = (position, finals)
                    if self._estimated != position:
                        self._estimated, self._estimates = position, {}
                    self._estimates[active] = _from_games(estimate, tried)

        name = f"shared-{hash((position, active))}"  # changes with every position
        preparation = self._jobs.begin(name, Message("odds/doing_shared"), play)
        return WinningOdds(message=preparation.message)


def _throws(rules: RuleSet, standings: Sequence[PlayerStanding], lying: Lying | None) -> Faces:
    """The throws of games until the last sheet is full; always the same."""
    hands = ((),) * len(standings) if lying is None else lying.hands
    turns = max(
        len(each.where.open) + (lying is not None and not hand)
        for each, hand in zip(standings, hands, strict=True)
    )
    shape = (ROLLOUTS, turns, rules.throws, rules.dice)
    return np.random.default_rng(SEED).integers(1, 7, size=shape, dtype=np.int8)


class _PassedError(Exception):
    """Raised to end work on a position that has passed."""


def _from_games(estimate: Estimate, tried: Sequence[Tried]) -> WinningOdds:
    """The result of games on shared throws."""
    return WinningOdds(
        tuple(estimate.shares),
        tuple(estimate.errors),
        Message("odds/estimated", games=estimate.games),
        tuple(HoldChance(each.what, each.chance) for each in tried if isinstance(each.what, tuple)),
        tuple(BoxChance(each.what, each.chance) for each in tried if isinstance(each.what, str)),
    )


def _place(model: Model, where: Position) -> SheetIndex:
    """The place of a sheet, also of a full one."""
    return place(model, where) if where.open else SheetIndex(0, 0)


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
    """The difference between the two hints: "for points keep 5-5; to win keep 6-6-6"."""
    if win.holds:
        return Message("odds/differs", points=keep(points.holds[0].hold), win=keep(win.holds[0].hold))
    best, to_win = points.boxes[0].category, win.boxes[0].category
    return Message("odds/differs", points=score(rules, best), win=score(rules, to_win))
