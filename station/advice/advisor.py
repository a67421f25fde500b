"""Advice ready for use: what to hold, where to score, who is likely to win, for any rule set.

The one place of advice with threads and files; all it computes comes from station.strategy.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from messages.errors import BadInputError
from messages.message import Message
from station.advice import work
from station.advice.apart import Apart, OnProgress
from station.advice.budget import NORMAL, SMALL, Budget, LruCache
from station.advice.jobs import Jobs, JobStage, Preparation
from station.advice.odds import Odds, WinningOdds
from station.advice.situation import AdviceSituation
from station.advice.table_cache import TableCache
from station.rules import RuleSet, sheet_totals
from station.strategy.forward.trials import Offset
from station.strategy.measured import chances_about, offset_at
from station.strategy.model.model import Model
from station.strategy.model.position import is_plain, of_sheet, thrown
from station.strategy.odds.distributions import Finals
from station.strategy.odds.shared import Lying
from station.strategy.odds.win_chances import CurrentRoll, PlayerStanding
from station.strategy.values.decisions import Values
from station.strategy.values.hints import hint
from station.strategy.values.parts import GamePart, InParts, Plan, plan
from station.strategy.values.solver import Solution


class Advisor:
    """Hints and odds for any rule set, house rules included.

    `data_dir` is where what is worked out is kept (below `advice/`); without one it is kept in memory only.
    `on_ready` is called, from another thread, when something that was being worked out is ready. `budget`
    is what it may take; what was used longest ago is dropped. Safe to call from several threads. `close`
    ends what goes on in the background. It is watched over as a part of the station
    (station.health.supervisor).
    """

    name = "advisor"

    def __init__(
        self,
        data_dir: Path | None = None,
        on_ready: Callable[[], None] | None = None,
        *,
        budget: Budget = NORMAL,
    ) -> None:
        self._cache = TableCache(None if data_dir is None else data_dir / "advice", budget.disk_bytes)
        self._jobs = Jobs(on_ready)
        self._apart = Apart(processes=budget.processes)
        self._lock = threading.Lock()
        self._plans: LruCache[RuleSet, Plan] = LruCache(8 * budget.games)
        self._models: LruCache[GamePart, Model] = LruCache(2 * budget.games)
        self._solutions: LruCache[str, Solution] = LruCache(2 * budget.games)
        self._measured: LruCache[RuleSet, tuple[Offset, ...]] = LruCache(8 * budget.games)
        self._odds = Odds(self._cache, self._jobs, self._apart, budget)

    @classmethod
    def of_station(cls, data: Path, *, scarce: bool) -> Self:
        """The advisor of a station, without tables left by a power cut. scarce: whether memory is."""
        advisor = cls(data, budget=SMALL if scarce else NORMAL)
        advisor.sweep()
        return advisor

    # --- values -------------------------------------------------------------------------------------------

    def solution(self, rules: RuleSet) -> Values | None:
        """The values of a rule set; None while they are worked out in the background, which this begins.

        They are exact where the whole game can be solved within `station.strategy.values.parts.plan`, else
        put together from its parts.
        """
        if not self.plan(rules).can_be_done:
            return None
        found = [self._at_hand(model) for model in self._parts(rules)]
        if None in found:
            self._begin(rules)
            return None
        return self._values(rules, [each for each in found if each is not None])

    def solution_now(self, rules: RuleSet, progress: OnProgress | None = None) -> Values:
        """The values of a rule set, however long it takes; `progress` hears the share done, 0..1.

        Raises BadInputError for a game that is too large even in parts.
        """
        if not self.plan(rules).can_be_done:
            raise BadInputError("advice/too_large", code="input/bad", title=rules.title)
        parts = zip(self.plan(rules).parts, self._parts(rules), strict=True)
        return self._values(
            rules,
            [self._at_hand(model) or self._work_out(part, model, progress) for part, model in parts],
        )

    def plan(self, rules: RuleSet) -> Plan:
        """The plan for computing the values, exactly or in parts, with its costs."""
        with self._lock:
            return self._plans.get(rules) or self._plans.put(rules, plan(rules))

    def preparation(self, rules: RuleSet) -> Preparation:
        """Progress of a rule set's values; starts to compute them if nobody has."""
        if not self.plan(rules).can_be_done:
            return Preparation(JobStage.FAILED, 1.0, Message("advice/too_large", title=rules.title))
        if all(self._at_hand(model) is not None for model in self._parts(rules)):
            return Preparation(JobStage.READY, 1.0, Message("advice/ready", title=rules.title))
        return self._begin(rules)

    # --- odds ---------------------------------------------------------------------------------------------

    def odds(self, rules: RuleSet, now: AdviceSituation) -> WinningOdds:
        """The chances to win, and the decisions that serve them best."""
        solution = self.solution(rules)
        if solution is None:
            return WinningOdds(message=self.preparation(rules).message)
        if not isinstance(solution, Solution) or not is_plain(rules):
            return self._about(rules, solution, now)
        standings = [
            PlayerStanding(of_sheet(rules, each), sheet_totals(rules, each).total) for each in now.sheets
        ]
        if not now.in_turns:
            every = tuple(tuple(hand) for hand in now.hands) or (tuple(now.dice),) * len(now.sheets)
            lying = None if now.rolls_left is None else Lying(every, now.rolls_left)
            return self._odds.on_shared_throws(solution, standings, now.active, lying)
        left = now.rolls_left
        throw = None if left is None else CurrentRoll(thrown(rules, now.dice, left), left)
        return self._odds.in_turns(solution, standings, now.active, throw)

    def finals_now(self, rules: RuleSet, progress: OnProgress) -> Finals:
        """The distribution of the points to come for every sheet, exact or estimated; may take long.

        Raises BadInputError for a game for which there is no advice to win.
        """
        solution = self.solution_now(rules, progress)
        if not isinstance(solution, Solution) or not is_plain(rules):
            raise BadInputError("advice/not_to_win", code="input/bad", title=rules.title)
        return self._odds.finals_now(solution, progress)

    def offsets(self, rules: RuleSet) -> tuple[Offset, ...]:
        """The errors of a game's values by turns played; none while they are still being measured."""
        found = self.kept_offsets(rules)
        if found:
            return found
        parts = self.plan(rules).parts
        solutions = [self._at_hand(model) for model in self._parts(rules)]

        def build(progress: OnProgress) -> None:
            values = [each.values for each in solutions if each is not None]
            table = self._apart.call(progress, work.measure, rules, parts, values)
            self.keep_offsets(rules, [Offset(*map(float, each)) for each in table])

        if None not in solutions:
            self._jobs.begin(
                f"offsets-{self._whole(rules).fingerprint}", Message("odds/doing", title=rules.title), build
            )
        return ()

    def kept_offsets(self, rules: RuleSet) -> tuple[Offset, ...]:
        """The same, where games were played before."""
        return self._measured.get(rules) or self._measured.put(rules, self._cache.offsets(self._whole(rules)))

    def keep_offsets(self, rules: RuleSet, offsets: Sequence[Offset]) -> None:
        """Keep the errors measured in games, of values that are not exact."""
        self._cache.keep_offsets(self._whole(rules), offsets)
        self._measured.put(rules, tuple(offsets))

    def _about(self, rules: RuleSet, solution: Values, now: AdviceSituation) -> WinningOdds:
        """The estimated chances to win, from the spread of scores in simulated games."""
        if not now.in_turns or rules.first_throw_yacht_wins:
            return WinningOdds(message=Message("odds/not_this_game"))
        offsets = self.offsets(rules)
        if not offsets:
            return WinningOdds(message=Message("odds/doing", title=rules.title))
        saved = tuple(now.saved) or (0,) * len(now.sheets)
        means, there = [], []
        for seat, sheet in enumerate(now.sheets):
            where = of_sheet(rules, sheet, saved[seat], now.called if seat == now.active else "")
            offset = offset_at(rules, where, offsets) or Offset()
            if seat == now.active and now.rolls_left is not None and now.dice:
                ahead = hint(solution, where, now.dice, now.rolls_left).value
            else:
                ahead = 0.0 if sheet.is_full(rules) else solution.to_come(where)
            means.append(sheet_totals(rules, sheet).total + ahead + offset.mean)
            there.append(offset)
        chances, errors = chances_about(means, there)
        return WinningOdds(chances, errors, Message("odds/about"))

    def wrong(self) -> Message | None:
        """Why a piece of work failed, where one did."""
        return self._jobs.failure

    def restart(self) -> None:
        """Allow failed work to start again at the next request."""
        self._jobs.forget_failures()

    def sweep(self) -> None:
        """Remove what an earlier station left half done; once, before the first request."""
        self._cache.sweep()

    def close(self, timeout_s: float = 5.0) -> None:
        """Stop background work; unfinished work starts again next time."""
        self._jobs.close(timeout_s)

    # --- inside -------------------------------------------------------------------------------------------

    def _parts(self, rules: RuleSet) -> list[Model]:
        """The solved part of a rule set, as arrays that are shared while in use."""
        parts = self.plan(rules).parts
        with self._lock:
            return [self._models.get(part) or self._models.put(part, part.model()) for part in parts]

    def _values(self, rules: RuleSet, found: list[Solution]) -> Values:
        """The values of the whole game."""
        return found[0] if self.plan(rules).exact else InParts(self._whole(rules), found)

    def _whole(self, rules: RuleSet) -> Model:
        """The whole game as arrays, made once while it is in use."""
        with self._lock:
            return self._models.get(GamePart(rules)) or self._models.put(GamePart(rules), Model(rules))

    def _at_hand(self, model: Model) -> Solution | None:
        """The values from memory, from what ships, or from the disk."""
        with self._lock:
            found = self._solutions.get(model.fingerprint)
            if found is None:
                found = self._cache.solution(model)
                if found is not None:
                    self._solutions.put(model.fingerprint, found)
        if found is None or found.model is model:
            return found
        return Solution(model, found.values)  # the same game under other labels

    def _work_out(self, part: GamePart, model: Model, progress: OnProgress | None) -> Solution:
        """Work out the values and keep them."""
        values = work.work_out_values(progress or (lambda _: None), part, self._cache)
        found = self._cache.keep_solution(Solution(model, values))
        return self._solutions.put(model.fingerprint, found)

    def _begin(self, rules: RuleSet) -> Preparation:
        """Work out the values in the background, part by part; those that are done are kept."""
        parts = self.plan(rules).parts

        def build(progress: OnProgress) -> None:
            for number, part in enumerate(parts):
                model = part.model()
                if self._at_hand(model) is None:
                    values = self._apart.call(
                        _share_of(progress, number, len(parts)), work.work_out_values, part, self._cache
                    )
                    self._solutions.put(model.fingerprint, self._cache.keep_solution(Solution(model, values)))

        name = f"values-{'-'.join(part.model().fingerprint for part in parts)}"
        return self._jobs.begin(name, Message("advice/doing", title=rules.title), build)


def _share_of(progress: OnProgress, number: int, parts: int) -> OnProgress:
    """A progress callback for one of several parts of a piece of work."""
    return lambda share: progress((number + share) / parts)
