"""Advice ready for use: what to hold, where to score, who is likely to win, for any rule set.

The one place of advice with threads and files; all it computes comes from station.strategy.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from station.advice.jobs import Background, Preparation, Stage, Tell
from station.advice.odds import Odds, nothing
from station.advice.table_cache import Shelf
from station.rules import RuleSet, Sheet, built_in, sheet_totals
from station.strategy.hints import hint
from station.strategy.model import Model
from station.strategy.position import of_sheet, position, thrown
from station.strategy.reasons import reason
from station.strategy.review import Turn, review
from station.strategy.shared import Lying
from station.strategy.solver import Solution, solve
from station.strategy.win_chances import Standing, Throw

TOLD = 3
"""Holds that are told with their reason."""


class Advisor:
    """Hints and odds for any rule set, house rules included.

    `data_dir` is where what is worked out is kept (below `advice/`); without one it is kept in memory only.
    `on_ready` is called, from another thread, when something that was being worked out is ready. Safe to call
    from several threads. `close` ends what goes on in the background.
    """

    def __init__(self, data_dir: Path | None = None, on_ready: Callable[[], None] | None = None) -> None:
        self._shelf = Shelf(None if data_dir is None else data_dir / "advice")
        self._background = Background(on_ready)
        self._lock = threading.Lock()
        self._models: dict[RuleSet, Model] = {}
        self._solutions: dict[str, Solution] = {}
        self._odds = Odds(self._shelf, self._background)

    # --- values -------------------------------------------------------------------------------------------

    def solution(self, rules: RuleSet) -> Solution | None:
        """The values of a rule set; None while they are worked out in the background, which this begins."""
        model = self._model(rules)
        found = self._at_hand(model)
        if found is None:
            self._begin(model)
        return found

    def solution_now(self, rules: RuleSet, progress: Tell | None = None) -> Solution:
        """The values of a rule set, however long it takes; `progress` hears the share done, 0..1."""
        model = self._model(rules)
        return self._at_hand(model) or self._work_out(model, progress)

    def preparation(self, rules: RuleSet) -> Preparation:
        """How far the values of a rule set are; begins to work them out where nobody has."""
        model = self._model(rules)
        if self._at_hand(model) is not None:
            return Preparation(Stage.READY, 1.0, f"Advice for {rules.title} is ready.")
        return self._begin(model)

    # --- hints --------------------------------------------------------------------------------------------

    def hint(
        self,
        rules: str | RuleSet,
        dice: Sequence[int],
        rolls_left: int,
        open: Sequence[str] | None = None,  # noqa: A002 - the name in the API of design.md, section 5
        upper: int = 0,
        yachts: int = 0,
    ) -> dict[str, Any]:
        """What `yacht hint --json` prints; values of house rules are worked out first.

        Raises BadInputError as station.strategy.hints.hint does, and for a rule set there is not.
        """
        rule_set = rules if isinstance(rules, RuleSet) else built_in(rules)
        where = position(rule_set, open, upper, yachts)
        faces = thrown(rule_set, dice, rolls_left)
        return hint(self.solution_now(rule_set), where, faces, rolls_left).as_json()

    def advise(self, rules: RuleSet, sheet: Sheet, dice: Sequence[int], rolls_left: int) -> dict[str, Any]:
        """What to do with these dice, for points, as JSON.

        `stage` (ready, working, failed), `message`, and when ready `holds`, `boxes` (as `yacht hint`) and
        `reasons`, a sentence for each of the best holds.
        """
        solution, prepared = self.solution(rules), self.preparation(rules)
        answer: dict[str, Any] = {
            "stage": prepared.stage,
            "share": prepared.share,
            "message": prepared.sentence,
        }
        if solution is None:
            return {**answer, "holds": [], "boxes": [], "reasons": []}
        where = of_sheet(rules, sheet)
        found = hint(solution, where, dice, rolls_left)
        faces = thrown(rules, dice, rolls_left)
        told = [reason(solution, where, faces, rolls_left, each.hold) for each in found.holds[:TOLD]]
        return {**answer, **found.as_json(), "reasons": told}

    # --- odds ---------------------------------------------------------------------------------------------

    def odds(
        self,
        rules: RuleSet,
        sheets: Sequence[Sheet],
        active: int,
        dice: Sequence[int] = (),
        rolls_left: int | None = None,
        hands: Sequence[Sequence[int]] = (),
    ) -> dict[str, Any]:
        """Who is likely to win, and what to do to win, as JSON.

        `active` is whose turn it is, with `dice` and `rolls_left` after a throw; where throws are shared,
        `hands` are the dice of every player, die by die (`dice` for all, if not given). The answer has
        `chances` (one for each player, adding up to 1; empty while they are not known), `errors` (standard
        errors, where they are estimated), `message`, and after a throw `holds` and `boxes` by the chance to
        win, `differs` (from the advice for points), `exact`, and `words`.
        """
        solution = self.solution(rules)
        if solution is None:
            return nothing(self.preparation(rules).sentence)
        standings = [Standing(of_sheet(rules, each), sheet_totals(rules, each).total) for each in sheets]
        if rules.simultaneous:
            every = tuple(tuple(hand) for hand in hands) or (tuple(dice),) * len(sheets)
            lying = None if rolls_left is None else Lying(every, rolls_left)
            return self._odds.on_shared_throws(solution, standings, active, lying)
        throw = None if rolls_left is None else Throw(thrown(rules, dice, rolls_left), rolls_left)
        return self._odds.in_turns(solution, standings, active, throw)

    def review(self, rules: RuleSet, turns: Sequence[Turn]) -> dict[str, Any] | None:
        """Luck and skill of one player's turns, as JSON; None while the values are worked out.

        `expected`, `score`, `luck`, `given_away` (luck - given_away = score - expected, of a finished game),
        and `turns` with `luck`, `given_away` and the `throws`, each with `luck`, `given_away` and `best`.
        Raises BadInputError or RefusalError for turns that cannot have been played.
        """
        solution = self.solution(rules)
        if solution is None:
            return None
        found = review(solution, turns)
        return {
            "expected": found.expected,
            "score": found.score,
            "luck": found.luck,
            "given_away": found.given_away,
            "turns": [
                {
                    "luck": turn.luck,
                    "given_away": turn.given_away,
                    "throws": [asdict(each) for each in turn.throws],
                }
                for turn in found.turns
            ],
        }

    def close(self, timeout_s: float = 5.0) -> None:
        """End what goes on in the background; what is unfinished is begun anew next time."""
        self._background.close(timeout_s)

    # --- inside -------------------------------------------------------------------------------------------

    def _model(self, rules: RuleSet) -> Model:
        """The rule set as arrays, made once."""
        with self._lock:
            found = self._models.get(rules)
        if found is None:
            found = Model(rules)
            with self._lock:
                found = self._models.setdefault(rules, found)
        return found

    def _at_hand(self, model: Model) -> Solution | None:
        """The values from memory, from what ships, or from the disk."""
        with self._lock:
            found = self._solutions.get(model.fingerprint)
        if found is None:
            found = self._shelf.solution(model)
            if found is not None:
                with self._lock:
                    self._solutions[model.fingerprint] = found
        if found is None or found.model is model:
            return found
        return Solution(model, found.values)  # the same game under other labels

    def _work_out(self, model: Model, progress: Tell | None) -> Solution:
        """Work out the values and keep them."""
        with self._lock:
            found = self._solutions.get(model.fingerprint)
        if found is not None:
            return found  # someone else was quicker
        found = solve(model, progress)
        with self._lock:
            self._solutions[model.fingerprint] = found
        self._shelf.keep_solution(found)
        return found

    def _begin(self, model: Model) -> Preparation:
        """Work out the values in the background."""
        return self._background.begin(
            f"values-{model.fingerprint}",
            f"Working out the best play for {model.rules.title}",
            lambda tell: self._work_out(model, tell),
        )
