"""What is to be seen while the hand takes dice, brings them back, lets go, and they roll."""

import math
from dataclasses import dataclass

from simulator.flight import Path
from simulator.scene import SceneDie, SceneHand

REACH_IN_S = 0.40
GRAB_S = 0.15
AWAY_S = 0.40
PAUSE_S = 0.15
BRING_S = 0.30


@dataclass(frozen=True, slots=True, eq=False)
class TrayMoment:
    """What is in the tray at one time. lying: dice at rest, the same objects from moment to moment.

    moving: dice with their velocities in mm/s. coming: all dice as they will lie, while none rolls yet.
    """

    lying: tuple[SceneDie, ...]
    moving: tuple[tuple[SceneDie, tuple[float, float, float]], ...] = ()
    hand: SceneHand | None = None
    coming: tuple[SceneDie, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ThrowMotion:
    """A whole throw: the hand takes the dice that are not kept, brings them back, lets go, leaves.

    before: dice that lay there. kept: those of them that stay. paths: of the dice thrown.
    """

    before: tuple[SceneDie, ...]
    kept: tuple[SceneDie, ...]
    paths: tuple[Path, ...]
    release_mm: tuple[float, float]
    home_mm: tuple[float, float]

    @property
    def _grab_s(self) -> float:
        return 0.0 if len(self.kept) == len(self.before) else REACH_IN_S + GRAB_S

    @property
    def _release_s(self) -> float:
        first = self._grab_s + (AWAY_S + PAUSE_S if self._grab_s else 0.0)
        return first + BRING_S

    @property
    def seconds(self) -> float:
        """Until the last die lies and the hand is gone."""
        return self._release_s + max([AWAY_S, *(path.seconds for path in self.paths)])

    @property
    def at_rest(self) -> tuple[SceneDie, ...]:
        """All dice as they lie in the end."""
        return (*self.kept, *(path.die for path in self.paths))

    def at(self, time_s: float) -> TrayMoment:
        """What is to be seen that long after the throw began; before that, what is as it begins."""
        time_s = max(time_s, 0.0)  # a frame's time may be taken just before the throw
        if time_s < self._grab_s:
            return TrayMoment(self.before, hand=self._reaching(time_s), coming=self.at_rest)
        if time_s < self._release_s:
            return TrayMoment(self.kept, hand=self._between(time_s), coming=self.at_rest)
        since = time_s - self._release_s
        lying, moving = list(self.kept), []
        for path in self.paths:
            die, speed = path.at(since)
            if speed is None:
                lying.append(die)
            else:
                moving.append((die, speed))
        hand = self._hand(self.release_mm, 1 - since / AWAY_S, spread=True) if since < AWAY_S else None
        return TrayMoment(tuple(lying), tuple(moving), hand)

    def _reaching(self, time_s: float) -> SceneHand:
        return self._hand(self._taken_mm, min(1.0, time_s / REACH_IN_S), spread=time_s < REACH_IN_S)

    def _between(self, time_s: float) -> SceneHand | None:
        since = time_s - self._grab_s
        if self._grab_s and since < AWAY_S:
            return self._hand(self._taken_mm, 1 - since / AWAY_S, spread=False)
        until = self._release_s - time_s
        return self._hand(self.release_mm, 1 - until / BRING_S, spread=False) if until < BRING_S else None

    @property
    def _taken_mm(self) -> tuple[float, float]:
        """The middle of the dice that the hand takes."""
        taken = [die.position_mm for die in self.before if die not in self.kept]
        return sum(place[0] for place in taken) / len(taken), sum(place[1] for place in taken) / len(taken)

    def _hand(self, goal: tuple[float, float], share: float, *, spread: bool) -> SceneHand:
        """The hand on its way from outside (share 0) to the goal (share 1)."""
        eased = share * share * (3 - 2 * share)
        x = self.home_mm[0] + (goal[0] - self.home_mm[0]) * eased
        y = self.home_mm[1] + (goal[1] - self.home_mm[1]) * eased
        yaw = math.atan2(goal[1] - self.home_mm[1], goal[0] - self.home_mm[0])
        return SceneHand((x, y), yaw, spread)
