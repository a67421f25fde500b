"""Advice ready for use: what to hold, where to score, who is likely to win, for any rule set.

The one place of advice with threads and files; all it computes comes from station.strategy.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from station import rules as rulebook
from station.background import Background, Preparation, Stage, Tell
from station.rules import RuleSet, Sheet, totals
from station.rules.dice import Dice, dashed
from station.shelf import Shelf
from station.strategy.distributions import Distributions, distributions, is_too_large
from station.strategy.endgame import MOST_COLUMNS, MOST_OPEN, Endgame
from station.strategy.hints import Hint, hint
from station.strategy.model import Model
from station.strategy.odds import Standing, Throw, chances
from station.strategy.position import Place, Position, of_sheet, place, position, thrown
from station.strategy.reasons import reason
from station.strategy.shared import Lying, SharedGames
from station.strategy.solver import Solution, solve
from station.strategy.winning import WinHint, by_chance, win_hint

ROLLOUTS = 400
"""Games played to estimate chances where players share their throws: a standard error of at most 2.5 %."""
SEED = 1938
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
        self._distributions: dict[str, Distributions] = {}
        self._endgames: dict[str, Endgame] = {}
        self._estimates: dict[tuple[object, ...], dict[str, Any]] = {}

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
        rule_set = rules if isinstance(rules, RuleSet) else rulebook.get(rules)
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
        `hands` are the dice of every player, die by die. The answer has `chances` (one for each player,
        adding up to 1; empty while they are not known), `errors` (standard errors, where they are estimated),
        `message`, and after a throw `holds` and `boxes` by the chance to win, `differs` (from the advice for
        points), `exact`, and `words`.
        """
        answer: dict[str, Any] = {
            "chances": [], "errors": [], "message": "", "holds": [], "boxes": [], "differs": False,
            "exact": False, "words": "",
        }  # fmt: skip
        solution = self.solution(rules)
        if solution is None:
            return {**answer, "message": self.preparation(rules).sentence}
        standings = [Standing(of_sheet(rules, each), totals(rules, each).total) for each in sheets]
        if rules.simultaneous:
            return {**answer, **self._estimated(solution, standings, active, rolls_left, hands)}
        throw = None
        if rolls_left is not None:
            throw = Throw(thrown(rules, dice, rolls_left), rolls_left)
        table = self._table(solution, standings)
        if isinstance(table, Distributions):
            answer["chances"] = list(chances(solution, table, standings, active, throw))
        else:
            answer["message"] = f"{table} Until then advice is for points."
        if throw is None or len(standings) < 2:  # noqa: PLR2004 - alone nobody wins
            return answer
        exactly = self._exactly(solution, standings, active, throw)
        if exactly is not None:
            return {**answer, **_as_json(exactly)}
        if isinstance(table, Distributions):
            return {**answer, **_as_json(win_hint(solution, table, standings, active, throw))}
        return answer

    def close(self) -> None:
        """End what goes on in the background; what is unfinished is begun anew next time."""
        self._background.close()

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

    def _table(self, solution: Solution, standings: Sequence[Standing]) -> Distributions | str:
        """The distributions of a game, or why there are none yet.

        Where those of all sheets would be too large, those that can follow from the players' sheets.
        """
        model = solution.model
        title = model.rules.title
        masks = [_place(model, each.where).mask for each in standings]
        within = masks if is_too_large(model) else []
        if within and is_too_large(model, within):
            return f"The chances to win {title} are too large a table until fewer boxes are open."
        with self._lock:
            found = self._distributions.get(model.fingerprint)
        if found is None and not within:
            found = self._shelf.distributions(model)
        if found is not None and all(found.has(mask) for mask in masks):
            with self._lock:
                self._distributions[model.fingerprint] = found
            return found if found.model is model else Distributions(model, found.spans, found.chances)

        def work(tell: Tell) -> None:
            table = distributions(solution, tell, within)
            kept = None
            if not within:
                self._shelf.keep_distributions(table)
                kept = self._shelf.distributions(model)  # which the system can read from disk bit by bit
            with self._lock:
                self._distributions[model.fingerprint] = kept or table

        doing = f"Working out the chances to win {title}"
        name = "-".join(map(str, (model.fingerprint, *within)))
        return self._background.begin(f"odds-{name}", doing, work).sentence

    def _exactly(
        self, solution: Solution, standings: Sequence[Standing], active: int, throw: Throw
    ) -> WinHint | None:
        """The exact end of a game of two, once it is worked out; None where it is not, or takes too long."""
        model = solution.model
        if len(standings) != 2 or sum(len(each.where.open) for each in standings) > MOST_OPEN:  # noqa: PLR2004 - a game of two
            return None
        mine, others = (_place(model, each.where) for each in (standings[active], standings[1 - active]))
        with self._lock:
            game = self._endgames.setdefault(model.fingerprint, Endgame(model))
        if not game.is_known(mine, others):
            if game.columns(mine, others, MOST_COLUMNS) <= MOST_COLUMNS:
                self._background.begin(
                    f"end-{model.fingerprint}-{mine}-{others}",
                    "Working out the end of the game",
                    lambda _: game.prepare(mine, others),
                )
            return None
        apart = standings[active].total - standings[1 - active].total
        return by_chance(solution, standings[active], throw, game.turn_ends(mine, others, apart), exact=True)

    def _estimated(
        self,
        solution: Solution,
        standings: Sequence[Standing],
        active: int,
        rolls_left: int | None,
        hands: Sequence[Sequence[int]],
    ) -> dict[str, Any]:
        """Chances where throws are shared, from games played in the background with seeded throws."""
        rules = solution.model.rules
        key = (rules.id, tuple(standings), active, rolls_left, tuple(map(tuple, hands)))
        with self._lock:
            found = self._estimates.get(key)
        if found is not None:
            return found
        lying = None
        if rolls_left is not None:
            lying = Lying(tuple(map(tuple, hands)), rolls_left)

        def work(tell: Tell) -> None:
            turns = max(len(each.where.open) for each in standings)
            shape = (ROLLOUTS, turns, rules.throws, rules.dice)
            faces = np.random.default_rng(SEED).integers(1, 7, size=shape, dtype=np.int8)
            answer = _from_games(SharedGames(solution, standings, faces, lying, tell), active)
            with self._lock:
                self._estimates = {key: answer}  # only the latest position matters
            self._background.forget(name)

        name = f"shared-{hash(key)}"  # changes with every position
        doing = "Playing games on shared throws to estimate the chances"
        return {"message": self._background.begin(name, doing, work).sentence}


