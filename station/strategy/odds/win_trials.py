"""Many games at one table where some play to win: what they do follows from how the others stand."""

from collections.abc import Callable, Sequence

import numpy as np

from station.strategy.forward.simulation import Err, Faces, throw
from station.strategy.forward.trials import Trials
from station.strategy.model.multisets import Floats, Indices
from station.strategy.odds.distributions import Finals
from station.strategy.odds.win_chances import landing, moved, share_of
from station.strategy.odds.winning import DIGITS, turn_ends
from station.strategy.values.decisions import Decision, Values, decision

BETWEEN_EQUALS = 1e-12
"""What a point counts beside a chance: enough to tell equal ones apart, too little to outweigh one."""


class WinTrials(Trials):
    """As Trials, but every decision is the one that wins most often, looking one turn ahead as the hint does.

    Of a game that `is_plain`. others: the rest of the table, each with as many games.
    """

    def __init__(self, values: Values, finals: Finals, games: int, seed: int) -> None:
        super().__init__(values, games, seed)
        self._finals = finals
        self.others: Sequence[Trials] = ()

    def _turn(self, games: Indices, saved: int, faces: Faces, err: Err | None) -> None:
        """As Trials._turn; a player who plays to win does not err."""
        del saved, err
        model, left = self._model, self._rules.throws - 1
        totals = [player.totals() for player in (self, *self.others)]
        ends = [self._ends(int(game), totals) for game in games]
        late = np.concatenate([each.best(first=False) for each in ends], axis=1)
        first = None
        if model.throw_matters:
            first = np.concatenate([each.best(first=True) for each in ends], axis=1)
        rolls, stopped = throw(model, self._codes, late, first, left, faces)
        for game, roll, unused, end in zip(games.tolist(), rolls.tolist(), stopped, ends, strict=True):
            self._land(game, roll, end, first=first is not None and unused == left)

    def _ends(self, game: int, totals: Sequence[Indices]) -> Decision:
        """What the turn of one game may end in, by the chance to win."""
        model, where = self._model, self.place(game)
        finals: list[Floats] = [np.ones(1)]
        for other, total in zip(self.others, totals[1:], strict=True):
            finals.append(moved(self._finals.of(*other.place(game)), int(total[game])))
        points = decision(model, *where, self._parts[0].values)
        end = turn_ends(model, self._finals, where, share_of(finals, 0), int(totals[0][game]), points)
        late = np.round(end.late, DIGITS) + BETWEEN_EQUALS * points.late
        first = np.round(end.first, DIGITS) + BETWEEN_EQUALS * points.first
        return Decision(points.actions, late, first, points.throws)

    def _land(self, game: int, roll: int, end: Decision, *, first: bool) -> None:
        """Fill the box that wins most often with that roll."""
        action = end.actions[int((end.first if first else end.late)[:, roll].argmax())]
        mask, column, points = landing(self._model, self.place(game), action, roll, first=first)
        self._sheets[0, game] = self._model.layout.offset[mask] + column
        self._gained[game] += points


def play_together(
    players: Sequence[Trials], errs: Sequence[Err | None], progress: Callable[[float], None] | None = None
) -> list[Indices]:
    """Play the games of one table to their end, in turns; (games,) the final scores of each player."""
    for player in players:
        if isinstance(player, WinTrials):
            player.others = [each for each in players if each is not player]
    turns = players[0].turns
    for turn in range(turns):
        for player, err in zip(players, errs, strict=True):
            player.turn(err)
        if progress is not None:
            progress((turn + 1) / turns)
    return [player.totals() for player in players]
