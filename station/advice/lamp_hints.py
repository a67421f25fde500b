"""Which dice the lamps recommend to hold, for players who want hints. Never keeps a button waiting."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from station.advice.advisor import Advisor
from station.game.state import rule_set
from station.rules import Entry, Sheet
from station.strategy.hints import hint
from station.strategy.position import of_sheet

Position = tuple[str, str, tuple[tuple[str, int | None], ...], tuple[tuple[int, int], ...], int]
"""Rule set, house rules, boxes of the player, dice as (slot, face), rolls left."""


class LampHints:
    """Works out the best hold of a position once, in a thread of its own.

    wants: whether a player of that name wants hints.
    """

    def __init__(self, advisor: Advisor, wants: Callable[[str], bool]) -> None:
        self._advisor = advisor
        self._wants = wants
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="hints")
        self._lock = threading.Lock()
        self._asked: tuple[Position, Future[tuple[int, ...]]] | None = None

    def slots(self, state: Mapping[str, Any]) -> tuple[int, ...]:
        """Slots of the dice to hold in this state; none while that is not known or not wanted."""
        if state.get("phase") != "holding" or not self._wants(
            state["players"][state["active_player"]]["name"]
        ):
            return ()
        position = position_of(state)
        with self._lock:
            if self._asked is None or self._asked[0] != position:
                self._asked = (position, self._pool.submit(self._work_out, position))
            answer = self._asked[1]
        return answer.result() if answer.done() and answer.exception() is None else ()

    def close(self) -> None:
        """Let go of the thread."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _work_out(self, position: Position) -> tuple[int, ...]:
        rules_id, house, boxes, dice, left = position
        rules = rule_set(rules_id, house)
        sheet = Sheet(tuple(Entry(box, points) for box, points in boxes if points is not None))
        solution = self._advisor.solution(rules)
        if solution is None:
            return ()
        found = hint(solution, of_sheet(rules, sheet), tuple(face for _, face in dice), left)
        if not found.holds:
            return ()
        wanted = list(found.holds[0].hold)
        slots = []
        for slot, face in dice:
            if face in wanted:
                wanted.remove(face)
                slots.append(slot)
        return tuple(slots)


def position_of(state: Mapping[str, Any]) -> Position:
    """What a hint depends on."""
    player = state["players"][state["active_player"]]
    dice = tuple((die["slot"], die["face"]) for die in state["dice"])
    return (
        state["rules"],
        state["house_rules"] or "",
        tuple(player["boxes"].items()),
        dice,
        state["rolls_left"],
    )
