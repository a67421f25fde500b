"""How exactly calibration finds tray, scale and lens, and how surely it notices a bump.

On the rendered trays, whose cameras are known to the last digit, and on drawn ones from fresh seeds: 25 to
80 cm high, tilted by 0 to 35 degrees, lenses that bend either way. BENCH_SHARE=0.1 draws a tenth of them.
"""

import json
import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_movement import MovementKind, Reference
from calibration.lens import Lens, LensBoardView, solve, view_of
from calibration.markers import find_markers
from calibration.tray_geometry import TrayFound, carried, find_tray, from_markers
from lab.bench import profiles
from messages.errors import BadInputError
from simulator import Scene
from simulator.arrange import random_styles, scatter
from simulator.paint import Painter
from simulator.throw_motion import TrayMoment
from tests.calibration.scenes import Image, board_view, station

RENDERS = Path(os.environ.get("YACHT_SHARED", Path(__file__).parents[3] / "shared")) / "renders"
SHARE = float(os.environ.get("BENCH_SHARE", "1"))
STATIONS, LENSES, TABLES, ARRANGEMENTS = 200, 12, 40, 50
FIRST_SEED = 10_000
SHIFT_PX, TURN_DEG = 2.0, 0.3


@dataclass
class Figures:
    """What was measured on one kind of picture."""

    corner_px: list[float] = field(default_factory=list)
    tray_mm: list[float] = field(default_factory=list)
    scale: list[float] = field(default_factory=list)
    failed: int = 0


def run() -> None:
    """Print the tables."""
    cv2.setNumThreads(1)
    print("| tray from four markers | cameras | corners px, median / worst | tray mm, median / p99 | "
          "scale %, worst | not found |")  # fmt: skip
    print("|---|---|---|---|---|---|")
    _row("aim", "", "1", "1 / 2.5", "1", "")
    _figures_row("rendered", _rendered())
    _figures_row("drawn", _drawn(max(4, round(STATIONS * SHARE))))
    print("\n| lens from 14 views of the board | lenses | reprojection px, median / worst | ray px, worst |")
    print("|---|---|---|---|")
    _row("aim", "", "0.3", "")
    _lenses(max(2, round(LENSES * SHARE)))
    print(
        "\n| camera bumped | pictures | noticed % | false alarms | shift px / turn deg, median error | ms |"
    )
    print("|---|---|---|---|---|---|")
    _row("aim", "", "99", "0", "", "")
    _bump_row("rendered", _rendered_tables())
    _bump_row("drawn", _drawn_tables(max(2, round(TABLES * SHARE))))
    print()
    profiles.run(SHARE, RENDERS)


def _row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def _figures_row(name: str, found: Figures) -> None:
    if not found.corner_px:
        _row(name, 0, "", "", "", found.failed)
        return
    _row(
        name,
        len(found.corner_px) + found.failed,
        f"{np.median(found.corner_px):.2f} / {max(found.corner_px):.2f}",
        f"{np.median(found.tray_mm):.2f} / {np.percentile(found.tray_mm, 99):.2f}",
        f"{100 * max(abs(each) for each in found.scale):.2f}",
        found.failed,
    )


def _rendered() -> Figures:
    """Markers of the rendered stations: their corners, and distances between points of their plane."""
    figures = Figures()
    for folder, known in _stations():
        image = cv2.imread(str(folder / f"{known['id']}_ref.jpg"))
        if not known["aruco"] or "aruco_px" not in known or image is None:
            continue
        try:
            markers = find_markers(np.asarray(image, np.uint8))
        except BadInputError:
            figures.failed += 1
            continue
        size = (image.shape[1], image.shape[0])
        found = from_markers(markers, size, marker_mm=known["aruco_size"] * 10, quiet_mm=0)
        true = np.array([known["aruco_px"][str(number)] for number in range(4)])
        figures.corner_px.append(float(np.linalg.norm(markers.corners - true, axis=2).max()))
        world = np.array([known["aruco_world"][str(number)] for number in range(4)])
        corners = world[np.arange(4), markers.outer]
        shares = [(a, b) for a in np.linspace(0, 1, 7) for b in np.linspace(0, 1, 7)]
        spots = np.array([
            (corners[0] * (1 - a) + corners[1] * a) * (1 - b) + (corners[3] * (1 - a) + corners[2] * a) * b
            for a, b in shares
        ])  # fmt: skip
        camera = known["cam"]
        turn, _ = cv2.Rodrigues(np.array(camera["R"]))
        matrix, bends = np.array(camera["K"]), np.array(camera["dist"])
        pixels, _ = cv2.projectPoints(spots, turn, np.array(camera["t"]), matrix, bends)
        _compare(figures, found, spots[:, :2] * [10.0, -10.0], np.asarray(pixels, np.float64).reshape(-1, 2))
    return figures


def _compare(
    figures: Figures, found: TrayFound, mm: NDArray[np.float64], pixels: NDArray[np.float64]
) -> None:
    """Tray coordinates against the truth, apart from where the origin lies and how the axes are turned."""
    straight = pixels if found.lens is None else found.lens.straightened(pixels)
    mapped = carried(found.to_mm, straight)
    a, b = mm - mm.mean(0), mapped - mapped.mean(0)
    left, _, right = np.linalg.svd(a.T @ b)
    figures.tray_mm += np.linalg.norm(a @ (left @ right) - b, axis=1).tolist()
    figures.scale.append(float(np.sqrt((b * b).sum() / (a * a).sum())) - 1)


def _drawn(count: int) -> Figures:
    figures = Figures()
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        truth = station(seed)
        try:
            found = find_tray(truth.picture(markers=True))
        except BadInputError:
            figures.failed += 1
            continue
        mm, pixels = truth.grid()
        figures.corner_px.append(float(np.linalg.norm(found.outline - truth.corners_px, axis=1).max()))
        _compare(figures, found, mm, pixels)
    return figures


