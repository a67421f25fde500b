"""How dice fly: from the hand over the floor, against each other and the rim, until they lie.

The middles slide like discs with friction and are simulated forwards; each die's attitude is then
rolled backwards from the face it is to show, so that it tumbles over its edges and ends flat.
"""

import math
import random
from dataclasses import dataclass

import numpy as np

from simulator.backdrop import rim_distance
from simulator.geometry import Doubles, about, face_up, footprints_overlap, resting_height
from simulator.scene import DieStyle, SceneDie, SceneTray

STEP_S = 1 / 120
FRICTION_MM_S2 = 900.0
BOUNCE = 0.55
LONGEST_S = 2.2
REACH = 0.68
"""Radius of the disc that stands for a die, in edges (half the diagonal would be 0.71)."""
QUARTER = math.pi / 2


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The way of one die. places: (n, 3) mm and attitudes: (n, 3, 3) at every STEP_S; die: where it ends."""

    die: SceneDie
    places: Doubles
    attitudes: Doubles

    def at(self, time_s: float) -> tuple[SceneDie, tuple[float, float, float] | None]:
        """The die that long after its release, and its velocity in mm/s (None: it lies)."""
        step = time_s / STEP_S
        index = int(step)
        if index >= len(self.places) - 1:
            return self.die, None
        share = step - index
        place = self.places[index] * (1 - share) + self.places[index + 1] * share
        speed = (self.places[index + 1] - self.places[index]) / STEP_S
        moved = SceneDie(self.die.style, self.die.edge_mm, tuple(place.tolist()), self.attitudes[index])
        return moved, tuple(speed.tolist())

    @property
    def seconds(self) -> float:
        """From release to rest."""
        return (len(self.places) - 1) * STEP_S


def roll_out(
    rng: random.Random,
    tray: SceneTray,
    thrown: list[tuple[DieStyle, float, int]],
    lying: tuple[SceneDie, ...],
    release_mm: tuple[float, float],
) -> list[Path]:
    """Throw dice given as (style, edge in mm, face to end with) among those that lie; one path each.

    No two dice overlap at the end. Takes about 5 ms for five dice.
    """
    if not thrown:
        return []
    for _ in range(60):
        tracks = _slide(rng, tray, [edge for _, edge, _ in thrown], lying, release_mm)
        paths = _settle(rng, thrown, tracks, lying)
        if paths is not None:
            return paths
    # The tray is so full that chance found no place: lay them out in the free spots of a grid.
    return [_still(die) for die in _laid_out(rng, tray, thrown, lying)]


def _slide(
    rng: random.Random,
    tray: SceneTray,
    edges: list[float],
    lying: tuple[SceneDie, ...],
    release: tuple[float, float],
) -> list[Doubles]:
    """Middles of sliding discs, one (n, 2) track each, mm."""
    aim = math.atan2(-release[1], -release[0])
    spots, speeds = [], []
    for number in range(len(edges)):
        side = (number - (len(edges) - 1) / 2) * 7
        angle = aim + rng.gauss(0, 0.33)
        pace = rng.uniform(380, 760)
        spots.append(
            [
                release[0] - side * math.sin(aim) + rng.uniform(-6, 6),
                release[1] + side * math.cos(aim) + rng.uniform(-6, 6),
            ]
        )
        speeds.append([pace * math.cos(angle), pace * math.sin(angle)])
    place: Doubles = np.array(spots).reshape(-1, 2)
    speed: Doubles = np.array(speeds).reshape(-1, 2)
    radii = np.array(edges) * REACH
    fixed = np.array([die.position_mm[:2] for die in lying]).reshape(-1, 2)
    fixed_radii = np.array([die.edge_mm * REACH for die in lying])
    history = [place.copy()]
    for _ in range(int(LONGEST_S / STEP_S)):
        _meet_rim(tray, place, speed, radii)
        _meet_each_other(place, speed, radii, fixed, fixed_radii)
        pace_now = np.linalg.norm(speed, axis=1, keepdims=True)
        speed *= np.maximum(1 - FRICTION_MM_S2 * STEP_S / np.maximum(pace_now, 1e-6), 0)
        place = place + speed * STEP_S
        history.append(place.copy())
        if not speed.any() and np.abs(history[-1] - history[-2]).max() < 0.02:
            break
    every = np.stack(history)
    return [every[: _last_move(every[:, number]) + 2, number] for number in range(len(edges))]


def _last_move(track: Doubles) -> int:
    moves = np.flatnonzero(np.abs(np.diff(track, axis=0)).max(1) > 0.02)
    return int(moves[-1]) if moves.size else 0


def _meet_rim(tray: SceneTray, place: Doubles, speed: Doubles, radii: Doubles) -> None:
    def gap(x: Doubles, y: Doubles) -> Doubles:
        return np.asarray(rim_distance(tray, x.astype(np.float32), y.astype(np.float32)), np.float64) + radii

    x, y = place[:, 0], place[:, 1]
    depth = gap(x, y)
    out = depth > 0
    if not out.any():
        return
    normal = np.stack([gap(x + 0.5, y) - gap(x - 0.5, y), gap(x, y + 0.5) - gap(x, y - 0.5)], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-9
    towards = (speed * normal).sum(1)
    hit = out & (towards > 0)
    speed[hit] -= normal[hit] * (towards[hit] * (1 + BOUNCE))[:, None]
    place[out] -= normal[out] * depth[out, None]


def _meet_each_other(
    place: Doubles, speed: Doubles, radii: Doubles, fixed: Doubles, fixed_radii: Doubles
) -> None:
    for one in range(len(place)):
        for other in range(one + 1, len(place)):
            away = place[one] - place[other]
            gap = math.hypot(*away) - radii[one] - radii[other]
            if gap < 0:
                normal = away / (math.hypot(*away) + 1e-9)
                place[one] -= normal * gap / 2
                place[other] += normal * gap / 2
                closing = float((speed[one] - speed[other]) @ normal)
                if closing < 0:
                    speed[one] -= normal * closing * (1 + BOUNCE) / 2
                    speed[other] += normal * closing * (1 + BOUNCE) / 2
        for spot, radius in zip(fixed, fixed_radii, strict=True):
            away = place[one] - spot
            gap = math.hypot(*away) - radii[one] - radius
            if gap < 0:
                normal = away / (math.hypot(*away) + 1e-9)
                place[one] -= normal * gap
                closing = float(speed[one] @ normal)
                if closing < 0:
                    speed[one] -= normal * closing * (1 + BOUNCE)


def _settle(
    rng: random.Random,
    thrown: list[tuple[DieStyle, float, int]],
    tracks: list[Doubles],
    lying: tuple[SceneDie, ...],
) -> list[Path] | None:
    """Give every track its attitudes; None when two dice would lie in each other."""
    placed = [_footprint(die) for die in lying]
    paths = []
    for (style, edge, face), track in zip(thrown, tracks, strict=True):
        for _ in range(12):
            rotation = face_up(face, rng.uniform(0, 2 * math.pi))
            x, y = track[-1].tolist()
            die = SceneDie(style, edge, (x, y, resting_height(rotation, edge)), rotation)
            foot = _footprint(die)
            if not any(footprints_overlap(foot, other) for other in placed):
                break
        else:
            return None
        placed.append(foot)
        paths.append(_tumble(rng, die, track))
    return paths


def _footprint(die: SceneDie) -> Doubles:
    half = die.edge_mm / 2 * 1.01
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    across = die.rotation[:2, :][:, np.abs(die.rotation[2]) < 0.5]
    return np.asarray(square @ across.T + np.array(die.position_mm[:2]), np.float64)


def _tumble(rng: random.Random, die: SceneDie, track: Doubles) -> Path:
    """Roll the die backwards along its track, over one edge after the other."""
    steps = np.diff(track, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    left = np.append(np.cumsum(lengths[::-1])[::-1], 0.0)
    turns = left / (die.edge_mm * 1.15)
    whole = np.floor(turns)
    part = turns - whole
    rolled = (whole + part * part * (3 - 2 * part)) * QUARTER
    spin = rng.uniform(-2.5, 2.5) / max(float(left[0]), 1.0)
    attitudes = np.empty((len(track), 3, 3))
    attitudes[-1] = die.rotation
    for index in range(len(steps) - 1, -1, -1):
        turn = attitudes[index + 1]
        if lengths[index] > 1e-6:
            ahead = steps[index] / lengths[index]
            back = rolled[index] - rolled[index + 1]
            turn = about((-ahead[1], ahead[0], 0.0), -back) @ turn
            turn = about((0, 0, 1), -spin * lengths[index] * min(1.0, left[index] / die.edge_mm / 3)) @ turn
        attitudes[index] = turn
    hop = die.edge_mm * 1.6 * np.minimum(left / 160, 1) ** 1.5 * np.abs(np.sin(left / 34))
    heights = np.array([resting_height(turn, die.edge_mm) for turn in attitudes]) + hop
    return Path(die, np.column_stack([track, heights]), attitudes)


def _still(die: SceneDie) -> Path:
    return Path(die, np.array([die.position_mm] * 2), np.stack([die.rotation] * 2))


def _laid_out(
    rng: random.Random,
    tray: SceneTray,
    thrown: list[tuple[DieStyle, float, int]],
    lying: tuple[SceneDie, ...],
) -> list[SceneDie]:
    placed = [_footprint(die) for die in lying]
    result: list[SceneDie] = []
    for style, edge, face in thrown:
        spots = [
            (x, y)
            for x in np.arange(-tray.half_mm[0] + edge, tray.half_mm[0] - edge, edge / 3)
            for y in np.arange(-tray.half_mm[1] + edge, tray.half_mm[1] - edge, edge / 3)
        ]
        rng.shuffle(spots)
        for x, y in spots:
            rotation = face_up(face, rng.uniform(0, 2 * math.pi))
            die = SceneDie(style, edge, (float(x), float(y), resting_height(rotation, edge)), rotation)
            foot = _footprint(die)
            if not any(footprints_overlap(foot, other) for other in placed):
                placed.append(foot)
                result.append(die)
                break
    return result
