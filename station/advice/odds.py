"""The odds ready for use: chances to win, what to do to win, worked out in the background and kept.

Three ways, all of station.strategy: from the distributions of final scores; exactly, at the end of a game of
two; and from games on common throws, where players share theirs.
"""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from station.advice.jobs import Background, Tell
from station.advice.table_cache import Shelf
from station.rules.dice import Dice, dashed
from station.strategy.distributions import Distributions, distributions, is_too_large
from station.strategy.endgame import MOST_COLUMNS, MOST_OPEN, Endgame
from station.strategy.hints import Hint
from station.strategy.model import Model
from station.strategy.position import Place, Position, place
from station.strategy.shared import Lying, SharedGames
from station.strategy.solver import Solution
from station.strategy.win_chances import Standing, Throw, chances
from station.strategy.winning import WinHint, by_chance, win_hint

ROLLOUTS = 400
"""Games played to estimate chances where players share their throws: a standard error of at most 2.5 %."""
SEED = 1938

NOTHING: tuple[tuple[str, Any], ...] = (
    ("chances", ()), ("errors", ()), ("message", ""), ("holds", ()), ("boxes", ()), ("differs", False),
    ("exact", False), ("words", ""),
)  # fmt: skip
"""The answer while nothing is known, key by key."""


def nothing(message: str = "") -> dict[str, Any]:
    """The answer while nothing is known, and why."""
    empty = {key: list(value) if isinstance(value, tuple) else value for key, value in NOTHING}
    return {**empty, "message": message}


class Odds:
    """The chances of any game whose values are known. Safe to call from several threads."""

    def __init__(self, shelf: Shelf, background: Background) -> None:
        self._shelf, self._background = shelf, background
        self._lock = threading.Lock()
        self._distributions: dict[str, Distributions] = {}
        self._endgames: dict[str, Endgame] = {}
        self._estimates: dict[tuple[object, ...], dict[str, Any]] = {}

    def in_turns(
        self, solution: Solution, standings: Sequence[Standing], active: int, throw: Throw | None
    ) -> dict[str, Any]:
        """Who is likely to win where players take turns, and what to do to win, as JSON."""
        answer = nothing()
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

    def on_shared_throws(
        self,
        solution: Solution,
        standings: Sequence[Standing],
        active: int,
        lying: Lying | None,
    ) -> dict[str, Any]:
        """Who is likely to win where throws are shared, and what to do to win, as JSON.

        Estimated from games played in the background, always on the same seeded throws.
        """
        rules = solution.model.rules
        key = (rules, tuple(standings), active, lying)
        with self._lock:
            found = self._estimates.get(key)
        if found is not None:
            return found

        def work(tell: Tell) -> None:
            turns = max(len(each.where.open) for each in standings)
            shape = (ROLLOUTS, turns, rules.throws, rules.dice)
            faces = np.random.default_rng(SEED).integers(1, 7, size=shape, dtype=np.int8)
            games = SharedGames(solution, standings, faces, lying, tell)
            answer = {**nothing(), **_from_games(games, active)}
            with self._lock:
                self._estimates = {key: answer}  # only the latest position matters

        name = f"shared-{hash(key)}"  # changes with every position
        doing = "Playing games on shared throws to estimate the chances"
        return nothing(self._background.begin(name, doing, work).sentence)


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