def _lenses(count: int) -> None:
    errors, rays = [], []
    for number in range(count):
        rng = random.Random(FIRST_SEED + number)  # noqa: S311 - drawn pictures, no secrets
        size = (1280, 960)
        focal = size[0] * rng.uniform(0.6, 1.0)
        k1 = rng.uniform(-0.25, 0.12)
        truth = Lens(size, (focal, focal), (size[0] / 2 + rng.gauss(0, 8), size[1] / 2 + rng.gauss(0, 8)),
                     (k1, 0.05 * abs(k1), 0.0, 0.0, 0.0))  # fmt: skip
        views: list[LensBoardView] = []
        for seed in range(60):
            far = rng.uniform(0.27, 0.4) * focal
            turn = (rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4))
            place = (rng.uniform(-0.6, 0.0) * far, rng.uniform(-0.5, 0.0) * far, far)
            try:
                views.append(view_of(board_view(truth, turn, place, seed)))
            except BadInputError:
                continue
            if len(views) == 14:
                break
        lens = solve(views, size)
        errors.append(lens.error_px)
        spots = np.array([(x, y) for x in np.linspace(40, 1240, 7) for y in np.linspace(40, 920, 5)])
        one, other = ((each.straightened(spots) - each.middle) / each.focal for each in (truth, lens))
        rays.append(float(np.abs(one - other).max()) * focal)
    _row("drawn", count, f"{np.median(errors):.2f} / {max(errors):.2f}", f"{max(rays):.1f}")


def _bump_row(name: str, tables: Iterator[tuple[Image, Iterator[Image]]]) -> None:
    rng = random.Random(FIRST_SEED)  # noqa: S311 - drawn pictures, no secrets
    pictures = noticed = bumps = alarms = 0
    errors: list[float] = []
    turns: list[float] = []
    spent: list[float] = []
    for empty, others in tables:
        reference = Reference(empty)
        for number, image in enumerate(others):
            began = time.process_time()
            still = reference.compare(image)
            spent.append(time.process_time() - began)
            pictures += 1
            alarms += still.kind in {MovementKind.BUMPED, MovementKind.LOST}
            if number % 5:
                continue
            angle, sign = rng.uniform(0, 2 * np.pi), rng.choice((-1, 1))
            shifted = reference.compare(
                _moved(image, SHIFT_PX * np.cos(angle), SHIFT_PX * np.sin(angle), 0.0)
            )
            turned = reference.compare(_moved(image, 0.0, 0.0, sign * TURN_DEG))
            bumps += 2
            noticed += (shifted.kind is MovementKind.BUMPED) + (turned.kind is MovementKind.BUMPED)
            errors.append(abs(shifted.shift_px - SHIFT_PX))
            turns.append(abs(turned.turn_deg - sign * TURN_DEG))
    if pictures:
        share = f"{100 * noticed / max(bumps, 1):.1f} of {bumps}"
        exact = f"{np.median(errors):.2f} / {np.median(turns):.3f}"
        _row(name, pictures, share, alarms, exact, f"{1000 * np.median(spent):.0f}")
    else:
        _row(name, 0, "", "", "", "")


def _moved(image: Image, dx: float, dy: float, turn_deg: float) -> Image:
    height, width = image.shape[:2]
    change = np.array(cv2.getRotationMatrix2D((width / 2, height / 2), -turn_deg, 1.0), np.float64)
    change[:, 2] += (dx, dy)
    seen = cv2.warpAffine(
        image, change, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    noise = np.random.default_rng(int(1000 * (dx + 10)) + height).normal(0, 1.5, seen.shape)
    return np.clip(seen + noise, 0, 255).astype(np.uint8)


def _stations() -> Iterator[tuple[Path, dict[str, Any]]]:
    for file in sorted(RENDERS.glob("*/stations.jsonl")):
        for line in file.read_text().splitlines():
            yield file.parent, json.loads(line)


def _rendered_tables() -> Iterator[tuple[Image, Iterator[Image]]]:
    for file in sorted(RENDERS.glob("*/labels.jsonl")):
        by_station: dict[str, list[Path]] = {}
        for line in file.read_text().splitlines():
            label = json.loads(line)
            by_station.setdefault(label["station"], []).append(file.parent / label["file"])
        for name, paths in by_station.items():
            empty = cv2.imread(str(file.parent / f"{name}_ref.jpg"))
            if empty is not None:
                yield np.asarray(empty, np.uint8), _loaded(paths, empty.shape)


def _loaded(paths: list[Path], shape: tuple[int, ...]) -> Iterator[Image]:
    for path in paths:
        image = cv2.imread(str(path))
        if image is not None and image.shape == shape:
            yield np.asarray(image, np.uint8)


def _drawn_tables(count: int) -> Iterator[tuple[Image, Iterator[Image]]]:
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        truth = station(seed, size_wh=(1280, 720))
        painter = Painter(truth.scene)
        empty = painter.paint(TrayMoment(()), 0.0)
        yield _noisy(empty, 0), _arranged(painter, truth.scene, seed)


def _arranged(painter: Painter, scene: Scene, seed: int) -> Iterator[Image]:
    rng = random.Random(seed)  # noqa: S311 - drawn pictures, no secrets
    for number in range(ARRANGEMENTS):
        styles = random_styles(rng, rng.randint(1, 8), mixed=rng.random() < 0.5)
        dice = scatter(rng, scene.view, scene.tray, styles, edge_mm=rng.uniform(14, 20))
        if dice is not None:
            yield _noisy(painter.paint(TrayMoment(dice), 0.0), number + 1)


def _noisy(image: Image, seed: int) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2.5, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)