def _from_games(games: SharedGames, active: int) -> dict[str, Any]:
    """What games on shared throws tell, as JSON."""
    estimate, tried = games.estimate(), games.tried(active)
    by_kind: dict[str, list[dict[str, Any]]] = {"holds": [], "boxes": []}
    for each in tried:
        one = {"chance": each.chance, "error": each.error}
        if isinstance(each.what, tuple):
            by_kind["holds"].append({"hold": list(each.what), **one})
        else:
            by_kind["boxes"].append({"category": each.what, **one})
    return {
        "chances": list(estimate.shares),
        "errors": list(estimate.errors),
        "message": f"Estimated from {estimate.games} games on shared throws.",
        **by_kind,
    }


def _place(model: Model, where: Position) -> Place:
    """The place of a sheet, also of a full one."""
    return place(model, where) if where.open else Place(0, 0)


def _as_json(found: WinHint) -> dict[str, Any]:
    """The decisions by the chance to win."""
    return {
        "holds": [
            {"hold": list(each.hold), "chance": each.chance, "value": each.value} for each in found.holds
        ],
        "boxes": [
            {"category": each.category, "chance": each.chance, "points": each.points, "value": each.value}
            for each in found.boxes
        ],
        "differs": found.differs,
        "exact": found.exact,
        "words": words(found.points_hint, found) if found.differs else "",
    }


def words(points: Hint, win: WinHint) -> str:
    """What differs between the two advices: "for points keep 5-5; to win keep 6-6-6"."""
    if win.holds:
        return f"for points {_keep(points.holds[0].hold)}; to win {_keep(win.holds[0].hold)}"
    return f"for points score {points.boxes[0].category}; to win score {win.boxes[0].category}"


def _keep(hold: Dice) -> str:
    """Dice to keep, in words."""
    return f"keep {dashed(hold)}" if hold else "throw all dice"
