"""The end of a game, and who has won."""

from dataclasses import replace

from station.contract.view import EndedBy
from station.game.log.state import Phase, State, totals, turn_over


def finished(state: State, ended_by: EndedBy, winners: tuple[int, ...] | None = None) -> State:
    """The game is over, with its winners. winners: those that the people name; None: who has most."""
    return replace(
        turn_over(state),
        phase=Phase.FINISHED,
        ended_by=ended_by,
        winners=_winners(state, ended_by) if winners is None else winners,
    )


def corrected(before: State, after: State) -> State:
    """A finished game after a box was set right: who won by points may be another one then.

    A winner named by the people stays, unless that was who had most.
    """
    if before.ended_by is None or before.ended_by == "big_general":
        return after
    by_points = before.ended_by == "complete" or before.winners == _winners(before, "early") != ()
    return finished(after, before.ended_by, None if by_points else before.winners)


def _winners(state: State, ended_by: EndedBy) -> tuple[int, ...]:
    """The highest total wins, equal totals share it; nobody wins by 0 a game that was broken off."""
    sums = {
        i: totals(state, player).total
        for i, player in enumerate(state.players)
        if player.sheet.entries and not player.gone
    }
    best = max(sums.values(), default=0)
    if ended_by == "early" and best == 0:
        return ()
    return tuple(i for i, total in sums.items() if total == best)


def with_big_general(state: State) -> State:
    """General's five of a kind in the first throw wins at once, also when corrected."""
    wins = state.rules is not None and state.rules.first_throw_yacht_wins
    if not wins or state.throws_done != 1 or len(set(state.faces)) != 1:
        return state
    return replace(state, phase=Phase.FINISHED, winners=(state.active,), ended_by="big_general")
